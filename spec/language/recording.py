"""Recording: running an event's function once, over terms, and keeping what it required and did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr, Row, RulesError, lift, stranger
from fairdeal.spec.language.sorts import BOOL, Cards
from fairdeal.spec.language.terms import Term

Place = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that an event requires, with the clause it comes from and what to say where it fails."""

    condition: Term
    clause: str
    template: str
    fields: tuple[tuple[str, Term], ...]
    physical: bool = False
    """Without it the cards cannot do what the line says."""
    reports: str = ""
    """Name of the parameter that merely states ``value``; a row states the cards of a zone. Empty for a choice."""
    value: Term | None = None
    among: Term | None = None
    """The set of cards that a report is any one of, where chance decides which."""
    unrecorded: bool = False
    """Where it fails, whether the event is lawful hangs on what the log does not say; ``template`` names that."""


@dataclass(frozen=True, slots=True)
class Assign:
    """A cell gets a value."""

    cell: str
    index: Place
    value: Term


@dataclass(frozen=True, slots=True)
class Move:
    """The top card of one zone goes to another."""

    source: str
    source_index: Place
    target: str
    target_index: Place


@dataclass(frozen=True, slots=True)
class Pour:
    """All cards of one zone go into a bag."""

    source: str
    source_index: Place
    target: str
    target_index: Place


@dataclass(frozen=True, slots=True)
class Part:
    """All cards of a zone go into one of two bags: those of ``cards`` into the first, the others into the second."""

    source: str
    source_index: Place
    cards: Term
    target: str
    target_index: Place
    rest: str
    rest_index: Place


@dataclass(frozen=True, slots=True)
class Lay:
    """The cards that a row names leave a bag and lie in a stack in their order, or in another bag."""

    row: Term
    source: str
    source_index: Place
    target: str
    target_index: Place
    on_top: bool = False
    """They lie on what is there already."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One card that is named leaves a bag and goes into another bag, or on top of a stack or heap."""

    card: Term
    source: str
    source_index: Place
    target: str
    target_index: Place


@dataclass(frozen=True, slots=True)
class TurnOver:
    """A whole pile is turned over onto a stack: what was at the bottom is on top."""

    source: str
    source_index: Place
    target: str
    target_index: Place


@dataclass(frozen=True, slots=True)
class When:
    """Effects that happen only where a condition holds."""

    condition: Term
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Lead:
    """A later line of another event will be a case of a clause, where a condition holds now."""

    event: str
    clause: str
    condition: Term
    choices: tuple[tuple[str, Term], ...]
    """Parameters that the later line has to have, with their values."""


Effect = Assign | Move | Pour | Part | Lay | Pick | TurnOver | When


@dataclass(slots=True)
class Record:
    """What recording has gathered so far."""

    guards: list[Guard] = field(default_factory=list)
    remarks: list[Guard] = field(default_factory=list)
    cases: dict[str, Term] = field(default_factory=dict)
    leads: list[Lead] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    open: list[list[Effect]] = field(default_factory=list)


_records: list[Record] = []


def current() -> Record:
    """The record of the event whose function is running.

    Raises:
        RulesError: no event is being recorded.
    """
    if not _records:
        raise RulesError("guards and effects can be stated only inside a function that is recorded as an event")
    return _records[-1]


@contextmanager
def recorded() -> Iterator[Record]:
    """A fresh record that guards and effects go to until the block ends."""
    record = Record()
    record.open.append(record.effects)
    _records.append(record)
    try:
        yield record
    finally:
        _records.pop()


def effect(one: Effect) -> None:
    """Append an effect to what is being recorded."""
    current().open[-1].append(one)


def _guard(guard: Guard) -> None:
    record = current()
    if record.effects or len(record.open) > 1:
        raise RulesError(f"{guard.clause}: guards come before effects and outside of `when`; use implies(...)")
    record.guards.append(guard)


def require(condition: Expr[bool], clause: str, template: str, *, physical: bool = False, **fields: Expr[Any]) -> None:
    """State that the event is lawful only where the condition holds.

    ``template`` is the message for a line that breaks it; names in braces are the event's parameters or ``fields``.
    ``physical`` marks a condition without which the cards cannot do what the line says.

    Raises:
        RulesError: an effect came before it, or it stands inside of `when`.
    """
    named = tuple((name, expr.term) for name, expr in fields.items())
    _guard(Guard(condition.term, clause, template, named, physical))


def require_recorded(condition: Expr[bool], clause: str, what: str) -> None:
    """State what an event hangs on that a log need not have told: where the condition fails, nobody can judge it.

    ``what`` names that, such as "both totals". Engines take the event for unlawful there; judging leaves it open.

    Raises:
        RulesError: an effect came before it, or it stands inside of `when`.
    """
    _guard(Guard(condition.term, clause, what, (), unrecorded=True))


def remark(condition: Expr[bool], clause: str, template: str) -> None:
    """State that the event is lawful where the condition holds, and yet worth a word.

    ``template`` may name the event's parameters.

    Raises:
        RulesError: an effect came before it, or it stands inside of `when`.
    """
    record = current()
    if record.effects or len(record.open) > 1:
        raise RulesError(f"{clause}: remarks come before effects and outside of `when`")
    record.remarks.append(Guard(condition.term, clause, template, ()))


