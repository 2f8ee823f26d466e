"""Boards: what lies where on a game's table, and the table as text in the words of the notation's `see` lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.reading.values import kind
from fairdeal.spec.cards import RANKS, card_name, rank_of
from fairdeal.spec.language.board import Shown

WIDTH = 72
"""Columns that a drawing takes at most, so that it fits 80 beside the line numbers of a report."""


def lying(layout: Layout, state: State, shown: Shown) -> list[int]:
    """The codes of the cards in a place on the table: those of a stack from its bottom to its top."""
    names = (shown.zone, shown.joined) if shown.joined else (shown.zone,)
    found: list[int] = []
    for name in reversed(names):
        zone = state[layout.position[name, shown.index]]
        found += zone if isinstance(zone, list) else bags.cards(zone)
    return in_sequence(found) if shown.sequence else found


def in_sequence(cards: list[int]) -> list[int]:
    """Cards in the order of their ranks around the circle, begun after the widest gap, so that an ace may come last."""
    ranks = sorted({rank for rank in map(rank_of, cards) if rank is not None})
    if not ranks:
        return cards
    gaps = [((rank - before) % len(RANKS), rank) for before, rank in zip([ranks[-1], *ranks], ranks, strict=False)]
    first = max(gaps, key=lambda gap: (gap[0], -gap[1]))[1]

    def order(code: int) -> tuple[int, int]:
        rank = rank_of(code)
        return (len(RANKS) if rank is None else (rank - first) % len(RANKS), code)

    return sorted(cards, key=order)


@dataclass(frozen=True, slots=True)
class Place:
    """What of one place on the table can be seen."""

    label: str
    size: int
    """How many cards lie there."""
    seen: tuple[str, ...] = ()
    """Names of those that can be seen: the top of a pile, or all of a spread."""
    spread: bool = False
    hidden: bool = False
    """Only the size is shown, even if there is nothing."""

    @property
    def words(self) -> str:
        """The place in the words of a `see` line."""
        if self.hidden:
            return f"{self.label}: {self.size}"
        if not self.size:
            return f"{self.label}: - of 0"
        if self.spread:
            return f"{self.label}: {' '.join(self.seen)}"
        return f"{self.label}: {self.seen[0] if self.seen else 'down'} of {self.size}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of places, after a word that says whose or what they are."""

    label: str
    places: tuple[Place, ...]


class Drawing(str):
    """A table as text in the words of `see` lines, which still knows its rows, for whoever can draw cards."""

    rows: tuple[Row, ...]
    status: str

    def __new__(cls, text: str, rows: tuple[Row, ...] = (), status: str = "") -> Drawing:
        """Make one from its text, and what the text says."""
        made = super().__new__(cls, text)
        made.rows, made.status = rows, status
        return made


def draw(binder: Binder, state: State, labels: Labels | None = None) -> Drawing:
    """The table, row after row of the game's board, and below it how far the game is.

    No line is wider than `WIDTH`. ``labels`` are those that the log has for places.
    """
    board, layout = binder.game.board, binder.layout
    rows = []
    for line in board.lines:
        shown = [one for one in line.zones if not one.optional or state[layout.position[one.zone, one.index]]]
        if shown or not line.zones:
            rows.append(Row(line.label, tuple([_place(binder, state, one, labels) for one in shown])))
    words = {name: cell_word(binder, state, name) for name in board.status}
    status = ", ".join(f"{name} {said}" for name, said in words.items() if said)
    if state == layout.initial():
        status = "nothing has happened yet: the game stands before its first round"
    return Drawing("\n".join([*_lines(rows), status]), tuple(rows), status)


def _place(binder: Binder, state: State, shown: Shown, labels: Labels | None) -> Place:
    layout = binder.layout
    cards = lying(layout, state, shown)
    label = shown.label
    if labels is not None and shown.zone == binder.game.labelled:
        label = kind("LABEL").write(labels.label(shown.index[0]))
    if shown.hidden:
        return Place(label, len(cards), hidden=True)
    if layout.variables[shown.zone].kind == "bag":
        return Place(label, len(cards), tuple([card_name(code) for code in cards]), spread=True)
    up = not shown.faced or state[layout.position[shown.faced, shown.index]]
    return Place(label, len(cards), (card_name(cards[-1]),) if cards and up else ())


def _lines(rows: list[Row]) -> Iterator[str]:
    """Rows as lines; the players' places stand in columns."""
    margin = max((len(row.label) for row in rows), default=0) + 2
    widths: dict[tuple[bool, int], int] = {}
    for row in rows:
        for column, place in enumerate(row.places):
            key = (bool(row.label), column)
            widths[key] = max(widths.get(key, 0), len(place.words))
    for row in rows:
        line, begin = row.label.ljust(margin), margin
        for column, place in enumerate(row.places):
            words = place.words.ljust(widths[bool(row.label), column])
            if len(line) > begin and len(line) + len(words.rstrip()) > WIDTH:
                yield line.rstrip()
                line = " " * margin
            while len(line + words.rstrip()) > WIDTH:  # a spread of many cards
                cut = words.rindex(" ", 0, WIDTH - len(line) + 1)
                yield line + words[:cut]
                line, words = " " * (begin + len(place.label) + 2), words[cut + 1 :]
            line += words + "  "
        yield line.rstrip()


def instead(binder: Binder, state: State, name: str) -> str | None:
    """What the board says instead of a cell's value, perhaps nothing (the empty text); ``None`` where it counts."""
    for one in binder.game.board.instead:
        if one.cell == name and binder.interpreter.value(binder.game.derived[one.condition], state, {}):
            return one.word
    return None


def cell_word(binder: Binder, state: State, name: str) -> str:
    """What a cell without index says, in a word; the empty text where it says nothing that counts."""
    said = instead(binder, state, name)
    if said is not None:
        return said
    value = state[binder.layout.position[name, ()]]
    if not isinstance(value, int):
        return "unknown"
    label = binder.layout.variables[name].sort.label(value)
    return label if len(label) == 1 else label.lower()
