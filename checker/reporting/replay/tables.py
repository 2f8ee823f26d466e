"""Tables: where a game's zones stand on the page, and what of its state each of them shows.

The page knows no game. It gets a list of slots, each a zone's cards or a cell's value, and a layout that points to
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.board import cell_word, instead, lying
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.reading.values import kind
from fairdeal.spec.cards import card_name
from fairdeal.spec.language.board import Line, Shown

NOT_KNOWN = "?"
"""What stands for a number that cards which nobody recorded leave open."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that the page shows: the cards of a zone, a cell's number or word, or what the log calls a zone."""

    kind: str
    """``cards``, ``number``, ``word`` or ``label``."""
    shown: Shown | None = None
    cell: str = ""
    index: tuple[int, ...] = ()


class TableView:
    """What the page shows of one game's tables; games under the same rules share it."""

    def __init__(self, binder: Binder) -> None:
        self.binder = binder
        self.slots: list[Slot] = []
        self._known: dict[Slot, int] = {}
        board = binder.game.board
        self.layout: dict[str, Any] = {
            "lines": [self._line(line) for line in board.lines],
            "status": [
                {"label": name, "slot": self._slot(Slot("word", cell=name))}
                for name in board.status
                if name != board.turn
            ],
            "turn": self._slot(Slot("number", cell=board.turn)) if board.turn else None,
        }

    def values(self, state: State, labels: Labels) -> list[str | int]:
        """The value of each slot: cards as two characters each, from the bottom to the top."""
        return [self._value(slot, state, labels) for slot in self.slots]

    def _slot(self, slot: Slot) -> int:
        if slot not in self._known:
            self._known[slot] = len(self.slots)
            self.slots.append(slot)
        return self._known[slot]

    def _line(self, line: Line) -> dict[str, Any]:
        return {
            "label": line.label,
            "player": line.player,
            "counts": [
                {"label": each.label, "slot": self._slot(Slot("number", cell=each.cell, index=each.index))}
                for each in line.counts
            ],
            "zones": [self._zone(shown) for shown in line.zones],
        }

    def _zone(self, shown: Shown) -> dict[str, Any]:
        layout, game = self.binder.layout, self.binder.game
        labelled = shown.zone == game.labelled
        return {
            "label": shown.label,
            "zone": shown.zone.replace("_", " "),
            "name": f"{shown.zone.replace('_', ' ')} {shown.label}" if shown.label.isdecimal() else shown.label,
            "called": self._slot(Slot("label", shown=shown)) if labelled else None,
            "cards": self._slot(Slot("cards", shown=shown)),
            "spread": layout.variables[shown.zone].kind == "bag",
            "faced": self._slot(Slot("number", cell=shown.faced, index=shown.index)) if shown.faced else None,
            "owner": self._slot(Slot("number", cell=shown.owner, index=shown.index)) if shown.owner else None,
            "hidden": shown.hidden,
            "optional": shown.optional,
        }

    def _value(self, slot: Slot, state: State, labels: Labels) -> str | int:
        position = self.binder.layout.position
        if slot.shown is not None and slot.kind == "cards":
            return "".join([_two(code) for code in lying(self.binder.layout, state, slot.shown)])
        if slot.shown is not None:
            taken = bool(state[position[slot.shown.zone, slot.shown.index]])
            return kind("LABEL").write(labels.label(slot.shown.index[0])) if taken else ""
        if slot.kind == "word":
            return cell_word(self.binder, state, slot.cell)
        said = instead(self.binder, state, slot.cell)
        if said is not None:
            return said
        value = state[position[slot.cell, slot.index]]
        return int(value) if isinstance(value, int) else NOT_KNOWN


def _two(code: int) -> str:
    """A card in two characters, which is what the page counts in."""
    return card_name(code).ljust(2)


def change(before: str | int, after: str | int) -> list[str | int] | None:
    """How a slot's value came about: nothing, the new value, or how many cards stay and which are put on them."""
    if before == after:
        return None
    if isinstance(before, int) or isinstance(after, int):
        return [after]
    same = 0
    while before[same : same + 2] == after[same : same + 2] != "":
        same += 2
    return [same // 2, after[same:]] if same else [after]
