"""Whether a shorter log would do: every event from a fresh table, a few lines deep, over all deals and choices."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import z3

from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import Number, conj, disj, number, same, unknown
from fairdeal.checker.engines.symbolic.reading import Symbolic, Values
from fairdeal.checker.engines.symbolic.solving import solver
from fairdeal.checker.proving.steps import open_rows
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.terms import Term


def unreachable_within(
    game: Game,
    options: Mapping[str, int],
    goal: Term | Sequence[str],
    lines: int,
    seconds: float = 60,
    *,
    first: int | None = None,
) -> int:
    """The largest number of lines, up to ``lines``, within which it is shown that no log reaches the goal.

    The goal is a table where a condition holds, or a last line that is one of the events of these names.
    Stacks are seen as piles, and rows as sets of any length: more is allowed than can happen, so what cannot be reached
    there cannot be reached. ``first`` is the number of the first round, where only games from the beginning are meant.
    """
    until = time.process_time() + seconds
    engine = Z3Terms(game, options, piles=True)
    state: Symbolic = engine.concrete(engine.layout.initial())
    names = () if isinstance(goal, Term) else goal
    events = [event for event in game.events.values() if event.effects or event.name in names]
    assumed: list[z3.BoolRef] = []
    for depth in range(1, lines + 1):
        line = any_event(engine, events, state, depth, first)
        state, which = line.after, line.which
        assumed.append(line.lawful)
        if isinstance(goal, Term):
            reached = engine.value(goal, state)
        else:
            reached = disj(same(which, number(at)) for at, event in enumerate(events) if event.name in goal)
        left = until - time.process_time()
        if left <= 0:
            return depth - 1
        asked = solver([*engine.facts, *assumed, reached], left)
        if asked.check() != z3.unsat:
            return depth - 1
    return lines


@dataclass(frozen=True)
class Possible:
    """One of the events that a line may be: what it states, and the table after it."""

    event: Event
    values: Values
    after: Symbolic


@dataclass(frozen=True)
class Line:
    """A line that may be any event: which one, when it is lawful, and the table after it."""

    which: Number
    """The number of the event; that of none, where the log has ended already."""
    events: Sequence[Possible]
    lawful: z3.BoolRef
    after: Symbolic


def any_event(engine: Z3Terms, events: Sequence[Event], state: Symbolic, depth: int, first: int | None = None) -> Line:
    """Some lawful event on a table, or none, so that the table stays as it is.

    ``first`` is the number of the first round, where only games from the beginning are meant.
    """
    which, known = unknown(f"event {depth}", 0, len(events))
    conditions, merged, found = [known], dict(state), []
    for at, event in enumerate(events):
        rows = {one.name: open_rows(event, one.name) for one in event.parameters if one.role == "rows"}
        values, ranges = engine.line(event, f"{depth} {event.name} ", rows)
        run = engine.run(event, state, values)
        chosen = same(which, number(at))
        lawful = [ranges, engine.lawful(event, state, values), *engine.consistent(run.state).values()]
        if depth == 1 and first is not None and event.name == engine.game.entry:
            lawful += [same(values[one.name], number(first)) for one in event.reports]
        conditions.append(disj([z3.Not(chosen), conj(lawful)]))
        merged = {key: zones.pick(chosen, run.state[key], part) for key, part in merged.items()}
        found.append(Possible(event, values, run.state))
    return Line(which, found, conj(conditions), merged)
