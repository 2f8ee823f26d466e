"""The game of Spit: its name, options and rule sets; the other modules of this package add its events."""

from __future__ import annotations

from fairdeal.spec.language import Game, RuleSet
from fairdeal.spec.spit.board import BOARD
from fairdeal.spec.spit.table import Readings, Table

SPIT = Game(
    name="spit",
    title="Spit",
    table=Table,
    options=Readings.declared(),
    rule_sets={
        "standard": RuleSet("standard", {}, "The game is won by getting rid of all cards (SPIT-WIN-1 to 4)."),
        "scored": RuleSet("scored", {"variant": "scored"}, "Rounds are scored; 100 points end it (SPIT-VAR-1 to 3)."),
        "literal": RuleSet(
            "literal",
            {"lone_spit": "literal", "fifteen": "none", "blocked": "piles", "slot_reason": "played"},
            "The text as it stands, with its repairs taken back, so that its holes can be shown.",
        ),
    },
    board=BOARD,
    entry="round",
    one_deck="SPIT-EQUIP-2",
    reasons={
        "SPIT-PLAY-5": "rank",
        "SPIT-PLAY-6": "rank",
        "GAP-SPIT-1": "rank",
        "SPIT-FLIP-1": "facedown",
        "SPIT-MOVE-1": "facedown",
    },
    final=frozenset({"win", "tie"}),
    idle=frozenset({"call"}),
    same_instant="same_instant",
    overlap="SPIT-PLAY-2",
)
