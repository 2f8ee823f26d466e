"""Properties of a game: what is to be proved, refuted or computed of its rules, and how.

A property stands beside the rules and is written in their language. Its parts say under which readings it is asked,
what is claimed, and which status is expected: `proved` for every reachable state, `refuted` by a game, `computed` as
an exact figure, `bounded` where nothing was found up to a depth. A proof by induction may rest on invariants, which
are declared by name and proved like any property.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fairdeal.spec.language import terms
from fairdeal.spec.language.exploring import Explored
from fairdeal.spec.language.expressions import Expr, RulesError
from fairdeal.spec.language.game import Event, Game

T = TypeVar("T")

PROVED, REFUTED, COMPUTED, BOUNDED, UNKNOWN = "proved", "refuted", "computed", "bounded", "unknown"
STATUSES = (PROVED, REFUTED, COMPUTED, BOUNDED, UNKNOWN)

ALWAYS: Expr[bool] = Expr(terms.TRUE)


def _always() -> Expr[bool]:
    return ALWAYS


def after(value: Expr[T]) -> Expr[T]:
    """What an expression is on the table that a line leads to; only claims about steps may say it."""
    return Expr(terms.node("next", (value.term,), sort=value.term.sort))


def stated(event: Event, name: str) -> Expr[Any]:
    """What a line of an event states: the parameter of that name, for claims about its steps.

    Raises:
        RulesError: the event has no such parameter, or it is a row.
    """
    for parameter in event.parameters:
        if parameter.name == name and parameter.role != "rows":
            return Expr(parameter.term)
    raise RulesError(f"{event.name} has no parameter {name}: it has {', '.join(one.name for one in event.parameters)}")


@dataclass(frozen=True, eq=False)
class Conserved:
    """Every card is in exactly one place, always: each event moves cards and neither makes nor loses one."""

    using: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Invariant:
    """A condition that holds of every reachable table; ``using`` names the invariants that its proof assumes too."""

    condition: Expr[bool]
    using: tuple[str, ...] = ()
    premise: Expr[bool] = field(default_factory=_always)
    """Where the condition says something; some reachable table has to be there, or the proof is one of nothing."""
    counting: bool = False
    """The proof takes it that all zones together hold 52 cards, as conservation says."""
    apart: bool = False
    """The proof takes it that no card lies in two of the bags that the condition looks at, as conservation says."""


@dataclass(frozen=True, eq=False)
class Steps:
    """A condition that holds of every lawful step, in which `after` speaks of the table that it leads to."""

    condition: Expr[bool]
    events: tuple[str, ...] = ()
    """The events in question; all of them if none is named."""
    using: tuple[str, ...] = ()
    premise: Expr[bool] = field(default_factory=_always)
    counting: bool = False
    """The proof takes the size of a bag from what comes and goes, as conservation says."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Some events can only happen so often: each lowers a measure, the sum of parts that are never negative.

    ``exempt`` says for an event where it does not count, such as where it changes nothing. ``others`` must not raise it
    within ``within``, the stretch of a game in question, which they may leave.
    """

    parts: tuple[Expr[Any], ...]
    events: tuple[str, ...]
    exempt: Mapping[str, Expr[bool]] = field(default_factory=dict)
    within: Expr[bool] = field(default_factory=_always)
    using: tuple[str, ...] = ()
    premise: Expr[bool] = field(default_factory=_always)


@dataclass(frozen=True, eq=False)
class Most:
    """How often some events can happen at most in a stretch of a game, and a game in which they happen so often.

    Each lowers a sum of ``parts`` by one at least, nothing raises it there; it is ``start`` at most on a table that
    ``begins`` holds of, and ``floor`` at least after each of the events. So there are ``start - floor`` at most, and
    the game that reaches ``goal`` has as many.
    """

    parts: tuple[Expr[Any], ...]
    events: tuple[str, ...]
    start: int
    floor: int
    begins: Expr[bool]
    within: Expr[bool]
    goal: Goal
    exempt: Mapping[str, Expr[bool]] = field(default_factory=dict)
    using: tuple[str, ...] = ()

    @property
    def ranking(self) -> Ranking:
        """The part of it that says that the events lower a measure."""
        return Ranking(self.parts, self.events, self.exempt, self.within, self.using, self.within)


@dataclass(frozen=True, eq=False)
class Sooner:
    """An event can be made as soon as it is possible, and nothing that a part of a game can come to is lost by that.

    Of every table where ``within`` holds and both ``event`` and another of ``events`` are lawful: that other one is
    lawful after the event too; unless it ends the part, the event is lawful after it too, and both orders lead to the
    same table; if it ends the part, what is ``asked`` holds of both last tables or of neither. Where the event is
    lawful nothing that is ``asked`` holds, and where the part is ``over`` nothing follows.

    So the event moves to the front of any course of the part that has it, and in front of any that ends without it
    (a left mover: Lipton 1975; as sets of events to be followed alone: Valmari 1991, Peled 1993). What is asked is
    met all the same, by a course with no fewer events of any kind. That no event is put off for ever is the ranking's.
    """

    event: str
    events: tuple[Explored, ...]
    over: Expr[bool]
    asked: tuple[Expr[bool], ...]
    within: Expr[bool] = field(default_factory=_always)
    using: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Act:
    """One line of a script: an event, what it states, and how long its rows are. What is left out is to be found."""

    event: Event
    values: Mapping[str, Any] = field(default_factory=dict)
    lengths: Mapping[str, Any] = field(default_factory=dict)
    again: int | None = None
    """The number of an earlier line, from 0, whose rows this one states again."""
    together: bool = False
    """The line has the time of the one before, for games that look at that."""


Script = Sequence[Act]
"""The lines of a game whose cards are open: the solver finds a deal under which all of them are lawful."""


@dataclass(frozen=True, eq=False)
class Goal:
    """A table that a game shall be found to reach, and by which events: the solver finds cards for them.

    ``whole`` is a script from the first round on; ``late`` one that begins at a later round, with any split of the
    cards: shorter, but it takes for granted that such a split can come about.
    """

    name: str
    statement: str
    condition: Expr[bool]
    whole: Callable[[], Script] | None = None
    late: Callable[[], Script] | None = None
    throughout: Expr[bool] = field(default_factory=_always)
    """What holds of every table on the way too."""
    among: Expr[bool] = field(default_factory=_always)
    """What narrows the search where the deal is open: games with another table on the way are not looked at."""
    loop: int = 0
    """How many lines from the end the same table was there before, for a lasso; 0 for none."""
    beside: tuple[str, ...] = ()
    """Cells that a lasso leaves out, such as the number of the round."""
    rules: str = "standard"
    readings: Mapping[str, str] = field(default_factory=dict)
    """The readings under which it is looked for, where they are not the defaults."""
    hole: str = ""
    """The gap that it shows, if the text as it stands leaves one there."""

    def script(self, *, whole: bool = False) -> Script:
        """The lines to follow: the shorter script unless a whole game is asked for.

        Raises:
            RulesError: there is no script of that kind.
        """
        made = self.whole if whole or self.late is None else self.late
        if made is None:
            raise RulesError(f"{self.name}: no game from the first round on is known to try; leave out --whole")
        return made()


@dataclass(frozen=True, eq=False)
class Reached:
    """Some game reaches a goal; ``status`` is what that shows.

    A claim that there is such a game is proved by it, a claim that there is none refuted.
    """

    goal: Goal
    status: str = PROVED
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Computed:
    """A figure, by a computation that is written down beside the rules: it says what, and by which method.

    Where the title of the part, or another part, says what the figure is or draws a conclusion from it, ``expected``
    states it apart from the computation: if the computation comes to another one, under any reading that it looks at
    and that the part allows, the part is refuted.
    """

    compute: Callable[[Mapping[str, int]], str]
    method: str
    expected: str = ""


@dataclass(frozen=True, eq=False)
class Checked:
    """Something that holds of each of finitely many cases, all of which are tried.

    ``wrong`` says of a case in words what is wrong with it, and nothing where it is as it should be.
    """

    cases: Callable[[], Iterable[Any]]
    wrong: Callable[[Any], str]
    method: str


Claim = Conserved | Invariant | Steps | Ranking | Most | Sooner | Reached | Computed | Checked


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a property: what is claimed, under which readings, with which status expected.

    ``readings`` restricts options to some of their values; the others stay free, so that one proof is of all of them.
    A game is looked for under each choice of the values named, with defaults elsewhere.
    """

    claim: Claim
    title: str = ""
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected: str = PROVED
    note: str = ""


