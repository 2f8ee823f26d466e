"""Shrinking: a short log that still has the first finding of a long one.

Lines are left out, by halves and then ever fewer, and with each the lines that it makes impossible; what stays is
lawful up to the line at fault. Cf. Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE
Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fairdeal.checker.judging.checking import Call, LogCheck, check_source
from fairdeal.checker.judging.outcome import FirstFaultError
from fairdeal.checker.judging.run import Run
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.lines import Unreadable, blocks
from fairdeal.checker.reading.logs import Kind, classify
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.source import open_log
from fairdeal.checker.verdict import Finding, GameReport, Severity

MOST_PAIRED = 64
"""Lines up to which all pairs of them are tried."""

MOST_RUNS = 20_000
"""Candidates that are judged for one log; beyond, the shortest so far is taken."""

MOST_LINES = 200_000
"""Lines of a game up to its fault that are looked at."""

_WEIGHTY = (Severity.ERROR, Severity.READING, Severity.UNKNOWN)


class ShrinkError(Exception):
    """There is nothing to shrink; the message says why."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A short log, with what it comes from."""

    lines: tuple[str, ...]
    """The header, an empty line, and the events; the last one is at fault."""
    events: int
    """Lines of events in it."""
    original: int
    """Lines of events of the game up to and with the line at fault."""
    finding: Finding
    """Its first finding, found by a check of these lines."""
    runs: int
    """Candidates that were judged."""
    gave_up: bool
    """There were more candidates than are judged."""


def shrink(call: Call) -> Shrunk:
    """The shortest log found that has the first finding of the log that ``call`` names.

    Of a log with many games it is the first game with a finding that decides its verdict.

    Raises:
        ShrinkError: no game has such a finding, it comes too late in a game, or it is no fault of an event.
        SourceError: the log cannot be read.
    """
    report, wanted = _first(call)
    lines = _lines(call.path, report.line, wanted.line)
    start = next((n for n, line in enumerate(lines) if _is_event(line)), len(lines))
    header, events = [line for line in lines[:start] if line.strip()], list(lines[start:])
    shrinker = _Shrinker(call, header, wanted.code)
    for shortest in shrinker.attempts(events):
        result = (*header, *([""] if shortest else []), *shortest)
        finding = first_finding(call, result)
        if finding is not None and finding.code == wanted.code:
            original, left = sum(map(_is_event, events)), sum(map(_is_event, shortest))
            return Shrunk(result, left, original, finding, shrinker.runs, shrinker.gave_up)
    raise ShrinkError(
        f"{call.path}: {wanted.code} on line {wanted.line} is no fault of an event; nothing can be left out"
    )


def _first(call: Call) -> tuple[GameReport, Finding]:
    for report in check_source(call.path, rules=call.rules, options=call.options, max_findings=call.max_findings):
        for finding in report.findings:
            if finding.severity in _WEIGHTY:
                return report, finding
    raise ShrinkError(f"{call.path}: no game in it has a finding that decides its verdict")


def _lines(path: str, first: int, last: int) -> list[str]:
    """The lines of a log from one to another; the last one is text."""
    if last - first >= MOST_LINES:
        raise ShrinkError(
            f"{path}: the finding on line {last} comes more than {MOST_LINES} lines after its game begins"
        )
    found: list[str] = []
    number = 0
    with open_log(path) as stream:
        for block in blocks(stream):
            found += block[max(first - 1 - number, 0) : max(last - number, 0)]
            number += len(block)
            if number >= last:
                break
    if found and isinstance(found[-1], Unreadable):
        raise ShrinkError(f"{path}: line {last} is no text: {found[-1].reason}")
    return found


def _is_event(line: str) -> bool:
    """Whether a line is no part of a header, and not empty."""
    kind = Kind.UNREADABLE if isinstance(line, Unreadable) else classify(line)
    if kind is Kind.JSON:
        try:
            return "gamelog" not in load_object(line)
        except NotationError:
            return True
    return kind in (Kind.EVENT, Kind.UNREADABLE)


def first_finding(call: Call, lines: Sequence[str]) -> Finding | None:
    """The first finding that decides a verdict in a log of these lines, or ``None``."""
    check = LogCheck(replace(call, path="<shrunk>", max_findings=1000))
    for report in check.take(list(lines)):
        return next((one for one in report.findings if one.severity in _WEIGHTY), None)
    check.begin()
    found = check.game.so_far().findings if check.game is not None else ()
    return next((one for one in found if one.severity in _WEIGHTY), None)


