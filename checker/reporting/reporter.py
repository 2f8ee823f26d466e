"""What every report has in common: how it is called, what it sums up, and the exit code that follows."""

# Imports wait inside functions: a call loads only the report that it asks for.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TextIO, runtime_checkable

from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict

if TYPE_CHECKING:
    from fairdeal.checker.judging.coverage import Coverage
    from fairdeal.checker.reporting.tally import Tally
    from fairdeal.spec.catalogue import Clause, Code, Gap

PASSED = frozenset((Verdict.LEGAL,))
LENIENT = frozenset((Verdict.LEGAL, Verdict.INCOMPLETE, Verdict.READING_DEPENDENT, Verdict.UNKNOWN))

LEVELS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.READING: "warning",
    Severity.UNKNOWN: "warning",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}
"""How other programs' formats, which know three levels, call each severity."""


def accepted(strict: bool) -> frozenset[Verdict]:
    """The verdicts that pass, for a lenient or a strict call."""
    return PASSED if strict else LENIENT


def fails(report: GameReport, strict: bool) -> bool:
    """Whether a game makes a lenient or a strict call fail."""
    return report.verdict not in accepted(strict) and not report.excused


@dataclass(slots=True)
class Summary:
    """Counts over all games so far; it stays small however many there are."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    excused: Counter[Verdict] = field(default_factory=Counter)
    """Games among those that pass since a baseline lists all that decides their verdict."""
    events: int = 0
    known: int = 0
    """Findings that a baseline lists."""
    unmet: int = 0
    """Findings of the baseline that no log had."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Path and message of every source that could not be checked, or not to its end."""
    seconds: float | None = None
    tally: Tally | None = None
    """Counts by code and by file, where they are asked for."""
    coverage: Coverage | None = None
    """What the logs exercised of the rules, where it is asked for."""

    @property
    def games(self) -> int:
        """How many games were judged."""
        return self.verdicts.total()

    def add(self, report: GameReport, strict: bool = False) -> None:
        """Counts one more game."""
        self.verdicts[report.verdict] += 1
        self.excused[report.verdict] += report.excused
        self.events += report.events
        self.known += report.known
        if self.tally is not None:
            self.tally.add(report, fails(report, strict))
        if self.coverage is not None:
            self.coverage.add(report)

    def exit_code(self, strict: bool) -> int:
        """0 if every game passes, 1 if one does not or there was none, 2 if a source was not checked."""
        if self.unread:
            return 2
        return 0 if self.games and (self.verdicts - self.excused).keys() <= accepted(strict) else 1


class Reporter(Protocol):
    """Writes the verdicts on games as they come, and keeps none of them."""

    def begin(self) -> None:
        """Called once, before the first game."""

    def game(self, report: GameReport) -> None:
        """Called for each game, in the order of the call's paths."""

    def end(self, summary: Summary) -> None:
        """Called once after the last game, also where a source could not be read."""


@runtime_checkable
class ResumableReporter(Reporter, Protocol):
    """One whose report a second run can go on with, from between two games."""

    def kept(self) -> dict[str, Any]:
        """What it has to remember beside what it has written, as JSON."""

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Called in place of ``begin``: go on from what was kept.

        Raises:
            KeyError, TypeError or ValueError: that is not what one like it has kept.
        """


@runtime_checkable
class LiveReporter(Reporter, Protocol):
    """One that writes findings before their game is over."""

    def live(self, report: GameReport, start: int, answers: Sequence[Finding] = ()) -> None:
        """Write the findings of a game in hand from ``start`` on; ``game`` leaves them out when it ends.

        ``answers`` have taken the place of findings that were written before.
        """


@dataclass(frozen=True, slots=True)
class Settings:
    """What the call asked of a report; each reporter takes what concerns it."""

    color: bool = False
    width: int = 80
    quiet: bool = False
    show_all: bool = False
    strict: bool = False
    signs: bool = False
    """Suits on a drawn table are signs, not letters."""
    statement: Callable[[GameReport, str], str] = lambda _report, _code: ""
    """The sentence of a clause or gap, from a game's report and a code; empty where there is none."""
    model: Callable[[str], str] = lambda _game: ""
    """The name and version of a game's rules model."""
    entry: Callable[[str | None, str], Clause | Gap | Code | None] = lambda _game, _code: None
    """What the catalogue has on a code, from a game's name and the code."""

    def fails(self, report: GameReport) -> bool:
        """Whether a game makes the call fail."""
        return fails(report, self.strict)


Maker = Callable[[TextIO, Settings], Reporter]


def _made_by(module: str, name: str) -> Maker:
    """What makes a reporter of a class in a module beside this one, which is loaded when it does."""

    def make(out: TextIO, settings: Settings) -> Reporter:
        reporter: Reporter = vars(import_module(f"fairdeal.checker.reporting.{module}"))[name](out, settings)
        return reporter

    return make


REPORTERS: Mapping[str, Maker] = {
    "text": _made_by("text", "TextReporter"),
    "json": _made_by("json_report", "JsonReporter"),
    "jsonl": _made_by("json_report", "JsonLinesReporter"),
    "junit": _made_by("junit_report", "JUnitReporter"),
    "sarif": _made_by("sarif_report", "SarifReporter"),
    "github": _made_by("github_report", "GitHubReporter"),
}
"""Every format of a report by the name that ``--format`` takes; a new one is added here."""


COUNTERS: Mapping[str, Maker] = {
    "text": _made_by("text", "CountsReporter"),
    "json": _made_by("json_report", "JsonCountsReporter"),
}
"""The formats that have counts, of games and of coverage, and what writes these alone for ``--summary``."""


@cache
def release() -> str:
    """The version of fairdeal that is installed, or ``unknown`` where it only lies on the path."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("fairdeal")
    except PackageNotFoundError:
        return "unknown"
