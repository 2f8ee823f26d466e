"""Headers: their keys and values, and what is said of bad ones."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reading.header import Header, HeaderBuilder, Place
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.logs import HEADER_KEYS, Kind, begins_game, classify, header_key
from fairdeal.checker.reading.notation import notation
from fairdeal.checker.reading.writer import header_object, write_header
from fairdeal.grammar import games

FULL = [
    "gamelog: 1",
    "game: spit",
    "rules: scored",
    "options: stuck=plays_only,  win_scope = any",
    "players: Ada Lovelace ,\tBen",
    "id: table #7",
    "date: 2026-01-31",
    "source: my-engine 2.3",
    "x-seed: 2467",
    "x-note:",
]


def read(*lines: str) -> Header:
    """The header that some lines make, the first being line 1."""
    builder = HeaderBuilder()
    for number, line in enumerate(lines, 1):
        builder.feed(number, line)
    return builder.finish()


def test_a_full_header() -> None:
    header = read(*FULL)
    assert header.problems == ()
    assert (header.line, header.version, header.game, header.rules) == (1, 1, "spit", "scored")
    assert {name: choice.value for name, choice in header.options.items()} == {
        "stuck": "plays_only",
        "win_scope": "any",
    }
    assert header.players == ("Ada Lovelace", "Ben")
    assert (header.id, header.date, header.source) == ("table #7", "2026-01-31", "my-engine 2.3")
    assert header.extra == {"x-seed": "2467", "x-note": ""}


def test_choices_know_their_place() -> None:
    header = read(*FULL)
    for choice, text in zip(header.options.values(), ("stuck=plays_only", "win_scope = any"), strict=True):
        assert choice.place.line == 4
        assert FULL[3][choice.place.column - 1 : choice.place.end_column - 1] == text


def test_what_is_not_given() -> None:
    header = read("gamelog: 1", "game:spit")
    assert header.problems == ()
    assert (header.rules, header.players, header.id, dict(header.options)) == ("standard", (), None, {})


@pytest.mark.parametrize(
    ("lines", "line", "fault", "message", "hint"),
    [
        (
            ["gamelog: 2", "game: spit"],
            1,
            "2",
            "`2` is no version of the notation that can be read",
            "write `gamelog: 1`",
        ),
        (["gamelog: 1", "game: spitt"], 2, "spitt", "`spitt` is no game known here", "did you mean `spit`?"),
        (["gamelog: 1", "gmae: spit", "game: spit"], 2, "gmae", "`gmae` is no key of a header", "did you mean `game`?"),
        (["gamelog: 1", "Game: spit", "game: spit"], 2, "Game", "`Game` is no key of a header", "did you mean `game`?"),
        (
            ["gamelog: 1", "game: spit", "colour: red"],
            3,
            "colour",
            "`colour` is no key of a header",
            "keys of your own begin with `x-`",
        ),
        (
            ["gamelog: 1", "game: spit", "id: a", "id: b"],
            4,
            "id",
            "the key `id` is given twice",
            "it stands on line 3 already",
        ),
        (
            ["gamelog: 1", "game: spit", "players: Ada"],
            3,
            "Ada",
            "`Ada` does not name two players",
            "write two names with a comma between: `Ada, Ben`",
        ),
        (
            ["gamelog: 1", "game: spit", "players: A, B, C"],
            3,
            "A, B, C",
            "`A, B, C` does not name two players",
            "write two names with a comma between: `Ada, Ben`; no name has one in it, nor in JSON",
        ),
        (
            ["gamelog: 1", "game: spit", "rules: Scored!"],
            3,
            "Scored!",
            "`Scored!` is no set of rules",
            "write a name in lower case, such as `standard`",
        ),
        (["gamelog: 1", "game: spit", "options: a=b, c"], 3, "c", "`c` is no option", "write `name=value, name=value`"),
        (["gamelog: 1", "game: spit", "options: a=b, a=c"], 3, "a=c", "the option `a` is given twice", ""),
        (
            ["gamelog: 1", "id: 5"],
            1,
            "g",
            "the header does not name the game",
            f"write `game: NAME`; games: {', '.join(games())}",
        ),
        (["game: spit", "gamelog: 1"], 1, "g", "a game begins with another line", "write `gamelog: 1` first"),
    ],
)
def test_problems(lines: list[str], line: int, fault: str, message: str, hint: str) -> None:
    (problem,) = read(*lines).problems
    place = problem.place
    assert (place.line, problem.message, problem.hint) == (
        line,
        message,
        hint,
    )
    assert lines[line - 1][place.column - 1 : place.end_column - 1] == fault


@pytest.mark.parametrize(
    ("lines", "problems"),
    [
        (["gamelog 1", "game: spit"], [(1, " ", "a colon is missing after `gamelog`", "write `gamelog: 1`")]),
        (["gamelog: 1", "game=spit"], [(2, "=", "a colon is missing after `game`", "write `game: spit`")]),
        (["gamelog: 1", "Game \t spit"], [(2, " \t ", "a colon is missing after `game`", "write `game: spit`")]),
        (["gamelog: 1", "game\uff1aspit"], [(2, "\uff1a", "a colon is missing after `game`", "write `game: spit`")]),
        (["Gamelog: 1", "game: spit"], [(1, "Gamelog", "`Gamelog` is no key of a header", "did you mean `gamelog`?")]),
        (["gamelog: 1", "Game: Spit"], [(2, "Game", "`Game` is no key of a header", "did you mean `game: spit`?")]),
        (["gamelog: 1", "gaem: spit"], [(2, "gaem", "`gaem` is no key of a header", "did you mean `game`?")]),
        (
            ["Game: Spit"],
            [
                (1, "Game", "`Game` is no key of a header", "did you mean `game: spit`?"),
                (1, "G", "a game begins with another line", "write `gamelog: 1` first"),
            ],
        ),
    ],
)
def test_a_faulty_line_is_taken_for_what_it_means(lines: list[str], problems: list[tuple[int, str, str, str]]) -> None:
    assert all(classify(line) is Kind.HEADER for line in lines)
    header = read(*lines)
    assert header.game == "spit"
    found = []
    for each in header.problems:
        place = each.place
        fault = lines[place.line - 1][place.column - 1 : place.end_column - 1]
        found.append((place.line, fault, each.message, each.hint))
    assert found == problems


def test_what_a_good_line_says_is_not_overridden() -> None:
    header = read("gamelog: 1", "game rum", "game: spit")
    assert header.game == "spit"
    assert len(header.problems) == 1


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Spit", "spit"),
        ("slam", "spit"),
        ("speed", "spit"),
        ("rum", "queen-city-rum"),
        ("Queen City Rum", "queen-city-rum"),
        ("queen_city_rum", "queen-city-rum"),
    ],
)
def test_other_names_of_a_game(name: str, meant: str) -> None:
    (problem,) = read("gamelog: 1", f"game: {name}").problems
    assert (problem.message, problem.hint) == (f"`{name}` is no game known here", f"did you mean `{meant}`?")


def test_a_name_that_is_like_no_game() -> None:
    (problem,) = read("gamelog: 1", "game: canasta").problems
    assert problem.hint == f"games: {', '.join(games())}"


def test_a_list_is_json_and_chatter_in_brackets_is_not() -> None:
    for line in ('[{"type": "win"}]', "[", ' [ ["A"]', '["win"]'):
        assert classify(line) is Kind.JSON
    assert classify("[debug] tick 42") is Kind.EVENT


def test_no_event_begins_as_a_header_does() -> None:
    for game in games():
        assert notation(game).beginnings.isdisjoint(HEADER_KEYS)
        assert classify("A id 3") is Kind.EVENT


def test_problems_and_options_are_bounded() -> None:
    header = read("gamelog: 1", "game: spit", "options: " + ",".join(f"o{n}=1" for n in range(5000)), *["k: v"] * 5000)
    assert len(header.problems) <= 200
    assert len(header.options) <= 200


def test_an_object_says_the_same() -> None:
    line = json.dumps(
        {
            "gamelog": 1,
            "game": "spit",
            "rules": "scored",
            "options": {"stuck": "plays_only", "win_scope": "any"},
            "players": ["Ada Lovelace", "Ben"],
            "id": "table #7",
            "date": "2026-01-31",
            "source": "my-engine 2.3",
            "x-seed": 2467,
            "x-note": "",
        }
    )
    builder = HeaderBuilder()
    builder.feed_object(1, line, load_object(line))
    header, other = builder.finish(), read(*FULL)
    assert header.problems == ()
    for name in ("version", "game", "rules", "players", "id", "date", "source", "extra"):
        assert getattr(header, name) == getattr(other, name)
    assert {name: each.value for name, each in header.options.items()} == {"stuck": "plays_only", "win_scope": "any"}


def test_problems_of_an_object_point_at_the_value() -> None:
    line = '{"gamelog": 1, "game": "spitt"}'
    builder = HeaderBuilder()
    builder.feed_object(3, line, load_object(line))
    (problem,) = builder.finish().problems
    assert problem.place == Place(3, line.index('"spitt"') + 1, len(line))


def test_written_headers_read_back() -> None:
    header = read(*FULL)
    fields = {
        "rules": header.rules,
        "options": {name: each.value for name, each in header.options.items()},
        "players": header.players,
        "id": header.id or "",
        "date": header.date or "",
        "source": header.source or "",
        "extra": {"x-seed": "2467"},
    }
    lines = write_header("spit", **fields)  # type: ignore[arg-type]
    assert lines[:2] == FULL[:2]
    again = read(*lines)
    assert (again.problems, again.players, again.rules, again.id) == ((), header.players, "scored", "table #7")
    line = json.dumps(header_object("spit", **fields))  # type: ignore[arg-type]
    builder = HeaderBuilder()
    builder.feed_object(1, line, load_object(line))
    assert builder.finish().players == header.players


def test_a_header_of_two_lines() -> None:
    assert write_header("spit") == ["gamelog: 1", "game: spit"]
    with pytest.raises(ValueError, match="one line"):
        write_header("spit", id="a\nb")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", Kind.BLANK),
        (" \t", Kind.BLANK),
        ("# c", Kind.BLANK),
        ("\t# game: spit", Kind.BLANK),
        ("gamelog: 1", Kind.HEADER),
        ("  game :spit", Kind.HEADER),
        ("x-a.b: # no comment", Kind.HEADER),
        ('{"type": "win"}', Kind.JSON),
        ("see stock A 3: 7D of 2", Kind.EVENT),
        ("17 @3.5 A win", Kind.EVENT),
        ("@2026-01-31T20:15:00Z A win", Kind.EVENT),
        ("A win", Kind.EVENT),
        ("\0binary", Kind.UNREADABLE),
        ("�?", Kind.EVENT),
    ],
)
def test_kinds_of_lines(line: str, kind: Kind) -> None:
    assert classify(line) is kind
    assert begins_game(line) == (header_key(line) == "gamelog")


values = st.none() | st.integers() | st.text(max_size=12) | st.lists(st.text(max_size=3), max_size=3)
KEYS = ["gamelog", "game", "rules", "options", "players", "id", "date", "x-a", "y"]


@given(st.lists(st.tuples(st.sampled_from(KEYS), st.text(max_size=20)), max_size=6))
def test_no_header_is_too_strange(lines: list[tuple[str, str]]) -> None:
    header = read(*(f"{key}: {value}" for key, value in lines))
    for problem in header.problems:
        assert problem.message.isprintable()
        assert problem.place.column < problem.place.end_column


@given(st.dictionaries(st.sampled_from(KEYS), values | st.dictionaries(st.text(max_size=3), values, max_size=2)))
def test_no_object_is_too_strange(obj: dict[str, object]) -> None:
    builder = HeaderBuilder()
    builder.feed_object(1, json.dumps(obj), obj)
    header = builder.finish()
    for text in (header.id, header.date, *header.players, *header.extra.values()):
        assert (text or "").encode(errors="strict") is not None
