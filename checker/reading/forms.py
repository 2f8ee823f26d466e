"""The shapes of lines, derived from a grammar: which words and which arguments make up each event.

A grammar's rules say everything (``common.lark`` explains how). Lark reads them; what is left of them here is a table
of forms that serves the parser, the printer, the JSON Lines twin and the error messages. A form is a regular language,
so the parser is one expression for each form: ten times as fast as Lark's own, which the tests hold it against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule, Symbol

COMMON_PREFIX: Final = "common__"
"""What Lark puts before names that a grammar imports indirectly."""
ACTOR: Final = "actor"


@dataclass(frozen=True, slots=True)
class Keyword:
    """A fixed word or mark."""

    text: str

    @property
    def is_word(self) -> bool:
        """Whether it is a word, set off by spaces, rather than a mark such as ``:``."""
        return self.text[0].isalpha()


@dataclass(frozen=True, slots=True)
class Argument:
    """A named argument; several types, with marks between them, make one value of several parts."""

    name: str
    key: str
    """Its name in JSON: the key word before it, or else its own."""
    pieces: tuple[str, ...]
    """Types and, at every second place, the mark between them."""

    @property
    def types(self) -> tuple[str, ...]:
        """The types alone."""
        return self.pieces[::2]


@dataclass(frozen=True, slots=True)
class Constant:
    """An argument whose value the words themselves settle; they may be no words at all."""

    name: str
    key: str
    value: int | str | None
    text: str


Part: TypeAlias = Keyword | Argument | Constant


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write one event."""

    name: str
    origin: str
    """The grammar's rule that lists it: ``event`` or ``seen``."""
    parts: tuple[Part, ...]

    @property
    def observation(self) -> bool:
        """Whether it says what was seen rather than what was done."""
        return self.origin == "seen"

    @property
    def has_actor(self) -> bool:
        """Whether it begins with the player who acts."""
        return isinstance(self.parts[0], Argument) and self.parts[0].name == ACTOR

    @property
    def verb(self) -> tuple[Keyword, ...]:
        """The key words that it begins with."""
        found: list[Keyword] = []
        for part in self.parts[self.has_actor :]:
            if not isinstance(part, Keyword) or not part.is_word:
                break
            found.append(part)
        return tuple(found)

    @property
    def rest(self) -> tuple[Part, ...]:
        """The parts after actor and verb."""
        return self.parts[self.has_actor + len(self.verb) :]

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The named arguments, without the actor."""
        return tuple(part for part in self.parts if isinstance(part, Argument) and part.name != ACTOR)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all values, without the actor."""
        return tuple(part.name for part in self.rest if not isinstance(part, Keyword))

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The arguments that the words settle."""
        return tuple(part for part in self.parts if isinstance(part, Constant))


@dataclass(frozen=True, slots=True)
class Table:
    """What one grammar says about lines."""

    forms: tuple[Form, ...]
    terminals: Mapping[str, str]
    """Regular expressions by name."""
    reasons: tuple[str, ...]
    """What may follow ``refused``."""


def join_words(words: Iterable[str]) -> str:
    """Set words apart by spaces; a colon stands right after its word."""
    return " ".join(words).replace(" :", ":")


class GrammarError(Exception):
    """A grammar does not follow the conventions that ``common.lark`` sets out."""


def derive(lark: Lark) -> Table:
    """Read the forms off a grammar's rules."""
    return _Reader(lark).table()


class _Reader:
    """Walks the rules of one grammar."""

    def __init__(self, lark: Lark) -> None:
        self.lark = lark
        self.rules: dict[str, list[Rule]] = {}
        for rule in lark.rules:
            self.rules.setdefault(_plain(rule.origin.name), []).append(rule)

    def table(self) -> Table:
        forms = [form for origin in ("event", "seen", "header") for form in self.forms(origin, origin)]
        terminals = {str(each.name): each.pattern.to_regexp() for each in self.lark.terminals}
        reasons = [self.keyword(symbol).text for rule in self.rules.get("reason", ()) for symbol in rule.expansion]
        return Table(tuple(forms), terminals, tuple(reasons))

    def forms(self, rule_name: str, origin: str) -> Iterator[Form]:
        for rule in self.rules.get(rule_name, ()):
            if rule.alias is not None:
                yield Form(_plain(rule.alias), origin, tuple(self.parts(rule.expansion)))
            else:  # a list of events in a rule of its own
                for symbol in rule.expansion:
                    yield from self.forms(_plain(symbol.name), origin)

    def parts(self, symbols: Sequence[Symbol]) -> Iterator[Part]:
        before: Part | None = None
        in_verb = True
        for symbol in symbols:
            part = self.part(symbol, None if in_verb else before)
            yield part
            in_verb = in_verb and (isinstance(part, Keyword) or part.name == ACTOR)
            before = part

    def part(self, symbol: Symbol, before: Part | None) -> Part:
        if symbol.is_term:
            return self.keyword(symbol) if _fixed(symbol) else Argument("key", "key", (str(symbol.name),))
        rule_name = _plain(symbol.name)
        name, fixed, value = rule_name.partition("__")
        key = before.text if isinstance(before, Keyword) and before.is_word else name
        if fixed:
            words = " ".join(self.keyword(each).text for each in self.only(rule_name).expansion)
            return Constant(name, key, _constant(value), words)
        return Argument(name, key, tuple(self.piece(each) for each in self.only(rule_name).expansion))

    def piece(self, symbol: Symbol) -> str:
        return self.keyword(symbol).text if _fixed(symbol) else str(symbol.name)

    def only(self, rule_name: str) -> Rule:
        if len(self.rules[rule_name]) != 1:
            raise GrammarError(f"the argument `{rule_name}` has more than one alternative")
        return self.rules[rule_name][0]

    def keyword(self, symbol: Symbol) -> Keyword:
        return Keyword(self.lark.get_terminal(symbol.name).pattern.value)


def _fixed(symbol: Symbol) -> bool:
    """Whether a terminal is a word that the rule itself quotes."""
    return bool(getattr(symbol, "filter_out", False))


def _plain(name: str) -> str:
    return str(name).removeprefix(COMMON_PREFIX)


def _constant(value: str) -> int | str | None:
    return None if value == "none" else int(value) if value.isdigit() else value
