"""Drawing a table as text, in the words of the notation's `see` lines."""

from __future__ import annotations

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.binding import Binder
from fairdeal.spec.cards import card_name
from fairdeal.spec.language.board import Shown


def draw(binder: Binder, state: State) -> str:
    """The table, one line for each row of the game's board, and below it how far the game is."""
    board = binder.game.board
    width = max((len(line.label) for line in board.lines), default=0)
    rows = []
    for line in board.lines:
        zones = [one for one in line.zones if not one.optional or state[binder.layout.position[one.zone, one.index]]]
        if line.zones and not zones:
            continue
        cells = [f"{shown.label}: {_zone(binder, state, shown)}" for shown in zones]
        rows.append((f"{line.label:<{width}}  " + " ".join(f"{cell:<12}" for cell in cells)).rstrip())
    status = [f"{name} {_cell(binder, state, name)}" for name in board.status]
    return "\n".join([*rows, ", ".join(status)])


def _zone(binder: Binder, state: State, shown: Shown) -> str:
    zone = state[binder.layout.position[shown.zone, shown.index]]
    size = len(zone) if isinstance(zone, list) else bags.size(zone)
    if shown.hidden:
        return str(size)
    if not size:
        return "- of 0"
    if not isinstance(zone, list):
        return " ".join(card_name(code) for code in bags.cards(zone))
    up = not shown.faced or state[binder.layout.position[shown.faced, shown.index]]
    return f"{card_name(zone[-1]) if up else 'down'} of {size}"


def _cell(binder: Binder, state: State, name: str) -> str:
    variable = binder.layout.variables[name]
    return variable.sort.label(state[binder.layout.position[name, ()]]).lower()
