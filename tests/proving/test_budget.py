"""How long proofs may take: each query, each obligation, and what properties share; and what is said where that ends."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import deque
from dataclasses import replace
from types import SimpleNamespace

import pytest
import z3
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.engines.symbolic.solving import solver
from fairdeal.checker.proving import asking, workers
from fairdeal.checker.proving.asking import PATIENCE, Answer, Asker, Budget
from fairdeal.checker.proving.foundation import is_proved
from fairdeal.checker.proving.obligations import invariant_obligations, obligations
from fairdeal.checker.proving.prover import Prover
from fairdeal.checker.proving.steps import Model
from fairdeal.checker.proving.workers import Task
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


def hard() -> list[z3.BoolRef]:
    """Factors of a prime of 61 bits, none of them longer than 31, as bit-vectors: there are none, which takes long."""
    one, two = z3.BitVec("one", 64), z3.BitVec("two", 64)
    return [one * two == (1 << 61) - 1, *(z3.And(z3.ULT(each, 1 << 31), z3.UGT(each, 1)) for each in (one, two))]


def test_a_query_has_its_time_of_the_processor_and_not_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.process_time()
    asked = solver(hard(), 1.0)
    assert asked.check() == z3.unknown
    assert 0.9 < time.process_time() - began < 5
    assert asked.reason_unknown() == "timeout"
    spent = iter([0.0] * 10**6)
    monkeypatch.setattr(time, "process_time", lambda: next(spent))  # a machine with no time for this process
    asked.reset()
    asked.add(z3.BitVec("one", 8) * 3 == 9)
    asked.seconds = 0.001
    assert asked.check() == z3.sat


def sleeping() -> str:
    time.sleep(1.5)
    return "slept"


def spending(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_process_is_ended_by_its_own_time_and_not_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.0)
    monkeypatch.setattr(workers, "STALLED", 60)
    tasks = [Task("waits", sleeping, 1), Task("spends", lambda: spending(60), 1)]
    waits, spends = workers.run(deque(tasks))
    assert (waits.result, waits.failure) == ("slept", "")
    assert (spends.result, spends.failure) == (None, "the work was ended, for it took more than 1 s of the processor")


def test_a_process_that_only_waits_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.0)
    monkeypatch.setattr(workers, "STALLED", 2)
    (done,) = workers.run(deque([Task("waits", lambda: time.sleep(60), 0.5)]))
    assert done.failure == "the work was ended, for it took more than 1 s by the clock"


def test_memory_is_a_limit_of_each_process() -> None:
    (done,) = workers.run(deque([Task("large", lambda: len(bytes(900 << 20)), 30)]), memory=800 << 20)
    assert done.failure == "the work ran out of memory"
    calling = [sys.executable, "-m", "fairdeal.checker", "prove", "spit", "S-RACE", "--memory"]
    few = subprocess.run([*calling, "2M"], capture_output=True, text=True, timeout=60)
    assert few.returncode == 1
    assert "the work ran out of memory" in " ".join(few.stdout.split())
    assert subprocess.run([*calling, "much"], capture_output=True, timeout=60).returncode == 2
