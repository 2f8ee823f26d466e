"""Where faults come from: what earlier lines of a game left in doubt, broke for a whole round, or lost track of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.beliefs import Beliefs
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.disputes import Disputes
from fairdeal.checker.judging.findings import Fault
from fairdeal.checker.judging.referee import Referee
from fairdeal.checker.judging.setting_up import SetUp
from fairdeal.checker.judging.undone import Undone
from fairdeal.checker.verdict import Severity
from fairdeal.spec.language.recording import Guard


class Origins:
    """Keeps for one game what later faults may follow from, each with the line that it began at."""

    def __init__(self, referee: Referee, setting_up: SetUp) -> None:
        self.referee, self.setting_up = referee, setting_up
        self.disputes = Disputes(referee)
        self.undone = Undone(referee)
        self.beliefs = Beliefs(referee)
        self.doubts: dict[int, int] = {}
        """Positions of the state that an earlier line left open, with that line."""
        self.repeats: dict[tuple[object, ...], int] = {}
        """What lines have broken since the round began that stays broken, with the first such line."""
        self.unsure: set[int] = set()
        """Lines whose effects hang on cards that nobody recorded."""
        self.lost: int | None = None
        """The line from which on lines are missing."""

    @property
    def pending(self) -> bool:
        """Whether something has to be kept in mind until a round begins."""
        return bool(self.repeats or self.doubts or self.disputes.others or self.undone.tables)

    def doubt(self, positions: Iterable[int], line: int) -> None:
        """From a line on, what stands at these positions is in doubt, unless it is already."""
        for at in positions:
            self.doubts.setdefault(at, line)

    def lose(self, line: int) -> None:
        """From a line on, others may be missing."""
        if self.lost is None:
            self.lost = line

    def recover(self) -> None:
        """A round begins anew: nothing that was missing before it counts any longer."""
        self.lost = None
        self.doubts.clear()
        self.disputes.end()
        self.undone.forget()

    def forget_after(self, line: int) -> None:
        """What a line and those after it left in doubt has been settled."""
        self.doubts = {at: origin for at, origin in self.doubts.items() if origin < line}

    def settle(self, positions: Iterable[int]) -> None:
        """What stands at these positions is known again."""
        for at in positions:
            self.doubts.pop(at, None)

    def entered(self, bound: Bound, state: State, *, lawful: bool) -> None:
        """A line has begun a round: what that has settled is in doubt no longer."""
        if self.doubts:
            blank = self.referee.binder.layout.initial()
            self.doubts = {at: line for at, line in self.doubts.items() if state[at] != blank[at]}
            self.settle(self.referee.fixed(bound, self.doubts) if lawful else ())

    def weigh(self, fault: Fault) -> None:
        """Make a fault an open question where it only follows from lines, or cards, that were not recorded."""
        unsure = fault.follows is not None and (fault.follows == self.lost or fault.follows in self.unsure)
        if unsure and fault.severity is Severity.ERROR:
            fault.severity = Severity.UNKNOWN

    def trace(self, fault: Fault, state: State) -> None:
        """Say whether a fault may only follow from an earlier one; what is new about it comes first."""
        if fault.ruling is None or fault.bound is None or fault.follows is not None:
            return
        if self.lost is not None:
            fault.follows = self.lost
            return
        if self.undone.origin is not None:
            fault.follows = self.undone.origin
            return
        origins = [self._origin(guard, fault.bound, state, fault.line) for guard in fault.ruling.failed]
        fresh = [guard for guard, origin in zip(fault.ruling.failed, origins, strict=True) if origin is None]
        known = [origin for origin in origins if origin is not None]
        if fresh and known and fault.kind == "failed":
            rest = [guard for guard in fault.ruling.failed if guard not in fresh]
            fault.ruling = replace(fault.ruling, failed=(*fresh, *rest))
            fault.code = fresh[0].clause
        elif not fresh:
            in_question = self.referee.in_question(fault.bound, fault.ruling)
            known += [self.doubts[at] for at in in_question if at in self.doubts]
            fault.follows = min(known, default=None)

    def _origin(self, guard: Guard, bound: Bound, state: State, line: int) -> int | None:
        """The line that a failed guard follows from: one that left open what it reads, or broke the same before."""
        doubts = [self.doubts[at] for at in self.referee.seen_by(guard, bound) if at in self.doubts]
        doubts += [self.disputes.line] if self.disputes.decide(guard, bound) else []
        if doubts:
            return min(doubts)
        if self.doubts and self.referee.by_bounds(guard, bound, state):  # they rest on where all cards lie
            return min(self.doubts.values())
        origin = self.setting_up.origin(guard, bound, line)
        if origin is None:
            origin = self.beliefs.origin(guard, bound, state)
        if origin is not None:
            return origin
        standing = self.referee.standing(guard, bound, state)
        if standing is None:
            return None
        first = self.repeats.setdefault(standing, line)
        return first if first != line else None
