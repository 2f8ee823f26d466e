"""The notation of one game: bodies of lines read and written, as text and as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

from fairdeal import grammar
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.forms import ACTOR, Argument, Form, Part, join_words
from fairdeal.checker.reading.json_lines import JsonForm, read_object, write_object
from fairdeal.checker.reading.matching import Body, Matcher, is_silent
from fairdeal.checker.reading.prefix import Prefix, Unit
from fairdeal.checker.reading.tables import table
from fairdeal.checker.reading.values import PLAYERS, Value, kind

__all__ = ["Body", "Notation", "NotationError", "notation"]


@cache
def notation(game: str) -> Notation:
    """The notation of a game by its name; ``LookupError`` for a game without a grammar."""
    return Notation(game)


class Notation:
    """Reads and writes the lines of one game."""

    def __init__(self, game: str) -> None:
        grammar.source(game)  # an unknown game is told by name
        self.game = game
        self.table = table(game)
        self.forms: Mapping[str, tuple[Form, ...]] = _by_name(self.table.forms)
        """Every event and observation by name, with the ways to write it."""
        self._acting: dict[str, list[Matcher]] = {}
        self._plain: dict[str, list[Matcher]] = {}
        for form in self.table.forms:
            place = self._acting if form.has_actor else self._plain
            names = (name for each in self.forms[form.name] for name in each.names)
            place.setdefault(form.verb[0].text, []).append(Matcher(form, self.table, names))

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The words with which a line's body can begin."""
        return frozenset((*PLAYERS, *self._plain))

    def parse(self, body: str) -> Body:
        """Read a line without its number and time; a comment may follow. Raises ``NotationError``, columns from 0."""
        words = body.split(None, 2)
        if len(words) > 1 and words[0] in PLAYERS:
            matchers = self._acting.get(words[1], ())
        else:
            matchers = self._plain.get(words[0], ()) if words else ()
        for matcher in matchers:
            found = matcher.read(body)
            if found is not None:
                return found
        from fairdeal.checker.reading.explaining import explain  # slow to import, and seldom needed

        raise explain(body, self.table.forms, self.table)

    def text(self, verb: str, actor: int | None, values: Mapping[str, Value], refused: str | None = None) -> str:
        """Write an event or observation in canonical text; ``refused`` as in ``Body``."""
        form = self.form(verb, values)
        given = {**values, ACTOR: actor}
        words = [_write(part, given) for part in form.parts if not is_silent(part)]
        if refused is not None:
            words += ["refused", refused] if refused else ["refused"]
        return join_words(words)

    def json(
        self,
        verb: str,
        actor: int | None,
        values: Mapping[str, Value],
        seq: int | None = None,
        time: tuple[float, float] | None = None,
        refused: str | None = None,
        unit: Unit = "seconds",
    ) -> dict[str, object]:
        """Write an event or observation as the object of a JSON line."""
        return write_object(self.form(verb, values), actor, values, seq, time, refused, unit)

    def from_json(self, obj: Mapping[str, object], line: str = "") -> tuple[Prefix, Body]:
        """Read the object of a JSON line; the line itself, where given, is what columns and spans count in."""
        return read_object(obj, line, self._json_forms, self.table)

    def form(self, verb: str, values: Mapping[str, Value]) -> Form:
        """The form in which these values are written; ``LookupError`` if there is none."""
        for form in sorted(self.forms.get(verb, ()), key=lambda each: -len(each.constants)):
            if _fits(form, values):
                return form
        raise LookupError(f"{self.game} has no event {verb!r} with {dict(values)!r}")

    @cached_property
    def _json_forms(self) -> Mapping[str, tuple[JsonForm, ...]]:
        return {name: tuple(JsonForm(form, self.table) for form in forms) for name, forms in self.forms.items()}


def _by_name(forms: tuple[Form, ...]) -> dict[str, tuple[Form, ...]]:
    names = dict.fromkeys(form.name for form in forms)
    return {name: tuple(form for form in forms if form.name == name) for name in names}


def _fits(form: Form, values: Mapping[str, Value]) -> bool:
    given = {name for name, value in values.items() if value is not None}
    needed = {argument.name for argument in form.arguments}
    settled = {constant.name: constant.value for constant in form.constants}
    if any(values.get(name) != value for name, value in settled.items()):
        return False
    return needed <= given <= needed | set(settled)


def _write(part: Part, values: Mapping[str, Value]) -> str:
    if not isinstance(part, Argument):
        return part.text
    value = values[part.name]
    if len(part.pieces) == 1:
        return kind(part.pieces[0]).write(value)
    if not isinstance(value, tuple) or len(value) != len(part.types):
        raise TypeError(f"{part.name} must have {len(part.types)} parts, not {value!r}")
    pairs = zip(part.types, value, strict=True)
    return f" {part.pieces[1]} ".join(
        kind(each).write(one if isinstance(one, tuple) else (one,)) for each, one in pairs
    )
