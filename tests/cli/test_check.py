"""What `fairdeal check` prints and how it exits, on an engine that judges by order."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

VERDICTS = {
    "legal": (0, 0),
    "incomplete": (0, 1),
    "reading-dependent": (0, 1),
    "unknown": (0, 1),
    "violation": (1, 1),
    "malformed": (1, 1),
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_exit_code_of_each_verdict(fairdeal, log, verdict):
    path = log("a.gamelog", "legal", verdict)
    assert (fairdeal("check", path).exit_code, fairdeal("check", path, "--strict").exit_code) == VERDICTS[verdict]


def test_a_violation_in_full(fairdeal, log):
    result = fairdeal("check", log("a.gamelog", "legal", "violation"))
    assert (
        result.stdout
        == """\
a.gamelog:1: legal, 7 events

error[TOY-PLAY-1]: 9H does not follow 5C
 --> a.gamelog:2:8
  |
2 | A play 9H from 2 on 1
  |        ^^
  |
  = clause: A card may be played only next to its neighbour in rank.

a.gamelog:2: violation, 7 events, 1 error

2 games: 1 legal, 1 violation; 14 events
"""
    )
    assert result.stderr == ""


def test_quiet_passes_over_legal_games_and_the_summary(fairdeal, log):
    good, bad = log("good.gamelog", "legal"), log("bad.gamelog", "incomplete")
    assert fairdeal("check", "-q", good).output == ""
    quiet = fairdeal("check", "-q", good, bad).output
    assert "good.gamelog" not in quiet
    assert "bad.gamelog:1: incomplete" in quiet
    assert "games:" not in quiet


def test_a_missing_file_does_not_hide_the_others_and_exits_2(fairdeal, log):
    result = fairdeal("check", "gone.gamelog", log("bad.gamelog", "violation"))
    assert result.exit_code == 2
    assert "bad.gamelog:1: violation" in result.stdout
    assert "1 source not checked" in result.stdout
    assert result.stderr == "fairdeal: gone.gamelog: no such file\n"


def test_a_source_that_breaks_midway_keeps_what_was_judged(fairdeal, log):
    result = fairdeal("check", log("a.gamelog", "legal", "unreadable", "legal"))
    assert result.exit_code == 2
    assert result.stdout.startswith("a.gamelog:1: legal")
    assert "a.gamelog: the archive is broken" in result.stderr


def test_a_failure_of_the_engine_is_a_sentence_and_the_next_file_is_checked(fairdeal, log):
    result = fairdeal("check", log("a.gamelog", "crash"), log("b.gamelog", "violation"))
    assert result.exit_code == 2
    assert "b.gamelog:1: violation" in result.stdout
    assert "Traceback" not in result.output
    first, *more = result.stderr.splitlines()
    assert first.startswith("fairdeal: ")
    assert all(line.startswith(" " * 10) for line in more)
    said = " ".join(result.stderr.split())
    assert "ZeroDivisionError: seven\\x1b[31m of nine" in said
    assert "please report it" in said


def test_the_traceback_is_there_for_those_who_ask(fairdeal, log, monkeypatch):
    monkeypatch.setenv("FAIRDEAL_DEBUG", "1")
    result = fairdeal("check", log("a.gamelog", "crash"))
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert "in check_source" in result.stderr


def test_a_log_without_a_game_is_no_pass(fairdeal, log):
    result = fairdeal("check", log("a.gamelog"))
    assert result.exit_code == 1
    assert "error[LOG-HEADER]: there is no game in this log" in result.stdout


def test_folders_are_searched_and_an_empty_one_exits_2(fairdeal, log):
    log("logs/deep/a.gamelog", "legal")
    Path("empty").mkdir()
    assert "logs/deep/a.gamelog:1: legal" in fairdeal("check", "logs").stdout
    result = fairdeal("check", "empty", "logs")
    assert result.exit_code == 2
    assert result.stderr == "fairdeal: empty: no gamelog in this folder\n"
    assert "a.gamelog:1: legal" in result.stdout


def test_standard_input(fairdeal):
    result = fairdeal("check", "-", stdin="violation\n")
    assert result.exit_code == 1
    assert "--> <stdin>:1:8" in result.stdout


def test_the_call_reaches_the_engine(fairdeal, log):
    path = log("a.gamelog", "call")
    result = fairdeal("check", path, "--rules", "strict", "--option", "ace=linear", "--max-findings", "3", "--board")
    assert "a.gamelog:1 strict ace=linear 3 True: legal" in result.stdout
    assert "a.gamelog:1 None  100 False: legal" in fairdeal("check", path).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--option", "acee=cycle"],
            "there is no option acee; did you mean ace?\nfairdeal: known: ace, target",
        ),
        (["--option", "ace=cycl"], "the values of ace are cycle, literal, linear; did you mean cycle?"),
        (["--option", "target=0"], "target is a whole number from 1 to 1000"),
        (["--option", "ace"], "'ace' is not of the form NAME=VALUE"),
        (["--option", "ace=cycle", "--option", "ace=linear"], "ace is given two values"),
        (["--rules", "strikt"], "there is no set of rules strikt; did you mean strict?"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--max-findings", "0"], "0 is not in the range"),
        (["--colour"], "No such option"),
    ],
)
def test_a_wrong_call_exits_2_before_anything_is_checked(fairdeal, log, words, said):
    result = fairdeal("check", log("a.gamelog", "violation"), *words)
    assert result.exit_code == 2
    assert said in result.stderr.replace("\n          ", " ")
    assert result.stdout == ""


def test_no_path_is_a_wrong_call(fairdeal):
    assert fairdeal("check").exit_code == 2


def test_colour_on_request_only(fairdeal, log, monkeypatch):
    path = log("a.gamelog", "violation")
    assert "\033[" not in fairdeal("check", path).stdout
    assert "\033[1;31merror[TOY-PLAY-1]\033[0m" in fairdeal("check", path, "--color", "always").stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[" in fairdeal("check", path).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033[" not in fairdeal("check", path).stdout
    assert "\033[" in fairdeal("check", path, "--color", "always").stdout


def test_json_counts_what_was_not_checked(fairdeal, log):
    result = fairdeal("check", log("a.gamelog", "legal", "violation"), "gone", "--format", "json")
    document = json.loads(result.stdout)
    assert result.exit_code == 2
    assert document["model"] == "toy 0123456789ab"
    assert [game["verdict"] for game in document["games"]] == ["legal", "violation"]
    assert document["unread"] == [{"path": "gone", "message": "no such file"}]
    assert document["summary"]["games"] == 2


def test_output_goes_to_a_file_once_complete(fairdeal, log):
    path = log("a.gamelog", "violation")
    Path("report.txt").write_text("the old one\n")
    os.chmod("report.txt", 0o640)
    result = fairdeal("check", path, "--output", "report.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[TOY-PLAY-1]" in Path("report.txt").read_text()
    assert Path("report.txt").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir()) == ["a.gamelog", "report.txt"]


def test_a_report_never_overwrites_a_log(fairdeal, log):
    path = log("a.gamelog", "violation")
    result = fairdeal("check", path, "--output", f"./{path}")
    assert result.exit_code == 2
    assert result.stderr == "fairdeal: ./a.gamelog: is one of the logs to check\n"
    assert Path(path).read_text() == "violation\n"


def test_an_output_that_cannot_be_written_exits_2(fairdeal, log):
    result = fairdeal("check", log("a.gamelog", "legal"), "--output", "no/such/folder/report.txt")
    assert result.exit_code == 2
    assert result.stderr == "fairdeal: no/such/folder/report.txt: cannot be written: there is no such folder\n"


def test_a_failing_reporter_leaves_the_old_file(fairdeal, log, monkeypatch):
    from fairdeal.checker.reporting.text import TextReporter

    def fail(self, summary):
        raise RuntimeError("no")

    monkeypatch.setattr(TextReporter, "end", fail)
    Path("report.txt").write_text("the old one\n")
    result = fairdeal("check", log("a.gamelog", "legal"), "--output", "report.txt")
    assert result.exit_code == 2
    assert "this is a fault of fairdeal itself (RuntimeError: no)" in result.stderr
    assert Path("report.txt").read_text() == "the old one\n"
    assert sorted(os.listdir()) == ["a.gamelog", "report.txt"]
