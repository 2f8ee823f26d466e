"""Zones as Z3 terms: a stack from its top down, and a pile that is seen through its top, its size and its set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import z3

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.symbolic.numbers import (
    CARDS,
    NOTHING,
    YES,
    Number,
    below,
    clipped,
    conj,
    disj,
    either,
    minus,
    neg,
    number,
    plus,
    same,
    unknown,
)
from fairdeal.checker.engines.symbolic.sets import Sets


@dataclass(frozen=True, slots=True)
class Stack:
    """The cards from the top down, `NO_CARD` below the last of them, and how many there are."""

    cards: tuple[Number, ...]
    size: Number


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile that is seen through its top, its size and its set; ``capacity`` is the most that it holds."""

    top: Number
    size: Number
    cards: Any
    capacity: int = CARDS
    bag: bool = False
    """It is a bag that is counted, and shows no top."""


@dataclass(frozen=True, slots=True)
class Heaped:
    """The cards of a row without their order: a set, and how many entries there are; a card may be named twice."""

    cards: Any
    size: Number


def pick(condition: z3.BoolRef, then: Any, otherwise: Any) -> Any:
    """One of two values of the same kind: numbers, conditions, sets, stacks or piles."""
    if z3.is_true(condition) or then is otherwise:
        return then
    if z3.is_false(condition):
        return otherwise
    if isinstance(then, Stack):
        pairs = zip(then.cards, otherwise.cards, strict=True)
        return Stack(tuple(either(condition, *pair) for pair in pairs), either(condition, then.size, otherwise.size))
    if isinstance(then, Pile):
        top, size = either(condition, then.top, otherwise.top), either(condition, then.size, otherwise.size)
        return replace(then, top=top, size=size, cards=either(condition, then.cards, otherwise.cards))
    return either(condition, then, otherwise)


def size_of(sets: Sets, zone: Any) -> Number:
    """How many cards lie in a zone."""
    return zone.size if isinstance(zone, (Stack, Pile)) else sets.count(zone)


def is_bare(sets: Sets, zone: Any) -> z3.BoolRef:
    """Whether no card lies in a zone."""
    return same(zone.size, number(0)) if isinstance(zone, (Stack, Pile)) else sets.bare(zone)


def top_of(zone: Any) -> Number:
    """The card on top of a stack or pile."""
    return zone.cards[0] if isinstance(zone, Stack) else zone.top


def cards_of(sets: Sets, zone: Any) -> Any:
    """The set of the cards that lie in a zone."""
    return sets.of(zone.cards) if isinstance(zone, Stack) else zone.cards if isinstance(zone, Pile) else zone


def emptied(sets: Sets, zone: Any) -> Any:
    """The zone without cards."""
    if isinstance(zone, Stack):
        return Stack(tuple(NOTHING for _ in zone.cards), number(0))
    return replace(zone, top=NOTHING, size=number(0), cards=sets.empty) if isinstance(zone, Pile) else sets.empty


def without_top(sets: Sets, zone: Any, name: str) -> Any:
    """A stack or pile without its top; an empty one stays as it is. What a pile shows then is an unknown."""
    fewer = clipped(minus(zone.size, number(1)), 0, zone.size.high)
    size = either(same(zone.size, number(0)), number(0), fewer)
    if isinstance(zone, Stack):
        return Stack((*zone.cards[1:], NOTHING), size)
    cards = sets.without(zone.cards, sets.of([zone.top]))
    return replace(zone, top=some_top(sets, cards, size, name), size=size, cards=cards)


def some_top(sets: Sets, cards: Any, size: Number, name: str) -> Number:
    """Some card of a set to lie on top, no card where the pile is empty."""
    top, known = unknown(name, 0, CARDS)
    pile = Pile(top, size, cards)
    sets.facts += [known, consistent(sets, pile)]
    return top


def with_card(sets: Sets, zone: Any, card: Number) -> Any:
    """A zone with one more card; from a full stack the lowest falls, which `room` rules out."""
    if isinstance(zone, Stack):
        return Stack((card, *zone.cards[:-1]), clipped(plus(zone.size, number(1)), 0, len(zone.cards)))
    if isinstance(zone, Pile):
        size = clipped(plus(zone.size, number(1)), 0, zone.capacity)
        return replace(
            zone, top=NOTHING if zone.bag else card, size=size, cards=sets.union(zone.cards, sets.of([card]))
        )
    return sets.union(zone, sets.of([card]))


def more(sets: Sets, bag: Any, cards: Any, size: Number) -> Any:
    """A bag with more cards; ``size`` is how many there are, which a bag that is counted needs: all together fit."""
    if isinstance(bag, Pile):
        whole = plus(bag.size, size)
        sets.facts.append(neg(below(number(bag.capacity), whole)))
        return replace(bag, cards=sets.union(bag.cards, cards), size=clipped(whole, 0, bag.capacity))
    return sets.union(bag, cards)


