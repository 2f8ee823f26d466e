"""Disputes: how a game stands after a line that came out of turn, if that line counts and if it does not.

Such a line is carried out with its cards. Whether it also took the turn away, or ended a round, the rules do not say,
for they do not allow it; its program may have it either way. So each way is kept, as a table of its own, for as long as
the lines that follow agree with it. A line is at fault where it breaks a rule on all of these tables.

Of a line that moves no single card, such as one that begins a round while another is on, even the cards may lie as it
has them or as they lay before. Then the tables are told apart by their cards too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.referee import Referee
from fairdeal.spec.language.recording import Guard

MOST_TABLES = 6
"""Tables besides the one in hand that are kept; of more, the latest."""


class Disputes:
    """The other tables of one game that may be the right one, and the line from which on there are some."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.others: list[State] = []
        self.line = 0
        self.apart = False
        """Whether cards may lie otherwise on the other tables, and not only the game stand otherwise."""

    def choose(self, bound: Bound, state: State) -> None:
        """Before a line is judged: leave the tables with which it does not agree, unless that is so of all of them.

        Where it is, and cards lie otherwise on some, it is judged on the one on which it breaks the fewest rules.
        """
        if not self.others:
            return
        instant = self.referee.binder.instant
        if instant is not None:  # that is of the line, and not of a table
            for one in self.others:
                one[instant] = state[instant]
        tables = [copy(state), *self.others] if self.apart else [state, *self.others]
        agreeing = [one for one in tables if self.referee.fits(bound, one)]
        if self.apart and not agreeing:
            agreeing = sorted(tables, key=lambda one: len(self.referee.rule(bound, one).failed))
        if agreeing:
            first, *rest = agreeing
            if first is not state:
                state[:] = copy(first)
            self._keep(rest, state)

    def decide(self, guard: Guard, bound: Bound) -> bool:
        """Whether a guard that fails on the table in hand does not fail on every other one."""
        value = self.referee.interpreter.value
        return any(value(guard.condition, one, bound.values) is not False for one in self.others)

    def follow(self, bound: Bound, state: State) -> None:
        """Do on each other table what a line has just done on the one in hand, where it did not come out of turn."""
        if self.others:
            done = (self._done(bound, one) for one in self.others)
            self._keep([one if self.apart else self._with_course(one, state) for one in done], state)

    def begin(self, bound: Bound, before: State, state: State, line: int) -> None:
        """Note that a line which came out of turn has been carried out: on every table it may count or not."""
        if not self.others:
            self.line = line
        ways = [self._with_course(before, state)]
        for one in self.others:
            done = self._done(bound, one) if self.apart else self._with_course(self._done(bound, one), state)
            ways += [self._with_course(one, done), done]
        self._keep(ways, state)

    def part(self, bound: Bound, state: State, line: int, *, counts: bool) -> None:
        """Note that a line may count on every table or not at all; on the one in hand it does if ``counts``."""
        if not self.others:
            self.line = line
        ways = [one for table in (state, *self.others) for one in (copy(table), self._done(bound, table))]
        if counts:
            state[:] = copy(ways[1])
        self.apart = True
        self._keep(ways, state)

    def end(self) -> None:
        """Settle every dispute in favour of the table in hand."""
        self._keep((), [])

    def _done(self, bound: Bound, state: State) -> State:
        after = copy(state)
        self.referee.apply(bound, after)
        return after

    def _with_course(self, other: State, state: State) -> State:
        """A table whose cards lie as on one, and on which the game stands as on another."""
        table = copy(state)
        for at in self._course:
            table[at] = other[at]
        return table

    @cached_property
    def _course(self) -> tuple[int, ...]:
        """Positions of the cells that tell how a game stands, and not how a card lies."""
        layout = self.referee.binder.layout
        faces = {face for _, _, zone in layout.zones() for face in self.referee.faces(zone)}
        cells = (at for (name, _), at in layout.position.items() if layout.variables[name].kind == "cell")
        return tuple(at for at in cells if at not in faces)

    def _keep(self, tables: Iterable[State], state: State) -> None:
        kept: list[State] = []
        for one in tables:
            if one != state and one not in kept:
                kept.append(one)
        self.others = kept[-MOST_TABLES:]
        self.apart = self.apart and bool(kept)
