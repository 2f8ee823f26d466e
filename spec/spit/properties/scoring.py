"""The scored game of Spit: the most points that a round can give."""

from __future__ import annotations

from fairdeal.spec.language import implies
from fairdeal.spec.language.properties import Invariant, Part, Property, found
from fairdeal.spec.spit.conditions import OPTION, T, of_both
from fairdeal.spec.spit.ending import is_ended, round_points
from fairdeal.spec.spit.goals import GOAL
from fairdeal.spec.spit.invariants import INVARIANTS
from fairdeal.spec.spit.table import Phase, is_settled, scored


def points_at_most(title: str, points: int, **readings: str) -> Part:
    """In the scored game nobody has more points than that for a round, counted as the readings say."""
    known = (OPTION.left != "owned") | is_settled(T)
    most = of_both(lambda player: round_points(T, player) <= points)
    claim = Invariant(
        implies(scored() & is_ended(T) & known, most),
        using=tuple(INVARIANTS),
        premise=T.phase == Phase.SLAP,
        counting=True,
    )
    return Part(claim, title, {"variant": ("scored",), **{name: (value,) for name, value in readings.items()}})


MAX_SCORE = Property(
    "S-MAX-SCORE",
    "The most points in one round, for each reading of `left`.",
    (
        points_at_most("left=unplayed: nobody has more than 25 points", 25, left="unplayed", variant_deal="fresh"),
        found(GOAL["most-points"], "left=unplayed: a player can have 25 points"),
        points_at_most(
            "left=unplayed, cards carried: nobody has more than 50 points",
            50,
            left="unplayed",
            variant_deal="carry",
        ),
        found(GOAL["most-points-carried"], "left=unplayed, cards carried: a player can have 50 points", whole=False),
        points_at_most("left=stock: nobody has more than 15 points", 15, left="stock"),
        found(GOAL["most-stock"], "left=stock: a player can have 15 points"),
        points_at_most("left=owned: nobody has more than 51 points", 51, left="owned", variant_deal="fresh"),
        found(
            GOAL["most-owned"],
            "left=owned: a player can have 51 points",
            note="not 52: who finishes owns one pile at least",
        ),
        points_at_most(
            "left=owned, cards carried: nobody has more than 52 points", 52, left="owned", variant_deal="carry"
        ),
        found(GOAL["most-owned-carried"], "left=owned, cards carried: a player can have 52 points", whole=False),
    ),
)
