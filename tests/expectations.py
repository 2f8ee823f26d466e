"""What each game in ``traces/`` must yield, as the ``.expect`` file beside its log says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fairdeal.checker.verdict import Finding, GameReport, Severity

TRACES = Path(__file__).resolve().parent.parent / "traces"

_LINE = re.compile(r"(\d+) ([A-Z0-9-]+)(?: (error|reading|unknown|warning|note))?")


@dataclass(frozen=True)
class Expectation:
    """The verdict on one game, the readings that would make it legal, and the lines of what is found."""

    verdict: str
    readings: str = ""
    findings: tuple[str, ...] = ()

    def text(self) -> str:
        """The expectation as its file has it."""
        readings = [f"readings: {self.readings}"] if self.readings else []
        return "\n".join([f"verdict: {self.verdict}", *readings, *self.findings, ""])


def traces(folder: Path = TRACES) -> Iterator[Path]:
    """Every log below a folder that has an expectation, in the order of their names."""
    for log in sorted(folder.rglob("*.gamelog*")):
        if beside(log, ".expect").is_file():
            yield log


def beside(log: Path, suffix: str) -> Path:
    """The file of a log: ``a.expect`` for ``a.gamelog``, ``a.jsonl.expect`` for ``a.gamelog.jsonl``."""
    return log.with_name(log.name.replace(".gamelog", "") + suffix)


def expected(log: Path) -> list[Expectation]:
    """What the games of a log must yield, one after the other.

    Raises:
        ValueError: a line of the file is none that an ``.expect`` has.
    """
    path = beside(log, ".expect")
    lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    games: list[Expectation] = []
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        key, _, value = line.partition(": ")
        if key == "verdict" and value:
            games.append(Expectation(value))
        elif games and key == "readings" and value:
            games[-1] = replace(games[-1], readings=value)
        elif games and (found := _LINE.fullmatch(line)):
            severity = "" if found[3] in (None, "error") else f" {found[3]}"
            finding = f"{found[1]} {found[2]}{severity}"
            games[-1] = replace(games[-1], findings=(*games[-1].findings, finding))
        else:
            raise ValueError(f"{path}:{number}: no `verdict:`, `readings:` or `LINE CODE [severity]`: {line}")
    return games


def yielded(report: GameReport, wanted: Expectation) -> Expectation:
    """What a game does yield: its findings, but for those that may only follow from others.

    Readings and notes are left out where ``wanted`` has none of them.
    """
    readings = ", ".join(f"{name}={value}" for name, value in report.readings.items()) if wanted.readings else ""
    notes = any(finding.endswith(" note") for finding in wanted.findings)
    return Expectation(report.verdict.value, readings, tuple(_listed(report.findings, notes)))


def _listed(findings: Iterable[Finding], notes: bool) -> Iterator[str]:
    for finding in findings:
        if finding.follows_from is None and (notes or finding.severity is not Severity.NOTE):
            severity = "" if finding.severity is Severity.ERROR else f" {finding.severity.value}"
            yield f"{finding.line} {finding.code}{severity}"
