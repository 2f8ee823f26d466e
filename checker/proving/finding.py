"""Finding a game that somebody asks for: by a declared goal's script, by bounded search, or in random games."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairdeal.checker.judging.shelf import binder_for
from fairdeal.checker.proving.expressions import ExpressionError, condition
from fairdeal.checker.proving.looking import Found, Shows, breaking, exercising, look, reaching
from fairdeal.checker.proving.minimal import unreachable_within
from fairdeal.checker.proving.scripts import NoGameError, solve
from fairdeal.checker.proving.witnesses import Witness, checked, report_on, written
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.source import blocks, open_log
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.language.expressions import Expr, RulesError
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.properties import ALWAYS, Act, Goal, Properties

NAME = re.compile(r"[\w-]+")
"""What is meant as a name, and not as a condition on the table."""

SHORT = 6
"""Lines up to which it is shown that no shorter log would do."""

TRIES = 5
"""Logs that break a clause and that `check` reads otherwise, before the search is given up."""


class NotFound(Exception):  # noqa: N818 - it says what happened
    """No game was found; the message says how far that goes."""


class UnknownGoalError(ValueError):
    """A name that is no goal, event or clause and says nothing of the table; with the names that there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no goal {name}")
        self.name, self.known = name, known


@dataclass(frozen=True)
class Request:
    """What somebody asks for."""

    goal: str
    rules: str | None = None
    options: Mapping[str, str] | None = None
    whole: bool = False
    broken: bool = False
    deal: str | None = None
    length: int | None = None
    seconds: float = 60


def find_game(declared: Properties, request: Request) -> Witness:
    """A game that reaches the goal, accepted by `check`; or, for a broken clause, found to break it.

    Raises:
        NotFound: none was found.
        UnknownGoalError: the goal is a name, and none that the game knows.
        ExpressionError: it is more than a name, and no condition on the table.
    """
    game = declared.game
    goal = next((one for one in declared.goals if request.goal in (one.name, one.hole) and not request.broken), None)
    if goal is not None:
        return _by_script(game, goal, request)
    clauses = catalogue(game.name)
    if request.goal in game.events:
        return _in_games(game, request, exercising([request.goal]), f"`{request.goal}` is the last line")
    if request.goal.upper() in clauses:
        return _of_clause(game, request.goal.upper(), request)
    try:
        wanted = condition(game, request.goal)
    except ExpressionError as error:
        if not NAME.fullmatch(request.goal):
            raise
        raise UnknownGoalError(request.goal, [*(one.name for one in declared.goals), *game.events, *clauses]) from error
    return _reaching(game, request, wanted)


def _chosen(request: Request, readings: Mapping[str, str]) -> dict[str, str]:
    """The readings to look under: a goal's own hold where the call names no set of rules."""
    return {**({} if request.rules else readings), **(request.options or {})}


def _by_script(game: Game, goal: Goal, request: Request) -> Witness:
    rules, chosen = request.rules or goal.rules, _chosen(request, goal.readings)
    options = game.bind(rules, chosen)
    whole = request.whole or goal.late is None
    try:
        script = goal.script(whole=whole)
    except RulesError as error:
        raise NotFound(str(error)) from error
    if request.deal:
        script = with_deals(game, script, request.deal)
        goal = replace(goal, among=ALWAYS)
    if request.length and len(script) > request.length:
        raise NotFound(f"the shortest game that is known to try has {len(script)} events, not {request.length}")
    kept = replace(goal, whole=lambda: script, late=None)
    try:
        lines = solve(game, options, kept, whole=True, seconds=request.seconds)
    except (NoGameError, TimeoutError) as failure:
        raise NotFound(f"{goal.name} was not reached: {failure}") from failure
    notes = [f"{goal.name}: {goal.statement}"]
    notes += [f"under {', '.join(f'{name}={value}' for name, value in chosen.items())}"] if chosen else []
    if not whole:
        notes.append("assumed: a round that begins with this split of the cards")
    if request.deal:
        notes.append("the deals are those of the log that was given")
    if goal.loop:
        beside = f", but for {', '.join(goal.beside)}" if goal.beside else ""
        table = f"the table after the last event is that of {goal.loop} events before{beside}"
        notes.append(f"{table}: it can go on like this for ever")
    elif not request.deal:
        notes.append(_shortness(game, options, goal, len(script), request, first=1 if whole else None))
    return checked(game, lines, chosen, rules, notes)


