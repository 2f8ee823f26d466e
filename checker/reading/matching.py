"""From a form to a regular expression, and from its match to a body."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from fairdeal.checker.reading.errors import BadValueError, NotationError
from fairdeal.checker.reading.forms import ACTOR, Argument, Constant, Form, Keyword, Part, Table
from fairdeal.checker.reading.values import PLAYERS, Value, kind, read_cards, too_many
from fairdeal.spec.cards import DECK

Spans: TypeAlias = Mapping[str, tuple[int, int]]
Reader: TypeAlias = Callable[[str], Value]


class Body(NamedTuple):
    """One event or observation, without its number and time."""

    verb: str
    """The event's name in the grammar: ``play``, ``win``."""
    actor: int | None
    """0 for player A, 1 for B, ``None`` where the line names nobody as acting."""
    arguments: Mapping[str, Value]
    """The values by name; shared between equal lines, so not to be changed."""
    spans: Spans
    """Start and end column, from 0 within the text parsed, of each argument and of ``verb``, ``actor``, ``refused``."""
    refused: str | None = None
    """Why the recording program refused it, "" where no reason is given; ``None`` if it did not."""
    observation: bool = False
    """Whether it says what was seen rather than what was done."""


SHORT = 2 * DECK
"""Characters within which no line names more cards than a pack has, unless it repeats some by ``*``."""


class Matcher:
    """Recognises one form of one event; arguments that only other forms of it have (``names``) are ``None``."""

    def __init__(self, form: Form, table: Table, names: Iterable[str] = ()) -> None:
        self.form = form
        self.table = table
        self.refusable = form.origin == "event" and bool(table.reasons)
        self._readers = tuple(_readers(form))
        self._absent: dict[str, Value] = dict.fromkeys(names)
        self._groups = (*((ACTOR,) if form.has_actor else ()), "verb", *(name for name, _ in self._readers))
        self._lists = any("CARDS" in argument.types for argument in form.arguments)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The form's expression; compiled when first needed, since a log uses few forms."""
        return re.compile(self.expression())

    def expression(self) -> str:
        """The form as a regular expression: a group for the actor, the verb, each argument, and the refusal."""
        gap, any_gap = gaps(self.table)
        verb = gap.join(re.escape(word.text) for word in self.form.verb)
        actor = f"({piece_expression(self.form.parts[0], self.table)}){gap}" if self.form.has_actor else ""
        rest = []
        before: Part = self.form.verb[-1]
        for part in self.form.rest:
            rest.append(f"{gap if both_words(before, part) else any_gap}{_group(part, self.table)}")
            before = before if is_silent(part) else part
        return f"{any_gap}{actor}({verb}){''.join(rest)}{self._end(gap, any_gap)}"

    def _end(self, gap: str, any_gap: str) -> str:
        reasons = "|".join(map(re.escape, self.table.reasons))
        refusal = f"(?:{gap}(refused(?:{gap}({reasons}))?))?" if self.refusable else ""
        return f"{refusal}{any_gap}(?:{self.table.terminals['COMMENT']})?"

    def read(self, text: str) -> Body | None:
        """The body that the text writes in this form, if it does; a value that cannot be is a ``NotationError``."""
        match = self.pattern.fullmatch(text)
        if match is None:
            return None
        form = self.form
        words = match.groups()
        spans: dict[str, tuple[int, int]] = dict(zip(self._groups, match.regs[1:]))  # noqa: B905  (a refusal has groups of its own)
        values = self._absent.copy()
        first = len(self._groups) - len(self._readers)
        for (name, reader), word in zip(self._readers, words[first:]):  # noqa: B905
            try:
                values[name] = reader(word)
            except BadValueError as error:
                raise NotationError(error.message, *spans[name], error.hint) from None
        if self._lists and (len(text) > SHORT or "*" in text):
            check_count(values, spans)
        actor = PLAYERS[words[0]] if form.has_actor else None
        refused = None
        if self.refusable and words[-2] is not None:
            refused = words[-1] or ""
            spans["refused"] = match.regs[-2]
        return Body(form.name, actor, values, spans, refused, form.observation)


def gaps(table: Table) -> tuple[str, str]:
    """Expressions of the space between two words, and of the space that may stand beside a mark."""
    space = table.terminals["WS"]
    return f"(?:{space})", f"(?:{space})?"


def piece_expression(part: Part, table: Table) -> str:
    """Expression of an argument's own text, without a group."""
    if not isinstance(part, Argument):
        return re.escape(part.text)
    _, any_gap = gaps(table)
    texts = [
        f"{any_gap}{re.escape(piece)}{any_gap}" if index % 2 else _terminal(piece, table)
        for index, piece in enumerate(part.pieces)
    ]
    return "".join(texts)


def _terminal(name: str, table: Table) -> str:
    usual = kind(name).usual
    return f"(?:{usual}|{table.terminals[name]})" if usual else f"(?:{table.terminals[name]})"


def both_words(before: Part, part: Part) -> bool:
    """Whether a space must stand between two parts: neither is a mark, and neither is empty."""
    if is_silent(part):
        return False
    return not any(isinstance(each, Keyword) and not each.is_word for each in (before, part))


def is_silent(part: Part) -> bool:
    """Whether a part has no words at all."""
    return isinstance(part, Constant) and not part.text


def check_count(values: Mapping[str, Value], spans: Spans) -> None:
    """Refuse a line that names more cards than a pack has.

    Raises:
        NotationError: it names more.
    """
    lists = {name: value for name, value in values.items() if isinstance(value, tuple)}
    counts = [len(each) if isinstance(each, tuple) else 1 for value in lists.values() for each in value]
    if sum(counts) > DECK:
        start, end = min(spans[name][0] for name in lists), max(spans[name][1] for name in lists)
        raise NotationError(too_many().message, start, end)


def _group(part: Part, table: Table) -> str:
    text = piece_expression(part, table)
    return text if isinstance(part, Keyword) else f"({text})"


def _readers(form: Form) -> Iterator[tuple[str, Reader]]:
    for part in form.rest:
        if isinstance(part, Constant):
            yield part.name, _always(part.value)
        elif isinstance(part, Argument):
            yield part.name, reader(part)


def _always(value: int | str | None) -> Reader:
    return lambda _: value


def reader(argument: Argument) -> Reader:
    """What turns an argument's text into its value."""
    if len(argument.pieces) == 1:
        return kind(argument.types[0]).read
    mark = argument.pieces[1]
    return lambda text: tuple([read_cards(part) for part in text.split(mark)])
