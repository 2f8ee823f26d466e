"""Rounds: the closure of one part of a game, and what a reader asks of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from fairdeal.checker.engines.native import Limits, Native, Search
from fairdeal.checker.engines.native.searching import NoMeasureError
from fairdeal.checker.exploring.starting import Start, StartError
from fairdeal.spec.language import enabled
from fairdeal.spec.language.exploring import Eager, Exploration, Explored
from fairdeal.spec.language.game import Event, Game

DEAD = "dead-end"
"""The class of states from which no event leads on, and in which the part is not over."""

ALL, MERGED, SEEN = "all", "merged", "seen"
"""Of which ways one is the shortest: of all, of those on which some events are made at once, of those seen so far."""

LOOP = "null"
CAN = "can "
KEPT_SHARE = 16
"""What part of the memory is left, at the least, for the searches for what a player is kept from."""

Note = Callable[[str, Search], None]


class ImpossibleError(AssertionError):
    """Something was found that the game's own page says cannot be; the message says what."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A class of states: how many there are, and how long the ways to them are."""

    name: str
    meaning: str
    final: bool
    states: int = 0
    shortest: int | None = None
    shortest_of: str = ""
    """The shortest of which ways: ``all``; ``merged``, on which some events are made at once; ``seen`` so far."""
    longest: int | None = None
    looped: bool = False
    """Null events on a way there lead back to the same table, so with them a way can be as long as one likes."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether a player can be kept from an act, and which endings such a part has."""

    player: str
    name: str
    meaning: str
    endings: tuple[str, ...]
    complete: bool
    """All such parts were looked at: never so of what nobody has to make use of, where events are made at once."""


@dataclass(frozen=True, slots=True)
class Most:
    """The most and the fewest events of one kind, in what was seen of any part, and what bounds them."""

    event: str
    most: int
    fewest: Mapping[str, int]
    """By the final class, the fewest on a way there."""
    bound: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """What exploring a part has shown; lower bounds where it is not complete."""

    game: str
    part: str
    place: str
    rules: str
    options: Mapping[str, str]
    compiled: bool
    compile_seconds: float
    complete: bool
    stopped: str
    """Why it is not complete: ``states``, ``memory``, ``interrupt``; empty where it is."""
    states: int
    arcs: int
    depth: int
    waiting: int
    """States that were found and not looked at."""
    levels: tuple[int, ...]
    """How many states are first met at each depth."""
    final_levels: Mapping[str, tuple[int, ...]]
    """The same of each final class."""
    closing_seconds: float
    """Of the processor, for the search alone: without compiling, and what a player is kept from."""
    seconds: float
    cpu_seconds: float
    memory: int
    """Bytes that were held at once: what `Limits.memory` limits."""
    outcomes: tuple[Outcome, ...]
    most: tuple[Most, ...] = ()
    longest: int | None = None
    kept: tuple[Kept, ...] = ()
    merged: tuple[str, ...] = ()
    at_once: tuple[str, ...] = ()
    """Events that are made as soon as they are possible, with the reason."""
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class Round:
    """A part of a game, ready to be explored: the native model of its start, under some merging."""

    start: Start
    merging: str = "all"
    compiled: bool = True
    limits: Limits = field(default_factory=Limits)
    native: Native = field(init=False)
    compile_seconds: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        """Generate the source, and have it compiled."""
        began = time.perf_counter()
        page = self.start.exploration
        self.native = Native(
            self.game,
            self.start.binder.options,
            self.start.state,
            events(self.game, page.events),
            conditions(self.game, page),
            compiled=self.compiled,
            symmetries=page.symmetries if self.merging != "none" else (),
            merge_tops=self.merging != "none",
            eager=[(self.game.events[one.event], one.where) for one in self.at_once],
            measure=page.measure.term if page.measure is not None else None,
        )
        if not self.search(Limits(2), counting=self.counts_ways).run().arcs and not self._is_over:
            page, place = self.start.exploration, self.start.place
            raise StartError(f"nothing of a {page.part} can happen after {place}; without --at the first one is taken")
        self.compile_seconds = time.perf_counter() - began

    def dealt_anew(self, start: Start) -> Round | None:
        """The same for another deal, with the source that there is; ``None`` if its shape or its rules differ."""
        if dict(start.binder.options) != dict(self.start.binder.options) or start.game is not self.game:
            return None
        native = self.native.dealt_anew(start.state)
        if native is None:
            return None
        found = copy(self)
        found.start, found.native, found.compile_seconds = start, native, 0.0
        return found

    @property
    def _is_over(self) -> bool:
        interpreter, state = self.start.binder.interpreter, self.start.state
        final = [one for one in self.start.exploration.classes.values() if one.final]
        return any(interpreter.value(one.condition.term, state, {}) for one in final)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.start.game

    @property
    def at_once(self) -> list[Any]:
        """What the page lets be done at once, as far as its reason is good under the options in force."""
        if self.merging != "all":
            return []
        words = option_words(self.game, self.start.binder.options)
        return [
            one
            for one in self.start.exploration.eager
            if all(words[name] in values for name, values in one.holds_under.items())
        ]

    @property
    def counts_ways(self) -> bool:
        """Whether the longest ways can be known, and the most events: the page has a measure for that."""
        return self.native.slice.measure is not None

    @property
    def final(self) -> list[str]:
        """The classes after which the part is over."""
        return [name for name, one in self.start.exploration.classes.items() if one.final]

    def search(self, limits: Limits | None = None, **rest: Any) -> Search:
        """A search from the start, not run yet."""
        return Search(self.native, limits=limits or self.limits, final=self.final, **rest)


