"""The JSON Lines twin: the same events as objects, and what is said of objects that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.notation import NotationError, notation
from fairdeal.checker.reading.prefix import Prefix
from fairdeal.checker.reading.values import Value

from .examples import LINES, complaint
from .test_notation import events, same

SPIT = notation("spit")
PLAY = {"type": "play", "player": "A", "card": "7D", "from": 3, "on": 1}

every_line = pytest.mark.parametrize("line", LINES, ids=[line[0] for line in LINES])


@every_line
def test_objects_are_read_as_their_lines_are(
    line: tuple[str, str, int | None, dict[str, Value], dict[str, Any]],
) -> None:
    prefix, body = SPIT.from_json(line[4])
    assert prefix == Prefix()
    assert same(body, SPIT.parse(line[0]))


@every_line
def test_objects_are_written(line: tuple[str, str, int | None, dict[str, Value], dict[str, Any]]) -> None:
    _, verb, actor, arguments, obj = line
    assert SPIT.json(verb, actor, arguments) == obj


@given(
    events(),
    st.none() | st.integers(0, 10**18 - 1),
    st.none() | st.tuples(st.floats(0, 1e9), st.floats(0, 1e9)),
)
def test_written_objects_read_back(
    event: tuple[str, int | None, dict[str, Value], str | None], seq: int | None, time: tuple[float, float] | None
) -> None:
    verb, actor, values, refused = event
    line = json.dumps(SPIT.json(verb, actor, values, seq, time, refused))
    prefix, body = SPIT.from_json(load_object(line), line)
    assert (prefix.seq, prefix.time) == (seq, time)
    assert (body.verb, body.actor, dict(body.arguments), body.refused) == (verb, actor, values, refused)


@pytest.mark.parametrize(
    ("given_time", "time", "unit"),
    [
        (3, (3.0, 3.0), "seconds"),
        (3.412, (3.412, 3.412), "seconds"),
        ([3.4, 3.5], (3.4, 3.5), "seconds"),
        ("1970-01-01T00:00:02Z", (2.0, 2.0), "instant"),
        (["1970-01-01T00:00:02", "1970-01-01T00:00:03"], (2.0, 3.0), "local instant"),
        ("3.5-4", (3.5, 4.0), "seconds"),
    ],
)
def test_times(given_time: object, time: tuple[float, float], unit: str) -> None:
    prefix, _ = SPIT.from_json({**PLAY, "t": given_time})
    assert (prefix.time, prefix.unit) == (time, unit)


@pytest.mark.parametrize("spelling", ["10H", "th", "T♥", "♥10", "🂺"])
def test_cards_in_any_spelling(spelling: str) -> None:
    assert (
        SPIT.from_json({**PLAY, "card": spelling})[1].arguments["card"]
        == SPIT.parse("A flip TH at 3").arguments["card"]
    )


def test_repetition_within_a_list() -> None:
    obj = {"type": "deal", "player": "A", "stocks": [[], [], [], [], []], "spit": ["5H", "??*3"]}
    assert SPIT.from_json(obj)[1].arguments["spit"] == SPIT.parse("A deal -|-|-|-|-/5H ?? ?? ??").arguments["spit"]


def test_keys_of_ones_own_are_let_be() -> None:
    assert same(SPIT.from_json({**PLAY, "x-frame": {"a": [1]}})[1], SPIT.from_json(PLAY)[1])


def test_not_refused_may_be_said() -> None:
    for value in (None, False):
        assert SPIT.from_json({**PLAY, "refused": value})[1].refused is None


def test_spans_point_at_the_values() -> None:
    line = '{"seq": 1, "type": "play", "player" : "B", "card":"7D", "from": 3, "on": 1, "refused": "race"}'
    spans = SPIT.from_json(load_object(line), line)[1].spans
    words = {name: line[slice(*spans[name])] for name in ("verb", "actor", "card", "slot", "pile", "refused")}
    assert words == {"verb": '"play"', "actor": '"B"', "card": '"7D"', "slot": "3", "pile": "1", "refused": '"race"'}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"card": "7X"}, '`card`: `"7X"` is not a card'),
        ({"card": "7D from 3"}, '`card`: `"7D from 3"` is not a card'),
        ({"card": ["7D"]}, '`card`: `["7D"]` is not a card'),
        ({"card": 7}, "`card`: `7` is not a card"),
        ({"from": "3"}, '`from`: `"3"` is not a digit'),
        ({"from": 3.0}, "`from`: `3.0` is not a digit"),
        ({"from": True}, "`from`: `true` is not a digit"),
        ({"from": 12}, "`from`: `12` is not a digit"),
        ({"from": -1}, "`from`: `-1` is not a digit"),
        ({"player": "C"}, "`player`: a player is needed, A or B"),
        ({"player": ["A"]}, "`player`: a player is needed, A or B"),
        ({"player": 0}, "`player`: a player is needed, A or B"),
        ({"type": "plya"}, "`type`: `plya` is no event"),
        ({"type": ["play"]}, "`type`: `['play']` is no event"),
        ({"form": 3}, "`form`: no such key"),
        ({"refused": "rnk"}, '`refused`: `"rnk"` is no reason'),
        ({"refused": 1}, "`refused`: `1` is no reason"),
        ({"seq": -1}, "`seq`: `-1` is no line number"),
        ({"seq": 1.5}, "`seq`: `1.5` is no line number"),
        ({"seq": True}, "`seq`: `true` is no line number"),
        ({"seq": 10**18}, "`seq`: `1000000000000000000` is no line number"),
        ({"t": -1}, "`t`: `-1` is no time"),
        ({"t": 1e999}, "`t`: `inf` is no time"),
        ({"t": 10**400}, f"`t`: `1{'0' * 38}…` is no time"),
        ({"t": {}}, "`t`: `{}` is no time"),
        ({"t": [1]}, "`t`: `[1]` is no time"),
        ({"t": [1, "2"]}, '`t`: `[1, "2"]` is no time'),
        ({"t": "noon"}, "`t`: `noon` is no time"),
        ({"t": "3.5 A"}, "`t`: `3.5 A` is no time"),
        ({"t": "2026-13-45T99:99"}, "`t`: `2026-13-45T99:99` is no date and time of day"),
    ],
)
def test_messages(change: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        SPIT.from_json({**PLAY, **change})
    assert caught.value.message == message


def test_what_is_missing_is_named() -> None:
    with pytest.raises(NotationError, match="play lacks from, on"):
        SPIT.from_json({"type": "play", "player": "A", "card": "7D"})
    with pytest.raises(NotationError, match="there is no type"):
        SPIT.from_json({"player": "A"})
    with pytest.raises(NotationError, match="a player is needed"):
        SPIT.from_json({"type": "win"})
    with pytest.raises(NotationError, match="cannot be refused"):
        SPIT.from_json({"type": "see_spit", "player": "A", "size": 9, "refused": True})


@pytest.mark.parametrize(
    ("stocks", "spit"),
    [
        ([[]] * 4, []),
        ([[]] * 6, []),
        ("-", []),
        ([[]] * 5, "-"),
        ([["7D", 1], [], [], [], []], []),
        ([[]] * 5, ["5H 6H|"]),
    ],
)
def test_deals_that_are_none(stocks: object, spit: object) -> None:
    with pytest.raises(NotationError):
        SPIT.from_json({"type": "deal", "player": "A", "stocks": stocks, "spit": spit})


@pytest.mark.parametrize(
    ("stocks", "entry", "hint"),
    [
        ([["XX", "6H"], [], [], [], []], '"XX"', "a card is its rank and its suit, such as 7D or TH"),
        ([["6H"], [], ["7D", "1H"], [], []], '"1H"', "did you mean AH?"),
        ([["6H"], [], ["ten of hearts"], [], []], '"ten of hearts"', "did you mean TH?"),
        ([["6H"], [], [], [], ["7H,8H"]], '"7H,8H"', 'write an entry for each card: ["7H", "8H"]'),
        ([["6H", "10"], [], [], [], []], '"10"', "a suit is missing: TS, TH, TD or TC, and T? if nobody saw which"),
        ([["6H"], [], [], [], [None]], "null", "a card is its rank and its suit, such as 7D or TH"),
    ],
)
def test_the_entry_that_is_no_card_is_named_and_the_hint_is_that_of_a_line(
    stocks: object, entry: str, hint: str
) -> None:
    obj = {"type": "deal", "player": "A", "stocks": stocks, "spit": []}
    line = json.dumps(obj)
    with pytest.raises(NotationError) as caught:
        SPIT.from_json(obj, line)
    assert caught.value.message == f"`stocks`: `{entry}` is no card"
    assert caught.value.hint == hint
    assert line[caught.value.column : caught.value.end_column] == entry


def test_a_pack_at_most() -> None:
    with pytest.raises(NotationError, match="more than 52 cards"):
        SPIT.from_json({"type": "deal", "player": "A", "stocks": [["??*30"], [], [], [], []], "spit": ["??*30"]})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"type": "win"', "this is no JSON: the line ends before the object does"),
        ("{'type': 'win'}", "this is no JSON: JSON takes double quotes"),
        ('{"type": "win", "type": "tie"}', "the key `type` is given twice"),
        ('{"t": NaN}', "NaN is no number that a log can hold"),
        ('{"t": -Infinity}', "-Infinity is no number that a log can hold"),
        ('{"seq": ' + "9" * 5000 + "}", "this JSON holds a number that is too long"),
        ('{"x-a": ' + "[" * 30_000 + "]" * 30_000 + "}", "brackets are nested more than 8 deep"),
        ('{"x-a": ' + '{"a":' * 10_000, "brackets are nested more than 8 deep"),
    ],
)
def test_text_that_is_no_object(line: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        load_object(line)
    assert caught.value.message == message


ONE = "one object a line, with nothing around or between them"


@pytest.mark.parametrize(
    ("line", "message", "fault", "hint"),
    [
        ('[{"type": "win"}]', "this JSON is a list, and an event is an object", '[{"type": "win"}]', ONE),
        ("[", "this is no JSON: the line ends before the object does", "[", ONE),
        ("{", "this is no JSON: the line ends before the object does", "{", ONE),
        ('{"type": "win"},', "this is no JSON: the object ends here", ",", ONE),
        ('{"type": "tie" , }', "this is no JSON: a comma before a closing bracket", ",", "leave the comma out"),
        ('{"a": [1,], "b": 2}', "this is no JSON: a comma before a closing bracket", ",", "leave the comma out"),
        ('{type: "win"}', "this is no JSON: a key in double quotes is due here", "type", 'write "type"'),
        ('{"player": A}', "this is no JSON: a value is due here", "A", 'write "A"'),
        ('{"refused": True}', "this is no JSON: a value is due here", "True", "did you mean true?"),
        ('{"a" 1}', "this is no JSON: a colon is missing before this", "1", ""),
        ('{"a": 1 "b": 2}', "this is no JSON: a comma is missing before this", '"', ""),
        ('{"type": "win}', "this is no JSON: this quote is not closed", '"', ""),
    ],
)
def test_where_json_goes_wrong(line: str, message: str, fault: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        load_object(line)
    error = caught.value
    assert (error.message, line[error.column : error.end_column], error.hint) == (message, fault, hint)


@pytest.mark.parametrize(
    ("change", "fault", "hint"),
    [
        ({"on": None, "pile": 2}, '"pile"', "did you mean on?"),
        ({"from": None, "slot": 2}, '"slot"', "did you mean from?"),
        ({"on": None, "foo": 2}, '"foo"', "did you mean on?"),
        ({"pile": 2}, '"pile"', "keys: card, from, on, seq, t, type, refused, player; keys of your own begin with x-"),
        ({"playr": "A"}, '"playr"', "keys: card, from, on, seq, t, type"),
        ({"time": 2.5}, '"time"', "did you mean t?"),
        ({"player": None, "who": "A"}, '"who"', "did you mean player?"),
        ({"from": "1"}, '"1"', "write it without quotes: 1"),
        ({"on": 1.0}, "1.0", "write it without a point: 1"),
        ({"card": ["7D"]}, '["7D"]', 'write it without brackets: "7D"'),
        ({"card": "QueenH"}, '"QueenH"', "did you mean QH?"),
        ({"card": "Queen"}, '"Queen"', "a suit is missing: QS, QH, QD or QC"),
        ({"t": "12:30"}, '"12:30"', "seconds as in 12.345, a span as in [12.1, 12.345], or an instant as in"),
    ],
)
def test_what_was_meant_in_an_object(change: dict[str, object], fault: str, hint: str) -> None:
    given = {"type": "play", "player": "A", "card": "7D", "from": 3, "on": 1}
    line = json.dumps({key: value for key, value in {**given, **change}.items() if value is not None})
    with pytest.raises(NotationError) as caught:
        SPIT.from_json(load_object(line), line)
    error = caught.value
    assert line[error.column : error.end_column] == fault
    assert error.hint.startswith(hint)


def test_a_list_for_a_line_of_text_is_told_how_it_is_written() -> None:
    rum = notation("queen-city-rum")
    with pytest.raises(NotationError) as caught:
        rum.from_json({"type": "meld", "player": "A", "cards": "5H, 6H, 7H", "as": "m1"})
    assert caught.value.hint == 'write a list: ["5H", "6H", "7H"]'


def test_brackets_within_strings_do_not_count() -> None:
    assert load_object('{"x-a": "[[[[[[[[[[[[\\"[[["}')


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner), max_leaves=8
)
KEYS = ["type", "player", "seq", "t", "refused", "card", "from", "on", "stocks", "spit", "pile", "of", "face", "size"]


@given(st.sampled_from([line[4] for line in LINES]), st.dictionaries(st.sampled_from(KEYS), anything, max_size=3))
def test_no_object_is_too_strange(obj: dict[str, Any], change: dict[str, Any]) -> None:
    error = complaint(SPIT.from_json, {**obj, **change})
    if error is not None:
        assert error.message.isprintable()
        assert error.hint.isprintable()


@given(st.text(max_size=40))
def test_no_text_is_too_strange(text: str) -> None:
    error = complaint(load_object, "{" + text)
    assert error is None or error.message.isprintable()
