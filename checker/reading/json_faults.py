"""Why a line is no JSON, or an object no event, in words, and what would help."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fairdeal.checker.reading.errors import NotationError, nearest
from fairdeal.checker.reading.forms import Argument
from fairdeal.checker.reading.values import kind

ONE_A_LINE: Final = "one object a line, with nothing around or between them"
TIME_HINT: Final = 'seconds as in 12.345, a span as in [12.1, 12.345], or an instant as in "2026-01-31T20:15:00Z"'
"""How an object gives a time."""

NO_ENTRY: Final = object()
"""No entry of a list is at fault."""

_OTHER_WORDS: Final = {
    "t": ("time", "timestamp", "ts", "at", "when", "seconds", "@"),
    "seq": ("number", "line", "no", "n", "id", "index"),
    "type": ("event", "action", "kind", "verb", "name", "op", "move"),
    "player": ("actor", "who", "by", "side", "seat", "user"),
    "refused": ("reason", "rejected", "accepted", "error"),
}
"""What other programs call the keys that all events have."""
_LITERALS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


def no_json(line: str, error: json.JSONDecodeError) -> NotationError:
    """Say what keeps a line from being JSON, whatever words the parser has for it."""
    at = error.pos
    before, rest = line[:at].rstrip(), line[at:]
    word = re.match(r"\w+|", rest)
    assert word is not None  # the pattern matches anything
    name, end = word.group(), at + max(1, len(word.group()))
    if error.msg.startswith(("Extra data", "Unterminated")):
        said = "the object ends here" if error.msg.startswith("Extra") else "this quote is not closed"
        return _fault(said, at, at + 1, ONE_A_LINE if error.msg.startswith("Extra") else "")
    comma = before.rfind(",") if rest[:1] not in ("}", "]") or not before.endswith(",") else len(before) - 1
    if error.msg.startswith("Illegal trailing comma") or (rest[:1] in ("}", "]") and before.endswith(",")):
        comma = at if line[at : at + 1] == "," else comma
        return _fault("a comma before a closing bracket", comma, comma + 1, "leave the comma out")
    if not rest.strip():
        return _fault("the line ends before the object does", *_last(line), ONE_A_LINE)
    if rest[0] == "'":
        return _fault("JSON takes double quotes", at, at + 1, "write \"…\", not '…'")
    if "property name" in error.msg:
        hint = f"write {json.dumps(name)}" if name else ""
        return _fault("a key in double quotes is due here", at, end, hint)
    if "':'" in error.msg:
        return _fault("a colon is missing before this", at, end)
    if "','" in error.msg:
        return _fault("a comma is missing before this", at, end)
    if error.msg.startswith("Expecting value"):
        hint = f"did you mean {_LITERALS[name]}?" if name in _LITERALS else ""
        quoted = f"write {json.dumps(name)}" if name and not name[0].isdigit() else ""
        return _fault("a value is due here", at, end, hint or quoted)
    return _fault(error.msg[:1].lower() + error.msg[1:].removesuffix(" at"), at, end)


def no_object(line: str, found: object) -> NotationError:
    """Say that a line of JSON is no object, but a list, say."""
    what = "a list" if isinstance(found, list) else "no object"
    return NotationError(f"this JSON is {what}, and an event is an object", 0, len(line), ONE_A_LINE)


def no_key(key: str, obj: Mapping[str, object], own: Sequence[Argument], shared: Iterable[str]) -> str:
    """What may have been meant by a key that the event does not have; never one that is there already.

    ``own`` are the arguments of the event's form that is closest, ``shared`` the keys that any event may have.
    """
    free = {part.key: part for part in own if part.key not in obj}
    for part in free.values():
        if key.casefold() in (part.name, part.key):
            return f"did you mean {part.key}?"
    others = [name for name in shared if name not in obj]
    meant = [name for name in others if key.casefold() in (name, *_OTHER_WORDS.get(name, ()))]
    near = meant[0] if meant else nearest(key, [*free, *others])
    if near is None and len(free) == 1:
        near = next(iter(free))
    keys = ", ".join(dict.fromkeys([*(part.key for part in own), *shared]))
    return f"did you mean {near}?" if near else f"keys: {keys}; keys of your own begin with x-"


def bad_entry(part: Argument, value: object, entry: re.Pattern[str]) -> object:
    """The first entry of an argument's lists that is no card; `NO_ENTRY` where the lists themselves are wrong.

    ``entry`` is what an entry of such a list looks like.
    """
    lists = value if len(part.types) > 1 else [value]
    if not isinstance(lists, list) or len(lists) != len(part.types):
        return NO_ENTRY
    if not all(isinstance(one, list) and kind(each).many for each, one in zip(part.types, lists, strict=True)):
        return NO_ENTRY
    entries = (each for one in lists for each in one)
    wrong = (each for each in entries if not (isinstance(each, str) and each != "-" and entry.fullmatch(each)))
    return next(wrong, NO_ENTRY)


def mended(part: Argument, value: object) -> str:
    """How a value of the wrong JSON type, or in another spelling, is written; empty where nobody can tell."""
    if len(part.types) > 1:
        lists = value if isinstance(value, list) else []
        return f"these are {len(lists)}" if lists and all(isinstance(each, list) for each in lists) else ""
    only = kind(part.types[0])
    if only.number:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value.strip()):
            return f"write it without quotes: {value.strip()}"
        if isinstance(value, float) and value.is_integer() and abs(value) < 10**9:
            return f"write it without a point: {int(value)}"
        return ""
    if only.many and isinstance(value, str):
        return f"write a list: {json.dumps(value.replace(',', ' ').split()[:5], ensure_ascii=False)}"
    if not only.many and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return f"write it without brackets: {json.dumps(value[0], ensure_ascii=False)}"
    if part.types[0] in ("CARD", "CARDS"):
        return _cards(value)
    return ""


def in_place_of_null(part: Argument) -> str:
    """What is written where a program has no value: for a card that is unknown or none, or for no cards at all."""
    only = kind(part.types[0])
    if only.many:
        return "write [] for no cards" if len(part.types) == 1 else "write a list for each, [] for no cards"
    if part.types[0] == "CARD":
        return 'write "??" for a card that is not known, "!!" for an entry that is no card'
    return ""


def _cards(value: object) -> str:
    from fairdeal.checker.reading.explaining import A_CARD, entry_hint, joined  # slow to import, and seldom needed

    words = [word.strip() for word in (value if isinstance(value, list) else [value]) if isinstance(word, str)]
    for word in filter(None, words):
        if cards := joined(word):
            return f"write an entry for each card: {json.dumps(cards[:8])}" if len(cards) > 1 else f"write {cards[0]}"
        if hint := entry_hint(word):
            return hint
    return A_CARD


def _fault(said: str, start: int, end: int, hint: str = "") -> NotationError:
    return NotationError(f"this is no JSON: {said}", start, end, hint)


def _last(line: str) -> tuple[int, int]:
    end = len(line.rstrip())
    return max(end - 1, 0), max(end, 1)
