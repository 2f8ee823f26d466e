"""The engines agree with the interpreter, on generated games, on random events, and where cards are hidden.

``FAIRDEAL_DIFFERENTIAL`` multiplies how much is compared; ``python -m tests.engines.differential`` does it at length.
"""

from __future__ import annotations

import os
from itertools import islice
from random import Random

import pytest

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import copy
from fairdeal.checker.engines.python_source import FAILED
from fairdeal.spec.cards import UNKNOWN
from fairdeal.spec.games import MODULES, model_named

from tests.engines.differential import (
    WILD,
    Tally,
    compare,
    compare_events,
    compare_games,
    compare_hidden,
    compare_listing,
    hide,
)
from tests.engines.walking import assignments, engines, random_event, walk

SIZE = float(os.environ.get("FAIRDEAL_DIFFERENTIAL", "1"))
every_game = pytest.mark.parametrize("game", list(MODULES))


def scaled(count: int) -> int:
    return max(1, round(count * SIZE))


@every_game
def test_generated_games(game: str) -> None:
    tally = compare_games(game, "games", scaled(4))
    assert tally.differences == []
    assert tally.counts["games"] == scaled(4)


@every_game
def test_random_events_under_some_assignments_of_options(game: str) -> None:
    every = assignments(model_named(game))
    some = [*every[:3], *Random("options").sample(every[3:], min(len(every) - 3, scaled(5)))]
    tally = compare_events(game, "events", scaled(800), some)
    assert tally.differences == []
    assert min(tally.counts["lawful"], tally.counts["unlawful"], tally.counts["listings"]) > 0
    assert 0 < tally.counts["of them left open"] < tally.counts["guards with cards hidden"]


@every_game
def test_listings(game: str) -> None:
    tally, each = Tally(), engines(game, "standard", ())
    for state, *_ in islice(walk(each, Random("listings"), wild=WILD), 0, scaled(300), 12):
        compare_listing(each, state, tally)
    assert tally.differences == []


# ---------------------------------------------------------------- the comparison itself finds what it is meant to


@every_game
def test_a_wrong_guard_would_be_found(game: str) -> None:
    tally, each, random = Tally(), engines(game, "standard", ()), Random("wrong")
    true = each.interpreter.guards
    state, event, values = next(walk(each, random))
    try:
        each.interpreter.guards = lambda *asked: [not one for one in true(*asked)]  # type: ignore[method-assign]
        compare(each, event, state, values, tally)
    finally:
        each.interpreter.guards = true  # type: ignore[method-assign]
    assert tally.differences


@every_game
def test_hiding_every_card_leaves_something_open_and_decides_nothing_wrongly(game: str) -> None:
    tally, each, random = Tally(), engines(game, "standard", ()), Random("hidden")
    for state, event, values in islice(walk(each, random), 0, scaled(200), 4):
        compare_hidden(each, random, event, state, values, tally)
    assert tally.differences == []
    assert tally.counts["of them left open"] > 0


@every_game
def test_hiding_leaves_the_true_state_alone(game: str) -> None:
    each, random = engines(game, "standard", ()), Random("alone")
    for state, *_ in islice(walk(each, random), 0, 60, 6):
        before = copy(state)
        hide(each, random, state)
        assert state == before


@every_game
def test_random_events_are_of_every_kind(game: str) -> None:
    each, random = engines(game, "standard", ()), Random("kinds")
    state, *_ = next(islice(walk(each, random), 40, None))
    names = {random_event(each, random, state)[0].name for _ in range(400)}
    assert names == set(each.game.events)


@every_game
def test_what_the_walk_proposes_is_lawful(game: str) -> None:
    each = engines(game, "standard", ())
    for state, event, values in islice(walk(each, Random("lawful")), 100):
        choices = tuple(values[one.name] for one in event.choices)
        assert each.steps.probe(event, choices)(state, each.argument(event, values)) != FAILED


def test_a_card_that_is_named_twice_may_be_one_hidden_card() -> None:
    each = engines("queen-city-rum", "standard", ())
    discard, state = each.game.events["discard"], each.layout.initial()
    state[each.layout.position["hand", (0,)]] = bags.put(0, UNKNOWN)
    (held,) = [guard for guard in discard.guards if "is not in" in guard.template]
    assert each.interpreter.value(held.condition, state, {"player": 0, "cards": (26, 26)})
    assert each.interpreter.value(held.condition, state, {"player": 0, "cards": (26, 27)}) is False
