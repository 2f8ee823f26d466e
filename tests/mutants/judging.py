"""Judging the recorded games under a mutant, fast: what the change does not touch is compiled once for all mutants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fairdeal.checker.judging.binding import Binder, Bound, Entry, Malformed
from fairdeal.checker.judging.checking import Call, LogCheck, Shelf
from fairdeal.checker.judging.findings import Explainer
from fairdeal.checker.judging.run import Run
from fairdeal.checker.reading.notation import notation
from fairdeal.checker.reading.source import blocks, open_log
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict
from fairdeal.spec.language.game import Event, Game
from tests.mutants.making import Mutant

AT_ONCE = 64
"""Lines that are judged before it is asked whether a game differs already."""


class Difference(Exception):
    """A game is not judged as it should be; says how."""


# ---------------------------------------------------------------- what is expected


@dataclass(frozen=True)
class Expected:
    """One game's verdict and its findings: line, code and severity; a severity that is not stated is open."""

    verdict: Verdict
    findings: tuple[tuple[int, str, str], ...]

    def compare(self, verdict: Verdict, findings: Iterable[Finding]) -> None:
        """Raises ``Difference`` where a report is another one."""
        if verdict is not self.verdict:
            raise Difference(f"{verdict.value} instead of {self.verdict.value}")
        self.compare_findings(findings)

    def compare_findings(self, findings: Iterable[Finding], *, whole: bool = True) -> None:
        """The same for findings alone; those found so far where the report is not ``whole``."""
        found = [(one.line, one.code, one.severity.value) for one in findings if one.severity is not Severity.NOTE]
        wanted = [one for one in self.findings if one[2] != Severity.NOTE.value]
        for number, (line, code, severity) in enumerate(found):
            if number >= len(wanted):
                raise Difference(f"line {line}: {code} where nothing is wrong")
            if wanted[number][:2] != (line, code):
                raise Difference(f"line {line}: {code} instead of {wanted[number][1]} at line {wanted[number][0]}")
            if whole and wanted[number][2] not in ("", severity):
                raise Difference(f"line {line}: {code} is of severity {severity}")
        if whole and len(found) < len(wanted):
            raise Difference(f"line {wanted[len(found)][0]}: {wanted[len(found)][1]} was not found")


