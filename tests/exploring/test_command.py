"""`fairdeal explore`, from the call to the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.judging.checking import check_source


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose first round is nearly over at line 66."""
    path = tmp_path_factory.mktemp("logs") / "game.gamelog"
    path.write_text("".join(generate("spit", games=1, seed=5)), encoding="utf-8")
    return path


def call(*words: object):
    return CliRunner().invoke(cli, ["explore", *map(str, words)])


def test_a_closed_round_exits_0_and_says_all(log: Path) -> None:
    result = call(log, "--at", 66, "--plain")
    assert result.exit_code == 0
    assert "complete: this is all that can happen in the round" in result.output
    assert "NOT" not in result.output
    assert "plain Python, slower" in " ".join(result.output.split())
    document = json.loads(call(log, "--at", 66, "--plain", "--format", "json").output)
    assert document["complete"]
    found = {one["name"]: one for one in document["outcomes"]}
    assert f"{document['states']:,} states" in result.output
    assert found["finished-a"]["shortest"] <= found["finished-a"]["longest"]
    assert "class        states  merged  longest" in result.output
    alike = json.loads(call(log, "--at", 66, "--plain", "--merge", "alike", "--format", "json").output)
    ways = {one["name"]: one for one in alike["outcomes"]}
    assert (found["finished-a"]["shortest_of"], ways["finished-a"]["shortest_of"]) == ("merged", "all")
    assert ways["finished-a"]["shortest"] <= found["finished-a"]["shortest"]
    bounded = json.loads(call(log, "--at", 66, "--plain", "--states", 60, "--format", "json").output)
    assert {one["shortest_of"] for one in bounded["outcomes"] if one["states"]} == {"seen"}


@pytest.mark.parametrize("limit", [["--states", 50], ["--memory", "1M", "--at", 9]])
def test_a_bounded_search_is_called_a_lower_bound_and_exits_1(log: Path, limit: list[object]) -> None:
    words = limit if "--at" in limit else [*limit, "--at", 66]
    result = call(log, "--plain", *words)
    assert result.exit_code == 1
    text = " ".join(result.output.split())
    assert "NOT complete" in text
    assert "lower bound" in text
    assert "complete: this is all" not in text
    assert not json.loads(call(log, "--plain", "--format", "json", *words).output)["complete"]


def test_witnesses_are_games_that_check_accepts(log: Path, tmp_path: Path) -> None:
    for name in ("finished-a", "finished-b:longest", "forced-spit", "b-never-plays", "null-loop"):
        path = tmp_path / f"{name.replace(':', '-')}.gamelog"
        assert call(log, "--at", 66, "--plain", "--witness", name, "--output", path).exit_code == 0
        (report,) = check_source(str(path))
        assert report.verdict.value == "incomplete"
        assert path.read_text().startswith("gamelog: 1\n")
        last = path.read_text().splitlines()[-1]
        said = {"finished-a": "round end finished A", "finished-b:longest": "round end finished B"}
        assert last.endswith(said.get(name, last))
        assert ("round end" in last) == (name in said or name == "b-never-plays")


@pytest.mark.parametrize(
    ("name", "said"), [("blocked", "no state of the class blocked exists"), ("a-never-plays", "there is no such round")]
)
def test_a_class_that_is_shown_not_to_exist_exits_1(log: Path, name: str, said: str) -> None:
    gone = call(log, "--at", 66, "--plain", "--witness", name)
    assert gone.exit_code == 1
    assert said in " ".join(gone.output.split())


