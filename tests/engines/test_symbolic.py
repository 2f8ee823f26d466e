"""Z3's formulas say the same as the interpreter: of every guard, and of every next state.

Known tables and lines are put into the translation, which folds what is known; what is left is for Z3 to simplify.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest
import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import Number, number
from fairdeal.checker.engines.symbolic.sets import OneCard
from fairdeal.checker.engines.symbolic.solving import decoded
from fairdeal.checker.engines.symbolic.zones import Pile, Stack
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import Bag, Game, turn_over
from fairdeal.spec.language import Stack as StackZone
from fairdeal.spec.language import State as TableState
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.sorts import INT

from tests.engines.walking import Engines, assignments, engines, random_event, sound, walk

SIZE = float(os.environ.get("FAIRDEAL_DIFFERENTIAL", "1"))
every_game = pytest.mark.parametrize("game", list(MODULES))


def known(value: Any) -> Any:
    """What a folded value is, as the interpreter has it."""
    if isinstance(value, Stack):
        return [known(card) for card in value.cards if known(card) != NO_CARD][::-1]
    if isinstance(value, Number):
        bits = z3.simplify(value.bits)
        return bits.as_signed_long() if value.low < 0 else bits.as_long()
    simple = z3.simplify(value)
    return z3.is_true(simple) if z3.is_bool(simple) else simple.as_long()


def fitting(values: Mapping[str, Any], event: Event) -> bool:
    """Whether every stated number has a place in Z3's ranges, and every row names cards."""
    inside = all(one.sort.low <= values[one.name] <= one.sort.high for one in event.parameters if one.sort is INT)
    cards = [values[one.name] for one in event.parameters if one.sort.kind == "card"]
    return inside and all(code <= NO_CARD for code in cards)


def agree(each: Engines, engine: Z3Terms, event: Event, state: State, values: Mapping[str, Any]) -> str:
    """What Z3 and the interpreter say differently of one event in one state; nothing where they agree."""
    expected = each.interpreter.guards(event, state, values)
    here = engine.concrete(state)
    said = [known(guard.condition) for guard in engine.guards(event, here, values)]
    if said != expected:
        names = [guard.clause for guard, one, two in zip(event.guards, said, expected, strict=True) if one != two]
        return f"guards {names} of {event.name} {dict(values)} in {state}"
    if not all(expected):
        return ""
    wanted = copy(state)
    each.interpreter.apply(event, wanted, values)
    run = engine.run(event, here, values)
    after = {key: part if isinstance(part, Pile) else known(part) for key, part in run.state.items()}
    for key, at in each.layout.position.items():
        found = after[key]
        if isinstance(found, Pile):
            shown = (known(found.top), known(found.size), known(found.cards))
            top = wanted[at][-1] if wanted[at] else NO_CARD
            if shown != (top, len(wanted[at]), sum(1 << code for code in wanted[at])):
                return f"{key} after {event.name} {dict(values)} in {state}"
        elif found != wanted[at]:
            return f"{key} after {event.name} {dict(values)} in {state}: {found}, not {wanted[at]}"
    if not all(known(one) for one in (*run.fits, *run.sound)):
        return f"a card is lost, or a number too large: {event.name} {dict(values)} in {state}"
    return ""


@every_game
def test_guards_and_next_states(game: str) -> None:
    random, every = Random("symbolic"), assignments(model_named(game))
    lawful = unlawful = 0
    for number_of, (rules, options) in enumerate([*every[:3], *random.sample(every[3:], min(len(every) - 3, 9))]):
        each = engines(game, rules, options)
        engine = Z3Terms(each.game, each.interpreter.options)
        for state, event, values in islice(walk(each, random, wild=0.01), 0, round(250 * SIZE), 5):
            for asked, line in ((event, values), random_event(each, random, state)):
                if fitting(line, asked) and sound(each, state):
                    assert agree(each, engine, asked, state, line) == "", (number_of, rules, options)
                    allowed = each.interpreter.holds(asked, state, line) is True
                    lawful, unlawful = lawful + allowed, unlawful + (not allowed)
    assert lawful > 200
    assert unlawful > 200


@every_game
def test_options_left_free_take_any_value(game: str) -> None:
    """With free options the formulas are those of every assignment at once."""
    random, free = Random("free"), Z3Terms(model_named(game))
    compared = 0
    for rules, options in random.sample(assignments(free.game), 6):
        each = engines(game, rules, options)
        pinned = [
            (free.options[name].bits, z3.BitVecVal(value, free.options[name].bits.size()))
            for name, value in each.interpreter.options.items()
        ]
        for state, event, values in islice(walk(each, random), 3, 60, 8):
            if not fitting(values, event):
                continue
            expected = each.interpreter.guards(event, state, values)
            guards = free.guards(event, free.concrete(state), values)
            said = [z3.is_true(z3.simplify(z3.substitute(one.condition, *pinned))) for one in guards]
            assert said == expected, (event.name, values)
            compared += len(said)
    assert compared > 100


