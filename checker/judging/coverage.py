"""Coverage: which events and clauses of a game's rules the lines of logs exercise.

What "exercised" means is defined here and nowhere else. A lawful line exercises a clause

- if the line is a case of it: its event cites the clause, and where the rules say to which lines of the event that
  clause applies (`applies`), or after which other lines (`leads_to`), this is one of them; or
- if a guard of the clause judged what the line states, such as its card or its pile. The options in force must leave
  the guard open, and no alternative that asks only how the game stands must have let the line pass whatever it stated.

A line that the rules forbid exercises the clauses that forbid it: as a fault if the program accepted it, as a refused
attempt if the program did not. A question that only asks how the game stands, such as whether the game is over, counts
where the answer forbids a line: that it was asked shows nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import FAILED
from fairdeal.checker.judging.aftermath import looks
from fairdeal.checker.judging.binding import Binder, Bound
from fairdeal.checker.judging.run import Run
from fairdeal.checker.verdict import GameReport, Severity
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import model_named
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Lead
from fairdeal.spec.language.terms import Term

ASSIGNMENTS = 64
"""Assignments of options whose conditions are kept ready; headers are free to name ever more."""


@dataclass(slots=True)
class GameCoverage:
    """What the logs of one game exercised; counts are lines."""

    all_events: tuple[str, ...]
    all_clauses: tuple[str, ...]
    """Those that a line can exercise, in the order of the catalogue."""
    events: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """By event and whether the line was a refused attempt."""
    clauses: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """By clause and whether the line was a refused attempt; of accepted lines, only lawful ones."""
    broken: Counter[str] = field(default_factory=Counter)
    """By clause, findings that cite it; at most as many a game as the call keeps."""

    @property
    def idle_events(self) -> list[str]:
        """Events of which there was no line."""
        return [name for name in self.all_events if not (self.events[name, False] or self.events[name, True])]

    @property
    def idle_clauses(self) -> list[str]:
        """Clauses that no line exercised, and none broke."""
        return [
            name
            for name in self.all_clauses
            if not (self.clauses[name, False] or self.clauses[name, True] or self.broken[name])
        ]


class Cases(NamedTuple):
    """How it is told which clauses a lawful line of one event exercises, under bound options."""

    always: tuple[str, ...]
    sometimes: tuple[tuple[str, Term], ...]
    """Clauses, each with where a line is a case of it."""
    guards: tuple[tuple[str, Term], ...]
    """Clauses of guards that look at what a line states, with their conditions."""
    led: tuple[tuple[str, Term], ...]
    """Clauses of which a line is a case only after one that leads to it, with what is asked besides."""
    leads: tuple[Lead, ...]


class Due(NamedTuple):
    """A line that will be a case of a clause, as one before it has said."""

    event: str
    clause: str
    choices: tuple[tuple[str, int], ...]


class Coverage:
    """Counts over all logs of a call; it stays small however many there are."""

    def __init__(self) -> None:
        self.games: dict[str, GameCoverage] = {}
        self._cases: dict[tuple[str, tuple[tuple[str, int], ...]], dict[str, Cases]] = {}
        self._latest: tuple[Binder | None, dict[str, Cases]] = (None, {})
        self._due: tuple[Run | None, set[Due]] = (None, set())
        """What lines of the game in hand have led to, and no line has come for yet."""

    def count(self, run: Run, bound: Bound) -> None:
        """Count a line that a run is about to judge; the run's state is that before the line."""
        found, refused = self._game(run.binder.game), bound.body.refused is not None
        found.events[bound.event.name, refused] += 1
        if bound.beyond or bound.rubbish:
            return
        certain = not (refused or bound.partial or run.careful)
        if certain:
            lawful = run.binder.steps.probe(bound.event, bound.choices)(run.state, bound.argument) != FAILED
        else:
            ruling = run.referee.rule(bound, run.state)
            lawful = ruling.lawful
            if refused:
                found.clauses.update((clause, True) for clause in {guard.clause for guard in ruling.failed})
        if lawful:
            due = self._due_in(run)
            found.clauses.update((clause, refused) for clause in self._exercised(run, bound, due))
            if not refused:
                self._lead(run, bound, due)

    def add(self, report: GameReport) -> None:
        """Count what a game's findings cite."""
        if report.game is None or report.rules is None:  # no rules judged it
            return
        found = self._game(model_named(report.game))
        for finding in report.findings:
            if finding.severity in (Severity.ERROR, Severity.READING):
                found.broken.update((finding.code, *finding.also))

    def take(self) -> Coverage:
        """What has been counted so far, in a coverage of its own; counting begins anew."""
        taken = Coverage()
        taken.games, self.games = self.games, {}
        return taken

    def merge(self, other: Coverage) -> None:
        """Add what another part of the work has counted."""
        for name, counted in other.games.items():
            found = self.games.setdefault(name, GameCoverage(counted.all_events, counted.all_clauses))
            found.events.update(counted.events)
            found.clauses.update(counted.clauses)
            found.broken.update(counted.broken)

    def _game(self, game: Game) -> GameCoverage:
        found = self.games.get(game.name)
        if found is None:
            met = {clause for event in game.events.values() for clause in _stated(event)}
            names = tuple(clause for clause in catalogue(game.name) if clause in met and not clause.startswith("LOG-"))
            found = self.games[game.name] = GameCoverage(tuple(game.events), names)
        return found

    def _due_in(self, run: Run) -> set[Due]:
        if self._due[0] is not run:
            self._due = (run, set())
        return self._due[1]

    def _lead(self, run: Run, bound: Bound, due: set[Due]) -> None:
        """Note what a lawful line leads to, and that nothing leads any longer to a line that has come."""
        name, values = bound.event.name, bound.values
        due -= {one for one in due if name == run.binder.game.entry or _comes(one, bound)}
        value = run.binder.interpreter.value
        for lead in self._of(run.binder)[name].leads:
            if value(lead.condition, run.state, values) is True:
                choices = tuple((each, value(term, run.state, values)) for each, term in lead.choices)
                due.add(Due(lead.event, lead.clause, choices))

    def _exercised(self, run: Run, bound: Bound, due: set[Due]) -> set[str]:
        cases = self._of(run.binder)[bound.event.name]
        interpreter, state, values = run.binder.interpreter, run.state, bound.values
        clauses = set(cases.always)
        clauses.update(clause for clause, where in cases.sometimes if interpreter.value(where, state, values) is True)
        met = {one.clause for one in due if _comes(one, bound)}
        clauses |= {one for one, where in cases.led if one in met and interpreter.value(where, state, values) is True}
        for clause, condition in cases.guards:
            if clause not in clauses and _judged(interpreter, condition, state, values):
                clauses.add(clause)
        return clauses

    def _of(self, binder: Binder) -> dict[str, Cases]:
        if self._latest[0] is binder:
            return self._latest[1]
        key = (binder.game.name, tuple(sorted(binder.options.items())))
        found = self._cases.get(key)
        if found is None:
            if len(self._cases) >= ASSIGNMENTS:
                self._cases.clear()
            events = binder.game.events.values()
            led = {(lead.event, lead.clause) for event in events for lead in event.leads}
            bind = binder.steps.binding
            found = self._cases[key] = {
                event.name: _bound(event, bind, {clause for name, clause in led if name == event.name})
                for event in events
            }
        self._latest = (binder, found)
        return found


