"""Lines of Queen City Rum: each is read, printed as it was, and has its twin in JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from fairdeal import grammar
from fairdeal.checker.reading.logs import Kind, classify
from fairdeal.checker.reading.notation import NotationError, notation
from fairdeal.checker.reading.prefix import split_prefix

from .examples import cards, reads_or_explains

RUM = notation("queen-city-rum")
LARK: Lark = grammar.load("queen-city-rum")
RECORDED = Path(__file__).parents[2] / "traces" / "recorded" / "rum"

TEN = "5H 9C 2D JS 3H 8D 4C 4D 7S KH"
LINES: list[tuple[str, str, int | None, dict[str, Any], dict[str, Any]]] = [
    ("round 1 first A", "round", None, {"number": 1, "first": 0}, {"number": 1, "first": "A"}),
    (f"A deal {TEN}", "deal", 0, {"cards": cards(TEN)}, {"cards": TEN.split()}),
    ("deal stock 3C 8S", "deal_stock", None, {"cards": cards("3C 8S")}, {"cards": ["3C", "8S"]}),
    ("turn-up 7D", "turn_up", None, {"card": cards("7D")[0]}, {"card": "7D"}),
    ("A draw ??", "draw", 0, {"card": 53}, {"card": "??"}),
    ("B take 9S", "take", 1, {"card": cards("9S")[0]}, {"card": "9S"}),
    (
        "A meld 5H 6H AS as m1",
        "meld",
        0,
        {"cards": cards("5H 6H AS"), "meld": 1},
        {"cards": ["5H", "6H", "AS"], "as": "m1"},
    ),
    ("A lay 8H on m12", "lay", 0, {"cards": cards("8H"), "meld": 12}, {"cards": ["8H"], "on": "m12"}),
    ("A discard KD", "discard", 0, {"cards": cards("KD")}, {"cards": ["KD"]}),
    ("A discard -", "discard", 0, {"cards": ()}, {"cards": []}),
    ("A out", "out", 0, {}, {}),
    ("turn-over", "turn_over", None, {}, {}),
    ("reshuffle", "reshuffle", None, {}, {}),
    ("round end out B", "round_out", None, {"player": 1}, {"player": "B"}),
    ("round end exhausted", "round_exhausted", None, {}, {}),
    ("A score -12 total 54", "score", 0, {"points": -12, "total": 54}, {"points": -12, "total": 54}),
    ("A win", "win", 0, {}, {}),
    ("tie", "tie", None, {}, {}),
    ("see hand A: 9", "see_hand", None, {"player": 0, "size": 9}, {"player": "A", "size": 9}),
    ("see hand A: 9C", "see_hand_cards", None, {"player": 0, "cards": cards("9C")}, {"player": "A", "cards": ["9C"]}),
    ("see stock: 20", "see_stock", None, {"size": 20}, {"size": 20}),
    ("see discard: 7D of 3", "see_discard", None, {"card": cards("7D")[0], "size": 3}, {"card": "7D", "of": 3}),
    ("see discard: - of 0", "see_discard", None, {"card": None, "size": 0}, {"card": None, "of": 0}),
    (
        "see meld m1: 5H 6H",
        "see_meld",
        None,
        {"meld": 1, "cards": cards("5H 6H")},
        {"meld": "m1", "cards": ["5H", "6H"]},
    ),
]
every_line = pytest.mark.parametrize(
    ("text", "verb", "actor", "arguments", "twin"), LINES, ids=[line[0] for line in LINES]
)


@every_line
def test_a_line_is_read_and_printed(
    text: str, verb: str, actor: int | None, arguments: dict[str, Any], twin: dict[str, Any]
) -> None:
    body = RUM.parse(text)
    assert (body.verb, body.actor, dict(body.arguments)) == (verb, actor, arguments)
    assert RUM.text(verb, actor, arguments) == text
    LARK.parse(text)


@every_line
def test_its_twin_is_written_and_read(
    text: str, verb: str, actor: int | None, arguments: dict[str, Any], twin: dict[str, Any]
) -> None:
    written = RUM.json(verb, actor, arguments)
    assert written == {"type": verb, **({} if actor is None else {"player": "AB"[actor]}), **twin}
    assert dict(RUM.from_json(written)[1].arguments) == arguments


def test_every_event_is_among_the_lines() -> None:
    assert {line[1] for line in LINES} == set(RUM.forms)


@pytest.mark.parametrize("end", ["as m1", "as as m1", "AS as m1"])
def test_the_word_before_a_label_is_no_ace_of_spades(end: str) -> None:
    body = RUM.parse(f"A meld 5h 6h {end}")
    LARK.parse(f"A meld 5h 6h {end}")
    assert body.arguments["cards"] == cards("5H 6H AS" if end.lower().count("as") > 1 else "5H 6H")


@pytest.mark.parametrize("text", ["A meld 5H 6H 7H", "A meld as m1", "A lay 8H on 1", "A discard", "A score x total 1"])
def test_what_is_no_line(text: str) -> None:
    with pytest.raises(NotationError):
        RUM.parse(text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("A meld 5H 6H 7H as set1", "`set1` stands where the meld, a label such as m1, is due", "A meld CARDS as MELD"),
        (
            "A pass",
            "`pass` is no event",
            "events: deal, draw, take, meld, lay, discard, out, score, win, round, turn-up",
        ),
    ],
)
def test_what_is_said_of_it(text: str, message: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        RUM.parse(text)
    assert caught.value.message == message
    assert hint in caught.value.hint


@pytest.mark.parametrize("text", [line[0] for line in LINES])
def test_a_line_spoiled_at_any_place_is_read_or_explained(text: str) -> None:
    reads_or_explains(RUM.parse, text)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.gamelog")), ids=lambda path: path.stem)
def test_recorded_games_are_read_and_printed_back(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        if classify(line) is Kind.EVENT:
            found = RUM.parse(line[split_prefix(line).start :])
            again = RUM.parse(RUM.text(found.verb, found.actor, found.arguments, found.refused))
            assert (again.verb, dict(again.arguments), again.refused) == (
                *(found.verb, dict(found.arguments), found.refused),
            )


def test_the_page_s_examples_are_read() -> None:
    page = (Path(__file__).parents[2] / "grammar" / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```gamelog queen-city-rum\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line]
    assert {RUM.parse(line).verb for line in lines} == set(RUM.forms)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("round 1", "the line ends where `first` is due"),
        ("round 1 first", "the line ends where a player, A or B, is due"),
        ("round 1 first Ada", "`Ada` stands where a player, A or B, is due"),
    ],
)
def test_a_form_says_where_either_player_may_stand(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        RUM.parse(text)
    assert caught.value.message == message
    assert caught.value.hint == "the form is `round NUMBER first PLAYER`, a PLAYER being A or B"


def test_cards_with_commas_between() -> None:
    with pytest.raises(NotationError) as caught:
        RUM.parse("A meld 5H, 6H, 7H as m1")
    assert caught.value.hint == "cards are set apart by spaces alone: 5H"
