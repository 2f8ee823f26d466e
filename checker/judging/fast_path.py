"""The fast path: takes a game's lines as long as compiled steps accept them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import eq, le, length_hint
from typing import Any, NamedTuple

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import FAILED
from fairdeal.checker.judging.binding import Binder, Brief, Entry
from fairdeal.checker.judging.clock import Clock

Remarked = Callable[[Entry, int, str], None]

FEWEST, MOST = 16, 2048
"""Lines whose numbers and times are read at once: few at first, more as long as nothing is unusual, so that a log that
is unusual everywhere is not read again and again."""

_TIME = r"@([0-9]{1,12}(?:\.[0-9]{1,9})?) "
"""A time in seconds that the fast path takes; any other gets a closer look."""

_TIMED = re.compile(_TIME)
_NUMBERED = re.compile(r"([0-9]+) (?!@)")
_NUMBERED_TIMED = re.compile(r"([0-9]+) " + _TIME)

_NEXT_GAME = "\ngamelog"
"""How the header of another game begins, in almost every log."""


class Chunk(NamedTuple):
    """Some lines whose numbers and times are in order, as far as they are."""

    bodies: Sequence[str]
    times: Sequence[float]
    """In seconds, one for each body; empty where the lines have none."""


class FastPath:
    """Judges and carries out lines through compiled steps; whatever is unusual about a line is left to the run.

    ``remarked``, handed over with each call and not kept, lest a run and its path hold each other in memory, is called
    for a line that is lawful and yet worth a word, with its position among the lines.
    """

    def __init__(self, binder: Binder, state: State, clock: Clock) -> None:
        self.binder, self.state, self.clock = binder, state, clock

    def take(self, lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Take lines as long as compiled steps accept them; returns the first that needs a closer look."""
        clock, size = self.clock, FEWEST
        if clock.expected < 0 and clock.unit != "seconds":
            read = self._plain
        elif clock.expected < 0:
            read = self._timed
        else:
            read = self._numbered
        while position < len(lines):
            some = lines[position : position + size]
            chunk = read(some)
            taken = self._judge(chunk.bodies, lines, position, remarked)
            if chunk.times and taken:
                self._note(chunk, taken)
            position += taken
            if clock.expected >= 0:
                clock.expected += taken
            if taken < len(some):
                break
            size = min(2 * size, MOST)
        return position

    def _judge(self, bodies: Sequence[str], lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Judge bodies and carry them out; returns how many were taken."""
        get, meet, state = self.binder.memo.get, self.binder.meet, self.state
        entry: Entry | Brief | None
        rest: Any = iter(bodies)  # says by `length_hint` how many are left
        for entry in map(get, rest):
            if entry is None:
                entry = meet(bodies[len(bodies) - length_hint(rest) - 1])  # noqa: PLW2901  (it is the quickest)
                if entry is None:
                    return len(bodies) - length_hint(rest) - 1
            outcome = entry[0](state, entry[1])
            if outcome:
                at = len(bodies) - length_hint(rest) - 1
                if outcome == FAILED:
                    return at
                remarked(self.binder.entry(bodies[at]), position + at, lines[position + at])
        return len(bodies)

    def _note(self, chunk: Chunk, taken: int) -> None:
        """Note the latest time, and for each player when the last act was."""
        clock, missing = self.clock, {0, 1}
        clock.latest = chunk.times[taken - 1]
        for at in range(taken - 1, -1, -1):
            actor = self.binder.entry(chunk.bodies[at])[2]
            if actor in missing:
                clock.ends[actor] = chunk.times[at]
                missing.remove(actor)
                if not missing:
                    break

    # -- numbers and times, of many lines at once --------------------------------------------------------------------

    def _plain(self, lines: Sequence[str]) -> Chunk:
        """Lines without number and time."""
        return Chunk(lines, ())

    def _timed(self, lines: Sequence[str]) -> Chunk:
        """Lines with a time in seconds and no number."""
        bodies, stamps = _split(_TIMED, lines)
        times = _in_order(stamps, self.clock.latest)
        return Chunk(bodies[: len(times)], times)

    def _numbered(self, lines: Sequence[str]) -> Chunk:
        """Lines with a number, and a time in seconds if the first has one."""
        times: Sequence[float] = ()
        if self.clock.unit == "seconds" and _NUMBERED_TIMED.match(lines[0]):
            bodies, numbers, stamps = _split(_NUMBERED_TIMED, lines)
            times = _in_order(stamps, self.clock.latest)
            bodies = bodies[: len(times)]
        else:
            bodies, numbers = _split(_NUMBERED, lines)
        expected = map(str, range(self.clock.expected, self.clock.expected + len(bodies)))
        right = _agreeing(map(eq, numbers, expected), len(bodies))
        return Chunk(bodies[:right], times[:right])


def _split(head: re.Pattern[str], lines: Sequence[str]) -> list[list[str]]:
    """What follows the heads of lines, and then each group of the heads, as far as all lines have such a head."""
    apiece = head.groups + 1
    text, count = "\n" + "\n".join(lines), len(lines)
    end = text.find(_NEXT_GAME)
    if end >= 0:  # what follows is not for this game to read
        text = text[:end]
        count = text.count("\n")
    parts = _at_line_begin(head).split(text)
    columns = [parts[at::apiece] for at in (apiece, *range(1, apiece))]
    if len(columns[0]) == count:
        return columns
    if parts[0]:  # the first line has no such head
        return [[] for _ in columns]
    bodies = columns[0]  # a line without such a head has become part of what follows the head before it
    right = _agreeing(("\n" not in body for body in bodies), len(bodies) - 1)
    bodies[right] = bodies[right].partition("\n")[0]
    return [column[: right + 1] for column in columns]


@cache
def _at_line_begin(head: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile("\n" + head.pattern)


def _in_order(stamps: Sequence[str], latest: float) -> Sequence[float]:
    """Times as numbers, as far as none is before the last."""
    times = [latest, *map(float, stamps)]
    if times != sorted(times):
        del times[_agreeing(map(le, times, times[1:]), len(stamps)) + 1 :]
    return times[1:]


def _agreeing(answers: Iterable[bool], count: int) -> int:
    """How many of ``count`` answers come before the first no."""
    return next((at for at, answer in enumerate(answers) if not answer), count)
