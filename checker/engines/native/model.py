"""The native model of one start: its packed states, their successors, and how states of other engines become packed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.native.compiling import functions
from fairdeal.checker.engines.native.packing import Packing, Words
from fairdeal.checker.engines.native.search import Record
from fairdeal.checker.engines.native.slicing import Candidate, Slice, Where
from fairdeal.checker.engines.native.source import Source
from fairdeal.spec.language.exploring import Symmetry
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.terms import Term

PAIRS = 1326
"""Most rows of two cards that a hand holds."""
SMALL = 1 << 15
"""Numbers below this fit into sixteen bits with a sign."""


class Native:
    """The explorer of one start under some events.

    ``symmetries`` are checked on the record, and states that differ by them are one. ``eager`` names events that are
    taken at once wherever they are possible. ``merge_tops`` merges states by `fairdeal.checker.engines.native.tops`.
    With a ``measure``, which every event lowers, a search can count the ways to a state.

    Raises:
        NotSupported: the rules record something here that packed states cannot do.
        NoSymmetry: a symmetry that was claimed is not seen in the record.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int],
        start: State,
        events: Iterable[tuple[Event, Where | None]],
        endings: Mapping[str, Term],
        *,
        lengths: Mapping[str, int] | None = None,
        compiled: bool = True,
        symmetries: Sequence[Symmetry] = (),
        eager: Iterable[tuple[Event, Where | None]] = (),
        merge_tops: bool = False,
        measure: Term | None = None,
    ) -> None:
        explored = list(events)
        self.slice = Slice(game, options, start, explored, endings, lengths, symmetries, eager, measure)
        self.packing = Packing(self.slice)
        self.record = Record(self.packing.words, tuple(dict.fromkeys(event.name for event, _ in explored)))
        self.generator = Source(self.packing, self.record, merge_tops=merge_tops)
        self.source = self.generator.whole()
        self.compiled = compiled
        self.functions = functions(self.source, compiled=compiled)
        self.tables = self._tables(self.packing)
        self.room = 2 + sum(PAIRS if one.rows else 1 for one in self.slice.candidates)
        """More than a state can have successors."""

    def dealt_anew(self, state: State) -> Native | None:
        """The model of another deal of the same shape, with the source that there is; ``None`` if the shape differs."""
        if not self._same_shape(state):
            return None
        found = copy(self)
        found.slice, found.packing = copy(self.slice), copy(self.packing)
        found.slice.start, found.packing.slice = state, found.slice
        stacks = [key for aspect, key in self.packing.fields if aspect in ("height", "perch")]
        tables = {name: table for key in stacks for name, table in found.packing.stack_tables(key).items()}
        found.packing.tables = self.packing.tables.dealt_anew(tables)
        tops = self.generator.normal_form.tops
        if tops is not None:
            merged = copy(tops)
            merged.packing = found.packing
            left = {found.packing.table("left", key): merged.left(key) for key in merged.company.stacks}
            found.packing.tables = found.packing.tables.dealt_anew(left)
        found.tables = found._tables(found.packing)
        return found

    def _tables(self, packing: Packing) -> Any:
        """The tables as an array, which is small if all that is in them is."""
        data = packing.tables.data
        return self.array("h" if -SMALL <= min(data, default=0) <= max(data, default=0) < SMALL else "q", data)

    def _same_shape(self, state: State) -> bool:
        part = self.slice
        for key, at in part.layout.position.items():
            old, new = part.start[at], state[at]
            if key in part.touched and isinstance(old, list):
                if len(old) != len(new):
                    return False
            elif old != new and key not in part.silent:
                return False
        return True

    @property
    def applied(self) -> list[Symmetry]:
        """The symmetries by which states are merged."""
        return list(dict.fromkeys(one.symmetry for one in self.generator.normal_form.orbits))

    @property
    def merges_tops(self) -> bool:
        """Whether states are merged that differ in tops that no card left can tell apart."""
        return self.generator.normal_form.tops is not None

    def array(self, kind: str, content: int | Sequence[int]) -> Any:
        """An array that the functions take: of so many zeros, or of these numbers; ``kind`` as in `array`."""
        if not self.compiled:
            return array(kind, bytes(array(kind).itemsize * content) if isinstance(content, int) else content)
        import numpy as np

        if isinstance(content, int):
            return np.zeros(content, kind)
        return np.array(content, kind)

    def start(self) -> Words:
        """The packed start, in normal form."""
        return self.normal(self.packing.project(self.slice.start))

    def normal(self, words: Words) -> Words:
        """The state that stands for this one and those that differ from it by renaming."""
        found = self.functions["normal"](*words, self.tables)
        return tuple(map(int, found)) if len(words) > 1 else (int(found),)

    def successors(self, words: Words) -> list[tuple[Candidate, Words]]:
        """What can follow, with the event that leads there; not in normal form."""
        outs = [self.array("q", self.room) for _ in words]
        act = self.array("q", self.room)
        count = int(self.functions["successors"](*words, self.tables, *outs, act, 0))
        return [(self.slice.candidates[int(act[at])], tuple(int(out[at]) for out in outs)) for at in range(count)]

    def guard(self, candidate: Candidate, number: int) -> Callable[..., bool]:
        """One guard by itself, over words and the cards of rows; never compiled."""
        source = self.generator.guard(candidate, number)
        space: dict[str, Any] = {"T": self.packing.tables.data}
        exec(compile(source, "<guard>", "exec"), space)
        guard: Callable[..., bool] = space["guard"]
        return guard
