"""The fuzzer on a few hundred inputs, and that it notices when a promise is broken; `make verify` runs a million."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fairdeal.checker.judging.run import Run
from fairdeal.checker.reporting.json_report import JsonLinesReporter

from .fuzzing import FORMATS, KINDS, BrokenPromiseError, fuzz, main, well_formed

INPUTS = 2 * len(KINDS) * len(FORMATS)
"""Each kind of input meets each format twice."""


@pytest.mark.parametrize("first", [0, 10**6, 10**9])
def test_no_promise_is_broken(tmp_path: Path, first: int) -> None:
    result = fuzz(first, first + INPUTS, tmp_path)
    assert result.broken == []
    assert sum(result.codes.values()) == INPUTS
    met = Counter(name for name, _ in result.codes.elements())
    assert met == dict.fromkeys(KINDS, 2 * len(FORMATS))


def test_inputs_reach_every_exit_code(tmp_path: Path) -> None:
    codes = {code for first in (0, 10**6) for _, code in fuzz(first, first + INPUTS, tmp_path).codes}
    assert codes == {0, 1, 2}


def test_a_crash_is_noticed_and_its_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Run, lines: object, start: int = 0) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "feed", fail)
    result = fuzz(0, 1, tmp_path)
    assert len(result.broken) == 1
    assert "fault of fairdeal" in result.broken[0]
    assert [path.name for path in tmp_path.iterdir()] == ["0-text-a.gamelog"]


def test_a_report_that_is_none_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonLinesReporter, "game", lambda self, report: self._out.write("{'a': 1}\n"))
    number = len(KINDS) * FORMATS.index("jsonl")
    assert len(fuzz(number, number + 1, tmp_path).broken) == 1
    for form, text in (("junit", "<a>"), ("json", "{"), ("sarif", ""), ("github", "hello\n1 game\n")):
        with pytest.raises((ValueError, SyntaxError, BrokenPromiseError)):
            well_formed(text, form)


def test_the_tool_counts_and_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inputs", "10", "--seed", "5", "--folder", str(tmp_path / "x")]) == 0
    assert "10 inputs in" in capsys.readouterr().out
