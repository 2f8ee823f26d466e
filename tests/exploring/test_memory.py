"""The limit of memory is kept: by what a search says that it holds, and by what its arrays are."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from fairdeal.checker.engines.native import Limits
from fairdeal.checker.engines.native.compiling import can_compile
from fairdeal.checker.exploring.rounds import Round, explore
from fairdeal.checker.exploring.starting import from_seed

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
