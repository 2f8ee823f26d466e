"""The fast path: takes a game's lines as long as compiled steps accept them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import length_hint
from typing import Any

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import FAILED
from fairdeal.checker.judging.binding import Binder, Entry
from fairdeal.checker.judging.clock import Clock

Remarked = Callable[[Entry, int, str], None]

is_seconds = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?").fullmatch
"""Tells a time in seconds that the fast path takes; any other gets a closer look."""


def _from(lines: Sequence[str], position: int) -> Any:
    """An iterator over the lines from a position on that can say, by `length_hint`, how many are left."""
    rest: Any = iter(lines)
    rest.__setstate__(position)
    return rest


class FastPath:
    """Judges and carries out lines through compiled steps; whatever is unusual about a line is left to the run.

    ``remarked``, handed over with each call and not kept, lest a run and its path hold each other in memory, is called
    for a line that is lawful and yet worth a word, with its position among the lines.
    """

    def __init__(self, binder: Binder, state: State, clock: Clock) -> None:
        self.binder, self.state, self.clock = binder, state, clock

    def take(self, lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Take lines as long as compiled steps accept them; returns the first that needs a closer look."""
        clock = self.clock
        if clock.expected >= 0 or clock.unit not in (None, "seconds"):
            return self._numbered(lines, position, remarked)
        if clock.unit == "seconds":
            return self._timed(lines, position, remarked)
        return self._plain(lines, position, remarked)

    def _plain(self, lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Lines without number and time."""
        get, meet, state = self.binder.memo.get, self.binder.meet, self.state
        rest = _from(lines, position)
        for line in rest:
            entry = get(line) or meet(line)
            if entry is None:
                return len(lines) - length_hint(rest) - 1
            outcome = entry[0](state, entry[1])
            if outcome:
                if outcome == FAILED:
                    return len(lines) - length_hint(rest) - 1
                remarked(entry, len(lines) - length_hint(rest) - 1, line)
        return len(lines)

    def _timed(self, lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Lines with a time in seconds and no number."""
        get, meet, state, clock = self.binder.memo.get, self.binder.meet, self.state, self.clock
        latest, ends = clock.latest, clock.ends
        rest = _from(lines, position)
        for line in rest:
            head, _, body = line.partition(" ")
            entry = get(body) or meet(body)
            if entry is None:
                break
            stamp = head[1:]
            if head[:1] != "@" or not is_seconds(stamp):
                break
            time = float(stamp)
            step, argument, actor, _ = entry
            if time < latest:
                break
            outcome = step(state, argument)
            if outcome:
                if outcome == FAILED:
                    break
                remarked(entry, len(lines) - length_hint(rest) - 1, line)
            ends[actor] = latest = time
        else:
            clock.latest = latest
            return len(lines)
        clock.latest = latest
        return len(lines) - length_hint(rest) - 1

    def _numbered(self, lines: Sequence[str], position: int, remarked: Remarked) -> int:
        """Lines with a number, and perhaps a time in seconds."""
        get, meet, state, clock = self.binder.memo.get, self.binder.meet, self.state, self.clock
        latest, ends, expected = clock.latest, clock.ends, clock.expected
        timed = clock.unit == "seconds"
        rest = _from(lines, position)
        for line in rest:
            number, _, body = line.partition(" ")
            time = latest
            if timed and body[:1] == "@":
                head, _, body = body.partition(" ")
                stamp = head[1:]
                if not is_seconds(stamp):
                    break
                time = float(stamp)
            entry = get(body) or meet(body)
            if entry is None or number != str(expected) or time < latest:
                break
            step, argument, actor, _ = entry
            outcome = step(state, argument)
            if outcome:
                if outcome == FAILED:
                    break
                remarked(entry, len(lines) - length_hint(rest) - 1, line)
            expected += 1
            if time != latest:
                ends[actor] = latest = time
        else:
            clock.latest, clock.expected = latest, expected
            return len(lines)
        clock.latest, clock.expected = latest, expected
        return len(lines) - length_hint(rest) - 1
