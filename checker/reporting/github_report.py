"""Workflow commands of GitHub Actions, so that findings stand beside the lines of a change.

The commands and their escapes: docs.github.com, "Workflow commands for GitHub Actions". The end column is the one after
the last character at fault, as other linters give it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from fairdeal.checker.reporting.fingerprint import place_of
from fairdeal.checker.reporting.reporter import LEVELS, Settings, Summary
from fairdeal.checker.reporting.terminal import Paint, path_letter, visible
from fairdeal.checker.reporting.text import legal_instead, render_summary
from fairdeal.checker.verdict import Finding, GameReport

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


class GitHubReporter:
    """Writes an annotation a finding; those that may only follow from others are notices, unless asked for at length.

    GitHub shows ten annotations of a kind a step: errors that follow must not take the place of those that they follow.
    """

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings

    def begin(self) -> None:
        """Writes nothing."""

    def game(self, report: GameReport) -> None:
        """Writes the game's annotations, and one more where nothing else would say why it fails."""
        level = "note"
        for finding in report.findings:
            follows = finding.follows_from is not None and not self._settings.show_all
            command = "note" if follows else LEVELS[finding.severity]
            level = "error" if command == "error" else level
            self._write(_COMMANDS[command], self._place(report, finding), self._told(report, finding))
        if self._settings.fails(report) and level != "error":
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
            f"{key}={_escaped(_shown(key, value), ':,')}"
            for key, value in place.items()
            if (key, value) != ("file", "-")
        )
        text = "\n".join(visible(line) for line in message.split("\n"))
        self._out.write(f"::{command} {properties}::{_escaped(text)}\n")


def _lines(finding: Finding, statement: str) -> Iterator[str]:
    yield " ".join(finding.message.split("\n"))
    if finding.follows_from is not None:
        yield f"may only follow from line {finding.follows_from}"
    if statement:
        yield f"clause: {statement}"
    if finding.also:
        yield f"also breaks: {', '.join(finding.also)}"
    if finding.legal:
        yield f"legal instead: {', '.join(legal_instead(finding))}"
    if finding.readings:
        yield f"reading: {', '.join(f'{name}={value}' for name, value in finding.readings.items())} would allow it"
    if finding.hint:
        yield f"hint: {finding.hint}"


def _shown(key: str, value: str) -> str:
    """A property's value, safe to show; line ends in a file's name stay, for a command can say them."""
    if key != "file":
        return visible(value)
    return "".join(letter if letter in "\r\n" else path_letter(letter) for letter in place_of(value))


def _escaped(text: str, more: str = "") -> str:
    """The text with what ends a command, or a property of it, percent-encoded."""
    for letter in "%\r\n" + more:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
