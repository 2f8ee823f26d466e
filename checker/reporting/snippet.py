"""Lines of a log with the words at fault underlined, cut to fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from fairdeal.checker.reporting.terminal import Cell, Paint, cells, columns, sentence, wrap

ELIDED = "..."
_NARROWEST_LABEL = 24


@dataclass(frozen=True, slots=True)
class Mark:
    """Words of a line to underline; columns count characters from 1, ``end_column`` is exclusive."""

    column: int
    end_column: int
    style: str
    sign: str = "^"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a line that is shown, and how the columns of the log map into it."""

    text: str
    width: int
    _starts: tuple[int, ...]
    _left: int
    _lead: int
    _right: int

    def place(self, column: int, end_column: int) -> tuple[int, int]:
        """Where an underline begins in the window and how long it is, at least 1."""
        start = min(max(self._start(column), self._left), self._right)
        end = min(max(self._start(end_column), start + 1), max(self._right, start + 1))
        return self._lead + start - self._left, end - start

    def holds(self, mark: Mark) -> bool:
        """Whether the first of the words at a mark can be seen."""
        start = self._start(mark.column)
        return self._left <= start and (start < self._right or self._right == self._starts[-1])

    def _start(self, column: int) -> int:
        return self._starts[min(max(column - 1, 0), len(self._starts) - 1)]


def window(source: str, column: int, end_column: int, width: int) -> Window:
    """Cuts a line to ``width`` terminal columns around the words at ``column``; dots stand for the rest."""
    line = cells(source)
    starts = tuple(accumulate((cell.width for cell in line), initial=0))
    whole = starts[-1]
    if whole < width:
        return Window("".join(cell.text for cell in line), whole, starts, 0, 0, whole)
    start, end = (starts[min(max(place - 1, 0), len(line))] for place in (column, end_column))
    room = max(1, width - 2 * len(ELIDED))
    left = start - max(0, room - max(0, end - start)) // 2
    if left <= len(ELIDED):
        return _cut(line, starts, 0, room + len(ELIDED))
    last = whole + 1 - room - len(ELIDED)  # one column stays free for a caret past the end
    if last - len(ELIDED) < left and last <= start:
        return _cut(line, starts, last, room + len(ELIDED))
    return _cut(line, starts, left, room)


def _cut(line: list[Cell], starts: tuple[int, ...], left: int, room: int) -> Window:
    kept = [
        index
        for index, cell in enumerate(line)
        if cell.width and starts[index] >= left and starts[index] + cell.width <= left + room
    ]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    while last < len(line) and not line[last].width:  # marks belong to the letter before them
        last += 1
    lead = ELIDED if first else ""
    tail = ELIDED if last < len(line) else ""
    text = lead + "".join(cell.text for cell in line[first:last]) + tail
    width = len(lead) + starts[last] - starts[first] + len(tail)
    return Window(text, width, starts, starts[first], len(lead), starts[last])


def underlined(number: int, source: str, marks: Sequence[Mark], gutter: int, width: int, paint: Paint) -> list[str]:
    """Renders one line of the log under its number, and below it a row for each mark.

    Where two marks lie too far apart for the terminal, the line is shown again around the second.
    """
    room = width - gutter - 3
    lines: list[str] = []
    shown: Window | None = None
    for mark in marks:
        if shown is None or not shown.holds(mark):
            shown = window(source, mark.column, mark.end_column, room)
            lines.append(f"{paint('gutter', f'{number:>{gutter}} |')} {shown.text}".rstrip())
        lines += _mark(shown, mark, bar(gutter, paint), room, paint)
    return lines


def bar(gutter: int, paint: Paint) -> str:
    """The left edge of a row that is not a line of the log."""
    return paint("gutter", " " * gutter + " |")


def _mark(shown: Window, mark: Mark, edge: str, width: int, paint: Paint) -> list[str]:
    start, length = shown.place(mark.column, mark.end_column)
    row = f"{edge} {' ' * start}{paint(mark.style, mark.sign * length)}"
    words = sentence(mark.label) if mark.label else []
    if not words:
        return [row]
    if start + length + 1 + columns(" ".join(words)) <= width:
        return [f"{row} {paint(mark.style, ' '.join(wrap(words, 10 * width)))}"]
    indent = " " * (start if width - start >= _NARROWEST_LABEL else 0)
    label = wrap(words, width, indent)
    return [row, *(f"{edge} {paint(mark.style, line)}" for line in label)]
