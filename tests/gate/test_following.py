"""A log that a server still writes, and the line that shows how far a run is."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.reporting import progress as progress_module
from fairdeal.checker.reporting.progress import Progress

from .running import environment
from tests.expectations import TRACES

LINES = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_text().splitlines(keepends=True)
FAULT = next(n for n, line in enumerate(LINES) if line.startswith("A play 7S"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


class Following:
    """`fairdeal check --follow` of a log that a test writes."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.log, self.report = folder / "live.gamelog", folder / "out"
        self.log.write_text("")
        command = [sys.executable, "-m", "fairdeal.checker", "check", "--follow", "live.gamelog", *words]
        with self.report.open("w") as out:
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment(), stdout=out, stderr=subprocess.PIPE, text=True
            )

    def write(self, text: str) -> None:
        with self.log.open("a") as log:
            log.write(text)

    def wait_for(self, text: str, times: int = 1) -> str:
        deadline = time.monotonic() + 60
        while (found := self.report.read_text()).count(text) < times:
            assert time.monotonic() < deadline, found
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.05)
        return found

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        err = self.process.communicate(timeout=30)[1]
        return self.process.returncode, err


@pytest.fixture
def follow(tmp_path: Path):
    """Starts a follower, which ends with the test."""
    running: list[Following] = []

    def start(*words: str) -> Following:
        running.append(Following(tmp_path, *words))
        return running[-1]

    yield start
    for each in running:
        each.process.kill()
        each.process.communicate(timeout=30)


def test_a_finding_is_there_as_soon_as_its_line(follow):
    following = follow()
    following.write("".join(LINES[:FAULT]) + LINES[FAULT][:9])
    time.sleep(0.5)
    assert following.report.read_text() == ""  # half a line says nothing
    following.write(LINES[FAULT][9:])
    found = following.wait_for("SPIT-PLAY-5")
    assert "violation" not in found  # the game is not over
    following.write("".join(LINES[FAULT + 1 :]) + "gamelog: 1\ngame: spit\nround 1\n")
    following.wait_for("live.gamelog:2: violation, 7 events, 1 error")
    assert following.stop() == (1, "")
    text = following.report.read_text()
    assert text.count("error[SPIT-PLAY-5]") == 1
    assert text.endswith("2 games: 1 incomplete, 1 violation; 8 events\n")


@pytest.mark.parametrize(("words", "code"), [((), 0), (("--strict",), 1)])
def test_ctrl_c_ends_it_as_the_verdicts_demand(follow, words, code):
    following = follow(*words)
    following.write("gamelog: 1\ngame: spit\nround 1\ngamelog: 1\ngame: spit\nround 1\n")
    following.wait_for(":1: incomplete")
    assert following.stop(signal.SIGINT) == (code, "")
    assert following.report.read_text().endswith("2 games: 2 incomplete; 2 events\n")


def test_a_log_that_is_replaced_or_cut_is_taken_up_again(follow):
    following = follow()
    following.write("".join(LINES) + "# a long way to go\n" * 9)
    following.wait_for("error[SPIT-PLAY-5]")
    following.log.rename(following.log.with_name("live.gamelog.1"))
    following.log.write_text("".join(LINES).replace("game: spit", "game: spit\nid: second") + "# not as long\n" * 5)
    following.wait_for("error[SPIT-PLAY-5]", 2)
    following.log.write_text("".join(LINES).replace("game: spit", "game: spit\nid: third"))
    following.wait_for("error[SPIT-PLAY-5]", 3)
    code, err = following.stop()
    assert (code, err.count("another log has begun in its place")) == (1, 2)
    closing = [line for line in following.report.read_text().splitlines() if ": violation, " in line]
    assert [line.split(":")[1] for line in closing] == ["2", "2 second", "2 third"]


def test_a_log_that_is_written_over_is_no_mixture_of_both(follow):
    """Cut and written anew between two looks, it may be as long as it was, or longer: its size shows nothing."""
    following = follow("--strict")
    lines = "".join(LINES)
    following.write(lines[: lines.index("A play 7S")])
    following.wait_for("")
    time.sleep(1)
    for number in range(3):
        with following.log.open("r+") as log:  # without a moment at which it is shorter
            log.write(lines.replace("game: spit", f"game: spit\nid: number {number}"))
            log.truncate()
        following.wait_for("error[SPIT-PLAY-5]", number + 1)
    code, err = following.stop()
    assert (code, err.count("another log has begun in its place")) == (1, 3)
    report = following.report.read_text()
    assert report.count("error[") == 3
    assert [line.split(":")[1] for line in report.splitlines() if ": violation, " in line] == [
        f"2 number {number}" for number in range(3)
    ]


def test_a_log_that_is_gone_is_told_once_and_taken_up_when_it_comes_back(follow):
    following = follow()
    following.write("".join(LINES))
    following.wait_for("error[SPIT-PLAY-5]")
    following.log.unlink()
    time.sleep(1)
    following.log.write_text("".join(LINES))
    following.wait_for("error[SPIT-PLAY-5]", 2)
    code, err = following.stop()
    assert (code, err.count("is gone"), err.count("another log has begun")) == (1, 1, 1)


@pytest.mark.parametrize("words", [("-",), ("a", "b"), ("a.gamelog.gz",), (".",), ("a", "--jobs", "2")])
def test_what_cannot_be_followed_is_refused(words):
    result = CliRunner().invoke(cli, ["check", "--follow", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--follow" in result.stderr


def test_a_log_that_is_not_there_exits_2(tmp_path):
    result = CliRunner().invoke(cli, ["check", "--follow", str(tmp_path / "gone")])
    assert result.exit_code == 2
    assert "there is no such file" in result.stderr


# ---------------------------------------------------------------- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "out", "silent", "watched"),
    [
        (Terminal(), io.StringIO(), False, True),
        (Terminal(), Terminal(), True, True),
        (Terminal(), Terminal(), False, False),
        (io.StringIO(), io.StringIO(), True, False),
        (None, io.StringIO(), True, False),
    ],
)
def test_progress_is_shown_only_where_somebody_watches(monkeypatch, stderr, out, silent, watched):
    monkeypatch.setattr(sys, "stderr", stderr)
    assert Progress(out, silent).watched is watched


def test_progress_has_games_events_and_rate_and_goes_away(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_module, "PATIENCE", 0.0)
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    progress = Progress(io.StringIO(), silent=False)
    for _ in range(1200):
        progress.add(1, 10)
    progress.end()
    assert "1,200 games, 12,000 events, " in terminal.getvalue()
    assert "events/s" in terminal.getvalue()


def test_short_runs_show_none(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress(io.StringIO(), silent=True)
    progress.add(1, 10)
    progress.end()
    assert terminal.getvalue() == ""
