"""Where the caret stands, whatever the line holds and however narrow the terminal is."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from fairdeal.checker.reporting.snippet import Mark, underlined, window
from fairdeal.checker.reporting.terminal import Paint, cells, columns, visible

DEAL = "A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS / 6S TC AC 8H 3D 7C 5S KD QS JD 2H"


def rows(source: str, *marks: Mark, width: int = 80) -> list[str]:
    return underlined(7, source, marks, 1, width, Paint())


def at(source: str, words: str, label: str = "", sign: str = "^") -> Mark:
    column = source.index(words) + 1
    return Mark(column, column + len(words), "error", sign, label)


def test_tabs_and_wide_letters_move_the_caret():
    line = "\tA\t\u5f20e\u0301 7D"
    assert rows(line, at(line, "7D")) == ["7 |     A    \u5f20e\u0301 7D", "  |              ^^"]
    assert rows(line, at(line, "\u5f20")) == ["7 |     A    \u5f20e\u0301 7D", "  |          ^^"]


def test_an_escaped_character_is_underlined_as_a_whole():
    line = "A \033[1m 7D"
    assert rows(line, at(line, "\033")) == ["7 | A \\x1b[1m 7D", "  |   ^^^^"]


def test_a_place_past_the_end_of_the_line():
    assert rows("A play", Mark(7, 7, "error")) == ["7 | A play", "  |       ^"]
    assert rows("A play", Mark(700, 900, "error")) == ["7 | A play", "  |       ^"]


def test_a_long_line_is_cut_at_the_right():
    assert rows(DEAL, at(DEAL, "9C"), width=40) == [
        "7 | A deal 5H | 9C 2D | JS 3H 8D | 4C...",
        "  |             ^^",
    ]


def test_a_long_line_is_cut_at_both_sides():
    assert rows(DEAL, at(DEAL, "TD"), width=40) == [
        "7 | ...7S KH | 2S 9H TD QC AS / 6S TC...",
        "  |                  ^^",
    ]


def test_a_long_line_is_cut_at_the_left():
    assert rows(DEAL, at(DEAL, "2H"), width=40) == [
        "7 | ...6S TC AC 8H 3D 7C 5S KD QS JD 2H",
        "  |                                  ^^",
    ]


def test_words_longer_than_the_terminal():
    line = "A " + "x" * 100 + " B"
    assert rows(line, at(line, "x" * 100), width=40) == [
        "7 | A xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...",
        "  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]


def test_two_marks_on_one_line_and_two_too_far_apart():
    assert rows(DEAL, at(DEAL, "QS"), at(DEAL, "9C", "first", "-"), width=110) == [
        f"7 | {DEAL}",
        f"  | {' ' * DEAL.index('QS')}^^",
        f"  | {' ' * DEAL.index('9C')}-- first",
    ]
    assert rows(DEAL, at(DEAL, "QS"), at(DEAL, "9C", "first", "-"), width=40) == [
        "7 | ...6S TC AC 8H 3D 7C 5S KD QS JD 2H",
        "  |                            ^^",
        "7 | A deal 5H | 9C 2D | JS 3H 8D | 4C...",
        "  |             -- first",
    ]


def test_a_label_that_does_not_fit_stands_below():
    line = "B play 5C from 3 on 1"
    assert rows(line, at(line, "5C", "5C was put on top of pile 1 here", "-"), width=40) == [
        "7 | B play 5C from 3 on 1",
        "  |        --",
        "  |        5C was put on top of pile 1",
        "  |        here",
    ]


@example("00000\U00018d09\U0001b2fc0", (6, 8), 24)  # the words at fault are wider than what is shown
@given(st.text(max_size=150), st.tuples(st.integers(1, 151), st.integers(1, 151)), st.integers(24, 100))
def test_the_caret_stands_under_its_words_and_all_fits(source, place, width):
    column, end_column = sorted(min(each, len(source) + 1) for each in place)
    shown = window(source, column, end_column, width)
    assert columns(shown.text) == shown.width <= width
    start, length = shown.place(column, end_column)
    assert length >= 1
    assert start + length <= width
    first = cells(source)[column - 1 : column]
    if first and first[0].width and end_column > column:
        assert _from(shown.text, start).startswith(visible(source[column - 1]))


def _from(text: str, start: int) -> str:
    """The first letter of a visible text that begins at a terminal column, and marks on it."""
    used = 0
    for number, cell in enumerate(cells(text)):
        if used == start and cell.width:
            return text[number:]
        used += cell.width
    return ""