def fewer(sets: Sets, bag: Any, cards: Any, size: Number) -> Any:
    """A bag without some of its cards."""
    if isinstance(bag, Pile):
        rest = clipped(minus(bag.size, size), 0, bag.capacity)
        return replace(bag, cards=sets.without(bag.cards, cards), size=rest)
    return sets.without(bag, cards)


def joined(sets: Sets, upper: Stack | Heaped, zone: Any, name: str) -> Any:
    """A zone with a run of cards on top; which of them is uppermost is an unknown where it has no order.

    Raises:
        NotSupported: a run without order cannot lie in a stack, whose places show every card.
    """
    added = sets.of(upper.cards) if isinstance(upper, Stack) else upper.cards
    if isinstance(zone, Stack):
        if isinstance(upper, Heaped):
            raise NotSupported("cards without order on a stack: build the engine with piles")
        return concatenated(upper, zone)
    if not isinstance(zone, Pile):
        return sets.union(zone, added)
    if isinstance(upper, Stack):
        top = upper.cards[0] if upper.cards else NOTHING
    else:
        top = some_top(sets, upper.cards, upper.size, name)
    size = clipped(plus(zone.size, upper.size), 0, zone.capacity)
    shown = either(same(upper.size, number(0)), zone.top, top)
    return replace(zone, top=shown, size=size, cards=sets.union(zone.cards, added))


def concatenated(upper: Stack, lower: Stack) -> Stack:
    """One stack on another; what does not fit falls off at the bottom."""
    room = len(lower.cards)
    size = clipped(plus(upper.size, lower.size), 0, room)
    if upper.size.low == upper.size.high:
        return Stack((*upper.cards[: upper.size.low], *lower.cards)[:room], size)
    shifted = shifted_down([*lower.cards, *[NOTHING] * max(0, len(upper.cards) - room)], upper.size)
    cards = [*upper.cards, *[NOTHING] * room][:room]
    return Stack(tuple(_first(*pair) for pair in zip(cards, shifted[:room], strict=True)), size)


def _first(card: Number, otherwise: Number) -> Number:
    shown: Number = either(same(card, NOTHING), otherwise, card)
    return shown


def shifted_down(cards: list[Number], places: Number) -> list[Number]:
    """The cards so many places further down, `NO_CARD` above them."""
    for bit in range(places.bits.size()):
        step, moves = 1 << bit, z3.Extract(bit, bit, places.bits) == 1
        later = [NOTHING] * min(step, len(cards)) + cards[: max(0, len(cards) - step)]
        cards = [either(z3.simplify(moves), one, two) for one, two in zip(later, cards, strict=True)]
    return cards


def reversed_stack(stack: Stack) -> Stack:
    """The stack with its lowest card on top."""
    capacity = len(stack.cards)
    gap = clipped(minus(number(capacity), stack.size), 0, capacity)
    cards = list(stack.cards[::-1])
    for bit in range(gap.bits.size()):
        step, moves = 1 << bit, z3.simplify(z3.Extract(bit, bit, gap.bits) == 1)
        earlier = cards[min(step, capacity) :] + [NOTHING] * min(step, capacity)
        cards = [either(moves, one, two) for one, two in zip(earlier, cards, strict=True)]
    return Stack(tuple(cards), stack.size)


def room(zone: Any, size: Number) -> z3.BoolRef:
    """Whether so many cards more fit a zone; where a whole pack has room, different cards always do."""
    if isinstance(zone, (Stack, Pile)):
        capacity = len(zone.cards) if isinstance(zone, Stack) else zone.capacity
        return YES if capacity >= CARDS else neg(below(number(capacity), plus(zone.size, size)))
    return YES


def consistent(sets: Sets, zone: Any) -> z3.BoolRef:
    """What ties a zone's parts together: a stack's size to its places, a pile's size and top to its set.

    It is true of every pile of different cards: its set has as many cards as its size says, and the top is one of them.
    """
    if isinstance(zone, Stack):
        filled = [neg(same(card, NOTHING)) for card in zone.cards]
        reach = [below(number(at), zone.size) for at in range(len(zone.cards))]
        return conj(one == two for one, two in zip(filled, reach, strict=True))
    if isinstance(zone, Pile):
        empty = same(zone.size, number(0))
        if zone.bag:
            return empty == sets.bare(zone.cards) if not z3.is_bool(zone.cards) else neg(conj([empty, zone.cards]))
        bare = same(zone.top, NOTHING)
        in_view = sets.in_view(zone.top)
        top = disj([bare, neg(in_view), sets.holds(zone.cards, zone.top)])
        if not z3.is_bool(zone.cards):
            return conj([empty == bare, top, empty == sets.bare(zone.cards)])
        beneath = conj([zone.cards, neg(in_view)])
        only = neg(conj([beneath, same(zone.size, number(1))]))
        return conj([empty == bare, top, only, neg(conj([empty, zone.cards]))])
    return YES
