"""Text on a terminal: what is safe to show, how wide it is, how it wraps, how it is coloured."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TextIO

TAB = 4
NARROWEST = 30
WIDEST_PROSE = 80

STANDARD_INPUT = "<stdin>"

SUIT_SIGNS = "♠♥♦♣"
"""Spades, hearts, diamonds, clubs: the black signs, which most fonts have."""

ColorChoice = Literal["auto", "always", "never"]
SuitsChoice = Literal["auto", "unicode", "ascii"]

_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"))
_COMBINING = frozenset(("Mn", "Me"))
_MOST_MARKS = 4
"""Combining marks kept on one letter; more would only deface the lines around."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of a text as it is shown, and how many columns of the terminal it takes."""

    text: str
    width: int


def cells(text: str) -> list[Cell]:
    """Lays a text out in cells, one for each character; what cannot be seen is written as an escape."""
    if text.isascii() and text.isprintable():
        return [Cell(letter, 1) for letter in text]
    shown: list[Cell] = []
    marks = _MOST_MARKS
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in _COMBINING else 0
        shown.append(_escape(letter) if marks > _MOST_MARKS else _cell(letter))
    return shown


def _cell(letter: str) -> Cell:
    if letter == "\t":
        return Cell(" " * TAB, TAB)
    if letter == " ":
        return Cell(letter, 1)
    kind = unicodedata.category(letter)
    if kind in _INVISIBLE:
        return _escape(letter)
    if kind in _COMBINING:
        return Cell(letter, 0)
    return Cell(letter, 2 if unicodedata.east_asian_width(letter) in "WF" else 1)


def _escape(letter: str) -> Cell:
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was no UTF-8, as Python smuggles it through
        code -= 0xDC00
    if code <= 0xFF:
        text = f"\\x{code:02x}"
    elif code <= 0xFFFF:
        text = f"\\u{code:04x}"
    else:
        text = f"\\U{code:08x}"
    return Cell(text, len(text))


def visible(text: str) -> str:
    """Makes a text from a log safe to print: control, invisible and bidirectional characters are escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(cell.text for cell in cells(text))


def visible_path(path: str) -> str:
    r"""Makes a path safe to print, so that no two names look the same.

    A backslash of its own is doubled; ``\x85`` is a byte that is no UTF-8, ``\u0085`` the character of that number.
    ``-`` is standard input, and called so; a file of the same name has ``./`` before it.
    """
    if path == "-":
        return STANDARD_INPUT
    if path == STANDARD_INPUT:
        return f"./{path}"
    if path.isascii() and path.isprintable() and "\\" not in path:
        return path
    return "".join(map(path_letter, path))


def path_letter(letter: str) -> str:
    """One character of a path as `visible_path` writes it."""
    if letter == "\\":
        return letter if os.sep == letter else letter * 2
    if letter == "\t" or ("\x7f" < letter <= "\xff" and unicodedata.category(letter) in _INVISIBLE):
        return f"\\u{ord(letter):04x}"
    return _cell(letter).text


def columns(text: str) -> int:
    """Counts the terminal columns that a text takes once it is made visible."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(cell.width for cell in cells(text))


def clipped(text: str, most: int) -> str:
    """Cuts a text after ``most`` characters and says so with dots."""
    return text if len(text) <= most else text[: most - 3] + "..."


def wrap(words: Iterable[str], width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Fills lines with words that are never split unless one alone is wider than a line.

    ``first`` begins the first line and ``rest`` the others; spaces as wide as ``first`` if it is None.
    The words are made visible here.
    """
    rest = " " * columns(first) if rest is None else rest
    least = max(8, width - columns(rest))
    lines: list[str] = []
    line, used, room = first, 0, max(8, width - columns(first))
    for word in (piece for each in words for piece in _pieces(visible(each), least)):
        wanted = used + bool(used) + columns(word)
        if wanted > room and (used or room < least):
            lines.append(line.rstrip())
            line, used, room = rest, 0, least
        line += " " * bool(used) + word
        used += bool(used) + columns(word)
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    if columns(word) <= width:
        return [word]
    pieces, piece, used = [], "", 0
    for cell in cells(word):
        if used + cell.width > width:
            pieces.append(piece)
            piece, used = "", 0
        piece += cell.text
        used += cell.width
    return [*pieces, piece]


def sentence(text: str) -> list[str]:
    """Splits prose into the words that ``wrap`` fills lines with."""
    return re.split(r"[ \n]+", text.strip())


_STYLES: Mapping[str, str] = {
    "error": "1;31",
    "reading": "1;35",
    "unknown": "1;36",
    "warning": "1;33",
    "note": "1;32",
    "legal": "1;32",
    "incomplete": "1;33",
    "reading-dependent": "1;35",
    "violation": "1;31",
    "malformed": "1;31",
    "bold": "1",
    "gutter": "1;34",
    "aside": "34",
    "dim": "2",
    "red card": "1;31;107",
    "black card": "1;30;107",
    "dim card": "90;107",
    "card back": "97;44",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours by ANSI escapes, or, switched off, leaves every text as it is."""

    on: bool = False

    def __call__(self, style: str, text: str) -> str:
        """Returns the text in a style, a key of the table above."""
        return f"\033[{_STYLES[style]}m{text}\033[0m" if self.on and text else text


def wants_color(choice: ColorChoice, out: TextIO, env: Mapping[str, str] = os.environ) -> bool:
    """Decides on colour: by the call, else NO_COLOR, else FORCE_COLOR, else whether it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return True
    return env.get("TERM") != "dumb" and is_terminal(out)


def wants_signs(choice: SuitsChoice, out: TextIO) -> bool:
    """Decides on suits as signs: by the call, else whether it is a terminal whose encoding has them."""
    if choice != "auto":
        return choice == "unicode"
    try:
        f"{SUIT_SIGNS}▒×".encode(out.encoding or "ascii")
    except (AttributeError, LookupError, UnicodeEncodeError):
        return False
    return is_terminal(out)


def is_terminal(out: TextIO) -> bool:
    """Whether somebody watches this stream; a closed one is not watched."""
    try:
        return out.isatty()
    except ValueError:
        return False


def terminal_width() -> int:
    """Columns of the terminal, from COLUMNS or the window; 80 where there is neither."""
    return max(NARROWEST, shutil.get_terminal_size((80, 24)).columns)
