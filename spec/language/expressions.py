"""Expressions: the typed handles through which an author of rules writes terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Any, Generic, NoReturn, TypeVar

from fairdeal.spec.language import terms
from fairdeal.spec.language.sorts import BOOL, CARD, CARDS, INT, SEQUENCE, Card, Cards, Number, Range, Sort, sort_of
from fairdeal.spec.language.terms import Term

T = TypeVar("T")
Finite = TypeVar("Finite", bound="IntEnum | Range")


class RulesError(Exception):
    """A mistake in how rules are written; the message says where and what to write instead."""


class Expr(Generic[T]):
    """A handle on a term whose values have type ``T``; operators build bigger terms."""

    __slots__ = ("term",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, term: Term) -> None:
        self.term = term

    def __bool__(self) -> NoReturn:
        """Refuse Python's own ``if``, ``and``, ``or`` and ``not``: a term has no value while rules are recorded.

        Raises:
            RulesError: always.
        """
        raise RulesError(
            f"a term has no truth value while rules are recorded: {self.term!r}; write `with when(...)`, "
            "choose(...), &, | or ~ instead of if, and, or, not"
        )

    def __eq__(self, other: object) -> Expr[bool]:  # type: ignore[override]
        """Equality, as a term."""
        return Expr(terms.equal(self.term, lift(other, self.term.sort)))

    def __ne__(self, other: object) -> Expr[bool]:  # type: ignore[override]
        """Difference, as a term."""
        return Expr(terms.negate(terms.equal(self.term, lift(other, self.term.sort))))

    def __and__(self, other: Expr[bool] | bool) -> Expr[bool]:
        """Logical and; for sets of cards see `union`."""
        return Expr(terms.conjoin([self.term, lift(other, BOOL)]))

    def __or__(self, other: Expr[bool] | bool) -> Expr[bool]:
        """Logical or."""
        return Expr(terms.disjoin([self.term, lift(other, BOOL)]))

    def __invert__(self) -> Expr[bool]:
        """Logical not."""
        return Expr(terms.negate(self.term))

    def __lt__(self, other: Expr[Any] | int) -> Expr[bool]:
        """Strictly less."""
        return Expr(terms.less(self.term, lift(other, self.term.sort)))

    def __gt__(self, other: Expr[Any] | int) -> Expr[bool]:
        """Strictly greater."""
        return Expr(terms.less(lift(other, self.term.sort), self.term))

    def __le__(self, other: Expr[Any] | int) -> Expr[bool]:
        """Less or equal."""
        return ~(self > other)

    def __ge__(self, other: Expr[Any] | int) -> Expr[bool]:
        """Greater or equal."""
        return ~(self < other)

    def __add__(self, other: Expr[Any] | int) -> Expr[Number]:
        """Sum."""
        return Expr(terms.add(self.term, lift(other, INT)))

    def __sub__(self, other: Expr[Any] | int) -> Expr[Number]:
        """Difference."""
        return Expr(terms.subtract(self.term, lift(other, INT)))


def lift(value: object, sort: Sort) -> Term:
    """The term for a Python value or an expression, where a term of ``sort`` is wanted.

    Raises:
        RulesError: the value is none of that sort.
    """
    if isinstance(value, Expr):
        return value.term
    if isinstance(value, str):
        if value not in sort.labels:
            raise RulesError(f"{value!r} is no value of {sort.name}: it has {', '.join(sort.labels)}")
        return terms.const(sort.low + sort.labels.index(value), sort)
    if isinstance(value, int):
        return terms.const(int(value), sort)
    raise RulesError(f"{value!r} can stand for no term of sort {sort.name}")


NO_CARD: Expr[Card] = Expr(terms.card_value(terms.NO_CARD))
"""The top of an empty stack or pile."""


def choose(condition: Expr[bool], then: Expr[Any] | int, otherwise: Expr[Any] | int) -> Expr[Any]:
    """``then`` where the condition holds, else ``otherwise``."""
    sort = next((side.term.sort for side in (then, otherwise) if isinstance(side, Expr)), INT)
    return Expr(terms.choose(condition.term, lift(then, sort), lift(otherwise, sort)))


def implies(premise: Expr[bool], conclusion: Expr[bool]) -> Expr[bool]:
    """Either the premise fails or the conclusion holds."""
    return ~premise | conclusion


def both(*conditions: Expr[bool]) -> Expr[bool]:
    """All of the conditions, in order."""
    return Expr(terms.conjoin(condition.term for condition in conditions))


def either(*conditions: Expr[bool]) -> Expr[bool]:
    """At least one of the conditions."""
    return Expr(terms.disjoin(condition.term for condition in conditions))


def each(kind: type[Finite]) -> Iterator[Expr[Finite]]:
    """Every value of a finite sort, as terms."""
    sort = sort_of(kind)
    return (Expr(terms.const(value, sort)) for value in sort.values)


def any_of(kind: type[Finite], condition: Callable[[Expr[Finite]], Expr[bool]]) -> Expr[bool]:
    """Whether some value of the finite sort satisfies the condition."""
    return either(*(condition(value) for value in each(kind)))


def all_of(kind: type[Finite], condition: Callable[[Expr[Finite]], Expr[bool]]) -> Expr[bool]:
    """Whether every value of the finite sort satisfies the condition."""
    return both(*(condition(value) for value in each(kind)))


def sum_of(kind: type[Finite], amount: Callable[[Expr[Finite]], Expr[Any]]) -> Expr[Number]:
    """The sum over a finite sort."""
    total: Expr[Number] = Expr(terms.const(0))
    for value in each(kind):
        total = total + amount(value)
    return total


def other(player: Expr[Finite]) -> Expr[Finite]:
    """The other one of a sort that has two values."""
    sort = player.term.sort
    return Expr(terms.subtract(terms.const(sort.low + sort.high, sort), player.term))


def rank(card: Expr[Card]) -> Expr[Number]:
    """Rank of a card: ace 0, 2 is 1, up to king 12; far from all of them for no card."""
    return Expr(terms.rank(card.term))


def union(*sets: Expr[Cards]) -> Expr[Cards]:
    """The cards of all the sets."""
    whole = terms.const(0, CARDS)
    for one in sets:
        whole = one.term if whole.op == "const" and terms.known(whole) == 0 else terms.union(whole, one.term)
    return Expr(whole)


def common(left: Expr[Cards], right: Expr[Cards]) -> Expr[Cards]:
    """The cards that are in both sets."""
    return Expr(terms.common(left.term, right.term))


def card_set(codes: Iterable[int]) -> Expr[Cards]:
    """The set of these cards."""
    return Expr(terms.const(sum(1 << code for code in set(codes)), CARDS))


def weight(cards: Expr[Cards], worth: Iterable[int]) -> Expr[Number]:
    """What the cards of a set are worth together; ``worth`` says it for each rank, ace first."""
    return Expr(terms.weight(cards.term, tuple(worth)))


def count(cards: Expr[Cards]) -> Expr[Number]:
    """How many cards a set holds."""
    return Expr(terms.node("count", (cards.term,), sort=INT))


def holds(cards: Expr[Cards], card: Expr[Card]) -> Expr[bool]:
    """Whether the card is in the set."""
    return Expr(terms.node("member", (card.term, cards.term), sort=BOOL))


def listed(cards: Expr[Cards], table: Iterable[int]) -> Expr[bool]:
    """Whether the set of cards is one of a finite table of masks, such as that of all sets and runs."""
    return Expr(terms.listed(cards.term, tuple(sorted(set(table)))))


class Row:
    """An ordered run of cards that a log line states, bottom to top: a parameter, or one part of it."""

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    @property
    def size(self) -> Expr[Number]:
        """How many cards it names, unknown ones included."""
        return Expr(terms.node("length", (self.term,), sort=INT))


class Rows:
    """A fixed number of rows that one parameter states, such as the five stocks of a deal."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, number: Expr[Any]) -> Row:
        """The row for one value of the finite sort that numbers them."""
        sort = number.term.sort
        position = terms.known(number.term) - sort.low
        return Row(terms.node("row", (), (self.name, position), SEQUENCE))


def repeated(*rows: Row) -> Expr[Card]:
    """The first card that the rows name twice; `NO_CARD` where each is named once."""
    return Expr(terms.node("repeated", [row.term for row in rows], sort=CARD))


def stranger(among: Expr[Cards], *rows: Row) -> Expr[Card]:
    """The first card of the rows that is not in the set; `NO_CARD` where all are."""
    return Expr(terms.node("stranger", [among.term, *(row.term for row in rows)], sort=CARD))


def named(*rows: Row) -> Expr[Cards]:
    """The set of the cards that the rows name."""
    return Expr(terms.node("named", [row.term for row in rows], sort=CARDS))
