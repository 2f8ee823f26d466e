"""Sets of cards as Z3 terms, in two ways: exactly, as masks of 52 bits, or as whether one arbitrary card is in them.

The second way is for proofs about every single card: it forgets the other cards, so that it allows more than can
happen. What is proved of it holds; what is refuted has to be looked at exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations
from typing import Any, Protocol

import z3

from fairdeal.checker.engines.symbolic.numbers import (
    CARDS,
    NO,
    YES,
    Number,
    below,
    conj,
    disj,
    either,
    neg,
    number,
    same,
    total,
    unknown,
)


class Sets(Protocol):
    """What the back end asks of sets of cards; ``facts`` collects what holds of unknowns that it makes."""

    facts: list[z3.BoolRef]
    empty: Any

    def constant(self, mask: int) -> Any:
        """A known set."""

    def some(self, name: str) -> Any:
        """A set of which nothing is known."""

    def of(self, cards: Iterable[Number]) -> Any:
        """The set of some cards; no card adds nothing."""

    def union(self, left: Any, right: Any) -> Any:
        """The cards of both."""

    def common(self, left: Any, right: Any) -> Any:
        """The cards that are in both."""

    def without(self, left: Any, right: Any) -> Any:
        """The cards of the one that are not in the other."""

    def holds(self, cards: Any, card: Number) -> z3.BoolRef:
        """Whether the card is in the set."""

    def in_view(self, card: Number) -> z3.BoolRef:
        """Whether it is followed where the card is: claims are made of such cards alone."""

    def equal(self, left: Any, right: Any) -> z3.BoolRef:
        """Whether two sets are the same."""

    def bare(self, cards: Any) -> z3.BoolRef:
        """Whether the set is empty."""

    def apart(self, parts: Sequence[Any], entries: Number) -> z3.BoolRef:
        """Whether sets have no card in common and so many cards together."""

    def count(self, cards: Any) -> Number:
        """How many cards are in the set."""

    def weight(self, cards: Any, worth: Sequence[int]) -> Number:
        """What the cards are worth together, by rank."""

    def listed(self, cards: Any, table: Sequence[int]) -> z3.BoolRef:
        """Whether the set is one of a finite table of masks."""


class Masks:
    """Sets as vectors of 52 bits."""

    def __init__(self) -> None:
        self.facts: list[z3.BoolRef] = []
        self.empty: Any = z3.BitVecVal(0, CARDS)
        self.counts: dict[int, tuple[Any, Number]] = {}
        """Sets whose number of cards is taken as known, by the identity of their terms."""

    def constant(self, mask: int) -> Any:
        """A known set."""
        return z3.BitVecVal(mask & ((1 << CARDS) - 1), CARDS)

    def some(self, name: str) -> Any:
        """A set of which nothing is known."""
        return z3.BitVec(name, CARDS)

    def of(self, cards: Iterable[Number]) -> Any:
        """The set of some cards."""
        return reduce(self.union, (self._one(card) for card in cards), self.empty)

    def _one(self, card: Number) -> Any:
        if card.low == card.high:
            return self.constant(1 << card.low if card.low < CARDS else 0)
        return z3.BitVecVal(1, CARDS) << z3.ZeroExt(CARDS - card.bits.size(), card.bits)

    def union(self, left: Any, right: Any) -> Any:
        """The cards of both."""
        return right if left.eq(self.empty) else left if right.eq(self.empty) else left | right

    def common(self, left: Any, right: Any) -> Any:
        """The cards that are in both."""
        return self.empty if left.eq(self.empty) or right.eq(self.empty) else left & right

    def without(self, left: Any, right: Any) -> Any:
        """The cards of the one that are not in the other."""
        return left if left.eq(self.empty) or right.eq(self.empty) else left & ~right

    def holds(self, cards: Any, card: Number) -> z3.BoolRef:
        """Whether the card is in the set; no card is in none."""
        if card.low == card.high and card.low < CARDS:
            return z3.Extract(card.low, card.low, cards) == 1
        return NO if cards.eq(self.empty) else (cards & self._one(card)) != self.empty

    def in_view(self, card: Number) -> z3.BoolRef:
        """Every card is followed."""
        return YES

    def equal(self, left: Any, right: Any) -> z3.BoolRef:
        """Whether two sets are the same."""
        return YES if left.eq(right) else left == right

    def bare(self, cards: Any) -> z3.BoolRef:
        """Whether the set is empty."""
        return self.equal(cards, self.empty)

    def apart(self, parts: Sequence[Any], entries: Number) -> z3.BoolRef:
        """Whether sets have no card in common and so many cards together."""
        overlaps = [self.bare(self.common(*pair)) for pair in combinations(parts, 2)]
        return conj([*overlaps, same(self.count(reduce(self.union, parts, self.empty)), entries)])

    def count(self, cards: Any) -> Number:
        """How many cards are in the set."""
        if z3.is_bv_value(cards):
            return number(cards.as_long().bit_count())
        if cards.get_id() in self.counts:
            return self.counts[cards.get_id()][1]
        return total(Number(z3.Extract(at, at, cards), 0, 1) for at in range(CARDS))

    def weight(self, cards: Any, worth: Sequence[int]) -> Number:
        """What the cards are worth together, by rank."""
        return total(either(z3.Extract(at, at, cards) == 1, number(worth[at // 4]), number(0)) for at in range(CARDS))

    def listed(self, cards: Any, table: Sequence[int]) -> z3.BoolRef:
        """Whether the set is one of a finite table of masks."""
        return disj(self.equal(cards, self.constant(one)) for one in table)


class OneCard:
    """Sets as whether one arbitrary card is in them; what hangs on the other cards is an unknown of its own."""

    def __init__(self, card: Number) -> None:
        self.card = card
        self.facts: list[z3.BoolRef] = []
        self.empty: Any = NO
        self._made = 0

    def _name(self, what: str) -> str:
        self._made += 1
        return f"{what} {self._made}"

    def _maybe(self, what: str, *facts: Any) -> z3.BoolRef:
        """A condition of which only what follows from the one card is known: each fact is a function of it."""
        condition = z3.Bool(self._name(what))
        self.facts += [fact(condition) for fact in facts]
        return condition

    def constant(self, mask: int) -> Any:
        """A known set."""
        if mask & ((1 << CARDS) - 1) == (1 << CARDS) - 1:
            return YES
        return disj(same(self.card, number(code)) for code in range(CARDS) if mask >> code & 1)

    def some(self, name: str) -> Any:
        """A set of which nothing is known."""
        return z3.Bool(name)

    def of(self, cards: Iterable[Number]) -> Any:
        """The set of some cards."""
        return disj(same(card, self.card) for card in cards)

    def union(self, left: Any, right: Any) -> Any:
        """The cards of both."""
        return disj([left, right])

    def common(self, left: Any, right: Any) -> Any:
        """The cards that are in both."""
        return conj([left, right])

    def without(self, left: Any, right: Any) -> Any:
        """The cards of the one that are not in the other."""
        return conj([left, neg(right)])

    def holds(self, cards: Any, card: Number) -> z3.BoolRef:
        """Whether the card is in the set; of any other than the one card it is open."""
        if card is self.card:
            return cards
        other = self._maybe("holds")
        nothing = same(card, number(CARDS)) if card.high >= CARDS else NO
        return conj([neg(nothing), either(same(card, self.card), cards, other)])

    def in_view(self, card: Number) -> z3.BoolRef:
        """Whether it is the one card."""
        return same(card, self.card)

    def equal(self, left: Any, right: Any) -> z3.BoolRef:
        """Whether two sets are the same; if so, the card is in both or in neither."""
        return self._maybe("equal", lambda it: disj([neg(it), left == right]))

    def bare(self, cards: Any) -> z3.BoolRef:
        """Whether the set is empty; if so, the card is not in it."""
        return self._maybe("bare", lambda it: neg(conj([it, cards])))

    def apart(self, parts: Sequence[Any], entries: Number) -> z3.BoolRef:
        """Whether sets have no card in common and so many together; if so, the card is in one of them at most."""
        twice = disj(conj(pair) for pair in combinations(parts, 2))
        many = below(number(CARDS), entries)
        return self._maybe("apart", lambda it: neg(conj([it, disj([twice, many])])))

    def count(self, cards: Any) -> Number:
        """How many cards are in the set: one at least where the card is."""
        value, known = unknown(self._name("count"), 0, CARDS)
        self.facts += [known, neg(conj([cards, same(value, number(0))]))]
        return value

    def weight(self, cards: Any, worth: Sequence[int]) -> Number:
        """What the cards are worth together; open but for its range."""
        value, known = unknown(self._name("weight"), 0, 4 * sum(worth))
        self.facts.append(known)
        return value

    def listed(self, cards: Any, table: Sequence[int]) -> z3.BoolRef:
        """Whether the set is one of a table; if so, the card is in one of its sets where it is in this one."""
        every = reduce(lambda whole, one: whole | one, table, 0)
        return self._maybe("listed", lambda it: disj([neg(it), neg(cards), self.constant(every)]))