class _Shrinker:
    """Looks for fewer events under one header whose last one has the wanted code."""

    def __init__(self, call: Call, header: list[str], code: str) -> None:
        self.call, self.header, self.code = call, header, code
        self.runs = 0
        self.gave_up = False
        check = LogCheck(replace(call, path="<shrunk>"))
        for _ in check.take([*header, ""]):
            raise AssertionError("a header ends no game")
        self.fast = check.begin() if header else None
        """The run whose rules judge the candidates; ``None`` where each is checked in full."""

    def attempts(self, events: list[str]) -> Iterator[list[str]]:
        """Yields lists to be checked, the first that holds being the shortest found: the last is as it was."""
        if events:
            if self.fast is not None and self.fault(events) == len(events) - 1:
                yield self._shrunk(events)
            self.fast = None
            yield self._shrunk(events)
        yield events

    def _shrunk(self, events: list[str]) -> list[str]:
        best = self._without([line for line in events[:-1] if _is_event(line)], events[-1:]) or events
        for change in (self._later_rounds, self._chunks, self._pairs, self._bare):
            best = change(best)
        return self._chunks(best)

    def fault(self, events: Sequence[str]) -> int | None:
        """The position of the first event at fault; ``None`` if there is none, or it is the last with another code."""
        self.runs += 1
        if self.fast is None:
            self.runs += 9  # it takes that much longer
            finding = first_finding(self.call, [*self.header, *events])
            if finding is None:
                return None
            position = finding.line - len(self.header) - 1
            return position if position < len(events) - 1 or finding.code == self.code else None
        run = Run(self.fast.binder, self.fast.explainer, 1, trial=True)
        try:
            run.feed(events)
        except FirstFaultError as found:
            position = run.line - 1
            code = found.fault.code or self.fast.binder.game.one_deck
            return position if position < len(events) - 1 or code == self.code else None
        return None

    def _without(self, kept: list[str], last: list[str], most: int = MOST_LINES) -> list[str] | None:
        """The lines kept, less at most so many that need one that is not kept; ``None`` where the fault is gone."""
        events = [*kept, *last]
        while self.runs < MOST_RUNS:
            if len(kept) + 1 - len(events) > most:
                return None
            position = self.fault(events)
            if position is None or position < 0:
                return None
            if position == len(events) - 1:
                return events
            del events[position]
        self.gave_up = True
        return None

    def _later_rounds(self, events: list[str]) -> list[str]:
        """Leave out whole rounds from the beginning: a log may begin at a later one."""
        if self.fast is None:
            return events
        entry = self.fast.binder.game.entry
        starts = [n for n, line in enumerate(events) if (bound := self.fast.peek(line)) and bound.event.name == entry]
        for start in reversed(starts[1:]):
            found = self._without(events[start:-1], events[-1:])
            if found is not None:
                return found
        return events

    def _chunks(self, events: list[str]) -> list[str]:
        """Leave out ever smaller pieces, from the end, since what comes late depends on what comes early."""
        size = max(len(events) // 2, 1)
        while True:
            shorter = self._pass(events, size)
            if len(shorter) == len(events) and size == 1:
                return events
            events = shorter
            size = min(max(size // 2, 1), max(len(events) // 2, 1))

    def _pass(self, events: list[str], size: int) -> list[str]:
        stop = len(events) - 1
        while stop > 0:
            start = max(stop - size, 0)
            found = self._without(events[:start] + events[stop:-1], events[-1:])
            if found is not None:
                events = found
            stop = min(start, len(events) - 1)
        return events

    def _pairs(self, events: list[str]) -> list[str]:
        """Leave out two lines that only together can go."""
        again = True
        while again and len(events) <= MOST_PAIRED:
            again = False
            for first, second in _pairs_of(len(events) - 1):
                rest = [line for n, line in enumerate(events[:-1]) if n not in (first, second)]
                found = self._without(rest, events[-1:], most=4)
                if found is not None:
                    events, again = found, True
                    break
        return events

    def _bare(self, events: list[str]) -> list[str]:
        """Leave out numbers and times, if the fault needs neither."""
        bare = [_without_prefix(line) for line in events]
        return bare if bare != events and self.fault(bare) == len(bare) - 1 else events


def _pairs_of(count: int) -> Iterator[tuple[int, int]]:
    """Pairs of positions, near ones first."""
    for distance in range(1, count):
        for first in range(count - distance):
            yield first, first + distance


def _without_prefix(line: str) -> str:
    if classify(line) is not Kind.EVENT:
        return line
    try:
        return line[split_prefix(line).start :]
    except NotationError:
        return line