def found(goal: Goal, title: str, *, status: str = PROVED, whole: bool = True, note: str = "") -> Part:
    """The part of a property that a game reaching a goal answers, under the readings of the goal.

    ``status`` is what such a game shows of what ``title`` says; ``whole`` asks for one from the first round on.
    """
    readings = {option: (value,) for option, value in goal.readings.items()}
    return Part(Reached(goal, status, whole=whole), title, readings, status, note)


@dataclass(frozen=True, eq=False)
class Property:
    """A property of a game: its id, what it says, and the parts in which it is answered."""

    id: str
    statement: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Properties:
    """All that is claimed of a game: its properties, and the invariants that proofs rest on, by name."""

    game: Game
    invariants: Mapping[str, Expr[bool]]
    properties: tuple[Property, ...]
    goals: tuple[Goal, ...] = ()
    progress: Expr[bool] = field(default_factory=_always)
    """Whether the game can go on: some event is lawful that is more than a word, or the game is over."""
    counting: tuple[str, ...] = ()
    """Events for which the proofs of invariants take it that all zones together hold 52 cards: conservation is proved
    with them."""
    counted: bool = False
    """Proofs take a bag's size from what comes and goes, for cards are conserved; else they count its set."""
    closed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By name, sets of invariants that survive every event without the others: who rests on some needs no more."""

    def carrying(self, names: Iterable[str]) -> tuple[str, ...]:
        """The invariants that have to be proved where these are assumed: the smallest closed set with them, or all."""
        wanted = set(names)
        whole = tuple(self.invariants)
        return min((one for one in self.closed.values() if wanted <= set(one)), key=len, default=whole)

    def __getitem__(self, name: str) -> Property:
        """The property of that id.

        Raises:
            KeyError: there is none.
        """
        return next((one for one in self.properties if one.id == name), None) or _missing(name)


def _missing(name: str) -> Property:
    raise KeyError(name)
