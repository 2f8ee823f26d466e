"""A table on a terminal: cards in colour, or the words of `see` lines where there is no colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fairdeal.checker.judging.board import Drawing, Place, Row
from fairdeal.checker.reporting.terminal import SUIT_SIGNS, Paint, columns, visible
from fairdeal.spec.cards import RANKS, SUITS

SIGNS = dict(zip(SUITS, SUIT_SIGNS, strict=True))
"""Each suit's letter with its sign."""

_RED = frozenset("HD")
_CARD = re.compile(rf"(?<![^ ])([{RANKS}])([{SUITS}])(?![^ ])")
"""A card amid the words of a drawing, which are set apart by spaces."""

_EDGE = 2
"""Columns between two places."""


def tabletop(board: str, paint: Paint, signs: bool, width: int) -> list[str]:
    """A drawing as lines of at most ``width`` columns, coloured ones with cards, plain ones in words."""
    if not paint.on or not isinstance(board, Drawing) or not board.rows:
        lines = [visible(line) for line in board.rstrip("\n").split("\n")]
        return [_CARD.sub(lambda card: card[1] + SIGNS[card[2]], line) for line in lines] if signs else lines
    margin = max(len(row.label) for row in board.rows) + _EDGE
    lines = []
    for row in _gathered(board.rows):
        lines += [""] * bool(lines)
        begin = paint("bold", row.label) + " " * (margin - len(row.label))
        for top, below in _cut(row.places, width - margin, paint, signs):
            lines += [f"{begin}{top}".rstrip(), f"{' ' * margin}{below}".rstrip()]
            begin = " " * margin
    return [*lines, "", paint("dim", visible(board.status))]


def _gathered(rows: Iterable[Row]) -> list[Row]:
    """Rows without a label stand beside one another, as far as there is room."""
    found: list[Row] = []
    for row in rows:
        if found and not row.label and not found[-1].label:
            found[-1] = Row("", (*found[-1].places, *row.places))
        else:
            found.append(row)
    return found


def _cut(places: Iterable[Place], width: int, paint: Paint, signs: bool) -> Iterator[tuple[str, str]]:
    """Pairs of lines: cards, and below them what their places are called."""
    top, below, used = "", "", 0
    for place in places:
        for cards, name in _parts(place, width, signs):
            wide = max(sum(columns(text) for text, _ in cards) + len(cards) - 1, columns(name))
            if used and used + wide > width:
                yield top, below
                top, below, used = "", "", 0
            drawn = " ".join(paint(style, text) for text, style in cards)
            shown = sum(columns(text) for text, _ in cards) + len(cards) - 1
            top += drawn + " " * (wide - shown + _EDGE)
            below += paint("dim", name) + " " * (wide - columns(name) + _EDGE)
            used += wide + _EDGE
    if used:
        yield top, below


def _parts(place: Place, width: int, signs: bool) -> Iterator[tuple[list[tuple[str, str]], str]]:
    """The cards of a place with their styles, in pieces that fit the width, the first with the place's name."""
    times = "×" if signs else "x"
    name = place.label if place.spread or place.size == 1 else f"{place.label} {times}{place.size}"
    if not place.size:
        yield [(" -- ", "dim")], place.label
        return
    if not place.seen:
        yield [(" ▒▒ " if signs else " ## ", "card back")], name
        return
    cards = [_card(card, signs) for card in place.seen]
    most = max(1, (width + 1) // 5)
    for start in range(0, len(cards), most):
        yield cards[start : start + most], name if start == 0 else ""


def _card(name: str, signs: bool) -> tuple[str, str]:
    """A card's text and style."""
    suit = name[-1]
    text = name[:-1] + SIGNS[suit] if signs and suit in SIGNS else name
    style = "dim card" if suit not in SIGNS else "red card" if suit in _RED else "black card"
    return f" {text} ", style
