"""State: what a game's table consists of, declared as cells and as zones that cards lie in."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Generic, TypeVar, overload

from fairdeal.spec.language import recording, terms
from fairdeal.spec.language.expressions import Expr, Row, RulesError, lift
from fairdeal.spec.language.sorts import CARD, CARDS, INT, Card, Cards, Number, Sort, sort_of

T = TypeVar("T")
Index = Any


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared part of the state: its name, what indexes it, and what it holds.

    ``kind`` is ``cell`` (one value of ``sort``), ``stack`` (ordered, at most ``capacity`` cards), ``heap`` (cards are
    only put on top of it) or ``bag`` (cards without order).
    """

    name: str
    kind: str
    indices: tuple[Sort, ...]
    sort: Sort
    initial: int = 0
    capacity: int = 0
    ghost: bool = False
    full: bool = False
    """The whole deck lies in this bag when a game begins."""

    @property
    def places(self) -> list[tuple[int, ...]]:
        """Every index tuple, in order."""
        return list(product(*(sort.values for sort in self.indices)))


class _Declared:
    """What all declarations share: they learn their name from the class body that they stand in."""

    kind: ClassVar[str]

    def __init__(self, *indices: type, sort: Sort, initial: int = 0, capacity: int = 0, ghost: bool = False) -> None:
        self._indices = tuple(sort_of(index) for index in indices)
        self._rest = (sort, initial, capacity, ghost, False)
        self.variable: Variable

    def __set_name__(self, owner: type, name: str) -> None:
        self.variable = Variable(name, self.kind, self._indices, *self._rest)

    def _at(self, index: Index) -> tuple[terms.Term, ...]:
        given = index if isinstance(index, tuple) else (index,)
        if len(given) != len(self._indices):
            wanted = ", ".join(sort.name for sort in self._indices)
            raise RulesError(f"{self.variable.name} is indexed by [{wanted}], not by {len(given)} value(s)")
        return tuple(lift(one, sort) for one, sort in zip(given, self._indices, strict=True))


class Cell(_Declared, Generic[T]):
    """One value of the state, such as the phase; reading it gives a term, assigning to it records an effect."""

    kind = "cell"

    def __init__(self, sort: type[T], initial: int = 0, *, ghost: bool = False) -> None:
        super().__init__(sort=sort_of(sort), initial=int(initial), ghost=ghost)

    @overload
    def __get__(self, table: None, owner: type) -> Cell[T]: ...
    @overload
    def __get__(self, table: State, owner: type) -> Expr[T]: ...
    def __get__(self, table: State | None, owner: type) -> Cell[T] | Expr[T]:
        """The value, as a term."""
        if table is None:
            return self
        return Expr(terms.node("cell", (), self.variable.name, self.variable.sort))

    def __set__(self, table: State, value: Expr[Any] | int) -> None:
        """Record that the event gives the cell a new value."""
        recording.effect(recording.Assign(self.variable.name, (), lift(value, self.variable.sort)))


