"""Wrong headers: each is told with its line and what would be right, and none of them passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairdeal.checker.verdict import Severity, Verdict

from .logs import judge, shortest
from .running import hidden

BODY = shortest().split(b"\n\n", 1)[1].decode()
WRONG = {
    "no version": ("game: spit", 1, "another line"),
    "version last": ("game: spit\ngamelog: 1", 1, "another line"),
    "version 2": ("gamelog: 2\ngame: spit", 1, "version"),
    "version 1.0": ("gamelog: 1.0\ngame: spit", 1, "version"),
    "version long": (f"gamelog: {'1' * 5000}\ngame: spit", 1, "version"),
    "version empty": ("gamelog:\ngame: spit", 1, "version"),
    "no game": ("gamelog: 1", 1, "does not name the game"),
    "game empty": ("gamelog: 1\ngame:", 2, "game"),
    "unknown game": ("gamelog: 1\ngame: spite", 2, "no game known"),
    "game as path": ("gamelog: 1\ngame: ../../etc/passwd", 2, "no game known"),
    "game as module": ("gamelog: 1\ngame: common", 2, "no game known"),
    "game twice": ("gamelog: 1\ngame: spit\ngame: spit", 3, "given twice"),
    "two games": ("gamelog: 1\ngame: spit\ngame: queen-city-rum", 3, "given twice"),
    "unknown key": ("gamelog: 1\ngame: spit\nplayer: Ada, Ben", 3, "no key"),
    "unknown key first": ("gmelog: 1\ngamelog: 1\ngame: spit", 1, "no key"),
    "key in capitals": ("gamelog: 1\nGame: spit", 2, "no key"),
    "unknown rules": ("gamelog: 1\ngame: spit\nrules: casino", 3, "casino"),
    "rules empty": ("gamelog: 1\ngame: spit\nrules:", 3, "no set of rules"),
    "rules twice": ("gamelog: 1\ngame: spit\nrules: standard\nrules: scored", 4, "given twice"),
    "unknown option": ("gamelog: 1\ngame: spit\noptions: colour=red", 3, "colour"),
    "bad option value": ("gamelog: 1\ngame: spit\noptions: flip=never", 3, "never"),
    "option without value": ("gamelog: 1\ngame: spit\noptions: flip", 3, "no option"),
    "option twice": ("gamelog: 1\ngame: spit\noptions: flip=auto, flip=auto", 3, "given twice"),
    "options with semicolon": ("gamelog: 1\ngame: spit\noptions: flip=auto; null_move=allow", 3, ""),
    "options with a trailing comma": ("gamelog: 1\ngame: spit\noptions: flip=auto,", 3, "no option"),
    "options twice": ("gamelog: 1\ngame: spit\noptions: flip=auto\noptions: null_move=allow", 4, "given twice"),
    "1000 options": (
        "gamelog: 1\ngame: spit\noptions: " + ", ".join(f"o{n}=1" for n in range(1000)),
        3,
        "is no option",
    ),
    "one player": ("gamelog: 1\ngame: spit\nplayers: Ada", 3, "two players"),
    "three players": ("gamelog: 1\ngame: spit\nplayers: Ada, Ben, Cy", 3, "two players"),
    "players empty": ("gamelog: 1\ngame: spit\nplayers:", 3, "two players"),
    "a comment": ("gamelog: 1 # the first\ngame: spit", 1, "version"),
    "Unicode digit": ("gamelog: \u0661\ngame: spit", 1, "version"),
    "fullwidth colon": ("gamelog: 1\ngame\uff1a spit", 2, "a colon is missing"),
    "JSON version": ('{"gamelog": 2, "game": "spit"}', 1, "version"),
    "JSON version as text": ('{"gamelog": "one", "game": "spit"}', 1, "version"),
    "JSON version true": ('{"gamelog": true, "game": "spit"}', 1, "version"),
    "JSON no game": ('{"gamelog": 1}', 1, "does not name the game"),
    "JSON game null": ('{"gamelog": 1, "game": null}', 1, "null"),
    "JSON game a list": ('{"gamelog": 1, "game": ["spit", "spit"]}', 1, "spit, spit"),
    "JSON key twice": ('{"gamelog": 1, "game": "spit", "game": "spit"}', 1, "given twice"),
    "JSON unknown key": ('{"gamelog": 1, "game": "spit", "player": "Ada"}', 1, "no key"),
    "JSON options a list": ('{"gamelog": 1, "game": "spit", "options": ["flip"]}', 1, "no option"),
    "JSON options nested": ('{"gamelog": 1, "game": "spit", "options": {"flip": {"auto": 1}}}', 1, "flip"),
    "JSON players a number": ('{"gamelog": 1, "game": "spit", "players": 2}', 1, "two players"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_header_is_malformed_at_its_line(name: str, tmp_path: Path) -> None:
    header, line, words = WRONG[name]
    reports = judge(tmp_path, f"{header}\n\n{BODY}".encode())
    bad = [one for one in reports if one.verdict is Verdict.MALFORMED]
    assert bad
    found = [one for report in bad for one in report.findings if one.severity is Severity.ERROR]
    assert (line, True) in {(one.line, words in one.message) for one in found}, found
    for one in found:
        assert len(one.message) < 300
        assert not hidden(one.message + one.hint)
    assert all(one.hint or one.source for one in found if one.code == "LOG-HEADER")


def test_the_body_after_a_wrong_header_is_judged_all_the_same(tmp_path: Path) -> None:
    (report,) = judge(tmp_path, f"gamelog: 1\ngame: spit\nfoo: 1\n\n{BODY}round 9\n".encode())
    assert {one.code for one in report.findings} >= {"LOG-HEADER"}
    assert report.events == sum(bool(line.strip()) for line in BODY.split("\n")) + 1


def test_a_wrong_header_does_not_hide_the_next_game(tmp_path: Path) -> None:
    reports = judge(tmp_path, b"gamelog: 1\ngame: spite\nround 1\n\n" + shortest() + b"gamelog: 3\n" + shortest())
    assert [one.verdict.value for one in reports] == ["malformed", "legal", "malformed", "legal"]


def test_the_shortest_game_is_legal_by_itself(tmp_path: Path) -> None:
    assert [one.verdict for one in judge(tmp_path, shortest())] == [Verdict.LEGAL]