def events(game: Game, explored: Iterable[Explored]) -> list[tuple[Event, Any]]:
    """The events that are explored, as engines take them."""
    return [(game.events[one.event], one.where) for one in explored]


def conditions(game: Game, page: Exploration) -> dict[str, Any]:
    """What is asked of every state: the classes, where null events are possible, and who can act."""
    found = {name: one.condition.term for name, one in page.classes.items()}
    if page.null:
        (null,) = page.null
        found[LOOP] = enabled(game.events[null.event], where=null.where).term
    return {**found, **{CAN + name: one.term for name, one in page.can_act.items()}}


def option_words(game: Game, options: Mapping[str, int]) -> dict[str, str]:
    """The options in force, by the words for their values."""
    return {
        name: str(options[name]) if one.numeric else one.values[options[name]] for name, one in game.options.items()
    }


def explore(part: Round, note: Note | None = None) -> tuple[Result, Search]:
    """Explore a part as far as the limits allow, and answer what is asked of it.

    Raises:
        ImpossibleError: an event does not lower the measure that the game's page gives, or a bound of it is exceeded.
    """
    before = time.process_time()
    began = time.perf_counter()
    share = part.limits.memory // KEPT_SHARE if part.start.exploration.can_act else 0
    limits = replace(part.limits, memory=part.limits.memory - share)
    search = part.search(limits, counting=part.counts_ways, loop=[LOOP] if LOOP in part.native.slice.endings else [])
    try:
        search.run(_noting(note, part.start.exploration.part))
    except NoMeasureError as error:
        raise ImpossibleError(f"the measure of {part.game.name}: {error}") from error
    closing = time.process_time() - before
    result = _result(part, search)
    if search.stopped != "interrupt":
        kept, memory = _kept(part, search, note)
        result = replace(result, kept=kept, memory=search.memory + memory)
    seconds = time.perf_counter() - began, time.process_time() - before
    return replace(result, closing_seconds=closing, seconds=seconds[0], cpu_seconds=seconds[1]), search


def _noting(note: Note | None, what: str) -> Callable[[Search], None] | None:
    return (lambda search: note(what, search)) if note else None


def _result(part: Round, search: Search) -> Result:
    page, native = part.start.exploration, part.native
    levels = search.by_depth()
    known = search.closed and search.counting
    merged = [one.meaning for one in native.applied]
    if native.merges_tops:
        merged.append("tops are told apart only by which of the cards left in the stocks could go on them")
    return Result(
        game=part.game.name,
        part=page.part,
        place=part.start.place,
        rules=part.start.rules,
        options=dict(part.start.chosen),
        compiled=native.compiled,
        compile_seconds=part.compile_seconds,
        complete=search.closed,
        stopped=search.stopped,
        states=search.count,
        arcs=search.arcs,
        depth=len(levels) - 1,
        waiting=search.count - search.head,
        levels=levels,
        final_levels={name: _padded(search.by_depth(search.bits([name])), len(levels)) for name in part.final},
        closing_seconds=0.0,
        seconds=0.0,
        cpu_seconds=0.0,
        memory=search.memory,
        outcomes=tuple(_outcomes(part, search)),
        most=_most(part, search) if search.counting else (),
        longest=search.most() if known else None,
        merged=tuple(merged),
        at_once=tuple(f"{one.event}: {one.reason}; {_grounds(part, one)}" for one in part.at_once),
        left_out=tuple(f"{one.event} that changes nothing but a name" for one in page.null),
    )


