"""Memory: the lines of a game that are kept, to look back at and to judge again under other readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

KEPT_LINES = 200_000
"""Lines of a game that are kept, to look back at and to judge again under other readings."""

KEPT_CHARACTERS = 16_000_000
"""Characters of those lines."""


@dataclass(slots=True)
class Memory:
    """The lines of a game so far, in pieces of the blocks that they came in."""

    first: int
    pieces: list[tuple[Sequence[str], int, int]] = field(default_factory=list)
    count: int = 0
    size: int = 0
    complete: bool = True

    def keep(self, lines: Sequence[str], start: int, stop: int) -> None:
        """Remember lines[start:stop], as long as there is room."""
        if not self.complete or stop <= start:
            return
        self.size += len("".join(lines[start:stop]))
        if self.count + stop - start > KEPT_LINES or self.size > KEPT_CHARACTERS:
            self.complete = False
            return
        self.pieces.append((lines, start, stop))
        self.count += stop - start

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every remembered line with its number in the log."""
        number = self.first
        for lines, start, stop in self.pieces:
            for at in range(start, stop):
                yield number, lines[at]
                number += 1

    def before(self, number: int) -> Iterator[tuple[int, str]]:
        """The remembered lines before a line, nearest first."""
        top = self.first + self.count
        for lines, start, stop in reversed(self.pieces):
            for at in range(stop - 1, start - 1, -1):
                top -= 1
                if top < number:
                    yield top, lines[at]
