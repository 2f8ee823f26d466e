"""The Python API: the same verdicts as the command line's, from paths, texts and live games."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fairdeal.checker
from fairdeal.checker import (
    Finding,
    OptionError,
    Session,
    Severity,
    SourceError,
    UnknownGame,
    Verdict,
    check,
    check_text,
    report_text,
)
from fairdeal.checker.api import GameReport
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.reading.header import HeaderBuilder
from fairdeal.checker.reading.logs import Kind, classify

from tests.expectations import TRACES, expected, traces

TEXTS = [log for log in traces(TRACES) if log.name.endswith(".gamelog") and "recorded" not in log.parts]

ANY: Any = fairdeal.checker
"""The API as callers have it whose types nobody checks."""

(REPORT,) = check_text("")

SAMPLE = TEXTS[::12]
BROKEN = [log for log in TEXTS if "illegal" in log.parts and [one.verdict for one in expected(log)] == ["violation"]][
    ::10
]


def test_every_name_is_there() -> None:
    assert set(fairdeal.checker.__all__) == set(fairdeal.checker.api.__all__)
    for name in fairdeal.checker.__all__:
        assert getattr(fairdeal.checker, name) is getattr(fairdeal.checker.api, name)
    with pytest.raises(AttributeError):
        fairdeal.checker.chekc  # noqa: B018


@pytest.mark.parametrize("log", SAMPLE, ids=lambda log: log.stem)
def test_a_path_and_its_text_get_the_same_reports(log: Path) -> None:
    reports = tuple(check(log))
    assert [report.verdict.value for report in reports] == [each.verdict for each in expected(log)]
    assert check_text(log.read_bytes().decode("utf-8", "surrogateescape"), name=str(log)) == reports


def test_folders_missing_files_and_wrong_options(tmp_path: Path) -> None:
    assert len(list(check(TRACES / "open"))) > 10
    with pytest.raises(SourceError, match="there is no such file"):
        list(check(tmp_path / "gone"))
    with pytest.raises(SourceError, match="holds no logs"):
        list(check(tmp_path))
    with pytest.raises(OptionError):
        check_text("gamelog: 1\ngame: spit\n", options={"ace": "hgih"})


@pytest.mark.parametrize("log", SAMPLE, ids=lambda log: log.stem)
def test_the_text_of_reports_is_what_the_command_prints(log: Path) -> None:
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["check", str(log)]).stdout
    for report in check(log):
        assert report_text(report) in printed


def test_a_text_without_a_game_is_malformed() -> None:
    for text in ("", "# nothing\n", "\ud800"):
        (report,) = check_text(text)
        assert report.verdict is Verdict.MALFORMED


def test_several_paths_are_judged_in_their_order_and_each_file_once() -> None:
    one, two = TEXTS[0], TEXTS[1]
    both = [*check(two), *check(one)]
    assert list(check([two, one])) == both
    assert list(check(each for each in (str(two), str(one), str(two)))) == both


@pytest.mark.parametrize("given", [None, 3, b"a.gamelog", [b"a.gamelog"], [None], {"a.gamelog": 1}, True])
def test_what_is_no_path_is_told_at_once_what_is_due(given: Any) -> None:
    with pytest.raises(TypeError, match=r"a path is a str or an os\.PathLike, .*not"):
        check(given)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ANY.check_text(b"gamelog: 1"), "the text of a log is a str, not bytes"),
        (lambda: ANY.check_text(None), "the text of a log is a str, not None"),
        (lambda: ANY.check_text("", rules=3), "rules are named by a str such as 'scored', not int"),
        (lambda: ANY.check_text("", options=["ace"]), "options are a mapping such as"),
        (lambda: ANY.check_text("", options={"target": 200}), "an option's name and its value are str"),
        (lambda: ANY.check_text("", name=3), "name is a str .* not int"),
        (lambda: ANY.check_text("", name=None), "name is a str .* not None"),
        (lambda: ANY.check_text("", board="x"), "board is True or False, not 'x'"),
        (lambda: ANY.check(".", board=1), "board is True or False, not 1"),
        (lambda: ANY.check(".", max_findings=True), "max_findings is a whole number from 1 on, not True"),
        (lambda: ANY.check(".", max_findings="9"), "max_findings is a whole number from 1 on, not '9'"),
        (lambda: ANY.report_text(()), "a report is a GameReport"),
        (lambda: ANY.report_text(REPORT, width="x"), "width is a whole number from 30 on, not 'x'"),
        (lambda: ANY.report_text(REPORT, width=80.0), "width is a whole number from 30 on, not 80.0"),
        (lambda: ANY.report_text(REPORT, color="auto"), "color is True or False, not 'auto'"),
        (lambda: ANY.report_text(REPORT, show_all=None), "show_all is True or False, not None"),
        (lambda: ANY.Session("spit", rules=None), "rules are named by a str .* not None"),
        (lambda: ANY.Session("spit", board="no"), "board is True or False, not 'no'"),
        (lambda: ANY.Session("spit", players=(name for name in ("Ada", "Ben"))), "in their order.* not generator"),
        (lambda: ANY.Session("spit", players={"Ada", "Ben"}), "in their order.* not set"),
        (lambda: ANY.Session("spit", players={"Ada": 1, "Ben": 2}), "in their order.* not dict"),
        (lambda: ANY.Session("spit").event({1: "win"}), "keys of an event's object are str"),
        (lambda: ANY.Session("spit").event({"type": "win", "t": float("nan")}), "values that JSON does not have"),
        (lambda: ANY.Session(3), "a game is named by a str"),
        (lambda: ANY.Session("spit", players="AB"), "players are two names"),
        (lambda: ANY.Session("spit", players=(1, 2)), "players are two names"),
        (lambda: ANY.Session("spit", players=None), "not None"),
        (lambda: ANY.Session("spit").event(None), "an event is a line such as .* not None"),
        (lambda: ANY.Session("spit").event(3), "an event is a line such as .* not int"),
        (lambda: ANY.Session("spit").event(b"A win"), "an event is a line such as .* not bytes"),
        (lambda: ANY.Session("spit").event([("type", "win")]), "an event is a line such as .* not list"),
        (lambda: ANY.Session("spit").event({"type": {"win"}}), "values that JSON does not have"),
    ],
)
def test_a_wrong_type_is_told_what_is_due(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert caught.traceback[-1].path == Path(fairdeal.checker.api.__file__)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ANY.check([]), "there is no path to check: give one at least"),
        (lambda: ANY.check(iter([])), "there is no path to check: give one at least"),
        (lambda: ANY.check(".", max_findings=0), "max_findings is a whole number from 1 on, not 0"),
        (lambda: ANY.check(".", rules=""), "rules are named by a word .* empty"),
        (lambda: ANY.report_text(REPORT, width=0), "width is a whole number from 30 on, not 0"),
        (lambda: ANY.Session("spit", players=["Ada\n", "Ben"]), "two names of one line without a comma"),
        (lambda: ANY.Session("spit", players=["Ada"]), "two names of one line without a comma"),
        (lambda: ANY.Session("spit", rules=" "), "rules are named by a word .* empty"),
    ],
)
def test_a_wrong_value_is_told_what_is_due(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert caught.traceback[-1].path == Path(fairdeal.checker.api.__file__)


def test_options_are_those_of_the_call_even_if_they_change_before_the_first_report() -> None:
    log, options = TRACES / "illegal" / "spit-play-5-equal-rank.gamelog", {"ace": "literal"}
    reports = check(log, options=options)
    options["ace"] = "no such reading"
    assert next(reports).options["ace"] == "literal"


@pytest.mark.parametrize("line", ["\0A win", "A\0 win", "\ud800", "A win " + "x" * 70_000])
def test_a_line_that_no_file_can_hold_is_told_as_in_a_file(line: str) -> None:
    header = "gamelog: 1\ngame: spit\nplayers: A, B\n"
    (finding,) = Session("spit").event(line)
    (report,) = check_text(f"{header}{line}\n")
    assert finding in report.findings


def test_a_session_has_no_report_before_its_end() -> None:
    with Session("spit") as game:
        game.event("round 1")
        with pytest.raises(ValueError, match="this session goes on"):
            game.report  # noqa: B018
    assert game.report.verdict is Verdict.INCOMPLETE
    assert game.report is game.end()


# ---------------------------------------------------------------- live games


def parts(log: Path) -> tuple[dict[str, object], list[str]]:
    """What a session needs of a log of one game: how it begins, and its lines, padded so that their numbers stay."""
    lines = log.read_text(encoding="utf-8").splitlines()
    builder, count = HeaderBuilder(), 0
    for number, line in enumerate(lines, 1):
        kind = classify(line)
        if kind is Kind.HEADER:
            builder.feed(number, line)
        elif kind is not Kind.BLANK:
            break
        count = number
    header = builder.finish()
    how = {
        "rules": header.rules,
        "options": {name: choice.value for name, choice in header.options.items()},
        "players": header.players or ("A", "B"),
    }
    return {"game": header.game, **how}, lines[count:]


@pytest.mark.parametrize("log", BROKEN, ids=lambda log: log.stem)
def test_a_session_finds_what_the_log_shows(log: Path) -> None:
    (report,) = check(log)
    how, lines = parts(log)
    found: list[Finding] = []
    with Session(**how) as session:  # type: ignore[arg-type]
        for line in lines:
            found += session.event(line)
    assert session.report is not None
    assert session.report.verdict is report.verdict
    assert [plain(one) for one in found] == [plain(one) for one in report.findings][: len(found)]
    assert [plain(one) for one in session.report.findings] == [plain(one) for one in report.findings]


def plain(finding: Finding) -> Finding:
    """A finding without line numbers, which differ where headers do."""
    return replace(finding, line=0, follows_from=finding.follows_from and 0, related=())


def test_a_finding_comes_with_its_event() -> None:
    session = Session("spit")
    for event in ROUND:
        assert session.event(event) == ()
    (finding,) = session.event("A play AD from 2 on 1")
    assert (finding.code, finding.severity) == ("SPIT-PLAY-5", Severity.ERROR)
    assert session.findings == (finding,)


ROUND = [
    "round 4",
    "A deal KD | AD | - | - | - / -",
    "B deal JS | 8S JC | 8D 2H 2S | 6S TS 9C 2C | 8H 6C 9D 7D AS / 5H QH 4S 4H 3S KC 2D JH JD QS 6H TD KH 9H TC 8C KS "
    "4D 5C 9S AC 3H 3D 5S 7H 6D 3C 5D 7S 7C AH QD 4C TH QC",
    "B spit QC on 1",
]


def test_a_game_to_its_end_in_objects() -> None:
    session = Session("spit", players=["Ada", "Ben"])
    for event in ROUND:
        assert session.event(event) == ()
    assert session.event({"type": "play", "player": "A", "card": "KD", "from": 1, "on": 1, "t": 1.5}) == ()
    over = session.over
    assert not over
    assert "A play AD from 2 on 1" in [event.text for event in session.legal()]
    assert "pile 1: KD of 2" in session.board()
    session.event("A play AD from 2 on 1")
    session.event("A win  # and that is that")
    assert session.over
    report = session.end()
    assert (report.verdict, report.players) == (Verdict.LEGAL, ("Ada", "Ben"))
    assert session.end() is report is session.report
    with pytest.raises(ValueError, match="has ended"):
        session.event("A win")


@pytest.mark.parametrize("game", ["spit", "queen-city-rum"])
def test_generated_games_are_legal_event_by_event(game: str) -> None:
    (text,) = generate(game, games=1, seed=11, format="jsonl")
    header, *lines = text.strip().splitlines()
    with Session(game, options=json.loads(header).get("options", {})) as session:
        for line in lines:
            assert [one for one in session.event(line) if one.severity is not Severity.NOTE] == []
    assert isinstance(session.report, GameReport)
    assert session.report.verdict is Verdict.LEGAL


def test_what_a_session_refuses() -> None:
    with pytest.raises(UnknownGame):
        Session("whist")
    with pytest.raises(OptionError):
        Session("spit", rules="strict")
    with pytest.raises(OptionError):
        Session("spit", options={"ace": "hgih"})
    for players in (["Ada"], ["Ada", "Ben, Cy"], ["Ada", " "]):
        with pytest.raises(ValueError, match="two names"):
            Session("spit", players=players)
    session = Session("spit")
    for event in ("round 1\nA win", "gamelog: 1", '{"gamelog": 1}', {"gamelog": 1}):
        with pytest.raises(ValueError, match=r"one line|one game"):
            session.event(event)
    assert session.event("round one")[0].code == "LOG-SYNTAX"
    assert session.event("{") != ()
    assert session.event("players: Cy, Di")[0].code == "LOG-HEADER"
    assert session.event("# a word") == session.event("") == ()
    assert session.end().verdict is Verdict.MALFORMED


def test_a_session_without_events_is_incomplete() -> None:
    assert Session("queen-city-rum").end().verdict is Verdict.INCOMPLETE
