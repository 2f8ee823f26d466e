"""What the READMEs say about gates and logs is run: red on the bug, green on the fix."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import Verdict, check_text
from fairdeal.checker.cli import cli

from .running import EXAMPLES, blocks, environment, pytest_in, python

GATE, API, LOGS = "Gate your rules engine", "From Python", "Log your engine"
EVENTS = [
    line
    for line in """
round 4
A deal KD | AD | - | - | - / -
B deal JS | 8S JC | 8D 2H 2S | 6S TS 9C 2C | 8H 6C 9D 7D AS / 5H QH 4S 4H 3S KC 2D JH JD QS 6H TD KH 9H TC 8C KS 4D 5C 9S AC 3H 3D 5S 7H 6D 3C 5D 7S 7C AH QD 4C TH QC
B spit QC on 1
""".splitlines()
    if line
]
"""The beginning of a short game: Ada holds a king and an ace, and a queen lies on the pile."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for file in EXAMPLES.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    return tmp_path


def test_the_gate_is_red_on_the_bug_and_green_on_the_fix(project: Path) -> None:
    test, shown, fix = blocks("python", GATE)[0], blocks("", GATE)[0], blocks("diff", GATE)[0]
    assert test in (project / "test_engine.py").read_text()
    red = pytest_in(project)
    assert red.returncode == 1, red.stdout
    assert shown in red.stdout
    old, new = (line[1:] for line in fix.splitlines())
    engine = project / "engine.py"
    assert engine.read_text().count(old) == 1
    engine.write_text(engine.read_text().replace(old, new))
    green = pytest_in(project)
    assert (green.returncode, "20 passed" in green.stdout) == (0, True), green.stdout


def test_the_same_gate_as_a_command(project: Path) -> None:
    log = project / "games.gamelog"
    log.write_text(python("engine.py", "20", folder=project).stdout)
    assert CliRunner().invoke(cli, ["check", str(log)]).exit_code == 1


def test_the_python_example(tmp_path: Path) -> None:
    (code,) = blocks("python", API)
    assert len(code.splitlines()) <= 20
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.gamelog").write_text(
        "\n".join(["gamelog: 1", "game: spit", *EVENTS, "A play AD from 2 on 1"])
    )
    events = [
        *EVENTS,
        "A play KD from 1 on 1",
        "A flip 3C at 2",
        {"type": "play", "player": "A", "card": "AD", "from": 2, "on": 1},
        "A win",
        "tie",
    ]
    (tmp_path / "example.py").write_text(f"def my_engine():\n    return {events!r}\n\n{code}")
    result = python("example.py", folder=tmp_path)
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == "error[SPIT-PLAY-5]: AD does not follow QC"
    assert "incomplete" in lines
    assert any(line.startswith("SPIT-FLIP-1 ") for line in lines), lines
    assert "collect" in lines[-2]
    assert lines[-1] == "violation"


def test_print_lines_in_python(tmp_path: Path) -> None:
    code = blocks("python", LOGS)[0] + (
        'import sys\nlog_header(sys.stdout, ("Ada", "Ben"))\nprint("--")\n'
        'log_play(sys.stdout, 12.345, "A", "KD", 1, 1)\nlog_play(sys.stdout, 12.5, "A", "AD", 2, 2, "rank")\n'
    )
    (tmp_path / "a.py").write_text(code)
    header, lines = python("a.py", folder=tmp_path).stdout.split("--\n")
    _check_print_lines(header, lines)


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js here")
def test_print_lines_in_javascript(tmp_path: Path) -> None:
    code = blocks("javascript", LOGS)[0] + (
        'logHeader(process.stdout, ["Ada", "Ben"]);\nconsole.log("--");\n'
        'logPlay(process.stdout, 12345, "A", "KD", 1, 1);\nlogPlay(process.stdout, 12500, "A", "AD", 2, 2, "rank");\n'
    )
    (tmp_path / "a.js").write_text(code)
    result = subprocess.run(
        ["node", "a.js"], cwd=tmp_path, capture_output=True, text=True, timeout=60, env=environment()
    )
    header, lines = result.stdout.split("--\n")
    _check_print_lines(header, lines)


def _check_print_lines(header: str, lines: str) -> None:
    assert lines == "@12.345 A play KD from 1 on 1\n@12.500 A play AD from 2 on 2 refused rank\n"
    (report,) = check_text("\n".join([*header.splitlines(), *EVENTS, lines]))
    assert report.players == ("Ada", "Ben")
    errors = [(one.code, one.source) for one in report.findings if one.severity.value == "error"]
    assert errors == []


def test_the_three_languages_print_the_same_words() -> None:
    (python_code, _), (javascript,), (csharp,) = (
        [*blocks("python", LOGS), ""],
        blocks("javascript", LOGS),
        blocks("csharp", LOGS),
    )
    for code in (python_code, javascript, csharp):
        assert "gamelog: 1\\ngame: spit\\nplayers: " in code
        assert [word in code for word in (" play ", " from ", " on ", " refused ")] == [True] * 4


def test_snapshot_lines() -> None:
    (lines,) = blocks("gamelog", LOGS)
    header = ["gamelog: 1", "game: spit", "players: Ada, Ben", *EVENTS]
    (report,) = check_text("\n".join([*header, lines]))
    assert report.verdict is Verdict.INCOMPLETE
    slipped = lines.replace("see pile 1: KD of 2", "see pile 1: QC of 1")
    (report,) = check_text("\n".join([*header, slipped]))
    assert next(one.code for one in report.findings if one.severity.value == "error") == "LOG-SEE"


def test_the_adapter(project: Path) -> None:
    assert len((project / "adapter.py").read_text().splitlines()) <= 50
    messages = (project / "messages.jsonl").read_text()
    log = python("adapter.py", folder=project, stdin=messages).stdout
    assert log.count("\n") == messages.count("\n")
    (report,) = check_text(log)
    assert (report.verdict, report.id, report.players) == (Verdict.INCOMPLETE, "table-7/41", ("Ada", "Ben"))
    assert '"refused": "rank"' in log


def test_a_finding_leads_back_to_the_message(project: Path) -> None:
    messages = [json.loads(line) for line in (project / "messages.jsonl").read_text().splitlines()]
    at = next(n for n, each in enumerate(messages) if each["type"] == "PLAY_REJECTED")
    messages[at]["type"] = "CARD_PLAYED"
    del messages[at]["why"]
    log = python("adapter.py", folder=project, stdin="".join(json.dumps(each) + "\n" for each in messages)).stdout
    (report,) = check_text(log)
    assert (report.verdict, report.findings[0].code) == (Verdict.VIOLATION, "SPIT-PLAY-5")
    assert json.loads(report.findings[0].source)["seq"] == messages[at]["id"]


def test_the_adapter_says_what_it_does_not_know(project: Path) -> None:
    result = python("adapter.py", folder=project, stdin='{"id": 7, "at": 0, "type": "CHAT"}\n')
    assert "message 7 is a CHAT" in result.stderr
    assert result.returncode == 1