def _grounds(part: Round, one: Eager) -> str:
    """How it is known that an event can be made at once."""
    if one.proof:
        return f"proved: {one.proof}" if "/" in one.proof else f"proved: `fairdeal prove {part.game.name} {one.proof}`"
    return "not proved, but compared with the unreduced search on small decks"


def _padded(counts: tuple[int, ...], size: int) -> tuple[int, ...]:
    return (*counts, *(0 for _ in range(size - len(counts))))


def _outcomes(part: Round, search: Search) -> list[Outcome]:
    found, of = [], SEEN if not search.closed else MERGED if part.at_once else ALL
    for name, one in part.start.exploration.classes.items():
        found.append(_outcome(Outcome(name, one.meaning, one.final), search.bits([name]), search, of))
    dead = Outcome(DEAD, f"no event is possible, and the {part.start.exploration.part} is not over", final=True)
    return [*found, _outcome(dead, search.dead, search, of)]


def _outcome(one: Outcome, mask: int, search: Search, of: str) -> Outcome:
    nearest = search.nearest(mask)
    if nearest is None:
        return one
    one = replace(one, states=search.number_of(mask), shortest=search.depth_of(nearest), shortest_of=of)
    if not search.counting or not search.closed:
        return one
    farthest = search.farthest(mask)
    assert farthest is not None
    return replace(one, longest=search.length(farthest), looped=search.loops(mask))


def _most(part: Round, search: Search) -> tuple[Most, ...]:
    interpreter, state = part.start.binder.interpreter, part.start.state
    bounds = {
        one.event: one
        for one in part.start.exploration.bounds
        if one.given is None or interpreter.value(one.given.term, state, {})
    }
    found = []
    for number, event in enumerate(search.record.kinds):
        most = search.most(number)
        counts = {name: search.fewest(search.bits([name]), number) for name in part.final}
        fewest = {name: count for name, count in counts.items() if count is not None}
        bound = bounds.get(event)
        if bound and most > bound.most:
            raise ImpossibleError(f"{most} {event} events in one {part.start.exploration.part}: {bound.reason}")
        found.append(Most(event, most, fewest, bound.most if bound else None, bound.reason if bound else ""))
    return tuple(found)


def kept_searches(page: Exploration) -> list[tuple[str, str, str, dict[str, Any]]]:
    """For each player and each sense of it, the searches that show whether the player can be kept from the act."""
    act = page.acts
    found = []
    for number, player in enumerate(page.can_act):
        never: dict[str, Any] = {
            "allowed": lambda one, number=number: one.event.name != act or one.choices[0] != number
        }
        can: dict[str, Any] = {"stop": [CAN + player]}
        found.append((player, f"{player.lower()}-never-{act}s", f"{player} makes no {act}", never))
        found.append((player, f"{player.lower()}-never-can-{act}", f"{player} never has a {act} to make", can))
    return found


def left_beside(part: Round, search: Search) -> Limits:
    """The limits of a search while another one is held."""
    return replace(part.limits, memory=part.limits.memory - search.memory)


def _kept(part: Round, search: Search, note: Note | None) -> tuple[tuple[Kept, ...], int]:
    """What a player can be kept from, and the most memory that a search for that has held."""
    found, memory = [], 0
    left = left_beside(part, search)
    for player, name, meaning, how in kept_searches(part.start.exploration):
        one = part.search(left, **how).run(_noting(note, name))
        memory = max(memory, one.memory)
        endings = [each for each in part.final if one.number_of(one.bits([each]), without=one.stop)]
        # What a player could do may never have been there, had an event not been made at once.
        whole = one.closed and not (one.stop and part.at_once)
        found.append(Kept(player, name, meaning, tuple(endings), whole))
        if one.stopped == "interrupt":
            break
        del one  # before the next is there
    return tuple(found), memory
