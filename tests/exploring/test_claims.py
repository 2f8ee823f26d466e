"""What a game's page claims: symmetries are checked on the record and seen in play, bounds are held, limits are said."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import product
from operator import add
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.native import Limits, Native
from fairdeal.checker.engines.native.symmetry import NoSymmetry, Renaming
from fairdeal.checker.exploring.rounds import ImpossibleError, Round, conditions, explore
from fairdeal.checker.exploring.starting import from_seed
from fairdeal.checker.reporting.exploration import Progress
from fairdeal.spec.language.exploring import Bound, Symmetry
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.exploration import EXPLORATION
from fairdeal.spec.spit.measures import SPITS
from fairdeal.spec.spit.table import Player, Slot

from tests.exploring.unreduced import NAMES, reduced, start_of
from tests.spike.games import E, apply, lawful, walk


def native(symmetries: tuple[Symmetry, ...], where: Any = None, options: dict[str, str] | None = None) -> Native:
    bound = SPIT.bind(None, options or {})
    start = reduced(Interpreter(SPIT, bound), 1, 13, (1, 2, 3, 0, 0), (2, 2))
    events = [(E[one.event], where if where and one.event == "move" else one.where) for one in EXPLORATION.events]
    return Native(SPIT, bound, start, events, conditions(SPIT, EXPLORATION), compiled=False, symmetries=symmetries)


@pytest.mark.parametrize("options", [{}, {"slot_reason": "played"}, {"respit": "own"}, {"stuck": "plays_only"}])
def test_the_symmetries_of_the_page_are_seen_in_the_record(options: dict[str, str]) -> None:
    assert native(EXPLORATION.symmetries, options=options).applied == list(EXPLORATION.symmetries)


def test_a_claim_that_is_false_is_refused() -> None:
    with pytest.raises(NoSymmetry):
        native((Symmetry.of("the players can change names", Player),))  # who has finished is asked for

    def upwards(player: Any, slot: Any, target: Any) -> Any:
        return slot < target

    with pytest.raises(NoSymmetry):
        native((EXPLORATION.symmetries[0],), where=upwards)

    def from_the_first(player: Any, slot: Any, target: Any) -> Any:
        return slot == 1

    with pytest.raises(NoSymmetry):
        native((EXPLORATION.symmetries[0],), where=from_the_first)


def renamed(one: Renaming, run: Interpreter, state: State) -> State:
    """The table after a renaming."""
    layout, after = run.layout, list(state)
    for key, at in layout.position.items():
        value = state[at]
        sort = layout.variables[key[0]].sort
        after[layout.position[one.key(key)]] = one.value(sort, value) if isinstance(value, int) else value
    return after


@pytest.mark.parametrize("seed", [1, 2])
def test_renaming_commutes_with_every_event_in_play(seed: int) -> None:
    run = Interpreter(SPIT, SPIT.bind())
    swaps = [one for each in native(EXPLORATION.symmetries).slice.renamings.values() for one in each]
    assert len(swaps) == 2 * (Slot.high - Slot.low) + 1
    tables = [state for number, state in enumerate(walk(run, seed, 60)) if number % 12 == 4]
    assert len(tables) >= 4
    for one, table in product(swaps, tables):
        there = renamed(one, run, table)
        here = {}
        for event, values in lawful(run, table, NAMES):
            names = [choice.name for choice in event.choices]
            made = one.at([choice.sort for choice in event.choices], [values[name] for name in names])
            here[event.name, made] = renamed(one, run, apply(run, event, table, values))
        found = {
            (event.name, tuple(values[choice.name] for choice in event.choices)): apply(run, event, there, values)
            for event, values in lawful(run, there, NAMES)
        }
        assert found == here


def test_a_bound_that_is_exceeded_is_no_result() -> None:
    run = Interpreter(SPIT, SPIT.bind())
    start = start_of({}, reduced(run, 8, 10, (1, 2, 0, 0, 0), (2, 1)))
    wrong = replace(EXPLORATION, bounds=(Bound("play", 1, "so somebody thought"),))
    with pytest.raises(ImpossibleError, match="so somebody thought"):
        explore(Round(replace(start, exploration=wrong), compiled=False))
    assert all(one.bound is None for one in explore(Round(start, compiled=False))[0].most)  # no full stocks


def test_a_bound_is_seen_to_be_exceeded_before_all_is_seen() -> None:
    start = start_of({}, reduced(Interpreter(SPIT, SPIT.bind()), 8, 10, (1, 2, 0, 0, 0), (2, 1)))
    result = explore(Round(start, "none", compiled=False, limits=Limits(states=60)))[0]
    assert not result.complete
    most = {one.event: one.most for one in result.most}
    assert 0 < most["play"] <= next(one.most for one in explore(Round(start, "none", False))[0].most)
    wrong = replace(EXPLORATION, bounds=(Bound("play", most["play"] - 1, "so somebody thought"),))
    with pytest.raises(ImpossibleError, match="so somebody thought"):
        explore(Round(replace(start, exploration=wrong), "none", compiled=False, limits=Limits(states=60)))


def test_bounds_are_those_of_full_stocks() -> None:
    start = from_seed("spit", 1, None, {})
    for bound in EXPLORATION.bounds:
        assert bound.given is not None
        assert start.binder.interpreter.value(bound.given.term, start.state, {})
    assert {one.event for one in EXPLORATION.bounds} == set(NAMES)


def test_ctrl_c_shows_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def interrupting(self: Progress, what: str, search: Any) -> None:
        seen.append(search.count)
        if len(seen) == 12:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "note", interrupting)
    result = CliRunner().invoke(cli, ["explore", "spit", "--seed", "1", "--plain"])
    assert result.exit_code == 130
    text = " ".join(result.output.split())
    assert "NOT complete: it was interrupted" in text
    assert f"{seen[-1]:,} states" in text
    assert "lower bound" in text


def test_a_measure_that_an_event_does_not_lower_is_no_result() -> None:
    """Spit cards are left as they are by a play: some state is reached in two events after it was in one."""
    start = start_of({}, reduced(Interpreter(SPIT, SPIT.bind()), 8, 10, (1, 2, 0, 0, 0), (2, 1)))
    page = replace(EXPLORATION, measure=reduce(add, SPITS))
    with pytest.raises(ImpossibleError, match="do not lower the measure"):
        explore(Round(replace(start, exploration=page), "none", compiled=False))


def test_without_a_measure_the_search_is_breadth_first_and_the_longest_ways_are_not_known() -> None:
    start = start_of({}, reduced(Interpreter(SPIT, SPIT.bind()), 8, 10, (1, 2, 0, 0, 0), (2, 1)))
    whole = explore(Round(start, compiled=False))[0]
    result, search = explore(Round(replace(start, exploration=replace(EXPLORATION, measure=None)), compiled=False))
    assert (result.complete, result.longest, result.most) == (True, None, ())
    assert (result.states, result.arcs, result.levels) == (whole.states, whole.arcs, whole.levels)
    for one, other in zip(result.outcomes, whole.outcomes, strict=True):
        assert (one.states, one.shortest, one.longest) == (other.states, other.shortest, None)
    assert [search.depth_of(at) for at in range(search.count)] == sorted(map(search.depth_of, range(search.count)))
