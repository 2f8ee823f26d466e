"""How long proofs may take: each query, each obligation, and what properties share; and what is said where that ends."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import z3

from fairdeal.checker.proving import asking
from fairdeal.checker.proving.asking import PATIENCE, Answer, Asker, Budget
from fairdeal.checker.proving.foundation import is_proved
from fairdeal.checker.proving.obligations import Model
from fairdeal.checker.proving.prover import Prover
from fairdeal.spec.games import properties_of

RUM = properties_of("queen-city-rum")


def test_an_obligation_that_has_had_its_time_asks_nothing_more() -> None:
    x, asker = z3.Bool("x"), Asker("some", Budget(2))
    asker.clock -= PATIENCE * 2 - 1
    assert asker.prove([x], {"x": x}).answer == "proved"
    asker.clock -= 1
    assert asker.prove([x], {"x": x}).answer == "unknown"
    assert asker.queries == 1


def test_what_is_not_found_out_in_time_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two orders are compared where both events can be lawful: a solver that gives up must not leave a pair out."""
    monkeypatch.setattr(asking, "solver", lambda *_: SimpleNamespace(check=lambda: z3.unknown))
    assert Asker("some", Budget(1)).satisfiable([])


@pytest.mark.parametrize("jobs", [1, 2])
def test_of_a_shared_proof_that_is_broken_off_no_more_is_asked(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(Asker, "_ask", lambda *_: Answer("unknown", ("some reason",)))
    wanted = replace(RUM["Q-ELEVEN"], parts=RUM["Q-ELEVEN"].parts[-1:])
    prover = Prover(Model(RUM.game, counted=RUM.counted), RUM, Budget(5), jobs)
    (result,) = prover.answer([wanted])
    assert result.status == "unknown"
    assert not prover.foundation.holds
    assert prover.foundation.finished == prover.foundation.obligations
    broken_off = [sum(not is_proved(one) for one in every) for every in prover.foundation.done.values()]
    assert 1 <= max(broken_off) <= jobs