def read_expected(path: Path) -> tuple[Expected, ...]:
    """What a ``.expect`` file asks for, game by game."""
    games: list[tuple[Verdict, list[tuple[int, str, str]]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        if words[0] == "verdict:":
            games.append((Verdict(words[1]), []))
        else:
            games[-1][1].append((int(words[0]), words[1], words[2] if len(words) > 2 else ""))
    return tuple(Expected(verdict, tuple(findings)) for verdict, findings in games)


@dataclass(eq=False)
class Trace:
    """A recorded game, or several, with what each must yield."""

    path: Path
    expected: tuple[Expected, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.name.split(".")[0]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, read once."""
        with open_log(str(self.path)) as stream:
            return [line for block in blocks(stream) for line in block]

    @property
    def must_be_clean(self) -> bool:
        """Whether a single fault makes a difference."""
        verdicts = {one.verdict for one in self.expected}
        return len(self.expected) == 1 and verdicts <= {Verdict.LEGAL, Verdict.INCOMPLETE} and not any(
            severity != Severity.NOTE.value for one in self.expected for _, _, severity in one.findings
        )

    def starts_with(self, clause: str) -> bool:
        """Whether its name says that it is about a clause."""
        return f"{self.name}-".startswith(f"{clause.lower()}-")


def find_traces(folder: Path, *, recorded_yields: bool) -> list[Trace]:
    """Every game below a folder that has an expectation; the others too if what the model yields will be asked for."""
    found = []
    for path in sorted(folder.rglob("*.gamelog*")):
        expect = path.with_name(path.name.split(".")[0] + ".expect")
        if expect.exists():
            found.append(Trace(path, read_expected(expect)))
        elif recorded_yields and path.suffix != ".expect":
            found.append(Trace(path))
    return found


# ---------------------------------------------------------------- binders that share what they can


class Rules(Shelf):
    """The unchanged rules; every binder is kept."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.rules = game
        self.known: dict[tuple[int, ...], Binder] = {}

    def game(self, name: str) -> Game:
        return self.rules if name == self.rules.name else super().game(name)

    def binder(self, game: Game, options: Mapping[str, int]) -> Binder:
        key = tuple(options.values())
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.make(game, options)
        return found


class MutantRules(Rules):
    """The rules with one change; binders borrow from those of the unchanged rules."""

    def __init__(self, base: Rules, mutant: Mutant) -> None:
        super().__init__(mutant.applied(base.rules))
        self.base, self.changed = base, mutant.events

    def make(self, game: Game, options: Mapping[str, int]) -> Binder:
        return Grafted(game, self.base.binder(self.base.rules, options), options, self.changed)


class Grafted(Binder):
    """A binder of changed rules that takes the entries of unchanged events from another."""

    def __init__(self, game: Game, base: Binder, options: Mapping[str, int], changed: Mapping[str, Event]) -> None:
        super().__init__(game, notation(game.name), options)
        self.base, self.changed = base, changed
        self.memo = {text: entry for text, entry in base.memo.items() if not self._differs(entry[3])}

    def _differs(self, bound: Bound | Malformed) -> bool:
        return isinstance(bound, Bound) and bound.event.name in self.changed

    def entry(self, text: str) -> Entry:
        found = self.memo.get(text)
        if found is None:
            found = self.base.entry(text)
            if isinstance(found[3], Bound) and found[3].event.name in self.changed:
                found = self.of(replace(found[3], event=self.changed[found[3].event.name]))
            self.remember(text, found)
        return found

    def of(self, bound: Bound) -> Entry:
        return super().of(bound) if bound.event.name in self.changed else self.base.of(bound)


def silence() -> None:
    """Leave out of findings what expectations say nothing about, which costs most of the time."""
    nothing: Any = lambda *_: ()  # noqa: E731
    Explainer._legal = nothing  # type: ignore[method-assign]
    Explainer._related = nothing  # type: ignore[method-assign]
    Explainer._readings = lambda *_: ({}, "")  # type: ignore[method-assign]


# ---------------------------------------------------------------- judging


def judge(trace: Trace, shelf: Shelf) -> None:
    """Judge a trace by some rules.

    Raises:
        Difference: it does not yield what it must.
    """
    if trace.must_be_clean:
        _judge_clean(trace, shelf)
        return
    check = LogCheck(Call(str(trace.path), None, {}, 10**6, False, shelf))
    reports: list[GameReport] = []
    for block in _pieces(trace.lines):
        reports += check.take(block)
        for expected, report in zip(trace.expected, reports, strict=False):
            expected.compare(report.verdict, report.findings)
        if len(reports) < len(trace.expected) and check.game is not None and check.game.run is not None:
            trace.expected[len(reports)].compare_findings(check.game.run.findings, whole=False)
    reports += check.finish()
    if len(reports) != len(trace.expected):
        raise Difference(f"{len(reports)} games instead of {len(trace.expected)}")
    for expected, report in zip(trace.expected, reports, strict=True):
        expected.compare(report.verdict, report.findings)


def _judge_clean(trace: Trace, shelf: Shelf) -> None:
    """The same for a trace without faults, up to the first."""
    check = LogCheck(Call(str(trace.path), None, {}, 0, False, shelf))
    reports: list[GameReport] = []
    for block in _pieces(trace.lines):
        reports += check.take(block)
        run = check.game.run if check.game is not None else None
        if run is not None and run.worst is not Verdict.LEGAL:
            raise Difference(f"at about line {run.line} {run.faults[0].code if run.faults else ''} where nothing is wrong")
    reports += check.finish()
    verdicts = [report.verdict for report in reports]
    wanted = [one.verdict for one in trace.expected]
    if verdicts != wanted:
        raise Difference(f"{verdicts[0].value} instead of {wanted[0].value}")


def _pieces(lines: Sequence[str]) -> Iterable[Sequence[str]]:
    return (lines[start : start + AT_ONCE] for start in range(0, len(lines), AT_ONCE))


def yields(trace: Trace, shelf: Shelf) -> tuple[Expected, ...]:
    """What some rules yield for a trace, as an expectation."""
    check = LogCheck(Call(str(trace.path), None, {}, 10**6, False, shelf))
    reports = [*check.take(trace.lines), *check.finish()]
    return tuple(
        Expected(report.verdict, tuple((one.line, one.code, one.severity.value) for one in report.findings))
        for report in reports
    )


def events_of(trace: Trace, shelf: Rules) -> frozenset[str]:
    """The events that a trace's lines state, observations included."""
    binder = next(iter(shelf.known.values()))
    run = Run(binder, Explainer(binder, frozenset()), 1)
    stated = (run.peek(line) for line in trace.lines)
    return frozenset(bound.event.name for bound in stated if bound is not None)
