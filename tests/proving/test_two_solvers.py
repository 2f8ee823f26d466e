"""Conservation and progress of Spit are proved by two solvers, Z3 and cvc5, with the invariants that they rest on.

That is asked obligation by obligation, so that the tests share the time; rum's is in `test_rum_cross_check.py`. All
other properties of the core are put to cvc5 in `make verify`.
"""

from __future__ import annotations

from typing import Any

import pytest

from fairdeal.checker.proving.asking import Asker, Budget, Obligation
from fairdeal.checker.proving.obligations import invariant_obligations, obligations
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.language.properties import Invariant
from fairdeal.spec.spit.properties import PROPERTIES as SPIT


def claims(name: str) -> list[tuple[str, Obligation]]:
    """What has to be shown for a property itself."""
    found = [obligations(Model(SPIT.game), part.claim, SPIT, part.readings) for part in SPIT[name].parts]
    return [(f"{name} {one.name}", one) for each in found for one in each]


def invariants() -> list[tuple[str, Obligation]]:
    """That all invariants hold together."""
    found = invariant_obligations(Model(SPIT.game), SPIT.invariants, {}, SPIT.counting)
    return [(one.name, one) for one in found]


CORE = [*claims("S-CONSERVE"), *claims("S-PROGRESS"), *invariants()]


@pytest.mark.parametrize("obligation", [pytest.param(one, id=name) for name, one in CORE])
def test_both_prove_it(obligation: Obligation) -> None:
    asker = Asker(obligation.name, Budget(120, cross_check=True))
    answer = asker.of(obligation.ask)
    assert answer.answer == "proved", answer.broken
    assert answer.agreed == answer.queries


def test_nothing_of_the_core_is_left_out() -> None:
    names = [name for name, _ in CORE]
    for event in ["start", *(one.name for one in Model(SPIT.game).acts())]:
        assert f"S-CONSERVE {event}" in names
        assert f"invariants {event}" in names
    progress: list[Any] = [part.claim for part in SPIT["S-PROGRESS"].parts if isinstance(part.claim, Invariant)]
    assert len(progress) == sum(name.startswith("S-PROGRESS") for name in names) == 1
    assert set(progress[0].using) == set(SPIT.invariants)
