"""Counting: how many sequences of events there are from a table, by depth and by event.

Chess programmers call this perft, and its breakdown by the first event divide: two engines that differ anywhere differ
in these numbers, and the breakdown leads to where. Every event of the part counts, also those that change nothing but
a name. Where the rules leave a card to chance, each card that it can be is an event of its own; the order in which a
row names its cards is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.native import Native, Words
from fairdeal.checker.engines.python_source import FAILED, combinations
from fairdeal.checker.engines.rows import rows_of, shape_of
from fairdeal.checker.exploring.rounds import conditions
from fairdeal.checker.exploring.starting import Start
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.labels import Labels
from fairdeal.spec.language.exploring import Explored
from fairdeal.spec.language.game import Event

Line = tuple[Event, dict[str, Any]]


class Engine(Protocol):
    """Something that says what can follow a table; tables are compared by ``key``."""

    @property
    def name(self) -> str:
        """What it is called."""

    def first(self) -> Any:
        """The start."""

    def key(self, table: Any) -> Hashable:
        """Equal for equal tables."""

    def following(self, table: Any) -> Iterator[tuple[str, str, Any]]:
        """What can follow: the event's name, a text for its line, and the table that it leads to."""


def explored_events(start: Start) -> list[Event]:
    """The events of the part; what an exploration leaves out as null counts here."""
    return [start.game.events[one.event] for one in start.exploration.events]


class ByInterpreter:
    """The reference: every choice, every card and every row is put to the interpreter."""

    name = "interpreter"

    def __init__(self, start: Start) -> None:
        self.start, self.run = start, Interpreter(start.game, start.binder.options)
        self.events = explored_events(start)
        self.nothing = _leaves_unchanged(start)

    def first(self) -> State:
        """The start."""
        return copy(self.start.state)

    def key(self, table: State) -> Hashable:
        """The whole table."""
        return tuple(tuple(part) if isinstance(part, list) else part for part in table)

    def following(self, table: State) -> Iterator[tuple[str, str, State]]:
        """What can follow."""
        for event, values in self.lines(table):
            after = copy(table)
            self.run.apply(event, after, values)
            if not self.nothing(event, table, after):
                yield event.name, text_of_line(self.start, event, values), after

    def lines(self, table: State) -> Iterator[Line]:
        """Every lawful line."""
        for event in self.events:
            for values in candidates(self.start, event, table):
                if any(one.role == "rows" for one in event.parameters):
                    yield from ((event, filled) for filled in rows_of(self.run, event, table, values))
                else:
                    yield from (
                        (event, one)
                        for one in filled_by_chance(self.run, event, table, values)
                        if self.run.holds(event, table, one)
                    )


