"""Hostile lines in a game: JSON that is odd, times and numbers that are none, and what would trick a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fairdeal.checker.reporting.json_report import JsonReporter
from fairdeal.checker.reporting.reporter import Settings
from fairdeal.checker.reporting.text import render_game
from fairdeal.checker.verdict import GameReport, Verdict

from .logs import BEGUN, HEAD, judge, opening
from .running import hidden

DIGITS = "9" * 5000
OBJECTS = [
    *('{"a":' * 5000, "[" * 60_000, "{" * 60_000, '{"type":' + "[" * 30_000 + "]" * 30_000 + "}"),
    *("{}", "{", "}", "[]", "null", '""', "{]", '{"type"}', '{"type":}', "{'type': 'win'}", '{"type": "win",}'),
    *(
        f'{{"seq": {DIGITS}}}',
        f'{{"type": "round", "number": {DIGITS}}}',
        f'{{"type": "round", "number": {DIGITS[:4000]}}}',
    ),
    *(
        f'{{"type": "round", "number": {each}}}'
        for each in ("1e999", "-1", "1.5", "NaN", "Infinity", "true", "null", '"x"')
    ),
    *(f'{{"type": "round", "number": {each}}}' for each in ("[1]", '{"a": 1}', "1e2", '""', '"\\u0661"')),
    *(
        f'{{"type": {each}, "player": "A"}}'
        for each in ("1", "null", '["win"]', '{"win": 1}', '"WIN"', '"w\\u0000in"', '""')
    ),
    *(f'{{"type": "win", "player": {each}}}' for each in ("1", "null", '"C"', '["A"]', '"a"', '"\\ud800"', "true")),
    *(
        f'{{"type": "round", "number": 2, "t": {each}}}'
        for each in ("-1", "1e400", '"x"', "[1, 2, 3]", "[]", "true", "{}")
    ),
    *(f'{{"type": "round", "number": 2, "t": {each}}}' for each in ('"nan"', "1e15", '["1", 2]', f"{DIGITS}")),
    *(
        f'{{"type": "round", "number": 2, "seq": {each}}}'
        for each in ("-1", "1.0", '"1"', "true", "[1]", "1" * 19, DIGITS)
    ),
    *(
        f'{{"type": "play", "player": "A", "card": {each}, "from": 1, "on": 1}}'
        for each in ("7", "[]", '"7D 8D"', '"1D"')
    ),
    *(
        f'{{"type": "play", "player": "A", "card": "7D", "from": {each}, "on": 1}}'
        for each in ("true", '"1"', "99", "[1]")
    ),
    '{"type": "deal", "player": "A", "stocks": [[1], 2], "spit": {}}',
    '{"type": "deal", "player": "A", "stocks": [["??*99999999999"], [], [], [], []], "spit": []}',
    '{"type": "deal", "player": "A", "stocks": [' + ", ".join(["[]"] * 9000) + '], "spit": []}',
    '{"type": "win", "type": "win", "player": "A"}',
    '{"type": "win", "player": "A", "x-\\u202e": "\\u001b[2J", "refused": 1}',
    '{"type": "win", "player": "A", "refused": "\\u001b[31m"}',
    '{"type": "win", "player": "A", "\\u001b[31m": 1}',
    '{"type": "wi\\u001b[2Jn", "player": "\\u202eA"}',
    '{"type": "win", "player": "A"} {"type": "win", "player": "A"}',
    '{"type": "win", "player": "A"} # a comment',
]
TIMES = [
    *("@nan", "@inf", "@1e9", "@-1", "@", "@@1", "@+1", "@1.2.3", "@1-2-3", "@1,5", "@.5", "@5.", "@0x10", "@1_000"),
    *(
        "@1-",
        "@-",
        "@/",
        "@T",
        f"@{DIGITS}",
        f"@0.{DIGITS}x",
        "@\u0661",
        "@\u00b2",
        "@\u0661.\u0662",
        "@\uff11",
        "@1\u00a0",
    ),
    *("@9999-99-99T99:99Z", "@2026-02-30T10:00:00Z", "@2026-01-31T20:15:00+99:99", "@0000-01-01T00:00:00Z"),
    *("@2026-01-31", "@2026-01-31T20:15:00Z/", "@2026-01-31T20:15:00Z/2026-01-31T20:16:00", "@20260131T201500Z"),
    *("-1", "+1", "1.0", "0x1", "1" * 19, DIGITS, "\u0661", "\u00b2", "1_000", "1 2", "1@5", "@5@6", "@1 @2", "@1 1"),
]
"""None of them is a time, a number, or both, before an event."""


def told(reports: list[GameReport]) -> str:
    """Reports as text and as JSON; neither says anything that a terminal would obey."""
    text = "\n".join(line for one in reports for line in render_game(one, Settings(show_all=True)))
    assert not hidden(text)
    out = io.StringIO()
    writer = JsonReporter(out, Settings())
    for one in reports:
        writer.game(one)
    assert out.getvalue().isascii()
    assert not hidden(out.getvalue())
    return text


@pytest.mark.parametrize("text", OBJECTS, ids=lambda each: each[:60])
def test_an_odd_object_is_malformed_and_hides_nothing(text: str, tmp_path: Path) -> None:
    (report,) = judge(tmp_path, BEGUN + text.encode() + b"\nA cale\n")
    assert report.verdict is Verdict.MALFORMED, report
    assert report.findings[0].line == 4
    assert report.findings[0].code == "LOG-SYNTAX"
    assert len(report.findings[0].message) < 300
    assert [(one.line, one.code) for one in report.findings[1:]] == [(5, "LOG-SYNTAX")]
    told([report])


@pytest.mark.parametrize("prefix", TIMES, ids=lambda each: ascii(each[:30]))
@pytest.mark.parametrize("before", ["", "1 ", "@0 ", "1 @0 "], ids=["plain", "numbered", "timed", "both"])
def test_what_is_no_time_is_malformed_wherever_it_stands(prefix: str, before: str, tmp_path: Path) -> None:
    number = "2 " if before.startswith("1") and prefix.startswith("@") else ""
    line = f"{number}{prefix} A call spit"  # judged by the quick way through lines like the one before, if there is one
    (report,) = judge(tmp_path, HEAD + f"{before}round 1\n{line}\n".encode())
    assert report.verdict is Verdict.MALFORMED, report
    assert (report.findings[0].code, report.findings[0].line) == ("LOG-SYNTAX", 4)
    assert len(report.findings[0].message) < 300
    told([report])


@pytest.mark.parametrize("number", ["0", "000", "9" * 18, "0" * 17 + "1"])
def test_odd_numbers_that_are_numbers(number: str, tmp_path: Path) -> None:
    (report,) = judge(tmp_path, HEAD + f"{number} round 1\n".encode())
    assert report.verdict is Verdict.INCOMPLETE


def test_a_repeated_card_does_not_fill_memory(tmp_path: Path) -> None:
    for count in ("53", "99999999999", DIGITS):
        (report,) = judge(tmp_path, BEGUN + f"A deal ??*{count} | - | - | - | - / -\n".encode())
        assert report.verdict in (Verdict.MALFORMED, Verdict.VIOLATION)


TRICKS = [
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x08" * 20,
    "\r\r",
    "\u202e",
    "\u2066",
    "\u200b",
    "\x7f",
    "\x9b31m",
    "\u2028",
    "\x00",
]
PLACES = [
    *("gamelog: 1\ngame: spit\nid: {}x\nround 1\n", "gamelog: 1\ngame: spit\nplayers: Ad{}a, Ben\nround 1\nround 2\n"),
    *("gamelog: 1\ngame: sp{}it\n", "gamelog: 1\ngame: spit\nrules: st{}andard\nround 1\n", "game{}log: 1\n"),
    *("gamelog: 1\ngame: spit\noptions: fl{}ip=auto\n", "gamelog: 1\ngame: spit\noptions: flip=au{}to\nround 1\n"),
    *("gamelog: 1\ngame: spit\nx{}y: 1\n", "gamelog: 1\ngame: spit\nx-y: {}\nround 1\nA win\n", "{}"),
    *("gamelog: 1\ngame: spit\nround 1\nA pl{}ay 7D\n", "gamelog: 1\ngame: spit\nround 1\nA play {} from 3 on 1\n"),
    *("gamelog: 1\ngame: spit\nround 1\n@{} A win\n", "gamelog: 1\ngame: spit\nround 1\nA win refused {}\n"),
    *("gamelog: 1\ngame: spit\nround 1\nA win # {}\n", 'gamelog: 1\ngame: spit\nround 1\n{{"type": "{}"}}\n'),
]


@pytest.mark.parametrize("trick", TRICKS, ids=ascii)
@pytest.mark.parametrize("place", PLACES, ids=lambda each: ascii(each[-30:]))
def test_nothing_in_a_log_reaches_the_terminal_raw(place: str, trick: str, tmp_path: Path) -> None:
    reports = judge(tmp_path, place.format(trick).encode())
    assert reports
    assert told(reports)


def test_a_file_name_is_shown_safely(tmp_path: Path) -> None:
    assert "\\x1b" in told(judge(tmp_path, opening(9), "\x1b[2J\u202e\n.gamelog"))
