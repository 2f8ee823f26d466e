"""How Spit lies on the table: B's stocks above, the piles between, A's stocks below."""

from __future__ import annotations

from fairdeal.spec.language.board import Board, Line, Shown


def _side(label: str, player: int) -> Line:
    stocks = (Shown(str(slot), "stock", (player, slot), faced="up") for slot in range(1, 6))
    return Line(label, (*stocks, Shown("spit", "spit", (player,), hidden=True)))


BOARD = Board(
    lines=(
        _side("B", 1),
        Line("", (Shown("pile 1", "pile", (1,)), Shown("pile 2", "pile", (2,)))),
        _side("A", 0),
    ),
    status=("round", "phase"),
)
