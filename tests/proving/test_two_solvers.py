"""What carries a proof of the mission's core is proved by two solvers, Z3 and cvc5, whenever the tests are run.

That is conservation of both games and progress of Spit, each obligation with the invariants that it rests on. All other
properties are put to cvc5 too by `prove --cross-check`; those of the core's command that it needs minutes for, in
`make verify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fairdeal.checker.proving.asking import Asker, Budget
from fairdeal.checker.proving.obligations import Model, Obligation, invariant_obligations, obligations
from fairdeal.spec.language.properties import Invariant, Properties
from fairdeal.spec.queen_city_rum.properties import PROPERTIES as RUM
from fairdeal.spec.spit.properties import PROPERTIES as SPIT


def claims(declared: Properties, name: str) -> list[tuple[str, Obligation]]:
    """What has to be shown for a property itself."""
    model = Model(declared.game, counted=declared.counted)
    found = [obligations(model, part.claim, declared, part.readings) for part in declared[name].parts]
    return [(f"{name} {one.name}", one) for each in found for one in each]


def invariants(declared: Properties, names: Sequence[str]) -> list[tuple[str, Obligation]]:
    """That some invariants hold, which for that need no others."""
    model, chosen = Model(declared.game, counted=declared.counted), {name: declared.invariants[name] for name in names}
    found = invariant_obligations(model, chosen, {}, declared.counting)
    return [(f"{declared.game.name} {one.name}", one) for one in found]


CORE = [
    *claims(SPIT, "S-CONSERVE"),
    *claims(SPIT, "S-PROGRESS"),
    *invariants(SPIT, list(SPIT.invariants)),
    *claims(RUM, "Q-CONSERVE"),
    *invariants(RUM, RUM["Q-CONSERVE"].parts[0].claim.using),  # type: ignore[union-attr]
]


@pytest.mark.parametrize("obligation", [pytest.param(one, id=name) for name, one in CORE])
def test_both_prove_it(obligation: Obligation) -> None:
    asker = Asker(obligation.name, Budget(120, cross_check=True))
    answer = asker.of(obligation.ask)
    assert answer.answer == "proved", answer.broken
    assert answer.agreed == answer.queries


def test_nothing_of_the_core_is_left_out() -> None:
    names = [name for name, _ in CORE]
    for game, claim in ((SPIT, "S-CONSERVE"), (RUM, "Q-CONSERVE")):
        for event in ["start", *(one.name for one in Model(game.game).acts())]:
            assert f"{claim} {event}" in names
            assert f"{game.game.name} invariants {event}" in names
    progress: list[Any] = [part.claim for part in SPIT["S-PROGRESS"].parts if isinstance(part.claim, Invariant)]
    assert len(progress) == sum(name.startswith("S-PROGRESS") for name in names) == 1
    assert set(progress[0].using) == set(SPIT.invariants)
