"""The interpreter, generated Python, Z3's formulas and packed native states say the same of guards and next states."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.native import Native
from fairdeal.checker.engines.python_source import FAILED, PythonSteps, argument_names
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.checker.engines.z3_terms import Heap, Number, Stack, Symbolic, Z3Terms, decoded
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.specialise import specialise
from fairdeal.spec.spit import SPIT

from tests.spike.games import (
    ENDINGS,
    EXPLORED,
    ROUND,
    E,
    apply,
    choices,
    is_null,
    lawful,
    reported,
    small,
    walk,
)

HOUSES: list[dict[str, str]] = [
    {},
    {"flip": "auto", "ace": "literal", "stuck": "plays_only", "lone_spit": "end_round", "respit": "own"},
    {
        "flip": "forced",
        "compulsion": "forced",
        "null_move": "ignore",
        "slot_reason": "played",
        "respit": "distinct",
    },
    {
        "variant": "scored",
        "ace": "linear",
        "null_move": "forbid",
        "compulsion": "consent_spit",
        "lone_sticky": "true",
    },
]
NO_CARD = terms.NO_CARD


def equations(here: Symbolic, there: Symbolic) -> list[z3.BoolRef]:
    """A symbolic table is that known one."""

    def pairs(one: Any, two: Any) -> list[z3.BoolRef]:
        if isinstance(one, Number):
            return [one.bits == z3.BitVecVal(two.low, one.bits.size())]
        if isinstance(one, Stack):
            return [
                *pairs(one.size, two.size),
                *(eq for pair in zip(one.cards, two.cards, strict=True) for eq in pairs(*pair)),
            ]
        if isinstance(one, Heap):
            return [*pairs(one.top, two.top), *pairs(one.size, two.size), one.cards == two.cards]
        return [one == two]

    return [equation for key, part in here.items() for equation in pairs(part, there[key])]


def seen(model: z3.ModelRef, part: Any) -> Any:
    """A part of a table in a model: comparable with `shown`."""
    if isinstance(part, Stack):
        return tuple(decoded(model, card) for card in part.cards), decoded(model, part.size)
    if isinstance(part, Heap):
        return decoded(model, part.top), decoded(model, part.size), decoded(model, part.cards)
    return decoded(model, part)


def shown(part: Any, kind: str, capacity: int) -> Any:
    """A part of a table as the interpreter has it."""
    if kind == "stack":
        return (*part[::-1], *[NO_CARD] * (capacity - len(part))), len(part)
    if kind == "heap":
        return part[-1] if part else NO_CARD, len(part), sum(1 << card for card in part)
    return part


class Formulas:
    """Z3's guards and next tables for every event of a round, over one arbitrary table and free options."""

    def __init__(self) -> None:
        self.engine = Z3Terms(SPIT)
        self.table, _ = self.engine.state("s")
        self.card, _ = self.engine.parameter(E["play"].reports[0], "card")
        self.made: dict[tuple[str, tuple[int, ...]], Any] = {}
        for name in ROUND:
            for made in choices(E[name]):
                record = specialise(E[name], tuple(made.values()), {})
                values = {one.name: self.card for one in E[name].reports}
                guards = self.engine.guards(record, self.table, values)
                self.made[name, tuple(made.values())] = guards, self.engine.apply(record, self.table, values)

    def model(self, options: Mapping[str, int], state: State, card: int) -> z3.ModelRef:
        solver = z3.Solver()
        solver.add(*equations(self.table, self.engine.concrete(state)), self.card.bits == card)
        solver.add(*(self.engine.options[name].bits == value for name, value in options.items()))
        assert solver.check() == z3.sat
        return solver.model()


@pytest.fixture(scope="module")
def formulas() -> Formulas:
    return Formulas()


