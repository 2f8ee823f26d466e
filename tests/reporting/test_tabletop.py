"""Tables on a terminal: in colour, without, with signs, with letters; never wider than there is room."""

from __future__ import annotations

import io
import re

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.judging.board import Drawing, Place, Row
from fairdeal.checker.reporting.tabletop import tabletop
from fairdeal.checker.reporting.terminal import Paint, wants_signs

ROWS = (
    Row("B", (Place("1", 3, ("7D",)), Place("2", 2), Place("3", 0), Place("spit", 11, hidden=True))),
    Row("", (Place("pile 1", 1, ("TS",)),)),
    Row("", (Place("m1", 3, ("4C", "5C", "6?"), spread=True),)),
    Row("A", (Place("hand", 0, spread=True),)),
)
TEXT = "B  1: 7D of 3  2: down of 2  3: - of 0  spit: 11\n   pile 1: TS of 1\n   m1: 4C 5C 6?\nA  hand: - of 0\nround 1"
TABLE = Drawing(TEXT, ROWS, "round 1")
ESCAPE = re.compile(r"\033\[[0-9;]*m")


def bare(lines: list[str]) -> list[str]:
    return [ESCAPE.sub("", line).rstrip() for line in lines]


def test_in_colour_with_signs():
    assert bare(tabletop(TABLE, Paint(True), True, 80)) == [
        "B   7♦    ▒▒    --    ▒▒",
        "   1 ×3  2 ×2  3     spit ×11",
        "",
        "    T♠      4♣   5♣   6?",
        "   pile 1  m1",
        "",
        "A   --",
        "   hand",
        "",
        "round 1",
    ]


def test_in_colour_with_letters():
    lines = bare(tabletop(TABLE, Paint(True), False, 80))
    assert lines[:2] == ["B   7D    ##    --    ##", "   1 x3  2 x2  3     spit x11"]
    assert "\n".join(lines).isascii()


def test_red_suits_are_red_and_backs_are_blue():
    first, _, _, second, *_ = tabletop(TABLE, Paint(True), True, 80)
    assert "\033[1;31;107m 7♦ \033[0m" in first
    assert "\033[97;44m ▒▒ \033[0m" in first
    assert "\033[1;30;107m T♠ \033[0m" in second
    assert "\033[90;107m 6? \033[0m" in second


def test_plain_is_in_the_words_of_see_lines():
    assert tabletop(TABLE, Paint(False), False, 80) == TEXT.split("\n")
    assert tabletop(TABLE, Paint(False), True, 80)[:3] == [
        "B  1: 7♦ of 3  2: down of 2  3: - of 0  spit: 11",
        "   pile 1: T♠ of 1",
        "   m1: 4♣ 5♣ 6?",
    ]


def test_a_drawing_from_elsewhere_is_shown_as_it_is_and_made_safe():
    assert tabletop("pile 1: 5C \033[2J", Paint(True), False, 80) == ["pile 1: 5C \\x1b[2J"]


@pytest.mark.parametrize("width", [20, 30, 74])
def test_it_keeps_to_the_width_and_shows_every_card(width):
    hand = tuple(f"{rank}{suit}" for rank in "23456789" for suit in "SHDC")
    table = Drawing("x", (Row("A", (Place("hand", 32, hand, spread=True), Place("m1", 2, ("TS", "JS"), spread=True))),))
    lines = bare(tabletop(table, Paint(True), False, width))
    assert max(map(len, lines)) <= width
    shown = [word for line in lines for word in line.split() if len(word) == 2]
    assert [word for word in shown if word in hand] == list(hand)


class Terminal(io.StringIO):
    def __init__(self, encoding: str, tty: bool) -> None:
        super().__init__()
        self.code, self.tty = encoding, tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.code

    def isatty(self) -> bool:
        return self.tty


@pytest.mark.parametrize(
    ("choice", "encoding", "tty", "signs"),
    [
        ("auto", "utf-8", True, True),
        ("auto", "utf-8", False, False),
        ("auto", "ascii", True, False),
        ("auto", "latin-1", True, False),
        ("auto", "no such encoding", True, False),
        ("unicode", "ascii", False, True),
        ("ascii", "utf-8", True, False),
    ],
)
def test_when_suits_are_signs(choice, encoding, tty, signs):
    assert wants_signs(choice, Terminal(encoding, tty)) is signs


LOG = """\
gamelog: 1
game: spit

round 1
A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS / 6S TC AC 8H 3D 7C 5S KD QS JD 2H
B deal 9S | 5C 7H | 8C KS AD | 3C 6H JC 4H | 2C 9D QD 5D QH / TS 3S KC TH 4S 8S JH 7D 6C AH 6D
A spit 2H on 1
B spit 6D on 2
A play 8D from 3 on 2
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    log = tmp_path / "a.gamelog"
    log.write_text(LOG)

    def call(command: str, *words: str, **env: str) -> str:
        result = CliRunner().invoke(cli, [command, str(log), *words], env=env)
        assert result.exit_code in (0, 1), result.output
        return result.stdout

    return call


def test_show_and_check_draw_alike(run):
    plain = run("show", "--at", "8")
    assert plain.splitlines()[1] == "   pile 1: 2H of 1  pile 2: 6D of 1"
    assert "   | " + "\n   | ".join(plain.splitlines()) in run("check", "--board").replace("\n  |", "\n   |")
    assert "\033[1;31;107m 6♦ \033[0m" in run("show", "--at", "8", "--color", "always", "--suits", "unicode")
    assert "\033[1;31;107m 6♦ \033[0m" in run("check", "--board", "--color", "always", "--suits", "unicode")


def test_no_color_is_obeyed_and_overruled(run):
    assert "\033" not in run("show", "--at", "8", FORCE_COLOR="1", NO_COLOR="1")
    assert "\033" in run("show", "--at", "8", FORCE_COLOR="1")
    assert "\033" not in run("show", "--at", "8")


def test_a_board_fits_80_columns(run):
    report = ESCAPE.sub("", run("check", "--board", "--color", "always", "--suits", "unicode"))
    drawing = report.partition("board: just before line 9\n")[2].partition("\n\n")[0].splitlines()
    assert len(drawing) > 8
    assert max(map(len, drawing)) <= 80
