"""A baseline: findings that are known and fail nothing, so that only new ones do.

A finding is known by the log's path, its code and the text of its line without number and time, and as often as the
baseline has it. So lines may move; a line that changes is a new finding. The path is that from the folder in which
fairdeal is called, whether the call names the log by it, by an absolute path or by a folder; a log outside of that
folder is known as it is named, and standard input as itself alone.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from fairdeal.checker.reporting.fingerprint import body_of, place_of
from fairdeal.checker.reporting.json_report import dump, written_path
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict

VERSION = 1
MOST_FINDINGS = 10_000
"""Findings a game that are kept where the call does not say: a game with more than are kept is never excused."""

_WEIGHTY = (Severity.ERROR, Severity.READING, Severity.UNKNOWN)
_SHAPE = "is no baseline that `fairdeal check --write-baseline` has written"

Key: TypeAlias = tuple[str, str, str]
"""Path, code, and the text of the line."""


class BaselineError(Exception):
    """A baseline cannot be read; the message says why."""


class Baseline:
    """Findings by their keys, each as often as it is known."""

    def __init__(self, known: Counter[Key] | None = None) -> None:
        self._known: Counter[Key] = Counter() if known is None else known

    @staticmethod
    def read(path: str) -> Baseline:
        """The baseline of a file.

        Raises:
            BaselineError: it cannot be read, or is none.
        """
        try:
            return Baseline.parse(Path(path).read_text(encoding="utf-8"), path)
        except FileNotFoundError as error:
            hint = f"make it with `fairdeal check LOG... --write-baseline {path}`"
            raise BaselineError(f"{path}: there is no such baseline; {hint}") from error
        except OSError as error:
            why = "is a folder" if isinstance(error, IsADirectoryError) else error.strerror or type(error).__name__
            raise BaselineError(f"{path}: {why}") from error
        except UnicodeDecodeError as error:
            raise BaselineError(f"{path}: {_SHAPE}") from error

    @staticmethod
    def parse(text: str, path: str) -> Baseline:
        """The baseline of a text; ``path`` is what errors call it.

        Raises:
            BaselineError: it is none.
        """
        try:
            document = json.loads(text)
            if document["version"] != VERSION:
                raise BaselineError(f"{path}: has version {document['version']!r}, and this reads {VERSION}")
            known: Counter[Key] = Counter()
            for one in document["findings"]:
                key, count = (one["path"], one["code"], one["line"]), one["count"]
                if type(count) is not int or count < 1 or not all(isinstance(word, str) for word in key):
                    raise TypeError(one)
                known[key] += count
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BaselineError(f"{path}: {_SHAPE}") from error
        return Baseline(known)

    def apply(self, report: GameReport) -> GameReport:
        """The report without the findings that are known, each of which is used up once."""
        fresh = [finding for finding in report.findings if not self._take(report, finding)]
        known = len(report.findings) - len(fresh)
        if not known:
            return report
        excused = not report.more_findings and not any(weighs(report, finding) for finding in fresh)
        return replace(report, findings=tuple(fresh), known=known, excused=excused)

    def _take(self, report: GameReport, finding: Finding) -> bool:
        key = _key(report, finding)
        if not weighs(report, finding) or not self._known[key]:
            return False
        self._known[key] -= 1
        return True

    def add(self, report: GameReport) -> GameReport:
        """Make all that weighs in a report known; the report as it then is."""
        fresh = [finding for finding in report.findings if not weighs(report, finding)]
        self._known.update(_key(report, finding) for finding in report.findings if weighs(report, finding))
        known = len(report.findings) - len(fresh)
        return replace(report, findings=tuple(fresh), known=known, excused=known > 0 and not report.more_findings)

    @property
    def left(self) -> int:
        """How many known findings were not met, or not yet."""
        return self._known.total()

    def text(self) -> str:
        """The baseline as its file has it: a finding a line, in order, so that two of them can be compared."""
        rows = [
            dump({"path": path, "code": code, "line": line, "count": count})
            for (path, code, line), count in sorted(self._known.items())
            if count > 0
        ]
        listed = ",\n ".join(rows)
        return f'{{"version": {VERSION}, "findings": [\n {listed}\n]}}\n'


def weighs(report: GameReport, finding: Finding) -> bool:
    """Whether a finding helps to decide the verdict; of an incomplete game that is the note that says why."""
    if finding.severity in _WEIGHTY:
        return True
    return report.verdict is Verdict.INCOMPLETE and finding.code in ("LOG-OPEN", "LOG-STALLED", "LOG-CUT")


def _key(report: GameReport, finding: Finding) -> Key:
    return written_path(place_of(report.path)), finding.code, _plain(body_of(finding.source) or finding.message)


def _plain(text: str) -> str:
    """The text as JSON gives it back."""
    return text if text.isascii() else str(json.loads(dump(text)))
