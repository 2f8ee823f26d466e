"""What only a process of its own shows: closed pipes, Ctrl-C, full disks, start-up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")


def start(process, *words, **more):
    command, env = process
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen([*command, *words], env=env, **pipes)


def wait_for(sleeping):
    """Waits for the file that the engine makes just before it falls asleep."""
    deadline = time.monotonic() + 20
    while not sleeping.exists():
        assert time.monotonic() < deadline, "the engine never came to its sleep"
        time.sleep(0.02)


@posix
def test_a_closed_pipe_is_quiet_and_141(process, log):
    running = start(process, "check", log("a.gamelog", "many 100000"))
    assert running.stdout.readline() == "a.gamelog:1: legal, 7 events\n"
    running.stdout.close()
    with running.stderr:
        assert running.stderr.read() == ""
    assert running.wait(30) == 141


@posix
def test_a_pipe_that_nobody_reads_from_the_start(process, log):
    reading, writing = os.pipe()
    os.close(reading)
    running = start(process, "check", log("a.gamelog", "violation"), stdout=writing)
    os.close(writing)
    assert running.communicate(timeout=30)[1] == ""
    assert running.returncode == 141


@posix
@pytest.mark.parametrize("target", [(), ("--output", "report.txt")])
def test_ctrl_c_is_130_without_a_traceback_or_half_a_report(process, log, target, tmp_path):
    path = log("a.gamelog", "violation", "sleep")
    process[1]["FAKE_READY"] = str(tmp_path / "ready")
    running = start(process, "check", path, *target)
    wait_for(tmp_path / "ready")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (130, "fairdeal: interrupted\n")
    assert ("error[TOY-PLAY-1]" in out) is not bool(target)
    assert sorted(os.listdir()) == ["a.gamelog", "ready"]


@posix
def test_ctrl_c_after_the_pipe_was_closed_is_130_too(process, log, tmp_path):
    path = log("a.gamelog", "violation", "sleep")
    process[1]["FAKE_READY"] = str(tmp_path / "ready")
    running = start(process, "check", path)
    running.stdout.close()
    wait_for(tmp_path / "ready")
    running.send_signal(signal.SIGINT)
    with running.stderr:
        assert running.stderr.read() == "fairdeal: interrupted\n"
    assert running.wait(30) == 130


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_exits_2_in_a_sentence(process, log):
    with open("/dev/full", "w") as full:
        running = start(process, "check", log("a.gamelog", "violation"), stdout=full)
        err = running.communicate(timeout=30)[1]
    assert (running.returncode, err) == (2, "fairdeal: cannot write: No space left on device\n")


@posix
def test_a_closed_standard_output_does_not_change_the_verdict(process, log):
    command, env = process
    line = " ".join([*command, "check", log("a.gamelog", "violation"), ">&-"])
    result = subprocess.run(line, shell=True, env=env, capture_output=True, text=True, timeout=30)
    assert (result.returncode, result.stderr) == (1, "")


def test_a_path_that_is_no_utf8_can_be_named(process, log):
    command, env = process
    command = [*map(os.fsencode, command), b"check", b"\xff\x1b.gamelog"]
    result = subprocess.run(command, env=env, capture_output=True, timeout=30)
    assert result.returncode == 2
    assert result.stderr == b"fairdeal: \\xff\\x1b.gamelog: no such file\n"


def test_an_ascii_terminal_gets_escapes_and_no_failure(process, log):
    process[1].update(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    running = start(process, "check", log("\u2660.gamelog", "legal"), encoding="utf-8")
    assert running.communicate(timeout=30)[0].startswith("\\u2660.gamelog:1: legal")
    assert running.returncode == 0


def test_checking_loads_nothing_heavy(process, log):
    command, env = process
    heavy = ["rich", "z3", "numba", "numpy", "jsonschema", "tomllib", "json", "importlib.metadata"]
    code = (
        "import runpy, sys, atexit\n"
        f"atexit.register(lambda: print([name for name in {heavy} if name in sys.modules]))\n"
        f"sys.argv = ['fairdeal', 'check', {log('a.gamelog', 'legal')!r}]\n"
        f"runpy.run_path({command[1]!r}, run_name='__main__')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=30)
    assert result.stdout.splitlines()[-1] == "[]", result.stderr
