"""Judging the recorded games under a mutant, fast: what the change does not touch is compiled once for all mutants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fairdeal.checker.engines.compiled_code import CompiledCode
from fairdeal.checker.engines.python_source import PythonSteps, workshop
from fairdeal.checker.judging.binding import Binder, Bound, Entry, Malformed
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.findings import Explainer, Fault
from fairdeal.checker.judging.readings import Search
from fairdeal.checker.judging.referee import Referee
from fairdeal.checker.judging.run import Run
from fairdeal.checker.judging.shelf import Shelf
from fairdeal.checker.reading.lines import Unreadable, blocks
from fairdeal.checker.reading.notation import notation
from fairdeal.checker.reading.source import open_log
from fairdeal.checker.verdict import GameReport, Severity, Verdict
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.specialise import Specialised, specialise
from fairdeal.spec.language.terms import Term

from tests.expectations import Expectation, expected, traces, yielded
from tests.mutants.making import Mutant

AT_ONCE = 64
"""Lines that are judged before it is asked whether a game differs already."""
ALL = 1_000_000
"""Findings that are kept of a game."""
BEFORE_THE_GAME = frozenset({"LOG-HEADER"})
"""Codes of findings that a game has before its first event."""


class DifferenceError(Exception):
    """A game is not judged as it should be; says how."""


# ---------------------------------------------------------------- what is expected


@dataclass(eq=False)
class Trace:
    """A recorded game, or several, with what each must yield; empty where that is not written down."""

    path: Path
    expected: list[Expectation] = field(default_factory=list)
    searched: frozenset[str] = frozenset()
    """Events among the lines that the search for other readings comes to."""

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.name.partition(".gamelog")[0]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, read once."""
        with open_log(str(self.path)) as stream:
            return [line for block in blocks(stream) for line in block]

    @property
    def must_be_clean(self) -> bool:
        """Whether a single fault makes a difference."""
        one = self.expected[0]
        clean = one.verdict in ("legal", "incomplete") and all(line.endswith(" note") for line in one.findings)
        return clean and len(self.expected) == 1 and not one.findings

    @property
    def is_violation(self) -> bool:
        """Whether some game of it must be a violation."""
        return any(one.verdict == Verdict.VIOLATION.value for one in self.expected)

    def is_of(self, game: str) -> bool:
        """Whether it holds a game of that name."""
        return any(
            line.replace(" ", "") == f"game:{game}" or f'"game":"{game}"' in line.replace(" ", "")
            for line in self.lines
        )

    def is_about(self, clause: str) -> bool:
        """Whether its name says that it is about a clause."""
        return f"{self.name}-".startswith(f"{clause.lower()}-")


def find_traces(folder: Path, *, recorded_yields: bool) -> list[Trace]:
    """Every game below a folder that has an expectation; the others too if what the model yields will be asked for."""
    found = [Trace(path, expected(path)) for path in traces(folder)]
    if recorded_yields:
        known = {trace.path for trace in found}
        rest = (path for path in sorted(folder.rglob("*.gamelog*")) if path.suffix in (".gamelog", ".jsonl"))
        found += [Trace(path) for path in rest if path not in known]
    return found


# ---------------------------------------------------------------- binders that share what they can


