"""Every game in ``traces/`` yields what is written beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.verdict import Finding, GameReport, Severity

from tests.expectations import TRACES, expected, traces, yielded
from tests.snapshots import difference, left_over, main

LOGS = [pytest.param(log, id=log.relative_to(TRACES).as_posix()) for log in traces()]
RECORDED = TRACES / "recorded" / "spit"


@cache
def reports(log: Path) -> tuple[GameReport, ...]:
    return tuple(check_source(str(log), max_findings=1_000_000))


@pytest.mark.parametrize("log", LOGS)
def test_verdict_lines_and_codes(log: Path) -> None:
    found = [yielded(report, want) for report, want in zip(reports(log), expected(log), strict=True)]
    assert "\n".join(each.text() for each in found) == "\n".join(each.text() for each in expected(log))


@pytest.mark.parametrize("log", LOGS)
def test_the_whole_text(log: Path) -> None:
    assert difference(log) == "", "if the new text is right: python -m tests.snapshots --update"


@pytest.mark.parametrize("log", [log for log in LOGS if "recorded" not in str(log.id)])
def test_a_text_trace_opens_with_a_sentence(log: Path) -> None:
    if log.name.endswith(".gamelog"):
        first = log.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()[0]
        assert first.startswith(b"# ")


def test_no_log_is_without_an_expectation_and_no_file_without_a_log() -> None:
    logs = {log for log in TRACES.rglob("*.gamelog*") if log.suffix not in (".expect", ".out")}
    assert sorted(logs - set(traces())) == []
    assert list(left_over()) == []


def test_the_folders_hold_what_they_say() -> None:
    verdicts = {
        folder: {each.verdict for log in traces(TRACES / folder) for each in expected(log)}
        for folder in ("legal", "illegal", "open")
    }
    assert verdicts["legal"] == {"legal"}
    assert verdicts["open"] <= {"incomplete", "unknown", "reading-dependent"}
    assert {"violation", "malformed"} <= verdicts["illegal"]


def test_the_tool_shows_a_difference_and_writes_it_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("tests.expectations", "tests.snapshots"):
        monkeypatch.setattr(f"{module}.TRACES", tmp_path)
    log, out = tmp_path / "a.gamelog", tmp_path / "a.out"
    log.write_text("# Nothing but a header.\ngamelog: 1\ngame: spit\n")
    (tmp_path / "a.expect").write_text("verdict: incomplete\n")
    assert main([str(log)]) == 1
    assert "+a.gamelog:2: incomplete" in capsys.readouterr().out
    assert not out.exists()
    assert main(["--update", str(log)]) == 0
    assert main([str(log)]) == 0
    log.rename(tmp_path / "b.gamelog")
    assert main([str(tmp_path)]) == 1
    assert "no log has this expectation or snapshot: a.expect" in capsys.readouterr().out


def clauses(finding: Finding) -> tuple[str, ...]:
    """The clauses that a line breaks; a refusal names those that allowed it."""
    return () if finding.code == "LOG-REFUSED" else (finding.code, *finding.also)


# The numbers are those of the people who recorded the games; see traces/recorded/README.md.
@pytest.mark.parametrize(
    ("number", "is_one"),
    [
        pytest.param(273, lambda one: "SPIT-PLAY-5" in clauses(one), id="equal rank"),
        pytest.param(39, lambda one: one.code == "SPIT-SLAP-1", id="no slap"),
        pytest.param(9, lambda one: one.code == "LOG-REFUSED", id="lawful play refused"),
        pytest.param(7, lambda one: one.code == "SPIT-SHORT-2" and " spit " in one.source, id="second pile"),
        pytest.param(4, lambda one: one.code == "SPIT-WIN-1", id="finisher given a pile"),
        pytest.param(3, lambda one: one.code == "GAP-SPIT-15", id="win in a two-pile round"),
    ],
)
def test_counts_of_the_recorders(number: int, is_one: Callable[[Finding], bool]) -> None:
    findings = [one for log in traces(RECORDED) for report in reports(log) for one in report.findings]
    errors = [one for one in findings if one.severity is Severity.ERROR and one.follows_from is None]
    assert sum(map(is_one, errors)) == number


@pytest.mark.parametrize(
    ("number", "is_one"),
    [
        pytest.param(126, lambda one: one.code == "QCR-SCORE-1", id="scores that differ"),
        pytest.param(25, lambda one: one.code == "QCR-OUT-2", id="turns after going out"),
        pytest.param(6, lambda one: one.code == "LOG-REFUSED" and " meld " in one.source, id="high aces melded"),
        pytest.param(14, lambda one: one.code == "LOG-REFUSED" and " lay " in one.source, id="kings' aces, both ends"),
        pytest.param(5, lambda one: one.code == "QCR-LAY-1", id="stray cards"),
        pytest.param(2, lambda one: one.code == "GAP-QCR-3", id="exhausted piles"),
        pytest.param(178, lambda one: True, id="all"),
    ],
)
def test_counts_of_the_rummy_s_recorders(number: int, is_one: Callable[[Finding], bool]) -> None:
    logs = traces(TRACES / "recorded" / "rum")
    findings = [one for log in logs for report in reports(log) for one in report.findings]
    errors = [one for one in findings if one.severity is Severity.ERROR and one.follows_from is None]
    assert sum(map(is_one, errors)) == number
