"""Archives in several processes: the same report in the same order, and no process that outlives another; patterns."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal.checker.generating import generate
from fairdeal.checker.reading import segments as segments_module
from fairdeal.checker.reading.segments import segments
from fairdeal.checker.reporting.reporter import REPORTERS

from .archives import SLOW, call, children, posix, resize, start
from tests.expectations import TRACES


@pytest.mark.parametrize("form", REPORTERS)
def test_the_order_is_kept_and_nothing_is_lost(logs, form, monkeypatch):
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    paths = [logs["plain"], "gone.gamelog", logs["cut"], logs["empty"], logs["zst"], TRACES / "open", "*.nothing"]
    one, two = call(*paths, "--format", form), call(*paths, "--format", form, "--jobs", "2")
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr
    assert (two.exit_code, one.exit_code) == (2, 2)


def test_counts_and_coverage_are_the_same_in_several_processes(logs, monkeypatch):
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    words = [logs["plain"], TRACES / "legal", "--summary", "--coverage", "--format", "json"]
    assert call(*words, "--jobs", "3").stdout == call(*words).stdout


def test_a_game_longer_than_can_be_held_is_judged_all_the_same(tmp_path, monkeypatch):
    log = tmp_path / "a.gamelog"
    log.write_text("".join(generate("spit", games=3, seed=2)) + "gamelog: 1\ngame: spit\nround 1\nA dael\n")
    wanted = call(log).stdout
    resize(monkeypatch, 2000, 8000, 3000)
    assert any(segment.is_long for segment in _read(segments(str(log))))
    assert call(log, "--jobs", "2").stdout == wanted


def _read(found: Iterator[segments_module.Segment]) -> Iterator[segments_module.Segment]:
    for segment in found:
        while segment.stream.read(1000) and segment.is_long:
            pass
        yield segment


def test_a_failure_in_a_process_is_a_sentence_and_the_rest_is_checked(tmp_path):
    spit, rum = tmp_path / "a.gamelog", tmp_path / "b.gamelog"
    spit.write_text("".join(generate("spit", games=2, seed=2)))
    rum.write_text("".join(generate("queen-city-rum", games=2, seed=2)))
    result = call(rum, spit, "--option", "ace=cycle", "--jobs", "2")  # rum has no such option
    assert result.exit_code == 2
    assert f"{rum}: queen-city-rum has no option ace" in " ".join(result.stderr.split())
    assert "2 games: 2 legal" in result.stdout


@posix
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_the_one_that_reads(big, number):
    running = start(big, "--jobs", "2", folder=big.parent, setup=SLOW)
    while len(found := children(running.pid)) < 2 and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(number)
    err = running.communicate(timeout=30)[1]
    assert running.returncode == {signal.SIGINT: 130}.get(number, -number)
    assert err == {signal.SIGINT: "fairdeal: interrupted\n"}.get(number, "")
    deadline = time.monotonic() + 20
    while any(
        Path(f"/proc/{each}").exists() and "Z" not in Path(f"/proc/{each}/stat").read_text().split()[2]
        for each in found
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@posix
def test_an_interrupt_while_processes_are_started_is_not_lost(big):
    amid = "import os, signal\nos.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))\n"
    running = start(big, "--jobs", "2", folder=big.parent, setup=amid)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, "", "fairdeal: interrupted\n")


HESITANT = """from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
import time
_close, _terminate = Connection._close, BaseProcess.terminate
Connection._close = lambda self: (_close(self), time.sleep(1))
BaseProcess.terminate = lambda self: (time.sleep(0.3), _terminate(self))
"""
"""Who ends a process and closes a pipe takes a while: another that closes it meanwhile makes both fail, each time."""


@posix
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
@pytest.mark.parametrize("setup", [SLOW, HESITANT + SLOW], ids=["usual", "hesitant"])
def test_a_process_that_is_killed_is_told_and_nothing_hangs(big, setup):
    running = start(big, "--jobs", "2", folder=big.parent, setup=setup)
    while len(found := children(running.pid)) < 2 and running.poll() is None:
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert "not checked to its end" in err
    assert "Traceback" not in err + out


def test_patterns_are_matched_in_order_and_names_stand_for_themselves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.gamelog", "a.gamelog", "deep/er/c.gamelog", "[a].gamelog"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("gamelog: 1\ngame: spit\nround 1\n")

    def paths(*words: str) -> list[str]:
        return [game["path"] for game in json.loads(call(*words, "--format", "json").stdout)["games"]]

    assert paths("?.gamelog") == ["a.gamelog", "b.gamelog"]
    assert paths("**/c.gamelog") == ["deep/er/c.gamelog"]
    assert paths("[a].gamelog") == ["[a].gamelog"]
    assert paths("d*") == ["deep/er/c.gamelog"]
    assert "nothing matches it" in call("x*.gamelog").stderr
