"""Events that can be made sooner: pairs of events from an arbitrary table, carried out in either order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import z3

from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import Number, conj, disj, neg, same
from fairdeal.checker.engines.symbolic.reading import Reading, Symbolic, Values
from fairdeal.checker.engines.symbolic.zones import Pile, Stack
from fairdeal.checker.proving.asking import Answer, Asker, Obligation
from fairdeal.checker.proving.steps import Model, Readings, under
from fairdeal.spec.language.exploring import Explored
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.properties import Sooner
from fairdeal.spec.language.specialise import Specialised, specialise
from fairdeal.spec.language.terms import FALSE, Term, const, substitute


@dataclass(frozen=True)
class Act:
    """An event with its choices made, and what a line of it states."""

    record: Specialised
    values: Values
    ranges: z3.BoolRef
    where: Term | None

    @property
    def name(self) -> str:
        """The event and its choices."""
        return self.record.name

    def lawful(self, engine: Z3Terms, table: Symbolic) -> z3.BoolRef:
        """All guards, and that it counts."""
        counts = [engine.value(self.where, table, self.values)] if self.where is not None else []
        return conj([self.ranges, engine.lawful(self.record, table, self.values), *counts])

    def after(self, engine: Z3Terms, table: Symbolic) -> Symbolic:
        """The table that it leads to."""
        return engine.apply(self.record, table, self.values)

    def stating(self, other: Act) -> Act:
        """The same event with what another one of its name states, but for the choices."""
        chosen = {one.name for one in self.record.event.choices}
        stated = {name: value for name, value in other.values.items() if name not in chosen}
        return replace(self, values={**self.values, **stated}, ranges=other.ranges)


def act_of(engine: Z3Terms, game: Game, one: Explored, choices: tuple[int, ...], label: str) -> Act | None:
    """An explored event with its choices made; ``None`` if it is never lawful, or does not count."""
    event = game.events[one.event]
    record = specialise(event, choices, {})
    if any(guard.condition is FALSE for guard in record.guards):
        return None
    values, ranges = engine.line(record, label)
    where = _where(event, one, choices)
    return None if where is FALSE else Act(record, values, ranges, where)


def sooner_obligations(model: Model, claim: Sooner, assumed: list[Term], readings: Readings) -> list[Obligation]:
    """What `Sooner` says, one obligation for each of the events, and what holds of single tables."""
    not_yet = _Single(model, claim, assumed, readings).not_yet
    about = f"whether no ending has come while `{claim.event}` is lawful"
    found = [Obligation("nothing asked holds yet", not_yet, about)]
    for one in claim.events:
        pairs, name = _Pairs(model, claim, assumed, readings, one), one.event
        either_order = f"whether `{claim.event}` and `{name}` can come in either order"
        at_the_end = f"whether no `{name}` is lawful when all is over"
        found.append(Obligation(f"{name} in either order", pairs.commute, either_order))
        found.append(Obligation(f"{name} is not lawful when all is over", pairs.ends, at_the_end))
    return found


@dataclass(frozen=True)
class _Single:
    """An arbitrary table of the part, whose stacks are seen card by card."""

    model: Model
    claim: Sooner
    assumed: list[Term]
    readings: Readings

    def table(self) -> tuple[Z3Terms, Symbolic, list[z3.BoolRef]]:
        """The engine, the table and what is known of it."""
        engine = Z3Terms(self.model.game)
        engine.effects = self.model.effects
        table, ranges = engine.state("s")
        known = [ranges, under(engine, self.readings), *engine.consistent(table).values()]
        known += [engine.value(term, table) for term in [*self.assumed, self.claim.within.term]]
        return engine, table, known

    def acts(self, engine: Z3Terms, one: Explored, label: str) -> Iterator[Act]:
        """The event with each combination of its choices."""
        for choices in product(*(choice.sort.values for choice in self.model.game.events[one.event].choices)):
            act = act_of(engine, self.model.game, one, choices, label)
            if act is not None:
                yield act

    def firsts(self, engine: Z3Terms) -> Iterator[Act]:
        """The event that is made sooner, with each combination of its choices."""
        return self.acts(engine, next(one for one in self.claim.events if one.event == self.claim.event), "f.")

    def not_yet(self, asker: Asker) -> Answer:
        """Where the event is lawful, nothing that is asked holds, and the part is not over."""
        engine, table, known = self.table()
        wrong = [engine.value(one.term, table) for one in [*self.claim.asked, self.claim.over]]
        goals = {f"asked {at}": neg(one) for at, one in enumerate(wrong)}
        for act in self.firsts(engine):
            answer = asker.prove([*engine.facts, *known, act.lawful(engine, table)], goals, act.name)
            if answer.answer != "proved":
                return answer.broken_at(act.name)
        return Answer("proved")


@dataclass(frozen=True)
class _Pairs(_Single):
    """The event that is made sooner, and another one."""

    other: Explored

    def ends(self, asker: Asker) -> Answer:
        """Where the part is over, the other event is not lawful."""
        engine, table, known = self.table()
        over = engine.value(self.claim.over.term, table)
        for act in self.acts(engine, self.other, "e."):
            wanted = {"not lawful": neg(act.lawful(engine, table))}
            answer = asker.prove([*engine.facts, *known, over], wanted, act.name)
            if answer.answer != "proved":
                return answer.broken_at(act.name)
        return Answer("proved")

    def commute(self, asker: Asker) -> Answer:
        """Both orders, for all choices of both."""
        engine, table, known = self.table()
        firsts = [(act, act.lawful(engine, table), act.after(engine, table)) for act in self.firsts(engine)]
        for act in self.acts(engine, self.other, "e."):
            lawful, there = act.lawful(engine, table), act.after(engine, table)
            over, *asked = self._asked(engine, there)
            facts = [*engine.facts, *known, lawful]
            ends = asker.satisfiable([*facts, over])
            for first, law, here in firsts:
                if act.name == first.name or not asker.satisfiable([*facts, law]):
                    continue
                last = act.after(engine, here)
                goals = {
                    "the other is still lawful": act.lawful(engine, here),
                    "the event is still lawful": disj([over, first.lawful(engine, there)]),
                    "the same table": disj([over, _equal(engine, first.after(engine, there), last)]),
                }
                if ends:
                    is_over, *others = self._asked(engine, last)
                    alike = [one == two for one, two in zip(asked, others, strict=True)]
                    goals["the same end"] = disj([neg(over), conj([is_over, *alike])])
                answer = asker.prove([*engine.facts, *known, law, lawful], goals, f"{first.name}, {act.name}")
                if answer.answer != "proved":
                    return answer.broken_at(f"{first.name}, {act.name}")
        return Answer("proved")

    def _asked(self, engine: Z3Terms, table: Symbolic) -> list[z3.BoolRef]:
        """Whether the part is over on a table, and what is asked."""
        reading = Reading(engine, table, {})
        return [reading.value(one.term) for one in [self.claim.over, *self.claim.asked]]


def _where(event: Event, one: Explored, choices: tuple[int, ...]) -> Term | None:
    """The condition under which an event counts, its choices made."""
    if one.where is None:
        return None
    term = one.where(**{choice.name: Expr(choice.term) for choice in event.choices}).term
    made = {choice.term: const(value, choice.sort) for choice, value in zip(event.choices, choices, strict=True)}
    return substitute(term, made)


def _equal(engine: Z3Terms, one: Symbolic, two: Symbolic) -> z3.BoolRef:
    """Whether two tables are the same, card by card."""
    return conj(alike(engine, part, two[key]) for key, part in one.items() if part is not two[key])


def alike(engine: Z3Terms, one: Any, two: Any) -> z3.BoolRef:
    """Whether a cell or zone of one table is that of another, card by card."""
    if isinstance(one, Stack):
        return conj([same(one.size, two.size), *(same(*pair) for pair in zip(one.cards, two.cards, strict=True))])
    if isinstance(one, Pile):
        parts = engine.sets.equal(one.cards, two.cards)
        return conj([same(one.top, two.top), same(one.size, two.size), parts])
    if isinstance(one, Number):
        return same(one, two)
    if z3.is_bool(one):
        return one == two if not one.eq(two) else z3.BoolVal(True)
    return engine.sets.equal(one, two)