class Cells(_Declared, Generic[T]):
    """A value for each index, such as one flag for each player."""

    kind = "cell"

    def __init__(self, sort: type[T], *indices: type, initial: int = 0, ghost: bool = False) -> None:
        super().__init__(*indices, sort=sort_of(sort), initial=int(initial), ghost=ghost)

    def __getitem__(self, index: Index) -> Expr[T]:
        """The value at an index, as a term."""
        return Expr(terms.node("cell", self._at(index), self.variable.name, self.variable.sort))

    def __setitem__(self, index: Index, value: Expr[Any] | int) -> None:
        """Record that the event gives it a new value."""
        recording.effect(recording.Assign(self.variable.name, self._at(index), lift(value, self.variable.sort)))


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A place where cards lie: one stack, heap or bag of the table."""

    variable: Variable
    index: tuple[terms.Term, ...]

    def _read(self, op: str, sort: Sort) -> terms.Term:
        return terms.node(op, self.index, self.variable.name, sort)

    @property
    def size(self) -> Expr[Number]:
        """How many cards lie there."""
        return Expr(self._read("size", INT))

    @property
    def empty(self) -> Expr[bool]:
        """Whether no card lies there."""
        return self.size == 0

    @property
    def cards(self) -> Expr[Cards]:
        """The set of the cards that lie there."""
        return Expr(self._read("cards", CARDS))

    @property
    def top(self) -> Expr[Card]:
        """The card on top; `NO_CARD` where none lies there, and for a bag an error.

        Raises:
            RulesError: the zone is a bag.
        """
        if self.variable.kind == "bag":
            raise RulesError(f"{self.variable.name} has no order, and so no top")
        return Expr(self._read("top", CARD))


class _Zones(_Declared):
    """Zones of one kind, one for each index."""

    def __init__(self, *indices: type, capacity: int = 52, full: bool = False) -> None:
        super().__init__(*indices, sort=CARDS, capacity=capacity)
        self._rest = (*self._rest[:-1], full)

    def __getitem__(self, index: Index) -> Zone:
        return Zone(self.variable, self._at(index))


class _Single(_Declared):
    """One zone, without index."""

    def __init__(self, *, capacity: int = 52, full: bool = False) -> None:
        super().__init__(sort=CARDS, capacity=capacity)
        self._rest = (*self._rest[:-1], full)

    def __get__(self, table: State, owner: type) -> Zone:
        """The zone."""
        return Zone(self.variable, ())


class Stacks(_Zones):
    """Ordered zones from whose top cards are taken; ``capacity`` is the most that lawful play can put there."""

    kind = "stack"


class Heaps(_Zones):
    """Zones that cards are put on top of, and leave only all at once."""

    kind = "heap"


class Bags(_Zones):
    """Zones without order, such as the cards that a player owns between two rounds."""

    kind = "bag"


class Bag(_Single):
    """One zone without order, such as the deck before it is dealt."""

    kind = "bag"


class Stack(_Single):
    """One ordered zone, such as a draw pile."""

    kind = "stack"


class State:
    """A game's table: a class whose attributes declare the cells and zones."""

    @classmethod
    def variables(cls) -> tuple[Variable, ...]:
        """What is declared, in the order of the class body."""
        return tuple(value.variable for value in vars(cls).values() if isinstance(value, _Declared))


def _apart(source: Zone, target: Zone) -> None:
    if target.variable.kind != "bag":
        raise RulesError(f"{target.variable.name} is no bag: all the cards of a zone go into a bag")
    if source.variable is target.variable and source.index == target.index:
        raise RulesError(f"the cards of {source.variable.name} cannot go where they are")


def move(source: Zone, target: Zone) -> None:
    """Record that the top card of a stack goes onto a stack or heap, or into a bag.

    Raises:
        RulesError: the source is no stack.
    """
    if source.variable.kind != "stack":
        raise RulesError(f"{source.variable.name} is no stack: single cards are taken from the top of stacks only")
    recording.effect(recording.Move(source.variable.name, source.index, target.variable.name, target.index))


def pour(source: Zone, target: Zone) -> None:
    """Record that every card of a zone goes into a bag.

    Raises:
        RulesError: the two are one zone.
    """
    _apart(source, target)
    recording.effect(recording.Pour(source.variable.name, source.index, target.variable.name, target.index))


def part(source: Zone, cards: Expr[Cards], target: Zone, rest: Zone) -> None:
    """Record that a zone's cards part: those of the set go into one bag, the others into another.

    Raises:
        RulesError: cards would go where they are.
    """
    _apart(source, target)
    _apart(source, rest)
    here, there, elsewhere = source.variable.name, target.variable.name, rest.variable.name
    recording.effect(recording.Part(here, source.index, cards.term, there, target.index, elsewhere, rest.index))


def lay(row: Row, source: Zone, target: Zone, *, on_top: bool = False) -> None:
    """Record that the cards of a row leave a bag and lie, in their order, in an empty stack or in a bag.

    With ``on_top`` they lie on what the stack or heap holds already.
    """
    here, there = source.variable.name, target.variable.name
    recording.effect(recording.Lay(row.term, here, source.index, there, target.index, on_top))


def pick(card: Expr[Card], source: Zone, target: Zone) -> None:
    """Record that the card which is named leaves a bag, if it is there, and goes into a bag or onto a stack or heap."""
    here, there = source.variable.name, target.variable.name
    recording.effect(recording.Pick(card.term, here, source.index, there, target.index))


def turn_over(source: Zone, target: Zone) -> None:
    """Record that a whole pile is turned over onto a stack, so that its lowest card is on top."""
    recording.effect(recording.TurnOver(source.variable.name, source.index, target.variable.name, target.index))
