"""Being stuck in Spit: whether a game can always go on, and how it is where nobody can play."""

from __future__ import annotations

from collections.abc import Mapping

from fairdeal.spec.language import Expr, implies
from fairdeal.spec.language.properties import Computed, Invariant, Part, Property, Steps, after, found
from fairdeal.spec.spit.chances import nobody_can_play, told
from fairdeal.spec.spit.conditions import IN_PLAY, T, piles_in_play
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import CAN_GO_ON, GOAL
from fairdeal.spec.spit.invariants import INVARIANTS
from fairdeal.spec.spit.play import CAN_PLAY, CAN_UNCOVER
from fairdeal.spec.spit.table import Phase

REPAIRED = {
    "lone_spit": ("alone", "end_round"),
    "fifteen": ("single",),
    "blocked": ("cards",),
}
"""Every reading of both games but those that take a repair of the text back."""


def chance(on_piles: int) -> Computed:
    """The exact probability that none of ten tops can be played on so many cards."""

    def compute(options: Mapping[str, int]) -> str:
        return told(nobody_can_play(options, on_piles))

    return Computed(compute, "counting the ranks of all deals, in fractions")


def aces(claim: Computed, title: str) -> tuple[Part, ...]:
    """The same figure for every reading of the ace."""
    return tuple(
        Part(claim, f"{title}, ace={ace}", {"ace": (ace,)}, "computed") for ace in ("cycle", "literal", "linear")
    )


def still_stuck(condition: Expr[bool], title: str) -> Part:
    """Where nobody can play, turn up or uncover a card, a condition holds after every event but a spit."""
    dead = IN_PLAY & ~CAN_PLAY & ~CAN_UNCOVER
    claim = Steps(
        implies(dead, after((T.phase != Phase.PLAY) | condition)),
        events=tuple(name for name in SPIT.events if name != "spit"),
        using=("face up means a card", "a slot with cards was not emptied"),
        premise=dead,
    )
    return Part(claim, title, {"stuck": ("exhaustive",)})


PROGRESS = Property(
    "S-PROGRESS",
    "Every reachable table has an event that the rules enable, or the game is over.",
    (
        Part(
            Invariant(CAN_GO_ON, using=tuple(INVARIANTS), premise=IN_PLAY, counting=True),
            "something can always happen with the text repaired",
            REPAIRED,
            note="it holds whatever all other options are, in the standard game and the scored one",
        ),
        found(GOAL["deadlock"], "something can always happen literally, with exactly 15 cards", status="refuted"),
        found(
            GOAL["deadlock-lone-spit"],
            "something can always happen literally, with one player without spit cards",
            status="refuted",
            whole=False,
        ),
        found(GOAL["deadlock-piles"], "something can always happen literally (“their spit piles”)", status="refuted"),
    ),
)

END2 = Property(
    "S-END2",
    "The end-of-round clause read literally (“their spit piles”) can never hold during play: no pile is empty.",
    (
        Part(
            Invariant(
                implies(IN_PLAY, piles_in_play()),
                using=(
                    "who owes a half of a spit",
                    "who has won has ended a round",
                    "no pile before the first spit",
                    "piles while a round is started",
                    "piles while a round is in play",
                ),
                premise=IN_PLAY,
            )
        ),
    ),
)

STUCK_AT_START = Property(
    "S-STUCK-AT-START",
    "The exact probability that nobody can play right after the first spit.",
    (
        *aces(chance(2), "the probability with two piles"),
        *aces(chance(1), "the probability with one pile and ten tops"),
    ),
)

PLAYLESS = Property(
    "S-PLAYLESS",
    "A round without one play: whether there is one, and its probability with respit=own.",
    (
        found(GOAL["playless"], "a round without one play can happen"),
        *aces(chance(22), "the probability of one in the first round, respit=own"),
    ),
)

HELPLESS = Property(
    "S-HELPLESS",
    "A player can lose a round, and a whole game, without ever having had a legal play.",
    (
        found(GOAL["helpless"], "a player can lose a round so"),
        found(GOAL["helpless-game"], "a player can lose a whole game so"),
    ),
)

STUCK_STABLE = Property(
    "S-STUCK-STABLE",
    "Once stuck, nothing but a spit makes a play possible.",
    (
        still_stuck(~CAN_PLAY, "nobody can play after an event that is no spit"),
        still_stuck(~CAN_UNCOVER, "nobody can turn up or uncover a card then either, so that it stays so"),
    ),
)
