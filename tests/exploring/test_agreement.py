"""On reduced decks, the packed search says what the interpreter's search over whole tables says, for every merging."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.native.compiling import can_compile
from fairdeal.checker.engines.native.searching import Limits
from fairdeal.checker.exploring.rounds import Result, Round, explore
from fairdeal.checker.reporting.exploration import as_text
from fairdeal.spec.spit import SPIT

from tests.exploring.unreduced import NAMES, Graph, reduced, start_of

STARTS: list[tuple[int, tuple[int, ...], tuple[int, int], int, dict[str, str]]] = [
    (10, (1, 2, 0, 0, 0), (2, 1), 8, {}),
    (10, (1, 2, 1, 0, 0), (2, 1), 6, {}),
    (11, (1, 1, 2, 0, 0), (1, 1), 3, {}),
    (10, (1, 2, 0, 0, 0), (2, 2), 10, {"respit": "own"}),
    (10, (1, 2, 1, 0, 0), (2, 1), 11, {"flip": "auto"}),
    (10, (1, 2, 0, 0, 0), (2, 2), 10, {"respit": "distinct", "ace": "literal"}),
    (10, (1, 2, 0, 0, 0), (2, 1), 8, {"stuck": "plays_only"}),
    (10, (1, 2, 0, 0, 0), (2, 2), 11, {"slot_reason": "played", "null_move": "forbid"}),
    (10, (1, 2, 0, 0, 0), (2, 1), 10, {"lone_spit": "literal"}),
]
"""Ranks, heights of each player's stocks, spit cards of A and B, seed, options."""
IDS = [f"{ranks}-ranks-seed-{seed}" for ranks, _, _, seed, _ in STARTS]


@cache
def graph(number: int) -> Graph:
    ranks, heights, spit, seed, options = STARTS[number]
    run = Interpreter(SPIT, SPIT.bind(None, options))
    return Graph(run, reduced(run, seed, ranks, heights, spit))


def explored(number: int, merging: str, *, compiled: bool = False) -> tuple[Round, Result]:
    options = STARTS[number][-1]
    part = Round(start_of(options, graph(number).first), merging, compiled)
    result, search = explore(part)
    assert result.complete
    assert search.count == result.states
    return part, result


def normal_forms(part: Round, keys: Iterable[str], number: int) -> set[tuple[int, ...]]:
    native, tables = part.native, graph(number).tables
    return {native.normal(native.packing.project(tables[key])) for key in keys}


@pytest.mark.parametrize("number", range(len(STARTS)), ids=IDS)
@pytest.mark.parametrize("merging", ["none", "alike"])
def test_every_count_is_that_of_the_interpreters_tables(number: int, merging: str) -> None:
    part, result = explored(number, merging)
    whole = graph(number)
    assert len(whole.tables) > 100
    assert result.states == len(normal_forms(part, whole.tables, number)) <= len(whole.tables)
    longest = whole.longest()
    for one in result.outcomes:
        there = whole.classes[one.name]
        assert one.states == len(normal_forms(part, there, number)), one.name
        if there:
            assert one.shortest == min(whole.shortest[key] for key in there)
            assert one.longest == max(longest[key] for key in there)
            assert one.looped == bool(there & whole.looped)
    for each in result.most:
        assert each.most == max(whole.longest(each.event).values())
        fewest = whole.fewest(each.event)
        for name, count in each.fewest.items():
            assert count == min(fewest[key] for key in whole.classes[name])
    for kept in result.kept:
        assert kept.complete
        found = whole.without("AB".index(kept.player), can="can" in kept.name)
        assert set(kept.endings) == found, kept.name


@pytest.mark.parametrize("number", range(len(STARTS)), ids=IDS)
def test_what_is_done_at_once_keeps_every_ending_and_every_longest_way(number: int) -> None:
    _, result = explored(number, "all")
    whole = graph(number)
    allowed = STARTS[number][-1].get("stuck") != "plays_only"
    assert bool(result.at_once) == allowed
    longest = whole.longest()
    for one in result.outcomes:
        there = whole.classes[one.name]
        assert bool(one.states) == bool(there), one.name
        if there:
            assert one.longest == max(longest[key] for key in there)
            assert one.shortest is not None
            assert one.shortest >= min(whole.shortest[key] for key in there)
    for each in result.most:
        assert each.most == max(whole.longest(each.event).values())
    assert result.states <= explored(number, "alike")[1].states
    never = {kept.name: set(kept.endings) for kept in result.kept if "can" not in kept.name}
    assert never == {f"{name}-never-plays": whole.without("ab".index(name), can=False) for name in "ab"}


@pytest.mark.parametrize("number", [0, 2, 6], ids=[IDS[at] for at in (0, 2, 6)])
def test_a_no_of_a_search_that_is_not_complete_is_settled_by_a_smaller_one(number: int) -> None:
    """Rounds without some act are fewer; where all of those were seen, seeing more of the others changes nothing."""
    whole = explored(number, "alike")[1]
    known = {one.name: one for one in whole.kept}
    settled = 0
    for states in range(10, whole.states, max(whole.states // 3, 1)):
        part = Round(start_of(STARTS[number][-1], graph(number).first), "alike", False, Limits(states))
        result = explore(part)[0]
        assert not result.complete
        for one in result.kept:
            assert set(one.endings) <= set(known[one.name].endings)
            if one.complete:
                assert one.endings == known[one.name].endings
        nos = [one for one in result.kept if one.complete and not one.endings]
        settled += len(nos)
        text = " ".join(as_text(result).split())
        assert ("a search of its own has seen every round of that kind" in text) == bool(nos)
    assert settled


def test_null_events_reach_no_class_of_tables_that_is_not_reached_without() -> None:
    """With slots that are alike, a null move changes names alone, and leaving it out loses nothing."""
    run = graph(0).run
    start = reduced(run, 8, 10, (2, 0, 0, 0, 0), (1, 1))
    with_nulls, without = Graph(run, start, nulls=True), Graph(run, start)
    assert len(with_nulls.tables) > len(without.tables)
    native = Round(start_of({}, start), "alike", compiled=False).native

    def forms(whole: Graph, keys: Iterable[str]) -> set[tuple[int, ...]]:
        return {native.normal(native.packing.project(whole.tables[key])) for key in keys}

    assert forms(with_nulls, with_nulls.tables) == forms(without, without.tables)
    for name, keys in without.classes.items():
        if name != "dead-end":  # a table from which only null events lead on is no end where they are followed
            assert forms(with_nulls, with_nulls.classes[name]) == forms(without, keys), name


@pytest.mark.skipif(not can_compile(), reason="numba is not installed")
@pytest.mark.parametrize("merging", [pytest.param("none", marks=pytest.mark.verify), "all"])
def test_compiled_and_plain_source_say_the_same(merging: str) -> None:
    plain = explored(0, merging)[1]
    fast = explored(0, merging, compiled=True)[1]
    times = {
        "closing_seconds": 0.0,
        "seconds": 0.0,
        "cpu_seconds": 0.0,
        "compile_seconds": 0.0,
        "compiled": True,
        "memory": 0,
    }
    assert replace(plain, **times) == replace(fast, **times)  # type: ignore[arg-type]


def test_the_names_that_a_search_counts_are_those_that_are_explored() -> None:
    assert tuple(each.event for each in explored(0, "none")[1].most) == NAMES
