"""Boards: what lies where on a game's table, and the table as text in the words of the notation's `see` lines."""

from __future__ import annotations

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.judging.binding import Binder
from fairdeal.spec.cards import RANKS, card_name, rank_of
from fairdeal.spec.language.board import Shown


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


def draw(binder: Binder, state: State) -> str:
    """The table, one line for each row of the game's board, and below it how far the game is."""
    board, layout = binder.game.board, binder.layout
    margin = max((len(line.label) for line in board.lines), default=0)
    rows = []
    for line in board.lines:
        zones = [one for one in line.zones if not one.optional or state[layout.position[one.zone, one.index]]]
        if line.zones and not zones:
            continue
        cells = [f"{shown.label}: {_zone(binder, state, shown)}" for shown in zones]
        rows.append((f"{line.label:<{margin}}  " + " ".join(f"{cell:<12}" for cell in cells)).rstrip())
    status = [f"{name} {cell_word(binder, state, name)}" for name in board.status]
    return "\n".join([*rows, ", ".join(status)])


def _zone(binder: Binder, state: State, shown: Shown) -> str:
    cards = lying(binder.layout, state, shown)
    if shown.hidden:
        return str(len(cards))
    if not cards:
        return "- of 0"
    if not isinstance(state[binder.layout.position[shown.zone, shown.index]], list):
        return " ".join(card_name(code) for code in cards)
    up = not shown.faced or state[binder.layout.position[shown.faced, shown.index]]
    return f"{card_name(cards[-1]) if up else 'down'} of {len(cards)}"


def cell_word(binder: Binder, state: State, name: str) -> str:
    """What a cell without index says, in a word."""
    value = state[binder.layout.position[name, ()]]
    label = binder.layout.variables[name].sort.label(value)
    return label if len(label) == 1 else label.lower()
