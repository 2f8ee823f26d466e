"""The files by which others plug fairdeal into their builds say what the command line understands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.reporting.reporter import REPORTERS

from .running import ROOT, environment
from tests.expectations import TRACES

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
LEGAL = TRACES / "legal" / "spit-play-5-king-on-queen.gamelog"
ILLEGAL = TRACES / "illegal" / "spit-play-5-equal-rank.gamelog"


def test_the_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {"id", "name", "entry", "language"} <= set(hook)  # what pre-commit requires of a hook
    names = ["a.gamelog", "b/a.gamelog.jsonl", "a.gamelog.gz", "a.gamelog.jsonl.zst"]
    assert all(re.search(hook["files"], name) for name in names)
    assert not any(re.search(hook["files"], name) for name in ["a.jsonl", "a.gamelog.expect", "gamelog"])
    program, *words = hook["entry"].split()
    assert program == "fairdeal"
    words += hook["args"]
    assert CliRunner().invoke(cli, [*words, str(LEGAL)]).exit_code == 0
    assert CliRunner().invoke(cli, [*words, str(LEGAL), str(ILLEGAL)]).exit_code == 1
    monkeypatch.chdir(tmp_path)
    Path("-open.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")  # `-o` is an option, and this a name
    result = CliRunner().invoke(cli, [*words, "-open.gamelog"])
    assert (result.exit_code, os.listdir()) == (1, ["-open.gamelog"])
    assert "-open.gamelog:1: incomplete" in result.stdout


def test_the_action_uses_every_input_and_no_other() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", text))
    assert used == set(ACTION["inputs"])
    assert ACTION["inputs"]["format"]["default"] in REPORTERS
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"  # a composite step needs one
        assert "${{" not in step["run"], "an input within a script can run anything"


@pytest.fixture
def act(tmp_path: Path):
    """Runs the action's last step with some inputs, as a workflow would."""
    program = tmp_path / "fairdeal"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m fairdeal.checker "$@"\n')
    program.chmod(0o755)

    def run(**inputs: str) -> subprocess.CompletedProcess[str]:
        given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | inputs
        step = ACTION["runs"]["steps"][-1]
        env = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: given[match[1]], value)
            for name, value in step["env"].items()
        }
        env["FAIRDEAL"] = str(program)
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=tmp_path,
            env={**environment(), **env},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


@pytest.mark.skipif(os.name != "posix", reason="bash and scripts of POSIX")
def test_the_action_checks_and_annotates(act, tmp_path: Path) -> None:
    assert act(paths=f"{LEGAL}\n").returncode == 0
    red = act(paths=f"{LEGAL}\n{ILLEGAL}\n")
    assert red.returncode == 1
    assert "::error file=" in red.stdout
    broken_off = tmp_path / "a b.gamelog"
    broken_off.write_text("gamelog: 1\ngame: spit\nround 1\n")
    assert act(paths="a b.gamelog").returncode == 1
    assert act(paths="a b.gamelog", strict="false").returncode == 0
    for word in ("False", "no", "", "0"):  # neither guessed at
        assert act(paths=str(LEGAL), strict=word).returncode == 2
    assert act(paths="").returncode == 2
    assert act(paths="a b.gamelog\n./a b.gamelog\n\n", strict="false").returncode == 0
    assert act(paths=str(LEGAL), options="ace=cycle\nstuck=plays_only\n", rules="scored", format="text").returncode in (
        0,
        1,
    )
    assert act(paths=str(LEGAL), options="ace=hgih").returncode == 2
    assert act(paths="--help").returncode == 2  # a path, not an option
    assert act(paths=str(ILLEGAL), format="sarif", output="report.sarif").returncode == 1
    assert '"version": "2.1.0"' in (tmp_path / "report.sarif").read_text()