class Rules(Shelf):
    """The unchanged rules; every binder is kept, and so is what a line's body states."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.rules = game
        self.known: dict[tuple[int, ...], Binder] = {}
        self.bodies: dict[str, Bound | Malformed] = {}

    def game(self, name: str) -> Game:
        return self.rules if name == self.rules.name else super().game(name)

    def binder(self, game: Game, options: Mapping[str, int]) -> Binder:
        key = tuple(options.values())
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.make(game, options)
        return found

    def make(self, game: Game, options: Mapping[str, int]) -> Binder:
        return Binder(game, notation(game.name), options, keep=False)


class MutantRules(Rules):
    """The rules with one change; binders borrow from those of the unchanged rules what the change does not touch."""

    def __init__(self, base: Rules, mutant: Mutant) -> None:
        super().__init__(mutant.applied(base.rules))
        self.base, self.mutant = base, mutant
        self.workshop = copy(workshop(base.rules))
        self.workshop.game, self.workshop.functions, self.workshop.kept = self.rules, {}, CompiledCode(None)
        self.workshop._reads = {}

    def make(self, game: Game, options: Mapping[str, int]) -> Binder:
        return GraftedBinder(self, self.base.binder(self.base.rules, options), options)


class GraftedBinder(Binder):
    """A binder of changed rules that takes what is about unchanged events from another."""

    def __init__(self, shelf: MutantRules, base: Binder, options: Mapping[str, int]) -> None:
        self.game, self.notation, self.options = shelf.rules, base.notation, dict(options)
        self.steps = GraftedSteps(shelf, base.steps)
        self.interpreter = copy(base.interpreter)
        self.interpreter.game, self.interpreter.options = shelf.rules, dict(options)
        self.layout, self.instant = base.layout, base.instant
        self.memo = {}
        self.base, self.changed, self.bodies = base, shelf.mutant.events, shelf.base.bodies

    def entry(self, text: str) -> Entry:
        found = self.memo.get(text)
        if found is None:
            bound = self.bodies.get(text)
            if bound is None:
                bound = self.bodies[text] = self.base.entry(text)[3]
            if isinstance(bound, Malformed):
                found = self.base.entry(text)
            elif bound.event.name in self.changed:
                found = self.of(bound._replace(event=self.changed[bound.event.name]))
            else:
                found = self.base.of(bound)
            self.memo[text] = found
        return found

    def of(self, bound: Bound) -> Entry:
        return super().of(bound) if bound.event.name in self.changed else self.base.of(bound)


class GraftedSteps(PythonSteps):
    """Steps of changed rules; of a changed event, only what is changed is bound anew."""

    def __init__(self, shelf: MutantRules, base: PythonSteps) -> None:
        self.game, self.options, self.keep = shelf.rules, base.options, False
        self.workshop, self.layout, self.tables, self.binding = shelf.workshop, base.layout, base.tables, base.binding
        self._specialised, self._made = {}, {}
        self.base = base
        if not shelf.mutant.derived:
            self.derived = base.derived

    def specialised(self, event: Event, choices: tuple[int, ...]) -> Specialised:
        key = (event.name, choices)
        found = self._specialised.get(key)
        if found is None:
            unchanged = self.base.game.events[event.name]
            ready = self.base.specialised(unchanged, choices)
            old = (*unchanged.guards, *unchanged.remarks)
            new = tuple(one for one in (*event.guards, *event.remarks) if one not in old)
            bound = specialise(replace(event, guards=new, remarks=(), effects=()), choices, self.binding).guards
            known = dict(zip((*old, *new), (*ready.guards, *ready.remarks, *bound), strict=True))
            effects = ready.effects
            if event.effects != unchanged.effects:
                effects = specialise(replace(event, guards=(), remarks=()), choices, self.binding).effects
            guards, remarks = (tuple(known[one] for one in part) for part in (event.guards, event.remarks))
            found = Specialised(event, choices, guards, effects, remarks)
            self._specialised[key] = found
        return found


def silence() -> None:
    """Leave out of findings what expectations say nothing about, which costs most of the time."""
    nothing: Any = lambda *_: ()  # noqa: E731
    Explainer._legal = nothing  # type: ignore[method-assign]
    Explainer._related = nothing  # type: ignore[method-assign]
    Explainer._readings = lambda *_: ({}, "")  # type: ignore[method-assign]
    Referee.zones_read = _zones_read  # type: ignore[method-assign,assignment]


@contextmanager
def noted_searches() -> Iterator[list[int]]:
    """Note the lines that searches for other readings come to."""
    reached: list[int] = []
    find = Search.find

    def noted(search: Search, first: Fault) -> Mapping[str, str] | None:
        trial = search.trial

        def trying(changes: Mapping[str, str]) -> Fault | None:
            fault = trial(changes)
            reached.append(ALL if fault is None else fault.line)
            return fault

        search.trial = trying
        return find(search, first)

    Search.find = noted  # type: ignore[method-assign,assignment]
    try:
        yield reached
    finally:
        Search.find = find  # type: ignore[method-assign]


@cache
def _reading(term: Term) -> tuple[Term, ...]:
    return tuple(one for one in terms.subterms(term) if one.op in ("cell", "size", "top", "cards"))


def _zones_read(referee: Referee, term: Term, bound: Bound) -> Iterator[tuple[Term, int]]:
    """As `Referee.zones_read`, with the walk over the term remembered."""
    for one in _reading(term):
        yield one, referee.interpreter.position(str(one.value), one.args, [], bound.values)


# ---------------------------------------------------------------- judging


def judge(trace: Trace, shelf: Shelf, *, readings: bool = True) -> None:
    """Judge a trace by some rules; without ``readings``, a violation is not asked whether other options excuse it.

    Raises:
        DifferenceError: it does not yield what it must.
    """
    check = LogCheck(Call(str(trace.path), None, {}, 0 if trace.must_be_clean else ALL, shelf=shelf))
    reports: list[GameReport] = []
    for start in range(0, len(trace.lines), AT_ONCE):
        reports += check.take(trace.lines[start : start + AT_ONCE])
        run = check.game.run if check.game is not None else None
        if run is not None and len(reports) < len(trace.expected):
            _compare_so_far(run, trace.expected[len(reports)])
    if check.game is not None and check.game.run is not None and len(trace.expected) - len(reports) == 1:
        _compare_so_far(check.game.run, trace.expected[-1], whole=True)
        if not readings and len(trace.expected) == 1 and trace.expected[0].verdict == Verdict.VIOLATION.value:
            return
    reports += check.finish()
    found = [yielded(report, want) for report, want in zip(reports, trace.expected, strict=False)]
    if len(reports) != len(trace.expected):
        raise DifferenceError(f"{len(reports)} games instead of {len(trace.expected)}")
    for one, want in zip(found, trace.expected, strict=True):
        if one != want:
            raise DifferenceError(_difference(one, want))


def _compare_so_far(run: Run, want: Expectation, *, whole: bool = False) -> None:
    """Find a difference before the end of the game, and before other readings are tried, which takes long."""
    if not want.findings and want.verdict in ("legal", "incomplete"):
        open_yet = run.outcome.worst is Verdict.UNKNOWN and not whole  # a later line may answer it
        if run.outcome.worst is not Verdict.LEGAL and not open_yet:
            code = run.outcome.first_fault.code if run.outcome.first_fault else "a finding"
            raise DifferenceError(f"line {run.line} or before: {code} of a clean game")
        return
    if not whole and any(one.severity is Severity.UNKNOWN for one in run.outcome.findings):
        return  # a later line may put another finding in its place
    kinds = (Severity.NOTE, Severity.WARNING)
    found = [
        (one.line, one.code) for one in run.outcome.findings if one.follows_from is None and one.severity not in kinds
    ]
    wanted = [_place(line) for line in want.findings if not line.endswith((" note", " warning"))]
    for one, other in zip_longest(found, wanted):
        if one is None and not whole:
            return
        if one != other and not (one is None and other is not None and other[1] in BEFORE_THE_GAME):
            raise DifferenceError(f"{one} instead of {other}")


def _place(line: str) -> tuple[int, str]:
    number, code, *_ = line.split()
    return int(number), code


def _difference(found: Expectation, wanted: Expectation) -> str:
    if found.verdict != wanted.verdict:
        return f"{found.verdict} instead of {wanted.verdict}"
    if found.readings != wanted.readings:
        return f"readings {found.readings or 'none'} instead of {wanted.readings}"
    for one, other in zip_longest(found.findings, wanted.findings):
        if one != other:
            return f"{one or 'nothing'} instead of {other or 'nothing'}"
    return ""


def yields(trace: Trace, shelf: Shelf) -> list[Expectation]:
    """What some rules yield for a trace, as an expectation."""
    check = LogCheck(Call(str(trace.path), None, {}, ALL, shelf=shelf))
    reports = [*check.take(trace.lines), *check.finish()]
    return [yielded(report, Expectation("", findings=("1 LOG-OPEN note",))) for report in reports]


def events_of(trace: Trace, shelf: Rules, last: int = ALL) -> frozenset[str]:
    """The events that a trace's lines state, observations included, up to a line."""
    binder = next(iter(shelf.known.values()))
    run = Run(binder, Explainer(binder, frozenset()), 1)
    stated = (run.peek(line) for line in trace.lines[:last] if not isinstance(line, Unreadable))
    return frozenset(bound.event.name for bound in stated if bound is not None)
