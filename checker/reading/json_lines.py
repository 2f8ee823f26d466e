"""The JSON Lines twin of the notation: one object a line, its keys derived from the grammar's forms.

``type`` is the event's name, ``player`` who acts, ``seq`` and ``t`` the line's number and time, ``refused`` a reason or
true. An argument's key is the key word that stands before it, or else its own name.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from fairdeal.checker.reading.errors import BadValueError, NotationError, nearest, shown
from fairdeal.checker.reading.forms import Argument, Constant, Form, Table
from fairdeal.checker.reading.json_faults import (
    NO_ENTRY,
    TIME_HINT,
    bad_entry,
    in_place_of_null,
    mended,
    no_json,
    no_key,
    no_object,
)
from fairdeal.checker.reading.matching import Body, check_count, piece_expression, reader
from fairdeal.checker.reading.prefix import SEQ_DIGITS, Prefix, Unit, split_prefix, write_time
from fairdeal.checker.reading.values import PLAYERS, Value, kind

Fail: TypeAlias = Callable[..., NotationError]
"""Makes the error for a key's value: key, message, hint."""

PLAYER: Final = "player"
SHARED_KEYS: Final = ("seq", "t", "type", "refused")
IGNORED: Final = "x-"
"""Keys that begin so may hold anything and are never interpreted."""
_ONE: Final = Argument("", "", ("CARD",))
DEPTH: Final = 8
"""Deepest nesting of lists and objects that a line may have."""