@every_game
def test_what_one_card_is_seen_to_do_is_possible_for_it(game: str) -> None:
    """The view of one card allows whatever really happens to that card: it may allow more, and never less."""
    each, random = engines(game, "standard", ()), Random("one card")
    followed = 0
    for state, event, values in islice(walk(each, random), 0, round(120 * SIZE), 4):
        if not fitting(values, event):
            continue
        code = random.choice(_cards_of(values) or [random.randrange(52)])
        engine = Z3Terms(each.game, each.interpreter.options, sets=OneCard(number(code)))
        run = engine.run(event, engine.concrete(state), values)
        wanted = copy(state)
        each.interpreter.apply(event, wanted, values)
        facts = [guard.condition for guard in engine.guards(event, engine.concrete(state), values)]
        for key, at in each.layout.position.items():
            facts += _seen(run.state[key], wanted[at], code, each.layout.variables[key[0]].kind)
        solver = z3.Solver()
        solver.add(*engine.facts, *facts, *run.sound)
        assert solver.check() == z3.sat, (event.name, values, state)
        followed += 1
    assert followed > 20


def _cards_of(values: Mapping[str, Any]) -> list[int]:
    flat: list[int] = []
    for value in values.values():
        for one in value if isinstance(value, tuple) else ():
            flat += one if isinstance(one, tuple) else (one,)
    return [code for code in flat if code < NO_CARD]


def _seen(part: Any, wanted: Any, code: int, kind: str) -> list[z3.BoolRef]:
    if isinstance(part, Pile):
        top = wanted[-1] if wanted else NO_CARD
        return [
            part.top.bits == z3.BitVecVal(top, part.top.bits.size()),
            part.size.bits == z3.BitVecVal(len(wanted), part.size.bits.size()),
            part.cards == (code in wanted),
        ]
    if kind == "bag":
        return [part == bool(wanted >> code & 1)]
    if isinstance(part, Number):
        return [part.bits == z3.BitVecVal(wanted, part.bits.size())]
    return []


@every_game
def test_a_wrong_formula_would_be_found(game: str) -> None:
    """The comparison itself: with the options of another house, something differs."""
    each = engines(game, "standard", ())
    others = {
        "spit": {"ace": "linear", "stuck": "plays_only"},
        "queen-city-rum": {"melds_score": "goer", "target": "1"},
    }
    engine = Z3Terms(each.game, each.game.bind(None, others[game]))
    found = [
        agree(each, engine, event, state, values)
        for state, event, values in islice(walk(each, Random("wrong")), 0, 600)
        if fitting(values, event)
    ]
    assert any(found)


# ---------------------------------------------------------------- zones with open sizes


def _stack(name: str, capacity: int) -> tuple[Stack, list[z3.BoolRef]]:
    cards = [Number(z3.BitVec(f"{name}{at}", 6), 0, NO_CARD) for at in range(capacity)]
    size = Number(z3.BitVec(f"{name}.size", 4), 0, capacity)
    stack = Stack(tuple(cards), size)
    ranges = [z3.ULE(card.bits, NO_CARD) for card in cards]
    return stack, [z3.ULE(size.bits, capacity), zones.consistent(Z3Terms(EMPTY).sets, stack), *ranges]


EMPTY = Game(name="empty", title="", table=TableState, options={}, rule_sets={})


def _is(stack: Stack, cards: list[int]) -> list[z3.BoolRef]:
    padded = [*cards[::-1], *[NO_CARD] * (len(stack.cards) - len(cards))]
    places = [one.bits == z3.BitVecVal(code, one.bits.size()) for one, code in zip(stack.cards, padded, strict=True)]
    return [stack.size.bits == len(cards), *places]


@pytest.mark.parametrize(("upper", "lower"), [([], [3, 4]), ([7], []), ([1, 2, 3], [9, 8]), ([5, 6], [4, 3, 2])])
def test_one_open_stack_on_another_and_turned_over(upper: list[int], lower: list[int]) -> None:
    one, about_one = _stack("a", 4)
    two, about_two = _stack("b", 5)
    joined, turned = zones.concatenated(one, two), zones.reversed_stack(one)
    solver = z3.Solver()
    solver.add(*about_one, *about_two, *_is(one, upper), *_is(two, lower))
    assert solver.check() == z3.sat
    model = solver.model()
    said = [decoded(model, card) for card in joined.cards if decoded(model, card) != NO_CARD]
    assert said == [*upper[::-1], *lower[::-1]]
    assert decoded(model, joined.size) == len(said)
    assert [decoded(model, card) for card in turned.cards if decoded(model, card) != NO_CARD] == upper


class Piles(TableState):
    deck = Bag(full=True)
    discard = StackZone(capacity=5)
    stock = StackZone(capacity=6)


TURNING = Game(name="turning", title="", table=Piles, options={}, rule_sets={})


@TURNING.event("X")
def over(t: Piles) -> None:
    """Turn the discards over onto the stock."""
    turn_over(t.discard, t.stock)


@pytest.mark.parametrize(("discard", "stock"), [([], [1]), ([4, 5, 6], []), ([4, 5], [1, 2])])
def test_turning_over_as_the_interpreter_does(discard: list[int], stock: list[int]) -> None:
    state: State = [0, list(discard), list(stock)]
    engine = Z3Terms(TURNING, {})
    after = engine.apply(over, engine.concrete(state), {})
    Interpreter(TURNING, {}).apply(over, state, {})
    assert [known(after["discard", ()]), known(after["stock", ()])] == state[1:]
