"""States: what a search has found, read from its arrays, compiled or plain."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from fairdeal.checker.engines.native.model import Native
from fairdeal.checker.engines.native.packing import Words
from fairdeal.checker.engines.native.search import EXPANDED, before

PART = 1 << 22
"""States that are read at once where arrays are searched through."""

EIGHT_BITS = 255
Place = tuple[int, int]
"""Where a counter of a record is: its word, and its shift."""


class States:
    """The states of a search: their words, endings, and the ways to them, as far as it has come.

    With ``counting`` the ways to each state are counted; `length`, `farthest`, `loops`, `most` and `fewest` need that.
    """

    q: Any
    """The records, one after another."""
    marks: Any
    """For each state its endings once it was expanded."""

    def __init__(self, native: Native, *, counting: bool) -> None:
        self.native, self.counting, self.record = native, counting, native.record
        self.names = list(native.slice.endings)
        self.wide = native.record.whole if counting else native.record.plain
        """Words of a record."""
        self.head, self.count, self.arcs = 0, 1, 0
        """States that were expanded, states, and steps between them."""
        self._starts = [0]
        """Breadth first: the number of the first state of each depth."""
        self._counted: tuple[int, Counter[int]] = (-1, Counter())

    # ------------------------------------------------------------ endings

    def bits(self, names: Iterable[str]) -> int:
        """The endings of these names, as bits."""
        return sum(1 << self.names.index(name) for name in names)

    @property
    def dead(self) -> int:
        """The bit of states that no event leads on from, and that have no final ending."""
        return 1 << len(self.names)

    def endings(self) -> Counter[int]:
        """How many of the expanded states have which endings, as bits; the bit above all names is a dead state."""
        if self._counted[0] != self.head:
            counts: Counter[int] = Counter()
            for first in self._parts():
                counts.update(_histogram(self.marks[first : min(first + PART, self.count)]))
            counts = Counter({code - EXPANDED: number for code, number in counts.items() if code >= EXPANDED})
            self._counted = (self.head, counts)
        return self._counted[1]

    def number_of(self, mask: int, without: int = 0) -> int:
        """How many expanded states have one of these endings, and none of those ``without``."""
        return sum(number for code, number in self.endings().items() if code & mask and not code & without)

    def where(self, mask: int) -> Iterator[int]:
        """The expanded states with one of these endings, those found first coming first."""
        for part in self._where(mask):
            yield from map(int, part)

    def _where(self, mask: int) -> Iterator[Any]:
        """The same in arrays, none of them empty."""
        for first in self._parts():
            part = self.marks[first : min(first + PART, self.count)]
            found: Any
            if self.native.compiled:
                import numpy as np

                found = np.flatnonzero((part & mask != 0) & (part >= EXPANDED)) + first
            else:
                found = [first + at for at, mark in enumerate(part) if mark & mask and mark >= EXPANDED]
            if len(found) > 0:
                yield found

    # ------------------------------------------------------------ states and ways

    def state(self, number: int) -> Words:
        """The words of a state."""
        first = number * self.wide
        return tuple(int(self.q[first + at]) for at in range(self.record.words))

    def path(self, number: int, *, longest: bool = False) -> list[int]:
        """The states on the way to one, from the start: a shortest way of those that were seen, or a longest."""
        way = [number]
        while way[-1]:
            way.append(before(int(self.q[way[-1] * self.wide + self.record.words]), longest=longest))
        return way[::-1]

    def depth_of(self, state: int) -> int:
        """The fewest events to a state, on the ways that were seen; on all ways if the search is breadth first."""
        if self.counting:
            return int(self._values(self.record.shortest, [state])[0])
        return bisect_right(self._starts, state) - 1

    def by_depth(self, mask: int | None = None) -> tuple[int, ...]:
        """How many states are met first at each depth: all, or the expanded ones with one of these endings."""
        counts: Counter[int] = Counter()
        if self.counting:
            parts = self._columns(self.record.shortest)
            if mask is not None:
                parts = (self._values(self.record.shortest, part) for part in self._where(mask))
            for part in parts:
                counts.update(_histogram(part))
        elif mask is not None:
            counts.update(map(self.depth_of, self.where(mask)))
        else:
            starts = [one for one in self._starts if one < self.count]
            counts.update({at: end - one for at, (one, end) in enumerate(pairwise([*starts, self.count]))})
        return tuple(counts[depth] for depth in range(max(counts, default=-1) + 1))

    def length(self, state: int) -> int:
        """The most events on a way to a state."""
        return int(self._values(self.record.length, [state])[0])

    def nearest(self, mask: int) -> int | None:
        """A state with one of these endings to which a way is shortest, of those seen; ``None`` if there is none."""
        if not self.counting:
            return next(self.where(mask), None)
        return self._first(mask, self.record.shortest, longest=False)

    def farthest(self, mask: int) -> int | None:
        """A state with one of these endings to which a way is longest; ``None`` if there is none."""
        return self._first(mask, self.record.length, longest=True)

    def loops(self, mask: int) -> bool:
        """Whether a loop is on some way to a state with one of these endings."""
        return any(_most(self._values(self.record.loop, part)) for part in self._where(mask))

    def most(self, kind: int | None = None) -> int:
        """The most events of a kind on any way, or the most of all kinds together."""
        place = self.record.length if kind is None else self.record.most_of(kind)
        return max(map(_most, self._columns(place)))

    def fewest(self, mask: int, kind: int) -> int | None:
        """The fewest events of a kind on a way to a state with one of these endings; ``None`` if there is none."""
        place = self.record.fewest_of(kind)
        return min((_fewest(self._values(place, part)) for part in self._where(mask)), default=None)

    # ------------------------------------------------------------ arrays

    def _parts(self) -> range:
        return range(0, self.count, PART)

    def _columns(self, place: Place) -> Iterator[Any]:
        """A counter of all states, in parts."""
        for first in self._parts():
            yield self._values(place, range(first, min(first + PART, self.count)))

    def _values(self, place: Place, states: Any) -> Any:
        """A counter of some states."""
        word, shift = place
        if not self.native.compiled:
            return [self.q[state * self.wide + word] >> shift & EIGHT_BITS for state in states]
        import numpy as np

        if isinstance(states, range):
            column = self.q[states.start * self.wide + word : states.stop * self.wide : self.wide]
        else:
            column = self.q[np.asarray(states) * self.wide + word]
        return (column >> shift & EIGHT_BITS).astype(np.uint8)

    def _first(self, mask: int, place: Place, *, longest: bool) -> int | None:
        """The state found first of those with one of these endings whose counter is greatest, or least."""
        found, best = None, -1
        for part in self._where(mask):
            values = self._values(place, part)
            at = _place_of(values, longest=longest)
            better = values[at] > best if longest else values[at] < best
            if found is None or better:
                found, best = int(part[at]), int(values[at])
        return found


def _histogram(values: Any) -> dict[int, int]:
    """How often each value is there."""
    if not hasattr(values, "dtype"):
        return Counter(values)
    import numpy as np

    return {value: int(number) for value, number in enumerate(np.bincount(values)) if number}


def _most(values: Any) -> int:
    return int(values.max() if hasattr(values, "max") else max(values))


def _fewest(values: Any) -> int:
    return int(values.min() if hasattr(values, "min") else min(values))


def _place_of(values: Any, *, longest: bool) -> int:
    if hasattr(values, "dtype"):
        return int(values.argmax() if longest else values.argmin())
    return int(values.index(max(values) if longest else min(values)))
