"""What goes into the page, how much of it, and how the command refuses."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import random
import re
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.reporting.replay import recording
from fairdeal.checker.reporting.replay.page import page

from tests.reporting.replay.games import FAULTY, generated, two_games
from tests.robustness.logs import opening
from tests.robustness.mutants import mutant


@pytest.fixture
def log(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "a.gamelog"
        path.write_text(text)
        return str(path)

    return write


def call(*words: object, code: int = 0, stdin: str | None = None):
    result = CliRunner().invoke(cli, ["replay", *map(str, words)], input=stdin)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def found_in(text: str, pattern: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    assert found is not None
    return found[1]


def data_of(text: str) -> dict[str, Any]:
    data = json.loads(found_in(text, r'<script type="application/json" id="data">(.*?)</script>'))
    assert isinstance(data, dict)
    return data


def test_the_policy_allows_just_the_scripts_and_styles_of_the_page(log):
    text = page(recording.record(log(FAULTY)), "a.gamelog")
    policy = html.unescape(found_in(text, r'Content-Security-Policy" content="(.*?)"'))
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    for kind, tag in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        allowed = found_in(policy, rf"{kind} ([^;]*)").split()
        inline = [
            f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
            for one in re.findall(tag, text, re.DOTALL)
        ]
        assert allowed == inline
    assert not re.search(
        r"(?:src|href)=[\"']?(?!data:)[^\"' >]", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    )


def test_no_markup_can_come_out_of_the_data(log):
    hostile = FAULTY.replace("Ada", "</script><b>").replace("Ben", "<!--<script>")
    text = page(recording.record(log(hostile)), "</title><script>")
    assert "</script><b>" not in text
    assert "<!--" not in text
    assert "</title><script>" not in text
    assert data_of(text)["games"][0]["players"] == ["</script><b>", "<!--<script>"]


def test_the_findings_are_those_of_check(log):
    path = log(two_games() + FAULTY + "nonsense\n")
    checked = json.loads(CliRunner().invoke(cli, ["check", path, "--format", "json"]).stdout)
    data = data_of(call(path).stdout)
    for game, judged in zip(data["games"], checked["games"], strict=True):
        assert game["verdict"] == judged["verdict"]
        assert game["events"] == judged["events"]
        told = [(one["line"], one["code"], one["severity"], one["message"]) for one in game["findings"]]
        assert told == [(one["line"], one["code"], one["severity"], one["message"]) for one in judged["findings"]]


def test_comments_go_with_the_game_that_they_precede(log):
    path = log("# one\n" + FAULTY + "# within\nA call spit\n# two\n" + FAULTY + "# last\n")
    games = recording.record(path).games
    comments = [[row["text"] for row in game["rows"] if row.get("aside")] for game in games]
    assert comments == [["# one", "# within"], ["# two", "# last"]]
    assert sum(len(game["rows"]) for game in games) == 2 * 15 + 5


@pytest.mark.parametrize("game", ["spit", "queen-city-rum"])
def test_no_log_is_too_broken_to_be_shown(tmp_path, game):
    """Random changes to logs: the page says what `check` says, each finding at a line that it has."""
    chance = random.Random(7)
    for number in range(60):
        path = tmp_path / f"{number}.gamelog"
        path.write_bytes(mutant(opening(60, seed=number % 5, game=game), chance, 1 + number % 4))
        recorded = recording.record(str(path))
        assert json.loads(recording.as_json(recorded))["games"]
        judged = list(check_source(str(path)))
        assert [one["verdict"] for one in recorded.games] == [one.verdict.value for one in judged]
        for one in recorded.games:
            assert {finding["line"] for finding in one["findings"]} <= {row["line"] for row in one["rows"]}


def test_a_line_costs_little(log):
    text = generated("spit")
    lines = text.splitlines()
    size = len(call(log(text)).stdout) - len(call(log("\n".join(lines[:5]))).stdout)
    assert size < 5 * len(text) + 60 * len(lines)


def test_standard_input_and_output():
    text = call("-", stdin=FAULTY).stdout
    assert text.startswith("<!doctype html>")
    assert data_of(text)["log"] == "<stdin>"


def test_options_of_the_call_win(log):
    game = data_of(call(log(FAULTY), "--option", "ace=linear").stdout)["games"][0]
    assert game["options"] == ["ace=linear"]
    assert [one["line"] for one in game["findings"] if one["severity"] == "error"] == [
        9,
        14,
    ]  # an ace on a two, and the fault


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.gamelog"], "nowhere.gamelog: there is no such file"),
        (["{log}", "--at", "999"], "has 15 lines, so none is line 999"),
        (["{log}", "--option", "ace=low"], "ace"),
        (["{log}", "--output", "{log}"], "is one of the logs to check"),
        (["{log}", "--output", "/nowhere/page.html"], "/nowhere/page.html"),
    ],
)
def test_refusals(log, words, sentence):
    path = log(FAULTY)
    result = call(*[word.format(log=path) for word in words], code=2)
    assert result.stdout == ""
    assert sentence in result.stderr


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_an_empty_log_is_nothing_to_replay(log, tmp_path, text):
    page = tmp_path / "page.html"
    assert "is empty: there is nothing to replay" in " ".join(call(log(text), "--output", page, code=2).stderr.split())
    assert not page.exists()


def test_a_long_log_is_refused_and_says_what_to_do(log, monkeypatch, tmp_path):
    path, page = log(two_games()), tmp_path / "page.html"
    monkeypatch.setattr(recording, "MOST_LINES", 100)
    refusal = " ".join(call(path, "--output", page, code=2).stderr.split())
    assert "holds 100 lines" in refusal
    assert "--at LINE" in refusal
    assert not page.exists()
    assert len(data_of(call(path, "--at", 5).stdout)["games"]) == 1
    for line in (50, 115, 150, 210):  # in the long game: before its hundredth line, and after
        assert "the game with that line is longer" in " ".join(call(path, "--at", line, code=2).stderr.split())


def test_a_long_game_before_the_one_that_is_asked_for_is_no_matter(log, monkeypatch):
    text = generated("queen-city-rum") + FAULTY
    monkeypatch.setattr(recording, "MOST_LINES", 100)
    last = len(text.splitlines())
    game = data_of(call(log(text), "--at", last).stdout)["games"][0]
    assert game["rows"][-1]["line"] == last
    assert game["verdict"] == "violation"


def test_many_characters_are_refused_too(log, monkeypatch):
    monkeypatch.setattr(recording, "MOST_CHARACTERS", 2000)
    assert "too long for a page" in call(log(two_games()), code=2).stderr


def test_a_long_line_is_cut(log):
    game = data_of(call(log(FAULTY + "A flip 7S at 4 # " + "x" * 10_000 + "\n")).stdout)["games"][0]
    assert len(game["rows"][-1]["text"]) == recording.LONGEST_LINE
    assert game["rows"][-1]["text"].endswith("...")
