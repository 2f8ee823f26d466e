"""Bounds of numbers that unknown cards leave open, against the values that each completion of the table has."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.bounds import Bounds, Span
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import DECK, State, copy
from fairdeal.spec.cards import UNKNOWN
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.terms import Term
from fairdeal.spec.queen_city_rum import RUM
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS
from fairdeal.spec.queen_city_rum.table import Phase

OPTIONS: list[dict[str, str]] = [
    {},
    {"low_ace": "1"},
    {"melds_score": "goer", "bonus": "game"},
    {"deduct": "true"},
    {"tie": "shared", "target": "60"},
]
EVENTS = ("score", "win", "tie", "round")


def table(run: Interpreter, random: Random) -> State:
    """A round that is over: three melds, the loser's hand, and all other cards in the draw pile."""
    state, at = run.layout.initial(), run.layout.position
    left, laid = DECK, [0, 0]
    for number in range(1, 4):
        mask = random.choice([one for one in (*SETS, *RUNS) if not one & ~left])
        state[at["meld", (number,)]] = mask
        laid[random.randrange(2)] |= mask
        left &= ~mask
    hand = bags.put_all(0, random.sample(list(bags.cards(left)), random.randint(1, 10)))
    goer = random.randrange(2)
    state[at["hand", (1 - goer,)]], state[at["pool", ()]], state[at["deck", ()]] = hand, left & ~hand, 0
    for player in range(2):
        state[at["laid", (player,)]] = laid[player]
        state[at["total", (player,)]] = random.randrange(101)
        state[at["total_known", (player,)]] = True
        state[at["out", (player,)]] = player == goer
    state[at["phase", ()]], state[at["round", ()]] = int(Phase.DRAW), 1
    for suit in range(4):
        state[at["low", (suit,)]] = random.random() < 0.5
    return state


def hidden(run: Interpreter, state: State, random: Random) -> tuple[State, list[tuple[int, int]]]:
    """The table without some cards of a hand and of melds, and all of the draw pile.

    For each card of a meld that is hidden, also the positions of the meld and of the cell that says for whom it counts.
    """
    blurred, on_table = copy(state), []
    laid = [run.layout.position["laid", (player,)] for player in range(2)]
    for (name, _), at in run.layout.position.items():
        if name not in ("hand", "pool", "meld"):
            continue
        cards = list(bags.cards(state[at]))
        some = random.sample(cards, len(cards) if name == "pool" else random.randint(0, min(3, len(cards))))
        blurred[at] = bags.put_all(0, [UNKNOWN if card in some else card for card in cards])
        for card in some if name == "meld" else ():
            owner = next(one for one in laid if state[one] >> card & 1)
            blurred[owner] = bags.put(blurred[owner] & ~(1 << card), UNKNOWN)
            on_table.append((at, owner))
    return blurred, on_table


def completions(run: Interpreter, state: State, on_table: list[tuple[int, int]], random: Random) -> list[State]:
    """Tables that the blurred one may stand for: some, and those with the dearest and the cheapest cards in the hand."""
    at = run.layout.position
    hand = next(at["hand", (player,)] for player in range(2) if state[at["hand", (player,)]])
    lying = sum(state[one] & bags.KNOWN for _, _, one in run.layout.zones() if isinstance(state[one], int))
    free = list(bags.cards(DECK & ~lying))
    count = bags.unknown(state[hand])
    by_worth = sorted(free, key=lambda card: 15 if card < 4 else min(card // 4 + 1, 10))
    orders = [by_worth, by_worth[::-1], *(random.sample(free, len(free)) for _ in range(40))]
    aces = [card for card in free if card < 4]
    orders += [[*others[:count], *aces, *others[count:]] for others in [[one for one in free if one >= 4]]]
    found = []
    for order in orders:
        whole = copy(state)
        whole[hand] = bags.put_all(state[hand] & bags.KNOWN, order[:count])
        for one in {place for places in on_table for place in places}:
            whole[one] &= bags.KNOWN
        for card, places in zip(order[count:], on_table, strict=False):
            for one in places:
                whole[one] |= 1 << card
        whole[at["pool", ()]] = bags.put_all(0, order[count + len(on_table) :])
        found.append(whole)
    return found


def numbers(guard: Guard) -> list[Term]:
    """The numbers that a guard speaks of."""
    return [one for one in terms.subterms(guard.condition) if one.sort.kind == "int" and one.op != "option"]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_completion_lies_outside(options: dict[str, str]) -> None:
    run = Interpreter(RUM, RUM.bind("standard", options))
    random, tight, decided = Random(str(options)), 0, 0
    for _ in range(12):
        blurred, on_table = hidden(run, table(run, random), random)
        wholes = completions(run, blurred, on_table, random)
        for event in map(RUM.events.__getitem__, EVENTS):
            values: dict[str, Any] = {"player": random.randrange(2), "first": 0, "number": 2}
            values |= {"points": random.randrange(250), "total": random.randrange(350)}
            for guard in event.guards:
                for number in numbers(guard):
                    span = Bounds(run, blurred, values).of(number)
                    found = {run.value(number, whole, values) for whole in wholes}
                    if span is not None:
                        assert all(span.low <= value <= span.high for value in found), number
                        tight += span.low < span.high and {span.low, span.high} <= found
                known = run.value(guard.condition, blurred, values)
                if known is not None:
                    assert {run.value(guard.condition, whole, values) for whole in wholes} == {known}, guard.template
                run.bounding = False
                decided += known is not None and run.value(guard.condition, blurred, values) is None
                run.bounding = True
            after = copy(blurred)
            run.apply(event, after, values)
            for whole in wholes:
                run.apply(event, whole, values)
                for (name, index), at in run.layout.position.items():
                    if isinstance(after[at], Span):
                        assert after[at].low <= whole[at] <= after[at].high, (name, index)
            wholes = completions(run, blurred, on_table, random)
    assert tight
    assert decided
