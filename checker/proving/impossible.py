"""What no log can show: shown by the solver on an arbitrary table, under the readings that are asked for.

A table is taken to be as every reachable one is: its zones are disjoint and hold 52 cards together, and what the game
declares as invariant holds, which `fairdeal prove` proves. More is allowed than can be reached, so what is on no such
table is on none that a log leads to.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import product

import z3

from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import conj, neg
from fairdeal.checker.engines.symbolic.solving import solver
from fairdeal.checker.proving.steps import open_rows, whole_deck
from fairdeal.checker.proving.wanted import Wanted
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.specialise import Specialised, option_binding, specialise
from fairdeal.spec.language.terms import Term

NO_TABLE = "no table of 52 cards on which all holds that is proved of every table (`fairdeal prove`)"


class Tables:
    """Arbitrary tables of a game under the readings that are asked for, and lines on them."""

    def __init__(self, asked: Wanted, seconds: float) -> None:
        self.asked, self.until = asked, time.process_time() + seconds
        game = asked.game
        self.engine = Z3Terms(game, asked.options, piles=True, counted=asked.declared.counted)
        self.state, ranges = self.engine.state("s")
        known = [ranges, *self.engine.consistent(self.state).values(), whole_deck(self.engine, self.state)]
        proved = [self.engine.value(one.term, self.state) for one in asked.declared.invariants.values()]
        self.known = [known, [*known, *proved]]

    def lacks(self, condition: Term) -> bool:
        """Whether a condition holds on none of these tables."""
        return self._never([self.engine.value(condition, self.state)])

    def forbids(self, events: Iterable[Event]) -> bool:
        """Whether none of these events is lawful on any of these tables."""
        return all(self._never(self._line(record)) for event in events for record in records(event))

    def keeps(self, clause: str, events: Iterable[Event]) -> bool:
        """Whether on none of these tables a line of these events breaks just this clause."""
        for event in events:
            for record in records(event):
                broken = [guard.condition for guard in record.guards if guard.clause == clause]
                if not self._never(self._line(record, but=clause), among=broken):
                    return False
        return True

    def _line(self, record: Specialised, but: str = "") -> list[z3.BoolRef]:
        """That a line of an event keeps all its guards, but for those of one clause."""
        event = record.event
        rows = {one.name: open_rows(event, one.name) for one in event.parameters if one.role == "rows"}
        self.values, ranges = self.engine.line(record, f"{record.name} ", rows)
        guards = self.engine.guards(record, self.state, self.values)
        kept = [one.condition for guard, one in zip(record.guards, guards, strict=True) if guard.clause != but]
        return [ranges, *kept]

    def _never(self, facts: list[z3.BoolRef], among: list[Term] | None = None) -> bool:
        if among is not None:
            facts = [*facts, neg(conj(self.engine.value(one, self.state, self.values) for one in among))]
        for known in self.known:  # what is so of any table needs no invariants
            left = self.until - time.process_time()
            if left <= 0:
                return False
            answer = solver([*self.engine.facts, *known, *facts], left).check()
            if answer == z3.unsat:
                return True
        return False


def records(event: Event) -> Iterator[Specialised]:
    """An event with each combination of its choices."""
    for choices in product(*(one.sort.values for one in event.choices)):
        yield specialise(event, choices, {})


def broken_under(asked: Wanted, clause: str) -> list[str]:
    """Which other values of options let a guard of a clause fail, where none can under those in force."""
    game, found = asked.game, []
    guards = [guard for event in game.events.values() for guard in event.guards if guard.clause == clause]
    for name, option in game.options.items():
        if option.numeric or option.fixed or not any(_reads(guard, name) for guard in guards):
            continue
        for value in option.values:
            other = {**asked.options, name: option.encode(value)}
            if any(_can_fail(asked, guard, other) for guard in guards):
                found.append(f"{name}={value}")
    return found


def cannot_fail(asked: Wanted, clause: str) -> bool:
    """Whether every guard of a clause holds whatever the table, by the readings in force alone."""
    guards = [guard for event in asked.game.events.values() for guard in event.guards if guard.clause == clause]
    return bool(guards) and not any(_can_fail(asked, guard, dict(asked.options)) for guard in guards)


def _can_fail(asked: Wanted, guard: Guard, options: dict[str, int]) -> bool:
    bound = terms.substitute(guard.condition, option_binding(asked.game, options))
    return bound is not terms.TRUE


def _reads(guard: Guard, option: str) -> bool:
    return any(one.op == "option" and one.value == option for one in guard.condition.open)


def is_impossible(asked: Wanted, seconds: float) -> str:
    """Why no log can show what is asked for, as far as that can be found out in time; empty where it is not known."""
    game = asked.game
    if asked.clause and (asked.request.broken or not asked.events):
        if cannot_fail(asked, asked.clause):
            return _needs(asked, asked.clause)
        events = [one for one in game.events.values() if any(each.clause == asked.clause for each in one.guards)]
        tables = Tables(asked, seconds)
        if tables.keeps(asked.clause, [one for one in events if not one.observation]):
            return f"a line breaks just this clause on {NO_TABLE}"
        return ""
    if asked.events:
        named = [game.events[name] for name in asked.events]
        return f"such an event is lawful on {NO_TABLE}" if Tables(asked, seconds).forbids(named) else ""
    condition = asked.goal.condition if asked.goal is not None else asked.condition
    if condition is None or not Tables(asked, seconds).lacks(condition.term):
        return ""
    return f"it holds on {NO_TABLE}"


def _needs(asked: Wanted, clause: str) -> str:
    values = broken_under(asked, clause)
    if not values:
        return "no guard of it can fail under the readings in force"
    named = " or ".join(f"--option {one}" for one in values)
    return f"no guard of it can fail under the readings in force; one can with {named}"
