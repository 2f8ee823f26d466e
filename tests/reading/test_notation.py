"""Bodies of lines: every line of the notation, every spelling of a card, and what is said of anything else."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, LarkError

from fairdeal import grammar
from fairdeal.checker.reading.forms import Argument, Form
from fairdeal.checker.reading.notation import Body, Notation, NotationError, notation
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.values import Value
from fairdeal.spec.cards import DECK, NAMES, NO_CARD, RANKS, card_name

from .examples import BROKEN, LINES, card, cards, complaint, reads_or_explains

SPIT = notation("spit")
LARK: Lark = grammar.load("spit")

every_line = pytest.mark.parametrize(
    ("text", "verb", "actor", "arguments"), [line[:4] for line in LINES], ids=[line[0] for line in LINES]
)


def same(first: Body, second: Body) -> bool:
    """Whether two bodies mean the same, wherever their words stand."""
    return (first.verb, first.actor, first.refused, first.observation, dict(first.arguments)) == (
        second.verb,
        second.actor,
        second.refused,
        second.observation,
        dict(second.arguments),
    )


@every_line
def test_each_line_of_the_notation_is_read(
    text: str, verb: str, actor: int | None, arguments: dict[str, Value]
) -> None:
    body = SPIT.parse(text)
    assert (body.verb, body.actor, dict(body.arguments), body.refused) == (verb, actor, arguments, None)
    assert body.observation == text.startswith("see")


@every_line
def test_what_is_read_is_printed_as_it_was(
    text: str, verb: str, actor: int | None, arguments: dict[str, Value]
) -> None:
    assert SPIT.text(verb, actor, arguments) == text


def test_every_event_of_the_grammar_is_among_the_lines() -> None:
    assert {line[1] for line in LINES} == set(SPIT.forms)


@every_line
@pytest.mark.parametrize("reason", ["", "race", "rank", "facedown", "turn", "other"])
def test_any_event_can_be_refused_and_no_observation(
    text: str, verb: str, actor: int | None, arguments: dict[str, Value], reason: str
) -> None:
    line = f"{text} refused {reason}".rstrip()
    if text.startswith("see"):
        with pytest.raises(NotationError):
            SPIT.parse(line)
        return
    body = SPIT.parse(line)
    assert (body.verb, body.refused) == (verb, reason)
    assert line[slice(*body.spans["refused"])] == f"refused {reason}".rstrip()
    assert SPIT.text(verb, actor, arguments, reason) == line


def test_spans_stand_where_the_words_are() -> None:
    text = "  A\tplay   ♥10 from 3 on 1  # c"
    spans = SPIT.parse(text).spans
    words = {name: text[slice(*span)] for name, span in spans.items()}
    assert words == {"actor": "A", "verb": "play", "card": "♥10", "slot": "3", "pile": "1"}
    text = "A deal 5H | 9C 2D | - | ?? | 7? / 6S TC"
    words = {name: text[slice(*span)] for name, span in SPIT.parse(text).spans.items()}
    assert words["stocks"] == "5H | 9C 2D | - | ?? | 7?"
    assert words["spit"] == "6S TC"


# ---------------------------------------------------------------- cards

SYMBOLS = {"S": "♠♤", "H": "♥♡", "D": "♦♢", "C": "♣♧"}
SELECTORS = ("", "\N{VARIATION SELECTOR-15}", "\N{VARIATION SELECTOR-16}")
RANK_NAMES = "ACE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING"
CHARACTERS = {
    unicodedata.lookup(f"PLAYING CARD {rank} OF {suit}"): letter + suit[0]
    for rank, letter in zip(RANK_NAMES.split(), RANKS, strict=True)
    for suit in ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
}


def spellings(name: str) -> list[str]:
    """Every spelling of one card."""
    rank, suit = name[0], name[1]
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    suits = {suit, suit.lower()} | {symbol + selector for symbol in SYMBOLS[suit] for selector in SELECTORS}
    return [text for one in ranks for other in suits for text in (one + other, other + one)]


@pytest.mark.parametrize("name", NAMES[:DECK])
def test_every_spelling_of_a_card_is_that_card(name: str) -> None:
    for text in spellings(name):
        assert SPIT.parse(f"A flip {text} at 3").arguments["card"] == card(name), text


def test_every_playing_card_character_is_its_card() -> None:
    assert set(CHARACTERS.values()) == set(NAMES[:DECK])
    for character, name in CHARACTERS.items():
        assert SPIT.parse(f"A flip {character} at 3").arguments["card"] == card(name)


@pytest.mark.parametrize("code", [code for code in range(len(NAMES)) if code != NO_CARD])
def test_every_code_is_written_and_read_back(code: int) -> None:
    assert SPIT.parse(f"A flip {card_name(code)} at 3").arguments["card"] == code


def test_codes_are_those_that_the_rules_use() -> None:
    assert [card(name) for name in ("AS", "AH", "AD", "AC", "2S", "KC", "??", "A?", "K?", "!!")] == [
        *(0, 1, 2, 3, 4, 51, 53, 54, 66, 67)
    ]


@pytest.mark.parametrize("text", ["10?", "t?", "T?"])
def test_a_ten_without_suit(text: str) -> None:
    assert SPIT.parse(f"A flip {text} at 3").arguments["card"] == card("T?")


@pytest.mark.parametrize(
    "text", ["", "1H", "H", "10", "TT", "HH", "?H", "T♥♥", "T ♥", "100H", "??? ", "!", "-", "🂠", "🂿", "🃏", "Тh", "7７"]
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(NotationError):
        SPIT.parse(f"A flip {text} at 3")


def test_knights_are_no_cards() -> None:
    for suit in ("SPADES", "HEARTS", "DIAMONDS", "CLUBS"):
        with pytest.raises(NotationError, match="is no card"):
            SPIT.parse(f"A flip {unicodedata.lookup(f'PLAYING CARD KNIGHT OF {suit}')} at 3")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("??*11", ["??"] * 11), ("5H ??*2 7?", ["5H", "??", "??", "7?"]), ("10♥*1", ["TH"]), ("-", [])],
)
def test_repetition_in_lists(text: str, expected: list[str]) -> None:
    body = SPIT.parse(f"A deal - | - | - | - | - / {text}")
    assert body.arguments["spit"] == cards(" ".join(expected))


def test_a_whole_pack_fits_in_a_line_and_no_card_more() -> None:
    assert len(SPIT.parse("A deal - | - | - | - | - / ??*52").arguments["spit"]) == DECK  # type: ignore[arg-type]
    for text in ("- | - | - | - | - / ??*53", "?? | - | - | - | - / ??*52", "??*26 | - | - | - | ??*26 / ??"):
        with pytest.raises(NotationError, match="more than 52 cards"):
            SPIT.parse(f"A deal {text}")


# ---------------------------------------------------------------- metamorphic


@every_line
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: f" \t{text}\t ",
        lambda text: f"{text} # why",
        lambda text: f"{text}\t#",
        lambda text: re.sub(r" ?([|/:]) ?", r"\1", text),
        lambda text: re.sub(r" ?([|/:]) ?", r" \1  ", text),
    ],
    ids=["tabs", "spaces", "margins", "comment", "empty comment", "tight marks", "loose marks"],
)
def test_spacing_and_comments_change_nothing(
    text: str, verb: str, actor: int | None, arguments: dict[str, Value], change: object
) -> None:
    assert callable(change)
    assert same(SPIT.parse(change(text)), SPIT.parse(text))


# ---------------------------------------------------------------- round trips

whole_cards = st.sampled_from([code for code in range(len(NAMES)) if code != NO_CARD])
piles = st.lists(whole_cards, max_size=8).map(tuple)
VALUES = {
    "PLAYER": st.integers(0, 1),
    "DIGIT": st.integers(0, 9),
    "WHOLE": st.integers(0, 999_999_999),
    "CARD": whole_cards,
    "CARDS": piles,
}


def value_of(part: Argument) -> st.SearchStrategy[object]:
    """Values of an argument."""
    kinds = [VALUES[each] for each in part.types]
    return kinds[0] if len(kinds) == 1 else st.tuples(*kinds)


@st.composite
def events(draw: st.DrawFn) -> tuple[str, int | None, dict[str, Value], str | None]:
    """Any event that Spit's grammar can write."""
    forms: list[Form] = [form for forms in SPIT.forms.values() for form in forms]
    form = draw(st.sampled_from(forms))
    values: dict[str, Any] = {name: None for other in SPIT.forms[form.name] for name in other.names}
    values |= {part.name: draw(value_of(part)) for part in form.arguments}
    values |= {part.name: part.value for part in form.constants}
    actor = draw(st.integers(0, 1)) if form.has_actor else None
    reasons = st.sampled_from((None, "", *SPIT.table.reasons))
    return form.name, actor, values, None if form.observation else draw(reasons)


