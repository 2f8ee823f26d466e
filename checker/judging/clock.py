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

    def take(self, prefix: Prefix, actor: int, overlap: str) -> list[ClockFault]:
        """Note a line's number and time; returns what is wrong with them.

        ``overlap`` is the clause that two acts of one player at the same time break; empty if there is none.
        """
        faults = []
        self.same_instant = prefix.time is not None and prefix.time[1] == self.latest
        if prefix.seq is not None:
            faults += self._number(prefix.seq)
        if prefix.time is not None:
            faults += self._time(*prefix.time, prefix.unit, actor, overlap)
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

    def _time(self, start: float, end: float, unit: str | None, actor: int, overlap: str) -> list[ClockFault]:
        if self.unit is None:
            self.unit = unit
        if unit != self.unit:
            message = f"this time is {_unit(unit)}, those before are {_unit(self.unit)}: one game has one unit"
            return [ClockFault("LOG-TIME", Severity.ERROR, message)]
        if end < start:
            return [ClockFault("LOG-TIME", Severity.ERROR, "this span ends before it begins")]
        faults = self._own(start, end, actor, overlap)
        if end < self.latest and not faults:
            message = "time runs backwards between two players: two clocks?"
            faults = [ClockFault("LOG-TIME", Severity.WARNING, message)]
        self.latest = max(self.latest, end)
        return faults

    def _own(self, start: float, end: float, actor: int, overlap: str) -> list[ClockFault]:
        if actor == NOBODY:
            return []
        ended = self.ends[actor]
        self.ends[actor] = max(ended, end)
        begun, until = self.spans[actor]
        if end > start:
            self.spans[actor] = (start, end)
        if start >= ended:
            return []
        last_is_span = until == ended
        if overlap and end > (begun if last_is_span else ended):
            message = "this act overlaps the player's last one, and a player uses one hand"
            if last_is_span or start < ended < end:
                return [ClockFault(overlap, Severity.ERROR, message)]
        return [ClockFault("LOG-TIME", Severity.ERROR, "time runs backwards for this player")]


def _unit(unit: str | None) -> str:
    return {"seconds": "in seconds", "instant": "an instant", "local instant": "an instant without an offset"}.get(
        unit or "", "without a unit"
    )