class ByPython(ByInterpreter):
    """The generated Python steps that `check` runs: each judges a line and carries it out."""

    name = "python"

    def following(self, table: State) -> Iterator[tuple[str, str, State]]:
        """What can follow."""
        for event in self.events:
            for values in candidates(self.start, event, table):
                for line in self._filled(event, table, values):
                    after = copy(table)
                    step = self.start.binder.steps.step(event, tuple(line[one.name] for one in event.choices))
                    reports = [line[one.name] for one in event.reports]
                    argument = None if not reports else reports[0] if len(reports) == 1 else tuple(reports)
                    if step(after, argument) != FAILED and not self.nothing(event, table, after):
                        yield event.name, text_of_line(self.start, event, line), after

    def _filled(self, event: Event, table: State, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
        shape = shape_of(event)
        if not shape.name:
            yield from filled_by_chance(self.run, event, table, values)
            return
        assert shape.among is not None
        pool = self.run.value(shape.among, table, {**values, shape.name: ()}) & bags.KNOWN
        for mask in shape.masks(self.run, table, values, pool):
            yield {**values, shape.name: tuple(bags.cards(mask))}


class ByNative:
    """Packed states and generated source, nothing merged: what `explore` runs."""

    name = "native"

    def __init__(self, start: Start, *, compiled: bool) -> None:
        self.start = start
        given = [(start.game.events[one.event], _counted(one, start)) for one in start.exploration.events]
        endings = conditions(start.game, start.exploration)
        self.native = Native(start.game, start.binder.options, start.state, given, endings, compiled=compiled)

    def first(self) -> Words:
        """The start."""
        return self.native.packing.project(self.start.state)

    def key(self, table: Words) -> Hashable:
        """The words."""
        return table

    def following(self, table: Words) -> Iterator[tuple[str, str, Words]]:
        """What can follow; the text of a line names its choices alone, for a packed state has no cards."""
        for candidate, after in self.native.successors(table):
            yield candidate.event.name, " ".join([candidate.event.name, *map(str, candidate.choices)]), after


def lines_of(start: Start) -> dict[Hashable, str]:
    """The lines that can follow the start itself, by what `ByNative` calls their events."""
    reference = ByInterpreter(start)
    return {
        " ".join([event.name, *(str(values[one.name]) for one in event.choices)]): text_of_line(start, event, values)
        for event, values in reference.lines(reference.first())
    }


def _counted(one: Explored, start: Start) -> Any:
    """An event is counted with its null instances, and without those that the page leaves out as no event at all."""
    nulls = {each.event for each in start.exploration.null}
    return None if one.event in nulls else one.where


def _leaves_unchanged(start: Start) -> Callable[[Event, State, State], bool]:
    """Whether a line is left out: the page has a condition on its event, and the line changes nothing."""
    nulls = {each.event for each in start.exploration.null}
    kept = {one.event for one in start.exploration.events if one.where is None or one.event in nulls}
    return lambda event, before, after: event.name not in kept and before == after


def candidates(start: Start, event: Event, table: State) -> Iterator[dict[str, Any]]:
    """An event's choices, with reports at their value; of free places that are alike only the first."""
    return candidates_on(start.binder, event, table)


def candidates_on(binder: Binder, event: Event, table: State) -> Iterator[dict[str, Any]]:
    """The same without a start."""
    place, labels = binder.labelled.get(event.name), Labels(binder.game, binder.layout)
    run = binder.interpreter
    for choices in combinations(event):
        values: dict[str, Any] = dict(zip((one.name for one in event.choices), choices, strict=True))
        if place is not None and labels.is_spare(values[place], table):
            continue
        for guard in event.guards:
            if guard.reports and guard.value is not None:
                values.setdefault(guard.reports, run.value(guard.value, table, values))
        yield values


def filled_by_chance(run: Interpreter, event: Event, table: State, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The line as it is, or with each card that chance can pick where the rules leave it open."""
    drawn = [guard for guard in event.guards if guard.among is not None]
    found = [values]
    for guard in drawn:
        among = run.value(guard.among, table, values) if guard.among is not None else 0
        if among and values.get(guard.reports, 52) == 52:
            found = [{**one, guard.reports: code} for one in found for code in bags.cards(among)]
    yield from found


def text_of_line(start: Start, event: Event, values: dict[str, Any]) -> str:
    """The line in the notation."""
    return start.binder.text(event, values)


@dataclass(frozen=True, slots=True)
class Level:
    """The sequences of one length: how many, by their last event, and how many tables they lead to."""

    depth: int
    sequences: int
    tables: int
    by_event: dict[str, int]
    classes: dict[str, int]
    """By class, how many of the sequences lead to a table of it."""


def count(engine: Engine, depth: int, classes: Callable[[Any], Iterable[str]] | None = None) -> Iterator[Level]:
    """The levels from 1 to ``depth``, each as it is done; sequences that lead to equal tables go on together."""
    level: dict[Hashable, tuple[Any, int]] = {}
    first = engine.first()
    level[engine.key(first)] = (first, 1)
    for number in range(1, depth + 1):
        after: dict[Hashable, tuple[Any, int]] = {}
        by_event: Counter[str] = Counter()
        for table, ways in level.values():
            for event, _, following in engine.following(table):
                by_event[event] += ways
                key = engine.key(following)
                after[key] = (following, after[key][1] + ways if key in after else ways)
        found: Counter[str] = Counter()
        if classes is not None:
            for table, ways in after.values():
                found.update(dict.fromkeys(classes(table), ways))
        yield Level(number, sum(by_event.values()), len(after), dict(by_event), dict(found))
        level = after


def divide(engine: Engine, depth: int, texts: Mapping[Hashable, str] | None = None) -> dict[str, int]:
    """For each first event, how many sequences of ``depth`` events begin with it; ``texts`` are their lines."""
    found: defaultdict[str, int] = defaultdict(int)
    for _, name, table in engine.following(engine.first()):
        text = (texts or {}).get(name, name)
        rest = [level.sequences for level in count(_From(engine, table), depth - 1)]
        found[text] += rest[-1] if rest else 1
    return dict(found)


@dataclass(frozen=True, slots=True)
class _From:
    """An engine that begins elsewhere."""

    engine: Engine
    table: Any

    @property
    def name(self) -> str:
        """The engine's."""
        return self.engine.name

    def first(self) -> Any:
        """Where it begins."""
        return self.table

    def key(self, table: Any) -> Hashable:
        """The engine's."""
        return self.engine.key(table)

    def following(self, table: Any) -> Iterator[tuple[str, str, Any]]:
        """The engine's."""
        return self.engine.following(table)


def classes_at(start: Start) -> Callable[[State], list[str]]:
    """The classes of a whole table."""
    run, named = start.binder.interpreter, start.exploration.classes
    return lambda table: [name for name, one in named.items() if run.value(one.condition.term, table, {})]


__all__ = ["ByInterpreter", "ByNative", "ByPython", "Engine", "Level", "classes_at", "count", "divide", "lines_of"]