@given(events())
def test_printed_text_reads_back(event: tuple[str, int | None, dict[str, Value], str | None]) -> None:
    verb, actor, values, refused = event
    body = SPIT.parse(SPIT.text(verb, actor, values, refused))
    assert (body.verb, body.actor, dict(body.arguments), body.refused) == (verb, actor, values, refused)


def test_what_the_grammar_cannot_write_is_told() -> None:
    with pytest.raises(LookupError):
        SPIT.text("shuffle", 0, {})
    with pytest.raises(LookupError):
        SPIT.text("flip", 0, {"card": 3})
    with pytest.raises(LookupError, match="no grammar for 'chess'"):
        Notation("chess")


# ---------------------------------------------------------------- Lark is the definition


def lark_accepts(text: str) -> bool:
    """Whether Lark's own parser takes a whole line."""
    try:
        LARK.parse(text)
    except LarkError:
        return False
    return True


def read_line(text: str) -> None:
    """Read a whole line: number, time and body."""
    start = split_prefix(text).start
    if text[start:].strip(" \t") and not text[start:].startswith("#"):
        SPIT.parse(text[start:])


def we_accept(text: str) -> bool:
    """Whether number, time and body are all read."""
    return complaint(read_line, text) is None


VOCABULARY = """
A B play flip move deal spit call see stock pile round end finished blocked win tie score total refused race from on at
to of down 7D 10H t♥ ?? 7? !! ??*3 - | / : 3 12 1: A: 5H|9C # #x @3.5 @1-2 @x 17
"""
words = st.sampled_from(VOCABULARY.split())