def test_a_class_that_there_is_not_is_refused_before_anything_is_explored(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal.checker.exploring.rounds.Native", None)
    result = call(log, "--at", 66, "--witness", "blokced")
    assert result.exit_code == 2
    assert "did you mean blocked?" in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--deals", 1, "--depth", 2], "--depth does not go with --deals"),
        (["--deals", 1, "--depth", 2, "--witness", "blocked"], "does not go with --deals"),
        (["--deals", 1, "--divide"], "--divide goes with --depth, and not with --deals"),
        (["--deals", 1, "--plot", "zz.svg"], "--plot does not go with --deals"),
        (["--deals", 1, "--at", 5], "--at does not go with --deals"),
        (["--depth", 2, "--states", 5], "--states does not go with --depth"),
        (["--depth", 2, "--plot", "zz.svg"], "--plot does not go with --depth"),
        (["--witness", "blocked", "--format", "json"], "--format does not go with --witness"),
        (["--hand", "7S", "--seed", 1], "--seed does not go with --hand"),
        (["--jobs", 2], "--jobs goes with --deals"),
        (["--keep", "file"], "--keep goes with --deals"),
        (["--engine", "python"], "--engine goes with --depth"),
    ],
)
def test_an_option_that_nothing_would_look_at_is_refused(words: list[object], said: str) -> None:
    result = call("spit", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_the_terminal(log: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    calls: list[list[object]] = [
        [log, "--at", 66, "--plain"],
        [log, "--at", 66, "--plain", "--states", 50],
        [log, "--at", 66, "--plain", "--depth", 4],
        ["queen-city-rum", "--hand", "7S 8S 9S 9H 9D KH QH JH 2C 3C 4C"],
        ["spit", "--deals", 2, "--states", 200, "--plain"],
    ]
    for words in calls:
        lines = call(*words).output.splitlines()
        assert len(lines) > 4
        assert [line for line in lines if len(line) > width and "/" not in line] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spit", "--seed", 1, "--at", 3], "--at is a line of a log"),
        (["spti", "--seed", 1], "did you mean spit?"),
        (["gone.gamelog"], "gone.gamelog"),
        (["LOG", "--at", 2], "is in a header"),
        (["LOG", "--at", 8], "nothing of a round can happen after"),
        (["LOG", "--at", 66, "--memory", "many"], "is no size"),
        (["LOG", "--at", 66, "--option", "lone_spit=some"], "lone_spit"),
        (["spit", "--option", "melds_score=x"], "no option melds_score"),
        (["queen-city-rum", "--hand", ""], "a hand is looked at by its cards"),
        (["queen-city-rum", "--seed", 3], "--depth N counts what can follow up to N events, and --hand CARDS"),
        (["queen-city-rum", "--seed", 3], "can name any number of cards"),
    ],
)
def test_wrong_calls_exit_2_and_say_why(log: Path, words: list[object], said: str) -> None:
    result = call(*(log if word == "LOG" else word for word in words))
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_a_log_that_is_not_legal_is_not_explored(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().split("\n")
    spit = next(number for number, line in enumerate(lines) if " spit " in line)
    path = tmp_path / "wrong.gamelog"
    path.write_text("\n".join([*lines[: spit + 1], lines[spit], ""]), encoding="utf-8")
    result = call(path, "--at", spit + 2)
    assert result.exit_code == 2
    assert "is not legal" in result.output


def test_exploring_is_not_paid_for_by_other_commands() -> None:
    """`fairdeal check` loads neither numba nor numpy, nor what is explored."""
    code = (
        "import sys; from fairdeal.checker.cli import cli; "
        "cli(['check', '--help'], standalone_mode=False); "
        "bad = [m for m in sys.modules if m.split('.')[0] in ('numba', 'numpy', 'matplotlib') or 'explor' in m]; "
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_picture_is_the_same_for_the_same_result(log: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures = []
    for name in ("one.svg", "two.svg"):
        path = tmp_path / name
        assert call(log, "--at", 66, "--plain", "--plot", path).exit_code == 0
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].lstrip().startswith(b"<?xml")
    assert b"</svg>" in pictures[0]
    assert call(log, "--at", 66, "--plain", "--plot", tmp_path / "gone" / "a.svg").exit_code == 2


def test_without_matplotlib_a_picture_is_refused_before_anything_is_explored(log: Path, monkeypatch) -> None:
    from fairdeal.checker.commands import explore as command

    monkeypatch.setattr(command, "find_spec", lambda name: None)
    result = call(log, "--at", 66, "--plot", "a.svg")
    assert result.exit_code == 2
    assert "pip install 'fairdeal[plot]'" in result.output
