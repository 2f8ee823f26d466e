"""A game with more faults than anybody reads: they are counted, and neither kept nor searched without end."""

from __future__ import annotations

import gc

import pytest

from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.findings import Fault
from fairdeal.checker.judging.run import FAULT_LIMIT
from fairdeal.checker.verdict import Severity

HEAD = ["gamelog: 1", "game: spit", "players: Ada, Ben", ""]
FAULTS = {
    "against the rules": lambda number: f"A play 7D from 3 on 1 # {number}",
    "against the clock": lambda number: f"@{10**9 - number} A call spit",
}
PART = 2500
"""Faults after which what is held is counted: to look at every object of the process takes its time."""


def held() -> int:
    """How many faults there are in this process; what other tests still hold is none of this one's."""
    gc.collect()
    return sum(isinstance(one, Fault) for one in gc.get_objects())


@pytest.mark.parametrize("kind", FAULTS)
def test_faults_are_counted_and_only_the_first_is_kept(kind):
    check, before = LogCheck(Call("<test>")), held()
    for number in range(0, FAULT_LIMIT + PART, PART):
        list(check.take([*([] if number else HEAD), *map(FAULTS[kind], range(number, number + PART))]))
        kept = held() - before
        assert kept < 10, f"{kept} faults are held after {number + PART} lines"
    (report,) = check.finish()
    assert f"{FAULT_LIMIT} findings in this game" in report.findings[-1].message + report.findings[-2].message
    assert report.more_findings < FAULT_LIMIT
    assert "LOG-LIMIT" in (one.code for one in report.findings if one.severity is Severity.NOTE)
