"""What of a log's text may reach a terminal, and how it is measured and wrapped."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reporting.terminal import Paint, cells, columns, visible, wants_color, wrap

ANYTHING = st.text(alphabet=st.characters(), max_size=80)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A play 7D", "A play 7D"),
        ("\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b2J", "\\x9b2J"),  # the one-character form of ESC [
        ("a\u202eb", "a\\u202eb"),
        ("a\u00a0b\u3000c\u200bd", "a\\xa0b\\u3000c\\u200bd"),
        ("a\nb\rc\u2028d", "a\\x0ab\\x0dc\\u2028d"),
        ("\udcff\ud800", "\\xff\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("T\u2665 \u05d0\u05d1", "T\u2665 \u05d0\u05d1"),
        ("\tx", "    x"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 4 + "\\u0301" * 5),
    ],
)
def test_what_is_shown(text, shown):
    assert visible(text) == shown


@given(ANYTHING)
def test_nothing_that_a_terminal_obeys_is_ever_shown(text):
    kinds = {unicodedata.category(letter) for letter in visible(text)} - {"Zs"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert all(letter == " " for letter in visible(text) if letter.isspace())


@given(ANYTHING)
def test_there_is_one_cell_for_each_character(text):
    assert len(cells(text)) == len(text)
    assert columns(text) == sum(cell.width for cell in cells(text))


def test_wide_and_combining_characters_are_measured():
    assert columns("\u5f20\u4f1f") == 4
    assert columns("e\u0301") == 1


@given(st.lists(st.text(alphabet="ab\u5f20\u0301\x07", min_size=1, max_size=50), max_size=20), st.integers(20, 90))
def test_wrapped_lines_fit_and_lose_nothing(words, width):
    lines = wrap(words, width, "  = x: ")
    assert all(columns(line) <= width for line in lines)
    assert "".join("".join(lines).split())[3:] == "".join(map(visible, words))


def test_wrapping_keeps_words_and_hangs():
    assert wrap(["A flip at 3,", "A spit 2H on 1"], 24, "legal: ") == ["legal: A flip at 3,", "       A spit 2H on 1"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "out", "env", "wanted"),
    [
        ("auto", Terminal(), {}, True),
        ("auto", io.StringIO(), {}, False),
        ("auto", Terminal(), {"NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"NO_COLOR": ""}, True),
        ("auto", Terminal(), {"TERM": "dumb"}, False),
        ("auto", io.StringIO(), {"FORCE_COLOR": "1"}, True),
        ("auto", Terminal(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1"}, True),
        ("never", Terminal(), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_gets_colour(choice, out, env, wanted):
    assert wants_color(choice, out, env) is wanted


def test_paint_switched_off_changes_nothing():
    assert Paint()("error", "x") == "x"
    assert Paint(True)("error", "x") == "\033[1;31mx\033[0m"
