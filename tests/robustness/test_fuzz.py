"""Random logs, and logs with random changes: no exception, and a report that agrees with itself and with the log."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.checker.reading.lines import blocks
from fairdeal.checker.reading.source import open_log
from fairdeal.checker.reporting.reporter import Settings
from fairdeal.checker.reporting.text import render_game
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import MODULES

from .inputs import WORDS
from .logs import HEAD, games, judge, opening
from .mutants import mutant
from .running import hidden

BROKEN = (Verdict.VIOLATION, Verdict.MALFORMED)
NEEDED = {
    Verdict.VIOLATION: Severity.ERROR,
    Verdict.MALFORMED: Severity.ERROR,
    Verdict.UNKNOWN: Severity.UNKNOWN,
    Verdict.READING_DEPENDENT: Severity.READING,
}
"""The severity without which there is no such verdict."""


def agrees(data: bytes, folder: Path, name: str = "a.gamelog") -> list[GameReport]:
    """Judge a log; its reports agree with themselves and with its lines."""
    reports = judge(folder, data, name)
    with open_log(str(folder / name)) as stream:
        lines = [line for block in blocks(stream) for line in block]
    assert reports
    assert [one.line for one in reports] == sorted({one.line for one in reports})
    for report in reports:
        consistent(report)
        for finding in report.findings:
            placed(finding, lines, report)
        assert not hidden("\n".join(render_game(report, Settings(show_all=True))))
    return reports


def consistent(report: GameReport) -> None:
    """The verdict is that of the worst finding."""
    severities = {one.severity for one in report.findings}
    if not report.more_findings:
        assert (Severity.ERROR in severities) is (report.verdict in BROKEN), report
    if report.verdict in NEEDED and not report.more_findings:
        assert NEEDED[report.verdict] in severities, report
    if report.verdict is Verdict.LEGAL:
        assert severities <= {Severity.WARNING, Severity.NOTE}, report
        assert not report.more_findings
    if report.verdict is Verdict.INCOMPLETE:
        assert Severity.NOTE in severities
    assert bool(report.readings) is (report.verdict is Verdict.READING_DEPENDENT)


def placed(finding: Finding, lines: list[str], report: GameReport) -> None:
    """A finding's place is in the log, its quotation is the log's, its code is in the catalogue."""
    assert 1 <= finding.line <= max(len(lines), 1), finding
    line = lines[finding.line - 1] if lines else ""
    assert 1 <= finding.column < finding.end_column, finding
    assert finding.source in ("", line), finding
    if finding.source:
        assert finding.end_column <= len(line) + 2, finding
    assert finding.code in catalogue(report.game or "spit"), finding
    assert finding.message
    assert finding.follows_from is None or report.line <= finding.follows_from <= finding.line, finding
    for related in finding.related:
        assert 1 <= related.line <= len(lines)


@pytest.mark.parametrize("game", MODULES)
@pytest.mark.parametrize("seed", range(60))
def test_mutants_of_an_opening(seed: int, game: str, tmp_path: Path) -> None:
    chance = random.Random(seed)
    agrees(mutant(opening(chance.choice((15, 60, 150)), seed % 4, game), chance, chance.choice((1, 1, 2, 5))), tmp_path)


@pytest.mark.verify
@pytest.mark.parametrize("game", MODULES)
@pytest.mark.parametrize("seed", range(1000, 4000))
def test_many_mutants(seed: int, game: str, tmp_path: Path) -> None:
    chance = random.Random(seed)
    part = opening(chance.randrange(10, 400), seed % 7, game)
    log = chance.choice((part, games(1, seed % 7, game), games(2, seed % 3, game)))
    agrees(mutant(log, chance, chance.choice((1, 1, 1, 2, 3, 10, 50))), tmp_path)


WORD = st.sampled_from(WORDS)
LINES = st.one_of(
    st.lists(WORD, max_size=9).map(" ".join),
    *(st.sampled_from(opening(40, game=game).decode().split("\n")) for game in MODULES),
    st.text(max_size=12),
    st.sampled_from(
        ['{"type": "win", "player": "A"}', '{"gamelog": 1, "game": "spit"}', '{"type": "stuck"}', '{"type"']
    ),
)
LOGS = st.lists(LINES, max_size=25).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass"))
quick = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
long = settings(quick, max_examples=20_000)


@quick
@given(LOGS, st.sampled_from([b"", HEAD, HEAD + b"round 1\n", *(opening(12, game=game) for game in MODULES)]))
def test_random_lines(tmp_path: Path, lines: bytes, before: bytes) -> None:
    agrees(before + lines, tmp_path)


@pytest.mark.verify
@long
@given(LOGS, st.sampled_from([b"", HEAD, *(opening(some, game=game) for game in MODULES for some in (12, 90))]))
def test_many_random_lines(tmp_path: Path, lines: bytes, before: bytes) -> None:
    agrees(before + lines, tmp_path)


@quick
@given(st.binary(max_size=300))
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    agrees(data, tmp_path)
    agrees(HEAD + data, tmp_path)


def test_the_games_of_a_file_are_its_headers(tmp_path: Path) -> None:
    chance = random.Random(5)
    for _ in range(10):
        data = mutant(games(2, 2), chance, 5, binary=False)
        assert len(agrees(data, tmp_path)) >= len(re.findall(rb"^gamelog:", data, re.MULTILINE))


def test_an_impossible_place_before_a_fault(tmp_path: Path) -> None:
    lines = (
        b"A play TC from 5 on 0",
        b"A play TC from 9 on 1",
        b"A move TC from 0 to 7",
        b"A slap 0",
        b"A collect 9 total 3",
    )
    for line in lines:
        agrees(opening(20) + line + b"\nB play 9D from 3 on 1\nA play 2C from 1 on 2\nstuck\n", tmp_path)