def load_object(line: str) -> dict[str, Any]:
    """Read a line as a JSON object; anything else, doubled keys and numbers that are none are a ``NotationError``."""
    if _nesting(line) > DEPTH:
        raise NotationError(f"brackets are nested more than {DEPTH} deep", 0, len(line), "events are flat objects")
    try:
        found = json.loads(line, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise no_json(line, error) from None
    except NotationError as error:
        raise NotationError(error.message, 0, len(line), error.hint) from None
    except (ValueError, RecursionError):
        raise NotationError("this JSON holds a number that is too long", 0, len(line)) from None
    if not isinstance(found, dict):
        raise no_object(line, found)
    return found


class JsonForm:
    """One form of an event as an object."""

    def __init__(self, form: Form, table: Table) -> None:
        self.form = form
        self.table = table
        self.keys = {part.key: part for part in form.rest if isinstance(part, (Argument, Constant))}

    def fits(self, obj: Mapping[str, object]) -> bool:
        """Whether an object has just the keys of this form, and the values that its words settle."""
        own = {key for key in obj if key not in SHARED_KEYS and not key.startswith(IGNORED)}
        own -= {PLAYER} if self.form.has_actor else set()
        if not all(self._settled(part, obj) for part in self.form.constants):
            return False
        needed = {part.key for part in self.keys.values() if isinstance(part, Argument)}
        return needed <= {key for key in own if obj[key] is not None} and own <= self.keys.keys()

    @staticmethod
    def _settled(part: Constant, obj: Mapping[str, object]) -> bool:
        value = obj.get(part.key)
        return type(value) is type(part.value) and value == part.value

    @cached_property
    def expressions(self) -> Mapping[str, Sequence[re.Pattern[str]]]:
        """What each argument's words must look like, by key."""
        return {
            key: [re.compile(piece_expression(Argument("", "", (each,)), self.table)) for each in part.types]
            for key, part in self.keys.items()
            if isinstance(part, Argument)
        }

    def values(self, obj: Mapping[str, object], fail: Fail) -> Iterator[tuple[str, Value]]:
        """The arguments' values by name.

        Raises:
            NotationError: a value is none that the argument can have.
        """
        for key, part in self.keys.items():
            if isinstance(part, Constant):
                yield part.name, part.value
                continue
            text = self._text(part, obj[key])
            if text is None:
                wrong = bad_entry(part, obj[key], self.expressions[key][-1])
                if wrong is not NO_ENTRY:
                    said = shown(json.dumps(wrong, ensure_ascii=False))
                    raise fail(key, f"{said} is no card", mended(_ONE, wrong), entry=wrong)
                said = shown(json.dumps(obj[key], ensure_ascii=False))
                raise fail(key, f"{said} is not {self.meaning(part)}", mended(part, obj[key]))
            try:
                yield part.name, reader(part)(text)
            except BadValueError as error:
                raise fail(key, error.message, error.hint) from None

    def _text(self, part: Argument, value: object) -> str | None:
        """The words that an argument's JSON value stands for, if it is of the right type and shape."""
        parts = value if len(part.types) > 1 else [value]
        if not isinstance(parts, list) or len(parts) != len(part.types):
            return None
        texts = [_word(each, one) for each, one in zip(part.types, parts, strict=True)]
        patterns = self.expressions[part.key]
        good = [text for text, pattern in zip(texts, patterns, strict=True) if text and pattern.fullmatch(text)]
        mark = part.pieces[1] if len(part.pieces) > 1 else ""
        return f" {mark} ".join(good) if len(good) == len(parts) else None

    @staticmethod
    def meaning(part: Argument) -> str:
        """What an argument's value is, in words."""
        only = kind(part.types[0])
        lists = f"a list such as {json.dumps(only.example.split())}" if only.many else only.meaning
        return lists if len(part.types) == 1 else f"{len(part.types)} lists such as {json.dumps(only.example.split())}"


def read_object(
    obj: Mapping[str, object], line: str, forms: Mapping[str, Sequence[JsonForm]], table: Table
) -> tuple[Prefix, Body]:
    """Read an event's object.

    Raises:
        NotationError: it is no event, or a value of it is none that the event can have.
    """
    spans = LazySpans(line)

    def fail(key: str, message: str, hint: str = "", *, entry: object = NO_ENTRY) -> NotationError:
        place = spans.of(key) if entry is NO_ENTRY else spans.within(key, entry)
        return NotationError(f"{shown(key)}: {message}" if key else message, *place, hint)

    verb = obj.get("type")
    if not isinstance(verb, str) or verb not in forms:
        near = nearest(str(verb), forms)
        hint = f"did you mean {near}?" if near else f"types: {', '.join(forms)}"
        given = "type" in obj
        raise fail("type" if given else "", f"{shown(str(verb))} is no event" if given else "there is no type", hint)
    chosen = next((form for form in forms[verb] if form.fits(obj)), None)
    if chosen is None:
        raise _unfit(obj, forms[verb], fail, spans)
    prefix = Prefix(_seq(obj, fail), *_time(obj, fail))
    actor = _actor(obj, fail) if chosen.form.has_actor else None
    values: dict[str, Value] = {name: None for form in forms[verb] for name in form.form.names}
    values.update(chosen.values(obj, fail))
    spans.named = {part.name: key for key, part in chosen.keys.items()}
    try:
        check_count(values, spans)
    except NotationError as error:
        raise fail("", error.message) from None
    refused = _refused(obj, chosen.form, table, fail)
    return prefix, Body(verb, actor, values, spans, refused, chosen.form.observation)


def write_object(
    form: Form,
    actor: int | None,
    values: Mapping[str, Value],
    seq: int | None,
    time: tuple[float, float] | None,
    refused: str | None,
    unit: Unit,
) -> dict[str, object]:
    """Write an event as an object."""
    obj: dict[str, object] = {} if seq is None else {"seq": seq}
    if time is not None:
        ends = time if time[0] != time[1] else time[:1]
        plain = [each if unit == "seconds" else write_time((each, each), unit) for each in ends]
        obj["t"] = plain if len(plain) > 1 else plain[0]
    obj["type"] = form.name
    if actor is not None:
        obj[PLAYER] = "AB"[actor]
    for part in form.rest:
        if isinstance(part, Constant):
            obj[part.key] = part.value
        elif isinstance(part, Argument):
            obj[part.key] = _plain(part, values[part.name])
    if refused is not None:
        obj["refused"] = refused or True
    return obj


class LazySpans(Mapping[str, tuple[int, int]]):
    """Where values stand in a line of JSON, looked for only when somebody asks."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.named: Mapping[str, str] = {}
        """JSON keys by argument."""

    def of(self, key: str) -> tuple[int, int]:
        """Start and end of the value with this key, or of the whole line."""
        found = re.search(rf"{re.escape(json.dumps(key))}\s*:\s*", self.line) if key else None
        if found is None:
            return 0, max(1, len(self.line))
        try:
            return found.end(), json.JSONDecoder().raw_decode(self.line, found.end())[1]
        except (ValueError, RecursionError):
            return 0, len(self.line)

    def within(self, key: str, entry: object) -> tuple[int, int]:
        """Start and end of the first such entry of the list with this key, or of the whole list."""
        start, end = self.of(key)
        for text in (json.dumps(entry), json.dumps(entry, ensure_ascii=False)):
            at = self.line.find(text, start, end)
            if at >= 0:
                return at, at + len(text)
        return start, end

    def key(self, key: str) -> tuple[int, int]:
        """Start and end of the key itself, or of the whole line."""
        found = re.search(rf"{re.escape(json.dumps(key))}(?=\s*:)", self.line)
        found = found or re.search(rf'"{re.escape(key)}"(?=\s*:)', self.line)  # beyond ASCII, written out
        return found.span() if found else (0, max(1, len(self.line)))

    def __getitem__(self, name: str) -> tuple[int, int]:
        fixed = {"verb": "type", "actor": PLAYER, "refused": "refused"}
        return self.of(fixed.get(name) or self.named[name])

    def __iter__(self) -> Iterator[str]:
        yield from ("verb", *self.named)

    def __len__(self) -> int:
        return len(self.named) + 1


def _nesting(line: str) -> int:
    if line.count("[") + line.count("{") <= DEPTH:
        return 0
    deepest = depth = 0
    for bracket in re.findall(r'[\[\]{}]|"(?:[^"\\]|\\.)*"', line):
        depth += (bracket in "[{") - (bracket in "]}")
        deepest = max(deepest, depth)
    return deepest


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotationError(f"the key {shown(twice)} is given twice")
    return found


def _no_number(name: str) -> float:
    raise NotationError(f"{name} is no number that a log can hold")


def _word(terminal: str, value: object) -> str | None:
    of = kind(terminal)
    if of.number:
        return str(value) if type(value) is int and abs(value) < 10**SEQ_DIGITS else None
    if of.many:
        return _words(value)
    return value if isinstance(value, str) else None


def _words(value: object) -> str | None:
    if not isinstance(value, list) or not all(isinstance(each, str) and each and each != "-" for each in value):
        return None
    return " ".join(value) or "-"


def _plain(part: Argument, value: Value) -> object:
    if len(part.types) > 1 and isinstance(value, tuple):
        return [_plain_one(each, one) for each, one in zip(part.types, value, strict=True)]
    return _plain_one(part.types[0], value)


def _plain_one(terminal: str, value: Any) -> object:
    of = kind(terminal)
    if of.number:
        return value
    text = of.write(value)
    return ([] if text == "-" else text.split()) if of.many else text


def _seq(obj: Mapping[str, object], fail: Fail) -> int | None:
    seq = obj.get("seq")
    if seq is None:
        return None
    if type(seq) is not int or not 0 <= seq < 10**SEQ_DIGITS:
        raise fail("seq", f"{shown(json.dumps(seq))} is no line number")
    return seq


def _time(obj: Mapping[str, object], fail: Fail) -> tuple[tuple[float, float] | None, Unit | None]:
    given = obj.get("t")
    if given is None:
        return None, None
    ends = given if isinstance(given, list) and len(given) == 2 else [given]
    if all(type(each) in (int, float) for each in ends):
        numbers = [_number(each, fail) for each in ends]
        return (numbers[0], numbers[-1]), "seconds"
    words = [each for each in ends if isinstance(each, str)]
    if len(words) == len(ends):
        return _time_text(("/" if "T" in words[0] else "-").join(words), fail)
    raise fail("t", f"{shown(json.dumps(given))} is no time", TIME_HINT)


def _number(value: Any, fail: Fail) -> float:
    if not (0 <= value < 10**15 and math.isfinite(value)):
        raise fail("t", f"{shown(str(value))} is no time", "seconds, not below 0")
    return float(value)


def _time_text(text: str, fail: Fail) -> tuple[tuple[float, float] | None, Unit | None]:
    try:
        prefix = split_prefix("@" + text)
    except NotationError as error:
        message = error.message.replace("`@", "`", 1)  # the mark is the other notation's
        raise fail("t", message, TIME_HINT if "@" in error.hint else error.hint) from None
    if prefix.start != len(text) + 1:
        raise fail("t", f"{shown(text)} is no time", TIME_HINT)
    return prefix.time, prefix.unit


def _actor(obj: Mapping[str, object], fail: Fail) -> int:
    actor = obj.get(PLAYER)
    if not isinstance(actor, str) or actor not in PLAYERS:
        raise fail(PLAYER if PLAYER in obj else "", "a player is needed, A or B")
    return PLAYERS[actor]


def _refused(obj: Mapping[str, object], form: Form, table: Table, fail: Fail) -> str | None:
    given = obj.get("refused")
    if given is None or given is False:
        return None
    if form.observation:
        raise fail("refused", "what was seen cannot be refused")
    if given is True:
        return ""
    if isinstance(given, str) and given in table.reasons:
        return given
    raise fail("refused", f"{shown(json.dumps(given))} is no reason", f"reasons: {', '.join(table.reasons)}; or true")


def _unfit(obj: Mapping[str, object], forms: Sequence[JsonForm], fail: Fail, spans: LazySpans) -> NotationError:
    shared = (*SHARED_KEYS, PLAYER) if forms[0].form.has_actor else SHARED_KEYS
    allowed = {key for form in forms for key in form.keys} | {*shared, PLAYER}
    for key in obj:
        if key not in allowed and not key.startswith(IGNORED):
            closest = max(forms, key=lambda form: len(form.keys & obj.keys()))
            own = [part for part in closest.keys.values() if isinstance(part, Argument)]
            return NotationError(f"{shown(key)}: no such key", *spans.key(key), no_key(key, obj, own, shared))
    for form in forms:
        for key, part in form.keys.items():
            if isinstance(part, Argument) and key in obj and obj[key] is None and form.keys.keys() <= obj.keys():
                return fail(key, f"null is not {form.meaning(part)}", in_place_of_null(part))
    names = ", ".join(forms[0].keys) or "no keys of its own"
    missing = [key for key in forms[0].keys if key not in obj]
    message = f"{forms[0].form.name} lacks {', '.join(missing)}" if missing else "these keys do not go together"
    return fail("", message, f"{forms[0].form.name} has: {names}")