def python_guards(steps: PythonSteps, event: Event, made: tuple[int, ...]) -> Any:
    """One generated function that gives the value of each guard."""
    names, unpack = argument_names(event)
    expression = Expression(steps.layout, steps.tables, names)
    texts = [expression.text(guard.condition) for guard in steps.specialised(event, made).guards]
    lines = ["def guards(s, arg):", *unpack, *expression.before(), f"    return [{', '.join(texts)}]", ""]
    return steps.compile("\n".join(lines), "guards")


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_interpreter_python_and_z3_agree(formulas: Formulas, house: int) -> None:
    options = SPIT.bind(None, HOUSES[house])
    run, steps = Interpreter(SPIT, options), PythonSteps(SPIT, options)
    chance, compared, applied = random.Random(house), 0, 0
    compiled: dict[Any, Any] = {}
    for number, state in enumerate(walk(run, seed=house)):
        if number > 6 and chance.random() < 0.75:
            continue
        card = chance.choice([top for top in state_tops(run, state) if top < NO_CARD] or [chance.randrange(52)])
        model = formulas.model(options, state, card)
        for (name, made), (guards, after) in formulas.made.items():
            event = E[name]
            values = dict(zip([one.name for one in event.choices], made, strict=True))
            values.update({one.name: card for one in event.reports})
            expected = run.guards(event, state, values)
            said = [z3.is_true(model.eval(guard.condition, True)) for guard in guards]
            assert said == expected, (name, values, [guard.name for guard in guards])
            if (name, made) not in compiled:
                compiled[name, made] = python_guards(steps, event, made)
            assert list(map(bool, compiled[name, made](state, card))) == expected, (name, values)
            compared += len(said)

            right = reported(run, event, state, dict(zip([one.name for one in event.choices], made, strict=True)))
            if right.get("card", card) == card and all(expected):
                next_state = apply(run, event, state, values)
                check_next(formulas, model, after, next_state)
                stepped = [list(part) if isinstance(part, list) else part for part in state]
                assert steps.step(event, made)(stepped, card if event.reports else None) != FAILED
                assert stepped == next_state
                applied += 1
    assert compared > 5000
    assert applied > 20


def check_next(formulas: Formulas, model: z3.ModelRef, after: Symbolic, state: State) -> None:
    layout = formulas.engine.layout
    for key, at in layout.position.items():
        if after[key] is formulas.table[key]:
            before = seen(model, formulas.table[key])
            assert before == shown(state[at], layout.variables[key[0]].kind, layout.variables[key[0]].capacity), key
            continue
        variable = layout.variables[key[0]]
        assert seen(model, after[key]) == shown(state[at], variable.kind, variable.capacity), key


def state_tops(run: Interpreter, state: State) -> list[int]:
    return [state[at][-1] for name, _, at in run.layout.zones() if name in ("stock", "spit") and state[at]]


@pytest.mark.parametrize("house", [{}, {"ace": "literal", "flip": "auto"}, {"respit": "own", "stuck": "plays_only"}])
def test_native_states_agree_with_the_interpreter(house: dict[str, str]) -> None:
    options = SPIT.bind(None, house)
    run = Interpreter(SPIT, options)
    steps = asked = 0
    for seed in range(3):
        start = small(run, seed, (1, 2, 3, 2, 0), 3)
        native = Native(SPIT, options, start, EXPLORED, ENDINGS, compiled=False)
        guards = [(one, [native.guard(one, at) for at in range(len(one.guards))]) for one in native.slice.candidates]
        chance, state = random.Random(seed), start
        for _ in range(25):
            words = native.packing.project(state)
            said = sorted((one.event.name, one.choices, after) for one, after in native.successors(words))
            found = [
                (event, values)
                for event, values in lawful(run, state, ROUND[:4])
                if not is_null(run, event, state, values)
            ]
            expected = sorted(
                (
                    event.name,
                    tuple(values[one.name] for one in event.choices),
                    native.packing.project(apply(run, event, state, values)),
                )
                for event, values in found
            )
            assert said == expected
            steps += len(said)
            for one, functions in chance.sample(guards, 12):
                made = dict(zip([choice.name for choice in one.event.choices], one.choices, strict=True))
                wanted = run.guards(one.event, state, reported(run, one.event, state, made))
                assert [bool(guard(*words)) for guard in functions] == wanted, (one.event.name, one.choices)
                asked += len(wanted)
            if not found:
                break
            event, values = chance.choice(found)
            state = apply(run, event, state, values)
    assert steps > 40
    assert asked > 800
