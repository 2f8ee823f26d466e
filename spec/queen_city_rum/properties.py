"""The properties of Queen City Rum: what is proved, refuted or computed of its rules, and under which readings."""

from __future__ import annotations

from fairdeal.spec.language import all_of
from fairdeal.spec.language.properties import Conserved, Invariant, Part, Properties, Property
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.invariants import INVARIANTS, T, is_meld
from fairdeal.spec.queen_city_rum.table import Meld

PROPERTIES = Properties(
    RUM,
    INVARIANTS,
    (
        Property(
            "Q-CONSERVE",
            "The 52 cards are always partitioned over draw pile, discard pile, hands and melds.",
            (Part(Conserved(using=("nothing is set aside",))),),
        ),
        Property(
            "Q-MELDS",
            "Every meld on the table is a set or a run at all times; none goes round the corner.",
            (
                Part(
                    Invariant(
                        all_of(Meld, is_meld),
                        using=tuple(name for name in INVARIANTS if name.startswith("meld ")),
                        premise=~T.meld[1].empty,
                    ),
                    note="no set or run of the table holds an ace twice: a set of cards holds each card once",
                ),
            ),
        ),
    ),
)
"""Everything that is claimed of Queen City Rum."""
