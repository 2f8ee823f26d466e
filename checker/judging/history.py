"""History: the lines of a log one after another, each with the table as it is after that line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.run import Run
from fairdeal.checker.reading.lines import blocks
from fairdeal.checker.reading.prefix import Prefix
from fairdeal.checker.reading.source import open_log
from fairdeal.checker.verdict import GameReport


@dataclass(frozen=True, slots=True)
class Moment:
    """A line of a log, just judged."""

    line: int
    """Its number, from 1."""
    text: str
    run: Run | None
    """The run of the game that the line is in, which goes on: what is needed of its table has to be taken at once.

    ``None`` before a game's first event, and in games that cannot be judged.
    """
    prefix: Prefix | None = None
    """Its number and time, if it is an event."""
    bound: Bound | None = None
    """What it states, if it is an event."""


def moments(
    path: str,
    *,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
) -> Iterator[Moment | GameReport]:
    """Judge a log as `check_source` does, and stop at each line; a game's report comes after its last line.

    Lines before the first game count as lines of it.

    Raises:
        SourceError: the log cannot be read, perhaps after some of its lines.
    """
    check = LogCheck(Call(path, rules, dict(options or {}), max_findings))
    with open_log(path) as stream:
        for lines in blocks(stream):
            for line in lines:
                yield from check.take([line])
                yield _moment(check, line)
    yield from check.finish()


def _moment(check: LogCheck, line: str) -> Moment:
    game = check.game
    run = None if game is None or check.in_header else game.run
    if run is None or run.last != check.number:
        return Moment(check.number, line, run)
    found = run.read(line)
    return Moment(check.number, line, run, *(found or ()))
