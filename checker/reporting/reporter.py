"""What every report has in common: how it is called, what it sums up, and the exit code that follows."""

# Imports wait inside functions: a call loads only the report that it asks for.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TextIO, runtime_checkable

from fairdeal.checker.verdict import GameReport, Severity, Verdict

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

    def live(self, report: GameReport, start: int) -> None:
        """Write the findings of a game in hand from ``start`` on; ``game`` leaves them out when it ends."""


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


def _text(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.text import TextReporter

    return TextReporter(out, settings)


def _json(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.json_report import JsonReporter

    return JsonReporter(out, settings)


def _jsonl(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.json_report import JsonLinesReporter

    return JsonLinesReporter(out, settings)


def _junit(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.junit_report import JUnitReporter

    return JUnitReporter(out, settings)


def _sarif(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.sarif_report import SarifReporter

    return SarifReporter(out, settings)


def _github(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.github_report import GitHubReporter

    return GitHubReporter(out, settings)


REPORTERS: Mapping[str, Maker] = {
    "text": _text,
    "json": _json,
    "jsonl": _jsonl,
    "junit": _junit,
    "sarif": _sarif,
    "github": _github,
}
"""Every format of a report by the name that ``--format`` takes; a new one is added here."""


def _text_counts(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.text import CountsReporter

    return CountsReporter(out, settings)


def _json_counts(out: TextIO, settings: Settings) -> Reporter:
    from fairdeal.checker.reporting.json_report import JsonCountsReporter

    return JsonCountsReporter(out, settings)


COUNTERS: Mapping[str, Maker] = {"text": _text_counts, "json": _json_counts}
"""The formats that have counts, of games and of coverage, and what writes these alone for ``--summary``."""


def release() -> str:
    """The version of fairdeal that is installed, or ``unknown`` where it only lies on the path."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("fairdeal")
    except PackageNotFoundError:
        return "unknown"
