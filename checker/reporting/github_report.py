"""Workflow commands of GitHub Actions, so that findings stand beside the lines of a change.

The commands and their escapes: docs.github.com, "Workflow commands for GitHub Actions". The end column is the one after
the last character at fault, as other linters give it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from fairdeal.checker.reporting.reporter import LEVELS, Settings, Summary
from fairdeal.checker.reporting.terminal import Paint, visible
from fairdeal.checker.reporting.text import LEGAL_SHOWN, fold, render_summary
from fairdeal.checker.verdict import Finding, GameReport

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


class GitHubReporter:
    """Writes an annotation a finding; those that may only follow from others are left out unless asked for."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings

    def begin(self) -> None:
        """Writes nothing."""

    def game(self, report: GameReport) -> None:
        """Writes the game's annotations, and one more where nothing else would say why it fails."""
        shown = report.findings if self._settings.show_all else fold(report.findings)[0]
        for finding in shown:
            self._write(_COMMANDS[LEVELS[finding.severity]], self._place(report, finding), self._told(report, finding))
        if self._settings.fails(report) and not any(LEVELS[one.severity] == "error" for one in shown):
            verdict = report.verdict.value
            place = {"file": report.path, "line": str(report.line), "title": verdict}
            self._write("error", place, f"this game is {verdict}: only legal games pass with --strict")

    def end(self, summary: Summary) -> None:
        """Writes what was not checked, and a line with the counts."""
        for path, message in summary.unread:
            self._write("error", {"file": path, "title": "not checked"}, message)
        if not self._settings.quiet:
            self._out.write(f"{render_summary(summary, Paint())}\n")

    def kept(self) -> dict[str, Any]:
        """Remembers nothing."""
        return {}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""

    def _told(self, report: GameReport, finding: Finding) -> str:
        return "\n".join(_lines(finding, self._settings.statement(report, finding.code)))

    def _place(self, report: GameReport, finding: Finding) -> Mapping[str, str]:
        return {
            "file": report.path,
            "line": str(finding.line),
            "endLine": str(finding.line),
            "col": str(finding.column),
            "endColumn": str(finding.end_column),
            "title": finding.code,
        }

    def _write(self, command: str, place: Mapping[str, str], message: str) -> None:
        properties = ",".join(
            f"{key}={_escaped(visible(value), ':,')}" for key, value in place.items() if (key, value) != ("file", "-")
        )
        text = "\n".join(visible(line) for line in message.split("\n"))
        self._out.write(f"::{command} {properties}::{_escaped(text)}\n")


def _lines(finding: Finding, statement: str) -> Iterator[str]:
    yield " ".join(finding.message.split("\n"))
    if statement:
        yield f"clause: {statement}"
    if finding.also:
        yield f"also breaks: {', '.join(finding.also)}"
    if finding.legal:
        yield f"legal instead: {', '.join(finding.legal[:LEGAL_SHOWN])}"
    if finding.readings:
        yield f"reading: {', '.join(f'{name}={value}' for name, value in finding.readings.items())} would allow it"
    if finding.hint:
        yield f"hint: {finding.hint}"


def _escaped(text: str, more: str = "") -> str:
    """The text with what ends a command, or a property of it, percent-encoded."""
    for letter in "%\r\n" + more:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
