"""Sorts: the finite domains that terms of the rules language range over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Sort:
    """A domain of values, all of them encoded as integers.

    ``kind`` is one of ``bool``, ``int`` (``low`` to ``high``), ``enum`` (``labels`` from ``low`` on), ``card``,
    ``cards`` (a set of cards, a 52-bit mask) and ``sequence`` (an ordered run of cards, a parameter only).
    """

    name: str
    kind: str
    low: int = 0
    high: int = 0
    labels: tuple[str, ...] = ()
    beyond: tuple[str, str] = ("", "")
    """Clause and message template for a logged value that lies outside (see `Range`)."""

    @property
    def values(self) -> range:
        """Every value of a finite sort, in order."""
        return range(self.low, self.high + 1)

    def label(self, value: int) -> str:
        """The word for ``value`` in messages."""
        if self.labels and self.low <= value <= self.high:
            return self.labels[value - self.low]
        return str(value)


BOOL = Sort("Bool", "bool", 0, 1, ("false", "true"))
CARD = Sort("Card", "card", 0, 52)
CARDS = Sort("Cards", "cards")
SEQUENCE = Sort("Sequence", "sequence")
INT = Sort("Int", "int", -(2**31), 2**31)


class Card:
    """Type of card terms; the values are the codes of `fairdeal.spec.cards`."""


class Cards:
    """Type of terms that are a set of cards."""


class Number(int):
    """Type of integer terms without a sort of their own."""


class Range(int):
    """A base for sorts that are a short run of whole numbers, such as the slots 1 to 5.

    ``beyond`` names the clause that a logged number outside breaks, and says so with ``{value}`` in its template.
    """

    low: ClassVar[int]
    high: ClassVar[int]
    beyond: ClassVar[tuple[str, str]]
    labels: ClassVar[tuple[str, ...]]

    def __init_subclass__(
        cls, *, low: int, high: int, beyond: tuple[str, str] = ("", ""), labels: tuple[str, ...] = ()
    ) -> None:
        super().__init_subclass__()
        cls.low, cls.high, cls.beyond, cls.labels = low, high, beyond, labels


def sort_of(kind: type) -> Sort:
    """The sort that a Python type stands for in annotations and declarations.

    Raises:
        TypeError: ``kind`` is no type of the rules language.
    """
    found = _sorts.get(kind)
    if found is None:
        found = _sorts[kind] = _make(kind)
    return found


_sorts: dict[type, Sort] = {}


def _make(kind: type) -> Sort:
    if kind is bool:
        return BOOL
    if kind is Card:
        return CARD
    if kind is Cards:
        return CARDS
    if kind is Number or kind is int:
        return INT
    if issubclass(kind, Range):
        return Sort(kind.__name__, "int", kind.low, kind.high, kind.labels, kind.beyond)
    if issubclass(kind, IntEnum):
        members = sorted(kind, key=int)
        values = [int(member) for member in members]
        if values != list(range(values[0], values[-1] + 1)):
            raise TypeError(f"{kind.__name__}: the members' values must be consecutive")
        labels = tuple(str(getattr(member, "label", member.name)) for member in members)
        return Sort(kind.__name__, "enum", values[0], values[-1], labels)
    raise TypeError(f"{kind!r} is no type of the rules language: use bool, Card, Cards, Number, a Range or an IntEnum")
