"""Bounded search over an unknown deal, and what it finds played by the interpreter."""

from __future__ import annotations

from typing import Any

import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.z3_terms import Search, Z3Terms, neg, same
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
    for depth in range(1, 4):
        search.branch(IN_PLAY)
        found = search.solve(engine.value(STUCK, search.state))
        if found:
            break
    assert found
    assert len(found) == first + depth
    # a play from a stock of one empties its slot, and then a card can be moved there: a card has to be turned up
    assert [event.name for event, _ in found[first:]] == ["play", "flip"]
    run, states = played(options, found)
    assert [run.value(STUCK, state, {}) for state in states[first - 1 :]] == [False, False, True]


def test_of_two_cards_for_one_top_the_second_comes_too_late() -> None:
    engine = Z3Terms(SPIT)  # whatever the options
    search = started(engine)
    mine = {"player": 0, "slot": 1, "pile": 1}
    yours = {"player": 1, "slot": 1, "pile": 1}
    yours = engine.reported(E["play"], search.state, yours)
    search.assumed.append(engine.lawful(E["play"], search.state, yours))
    search.follow(E["play"], **mine)
    again = engine.lawful(E["play"], search.state, yours)
    assert search.solve(again) is None
    late = search.solve(neg(again))
    assert late is not None

    bound = {name: 0 for name in SPIT.options}
    fixed = [same(engine.options[name], engine_number) for name, engine_number in numbers(bound).items()]
    race = search.solve(neg(again), *fixed)
    assert race is not None
    run, states = played(bound, race)
    stated = {"player": 1, "slot": 1, "pile": 1, "card": states[-1][run.layout.position["stock", (1, 1)]][-1]}
    assert run.holds(E["play"], states[-2], stated)
    assert run.guards(E["play"], states[-1], stated).count(False) == 1


def numbers(options: dict[str, int]) -> dict[str, Any]:
    from fairdeal.checker.engines.z3_terms import number

    return {name: number(value) for name, value in options.items()}


def test_a_free_option_is_part_of_the_answer() -> None:
    """An ace on a two on the table: lawful under just one reading of the ace."""
    engine = Z3Terms(SPIT)
    search = started(engine)
    search.follow(E["play"], player=0, slot=1, pile=1)
    card, top = search._log[-1][1][0][1]["card"], search._log[3][1][0][1]["card"]
    ace_on_two = [z3.ULT(card.bits, 4), z3.ULE(4, top.bits), z3.ULT(top.bits, 8)]
    values = [value for value in SPIT.options["ace"].values if search.solve(*ace_on_two, reading(engine, value))]
    assert values == ["cycle"]


def reading(engine: Z3Terms, value: str) -> z3.BoolRef:
    return same(engine.options["ace"], numbers({"ace": SPIT.options["ace"].encode(value)})["ace"])
