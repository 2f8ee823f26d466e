"""Searching: runs the search within bounds, in the order in which states are found or of a measure."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.native.model import Native
from fairdeal.checker.engines.native.packing import Words
from fairdeal.checker.engines.native.search import BATCH
from fairdeal.checker.engines.native.slicing import Candidate
from fairdeal.checker.engines.native.states import States

LOAD = 0.6
"""How full the table gets before it grows."""
FULLEST = 0.85
"""How full it gets where it cannot grow."""
SMALLEST = 1 << 12
CHUNK = 1 << 17
"""Most states that are expanded before Ctrl-C is looked for; plain Python takes a hundredth of that."""

Progress = Callable[["Search"], None]


class NoMeasureError(AssertionError):
    """What a page gives as a measure is not lowered by every event; the message says how often that was seen."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use."""

    states: int = 1 << 31
    """Of one search."""
    memory: int = 4 << 30
    """Bytes."""


class Search(States):
    """A search for all that is reachable, or as much of it as the limits allow.

    ``allowed`` says of a candidate whether it is followed; states with an ending out of ``stop`` are not left again.
    ``final`` lists the endings after which nothing is expected; a state without event and without one of those is
    dead. With ``counting``, for which the model needs a measure, the ways to each state are counted, and ``loop``
    lists the endings of states at which a detour leads back to the same state; without, the search is breadth first.
    """

    def __init__(
        self,
        native: Native,
        *,
        limits: Limits | None = None,
        final: Iterable[str] | None = None,
        stop: Iterable[str] = (),
        loop: Iterable[str] = (),
        allowed: Callable[[Candidate], bool] | None = None,
        counting: bool = False,
        first: Words | None = None,
        room: int = SMALLEST,
    ) -> None:
        super().__init__(native, counting=counting)
        self.limits = limits or Limits()
        self.final = self.bits(self.names if final is None else final)
        self.stop, self.loop = self.bits(stop), self.bits(loop)
        candidates = native.slice.candidates
        self.allowed = native.array("B", [int(allowed is None or allowed(one)) for one in candidates] or [0])
        self._steps = native.array(
            "q", [one for each in candidates for one in self.record.steps(each.event.name)] or [0]
        )
        """What each candidate adds to the counters."""
        if counting and native.slice.measure is None:
            raise ValueError("ways are counted along a measure, and this model has none")
        self._order: Any = native.array("i", [0])
        self._at = 0
        """With a measure: the states of the layer that is being expanded, and how far that is."""
        self._layers: dict[int, list[Any]] = {}
        """The states that wait, by their measure."""
        self.began = time.perf_counter()
        self.seconds = 0.0
        self.stopped = ""
        """Why not all was seen: ``states``, ``memory``, ``interrupt``, ``found``; empty where nothing stopped it."""
        self.each = 8 * self.wide + 2 + (4 if counting else 0)
        """Bytes for one state: its record, its mark, and its place among those that wait."""
        if not native.compiled:
            self.each += self.each // 16 + 1  # by so much an array is larger than what is in it
        self.size = min(room, SMALLEST) if native.compiled else room
        self.capacity = 0
        self.spare = native.room + BATCH
        """States that may be found between two looks at the limits."""
        self._scratch = [native.array("q", self.spare) for _ in range(native.packing.words + 5)]
        self.fixed: int = sum(len(one) * one.itemsize for one in [native.tables, *self._scratch])
        """Bytes that do not hang on how many states there are."""
        self.q, self.marks = native.array("q", 0), native.array("H", 0)
        self._grow_arrays(1)
        self.table = native.array("q", self.size)
        for at, word in enumerate(native.start() if first is None else native.normal(first)):
            self.q[at] = word
        for at in range(native.packing.words, self.wide):
            self.q[at] = 0
        self.marks[0] = 0
        native.functions["refill"](self.q, self.wide, self.table, 0, 1)

    # ------------------------------------------------------------ memory

    @property
    def memory(self) -> int:
        """Bytes that the search holds, which never are more than its limit."""
        states = self.count if self.native.compiled else self.capacity
        return states * self.each + 8 * self.size + self.fixed

    def _most_beside(self, size: int) -> int:
        """How many states may be there before a stretch, beside a table of so many entries."""
        ahead = self.spare * (1 if self.native.compiled else 3)
        return (self.limits.memory - self.fixed - 8 * size) // self.each - ahead

    def _grow_arrays(self, wanted: int) -> None:
        """Room for so many states; where memory is mapped as it is touched, all that there may be at once."""
        native = self.native
        if native.compiled:
            import numpy as np

            self.capacity = min(self.limits.states + 1, self.limits.memory // self.each) + self.spare
            self.q = np.empty(self.capacity * self.wide, np.int64)
            self.marks = np.empty(self.capacity, np.uint16)
            return
        most = max(self._most_beside(self.size) + 3 * self.spare, self.spare + 1)
        more = min(max(2 * self.capacity, wanted + self.spare), most) - self.capacity
        self.capacity += more
        while more > 0:  # in place and little by little, so that nothing is there twice
            part = min(more, SMALLEST)
            self.q.frombytes(bytes(8 * self.wide * part))
            self.marks.frombytes(bytes(2 * part))
            more -= part

    def _grow_table(self) -> bool:
        """Make the table larger, if the memory allows it and more states have room then."""
        for size in (4 * self.size, 2 * self.size) if self.size < 1 << 20 else (2 * self.size,):
            most = self._most_beside(size)
            allocated = 0 if self.native.compiled else self.capacity - 3 * self.spare
            if most >= allocated and most > max(self.count, int(self.size * FULLEST) - self.spare):
                self.size = size
                del self.table
                self.table = self.native.array("q", size)
                self.native.functions["refill"](self.q, self.wide, self.table, 0, self.count)
                return True
        return False

    # ------------------------------------------------------------ running

    def run(self, progress: Progress | None = None, until: Callable[[Search], bool] | None = None) -> Search:
        """Search until everything is seen, a limit is met, ``until`` says so after a stretch, or Ctrl-C.

        Raises:
            NoMeasureError: ways are counted, and an event does not lower the measure.
            NotSupported: ways are counted, and one is longer than the counters.
        """
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
        native, spare = self.native, self.spare
        full = int(self.size * LOAD) - spare
        if self.count >= full and not self._grow_table():
            full = int(self.size * FULLEST) - spare
            if self.count >= full:
                self.stopped = "memory"
                return
        full = int(self.size * (LOAD if self.count < int(self.size * LOAD) - spare else FULLEST)) - spare
        most = self._most_beside(self.size)
        if self.count >= most:
            self.stopped = "memory"
            return
        if not native.compiled and self.count + 2 * spare >= self.capacity:
            self._grow_arrays(self.count + 2 * spare)
            return
        cap = min(full, most, self.capacity - spare)
        at, end = self._next_stretch()
        last, count, arcs, wrong, dropped = native.functions["expand"](
            *(self.q, self.wide, self.table, self.marks, self._order, native.tables, self._steps),
            *(
                self.allowed,
                self.stop,
                self.final,
                self.loop,
                at,
                self.count,
                end,
                cap,
                self.limits.states,
                *self._scratch,
            ),
        )
        if wrong < 0:
            raise NotSupported("a way has more events than are counted")
        if wrong:
            raise NoMeasureError(f"{wrong} steps do not lower the measure of the states")
        first, self.count = self.count, int(count)
        self.head, self.arcs = self.head + int(last) - at, self.arcs + int(arcs)
        if self.counting:
            self._at = int(last)
            self._file(first)
        if dropped:
            self.stopped = "states"

    def _next_stretch(self) -> tuple[int, int]:
        """Which states are expanded next: from where to where in the layer, or in the order of their finding."""
        chunk = CHUNK if self.native.compiled else CHUNK // 100
        if not self.counting:
            if len(self._starts) == 1 or self.head >= self._starts[-1]:
                self._starts.append(self.count)
            return self.head, min(self.head + chunk, self._starts[-1])
        if self._at == len(self._order):
            parts = self._layers.pop(max(self._layers))
            self._order, self._at = self._joined(parts), 0
        return self._at, min(self._at + chunk, len(self._order))

    def _file(self, first: int) -> None:
        """Put the states that were just found where others of their measure wait."""
        if not self.native.compiled:
            for state in range(first, self.count):
                self._layers.setdefault(self.marks[state], [array("i")])[0].append(state)
            return
        import numpy as np

        measures = self.marks[first : self.count]
        for measure in np.unique(measures):
            found = np.flatnonzero(measures == measure) + first
            self._layers.setdefault(int(measure), []).append(found.astype(np.int32))

    def _joined(self, parts: list[Any]) -> Any:
        if not self.native.compiled:
            return parts[0]
        import numpy as np

        found, at = np.empty(sum(map(len, parts)), np.int32), 0
        while parts:  # each is let go of as soon as it is copied
            part = parts.pop()
            found[at : at + len(part)] = part
            at += len(part)
        return found

    @property
    def closed(self) -> bool:
        """Whether everything was seen."""
        return not self.stopped and self.head == self.count

    @property
    def depth(self) -> int:
        """The fewest events to the states that were expanded last, as far as is known."""
        if self.counting:
            return self.depth_of(int(self._order[max(self._at - 1, 0)]))
        return max(0, bisect_right(self._starts, max(self.head - 1, 0)) - 1)
