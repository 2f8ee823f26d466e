"""What kind of line a line is: told by its first characters, before anybody parses it."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

_HEADER: Final = re.compile(r"[ \t]*([^\W\d][\w.-]*)[ \t]*:")


class Kind(Enum):
    """Kinds of lines."""

    BLANK = "blank"
    """Nothing, or nothing but a comment."""
    HEADER = "header"
    """``key: value``; the key need not be a known one."""
    JSON = "json"
    """An object: a header if it has the key ``gamelog``, else an event."""
    EVENT = "event"
    """Anything else."""
    UNREADABLE = "unreadable"
    """No text at all; the line is a ``source.Unreadable``, which says why."""


def classify(line: str) -> Kind:
    """Tell what kind of line this is."""
    first = line.lstrip(" \t")[:1]
    if first in ("", "#"):
        return Kind.BLANK
    if first in ("{", "["):  # a list is none, which is said as of any JSON that is no object
        return Kind.JSON
    if first == "\0":
        return Kind.UNREADABLE
    return Kind.HEADER if _HEADER.match(line) else Kind.EVENT


def header_key(line: str) -> str | None:
    """The key of a header line; ``None`` for any other line."""
    match = _HEADER.match(line)
    return match[1] if match else None


def begins_game(line: str) -> bool:
    """Whether a header line begins a new game."""
    return header_key(line) == "gamelog"
