"""Games that break a claim, looked for by the solver: any events from a fresh table on, over all deals.

The search sees stacks as piles and rows as sets of any length, as in `minimal.py`, so that it allows more than can
happen. What it gives are the events, their choices, and how long their rows are; with these as a script the cards are
found exactly, and whoever asked plays the game by the rules as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

import z3

from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import disj, neg, number, same
from fairdeal.checker.engines.symbolic.reading import Symbolic, Values
from fairdeal.checker.engines.symbolic.search import Search, Taken
from fairdeal.checker.engines.symbolic.solving import decoded, solver
from fairdeal.checker.engines.symbolic.zones import Heaped
from fairdeal.checker.proving.minimal import Line, any_event
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.language.properties import Invariant, Steps

LONGEST = 7
"""Lines of a game that is looked for so: each more takes longer by far."""

Broken = Callable[[Z3Terms, Symbolic, Values, Symbolic], z3.BoolRef]
"""Whether a claim fails of a step: the table before, what the line states, and the table after."""


def breach(
    model: Model, options: Mapping[str, int], claim: Any, last: Collection[str], seconds: float
) -> list[Taken] | None:
    """The lines of a short game whose last step breaks a claim about tables or steps; ``None`` where none is found.

    ``last`` names the events that may be the last one; any may if it is empty.
    """
    broken = _failing(claim)
    if broken is None:
        return None
    until = time.process_time() + seconds
    engine = Z3Terms(model.game, options, piles=True)
    engine.effects = model.effects
    state: Symbolic = engine.concrete(engine.layout.initial())
    assumed: list[z3.BoolRef] = []
    lines: list[Line] = []
    for depth in range(1, LONGEST + 1):
        line = any_event(engine, model.acts(), state, depth)
        ends = [
            z3.And(same(line.which, number(at)), broken(engine, state, one.values, one.after))
            for at, one in enumerate(line.events)
            if not last or one.event.name in last
        ]
        lines.append(line)
        left = until - time.process_time()
        if left <= 0:
            return None
        asked = solver([*engine.facts, *assumed, line.lawful, disj(ends)], left)
        answer = asked.check()
        if answer == z3.sat:
            found = _exact(model, options, lines, asked.model(), broken, until - time.process_time())
            if found is not None:
                return found
        elif answer == z3.unknown:
            return None
        assumed += [line.lawful, neg(same(line.which, number(len(line.events))))]
        state = line.after
    return None


def _failing(claim: Any) -> Broken | None:
    match claim:
        case Invariant():
            table = claim.condition.term
            return lambda engine, before, values, after: neg(engine.value(table, after))
        case Steps():
            step = claim.condition.term
            return lambda engine, before, values, after: neg(engine.value(step, before, values, after))
    return None


def _exact(
    model: Model, options: Mapping[str, int], lines: list[Line], found: z3.ModelRef, broken: Broken, seconds: float
) -> list[Taken] | None:
    """The game with these events, choices and lengths of rows, if there is one when stacks have an order."""
    engine = Z3Terms(model.game, options, counted=True)
    engine.effects = model.effects
    search = Search(engine, engine.layout.initial())
    for line in lines:
        at = decoded(found, line.which)
        event, values = line.events[at].event, line.events[at].values
        chosen = {one.name: decoded(found, values[one.name]) for one in event.choices}
        lengths = {one.name: _lengths(found, values[one.name]) for one in event.parameters if one.role == "rows"}
        search.follow(event, lengths, **chosen)
    before, after = search.states[-2:]
    try:
        return search.solve(broken(engine, before, search.stated(len(lines) - 1), after), timeout=max(1.0, seconds))
    except TimeoutError:
        return None


def _lengths(found: z3.ModelRef, rows: Any) -> Any:
    if isinstance(rows, Heaped):
        return decoded(found, rows.size)
    return tuple(_lengths(found, one) for one in rows)