def _comes(due: Due, bound: Bound) -> bool:
    return due.event == bound.event.name and all(bound.values[name] == value for name, value in due.choices)


def _own(event: Event) -> Mapping[str, Term]:
    """By clause, where a line of the event is a case of it; what is worth a word is one where it is."""
    cases = dict.fromkeys(event.cites, terms.TRUE) | dict(event.cases)
    for remark in event.remarks:
        cases[remark.clause] = terms.disjoin([cases.get(remark.clause, terms.FALSE), remark.condition])
    return cases


def _stated(event: Event) -> Iterator[str]:
    """The clauses that a line of the event can exercise."""
    yield from (clause for clause, where in _own(event).items() if where is not terms.FALSE)
    yield from (guard.clause for guard in event.guards)


def _bound(event: Event, options: Mapping[Term, Term], led: Collection[str]) -> Cases:
    done: dict[Term, Term] = {}

    def bind(pairs: Iterable[tuple[str, Term]]) -> list[tuple[str, Term]]:
        named = ((clause, terms.substitute(term, options, done)) for clause, term in pairs)
        return [(clause, term) for clause, term in named if not clause.startswith("LOG-") and term is not terms.FALSE]

    bound = bind(_own(event).items())
    told = {*event.cites, *event.cases}  # of these the rules themselves say where a line is a case
    guards = bind((guard.clause, guard.condition) for guard in event.guards if guard.clause not in told)
    leads = (replace(one, condition=terms.substitute(one.condition, options, done)) for one in event.leads)
    return Cases(
        tuple(clause for clause, where in bound if where is terms.TRUE and clause not in led),
        tuple((clause, where) for clause, where in bound if where is not terms.TRUE and clause not in led),
        tuple((clause, condition) for clause, condition in guards if looks(condition)),
        tuple((clause, where) for clause, where in bound if clause in led),
        tuple(one for one in leads if one.condition is not terms.FALSE),
    )


def _judged(interpreter: Interpreter, term: Term, state: State, values: Mapping[str, Any]) -> bool:
    """Whether a condition that holds does so by what the line states, and not whatever it stated."""
    if not looks(term):
        return False
    if term.op == "and":
        return any(_judged(interpreter, part, state, values) for part in term.args)
    if term.op == "or":
        return not any(interpreter.value(part, state, values) for part in term.args if not looks(part))
    return interpreter.value(term, state, values) is True
