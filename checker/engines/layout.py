"""Layout: where each cell and zone of a table stands in the flat list that engines share as state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from fairdeal.spec.language.game import Game
from fairdeal.spec.language.state import Variable

DECK = (1 << 52) - 1
"""Mask of all 52 cards."""

State = list[Any]
"""A table: integers for cells, masks for bags, lists of card codes (bottom to top) for stacks and heaps.

A cell is ``None`` where cards that nobody recorded leave its value open.
"""


class Layout:
    """The positions of a game's variables, and how its table looks before anything has happened."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.variables: dict[str, Variable] = {variable.name: variable for variable in game.variables}
        self.position: dict[tuple[str, tuple[int, ...]], int] = {}
        for variable in game.variables:
            for place in variable.places:
                self.position[variable.name, place] = len(self.position)

    def initial(self) -> State:
        """A fresh table."""
        return copy(self._fresh)

    @cached_property
    def _fresh(self) -> State:
        state: State = []
        for name, _ in self.position:
            variable = self.variables[name]
            if variable.kind in ("stack", "heap"):
                state.append([])
            elif variable.kind == "bag":
                state.append(DECK if variable.full else 0)
            else:
                state.append(variable.initial)
        return state

    @cache  # noqa: B019  (layouts live as long as their games)
    def numbered(self, name: str) -> Mapping[int, int]:
        """The positions of a variable with one index, by that index."""
        return {index[0]: at for (one, index), at in self.position.items() if one == name and index}

    def zones(self) -> list[tuple[str, tuple[int, ...], int]]:
        """Every zone: name, index, position."""
        return [(*key, at) for key, at in self.position.items() if self.variables[key[0]].kind != "cell"]


def copy(state: State) -> State:
    """An independent copy of a table."""
    return [list(part) if isinstance(part, list) else part for part in state]


class NotSupported(Exception):  # noqa: N818 - it says what it is
    """Something that the rules record and that a back end cannot do; the message names it."""
