"""What is true of the table at any time and that no rule states: proofs rest on it, and it is proved itself."""

from __future__ import annotations

from fairdeal.spec.language import Expr, each, either, listed
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Table

T = Table()

PLAYING = either(T.phase == Phase.DRAW, T.phase == Phase.ACT)


def is_meld(meld: Expr[Meld]) -> Expr[bool]:
    """Whether what lies at a place for a meld is a set or a run, or nothing."""
    return T.meld[meld].empty | listed(T.meld[meld].cards, (*SETS, *RUNS))


INVARIANTS: dict[str, Expr[bool]] = {
    "nothing is set aside": T.aside.empty,
    **{f"meld {number} is a set or a run": is_meld(meld) for number, meld in enumerate(each(Meld), 1)},
}
"""By name. Each is assumed of a table by the proofs that name it, and shown to survive every event."""
