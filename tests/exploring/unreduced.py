"""The search that merges nothing: the interpreter over whole tables, and what it says of every question."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.exploring.starting import Start
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.judging.shelf import binder_for
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.exploration import EXPLORATION
from fairdeal.spec.spit.table import Player

from tests.spike.games import apply, dealt, is_null, lawful

NAMES = ("play", "flip", "move", "spit")


def reduced(run: Interpreter, seed: int, ranks: int, heights: tuple[int, ...], spits: tuple[int, int]) -> State:
    """A table before the first spit, of a deck with so many ranks: stocks of these heights, and spit cards for A and B."""
    chance = random.Random(seed)
    state, at = list(dealt(run, chance))[-1], run.layout.position
    deck = list(range(4 * ranks))
    chance.shuffle(deck)
    for player in Player:
        for slot, height in enumerate(heights, 1):
            state[at["stock", (player, slot)]] = [deck.pop() for _ in range(height)]
            state[at["up", (player, slot)]] = int(height > 0)
        state[at["spit", (player,)]] = [deck.pop() for _ in range(spits[player])]
    return state


def start_of(options: dict[str, str], state: State) -> Start:
    """A start that no log leads to, for what takes a start."""
    binder = binder_for(SPIT, SPIT.bind(None, options))
    labels = Labels(binder.game, binder.layout)
    return Start(binder, EXPLORATION, state, labels, "standard", options, (), "a reduced deck")


@dataclass
class Graph:
    """Every table that the interpreter reaches, by its text, with the events between them; null events are kept apart."""

    run: Interpreter
    first: State
    nulls: bool = False
    """Null events are followed too."""
    tables: dict[str, State] = field(default_factory=dict)
    after: dict[str, list[tuple[str, int, str]]] = field(default_factory=dict)
    """From a table, the kind of event, who acts, and the table that it leads to."""
    null_at: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Search."""
        self.start = repr(self.first)
        self.tables[self.start] = self.first
        waiting = [self.start]
        for key in waiting:
            state = self.tables[key]
            self.after[key] = []
            for event, values in lawful(self.run, state, NAMES):
                if event.name == "flip" and state[self.run.layout.position["up", (values["player"], values["slot"])]]:
                    continue
                if is_null(self.run, event, state, values):
                    self.null_at.add(key)
                    if not self.nulls:
                        continue
                following = apply(self.run, event, state, values)
                name = repr(following)
                self.after[key].append((event.name, int(values["player"]), name))
                if name not in self.tables:
                    self.tables[name] = following
                    waiting.append(name)

    def value(self, key: str, condition: Any) -> bool:
        """Whether a condition holds at a table."""
        return bool(self.run.value(condition.term, self.tables[key], {}))

    @cached_property
    def classes(self) -> dict[str, set[str]]:
        """The tables of each class."""
        found = {
            name: {key for key in self.tables if self.value(key, one.condition)}
            for name, one in EXPLORATION.classes.items()
        }
        over = set().union(*(found[name] for name, one in EXPLORATION.classes.items() if one.final))
        return {**found, "dead-end": {key for key in self.tables if not self.after[key] and key not in over}}

    @cached_property
    def shortest(self) -> dict[str, int]:
        """The fewest events to each table."""
        found, waiting = {self.start: 0}, [self.start]
        for key in waiting:
            for _, _, name in self.after[key]:
                if name not in found:
                    found[name] = found[key] + 1
                    waiting.append(name)
        return found

    @cached_property
    def order(self) -> list[str]:
        """The tables, each after all that lead to it; of a graph without cycles."""
        before = Counter(name for each in self.after.values() for _, _, name in each)
        ready, order = [self.start], []
        while ready:
            key = ready.pop()
            order.append(key)
            for _, _, name in self.after[key]:
                before[name] -= 1
                if not before[name]:
                    ready.append(name)
        assert len(order) == len(self.tables), "there is a cycle"
        return order

    def longest(self, kind: str | None = None) -> dict[str, int]:
        """The most events, of one kind or of all, on a way to each table."""
        found: defaultdict[str, int] = defaultdict(int)
        for key in self.order:
            for event, _, name in self.after[key]:
                found[name] = max(found[name], found[key] + (kind in (None, event)))
        return {key: found[key] for key in self.tables}

    def fewest(self, kind: str) -> dict[str, int]:
        """The fewest events of one kind on a way to each table."""
        found = {self.start: 0}
        for key in self.order:
            for event, _, name in self.after[key]:
                found[name] = min(found.get(name, 99), found[key] + (event == kind))
        return found

    @cached_property
    def looped(self) -> set[str]:
        """The tables with a null event somewhere on a way there."""
        found = set(self.null_at)
        for key in self.order:
            if key in found:
                found |= {name for _, _, name in self.after[key]}
        return found

    def without(self, player: int, *, can: bool) -> set[str]:
        """The final classes that are reached though the player never plays, or never can."""
        condition = list(EXPLORATION.can_act.values())[player]
        found, waiting = {self.start}, [self.start]
        if can and self.value(self.start, condition):
            return set()
        for key in waiting:
            for event, actor, name in self.after[key]:
                barred = self.value(name, condition) if can else (event, actor) == ("play", player)
                if name not in found and not barred:
                    found.add(name)
                    waiting.append(name)
        return {name for name, one in EXPLORATION.classes.items() if one.final and self.classes[name] & found}
