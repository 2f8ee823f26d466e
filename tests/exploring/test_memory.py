"""Limits are kept: of memory, by what a search says that it holds and by what its arrays are; and of states."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from fairdeal.checker.engines.native import Limits
from fairdeal.checker.engines.native.compiling import can_compile
from fairdeal.checker.exploring.rounds import Round, explore
from fairdeal.checker.exploring.starting import from_log, from_seed
from fairdeal.checker.generating import generate

MIB = 1 << 20


def held(search: Any) -> int:
    """Bytes that a search's arrays have, as they are."""
    waiting = [part for parts in search._layers.values() for part in parts]
    arrays = [search.table, search.native.tables, search._order, *search._scratch, *waiting]
    if search.native.compiled:  # the rest of those two was never touched, so it is not there
        return int(sum(one.nbytes for one in arrays) + search.count * (8 * search.wide + 2))
    return sum(map(sys.getsizeof, [*arrays, search.q, search.marks]))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("quarters", [4, 7, 13])
def test_no_search_holds_more_than_its_limit(quarters: int, *, compiled: bool) -> None:
    if compiled and not can_compile():
        pytest.skip("numba is not installed")
    limit = quarters * MIB // 4
    part = Round(from_seed("spit", 1, None, {}), compiled=compiled, limits=Limits(memory=limit))
    seen: list[int] = []
    result, search = explore(part, lambda _, one: seen.append(one.memory))
    assert (result.complete, result.stopped) == (False, "memory")
    assert max(seen) <= result.memory <= limit
    few = 0 if compiled else 100 * len(search._layers) + 4000  # what an empty array has
    assert held(search) <= search.memory + few
    assert search.memory > limit // 3  # and it is made use of


@pytest.mark.parametrize("merging", ["all", "alike", "none"])
@pytest.mark.parametrize("options", [{}, {"flip": "auto"}, {"flip": "auto", "respit": "own"}], ids=str)
def test_no_search_finds_more_states_than_its_limit(options: dict[str, str], merging: str) -> None:
    start = from_seed("spit", 3, None, options)
    for states in (1, 2, 5, 70, 333, 1000):
        part, most = Round(start, merging, compiled=False, limits=Limits(states)), 0

        def note(_: str, search: Any) -> None:
            nonlocal most
            most = max(most, search.count)

        result, search = explore(part, note)
        assert (result.complete, result.stopped) == (False, "states")
        assert most == result.states == search.count == states
        assert sum(result.levels) == states


def test_compiled_it_finds_as_many_states_as_in_python() -> None:
    if not can_compile():
        pytest.skip("numba is not installed")
    start = from_seed("spit", 1, None, {})
    for states in (1, 70, 1000):
        plain, fast = (explore(Round(start, compiled=one, limits=Limits(states)))[0] for one in (False, True))
        assert (fast.states, fast.stopped) == (plain.states, plain.stopped) == (states, "states")


def test_a_limit_that_is_just_enough_is_not_met(tmp_path: Path) -> None:
    """A round that is nearly over; with one state less it is not complete, and says so."""
    path = tmp_path / "game.gamelog"
    path.write_text("".join(generate("spit", games=1, seed=5)), encoding="utf-8")
    start = from_log(str(path), 66, None, {})
    whole = explore(Round(start, "none", compiled=False))[0]
    for states, complete in ((whole.states, True), (whole.states - 1, False)):
        result = explore(Round(start, "none", compiled=False, limits=Limits(states)))[0]
        assert (result.states, result.complete) == (states, complete)
