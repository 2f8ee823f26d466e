"""What each game in ``traces/`` must yield, as the ``.expect`` file beside its log says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fairdeal.checker.verdict import Finding, GameReport, Severity

TRACES = Path(__file__).resolve().parent.parent / "traces"

_LINE = re.compile(r"(\d+) ([A-Z0-9-]+)(?: (error|reading|unknown|warning|note))?")


@dataclass(frozen=True)
class Expectation:
    """The verdict on one game, the readings that it names, and what is found, as lines of an ``.expect`` file."""

    verdict: str
    readings: str = ""
    findings: tuple[str, ...] = ()

    def text(self) -> str:
        """The expectation as its file has it."""
        head = [f"verdict: {self.verdict}", *([f"readings: {self.readings}"] if self.readings else [])]
        return "\n".join([*head, *self.findings, ""])


def traces(folder: Path = TRACES) -> Iterator[Path]:
    """Every log below a folder that has an expectation, in the order of their names."""
    for log in sorted(folder.rglob("*.gamelog*")):
        if beside(log, ".expect").is_file():
            yield log


def beside(log: Path, suffix: str) -> Path:
    """The file of a log with that suffix: ``a.gamelog`` has ``a.expect``, ``a.gamelog.jsonl`` has ``a.jsonl.expect``."""
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
        key, colon, value = line.partition(": ")
        if not line:
            continue
        if key == "verdict" and colon:
            games.append(Expectation(value))
            continue
        found = _LINE.fullmatch(line)
        if not games or not (found or (key == "readings" and colon)):
            raise ValueError(f"{path}:{number}: this is neither a verdict nor `LINE CODE [severity]`: {line}")
        game = games[-1]
        if found:
            severity = "" if found[3] in (None, "error") else f" {found[3]}"
            games[-1] = Expectation(game.verdict, game.readings, (*game.findings, f"{found[1]} {found[2]}{severity}"))
        else:
            games[-1] = Expectation(game.verdict, value, game.findings)
    return games


def yielded(report: GameReport, notes: bool = False) -> Expectation:
    """What a game does yield: every finding but those that only follow from others, and without notes unless asked."""
    readings = ", ".join(f"{name}={value}" for name, value in report.readings.items())
    return Expectation(report.verdict.value, readings, tuple(_listed(report.findings, notes)))


def names_notes(expectation: Expectation) -> bool:
    """Whether an expectation speaks of notes, so that all of them are compared."""
    return any(finding.endswith(" note") for finding in expectation.findings)


def _listed(findings: Iterable[Finding], notes: bool) -> Iterator[str]:
    for finding in findings:
        if finding.follows_from is None and (notes or finding.severity is not Severity.NOTE):
            severity = "" if finding.severity is Severity.ERROR else f" {finding.severity.value}"
            yield f"{finding.line} {finding.code}{severity}"
