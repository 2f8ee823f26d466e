"""What kind of line a line is: told by its first characters, before anybody parses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from fairdeal.checker.reading.errors import NotationError, shown
from fairdeal.checker.reading.values import PLAYERS

HEADER_KEYS: Final = ("gamelog", "game", "rules", "options", "players", "id", "date", "source")
"""The keys that a header's line may have, but for those of one's own; no event of any game begins with one."""
_HEADER: Final = re.compile(r"[ \t]*([^\W\d][\w.-]*)[ \t]*:")
_LIST: Final = re.compile(r"[ \t]*\[[ \t]*(?:[\[{\"]|$)")
"""A list in JSON, which is refused as JSON that is no object; other brackets may begin chatter such as ``[debug]``."""
_NO_COLON: Final = re.compile(rf"[ \t]*({'|'.join(HEADER_KEYS)})(?:[ \t]*[=\uFF1A]|[ \t]+(?=[^ \t#]))", re.IGNORECASE)


class Kind(Enum):
    """Kinds of lines."""

    BLANK = "blank"
    """Nothing, or nothing but a comment."""
    HEADER = "header"
    """``key: value``; the key need not be a known one, and after a known one the colon may be missing."""
    JSON = "json"
    """An object: a header if it has the key ``gamelog``, else an event; or a list, which is neither."""
    EVENT = "event"
    """Anything else."""
    UNREADABLE = "unreadable"
    """No text at all; the line is a ``source.Unreadable``, which says why."""


def classify(line: str) -> Kind:
    """Tell what kind of line this is."""
    first = line.lstrip(" \t")[:1]
    if first in ("", "#"):
        return Kind.BLANK
    if first == "{" or (first == "[" and _LIST.match(line)):
        return Kind.JSON
    if first == "\0":
        return Kind.UNREADABLE
    return Kind.HEADER if _HEADER.match(line) or _NO_COLON.match(line) else Kind.EVENT


def header_key(line: str) -> str | None:
    """The key of a header line; ``None`` for any other line."""
    match = _HEADER.match(line) or _NO_COLON.match(line)
    return match[1] if match else None


def without_colon(line: str) -> tuple[str, int, int] | None:
    """Key, start and end of what stands in place of the colon, in a header line whose colon is missing."""
    match = None if _HEADER.match(line) else _NO_COLON.match(line)
    return (match[1].lower(), match.end(1), match.end()) if match else None


def colon_after_player(line: str, names: Sequence[str]) -> NotationError | None:
    """What is wrong with an event such as ``A: play 5H from 1 on 2``; ``names`` are the players' own, A first."""
    match = _HEADER.match(line)
    said = match[1].casefold() if match else ""
    letters = [*PLAYERS, *(letter for letter, _ in zip(PLAYERS, names, strict=False))]
    for letter, name in zip(letters, [*PLAYERS, *names], strict=False):
        if match is not None and said == name.casefold():
            whose = f"{letter} is {name}: " if name not in PLAYERS else ""
            meant = shown(f"{letter} {line[match.end() :].strip()}")
            return NotationError(
                "no colon stands after the player", match.start(1), match.end(), f"{whose}did you mean {meant}?"
            )
    return None


def begins_game(line: str) -> bool:
    """Whether a header line begins a new game."""
    return header_key(line) == "gamelog"
