"""One JSON document for programs, written game by game; ``report.schema.json`` says what is in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from fairdeal.checker.reporting.reporter import Settings, Summary, release
from fairdeal.checker.verdict import Finding, GameReport, Related, Verdict

if TYPE_CHECKING:
    from fairdeal.checker.judging.coverage import Coverage

VERSION = 1
"""Version of the document's shape; it rises when a key goes or changes its meaning."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Half a character that stands for no byte."""
_LIKE_AN_ESCAPE = re.compile(r"\\(?=x[0-9a-f]{2}|ud[89a-f][0-9a-f]{2})")


class JsonReporter:
    """Writes one document in ASCII; only the names of the games' models are kept until its end."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings
        self._games: set[str] = set()
        self._separator = ""

    def begin(self) -> None:
        """Opens the document and its list of games."""
        self._out.write(f'{{"version": {VERSION}, "fairdeal": {dump(release())},\n "games": [')

    def game(self, report: GameReport) -> None:
        """Writes one game on a line of its own."""
        if report.game is not None:
            self._games.add(report.game)
        self._out.write(f"{self._separator}\n  {dump(game_object(report))}")
        self._separator = ","

    def end(self, summary: Summary) -> None:
        """Closes the list and writes the models, what was not checked, and the summary."""
        models = filter(None, map(self._settings.model, sorted(self._games)))
        unread = [{**path_object(path), "message": message} for path, message in summary.unread]
        close = "\n ]" if self._separator else "]"
        coverage = f' "coverage": {dump(coverage_object(summary.coverage))},\n' if summary.coverage else ""
        self._out.write(
            f'{close},\n "model": {dump(", ".join(models))},\n "unread": {dump(unread)},\n{coverage}'
            f' "summary": {dump(summary_object(summary))}}}\n'
        )

    def kept(self) -> dict[str, Any]:
        """Remembers which games there were, and whether one was written."""
        return {"games": sorted(self._games), "separator": self._separator}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""
        self._games, self._separator = set(kept["games"]), str(kept["separator"])


class JsonCountsReporter(JsonReporter):
    """Writes the same document without its games, for ``--summary``."""

    def game(self, report: GameReport) -> None:
        """Keeps the name of the game's model."""
        if report.game is not None:
            self._games.add(report.game)


class JsonLinesReporter:
    """Writes one object a game, on a line of its own, as the schema's ``game`` has it; nothing else."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out

    def begin(self) -> None:
        """Writes nothing."""

    def game(self, report: GameReport) -> None:
        """Writes one game, and hands it on at once: somebody may read along."""
        self._out.write(f"{dump(game_object(report))}\n")
        self._out.flush()

    def end(self, summary: Summary) -> None:
        """Writes nothing: the exit code says what the lines do not."""

    def kept(self) -> dict[str, Any]:
        """Remembers nothing."""
        return {}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""


def path_object(path: str) -> dict[str, Any]:
    """A path as JSON has it; where that needs escapes, ``uri`` says what it is."""
    written = written_path(path)
    if written == path:
        return {"path": path}
    from urllib.parse import quote

    return {"path": written, "uri": quote(_HALF.sub("\ufffd", path), errors="surrogateescape")}


def written_path(path: str) -> str:
    r"""A path as whole characters, so that each path is written in a way of its own and can be had back.

    A byte that is no UTF-8 is written as an escape such as ``\xff``, and so is a backslash of the path that would look
    like the beginning of one: ``\x5c``. Nothing else changes.
    """
    if path.isascii() and "\\" not in path:
        return path
    own = path if os.sep == "\\" else _LIKE_AN_ESCAPE.sub(r"\\x5c", path)
    return _LONE_SURROGATE.sub(lambda half: _escape(ord(half[0])), own)


def _escape(code: int) -> str:
    """A byte that is no UTF-8, as Python has it in a path, or another half of a character, as an escape."""
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def game_object(report: GameReport) -> dict[str, Any]:
    """Turns the verdict on one game into the object that the schema calls ``game``."""
    return {
        **path_object(report.path),
        "line": report.line,
        "id": report.id,
        "game": report.game,
        "rules": report.rules,
        "options": dict(report.options),
        "players": list(report.players),
        "events": report.events,
        "verdict": report.verdict.value,
        "readings": dict(report.readings),
        "findings": [finding_object(finding) for finding in report.findings],
        "more_findings": report.more_findings,
        "known": report.known,
        "excused": report.excused,
    }


def finding_object(finding: Finding) -> dict[str, Any]:
    """Turns a finding into the object that the schema calls ``finding``; ``board`` only where asked for."""
    board = {"board": finding.board} if finding.board else {}
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "line": finding.line,
        "column": finding.column,
        "end_column": finding.end_column,
        "message": finding.message,
        "source": finding.source,
        "also": list(finding.also),
        "readings": dict(finding.readings),
        "hint": finding.hint,
        "follows_from": finding.follows_from,
        "related": [_related_object(related) for related in finding.related],
        "legal": list(finding.legal),
        "legal_total": max(finding.legal_total, len(finding.legal)),
        **board,
    }


def _related_object(related: Related) -> dict[str, Any]:
    return {
        "line": related.line,
        "column": related.column,
        "end_column": related.end_column,
        "message": related.message,
        "source": related.source,
    }


def summary_object(summary: Summary) -> dict[str, Any]:
    """Counts games by verdict and events, with every verdict named even where there was none.

    Codes and files are there where the call asked for a summary of them.
    """
    verdicts = {verdict.value: summary.verdicts[verdict] for verdict in Verdict}
    counts: dict[str, Any] = {"games": summary.games, **verdicts, "events": summary.events, "known": summary.known}
    if summary.tally is not None:
        codes = summary.tally.codes.items()
        counts["codes"] = {code: {"findings": each.findings, "games": each.games} for code, each in codes}
        counts["files"] = [
            {**path_object(path), "games": each.games, "failing": each.failing, "worst": each.worst.value}
            for path, each in summary.tally.files.items()
        ]
        counts["more_files"] = summary.tally.more_files
    return counts


def coverage_object(coverage: Coverage) -> dict[str, Any]:
    """What the logs exercised of each game, as the schema's ``coverage`` has it."""
    return {
        name: {
            "events": {
                event: {"accepted": found.events[event, False], "refused": found.events[event, True]}
                for event in found.all_events
            },
            "clauses": {
                clause: {
                    "accepted": found.clauses[clause, False],
                    "refused": found.clauses[clause, True],
                    "broken": found.broken[clause],
                }
                for clause in found.all_clauses
            },
        }
        for name, found in coverage.games.items()
    }


def dump(value: object) -> str:
    """Writes a value as JSON in ASCII, on one line."""
    return json.dumps(_encodable(value))


def _encodable(value: Any) -> Any:
    """Replaces halves of characters, which stand for bytes that are no UTF-8: strict parsers refuse them."""
    if isinstance(value, str):
        return value if value.isascii() else _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    return value
