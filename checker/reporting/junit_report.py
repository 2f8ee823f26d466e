"""JUnit XML, as build servers read it: one suite a log, one test case a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from tempfile import SpooledTemporaryFile
from typing import IO, TextIO
from xml.sax.saxutils import escape, quoteattr

from fairdeal.checker.reporting.reporter import Settings, Summary
from fairdeal.checker.reporting.terminal import visible, visible_path
from fairdeal.checker.reporting.text import render_game
from fairdeal.checker.verdict import GameReport, Severity

_IN_MEMORY = 1 << 20
"""Characters of one suite that are held before they go to a temporary file."""
_WIDTH = 100


def _spool() -> IO[str]:
    return SpooledTemporaryFile(max_size=_IN_MEMORY, mode="w+", encoding="utf-8", newline="\n")


@dataclass(slots=True)
class _Suite:
    """A suite whose cases are not all there yet; its counts have to stand before them."""

    name: str
    tests: int = 0
    failures: int = 0
    cases: IO[str] = field(default_factory=_spool)

    def add(self, case: Iterator[str], failed: bool) -> None:
        self.tests += 1
        self.failures += failed
        self.cases.writelines(case)

    def write(self, out: TextIO) -> None:
        counts = f'tests="{self.tests}" failures="{self.failures}" errors="0" skipped="0"'
        out.write(f"  <testsuite name={_quoted(self.name)} {counts}>\n")
        self.cases.seek(0)
        while piece := self.cases.read(_IN_MEMORY):
            out.write(piece)
        self.cases.close()
        out.write("  </testsuite>\n")


class JUnitReporter:
    """Writes a game's findings as the failure of its test case, or, where it passes, as what the case printed."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings
        self._page = replace(settings, color=False, width=_WIDTH, show_all=True)
        self._suite: _Suite | None = None

    def begin(self) -> None:
        """Opens the document."""
        self._out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="fairdeal">\n')

    def game(self, report: GameReport) -> None:
        """Adds one test case; a suite is written when the next one begins."""
        path = visible_path(report.path)
        if self._suite is None or self._suite.name != path:
            self._close()
            self._suite = _Suite(path)
        failed = self._settings.fails(report)
        self._suite.add(self._case(report, path, failed), failed)

    def end(self, summary: Summary) -> None:
        """Writes the last suite, one more for what was not checked, and closes the document."""
        self._close()
        if summary.unread:
            self._suite = _Suite("not checked")
            for path, message in summary.unread:
                path = visible_path(path)  # noqa: PLW2901  (it is what the suite calls it)
                case = _case(path, path, f'<failure message={_quoted(message)} type="not-checked"/>\n')
                self._suite.add(case, True)
            self._close()
        self._out.write("</testsuites>\n")

    def _close(self) -> None:
        if self._suite is not None:
            self._suite.write(self._out)
            self._suite = None

    def _case(self, report: GameReport, path: str, failed: bool) -> Iterator[str]:
        name = " ".join(filter(None, [report.game or "game", f"at line {report.line}", report.id]))
        if not failed and not report.findings:
            return _case(name, path, "")
        text = escape("\n".join(line for line in render_game(report, self._page)))
        if not failed:
            return _case(name, path, f"<system-out>{text}</system-out>\n")
        first = next((one for one in report.findings if one.severity is Severity.ERROR), None) or next(
            iter(report.findings), None
        )
        message = f"line {first.line}: {first.message}" if first else report.verdict.value
        kind = first.code if first else report.verdict.value
        return _case(name, path, f"<failure message={_quoted(message)} type={_quoted(kind)}>{text}</failure>\n")


def _case(name: str, path: str, content: str) -> Iterator[str]:
    yield f"    <testcase name={_quoted(name)} classname={_quoted(path)}"
    yield f">\n      {content}    </testcase>\n" if content else "/>\n"


def _quoted(text: str) -> str:
    """An attribute's value; characters that XML cannot hold are written as escapes."""
    return quoteattr(visible(text))
