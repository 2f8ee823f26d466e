"""SARIF 2.1.0, the format that code scanning services read.

Results are written as games come; the rules that they name, and what was not checked, are known at the end, and the
order of keys in an object is free.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from fairdeal.checker.reading.source import STDIN
from fairdeal.checker.reporting.fingerprint import fingerprint, place_of
from fairdeal.checker.reporting.json_report import dump, summary_object
from fairdeal.checker.reporting.reporter import LEVELS, Settings, Summary, release
from fairdeal.checker.verdict import Finding, GameReport
from fairdeal.spec.catalogue import Clause, Code, Gap

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""Where the schema is published; nothing is fetched from there."""
_STDIN = "stdin"
"""What standard input is called, for services want a location; a file of that name has ``./`` before it."""


class SarifReporter:
    """Writes one run; only the codes that findings had are kept until its end."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings
        self._rules: dict[str, tuple[int, str | None]] = {}
        """Codes so far, each with its place in the list of rules and the game that it was first found in."""
        self._games: set[str] = set()
        self._separator = ""

    def begin(self) -> None:
        """Opens the document, its run and its list of results."""
        self._out.write(
            f'{{"$schema": {dump(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
            ' "columnKind": "unicodeCodePoints",\n "results": ['
        )

    def game(self, report: GameReport) -> None:
        """Writes a result for each finding of a game."""
        if report.game is not None:
            self._games.add(report.game)
        for finding in report.findings:
            index, _ = self._rules.setdefault(finding.code, (len(self._rules), report.game))
            self._out.write(f"{self._separator}\n  {dump(_result(report, finding, index))}")
            self._separator = ","

    def end(self, summary: Summary) -> None:
        """Closes the list and writes the tool with its rules, and what was not checked."""
        notes = [_notification(path, message) for path, message in summary.unread]
        invocation = {"executionSuccessful": not notes, "toolExecutionNotifications": notes}
        models = [model for model in map(self._settings.model, sorted(self._games)) if model]
        driver = {
            "name": "fairdeal",
            "version": release(),
            "rules": [self._rule(code, game) for code, (_, game) in self._rules.items()],
            "properties": {"models": models},
        }
        close = "\n ]" if self._separator else "]"
        self._out.write(
            f'{close},\n "tool": {dump({"driver": driver})},\n "invocations": {dump([invocation])},\n'
            f' "properties": {dump({"summary": summary_object(summary)})}}}]}}\n'
        )

    def kept(self) -> dict[str, Any]:
        """Remembers the rules, the games, and whether a result was written."""
        rules = [[code, game] for code, (_, game) in self._rules.items()]
        return {"rules": rules, "games": sorted(self._games), "separator": self._separator}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""
        self._rules = {code: (number, game) for number, (code, game) in enumerate(kept["rules"])}
        self._games, self._separator = set(kept["games"]), str(kept["separator"])

    def _rule(self, code: str, game: str | None) -> dict[str, Any]:
        entry = self._settings.entry(game, code)
        if entry is None:
            return {"id": code}
        told = list(_told(entry))
        return {
            "id": code,
            "shortDescription": {"text": entry.title},
            "fullDescription": {"text": entry.statement},
            "help": {"text": "\n\n".join(told), "markdown": "\n\n".join(told)},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": [game] if game and not isinstance(entry, Code) else ["log"]},
        }


def _told(entry: Clause | Gap | Code) -> Iterator[str]:
    """What helps with a code, a paragraph each."""
    yield entry.statement
    match entry:
        case Clause():
            yield from filter(None, (entry.note, entry.disagreement))
        case Gap():
            yield entry.situation
            for reading in entry.readings:
                option = f"{reading.option}={reading.value}" if reading.option else reading.value
                yield f"{option}: {reading.statement}"
        case Code():
            yield entry.help
    yield f"`fairdeal explain {entry.id}` says more."


def _result(report: GameReport, finding: Finding, index: int) -> dict[str, Any]:
    related = [
        {"id": number, **_location(report.path, one.line, one.column, one.end_column), "message": {"text": one.message}}
        for number, one in enumerate(finding.related, 1)
    ]
    properties = {
        "severity": finding.severity.value,
        "verdict": report.verdict.value,
        "game": report.id,
        "also": list(finding.also),
        "readings": dict(finding.readings),
        "hint": finding.hint,
        "legal": list(finding.legal),
        "followsFrom": finding.follows_from,
    }
    place = _location(report.path, finding.line, finding.column, finding.end_column)
    if finding.source:
        context = {"startLine": finding.line, "snippet": {"text": finding.source}}
        place["physicalLocation"]["contextRegion"] = context
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [place],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"fairdeal/v1": fingerprint(report.path, finding)},
        "properties": {key: value for key, value in properties.items() if value},
    }


def _location(path: str, line: int, column: int, end_column: int) -> dict[str, Any]:
    region = {"startLine": line, "startColumn": column, "endColumn": max(end_column, column)}
    return {"physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": region}}


def _notification(path: str, message: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": {"uri": uri(path)}}}
    return {"level": "error", "message": {"text": message}, "locations": [place]}


def uri(path: str) -> str:
    """A path as a reference: relative to where fairdeal is called, since the document says of no base where it is."""
    from urllib.parse import quote

    if path == STDIN:
        return _STDIN
    place = place_of(path)
    quoted = quote(os.fsencode(f"./{place}" if place == _STDIN else place))
    return f"file://{quoted}" if quoted.startswith("/") else quoted
