"""Every command once on the real engine: the fake one must not hide that the two have drifted apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "a.gamelog"
    call("generate", "spit", "--seed", "7", "--output", path)
    return path


def call(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.stdout


def first(game: Path, verb: str) -> int:
    """The number of the first line with that verb."""
    return next(n for n, line in enumerate(game.read_text().splitlines(), 1) if f" {verb} " in line)


def test_a_generated_game_is_legal(game):
    assert ": legal, " in " ".join(call("check", game, "--strict", "--board").split())


def test_a_card_moved_to_the_wrong_stock_is_found(game, tmp_path):
    at = first(game, "play")
    lines = game.read_text().splitlines()
    lines[at - 1] = lines[at - 1].replace(" from ", " from 9 on 1 # ")
    bad = tmp_path / "bad.gamelog"
    bad.write_text("\n".join(lines))
    report = json.loads(call("check", bad, "--format", "json", code=1))
    assert report["games"][0]["findings"][0]["line"] == at
    assert report["model"].startswith("spit ")


def test_what_is_legal_before_a_line_has_that_line(game):
    at = first(game, "play")
    event = game.read_text().splitlines()[at - 1].split(maxsplit=1)[1]
    assert event in call("legal", game, "--at", at - 1).splitlines()
    objects = json.loads(call("legal", game, "--at", at - 1, "--format", "json"))
    assert {"play"} <= {each["type"] for each in objects}


@pytest.mark.parametrize("words", [("--rules", "scored"), ("--option", "stuck=plays_only")])
def test_what_another_game_alone_has_is_the_fault_of_the_call_and_not_of_the_log(words, tmp_path):
    path = tmp_path / "other.gamelog"
    call("generate", "queen-city-rum", "--seed", "1", "--output", path)
    call("check", path)
    assert "1 source not checked" in call("check", path, *words, code=2)


def test_show(game):
    assert "pile 1" in call("show", game, "--at", first(game, "play"))
    call("show", game, "--at", 10**6, code=2)


def test_rules():
    assert "stuck=exhaustive (default, textual)" in call("rules", "spit")
    assert "SPIT-PLAY-5" in call("rules", "spit", "spit-play-5")
    assert call("rules", "spit", "ace") == call("rules", "spit", "ace=linear") == call("rules", "spit", "GAP-SPIT-1")


def test_wrong_options_and_games(game):
    call("check", game, "--option", "stuck=plays_onli", code=2)
    call("generate", "spitt", code=2)
