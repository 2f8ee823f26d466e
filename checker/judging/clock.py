"""The clock: the order that a log's numbers and times claim, and where they contradict each other."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeal.checker.reading.prefix import Prefix
from fairdeal.checker.verdict import Severity

NOBODY = 2
"""Stands for the actor of a line that has none."""


@dataclass(frozen=True, slots=True)
class ClockFault:
    """A number or a time that cannot be right."""

    code: str
    severity: Severity
    message: str
    loses_track: bool = False
    """Lines are missing, so what follows is judged only as far as it is known."""
    act: bool = False
    """The time is sound, but its player cannot have acted then."""


class Clock:
    """The last number, and the last times of each player; times are in seconds, whatever the log's unit."""

    def __init__(self) -> None:
        self.expected = -1
        self.latest = float("-inf")
        self.unit: str | None = None
        self.same_instant = False
        """The last line had the time of the one before."""
        self.ends = [float("-inf")] * 3
        """When each player's last act ended; the third place is for lines of nobody."""
        self.spans = [(float("-inf"), float("-inf"))] * 3
        """The last span of each player; acts that are an instant do not count."""

    def take(self, prefix: Prefix, actor: int, overlap: str, *, refused: bool = False) -> list[ClockFault]:
        """Note a line's number and time; returns what is wrong with them.

        ``overlap`` is the clause that two acts of one player at the same time break; empty if there is none. A time at
        which the player of a ``refused`` attempt cannot have acted is not noted, for nothing was done then.
        """
        faults = []
        self.same_instant = prefix.time is not None and prefix.time[1] == self.latest
        if prefix.seq is not None:
            faults += self._number(prefix.seq)
        if prefix.time is not None:
            faults += self._time(*prefix.time, prefix.unit, actor, overlap, refused=refused)
        return faults

    def forget_number(self) -> None:
        """A line came whose number cannot be read, so the next one's says nothing of lines that are missing."""
        self.expected = -1

    def _number(self, number: int) -> list[ClockFault]:
        expected, self.expected = self.expected, number + 1
        if expected < 0 or number == expected:
            return []
        if number < expected:
            message = f"stale number {number}: the line before has {expected - 1}"
            return [ClockFault("LOG-SEQ", Severity.ERROR, message)]
        missing = f"number {expected} is" if number == expected + 1 else f"numbers {expected} to {number - 1} are"
        message = f"{missing} missing, so what follows is judged only as far as it is known"
        return [ClockFault("LOG-GAP", Severity.UNKNOWN, message, loses_track=True)]

    def _time(
        self, start: float, end: float, unit: str | None, actor: int, overlap: str, *, refused: bool
    ) -> list[ClockFault]:
        if self.unit is None:
            self.unit = unit
        if unit != self.unit:
            message = f"this time is {_unit(unit)}, those before are {_unit(self.unit)}: one game has one unit"
            return [ClockFault("LOG-TIME", Severity.ERROR, message)]
        if end < start:
            return [ClockFault("LOG-TIME", Severity.ERROR, "this span ends before it begins")]
        faults = self._own(start, end, actor, overlap)
        if faults and refused:
            return faults
        if end < self.latest and not faults:
            faults = [ClockFault("LOG-TIME", Severity.WARNING, self._backwards(end, actor))]
        self._note(start, end, actor)
        return faults

    def _note(self, start: float, end: float, actor: int) -> None:
        self.latest = max(self.latest, end)
        if actor != NOBODY:
            self.ends[actor] = max(self.ends[actor], end)
            if end > start:
                self.spans[actor] = (start, end)

    def _backwards(self, end: float, actor: int) -> str:
        """What is odd about a time that is before that of an earlier line, which was not of the same player."""
        if actor == NOBODY:
            return "time runs backwards: this line is of no player, and earlier than the one before it; two clocks?"
        if self.ends[1 - actor] > end:
            return "time runs backwards between two players: two clocks?"
        return "time runs backwards: a line before it, of no player, is later; two clocks?"

    def _own(self, start: float, end: float, actor: int, overlap: str) -> list[ClockFault]:
        """What speaks against the player's acting at this time."""
        if actor == NOBODY or start >= self.ends[actor]:
            return []
        ended, (begun, until) = self.ends[actor], self.spans[actor]
        last_is_span = until == ended
        if overlap and end > (begun if last_is_span else ended):
            message = "this act overlaps the player's last one, and a player uses one hand"
            if last_is_span or start < ended < end:
                return [ClockFault(overlap, Severity.ERROR, message, act=True)]
        return [ClockFault("LOG-TIME", Severity.ERROR, "time runs backwards for this player", act=True)]


def _unit(unit: str | None) -> str:
    return {"seconds": "in seconds", "instant": "an instant", "local instant": "an instant without an offset"}.get(
        unit or "", "without a unit"
    )
