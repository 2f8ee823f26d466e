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


@dataclass(frozen=True, slots=True)
class Line:
    """A row of zones, after a word that says whose or what they are."""

    label: str
    zones: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A table seen from above: its rows from top to bottom, and the cells that say how far the game is."""

    lines: tuple[Line, ...]
    status: tuple[str, ...] = ()
