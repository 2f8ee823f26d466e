"""The JSON document: its shape, its schema, and that it grows as the games come."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairdeal.checker.reporting.reporter as reporter_module
from fairdeal.checker.reporting.json_report import JsonReporter, finding_object, game_object
from fairdeal.checker.reporting.reporter import REPORTERS, Settings, Summary
from fairdeal.checker.verdict import Finding, GameReport, Related, Severity, Verdict

SCHEMA = json.loads(Path(reporter_module.__file__).with_name("report.schema.json").read_text())
SETTINGS = Settings(model=lambda game: f"{game} 0123456789ab")
FINDING = Finding(
    "SPIT-PLAY-5",
    Severity.ERROR,
    42,
    15,
    17,
    "9H does not follow 5C",
    "@1.204 A play 9H from 2 on 1",
    also=("SPIT-FLIP-1",),
    readings={"ace": "linear"},
    hint="did you mean 6H?",
    follows_from=40,
    related=(Related(38, "here", "B play 5C from 3 on 1", 8, 10),),
    legal=("A flip at 3",),
    legal_total=4,
)
GAME = GameReport(
    "a.gamelog", 1, "g17", "spit", "standard", {"ace": "cycle"}, ("Ada", "Ben"), 212, Verdict.VIOLATION, (FINDING,), 3
)


def document(*reports: GameReport, unread: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    out, summary = io.StringIO(), Summary(unread=list(unread))
    reporter = JsonReporter(out, SETTINGS)
    reporter.begin()
    for report in reports:
        summary.add(report)
        reporter.game(report)
    reporter.end(summary)
    loaded: dict[str, Any] = json.loads(out.getvalue())
    jsonschema.Draft202012Validator(SCHEMA).validate(loaded)
    return loaded


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_document_in_full(monkeypatch):
    monkeypatch.setattr("fairdeal.checker.reporting.json_report.release", lambda: "0.1.0")
    assert document(GAME, unread=(("gone", "no such file"),)) == {
        "version": 1,
        "fairdeal": "0.1.0",
        "games": [
            {
                "path": "a.gamelog",
                "line": 1,
                "id": "g17",
                "game": "spit",
                "rules": "standard",
                "options": {"ace": "cycle"},
                "players": ["Ada", "Ben"],
                "events": 212,
                "verdict": "violation",
                "readings": {},
                "findings": [
                    {
                        "code": "SPIT-PLAY-5",
                        "severity": "error",
                        "line": 42,
                        "column": 15,
                        "end_column": 17,
                        "message": "9H does not follow 5C",
                        "source": "@1.204 A play 9H from 2 on 1",
                        "also": ["SPIT-FLIP-1"],
                        "readings": {"ace": "linear"},
                        "hint": "did you mean 6H?",
                        "follows_from": 40,
                        "related": [
                            {
                                "line": 38,
                                "column": 8,
                                "end_column": 10,
                                "message": "here",
                                "source": "B play 5C from 3 on 1",
                            }
                        ],
                        "legal": ["A flip at 3"],
                        "legal_total": 4,
                    }
                ],
                "more_findings": 3,
                "known": 0,
                "excused": False,
            }
        ],
        "model": "spit 0123456789ab",
        "unread": [{"path": "gone", "message": "no such file"}],
        "summary": {
            "games": 1,
            "legal": 0,
            "incomplete": 0,
            "reading-dependent": 0,
            "unknown": 0,
            "violation": 1,
            "malformed": 0,
            "events": 212,
            "known": 0,
        },
    }


def test_nothing_that_a_verdict_holds_is_left_out():
    assert set(game_object(GAME)) == {field.name for field in fields(GameReport)}
    assert set(finding_object(replace(FINDING, board="x"))) == {field.name for field in fields(Finding)}


def test_no_games_and_games_that_say_little():
    assert document()["games"] == []
    assert document()["model"] == ""
    bare = GameReport("-", 1, None, None, None, {}, (), 0, Verdict.MALFORMED, (replace(FINDING, board="x"),))
    assert document(bare, bare)["games"][1]["id"] is None


def test_every_model_is_named_once():
    other = replace(GAME, game="queen-city-rum")
    assert document(GAME, other, GAME)["model"] == "queen-city-rum 0123456789ab, spit 0123456789ab"


def test_games_are_written_as_they_come():
    out = io.StringIO()
    reporter = JsonReporter(out, SETTINGS)
    reporter.begin()
    before = out.tell()
    for _ in range(3):
        reporter.game(GAME)
        assert out.tell() > before + len("9H does not follow 5C")
        before = out.tell()
    lines = out.getvalue().splitlines()
    assert json.loads(lines[-1])["path"] == "a.gamelog"


@pytest.mark.parametrize("wrong", [{"verdict": "fine"}, {"line": 0}, {"extra": 1}, {"events": -1}, {"path": None}])
def test_the_schema_refuses_what_is_wrong(wrong):
    right = document(GAME)
    right["games"][0].update(wrong)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(right)


@given(st.text(alphabet=st.characters()))
def test_any_text_travels_in_ascii(text):
    out = io.StringIO()
    reporter = JsonReporter(out, SETTINGS)
    reporter.begin()
    reporter.game(replace(GAME, id=text, findings=(replace(FINDING, message=text, readings={text: text}),)))
    reporter.end(Summary())
    assert out.getvalue().isascii()
    assert not set(out.getvalue()) & set(map(chr, [*range(10), *range(11, 32), 127]))
    expected = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    assert json.loads(out.getvalue())["games"][0]["findings"][0]["message"] == expected


def test_the_registry_makes_each_reporter():
    assert {name: type(make(io.StringIO(), SETTINGS)).__name__ for name, make in REPORTERS.items()} == {
        "text": "TextReporter",
        "json": "JsonReporter",
        "jsonl": "JsonLinesReporter",
        "junit": "JUnitReporter",
        "sarif": "SarifReporter",
        "github": "GitHubReporter",
    }
