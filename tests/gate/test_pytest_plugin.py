"""The pytest plugin, in a project of its own."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from fairdeal.checker import pytest_plugin

from .running import ROOT, pytest_in
from tests.expectations import TRACES

LEGAL = TRACES / "legal" / "spit-play-5-king-on-queen.gamelog"
ILLEGAL = TRACES / "illegal" / "spit-play-5-equal-rank.gamelog"
OPEN = "gamelog: 1\ngame: spit\nround 1\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    shutil.copy(LEGAL, tmp_path / "good.gamelog")
    shutil.copy(ILLEGAL, tmp_path / "bad.gamelog")
    (tmp_path / "open.gamelog").write_text(OPEN)
    return tmp_path


def outcomes(project: Path, *words: str) -> dict[str, int]:
    last = pytest_in(project, "-q", *words).stdout.splitlines()[-1]
    pairs = [part.split()[:2] for part in last.partition(" in ")[0].split(", ")]
    return {word.rstrip("s"): int(number) for number, word in pairs if number.isdecimal()}


def test_it_is_installed_with_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"fairdeal": pytest_plugin.__name__}


def test_logs_are_collected_only_when_asked_for(project: Path) -> None:
    assert pytest_in(project).returncode == 5  # nothing collected
    assert outcomes(project, "--fairdeal") == {"failed": 2, "passed": 1}
    assert outcomes(project, "good.gamelog") == {"passed": 1}
    (project / "pytest.ini").write_text("[pytest]\nfairdeal = true\n")
    assert outcomes(project) == {"failed": 2, "passed": 1}
    (project / "pytest.ini").write_text("[pytest]\nfairdeal = true\nfairdeal_strict = false\n")
    assert outcomes(project) == {"failed": 1, "passed": 2}


def test_a_failing_log_shows_its_finding_and_no_traceback(project: Path) -> None:
    result = pytest_in(project, "bad.gamelog")
    assert "error[SPIT-PLAY-5]: 7S does not follow 7D" in result.stdout
    assert "gamelog bad.gamelog" in result.stdout
    assert "1 of 1 game failed" in result.stdout
    assert "runtest" not in result.stdout


def test_a_log_that_cannot_be_read_fails_in_a_sentence(project: Path) -> None:
    (project / "cut.gamelog.gz").write_bytes(b"\x1f\x8bno")
    result = pytest_in(project, "cut.gamelog.gz")
    assert result.returncode == 1
    assert "archive" in result.stdout
    assert "Traceback" not in result.stdout


TESTS = """
from pathlib import Path
import pytest
from fairdeal.checker import SourceError, Verdict, check

GOOD, BAD, OPEN = (Path(name).read_text() for name in ("good.gamelog", "bad.gamelog", "open.gamelog"))

def test_text(fairdeal):
    fairdeal.assert_legal(GOOD)
    fairdeal.assert_legal(GOOD + GOOD)

def test_path(fairdeal):
    fairdeal.assert_legal("good.gamelog")
    fairdeal.assert_legal(Path("good.gamelog"))
    fairdeal.assert_legal(check("good.gamelog"))

@pytest.mark.parametrize("log", ["bad.gamelog", BAD, GOOD + BAD, OPEN, "", Path("."), ()])
def test_fails(fairdeal, log):
    with pytest.raises((pytest.fail.Exception, SourceError)):
        fairdeal.assert_legal(log)

@pytest.mark.parametrize("log", [None, 3, b"good.gamelog", {"good.gamelog": 1}, ["good.gamelog"], [None]])
def test_wrong_types(fairdeal, log):
    with pytest.raises(TypeError, match="not"):
        fairdeal.assert_legal(log)
    with pytest.raises(TypeError, match="strict is True or False"):
        fairdeal.assert_legal(GOOD, strict="no")

def test_rules_that_come_too_late(fairdeal):
    with pytest.raises(ValueError, match="reports are there already"):
        fairdeal.assert_legal(check("good.gamelog"), rules="scored")

def test_an_engine_that_printed_nothing(fairdeal):
    with pytest.raises(pytest.fail.Exception, match="the log is empty"):
        fairdeal.assert_legal("")

def test_lenient(fairdeal):
    fairdeal.assert_legal(OPEN, strict=False)

def test_options(fairdeal):
    assert [report.rules for report in fairdeal.check(GOOD, rules="scored")] == ["scored"]

def test_session(fairdeal):
    session = fairdeal.session("spit", players=("Ada", "Ben"))
    assert session.event("round 1") == ()
    assert session.event("A win")
"""


def test_the_fixture(project: Path) -> None:
    (project / "test_it.py").write_text(TESTS)
    result = pytest_in(project, "test_it.py")
    assert result.returncode == 0, result.stdout


def test_a_log_that_is_not_there_fails_in_a_sentence(project: Path) -> None:
    (project / "test_it.py").write_text("def test_it(fairdeal):\n    fairdeal.assert_legal('gone.gamelog')\n")
    result = pytest_in(project, "test_it.py")
    assert result.returncode == 1
    assert "not checked: gone.gamelog: there is no such file" in result.stdout
    assert "Error" not in result.stdout


def test_many_failing_games_are_counted_and_not_all_shown() -> None:
    from fairdeal.checker.api import check_text

    reports = check_text(ILLEGAL.read_text() * 30)
    told = pytest_plugin.complaint(reports, strict=True)
    assert told.count("error[SPIT-PLAY-5]") == 20
    assert told.endswith("30 of 30 games failed; the first 20 are shown")
