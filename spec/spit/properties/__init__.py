"""The properties of Spit: what is proved, refuted or computed of its rules, and under which readings."""

from __future__ import annotations

from fairdeal.spec.language.properties import Properties
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import CAN_GO_ON, GOALS
from fairdeal.spec.spit.invariants import INVARIANTS
from fairdeal.spec.spit.properties import progress, safety, scoring, termination, winning

PROPERTIES = Properties(
    SPIT,
    INVARIANTS,
    (
        safety.CONSERVE,
        safety.FIVE,
        safety.ADJACENT,
        safety.RACE,
        termination.TERMINATES,
        termination.SOONER,
        termination.BOUNDS,
        progress.PROGRESS,
        progress.END2,
        progress.STUCK_AT_START,
        progress.PLAYLESS,
        progress.HELPLESS,
        winning.FIRST_ROUND,
        winning.FEWEST,
        winning.FIFTEEN,
        safety.ONE_SHORT,
        winning.FOREVER,
        scoring.MAX_SCORE,
        safety.ONE_FINISHES,
        progress.STUCK_STABLE,
        winning.ONE_PILE_END,
    ),
    GOALS,
    CAN_GO_ON,
    counting=("deal",),
)
"""Everything that is claimed of Spit, in the order in which `prove` answers it."""
