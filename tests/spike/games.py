"""Games of Spit for the tests of back ends: seeded, played by the interpreter, and small starts for exploring."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State, copy
from fairdeal.spec.language.game import Event
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.play import BLOCKED
from fairdeal.spec.spit.table import Player, Table

E = SPIT.events
ROUND = ("play", "flip", "move", "spit", "stuck")
TABLE = Table()
EXPLORED = [
    (E["play"], None),
    (E["flip"], None),
    (E["move"], lambda player, slot, target: TABLE.stock[player, slot].size > 1),
    (E["spit"], None),
]
ENDINGS = {
    "A": TABLE.finished[Player.A].term,
    "B": TABLE.finished[Player.B].term,
    "blocked": BLOCKED.term,
}


def choices(event: Event) -> list[dict[str, int]]:
    """Every combination of an event's choices, by name."""
    names = [one.name for one in event.choices]
    return [dict(zip(names, made, strict=True)) for made in product(*(one.sort.values for one in event.choices))]


def reported(run: Interpreter, event: Event, state: State, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with every report at what the state has."""
    result = dict(values)
    for guard in event.guards:
        if guard.reports and guard.value is not None and guard.reports not in result:
            result[guard.reports] = run.value(guard.value, state, result)
    return result


def lawful(run: Interpreter, state: State, names: tuple[str, ...] = ROUND) -> list[tuple[Event, dict[str, Any]]]:
    """Every lawful event without rows, by the interpreter."""
    found = [(E[name], reported(run, E[name], state, made)) for name in names for made in choices(E[name])]
    return [(event, values) for event, values in found if run.holds(event, state, values)]


def apply(run: Interpreter, event: Event, state: State, values: Mapping[str, Any]) -> State:
    """The next state."""
    after = copy(state)
    run.apply(event, after, values)
    return after


def dealt(run: Interpreter, chance: random.Random) -> Iterator[State]:
    """The states from an empty table to two dealt layouts."""
    state = run.layout.initial()
    yield state
    state = apply(run, E["round"], state, {"number": 1})
    yield state
    deck = list(range(52))
    chance.shuffle(deck)
    for player in Player:
        mine = deck[26 * player : 26 * player + 26]
        stocks = tuple(
            tuple(mine[first : first + size]) for size, first in zip(range(1, 6), (0, 1, 3, 6, 10), strict=True)
        )
        values = {"player": int(player), "stocks": stocks, "spit": tuple(mine[15:])}
        assert run.holds(E["deal"], state, values)
        state = apply(run, E["deal"], state, values)
        yield state


def walk(run: Interpreter, seed: int, most: int = 200) -> Iterator[State]:
    """The states of one round, played at random."""
    chance = random.Random(seed)
    state: State = []
    for state in dealt(run, chance):
        yield state
    for _ in range(most):
        found = lawful(run, state)
        if not found:
            return
        plays = [one for one in found if one[0].name == "play"]
        event, values = chance.choice(plays if plays and chance.random() < 0.6 else found)
        state = apply(run, event, state, values)
        yield state


def small(run: Interpreter, seed: int, heights: tuple[int, ...], spit: int) -> State:
    """A table after the first spit, with only the topmost stock cards and few spit cards left."""
    chance = random.Random(seed)
    state = list(dealt(run, chance))[-1]
    at = run.layout.position
    for player in Player:
        hand = state[at["spit", (player,)]]
        values = {"player": int(player), "pile": player + 1, "card": hand[-1]}
        assert run.holds(E["spit"], state, values)
        state = apply(run, E["spit"], state, values)
    for player in Player:
        for slot, height in enumerate(heights, 1):
            stock = state[at["stock", (player, slot)]]
            del stock[: len(stock) - height]
            state[at["up", (player, slot)]] = int(height > 0)
        del state[at["spit", (player,)]][: -spit or None]
    return state


def is_null(run: Interpreter, event: Event, state: State, values: Mapping[str, Any]) -> bool:
    """Whether it moves the only card of a stock."""
    return event.name == "move" and len(state[run.layout.position["stock", (values["player"], values["slot"])]]) == 1
