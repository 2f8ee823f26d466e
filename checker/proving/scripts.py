"""Solving a script: a game's events are given, its cards are open, and the solver finds a deal that makes it lawful."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import Number, conj, same
from fairdeal.checker.engines.symbolic.reading import Symbolic
from fairdeal.checker.engines.symbolic.search import Search, Taken
from fairdeal.checker.engines.symbolic.zones import Pile, Stack
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.properties import Act, Goal
from fairdeal.spec.language.terms import TRUE


class NoGameError(Exception):
    """There is no game of the kind that a script describes: for no deal are all of its lines lawful."""


def solve(
    game: Game, options: Mapping[str, int], goal: Goal, *, whole: bool = False, seconds: float = 60
) -> list[Taken]:
    """The lines of a game that follows a goal's script and reaches it.

    Raises:
        NoGameError: there is none.
        TimeoutError: it was not found out in time.
    """
    script = goal.script(whole=whole)
    search = follow(game, options, script)
    wanted = [search.engine.value(goal.condition.term, search.state)]
    for term in (goal.throughout.term, goal.among.term):
        if term is not TRUE:
            wanted += [search.engine.value(term, state) for state in search.states]
    if goal.loop:
        wanted.append(same_table(search.states[-1 - goal.loop], search.state, goal.beside))
    found = search.solve(*wanted, timeout=seconds)
    if found is None:
        raise NoGameError(f"for no deal are these {len(script)} events lawful and lead where they should")
    return found


def together(script: Sequence[Act]) -> frozenset[int]:
    """The numbers of the lines, from 0, that have the time of the one before."""
    return frozenset(at for at, act in enumerate(script) if act.together)


def follow(game: Game, options: Mapping[str, int], script: Sequence[Act]) -> Search:
    """A run along a script, from a fresh table."""
    engine = Z3Terms(game, options, counted=True)
    search = Search(engine, engine.layout.initial())
    for act in script:
        rows = [one.name for one in act.event.parameters if one.role == "rows"]
        if game.same_instant:
            search.state[game.same_instant, ()] = z3.BoolVal(act.together)
        kept = {} if act.again is None else {name: search.stated(act.again)[name] for name in rows}
        search.follow(act.event, act.lengths, **{**kept, **act.values})
    return search


def same_table(one: Symbolic, other: Symbolic, beside: Sequence[str] = ()) -> z3.BoolRef:
    """Whether two tables are the same in every cell and zone, but for those left out by name."""
    keys = [key for key in one if key[0] not in beside and one[key] is not other[key]]
    return conj(_same(one[key], other[key]) for key in keys)


def _same(one: Any, two: Any) -> z3.BoolRef:
    if isinstance(one, Number):
        return same(one, two)
    if isinstance(one, Stack):
        return conj([same(one.size, two.size), *(same(*pair) for pair in zip(one.cards, two.cards, strict=True))])
    if isinstance(one, Pile):
        return conj([same(one.top, two.top), same(one.size, two.size), one.cards == two.cards])
    return one == two
