"""Boards: how a game's zones lie on the table, for whoever draws it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """One zone on the table: what it is called there, which zone it is, and which cell says that its top is face up.

    ``faced`` is empty where the top is always face up; ``hidden`` zones show their size alone, and ``optional`` ones
    are left out while they are empty.
    """

    label: str
    zone: str
    index: tuple[int, ...] = ()
    faced: str = ""
    hidden: bool = False
    optional: bool = False
    joined: str = ""
    """A further zone that lies in the same place: cards whose order is not known."""
    sequence: bool = False
    """The cards of a bag lie in the order of their ranks, an ace beside the card that it joins."""
    owner: str = ""
    """The cell with the zone's index that says whose it is."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number that stands beside a player's name, such as points."""

    label: str
    cell: str
    index: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A row of zones, after a word that says whose or what they are."""

    label: str
    zones: tuple[Shown, ...]
    player: int | None = None
    """Whose row it is: 0 for A, 1 for B."""
    counts: tuple[Count, ...] = ()
    """Left out while they are zero."""


@dataclass(frozen=True, slots=True)
class Instead:
    """What a board says of a cell where a condition that the game defines holds: a word, or nothing at all."""

    condition: str
    cell: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A table seen from above: its rows from top to bottom, and the cells that say how far the game is."""

    lines: tuple[Line, ...]
    status: tuple[str, ...] = ()
    turn: str = ""
    """The cell that says whose turn it is, if players take turns."""
    instead: tuple[Instead, ...] = ()
    """Where a cell keeps what counts no longer, such as whose turn it was; of each cell's, the first that holds."""
