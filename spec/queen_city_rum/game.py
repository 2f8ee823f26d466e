"""The game of Queen City Rum: its name, options and rule sets; the other modules of this package add its events."""

from __future__ import annotations

from fairdeal.spec.language import Game, RuleSet
from fairdeal.spec.queen_city_rum.board import BOARD
from fairdeal.spec.queen_city_rum.table import Readings, Table

RUM = Game(
    name="queen-city-rum",
    title="Queen City Rum",
    table=Table,
    options=Readings.declared(),
    rule_sets={"standard": RuleSet("standard", {}, "Rounds are scored until a player reaches 101 (QCR-END-1).")},
    board=BOARD,
    entry="round",
    one_deck="QCR-EQUIP-1",
    final=frozenset({"win", "tie"}),
    labelled="meld",
    goal="out",
    reasons={
        "QCR-MELD-1": "rank",
        "QCR-MELD-2": "rank",
        "QCR-MELD-3": "rank",
        "QCR-LAY-1": "rank",
        "QCR-TURN-1": "turn",
        "QCR-TURN-2": "turn",
    },
)
