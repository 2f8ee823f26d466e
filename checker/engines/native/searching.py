"""Searching: runs the breadth-first search within bounds, and reads from its arrays what was found."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.native.model import Closure, Native
from fairdeal.checker.engines.native.packing import Words
from fairdeal.checker.engines.native.slicing import Candidate

LOAD = 0.6
"""How full the table gets before it grows."""
FULLEST = 0.85
"""How full it gets where it cannot grow."""
SMALLEST = 1 << 12
CHUNK = 1 << 17
"""Most states that are expanded before Ctrl-C is looked for; plain Python takes a hundredth of that."""

PART = 1 << 22
"""States that are read at once where arrays are searched through."""

Progress = Callable[["Search"], None]


class CyclicError(Exception):
    """The graph has a cycle, so that ways have no longest; the message says how many states are concerned."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use; ``stop_at`` ends it once states of all these endings are found."""

    states: int = 1 << 31
    memory: int = 4 << 30
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What the second pass found out about the ways to each state: counters in rows, one row a state."""

    kinds: tuple[str, ...]
    info: Any
    longest: Any
    """The state before this one on a longest way."""

    def length(self, state: int) -> int:
        """The most events on a way to a state."""
        return int(self.info[state * self.width + 1])

    def most(self, kind: int | None = None) -> int:
        """The most events of a kind on any way, or the most of all kinds together."""
        column = self.info[1 if kind is None else 2 + kind :: self.width]
        return int(column.max() if hasattr(column, "max") else max(column))

    def fewest(self, state: int, kind: int) -> int:
        """The fewest events of a kind on a way to a state."""
        return int(self.info[state * self.width + 2 + len(self.kinds) + kind])

    @property
    def width(self) -> int:
        """Counters of one state: a loop on the way, the longest way, the most and the fewest of each kind."""
        return 2 + 2 * len(self.kinds)


class Search:
    """A breadth-first search: all that is reachable, or as much of it as the limits allow.

    ``allowed`` says of a candidate whether it is followed; states with an ending out of ``stop`` are not left again.
    ``counting`` names the events that a second pass will count. ``final`` lists the endings after which nothing is
    expected; a state without event and without one of those is dead.
    """

    def __init__(
        self,
        native: Native,
        *,
        limits: Limits | None = None,
        final: Iterable[str] | None = None,
        stop: Iterable[str] = (),
        allowed: Callable[[Candidate], bool] | None = None,
        counting: Sequence[str] | None = None,
        first: Words | None = None,
        room: int = SMALLEST,
    ) -> None:
        self.native, self.limits = native, limits or Limits()
        self.names = list(native.slice.endings)
        self.final = self.bits(self.names if final is None else final)
        self.stop = self.bits(stop)
        self.words = native.packing.words
        candidates = native.slice.candidates
        self.allowed = native.array("B", [int(allowed is None or allowed(one)) for one in candidates] or [0])
        self.kinds = tuple(counting or ())
        self.counting = counting is not None
        self.head, self.count, self.arcs = 0, 1, 0
        self.levels = [0]
        """The number of the first state of each depth."""
        self._counted: tuple[int, Counter[int]] = (-1, Counter())
        self.began = time.perf_counter()
        self.seconds = 0.0
        self.last_ways: Ways | None = None
        """What the second pass found, once it was made."""
        self.stopped = ""
        """Why not all was seen: ``states``, ``memory``, ``interrupt``, ``found``; empty where nothing stopped it."""
        self.each = 8 * self.words + 6 + (8 + self._width if self.counting else 0)
        """Bytes for one state, those of the second pass among them."""
        self.size = min(room, SMALLEST) if native.compiled else room
        self.capacity = 0
        self._scratch = [native.array("q", native.room) for _ in range(self.words + 3)]
        self._grow_arrays(1)
        self.table = native.array("q", self.size)
        words = native.start() if first is None else native.normal(first)
        native.functions["add"](self.q, self.table, 0, *words)

    # ------------------------------------------------------------ memory

    @property
    def memory(self) -> int:
        """Bytes that the search holds."""
        return self.count * self.each + 8 * self.size

    def bits(self, names: Iterable[str]) -> int:
        """The endings of these names, as bits."""
        return sum(1 << self.names.index(name) for name in names)

    def _grow_arrays(self, wanted: int) -> None:
        """Room for so many states; where memory is mapped as it is touched, all that there may be at once."""
        native, spare = self.native, self.native.room
        if native.compiled:
            import numpy as np

            self.capacity = min(self.limits.states, self.limits.memory // self.each) + spare
            self.q = np.empty(self.capacity * self.words, np.int64)
            self.parent = np.empty(self.capacity, np.int32)
            self.marks = np.empty(self.capacity, np.uint16)
            self.into = np.zeros(self.capacity if self.counting else 1, np.int32)
            return
        before = self.capacity
        self.capacity = max(2 * before, wanted + spare)
        kinds = [("q", self.words), ("i", 1), ("H", 1), ("i", 1)]
        new: list[Any] = [native.array(kind, self.capacity * wide) for kind, wide in kinds]
        if before:
            held: list[Any] = [self.q, self.parent, self.marks, self.into]
            for old, one in zip(held, new, strict=True):
                one[: len(old)] = old
        self.q, self.parent, self.marks, self.into = new
        if not self.counting:
            self.into = native.array("i", 1)

    def _grow_table(self) -> bool:
        """Make the table larger, if the memory allows it."""
        size = self.size * (4 if self.size < 1 << 20 else 2)
        if self.count * self.each + 8 * size > self.limits.memory:
            return False
        self.size = size
        del self.table
        self.table = self.native.array("q", size)
        self.native.functions["refill"](self.q, self.table, 0, self.count)
        return True

    # ------------------------------------------------------------ running

    def run(self, progress: Progress | None = None, until: Callable[[Search], bool] | None = None) -> Search:
        """Search until everything is seen, a limit is met, ``until`` says so after a stretch, or Ctrl-C."""
        try:
            while self.head < self.count and not self.stopped:
                self._stretch()
                if progress:
                    progress(self)
                if until and until(self):
                    self.stopped = "found"
        except KeyboardInterrupt:
            self.stopped = "interrupt"
        self.seconds = time.perf_counter() - self.began
        return self

    def _stretch(self) -> None:
        native = self.native
        spare = native.room
        full = int(self.size * LOAD) - spare
        if self.count >= full and not self._grow_table():
            full = int(self.size * FULLEST) - spare
            if self.count >= full:
                self.stopped = "memory"
                return
        full = int(self.size * (LOAD if self.count < int(self.size * LOAD) - spare else FULLEST)) - spare
        most = min(self.limits.states, self.limits.memory // self.each)
        if self.count >= most:
            self.stopped = "states" if self.count >= self.limits.states else "memory"
            return
        if not native.compiled and self.count + 2 * spare >= self.capacity:
            self._grow_arrays(self.count + 2 * spare)
            return
        cap = min(full, most, self.capacity - spare)
        until = min(self.head + (CHUNK if native.compiled else CHUNK // 100), self._level_end())
        head, count, arcs = native.functions["expand"](
            *(self.q, self.table, self.parent, self.into, self.marks, native.tables, self.allowed),
            *(self.stop, self.final, self.head, self.count, until, cap, *self._scratch),
        )
        self.head, self.count, self.arcs = int(head), int(count), self.arcs + int(arcs)

    def _level_end(self) -> int:
        """Where the level that is being expanded ends; a new one begins when it is through."""
        if len(self.levels) == 1 or self.head >= self.levels[-1]:
            self.levels.append(self.count)
        return self.levels[-1]

    @property
    def closed(self) -> bool:
        """Whether everything was seen."""
        return not self.stopped and self.head == self.count

    @property
    def depth(self) -> int:
        """The number of events to the states that are expanded last."""
        return max(0, bisect_right(self.levels, max(self.head - 1, 0)) - 1)

    def depth_of(self, state: int) -> int:
        """The fewest events to a state."""
        return bisect_right(self.levels, state) - 1

    # ------------------------------------------------------------ reading

    def endings(self) -> Counter[int]:
        """How many of the expanded states have which endings, as bits; the bit above all names is a dead state."""
        if self._counted[0] == self.head:
            return self._counted[1]
        counts: Counter[int] = Counter()
        if self.native.compiled:
            import numpy as np

            for first in range(0, self.head, PART):
                part = np.bincount(self.marks[first : min(first + PART, self.head)])
                counts.update({code: int(number) for code, number in enumerate(part) if number})
        else:
            counts.update(self.marks[: self.head])
        self._counted = (self.head, counts)
        return counts

    @property
    def dead(self) -> int:
        """The bit of states that no event leads on from, and that have no final ending."""
        return 1 << len(self.names)

    def number_of(self, mask: int, without: int = 0) -> int:
        """How many expanded states have one of these endings, and none of those ``without``."""
        return sum(number for code, number in self.endings().items() if code & mask and not code & without)

    def by_depth(self, mask: int) -> tuple[int, ...]:
        """How many states with one of these endings are first met at each depth."""
        counts = [0] * len(self.levels)
        for state in self.where(mask):
            counts[self.depth_of(state)] += 1
        return tuple(counts)

    def longest_to(self, mask: int, ways: Ways) -> tuple[int, bool]:
        """The most events on a way to a state with one of these endings, and whether a loop is on some way there."""
        longest, looped = 0, False
        for state in self.where(mask):
            longest = max(longest, ways.length(state))
            looped |= bool(ways.info[state * ways.width])
        return longest, looped

    def where(self, mask: int) -> Iterator[int]:
        """The expanded states with one of these endings, those found first coming first."""
        if self.native.compiled:
            import numpy as np

            for first in range(0, self.head, PART):
                part = self.marks[first : min(first + PART, self.head)]
                yield from (first + int(at) for at in np.flatnonzero(part & mask))
            return
        yield from (at for at in range(self.head) if self.marks[at] & mask)

    def state(self, number: int) -> Words:
        """The words of a state."""
        return tuple(int(self.q[number * self.words + at]) for at in range(self.words))

    def path(self, number: int, parent: Any = None) -> list[int]:
        """The states on the way to one, from the start: a shortest way, or that which ``parent`` goes back."""
        before = self.parent if parent is None else parent
        way = [number]
        while way[-1]:
            way.append(int(before[way[-1]]))
        return way[::-1]

    @property
    def _width(self) -> int:
        return 2 + 2 * len(self.kinds)

    def ways(self, loop: int = 0, progress: Callable[[int], None] | None = None) -> Ways:
        """The second pass, over a search that counted and is closed: longest ways, most and fewest events of each kind.

        ``loop`` are the endings, as bits, of states at which a detour leads back to the same state.

        Raises:
            CyclicError: there is a cycle, so that ways can be as long as one likes.
            NotSupported: a way is longer than the counters.
        """
        native, kinds, width = self.native, self.kinds, self._width
        info = native.array("B", self.count * width)
        for at in range(len(kinds)):
            info[2 + len(kinds) + at :: width] = _repeated(native, 255, self.count)
            info[2 + len(kinds) + at] = 0
        longest = native.array("i", self.count)
        kind = native.array("B", [_place(kinds, one.event.name) for one in native.slice.candidates] or [0])
        self.into[0] = -1
        todo, whole = 0, 0
        while todo >= 0:
            todo, done = native.functions["rank"](
                *(self.q, self.table, self.into, self.marks, info, longest, native.tables, self.allowed),
                *(self.stop, kind, len(kinds), loop, todo, CHUNK if native.compiled else CHUNK // 100),
                *self._scratch[:-1],
            )
            whole += int(done)
            if progress:
                progress(whole)
        if todo == -3:
            raise NotSupported("a way has more events than are counted")
        if whole < self.count:
            raise CyclicError(f"{self.count - whole} of {self.count} states lie on or behind a cycle")
        self.last_ways = Ways(kinds, info, longest)
        return self.last_ways


def _place(kinds: Sequence[str], name: str) -> int:
    """The number of a kind; a kind that is not counted has that of none."""
    return kinds.index(name) if name in kinds else len(kinds)


def _repeated(native: Native, value: int, times: int) -> Any:
    if native.compiled:
        return value
    return array("B", [value]) * times


def closure(native: Native, *, states: int = 1 << 26, room: int = SMALLEST) -> Closure:
    """Every state that can be reached.

    Raises:
        MemoryError: there are more than ``states``.
    """
    search = Search(native, limits=Limits(states), room=room).run()
    if not search.closed:
        raise MemoryError(f"more than {states} states")
    endings = {}
    for code, number in search.endings().items():
        if code:
            held = [name for bit, name in enumerate(search.names) if code >> bit & 1]
            endings["+".join(held) or "dead"] = number
    return Closure(search.count, search.arcs, endings, [search.state(at) for at in range(search.count)])
