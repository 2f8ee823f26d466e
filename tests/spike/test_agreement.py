"""The interpreter, generated Python, Z3's formulas and packed native states say the same of guards and next states."""

from __future__ import annotations

import random

import pytest

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.native import Native
from fairdeal.spec.language import terms
from fairdeal.spec.spit import SPIT

from tests.spike.games import (
    ENDINGS,
    EXPLORED,
    ROUND,
    apply,
    is_null,
    lawful,
    reported,
    small,
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