@given(st.lists(words, max_size=9).map(" ".join))
def test_nothing_is_read_that_lark_would_not_read(text: str) -> None:
    if we_accept(text):
        assert lark_accepts(text)


@given(events(), st.data())
def test_lines_with_one_word_changed_are_read_if_lark_reads_them(
    event: tuple[str, int | None, dict[str, Value], str | None], data: st.DataObject
) -> None:
    parts = SPIT.text(*event).split(" ")
    place = data.draw(st.integers(0, len(parts) - 1))
    changed = data.draw(st.sampled_from(("replace", "drop", "insert", "keep")))
    word = data.draw(words)
    cut = 0 if changed == "insert" else 1
    line = parts if changed == "keep" else parts[:place] + [word] * (changed != "drop") + parts[place + cut :]
    text = " ".join(line)
    codes = sum(len(each) for each in re.findall(r"\?\?\*(\d+)", text))
    if codes == 0 and not re.search(r"\d{10}", text):  # sizes are our own limits, not the grammar's
        assert we_accept(text) == lark_accepts(text), text


# ---------------------------------------------------------------- what is said of the rest


@pytest.mark.parametrize(("text", "fault", "message", "hint"), BROKEN, ids=[line[0] for line in BROKEN])
def test_messages(text: str, fault: str, message: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        SPIT.parse(text)
    error = caught.value
    assert (error.message, error.hint) == (message, hint)
    assert text[error.column : error.end_column] == fault


@given(st.text(max_size=60) | st.lists(words, max_size=12).map(" ".join))
def test_no_text_is_too_strange(text: str) -> None:
    error = complaint(SPIT.parse, text)
    if error is not None:
        assert 0 <= error.column < error.end_column <= max(1, len(text))
        assert error.message.isprintable()
        assert error.hint.isprintable()


@pytest.mark.parametrize("text", [line[0] for line in LINES])
def test_a_line_spoiled_at_any_place_is_read_or_explained(text: str) -> None:
    reads_or_explains(SPIT.parse, text)


def test_a_long_line_of_cards_is_refused_fast() -> None:
    with pytest.raises(NotationError):
        SPIT.parse("A deal " + "5H " * 20_000 + "x")
    with pytest.raises(NotationError):
        SPIT.parse("A deal " + "5H|" * 20_000)


# ---------------------------------------------------------------- recorded games and the page

RECORDED = sorted((Path(__file__).parents[2] / "traces" / "recorded" / "spit").glob("*.gamelog"))
README = Path(__file__).parents[2] / "grammar" / "README.md"


@pytest.mark.skipif(not RECORDED, reason="traces/recorded/spit holds no games")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_line_of_a_recorded_game_is_read(path: Path) -> None:
    from fairdeal.checker.reading.logs import Kind, classify

    read = 0
    for line in path.read_text("utf-8").splitlines():
        if classify(line) is Kind.EVENT:
            body = line[split_prefix(line).start :]
            found = SPIT.parse(body)
            assert same(SPIT.parse(SPIT.text(found.verb, found.actor, found.arguments, found.refused)), found)
            read += 1
    assert read > 50


def fenced(language: str) -> list[str]:
    """Lines of the page's examples in one language."""
    found = re.findall(rf"^```{language}\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in found for line in block.splitlines() if line]


def test_the_page_s_examples_are_read() -> None:
    from fairdeal.checker.reading.logs import Kind, classify

    events = [line for line in fenced("gamelog") if classify(line) is Kind.EVENT]
    verbs = {SPIT.parse(line[split_prefix(line).start :]).verb for line in events}
    assert verbs == set(SPIT.forms)


def test_the_page_s_headers_are_read() -> None:
    from fairdeal.checker.reading.header import HeaderBuilder
    from fairdeal.checker.reading.logs import Kind, begins_game, classify

    builder = HeaderBuilder()
    for number, line in enumerate(fenced("gamelog"), 1):
        if classify(line) is Kind.HEADER:
            if begins_game(line):
                assert not builder.finish().problems or number == 1
                builder = HeaderBuilder()
            builder.feed(number, line)
    header = builder.finish()
    assert header.problems == ()
    assert header.id == "table #7"


def test_the_page_s_objects_are_read() -> None:
    from fairdeal.checker.reading.json_lines import load_object

    objects = [load_object(line) for line in fenced("json")]
    verbs = {SPIT.from_json(each)[1].verb for each in objects if "gamelog" not in each}
    assert verbs == set(SPIT.forms)
