"""How a round of Queen City Rum is explored: the events of turns, from the first draw on, and going out."""

from __future__ import annotations

from fairdeal.spec.language import each
from fairdeal.spec.language.exploring import EndClass, Exploration, Explored, Held
from fairdeal.spec.queen_city_rum.ending import meld_points
from fairdeal.spec.queen_city_rum.table import Phase, Player, Table

TABLE = Table()

EXPLORATION = Exploration(
    part="round",
    begins=TABLE.phase == Phase.DRAW,
    events=tuple(map(Explored, ("draw", "take", "meld", "lay", "discard", "turn_over", "reshuffle"))),
    held=Held(
        zone="hand",
        source="deck",
        cells={"phase": Phase.ACT, "round": 1, "turn": Player.A},
        lays="meld",
        worth=meld_points(TABLE, next(each(Player))),
        meaning="the points of the cards laid down",
    ),
    classes={
        "out-a": EndClass("A has gone out (QCR-OUT-1)", TABLE.out[Player.A]),
        "out-b": EndClass("B has gone out (QCR-OUT-1)", TABLE.out[Player.B]),
    },
)
