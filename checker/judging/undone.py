"""Faulty lines that their program may have left undone, and what follows from their being carried out here.

A line that breaks a rule is carried out where the cards can do what it says: most programs that write one have done it.
Some have not, and only forgot to say that it was refused. So the table as it was without the line is kept beside the
one in hand, and later lines are held against both. One that agrees with that table alone is a fault that may only
follow from the faulty line, and from there on that table is the one in hand. One that agrees with the table in hand
alone shows what this program does with lines that break this clause, and so it is taken to do from then on.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.referee import Referee
from fairdeal.spec.cards import NO_CARD

MOST_TABLES = 6
"""Tables that are kept besides the one in hand; of more, the latest."""


@dataclass(slots=True, eq=False)
class _Table:
    """Another table that may be the right one."""

    state: State
    line: int
    """The faulty line in which it differs from the table in hand."""
    code: str
    """The clause that it breaks."""
    counts: bool
    """Whether the faulty line has been carried out on this table, and so not on the one in hand."""
    agrees: bool = True
    """Whether the line in hand may be as it should on this table."""


class Undone:
    """The tables of one game on which faulty lines have not been carried out, as long as they may be right."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.tables: list[_Table] = []
        self.counting: dict[str, bool] = {}
        """By clause, whether the program carries out lines that break it, as far as the game has shown."""
        self.agrees = True
        """Whether the line in hand may be as it should on the table in hand."""
        self._begun: list[_Table] = []
        """What the line in hand adds."""

    @property
    def origin(self) -> int | None:
        """The faulty line from which a fault of the line in hand may only follow."""
        right = self._right
        return None if self.agrees or right is None else right.line

    def weigh(self, bound: Bound, state: State) -> None:
        """Before a line is judged: hold it against every table, and give up those that it shows to be wrong."""
        self.agrees = True
        if not self.tables:
            return
        instant = self.referee.binder.instant
        self.agrees = self.referee.fits(bound, state)
        for one in self.tables:
            if instant is not None:  # that is of the line, and not of a table
                one.state[instant] = state[instant]
            one.agrees = self.referee.fits(bound, one.state)
            if self.agrees and not one.agrees:
                self.counting[one.code] = not one.counts
        if self.agrees:
            self.tables = [one for one in self.tables if one.agrees]

    def begin(self, before: State, line: int, code: str) -> None:
        """Note that a faulty line has been carried out on the table in hand, which was as ``before``."""
        if not self.counting.get(code):
            found = (before, *(one.state for one in self.tables if not one.agrees))
            self._begun = [_Table(copy(one), line, code, counts=False) for one in found]

    def follow(self, bound: Bound, state: State) -> int | None:
        """After a line: do on each other table what it says, and take in hand the one with which it agrees alone.

        Returns the faulty line in which the tables differ, if another one has been taken in hand.
        """
        if not (self.tables or self._begun):
            return None
        right = None if self.agrees else self._right
        for one in self.tables:
            self._do(bound, one.state)
        if right is None and self._begun and self.counting.get(self._begun[0].code) is False:
            right = self._begun[0]
        self.tables += self._begun
        self._begun = []
        if right is not None:
            state[:], right.state = right.state, copy(state)
            right.counts = not right.counts
        self._keep(state)
        return None if right is None else right.line

    def forget(self) -> None:
        """Settle everything in favour of the table in hand."""
        self.tables, self._begun = [], []

    @property
    def _right(self) -> _Table | None:
        return next((one for one in self.tables if one.agrees), None)

    def _do(self, bound: Bound, state: State) -> None:
        if bound.body.refused is not None or bound.beyond or bound.rubbish:
            return
        ruling = self.referee.rule(bound, state)
        if bound.event.observation:
            if ruling.lawful:
                self.referee.learn(bound, state)
        elif ruling.lawful or (ruling.possible and ruling.conflict == NO_CARD and not bound.event.claim):
            self.referee.apply(bound, state)

    def _keep(self, state: State) -> None:
        kept: list[_Table] = []
        for one in self.tables:
            if one.state != state and all(one.state != other.state for other in kept):
                kept.append(one)
        self.tables = kept[-MOST_TABLES:]
