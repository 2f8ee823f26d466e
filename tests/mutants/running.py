"""Running mutants: which of them the recorded games tell from the rules, and by which game."""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from fairdeal.checker.reading.tables import cache_folder
from fairdeal.spec.language.game import Game

from tests.mutants.judging import (
    DifferenceError,
    MutantRules,
    Rules,
    Trace,
    events_of,
    judge,
    noted_searches,
    silence,
    yields,
)
from tests.mutants.making import Mutant

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: the trace that told it from the rules, and how; both empty where none did."""

    id: str
    killer: str = ""
    how: str = ""


@dataclass
class Bench:
    """The rules, warmed up, and the traces in which each event occurs."""

    rules: Rules
    traces: list[Trace]
    events: dict[Trace, frozenset[str]] = field(default_factory=dict)
    killers: Mapping[str, str] = field(default_factory=dict)
    """Which trace killed a mutant the last time: it is asked first."""
    quick: bool = False
    """Do not ask whether other readings excuse a violation, which takes most of the time of a survivor."""
    broken: dict[str, str] = field(default_factory=dict)
    """Traces that the unchanged rules do not judge as expected, with the difference."""

    def warm(self) -> None:
        """Judge every trace by the unchanged rules, so that all is compiled and parsed; keep those that agree."""
        silence()
        good = []
        for trace in self.traces:
            if not trace.expected:
                trace.expected = yields(trace, self.rules)
            try:
                with noted_searches() as reached:
                    judge(trace, self.rules)
                judge(trace, MutantRules(self.rules, NOTHING))
            except DifferenceError as difference:
                self.broken[str(trace.path)] = str(difference)
            else:
                good.append(trace)
                self.events[trace] = events_of(trace, self.rules)
                trace.searched = events_of(trace, self.rules, max(reached, default=0))
        self.traces = good

    def run(self, mutant: Mutant) -> Outcome:
        """Judge the traces that a mutant can matter to until one differs."""
        rules = MutantRules(self.rules, mutant)
        traces = self._order(mutant)
        violations = [] if self.quick else [one for one in traces if one.is_violation and self._searched(one, mutant)]
        for trace, readings in (*((one, False) for one in traces), *((one, True) for one in violations)):
            try:
                judge(trace, rules, readings=readings)
            except DifferenceError as difference:
                return Outcome(mutant.id, trace.name, str(difference))
            except Exception as error:
                return Outcome(mutant.id, trace.name, f"crashed: {type(error).__name__}: {error}")
        return Outcome(mutant.id)

    def _searched(self, trace: Trace, mutant: Mutant) -> bool:
        """Whether the search for other readings comes across a changed event in this trace."""
        return mutant.general or not trace.searched.isdisjoint(mutant.events)

    def _order(self, mutant: Mutant) -> list[Trace]:
        touched = [one for one in self.traces if mutant.general or self.events[one] & mutant.events.keys()]

        last = self.killers.get(mutant.id)

        def rank(trace: Trace) -> tuple[bool, bool, int, int]:
            named = [number for number, clause in enumerate(mutant.clauses) if trace.is_about(clause)]
            about = min(named, default=len(mutant.clauses))
            return trace.name != last, "recorded" in trace.path.parts, about, len(trace.lines)

        return sorted(touched, key=rank)


NOTHING = Mutant("unchanged", "", "", (), "", "")

_bench: Bench
_mutants: Sequence[Mutant]


def _one(number: int) -> Outcome:
    return _bench.run(_mutants[number])


def run_all(bench: Bench, mutants: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    """The outcome of every mutant, in no order; worker processes inherit what is compiled."""
    global _bench, _mutants
    _bench, _mutants = bench, mutants
    if jobs == 1:
        yield from map(_one, range(len(mutants)))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        yield from pool.map(_one, range(len(mutants)), chunksize=8)


@dataclass
class Score:
    """How many mutants were killed, and which were not."""

    total: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    survivors: list[Mutant] = field(default_factory=list)
    equivalent: list[Mutant] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def equivalents(game: str, path: Path = EQUIVALENT) -> dict[str, str]:
    """The mutants of a game that are argued to judge as the rules do, with the reason."""
    groups = tomllib.loads(path.read_text(encoding="utf-8")).get(game, [])
    return {name: group["reason"] for group in groups for name in group["ids"]}


def score(mutants: Sequence[Mutant], outcomes: dict[str, Outcome], argued: dict[str, str], everything: bool) -> Score:
    """Count outcomes, and hold them against what is argued to be equivalent."""
    result = Score()
    for mutant in mutants:
        killed = bool(outcomes[mutant.id].killer)
        result.total[mutant.event] += 1
        result.killed[mutant.event] += killed
        if killed and mutant.id in argued:
            how = f"{outcomes[mutant.id].killer}: {outcomes[mutant.id].how}"
            result.complaints.append(f"{mutant.id} is listed as equivalent and was killed by {how}")
        elif mutant.id in argued:
            result.equivalent.append(mutant)
        elif not killed:
            result.survivors.append(mutant)
    if everything:
        gone = argued.keys() - {mutant.id for mutant in mutants}
        result.complaints += [f"{name} is listed as equivalent and is no mutant any more" for name in sorted(gone)]
    return result


def bench_for(game: Game, traces: list[Trace], *, quick: bool = False) -> Bench:
    """A warmed bench of a game and the traces that are its own."""
    own = [trace for trace in traces if trace.is_of(game.name)]
    bench = Bench(Rules(game), own, killers=recall(game.name), quick=quick)
    bench.warm()
    return bench


def remembered(game: str) -> Path:
    """Where it is kept which trace killed a mutant: a hint that saves time, and no result."""
    return cache_folder() / f"mutants-{game}.json"


def recall(game: str) -> dict[str, str]:
    """Which trace killed which mutant the last time."""
    try:
        known = json.loads(remembered(game).read_text(encoding="utf-8"))
        return {str(mutant): str(trace) for mutant, trace in known.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def remember(game: str, killers: Mapping[str, str]) -> None:
    """Keep which trace killed which mutant."""
    with suppress(OSError):
        remembered(game).parent.mkdir(parents=True, exist_ok=True)
        remembered(game).write_text(json.dumps(dict(killers), indent=0), encoding="utf-8")


def cores() -> int:
    """How many processes to use unless told."""
    return len(os.sched_getaffinity(0))
