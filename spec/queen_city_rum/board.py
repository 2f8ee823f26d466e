"""How Queen City Rum lies on the table: B's hand above, piles and melds between, A's hand below."""

from __future__ import annotations

from fairdeal.spec.language.board import Board, Count, Instead, Line, Shown
from fairdeal.spec.queen_city_rum.table import Meld


def _side(label: str, player: int) -> Line:
    return Line(label, (Shown("hand", "hand", (player,)),), player, (Count("points", "total", (player,)),))


def _meld(number: int) -> Line:
    return Line("", (Shown(f"m{number}", "meld", (number,), optional=True, sequence=True, owner="owner"),))


BOARD = Board(
    lines=(
        _side("B", 1),
        Line("", (Shown("draw pile", "stock", hidden=True, joined="pool"), Shown("discard", "discard"))),
        *(_meld(number) for number in range(1, Meld.high + 1)),
        _side("A", 0),
    ),
    status=("round", "phase", "turn"),
    turn="turn",
    instead=(
        Instead("complete", "phase", "over"),
        Instead("ended", "phase", "round over"),
        Instead("ended", "turn"),
    ),
)
