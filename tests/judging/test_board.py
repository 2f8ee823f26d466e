"""Boards: what a game declares to lie on its table, and how the table is told."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from fairdeal.checker.engines.layout import DECK
from fairdeal.checker.judging.board import WIDTH, Drawing, draw, in_sequence, lying
from fairdeal.checker.judging.inspection import PlaceError, board_at, legal_at
from fairdeal.checker.judging.shelf import binder_for
from fairdeal.spec.cards import NAMES
from fairdeal.spec.games import MODULES, model_named

TRACES = Path(__file__).parents[2] / "traces"


def cards(text: str) -> list[int]:
    return [NAMES.index(name) for name in text.split()]


@pytest.mark.parametrize("name", MODULES)
def test_a_board_shows_what_there_is_and_each_place_once(name):
    game = model_named(name)
    binder = binder_for(game, game.bind())
    places = [shown for line in game.board.lines for shown in line.zones]
    assert places
    for shown in places:
        lying(binder.layout, binder.layout.initial(), shown)
        for cell in filter(None, (shown.faced, shown.owner)):
            assert (cell, shown.index) in binder.layout.position
    counted = [(each.cell, each.index) for line in game.board.lines for each in line.counts]
    assert all(key in binder.layout.position for key in counted)
    cells = [*game.board.status, *filter(None, [game.board.turn])]
    assert all((cell, ()) in binder.layout.position for cell in cells)
    for one in game.board.instead:
        assert one.condition in game.derived
        assert one.cell in cells
    zones = [(name, shown.index) for shown in places for name in (shown.zone, shown.joined) if name]
    assert len(zones) == len(set(zones))
    assert draw(binder, binder.layout.initial()).rows


@pytest.mark.parametrize(
    ("given", "laid"),
    [
        ("AH QH KH", "QH KH AH"),
        ("AS 2S 3S", "AS 2S 3S"),
        ("AS 2S KS", "KS AS 2S"),
        ("9S 7S 8S", "7S 8S 9S"),
        ("8S 8D 8H", "8S 8H 8D"),
        ("?? 4S 3S", "3S 4S ??"),
        ("?? ??", "?? ??"),
        ("", ""),
    ],
)
def test_a_meld_lies_in_sequence(given, laid):
    assert in_sequence(cards(given)) == cards(laid)


def test_the_whole_suit_lies_from_the_ace():
    suit = [code for code in range(52) if code % 4 == 0]
    assert in_sequence(suit[5:] + suit[:5]) == suit


DEALS = """\
gamelog: 1
game: queen-city-rum

round 1 first A
A deal QH KH AH 2S 3S 4D 5D 6C 7C 8C
B deal 2C 3C 4C 5C 9C TC JC QC KC AC
turn-up 6S
A draw 9D
A meld QH KH AH as m40
"""


def test_a_draw_pile_of_unknown_order_is_counted_and_a_meld_has_the_label_of_the_log(tmp_path):
    log = tmp_path / "a.gamelog"
    log.write_text(DEALS)
    assert board_at(str(log), 9) == (
        "B  hand: AC 2C 3C 4C 5C 9C TC JC QC KC\n"
        "   draw pile: 30  discard: 6S of 1\n"
        "   m40: QH KH AH\n"
        "A  hand: 2S 3S 4D 5D 6C 7C 8C 9D\n"
        "round 1, phase act, turn A"
    )


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (13, "round 1, phase act, turn A"),
        (14, "round 1, phase round over"),
        (17, "round 1, phase round over"),
        (18, "round 1, phase over"),
    ],
)
def test_after_a_round_it_is_nobodys_turn(tmp_path, last, status):
    log = tmp_path / "a.gamelog"
    log.write_text((TRACES / "legal/log-see-qcr-a-hand-that-was-not-recorded.gamelog").read_text())
    assert board_at(str(log), last).split("\n")[-1] == status


def test_a_line_is_never_too_wide_and_loses_no_card():
    game = model_named("queen-city-rum")
    binder = binder_for(game, game.bind())
    state = binder.layout.initial()
    state[binder.layout.position["hand", (0,)]] = DECK
    drawing = draw(binder, state)
    assert max(map(len, drawing.split("\n"))) <= WIDTH
    assert sorted(drawing.split("A  hand: ")[1].split("\nround")[0].split()) == sorted(NAMES[:52])


def test_a_drawing_is_its_text_and_travels_between_processes():
    drawing = Drawing("a: 1", (), "round 1")
    assert drawing == "a: 1"
    again = pickle.loads(pickle.dumps(drawing))
    assert (again, again.rows, again.status) == ("a: 1", (), "round 1")


@pytest.mark.parametrize("line", [1, 2, 3])
def test_a_line_of_a_header_is_before_the_first_event(tmp_path, line):
    log = tmp_path / "a.gamelog"
    log.write_text(DEALS)
    assert "the game stands before its first round" in board_at(str(log), line)
    assert "round 0" not in board_at(str(log), line)


def test_what_is_lawful_after_the_first_line_of_a_header(tmp_path):
    log = tmp_path / "a.gamelog"
    log.write_text("# a comment\ngamelog: 1\ngame: spit\n\nround 1\n")
    assert [event.text for event in legal_at(str(log), 2) if not event.idle] == ["round 1"]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("gamelog: 1\nid: 3\nA stuck\n", 3, "the header does not name the game (line 1)"),
        ("gamelog: 1\ngame: whist\n\nstuck\n", 1, "`whist` is no game known here (line 2)"),
        ("stuck\n", 1, "this line stands in no game (line 1)"),
    ],
)
def test_a_line_of_no_game_is_told_why_there_is_none(tmp_path, text, line, why):
    log = tmp_path / "a.gamelog"
    log.write_text(text)
    with pytest.raises(PlaceError) as caught:
        board_at(str(log), line)
    assert caught.value.message == f"line {line} of {log} is in no game that can be judged: {why}"
