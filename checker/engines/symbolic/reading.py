"""Reading terms: what a recorded term means on a symbolic table, for one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import z3

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.numbers import (
    CARDS,
    NO,
    NOTHING,
    YES,
    Number,
    below,
    conj,
    disj,
    either,
    minus,
    neg,
    number,
    plus,
    rank,
    same,
    total,
)
from fairdeal.checker.engines.symbolic.sets import Masks
from fairdeal.checker.engines.symbolic.zones import Heaped, Stack
from fairdeal.spec.language.terms import NO_CARD, Term

if TYPE_CHECKING:
    from fairdeal.checker.engines.symbolic.model import Z3Terms

Key = tuple[str, tuple[int, ...]]
Symbolic = dict[Key, Any]
"""A table: a `Number` or condition for each cell, a `Stack`, a `Pile` or a set for each zone."""
Values = Mapping[str, Any]
"""What a line states: a `Number`, condition or int for each choice and report; for a row a tuple of cards from the
bottom up, or `Heaped` where neither order nor length are known."""


class Reading:
    """Translates terms over one state and one line; each term once.

    ``after`` is the table that a `next` term means: the one that the line leads to.
    """

    def __init__(
        self,
        engine: Z3Terms,
        state: Symbolic,
        values: Values,
        after: Symbolic | None = None,
        looked_at: set[Key] | None = None,
    ) -> None:
        self.looked_at = looked_at
        self.engine, self.state, self.values, self.sets = engine, state, values, engine.sets
        self._after = Reading(engine, after, values) if after is not None else None
        self._done: dict[Term, Any] = {}

    def value(self, term: Term) -> Any:
        """The meaning of a term: a `Number`, a condition, or a set of cards."""
        found = self._done.get(term)
        if found is None:
            found = self._done[term] = self._value(term)
        return found

    def place(self, name: str, index: tuple[Term, ...]) -> list[tuple[z3.BoolRef, Key]]:
        """Where an index can point."""
        return self.engine.places(name, [self.value(term) for term in index])

    def row(self, term: Term) -> Stack | Heaped:
        """The cards of a row that the line states, from its top, the last one named, down; or without order.

        Raises:
            NotSupported: the line does not state it.
        """
        assert isinstance(term.value, tuple)
        name, part = term.value
        stated = self.values.get(name)
        row = stated
        if part is not None and isinstance(stated, tuple):
            row = stated[part] if part < len(stated) else ()
        if isinstance(row, (Stack, Heaped)):
            return row
        if not isinstance(row, tuple):
            raise NotSupported(f"row {name}: give it as a tuple of cards, or as a stack where its length is open")
        cards = tuple(number(card) if isinstance(card, int) else card for card in row)
        return Stack(cards[::-1], number(len(cards)))

    def zone(self, name: str, index: tuple[Term, ...]) -> Any:
        """What lies at an index, merged over the places where it can point."""
        found = self.place(name, index)
        if self.looked_at is not None:
            self.looked_at.update(key for _, key in found)
        value = self.state[found[-1][1]]
        for condition, key in found[-2::-1]:
            value = zones.pick(condition, self.state[key], value)
        return value

    def _value(self, term: Term) -> Any:
        args = term.args
        match term.op:
            case "const":
                assert isinstance(term.value, int)
                if term.sort.kind == "bool":
                    return YES if term.value else NO
                return self.sets.constant(term.value) if term.sort.kind == "cards" else number(term.value)
            case "param":
                return self._stated(term)
            case "option":
                return self.engine.options[str(term.value)]
            case "cell":
                return self.zone(str(term.value), args)
            case "and":
                return conj(self.value(arg) for arg in args)
            case "or":
                return disj(self.value(arg) for arg in args)
            case "not":
                return neg(self.value(args[0]))
            case "ite":
                return either(*(self.value(arg) for arg in args))
            case "eq":
                return self._equal(*args)
            case "lt":
                return below(self.value(args[0]), self.value(args[1]))
            case "add":
                return plus(self.value(args[0]), self.value(args[1]))
            case "sub":
                return minus(self.value(args[0]), self.value(args[1]))
            case "rank":
                return rank(self.value(args[0]))
            case "next":
                if self._after is None:
                    raise NotSupported("next(...) means the table after a line, and here is none")
                return self._after.value(args[0])
        return self._of_cards(term)

    def _of_cards(self, term: Term) -> Any:
        args, sets = term.args, self.sets
        match term.op:
            case "size":
                return zones.size_of(sets, self.zone(str(term.value), args))
            case "top":
                return zones.top_of(self.zone(str(term.value), args))
            case "cards":
                return zones.cards_of(sets, self.zone(str(term.value), args))
            case "union":
                return sets.union(self.value(args[0]), self.value(args[1]))
            case "common":
                return sets.common(self.value(args[0]), self.value(args[1]))
            case "member":
                return sets.holds(self.value(args[1]), self.value(args[0]))
            case "listed":
                assert isinstance(term.value, tuple)
                return sets.listed(self.value(args[0]), term.value)
            case "weight":
                assert isinstance(term.value, tuple)
                return sets.weight(self.value(args[0]), term.value)
            case "count":
                return sets.count(self.value(args[0]))
            case "length":
                return self.row(args[0]).size
            case "named":
                return self._named(args)
            case "stranger" | "repeated":
                cards, marked = self._marked(term)
                result = NOTHING
                for card, condition in zip(reversed(cards), reversed(marked), strict=True):
                    result = either(condition, card, result)
                return result
        raise NotSupported(f"no Z3 for {term.op}: {term!r}")

    def _equal(self, left: Term, right: Term) -> z3.BoolRef:
        """Equality; that no card is marked, or that nothing lies in a bag, is said without saying which or how many."""
        if right.op == "const" and left.op in ("stranger", "repeated") and right.value == NO_CARD:
            rows = left.args[left.op == "stranger" :]
            if any(isinstance(self.row(one), Heaped) for one in rows):
                return self._all_known(left) if left.op == "stranger" else self._each_once(left)
            return conj(neg(mark) for mark in self._marked(left)[1])
        if right.op == "const" and right.value == 0 and left.op == "size":
            return zones.is_bare(self.sets, self.zone(str(left.value), left.args))
        one, two = self.value(left), self.value(right)
        if isinstance(one, Number):
            return same(one, two)
        if left.sort.kind == "cards":
            return self.sets.equal(one, two)
        return _agree(one, two)

    def _all_known(self, term: Term) -> z3.BoolRef:
        """Whether the cards of rows are all in a set."""
        rest = self.sets.without(self._named(term.args[1:]), self.value(term.args[0]))
        return self.sets.bare(rest)

    def _each_once(self, term: Term) -> z3.BoolRef:
        """Whether rows without order name each card once: then they have as many entries as cards."""
        rows = [self.row(one) for one in term.args]
        entries = total(row.size for row in rows)
        return self.sets.apart([self._cards(row) for row in rows], entries)

    def _named(self, rows: Iterable[Term]) -> Any:
        stated = [self.row(row) for row in rows]
        cards = reduce(self.sets.union, (self._cards(row) for row in stated), self.sets.empty)
        if self.engine.counted and isinstance(self.sets, Masks):
            self.sets.counts[cards.get_id()] = cards, total(row.size for row in stated)
        return cards

    def _cards(self, row: Stack | Heaped) -> Any:
        return row.cards if isinstance(row, Heaped) else self.sets.of(row.cards)

    def _marked(self, term: Term) -> tuple[Sequence[Number], Sequence[z3.BoolRef]]:
        """The cards of rows in the order of reading, and which of them are strangers, or were named before."""
        if term.op == "stranger":
            among = self.value(term.args[0])
            cards = self._stated_cards(term.args[1:])
            return cards, [conj([_there(card), neg(self.sets.holds(among, card))]) for card in cards]
        cards = self._stated_cards(term.args)
        return cards, [
            conj([_there(card), disj(same(card, one) for one in cards[:at])]) for at, card in enumerate(cards)
        ]

    def _stated(self, term: Term) -> Any:
        value = self.values[str(term.value)]
        if isinstance(value, int):
            return (YES if value else NO) if term.sort.kind == "bool" else number(value)
        return value

    def _stated_cards(self, rows: Iterable[Term]) -> list[Number]:
        stated = [self.row(row) for row in rows]
        if any(isinstance(row, Heaped) for row in stated):
            raise NotSupported("which card is named twice or is strange cannot be told of a row without order")
        return [card for row in stated for card in reversed(row.cards)]


def _there(card: Number) -> z3.BoolRef:
    return neg(same(card, NOTHING)) if card.high >= CARDS else YES


def _agree(one: z3.BoolRef, two: z3.BoolRef) -> z3.BoolRef:
    for left, right in ((one, two), (two, one)):
        if z3.is_true(left):
            return right
        if z3.is_false(left):
            return neg(right)
    return YES if one.eq(two) else one == two
