"""Rows that a line could state: found from an event's guards, and then asked of all of them.

Guards say from which set of cards a row comes, and that the row, alone or with the cards of a zone, has to be in a
finite table or of one size. Where they say no such thing, as for a deal, the rows are left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.terms import Term


class Shape:
    """What an event's guards tell of its one row: where its cards come from, and which sets it may make up."""

    def __init__(self, event: Event) -> None:
        rows = [one for one in event.parameters if one.role == "rows"]
        self.name = rows[0].name if len(rows) == 1 else ""
        row = terms.node("row", (), (self.name, None), rows[0].sort) if rows else None
        self.among: Term | None = None
        self.tables: list[tuple[Term | None, tuple[int, ...]]] = []
        self.single = False
        for guard in event.guards:
            for one in terms.subterms(guard.condition):
                self._note(one, row)

    def _note(self, one: Term, row: Term | None) -> None:
        if one.op == "stranger" and one.args[1:] == (row,):
            self.among = one.args[0]
        elif one.op == "listed" and isinstance(one.value, tuple):
            parts = one.args[0].args if one.args[0].op == "union" else one.args
            others = [part for part in parts if not (part.op == "named" and part.args == (row,))]
            if len(others) == len(parts) - 1 and len(others) <= 1:
                entry = (others[0] if others else None, one.value)
                if entry not in self.tables:
                    self.tables.append(entry)
        elif one.op == "eq" and one.args[0].op == "length" and one.args[0].args == (row,):
            self.single |= one.args[1] is terms.const(1)

    @property
    def known(self) -> bool:
        """Whether rows can be found."""
        return bool(self.name) and self.among is not None and (bool(self.tables) or self.single)

    def masks(self, interpreter: Interpreter, state: State, values: Mapping[str, Any], pool: int) -> list[int]:
        """Sets of cards of a pool that the row may be, the largest first; other guards are still to be asked."""
        return sorted(_masks(interpreter, self, state, values, pool), key=lambda one: (-one.bit_count(), one))


@cache
def shape_of(event: Event) -> Shape:
    """The shape of an event's row."""
    return Shape(event)


@cache
def rowless(event: Event) -> tuple[Guard, ...]:
    """The guards of an event that can be asked before its row is known."""
    about_rows = ("row", "length", "repeated", "stranger", "named")
    return tuple(
        guard for guard in event.guards if not any(one.op in about_rows for one in terms.subterms(guard.condition))
    )


def rows_of(
    interpreter: Interpreter, event: Event, state: State, values: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """The values of every lawful line of an event whose choices are made: its row filled in each way that there is.

    Where one card alone may be any of those that are not known, it is a row too: `??` or `7?`.
    """
    shape = shape_of(event)
    assert shape.among is not None
    among = interpreter.value(shape.among, state, {**values, shape.name: ()})
    masks = shape.masks(interpreter, state, values, among & bags.KNOWN)
    rows = [tuple(bags.cards(mask)) for mask in masks]
    if shape.single:
        rows += [(code,) for code in dict.fromkeys(bags.cards(among)) if code > NO_CARD]
    for row in rows:
        filled = {**values, shape.name: row}
        if interpreter.holds(event, state, filled):
            yield filled


def _masks(interpreter: Interpreter, shape: Shape, state: State, values: Mapping[str, Any], pool: int) -> set[int]:
    found: set[int] = {1 << code for code in bags.cards(pool)} if shape.single else set()
    for other, table in shape.tables:
        base = 0 if other is None else interpreter.value(other, state, values) & bags.KNOWN
        missing = ~(base | pool)
        found |= {mask & ~base for mask in table if not mask & missing and not base & ~mask and mask != base}
    return found
