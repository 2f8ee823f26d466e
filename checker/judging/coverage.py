"""Coverage: which events and clauses of a game's rules the lines of logs exercise.

A line exercises a clause if its event states the clause, or has a condition of it that could have failed under the
options in force. Conditions that the options make true of themselves count for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.run import Run
from fairdeal.checker.verdict import GameReport, Severity
from fairdeal.spec.games import model_named
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game

ASSIGNMENTS = 64
"""Assignments of options whose conditions are kept ready; headers are free to name ever more."""

Live = Mapping[str, tuple[str, ...]]
"""By event, the clauses that a line of it exercises."""


@dataclass(slots=True)
class GameCoverage:
    """What the logs of one game exercised; counts are lines."""

    all_events: tuple[str, ...]
    all_clauses: tuple[str, ...]
    """Those that an event or a condition of the model states, in the order of the model."""
    events: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """By event and whether the line was a refused attempt."""
    clauses: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """By clause and whether the line was a refused attempt."""
    broken: Counter[str] = field(default_factory=Counter)
    """By clause, findings that cite it; at most as many a game as the call keeps."""

    @property
    def idle_events(self) -> list[str]:
        """Events of which there was no line."""
        return [name for name in self.all_events if not (self.events[name, False] or self.events[name, True])]

    @property
    def idle_clauses(self) -> list[str]:
        """Clauses that no line exercised."""
        return [name for name in self.all_clauses if not (self.clauses[name, False] or self.clauses[name, True])]


class Coverage:
    """Counts over all logs of a call; it stays small however many there are."""

    def __init__(self) -> None:
        self.games: dict[str, GameCoverage] = {}
        self._live: dict[tuple[str, tuple[tuple[str, int], ...]], Live] = {}

    def count(self, run: Run, lines: Sequence[str], start: int, stop: int) -> None:
        """Count lines that a run has just taken; those that are no events are passed over."""
        samples: dict[str, str] = {}
        bodies: Counter[str] = Counter()
        for at in range(start, stop):
            line = lines[at]
            body = line
            while body[:1] == "@" or body[:1].isdecimal():
                _, space, rest = body.partition(" ")
                if not space:
                    break
                body = rest
            bodies[body] += 1
            samples.setdefault(body, line)
        found = self._game(run.binder.game)
        live = self._clauses(run.binder)
        for body, number in bodies.items():
            bound = run.peek(samples[body])
            if bound is None:
                continue
            refused = bound.body.refused is not None
            found.events[bound.event.name, refused] += number
            for clause in live[bound.event.name]:
                found.clauses[clause, refused] += number

    def add(self, report: GameReport) -> None:
        """Count what a game's findings cite."""
        if report.game is None or report.rules is None:  # no rules judged it
            return
        found = self._game(model_named(report.game))
        for finding in report.findings:
            if finding.severity in (Severity.ERROR, Severity.READING):
                found.broken.update((finding.code, *finding.also))
            elif finding.severity is Severity.NOTE and finding.code in found.all_clauses:
                found.clauses[finding.code, False] += 1  # a remark on a lawful line, which no guard of it asks

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
            clauses = dict.fromkeys(clause for event in game.events.values() for clause in _stated(event))
            names = tuple(clause for clause in clauses if not clause.startswith("LOG-"))
            found = self.games[game.name] = GameCoverage(tuple(game.events), names)
        return found

    def _clauses(self, binder: Binder) -> Live:
        key = (binder.game.name, tuple(sorted(binder.options.items())))
        found = self._live.get(key)
        if found is None:
            if len(self._live) >= ASSIGNMENTS:
                self._live.clear()
            found = self._live[key] = {
                event.name: tuple(dict.fromkeys(_exercised(event, binder.steps.binding)))
                for event in binder.game.events.values()
            }
        return found


def _stated(event: Event) -> Iterable[str]:
    yield from event.cites
    yield from (guard.clause for guard in event.guards)


def _exercised(event: Event, options: Mapping[terms.Term, terms.Term]) -> Iterable[str]:
    done: dict[terms.Term, terms.Term] = {}
    for clause in event.cites:
        if not clause.startswith("LOG-"):
            yield clause
    for guard in event.guards:
        if terms.substitute(guard.condition, options, done) is not terms.TRUE and not guard.clause.startswith("LOG-"):
            yield guard.clause
