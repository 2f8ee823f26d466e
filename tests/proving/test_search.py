"""Bounded search over an unknown deal, and what it finds played by the interpreter."""

from __future__ import annotations

from typing import Any

import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import neg, number, same
from fairdeal.checker.engines.symbolic.search import Search
from fairdeal.checker.proving.steps import Model, steps
from fairdeal.spec.language.game import Event
from fairdeal.spec.spit import SPIT

from tests.spike.games import E

STUCK = SPIT.derived["stuck"]
LAYOUT = {"stocks": (1, 2, 3, 4, 5), "spit": 11}
IN_PLAY = [E[name] for name in ("play", "flip", "move", "spit")]


def started(engine: Z3Terms) -> Search:
    """Any game after the first spit, the deal unknown."""
    search = Search(engine, engine.layout.initial())
    search.follow(E["round"], number=1)
    for player in (0, 1):
        search.follow(E["deal"], LAYOUT, player=player)
    for player in (0, 1):
        search.follow(E["spit"], player=player, pile=player + 1)
    return search


def played(options: dict[str, int], events: list[tuple[Event, dict[str, Any]]]) -> tuple[Interpreter, list[State]]:
    run = Interpreter(SPIT, options)
    state, states = run.layout.initial(), []
    for event, values in events:
        assert run.holds(event, state, values), (event.name, values)
        run.apply(event, state, values)
        states.append([list(part) if isinstance(part, list) else part for part in state])
    return run, states


def test_the_shortest_way_to_be_stuck_when_there_was_a_play() -> None:
    options = SPIT.bind()
    engine = Z3Terms(SPIT, options)
    search = started(engine)
    first = len(search.solve() or [])
    search.assumed.append(neg(engine.value(STUCK, search.state)))
    found = None
    for _ in range(3):
        search.branch(IN_PLAY)
        found = search.solve(engine.value(STUCK, search.state))
        if found:
            break
    assert found
    # a play from a stock of one empties its slot, and then a card can be moved there: a card has to be turned up
    assert [event.name for event, _ in found[first:]] == ["play", "flip"]
    run, states = played(options, found)
    assert [run.value(STUCK, state, {}) for state in states[first - 1 :]] == [False, False, True]


def test_of_two_cards_for_one_top_the_second_comes_too_late() -> None:
    engine = Z3Terms(SPIT)  # whatever the options
    search = started(engine)
    yours = engine.reported(E["play"], search.state, {"player": 1, "slot": 1, "pile": 1})
    search.assumed.append(engine.lawful(E["play"], search.state, yours))
    search.follow(E["play"], player=0, slot=1, pile=1)
    again = engine.lawful(E["play"], search.state, yours)
    assert search.solve(again) is None
    late = search.solve(neg(again))
    assert late is not None

    bound = dict.fromkeys(SPIT.options, 0)
    fixed = [same(engine.options[name], number(value)) for name, value in bound.items()]
    race = search.solve(neg(again), *fixed)
    assert race is not None
    run, states = played(bound, race)
    stated = {"player": 1, "slot": 1, "pile": 1, "card": states[-1][run.layout.position["stock", (1, 1)]][-1]}
    assert run.holds(E["play"], states[-2], stated)
    assert run.guards(E["play"], states[-1], stated).count(False) == 1


def test_a_free_option_is_part_of_the_answer() -> None:
    """An ace is lawful on a two under just one reading of the ace."""
    step = next(steps(Model(SPIT), E["play"], {}, []))
    engine = step.engine
    card, top = step.before["stock", (0, 1)].top, step.before["pile", (1,)].top
    solver = z3.SolverFor("QF_BV")
    solver.add(*engine.facts, *step.assumed, z3.ULT(card.bits, 4), z3.ULE(4, top.bits), z3.ULT(top.bits, 8))
    ace = SPIT.options["ace"]
    readings = {value: solver.check(same(engine.options["ace"], number(ace.encode(value)))) for value in ace.values}
    assert [value for value, answer in readings.items() if answer == z3.sat] == ["cycle"]
    assert z3.unknown not in readings.values()


def test_a_core_speaks_in_clauses() -> None:
    """Why a king, or nothing, does not lie on a five: the clause about ranks is named."""
    engine = Z3Terms(SPIT)
    state, known = engine.state("s")
    line = engine.reported(E["play"], state, {"player": 0, "slot": 1, "pile": 1})
    guards = engine.guards(E["play"], state, line)
    solver = z3.Solver()
    five, king = state["pile", (1,)].top.bits == 4 * 4, z3.UGE(state["stock", (0, 1)].cards[0].bits, 12 * 4)
    solver.add(known, *engine.axioms, five, king)
    for guard in guards:
        solver.assert_and_track(guard.condition, guard.name)
    assert solver.check() == z3.unsat
    core = {str(one) for one in solver.unsat_core()}
    assert "play:SPIT-PLAY-5" in {name.split("#")[0] for name in core}
    assert len(core) < 4
