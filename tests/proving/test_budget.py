"""How long proofs may take: each query, each obligation, and what properties share; and what is said where that ends."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import z3
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.proving import asking
from fairdeal.checker.proving.asking import PATIENCE, Answer, Asker, Budget
from fairdeal.checker.proving.foundation import is_proved
from fairdeal.checker.proving.obligations import invariant_obligations, obligations
from fairdeal.checker.proving.prover import Prover
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.games import MODULES, properties_of

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


def test_what_is_left_open_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the solver has no time for is told in words, beside what is declared, and not by the query's label."""

    slow = SimpleNamespace(check=lambda: z3.unknown, reason_unknown=lambda: "timeout", add=lambda *_: None)
    monkeypatch.setattr(asking, "solver", lambda *_: slow)
    done = CliRunner().invoke(cli, ["prove", "queen-city-rum", "Q-EXHAUST"])
    said = " ".join(done.output.split())
    assert done.exit_code == 1
    assert "declared: proved; the solver ran out of time on whether it holds of every `draw`" in said
    assert "timeout" not in said


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("canceled", "the solver ran out of time"),
        ("max. memory exceeded", "the solver ran out of memory"),
        ("incomplete", "the solver gave up (incomplete)"),
    ],
)
def test_reasons_are_words(reason: str, words: str) -> None:
    assert asking.gave_up(reason) == words


@pytest.mark.parametrize("game", list(MODULES))
def test_every_obligation_says_what_it_is_about(game: str) -> None:
    declared = properties_of(game)
    claims = [part for one in declared.properties for part in one.parts]
    found = [one for part in claims for one in obligations(Model(declared.game), part.claim, declared, part.readings)]
    found += invariant_obligations(Model(declared.game), declared.invariants, {})
    assert len(found) > 40
    assert [one.name for one in found if not one.about.startswith("whether ") or "{" in one.about] == []
