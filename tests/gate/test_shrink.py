"""`fairdeal shrink`: the same first finding in a log of few lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

import pytest
from click.testing import CliRunner, Result

from fairdeal.checker.api import Finding, Severity, Verdict, check, check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.judging import shrinking
from fairdeal.checker.judging.checking import Call
from fairdeal.checker.judging.shrinking import shrink

from .running import EXAMPLES, python
from tests.expectations import TRACES, expected, traces
from tests.robustness.inputs import KINDS


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["shrink", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


def first(text: str) -> Finding:
    """The first finding of a log that decides its verdict."""
    weighty = (Severity.ERROR, Severity.READING, Severity.UNKNOWN)
    return next(one for report in check_text(text) for one in report.findings if one.severity in weighty)


def events(text: str) -> int:
    return sum(bool(line) and ": " not in line for line in text.splitlines())


def violating(name: str, seed: int) -> Iterator[str]:
    """Generated games with one line left out, moved, or taken for another, such that a rule is broken."""
    chance = random.Random(seed)
    for game in generate(name, games=10**6, seed=seed):
        while True:
            lines = game.split("\n")
            at, other = chance.randrange(12, len(lines) - 3), chance.randrange(12, len(lines) - 3)
            match chance.randrange(3):
                case 0:
                    del lines[at]
                case 1:
                    lines[at], lines[at + 1] = lines[at + 1], lines[at]
                case 2:
                    lines[at] = f"{lines[at].split(' ')[0]} {lines[other].partition(' ')[2]}"
            text = "\n".join(lines)
            if check_text(text)[0].verdict is Verdict.VIOLATION:
                yield text
                break


@pytest.mark.parametrize("game", ["spit", "queen-city-rum"])
@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.verify)])
def test_violating_generated_games(tmp_path: Path, game: str, count: int) -> None:
    shares, left = [], []
    for text in islice(violating(game, count), count):
        (tmp_path / "a.gamelog").write_text(text)
        short = run(tmp_path / "a.gamelog").stdout
        assert first(short).code == first(text).code
        assert first(short).line == short.count("\n")
        shares.append(events(short) / events(text))
        found = shrink(Call(str(tmp_path / "a.gamelog")))
        left.append(found.events / found.original)
    assert median(shares) <= 1 / 3
    assert median(left) <= 1 / 3  # what comes after the fault makes it no easier
    print(f"median length {median(shares):.3f} of the whole, {median(left):.3f} of what leads to the fault")


def test_no_line_of_a_shrunk_log_can_be_left_out(tmp_path: Path) -> None:
    for text in (next(violating("spit", 3)), next(violating("queen-city-rum", 3))):
        (tmp_path / "a.gamelog").write_text(text)
        lines = run(tmp_path / "a.gamelog").stdout.splitlines()
        code, start = first("\n".join(lines)).code, lines.index("") + 1
        for at in range(start, len(lines) - 1):
            left = [*lines[:at], *lines[at + 1 :]]
            findings = [one for report in check_text("\n".join(left)) for one in report.findings]
            assert not findings or (findings[0].code, findings[0].line) != (code, len(left)), lines[at]


@pytest.mark.parametrize(
    "log",
    [
        log
        for log in traces(TRACES)
        if "recorded" not in log.parts
        and any(one.verdict in ("violation", "malformed", "reading-dependent", "unknown") for one in expected(log))
    ][::14],
    ids=lambda log: log.name,
)
def test_traces_of_every_kind_keep_their_first_finding(log: Path) -> None:
    short = run(log).stdout
    text = log.read_bytes().decode("utf-8", "surrogateescape")
    assert first(short).code == first(text).code
    assert len(short.splitlines()) <= len(text.splitlines()) + 1  # an empty line after the header


def test_the_readme_s_engine(tmp_path: Path) -> None:
    log = tmp_path / "games.gamelog"
    log.write_text(python(str(EXAMPLES / "engine.py"), "20", folder=tmp_path).stdout)
    result = run(log)
    assert result.stdout.splitlines()[-3:] == ["A spit 9H on 1", "B spit 5D on 2", "A play 5H from 2 on 2"]
    assert result.stderr == "fairdeal: kept 6 of the 6 events up to the first SPIT-PLAY-5\n"


def test_a_later_round_stands_alone_and_numbers_and_times_go(tmp_path: Path) -> None:
    (game,) = generate("spit", games=1, seed=4)
    lines = game.rstrip("\n").split("\n")
    at = max(n for n, line in enumerate(lines) if " round " in line and " end " not in line)
    lines.insert(at + 3, lines[at])  # the last round begins twice
    (tmp_path / "a.gamelog").write_text("\n".join(lines))
    found = shrink(Call(str(tmp_path / "a.gamelog")))
    body = [line for line in found.lines if line and ": " not in line]
    assert body[0] == lines[at].split(" ", 1)[1]
    assert not any(line.startswith("@") for line in body)


def test_objects_are_shrunk_too(tmp_path: Path) -> None:
    (game,) = generate("queen-city-rum", games=1, seed=4, format="jsonl")
    lines = game.strip().split("\n")
    (tmp_path / "a.gamelog.jsonl").write_text("\n".join([*lines[:40], lines[20], *lines[40:]]))
    short = run(tmp_path / "a.gamelog.jsonl").stdout
    assert first(short).code == first("\n".join([*lines[:40], lines[20]])).code
    assert all(line.startswith("{") for line in short.splitlines() if line)
    assert len(short.splitlines()) < 20


def test_the_options_of_the_call_hold(tmp_path: Path) -> None:
    text = (TRACES / "legal" / "gap-spit-1-ace-on-two.gamelog").read_text()
    (tmp_path / "a.gamelog").write_text(text)
    assert "no game in it has a finding" in run(tmp_path / "a.gamelog", code=2).stderr
    result = run(tmp_path / "a.gamelog", "--option", "ace=linear", "--output", tmp_path / "b.gamelog")
    assert result.stdout == ""
    (report,) = check(tmp_path / "b.gamelog", options={"ace": "linear"})
    assert report.verdict is not Verdict.LEGAL


def test_only_the_first_game_at_fault_is_taken(tmp_path: Path) -> None:
    legal = (TRACES / "legal" / "spit-play-5-king-on-queen.gamelog").read_text()
    illegal = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_text()
    (tmp_path / "a.gamelog").write_text(legal + illegal + illegal)
    assert run(tmp_path / "a.gamelog").stdout.count("gamelog: 1") == 1


def test_a_search_that_is_cut_short_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gamelog").write_text(next(violating("spit", 3)))
    monkeypatch.setattr(shrinking, "MOST_RUNS", 3)
    result = run(tmp_path / "a.gamelog")
    assert "stopped after 3 tries" in " ".join(result.stderr.split())
    assert first(result.stdout).code == first((tmp_path / "a.gamelog").read_text()).code


def test_what_cannot_be_shrunk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no such file" in run(tmp_path / "gone", code=2).stderr
    (tmp_path / "a.gamelog").write_text(next(violating("spit", 3)))
    assert "is one of the logs" in run(tmp_path / "a.gamelog", "--output", tmp_path / "a.gamelog", code=2).stderr
    monkeypatch.setattr(shrinking, "MOST_LINES", 5)
    assert "comes more than 5 lines after" in run(tmp_path / "a.gamelog", code=2).stderr
    (tmp_path / "a.gamelog").write_bytes(b"")
    assert "is no fault of an event" in run(tmp_path / "a.gamelog", code=2).stderr
    (tmp_path / "a.gamelog").write_bytes(b"gamelog: 1\ngame: spit\nround 1\nA \xff win\n")
    assert "line 4 is no text" in run(tmp_path / "a.gamelog", code=2).stderr


@pytest.mark.parametrize("first_number", [0, 500])
def test_any_input_is_shrunk_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first_number: int) -> None:
    monkeypatch.setattr(shrinking, "MOST_RUNS", 200)
    shrunk = 0
    for number in range(first_number, first_number + 60):
        name, data = list(KINDS.values())[number % len(KINDS)](random.Random(number))
        (tmp_path / name).write_bytes(data)
        result = CliRunner().invoke(cli, ["shrink", str(tmp_path / name)])
        assert result.exit_code in (0, 2)
        assert "fault of fairdeal" not in result.stderr
        shrunk += result.exit_code == 0
    assert shrunk > 30
