"""Bounds: between which numbers the value of a term lies that unknown cards leave open.

Nothing of a game's rules is repeated here: the terms are those that the interpreter walks. A number is read as a sum
of parts, of which those that occur twice cancel; each part that is not known has a least and a greatest value, whatever
the unknown cards are. Parts are bounded apart from one another, so the bounds may be wider than need be, and never
narrower.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import DECK, State
from fairdeal.spec.cards import RANKS, rank_of
from fairdeal.spec.language.terms import Term

if TYPE_CHECKING:
    from fairdeal.checker.engines.interpreter import Interpreter

HIGHEST_RANK = len(RANKS) - 1


class Span(NamedTuple):
    """A number that is not known, and between which two it lies, both included."""

    low: int
    high: int


Sum = tuple[int, Counter[Term]]
"""A known number, and how often each part that is not known is added to it."""


class Bounds:
    """Bounds of terms on one table, for one line."""

    def __init__(self, run: Interpreter, state: State, values: Mapping[str, Any]) -> None:
        self.run, self.state, self.values = run, state, values

    def of(self, *terms: Term) -> Span | None:
        """The bounds of a number, or of the first of two less the second; ``None`` where nothing is known of it."""
        known, parts = self._sum(*terms)
        low = high = known
        for part, times in parts.items():
            span = self._part(part) if times else Span(0, 0)
            if span is None:
                return None
            ends = sorted((times * span.low, times * span.high))
            low, high = low + ends[0], high + ends[1]
        return Span(low, high)

    def one_sided(self, term: Term) -> bool:
        """Whether a number is a sum to which all that is not known is added, so that its bounds cannot mislead."""
        return all(times >= 0 for times in self._sum(term)[1].values())

    def _sum(self, *terms: Term) -> Sum:
        """A number as a sum, or the first of two less the second."""
        known, parts = 0, Counter[Term]()
        for sign, term in zip((1, -1), terms, strict=False):
            number, found = self._read(term)
            known += sign * number
            for part, times in found.items():
                parts[part] += sign * times
        return known, parts

    def _read(self, term: Term) -> Sum:
        value = self.run.value(term, self.state, self.values)
        if value is not None:
            return int(value), Counter()
        if term.op == "add":
            left, right = (self._read(part) for part in term.args)
            return left[0] + right[0], Counter({one: left[1][one] + right[1][one] for one in [*left[1], *right[1]]})
        if term.op == "sub":
            return self._sum(*term.args)
        if term.op == "ite":
            chosen = self.run.value(term.args[0], self.state, self.values)
            if chosen is not None:
                return self._read(term.args[1 if chosen else 2])
        return 0, Counter([term])

    def _part(self, term: Term) -> Span | None:
        match term.op:
            case "cell":
                held = self.state[self.run.position(str(term.value), term.args, self.state, self.values)]
                return held if isinstance(held, Span) else None
            case "ite":
                ways = [self.of(way) for way in term.args[1:]]
                found = [way for way in ways if way is not None]
                if len(found) < len(ways):
                    return None
                return Span(min(way.low for way in found), max(way.high for way in found))
            case "rank":  # of a card; what may be none is not known at all
                card = self.run.value(term.args[0], self.state, self.values)
                return None if card is None else Span(0, HIGHEST_RANK)
            case "weight":
                return self._weight(term)
            case "count":
                return self._count(term.args[0])
        return None

    def _weight(self, term: Term) -> Span | None:
        cards = self.run.value(term.args[0], self.state, self.values)
        if cards is None:
            return None
        worth = term.value
        assert isinstance(worth, tuple)
        ranks = [rank_of(code) for code in bags.cards(cards)]
        known = sum(worth[rank] for rank in ranks if rank is not None)
        hidden = ranks.count(None)
        elsewhere = cards & bags.KNOWN
        if term.args[0].op == "cards":  # of a place, where no card is that lies elsewhere
            elsewhere |= self._lying()
        free = sorted(worth[code // 4] for code in bags.cards(DECK & ~elsewhere))
        if hidden > len(free):
            return None
        return Span(known + sum(free[:hidden]), known + sum(free[len(free) - hidden :]))

    def _count(self, term: Term) -> Span | None:
        if term.op != "common":
            return None
        sides = [self.run.value(side, self.state, self.values) for side in term.args]
        for one, other in (sides, sides[::-1]):
            if one is not None and other is not None and not bags.unknown(other):
                sure = (one & other & bags.KNOWN).bit_count()
                room = (other & ~one & bags.KNOWN).bit_count()
                return Span(sure, sure + min(room, bags.unknown(one)))
        return None

    def _lying(self) -> int:
        """The cards that are known to lie somewhere."""
        found = 0
        for _, _, at in self.run.layout.zones():
            zone = self.state[at]
            found |= bags.put_all(0, set(zone)) if isinstance(zone, list) else zone
        return found & bags.KNOWN
