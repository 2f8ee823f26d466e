"""SPIN, given a model that was written by hand, finds exactly as many states; so does minicheck over plain Python."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from fairdeal.checker.exploring.rounds import Round

from tests.bench.exploring import OWN_STATES, cut, minicheck, promela_of
from tests.bench.exploring import spin as by_spin

STARTS = [(1, (1, 2, 0, 0, 0), 2), (1, (1, 2, 2, 1, 0), 2)]


@pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN or a C compiler is not installed")
@pytest.mark.parametrize(("seed", "heights", "spit"), STARTS)
def test_spin_finds_as_many_states(seed: int, heights: tuple[int, ...], spit: int) -> None:
    start = cut(seed, heights, spit)
    search = Round(start, "none", compiled=False).search().run()
    assert search.closed
    assert search.count > 200
    found = by_spin(promela_of(start), "-O0")
    assert found is not None
    assert found[0] == search.count + OWN_STATES


@pytest.mark.skipif(find_spec("minicheck") is None, reason="minicheck is not installed")
def test_minicheck_finds_as_many_states() -> None:
    start = cut(*STARTS[1])
    found = minicheck(start)
    assert found is not None
    assert found[0] == Round(start, "none", compiled=False).search().run().count