def applies(condition: Expr[bool] | bool, *clauses: str) -> None:
    """State where a line of the event is a case of the clauses; it makes nothing lawful or unlawful.

    A clause that an event cites applies to all its lines, unless this says to which; it may name further clauses, and a
    clause twice, which then applies where either condition holds. Coverage is counted by it.

    Raises:
        RulesError: an effect came before it, or it stands inside of `when`.
    """
    record = current()
    if record.effects or len(record.open) > 1:
        raise RulesError(f"{', '.join(clauses)}: where a clause applies is said before effects and outside of `when`")
    term = lift(condition, BOOL)
    for clause in clauses:
        record.cases[clause] = terms.disjoin([record.cases.get(clause, terms.FALSE), term])


def leads_to(event: str, clause: str, condition: Expr[bool] | bool = True, **choices: Expr[Any]) -> None:
    """State that the next line of another event with these choices will be a case of a clause, this round.

    That event cites the clause, and no line of it is a case without such a one before. Coverage is counted by it.

    Raises:
        RulesError: an effect came before it, or it stands inside of `when`.
    """
    record = current()
    if record.effects or len(record.open) > 1:
        raise RulesError(f"{clause}: what a line leads to is said before effects and outside of `when`")
    chosen = tuple((name, value.term) for name, value in choices.items())
    record.leads.append(Lead(event, clause, lift(condition, BOOL), chosen))


def report(
    parameter: Expr[Any],
    value: Expr[Any],
    clause: str,
    template: str,
    *,
    given: Expr[bool] | None = None,
    physical: bool = False,
    **fields: Expr[Any],
) -> None:
    """State that a parameter merely reports a value that the state already has.

    Nothing is chosen by it: enumeration takes the value, a log's line must agree with it, and ``??`` agrees with any
    card. Where ``given`` is false the log may state what it likes.

    Raises:
        RulesError: it is no parameter of the event, or an effect came before it.
    """
    if parameter.term.op != "param":
        raise RulesError(f"{clause}: only a parameter of the event can be a report, not {parameter.term!r}")
    condition = terms.equal(parameter.term, value.term)
    if given is not None:
        condition = terms.disjoin([terms.negate(given.term), condition])
    named = (*((name, expr.term) for name, expr in fields.items()), ("expected", value.term))
    _guard(Guard(condition, clause, template, named, physical, str(parameter.term.value), value.term))


def contents(row: Row, cards: Expr[Cards], clause: str, template: str, **fields: Expr[Any]) -> None:
    """State that a row reports all the cards of a zone, in any order: each of its cards lies there.

    That the row has as many cards, and none twice, are requirements of their own. Of a zone whose cards were not all
    known, such a line tells them. The template may name ``missing``, the first card that does not lie there.

    Raises:
        RulesError: an effect came before it, or the row is only a part of a parameter.
    """
    assert isinstance(row.term.value, tuple)
    name, part = row.term.value
    if part is not None:
        raise RulesError(f"{clause}: only a row that is a parameter of its own reports the cards of a zone")
    missing = stranger(cards, row)
    named = (*((name, expr.term) for name, expr in fields.items()), ("missing", missing.term))
    _guard(Guard((missing == terms.NO_CARD).term, clause, template, named, False, name, cards.term))


def drawn(
    card: Expr[Any],
    among: Expr[Any],
    clause: str,
    template: str,
    *,
    given: Expr[bool] | None = None,
    physical: bool = False,
    **fields: Expr[Any],
) -> None:
    """State that a parameter reports a card which chance picks from a set, such as a pile whose order nobody knows.

    Nobody chooses it, so enumeration leaves it unknown; a log's line must name a card of the set, and ``??`` is one.
    Where ``given`` is false the log may state what it likes.

    Raises:
        RulesError: it is no parameter of the event, or an effect came before it.
    """
    if card.term.op != "param":
        raise RulesError(f"{clause}: only a parameter of the event can be drawn, not {card.term!r}")
    condition = terms.node("member", (card.term, among.term), sort=BOOL)
    if given is not None:
        condition = terms.disjoin([terms.negate(given.term), condition])
    named = tuple((name, expr.term) for name, expr in fields.items())
    _guard(Guard(condition, clause, template, named, physical, str(card.term.value), None, among.term))


@contextmanager
def when(condition: Expr[bool] | bool) -> Iterator[None]:
    """Effects inside happen only where the condition holds as the block is reached."""
    record = current()
    inner: list[Effect] = []
    record.open.append(inner)
    try:
        yield
    finally:
        record.open.pop()
    term = lift(condition, BOOL)
    if inner and term is not terms.FALSE:
        if term is terms.TRUE:
            record.open[-1].extend(inner)
        else:
            record.open[-1].append(When(term, tuple(inner)))


def digest(item: Guard | Effect, known: dict[Term, str]) -> str:
    """A text that is equal for equal guards or effects, in this process and in others."""
    parts = [type(item).__name__]
    parts += [_digest_value(getattr(item, each.name), known) for each in fields(item)]
    return " ".join(parts)


def _digest_value(value: Any, known: dict[Term, str]) -> str:
    if isinstance(value, Term):
        return terms.digest(value, known)
    if isinstance(value, tuple):
        return "(" + ", ".join(_digest_value(one, known) for one in value) + ")"
    if isinstance(value, (Guard, Assign, Move, Pour, Part, Lay, Pick, TurnOver, When)):
        return digest(value, known)
    return repr(value)