def _shortness(
    game: Game, options: Mapping[str, int], goal: Goal, lines: int, request: Request, first: int | None
) -> str:
    """What is known of shorter logs."""
    if lines > SHORT:
        return f"{lines} events; that there is no shorter log is not shown"
    shown = unreachable_within(game, options, goal.condition.term, lines - 1, request.seconds, first=first)
    if shown == lines - 1:
        return f"{lines} events, and no log of fewer reaches it, whatever the deal: every event was searched"
    return f"{lines} events; no log of {shown} or fewer reaches it"


def _of_clause(game: Game, clause: str, request: Request) -> Witness:
    """A log that ends with an event which the clause allows; or with a line that breaks it."""
    events = [event.name for event in game.events.values() if clause in event.cites and not event.observation]
    if events and not request.broken:
        return _in_games(game, request, exercising(events), f"the last line is one that {clause} allows")
    if not any(guard.clause == clause for event in game.events.values() for guard in event.guards):
        raise NotFound(f"{clause} is stated by no guard and allows no event: no single line can show it")
    rules, chosen = request.rules or "standard", dict(request.options or {})
    until, seed = time.monotonic() + request.seconds, 0
    while time.monotonic() < until and seed < TRIES:
        seed += 1
        found = _looked(game, request, breaking(clause), until - time.monotonic(), seed)
        notes = [f"the last line breaks {clause}", _said(found)]
        text = written(game, found.lines, chosen, rules, notes)
        report = report_on(text)
        if report.findings and report.findings[0].code == clause:
            return Witness(text, report.verdict.value, len(found.lines))
    raise NotFound(f"no random game was found whose last line breaks {clause} and nothing else")


def _in_games(game: Game, request: Request, shows: Shows, title: str) -> Witness:
    rules, chosen = request.rules or "standard", dict(request.options or {})
    found = _looked(game, request, shows, request.seconds, 0)
    return checked(game, found.lines, chosen, rules, [title, _said(found)])


def _reaching(game: Game, request: Request, wanted: Expr[bool]) -> Witness:
    rules, chosen = request.rules or "standard", dict(request.options or {})
    found = _looked(game, request, reaching(wanted.term), request.seconds, 0)
    goal, lines = Goal(request.goal, "", wanted), len(found.lines)
    short = _shortness(game, game.bind(rules, chosen), goal, lines, request, first=1)
    return checked(game, found.lines, chosen, rules, [request.goal, short])


def _said(found: Found) -> str:
    return f"found in random games, in number {found.games}; that there is no shorter log is not shown"


def _looked(game: Game, request: Request, shows: Shows, seconds: float, seed: int) -> Found:
    options = game.bind(request.rules, request.options)
    found = look(game, options, shows, seconds=max(1.0, seconds), seed=seed, length=request.length)
    if found is None:
        raise NotFound(
            f"{request.goal}: found in no random game within {request.seconds:.0f} s; it may still be possible"
        )
    return found


def with_deals(game: Game, script: Sequence[Act], path: str) -> list[Act]:
    """A script with the rows of its first lines as a log has them, in order.

    Raises:
        SourceError: the log cannot be read.
    """
    rows = _rows_of(game, path)
    acts: list[Act] = []
    for act in script:
        if act.event.has_rows and rows:
            values: Mapping[str, Any] = rows.pop(0)
            stated = {one.name: values[one.name] for one in act.event.parameters if one.name in values}
            acts.append(Act(act.event, {**stated, **act.values}))
        else:
            acts.append(act)
    return acts


def _rows_of(game: Game, path: str) -> list[Mapping[str, Any]]:
    """What the lines of a log state that lay out rows of cards, in order."""
    binder, found = binder_for(game, game.bind()), []
    with open_log(path) as stream:
        for line in (line for block in blocks(stream) for line in block if isinstance(line, str)):
            try:
                bound = binder.bind(binder.notation.parse(line[split_prefix(line).start :]))
            except NotationError:
                continue
            if bound.event.has_rows and not bound.partial:
                found.append(bound.values)
    return found
