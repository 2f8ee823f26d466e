"""The fuzzer on a few hundred inputs, and that it notices when a promise is broken; `make verify` runs a million."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from fairdeal.checker.judging.run import Run
from fairdeal.checker.reporting.json_report import JsonLinesReporter

from . import fuzzing, promises
from .fuzzing import fuzz, main
from .inputs import KINDS
from .led import by_strategies
from .logs import BEGUN
from .promises import FORMATS, BrokenPromiseError, call, check, well_formed

INPUTS = 2 * len(KINDS) * len(FORMATS)
"""Each kind of input meets each format twice."""


@pytest.mark.parametrize("first", [0, 10**6, 10**9])
def test_no_promise_is_broken(tmp_path: Path, first: int) -> None:
    result = fuzz(first, first + INPUTS, tmp_path)
    assert result.broken == []
    assert result.inputs == INPUTS
    assert sum(result.codes.values()) == result.calls >= INPUTS
    assert Counter(name for name, _ in result.codes).keys() == KINDS.keys()


def test_every_kind_of_input_is_given_to_every_other_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "OTHER", 1)
    called = Counter[str]()

    def noted(*words: str, feed: bytes | None = None) -> tuple[int, str]:
        called[words[0]] += 1
        return call(*words, feed=feed)

    monkeypatch.setattr(fuzzing, "call", noted)
    result = fuzz(0, INPUTS, tmp_path)
    assert result.broken == []
    assert result.calls == 2 * INPUTS
    assert called.keys() == {"show", "legal", "replay", "shrink"}


def test_inputs_reach_every_exit_code(tmp_path: Path) -> None:
    codes = {code for first in (0, 10**6) for _, code in fuzz(first, first + INPUTS, tmp_path).codes}
    assert codes == {0, 1, 2}


def test_a_few_inputs_of_hypothesis(capsys: pytest.CaptureFixture[str]) -> None:
    assert by_strategies(60) == 0
    assert "60 inputs of hypothesis" in capsys.readouterr().out


def test_a_crash_is_noticed_and_its_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Run, lines: object, start: int = 0) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "feed", fail)
    result = fuzz(0, 10 * len(KINDS), tmp_path, ("mutated",))
    assert result.broken
    assert all("fault of fairdeal" in each for each in result.broken)
    numbers = {each.split(" ")[0] for each in result.broken}
    assert {path.name.split("-")[0] for path in tmp_path.iterdir()} == numbers


def busy(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Judging takes so long from now on."""

    def feed(self: Run, lines: list[str], start: int = 0) -> int:
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass
        return len(lines)

    monkeypatch.setattr(Run, "feed", feed)


def test_what_takes_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch, 0.3)
    monkeypatch.setattr(promises, "LONGEST", 0.1)
    with pytest.raises(BrokenPromiseError, match=r"^\d+\.\d\d s$"):
        check("-", "text", feed=BEGUN)


def test_what_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch, 60)
    monkeypatch.setattr(promises, "HANGING", 0.2)
    with pytest.raises(BrokenPromiseError, match="no end after"):
        check("-", "text", feed=BEGUN)


def test_a_report_that_is_none_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonLinesReporter, "game", lambda self, report: self._out.write("{'a': 1}\n"))
    number = len(KINDS) * FORMATS.index("jsonl")
    assert len(fuzz(number, number + 1, tmp_path).broken) == 1
    for form, text in (("junit", "<a>"), ("json", "{"), ("sarif", ""), ("github", "hello\n1 game\n")):
        with pytest.raises((ValueError, SyntaxError, BrokenPromiseError)):
            well_formed(text, form)


def test_the_tool_counts_and_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inputs", "10", "--seed", "5", "--folder", str(tmp_path / "x")]) == 0
    assert "10 inputs (" in capsys.readouterr().out


def test_a_run_goes_on_where_an_earlier_one_was_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "PART", 4)
    monkeypatch.setattr(fuzzing, "settle", lambda: None)
    progress, folder = tmp_path / "progress", str(tmp_path / "x")
    whole = ["--inputs", "12", "--folder", folder, "--progress", str(progress)]
    assert main(whole) == 0
    told = capsys.readouterr().out.split(" in ")[0]
    lines = progress.read_text().splitlines()
    assert [(json.loads(line)["first"], json.loads(line)["last"]) for line in lines] == [(0, 4), (4, 8), (8, 12)]
    progress.write_text(lines[1] + "\n")
    done = []

    def noted(first: int, last: int, folder: Path) -> fuzzing.Result:
        done.append(first)
        return fuzz(first, last, folder)

    monkeypatch.setattr(fuzzing, "fuzz", noted)
    assert main(whole) == 0
    assert done == [0, 8]
    assert capsys.readouterr().out.split(" in ")[0] == told
