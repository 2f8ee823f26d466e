"""What reading a log can find wrong with a line, as one error type that names the place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SHOWN_LENGTH: Final = 40
"""Longest piece of a log that a message quotes, in characters."""


class NotationError(ValueError):
    """A piece of a log that is not in the notation; columns count from 0, the end is exclusive."""

    def __init__(self, message: str, column: int = 0, end_column: int | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.end_column = column + 1 if end_column is None else max(end_column, column + 1)
        self.hint = hint

    def moved(self, columns: int) -> NotationError:
        """The same error for a line in which the piece begins that many columns later."""
        return NotationError(self.message, self.column + columns, self.end_column + columns, self.hint)


class BadValueError(ValueError):
    """A word of the right shape whose value cannot be: its place is known to the caller."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def shown(text: str) -> str:
    """Quote a piece of a log for a message: shortened, and safe to print on any terminal."""
    short = text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"
    safe = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in short)
    return f"`{safe}`"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one, if any does."""
    from difflib import get_close_matches  # slow to import, and seldom needed

    return next(iter(get_close_matches(word[:SHOWN_LENGTH].lower(), list(known), 1)), None)
