"""Beliefs: what a false claim takes to be so, from which a later fault may follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.referee import Referee, Ruling, reading
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.terms import Term

MOST_KEPT = 12
"""Beliefs that are kept; of more, the earliest, from which the others may follow."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What a line takes to be so, for a table that looks as it did then."""

    line: int
    taken: Mapping[Term, Term]
    """Conditions, each with the value that they are taken to have."""
    table: Mapping[int, object]
    """What these conditions read, by position."""


class Beliefs:
    """Keeps for one game what its false claims take to be so."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.kept: list[Belief] = []

    def claimed(self, bound: Bound, ruling: Ruling, state: State, line: int) -> None:
        """Note what a false claim takes to be so; of what was claimed of another table nothing is kept."""
        self.kept = [one for one in self.kept if _stands(one, state)]
        for guard in ruling.failed:
            if not guard.reports and reading(guard.condition):
                taken = dict(_taken(_of_choices(guard.condition, bound), wanted=True))
                table = {at: _seen(state[at]) for at in self.referee.seen_by(guard, bound)}
                if len(self.kept) < MOST_KEPT and all(one.taken != taken for one in self.kept):
                    self.kept.append(Belief(line, taken, table))

    def origin(self, guard: Guard, bound: Bound, state: State) -> int | None:
        """The line of a false claim that would make a failed guard hold, on a table that looks as it did then."""
        for belief in self.kept:
            if _stands(belief, state):
                condition = _of_choices(guard.condition, bound)
                believed = terms.replace(condition, belief.taken)
                if self.referee.interpreter.value(believed, state, bound.values) is True:
                    return belief.line
        return None


def _stands(belief: Belief, state: State) -> bool:
    return all(_seen(state[at]) == then for at, then in belief.table.items())


def _seen(part: object) -> object:
    return tuple(part) if isinstance(part, list) else part


def _of_choices(condition: Term, bound: Bound) -> Term:
    """A condition for the choices of a line: the same term, whatever event asks for it."""
    chosen = zip(bound.event.choices, bound.choices, strict=True)
    return terms.substitute(condition, {one.term: terms.const(value, one.sort) for one, value in chosen})


def _taken(term: Term, *, wanted: bool) -> Iterator[tuple[Term, Term]]:
    """A condition and those of its parts that have to be so for it to be as wanted, each with its value.

    Of several ways to be so none is taken, unless the others are fixed: they hang on options alone.
    """
    yield term, terms.TRUE if wanted else terms.FALSE
    if term.op == "not":
        yield from _taken(term.args[0], wanted=not wanted)
    elif term.op in ("and", "or"):
        parts = [one for one in term.args if reading(one)]
        if (term.op == "and") is wanted or len(parts) == 1:
            for one in parts:
                yield from _taken(one, wanted=wanted)
