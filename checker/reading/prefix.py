"""The number and the time at the head of a line: ``17 @12.100-12.345 A play ...``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from fairdeal import grammar
from fairdeal.checker.reading.errors import NotationError, shown
from fairdeal.checker.reading.tables import table

Unit: TypeAlias = Literal["seconds", "instant", "local instant"]

SEQ_DIGITS: Final = 18
"""Most digits of a line's number: what every program's whole numbers can hold."""
SECONDS_DIGITS: Final = 15
"""Most digits before the point of a time in seconds."""
_TIME_HINT: Final = "seconds as in @12.345, a span as in @12.100-12.345, or an instant as in @2026-01-31T20:15:00Z"


@dataclass(frozen=True, slots=True)
class Prefix:
    """A line's number and time, and where the event begins."""

    seq: int | None = None
    time: tuple[float, float] | None = None
    """Start and end, the same but for spans; instants count seconds from 1970, local ones as if they were UTC."""
    unit: Unit | None = None
    start: int = 0
    """Column, from 0, at which the event begins."""


@cache
def _pattern() -> re.Pattern[str]:
    terminals = table(grammar.COMMON).terminals
    space = f"(?:{terminals['WS']})"
    number, time = terminals["SEQ"], terminals["TIME"]
    return re.compile(f"{space}?(?:({number}){space}?)?(?:({time}){space}?)?")


def split_prefix(text: str) -> Prefix:
    """Split the number and the time off a line; what is neither a number nor a time is left to the event.

    Raises:
        NotationError: what begins as a number or a time is none.
    """
    match = _pattern().match(text)
    assert match is not None  # each part of it is optional
    number, time = match.groups()
    start = match.end()
    seq = None if number is None else read_seq(number, match.start(1))
    if time is not None:
        return Prefix(seq, *read_time(time, match.start(2)), start)
    if text.startswith("@", start) or (number is None and text[start : start + 1].isdecimal()):
        raise _not_a_prefix(text, start)
    return Prefix(seq, None, None, start)


def read_seq(digits: str, column: int = 0) -> int:
    """The number of a line.

    Raises:
        NotationError: it has more digits than any line needs.
    """
    if len(digits) > SEQ_DIGITS:
        message = f"{shown(digits)} has more than {SEQ_DIGITS} digits: no line has such a number"
        raise NotationError(message, column, column + len(digits))
    return int(digits)


def read_time(text: str, column: int = 0) -> tuple[tuple[float, float], Unit]:
    """A time as it stands in a log, ``@`` and all: start, end and unit.

    Raises:
        NotationError: it is no time, or the ends of the span cannot be compared.
    """
    instants = "T" in text
    first, mark, last = text[1:].partition("/" if instants else "-")
    if not instants:
        start = _seconds(first, column + 1)
        return (start, _seconds(last, column + 2 + len(first)) if mark else start), "seconds"
    start, unit = _instant(first, column + 1)
    if not mark:
        return (start, start), unit
    end, end_unit = _instant(last, column + 2 + len(first))
    if end_unit != unit:
        message = "one end of this span has an offset from UTC and the other has none"
        raise NotationError(message, column, column + len(text), "give both an offset, or neither")
    return (start, end), unit


def write_time(time: tuple[float, float], unit: Unit = "seconds") -> str:
    """A time as a log writes it, without the ``@``; a span where start and end differ."""
    write = _write_seconds if unit == "seconds" else _write_instant
    mark = "-" if unit == "seconds" else "/"
    offset = "Z" if unit == "instant" else ""
    return mark.join(write(each) + offset for each in (time if time[0] != time[1] else time[:1]))


def _seconds(text: str, column: int) -> float:
    if len(text.partition(".")[0]) > SECONDS_DIGITS:
        raise NotationError(f"{shown(text)} seconds is too long a time", column, column + len(text), _TIME_HINT)
    return float(text)


def _instant(text: str, column: int) -> tuple[float, Unit]:
    from datetime import UTC, datetime  # most logs count seconds

    try:
        instant = datetime.fromisoformat(_six_digits(text))
        unit: Unit = "local instant" if instant.tzinfo is None else "instant"
        instant = instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant
        return (instant - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds(), unit
    except (ValueError, OverflowError):
        message = f"{shown(text)} is no date and time of day"
        raise NotationError(message, column, column + len(text), _TIME_HINT) from None


def _six_digits(text: str) -> str:
    """Cut a fraction of a second to what ``datetime`` reads on every Python."""
    return re.sub(r"(\.[0-9]{6})[0-9]+", r"\1", text)


def _write_seconds(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").ljust(len(f"{int(seconds)}") + 4, "0")


def _write_instant(seconds: float) -> str:
    from datetime import UTC, datetime

    instant = datetime.fromtimestamp(round(seconds, 6), UTC).replace(tzinfo=None)
    return instant.isoformat(timespec="microseconds" if instant.microsecond else "seconds")


def _not_a_prefix(text: str, start: int) -> NotationError:
    word = re.split(r"[ \t]", text[start:], maxsplit=1)[0]
    end = start + len(word)
    if not word.startswith("@"):
        return NotationError(f"{shown(word)} is no line number", start, end, "a whole number, or none at all")
    hint = _TIME_HINT
    if "," in word:
        hint = f"a decimal point, not a comma: {shown(word.replace(',', '.'))}"
    elif word == "@":
        hint = f"no space after the @: {hint}"
    return NotationError(f"{shown(word)} is no time", start, end, hint)
