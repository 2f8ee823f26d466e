"""Inspection: the table at a line of a log, and what the rules allow there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairdeal.checker.judging.board import Drawing, draw
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.lawful import changes, covering, does_nothing, lawful_events, named, text_of, way_to_goal
from fairdeal.checker.judging.run import Run
from fairdeal.checker.reading.lines import Unreadable, blocks
from fairdeal.checker.reading.logs import Kind, begins_game, classify
from fairdeal.checker.reading.source import open_log


class PlaceError(Exception):
    """A line that was asked for is in no game of the log; the message says where games are."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class LegalEvent:
    """One lawful event, as the notation writes it in text and in JSON."""

    text: str
    json: dict[str, object]
    idle: bool = False
    """It changes nothing: a claim, a word said, a slap that is ignored."""
    refusable: bool = False
    """It is idle and no claim: to refuse it is no fault, as it is of every other event (LOG-REFUSED)."""
    smaller: int = 0
    """How many other events are the same with fewer of these cards."""
    covered: bool = False
    """It is one of those."""


def run_up_to(path: str, line: int, rules: str | None, options: Mapping[str, str]) -> Run:
    """The run of the game that a line is in, just after that line; after one of its header, before its first event.

    Raises:
        PlaceError: the log has no such line, or it is in no game that can be judged.
        SourceError: the log cannot be read.
    """
    check = LogCheck(Call(path, rules, dict(options)))
    with open_log(path) as stream:
        for lines in blocks(stream):
            wanted = max(line - check.number, 0)
            for _ in check.take(lines[:wanted]):
                pass
            if check.number >= line and _past_header(check, lines[wanted:]):
                break
    if check.number < line:
        raise PlaceError(f"{path} has {check.number} lines, so none is line {line}")
    run = check.begin()
    if run is None:
        faults = check.game.outcome.findings if check.game is not None else []
        why = f": {faults[0].message} (line {faults[0].line})" if faults else ""
        raise PlaceError(f"line {line} of {path} is in no game that can be judged{why}")
    return run


def _past_header(check: LogCheck, lines: Sequence[str]) -> bool:
    """Take what is left of the header that the lines before have begun; whether that was all of it."""
    for each in lines:
        if not check.in_header or isinstance(each, Unreadable):
            return True
        if classify(each) not in (Kind.HEADER, Kind.BLANK) or begins_game(each):
            return True
        for _ in check.take([each]):
            pass
    return not check.in_header


def board_at(path: str, line: int, rules: str | None = None, options: Mapping[str, str] | None = None) -> Drawing:
    """The table after a line of a log, as text that knows its rows.

    Raises:
        PlaceError: the line is in no game.
        SourceError: the log cannot be read.
    """
    run = run_up_to(path, line, rules, options or {})
    return draw(run.binder, run.state, run.labels)


def legal_at(
    path: str, line: int, rules: str | None = None, options: Mapping[str, str] | None = None
) -> list[LegalEvent]:
    """Every event that the rules allow after a line of a log.

    Raises:
        PlaceError: the line is in no game.
        SourceError: the log cannot be read.
    """
    return legal_in(run_up_to(path, line, rules, options or {}))


def legal_in(run: Run) -> list[LegalEvent]:
    """Every event that the rules allow next in a run; those that change nothing come last."""
    binder, found = run.binder, []
    events = list(lawful_events(binder, run.state, run.labels))
    covers = [covering(one, events) for one in events]
    for one, cover in zip(events, covers, strict=True):
        fields: dict[str, object]
        if one.left_open:
            player = {"player": "AB"[one.values["player"]]} if "player" in one.values else {}
            fields = {"type": one.event.name, **player}
        else:
            fields = binder.json(one.event, named(binder, one, run.labels))
        idle, text = not changes(binder, run.state, one), text_of(binder, one, run.labels)
        refusable = idle and does_nothing(binder, run.state, one.event, one.values)
        smaller = sum(one is other for other in covers)
        found.append(LegalEvent(text, fields, idle, refusable, smaller, cover is not None))
    return sorted(found, key=lambda one: one.idle)


def goal_at(path: str, line: int, rules: str | None = None, options: Mapping[str, str] | None = None) -> list[str]:
    """Lines with which the player to move reaches the game's goal in this turn; none where there is no way.

    Raises:
        PlaceError: the line is in no game.
        SourceError: the log cannot be read.
    """
    run = run_up_to(path, line, rules, options or {})
    return [text_of(run.binder, one, run.labels) for one in way_to_goal(run.binder, run.state)]
