"""How Spit lies on the table: B's stocks above, the piles between, A's stocks below."""

from __future__ import annotations

from fairdeal.spec.language.board import Board, Count, Line, Shown


def _side(label: str, player: int) -> Line:
    stocks = (Shown(str(slot), "stock", (player, slot), faced="up") for slot in range(1, 6))
    spit = Shown("spit", "spit", (player,), hidden=True)
    between_rounds = Shown("cards", "owned", (player,), hidden=True, optional=True)
    return Line(label, (*stocks, spit, between_rounds), player, (Count("points", "total", (player,)),))


BOARD = Board(
    lines=(
        _side("B", 1),
        Line("", (Shown("pile 1", "pile", (1,)), Shown("pile 2", "pile", (2,)))),
        _side("A", 0),
    ),
    status=("round", "phase"),
)
