"""How Queen City Rum lies on the table: B's hand above, piles and melds between, A's hand below."""

from __future__ import annotations

from fairdeal.spec.language.board import Board, Line, Shown
from fairdeal.spec.queen_city_rum.table import Meld

BOARD = Board(
    lines=(
        Line("B", (Shown("hand", "hand", (1,)),)),
        Line("", (Shown("discard", "discard"), Shown("draw pile", "stock", hidden=True))),
        *(Line("", (Shown(f"m{number}", "meld", (number,), optional=True),)) for number in range(1, Meld.high + 1)),
        Line("A", (Shown("hand", "hand", (0,)),)),
    ),
    status=("round", "phase", "turn"),
)
