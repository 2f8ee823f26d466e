"""Finding a game that somebody asks for: by a declared goal's script, by bounded search, or in random games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from fairdeal.checker.proving.looking import Found, Games, Shows, breaking, exercising, reaching
from fairdeal.checker.proving.minimal import unreachable_within
from fairdeal.checker.proving.scripts import NoGameError, solve
from fairdeal.checker.proving.wanted import Wanted
from fairdeal.checker.proving.witnesses import Witness, checked, report_on, written
from fairdeal.spec.language.expressions import Expr, RulesError
from fairdeal.spec.language.properties import ALWAYS, Goal
from fairdeal.spec.language.terms import Term

SHORT = 6
"""Lines up to which it is shown that no shorter log would do."""

SOON = 3.0
"""Seconds of random games after which it is asked whether so short a log can be at all."""

TRIES = 5
"""Logs that break a clause and that `check` reads otherwise, before the search is given up."""


class NotFound(Exception):  # noqa: N818 - it says what happened
    """No game was found; the message says how far that goes."""


def found(asked: Wanted) -> Witness:
    """A game that reaches the goal, accepted by `check`; or, for a broken clause, found to break it.

    Raises:
        NotFound: none was found.
    """
    if asked.goal is not None:
        return _by_script(asked, asked.goal)
    if asked.clause:
        return _of_clause(asked, asked.clause)
    if asked.condition is not None:
        return _reaching(asked, asked.condition)
    return _in_games(asked, asked.events, f"`{asked.request.goal}` is the last line")


def _by_script(asked: Wanted, goal: Goal) -> Witness:
    game, request, rules, chosen, options = asked.game, asked.request, asked.rules, asked.chosen, asked.options
    whole = request.whole or goal.late is None
    try:
        script = goal.script(whole=whole)
    except RulesError as error:
        raise NotFound(str(error)) from error
    if asked.deals:
        script = asked.deals.within(script)
        goal = replace(goal, among=ALWAYS)
    if request.length and len(script) > request.length:
        raise NotFound(
            f"{goal.name}: the game that is tried has {len(script)} events, and --length allows {request.length}; "
            "whether a shorter one reaches it was not looked at"
        )
    kept = replace(goal, whole=lambda: script, late=None)
    try:
        lines = solve(game, options, kept, whole=True, seconds=request.seconds)
    except NoGameError as failure:
        if asked.deals is None:
            raise NotFound(f"{goal.name} was not reached: {failure}") from failure
        raise NotFound(
            f"{goal.name} was not reached: with the deal of {asked.deals.path} the {len(script)} events that are tried "
            "are not all lawful, or do not lead there; other events, or another deal, may"
        ) from failure
    except TimeoutError as failure:
        raise NotFound(f"{goal.name} was not reached: {failure}") from failure
    notes = [f"{goal.name}: {goal.statement}"]
    notes += [f"under {', '.join(f'{name}={value}' for name, value in chosen.items())}"] if chosen else []
    if not whole:
        notes.append("assumed: a round that begins with this split of the cards")
    if asked.deals:
        notes.append("the deals are those of the log that was given")
    if goal.loop:
        beside = f", but for {', '.join(goal.beside)}" if goal.beside else ""
        table = f"the table after the last event is that of {goal.loop} events before{beside}"
        notes.append(f"{table}: it can go on like this for ever")
    elif not asked.deals:
        notes.append(_shortness(asked, goal.condition, len(script), first=1 if whole else None))
    return checked(game, lines, chosen, rules, notes)


def _shortness(asked: Wanted, goal: Expr[bool], lines: int, first: int | None) -> str:
    """What is known of shorter logs."""
    if lines > SHORT:
        return f"{lines} events; that there is no shorter log is not shown"
    shown = unreachable_within(asked.game, asked.options, goal.term, lines - 1, asked.request.seconds, first=first)
    if shown == lines - 1:
        return f"{lines} events, and no log of fewer reaches it, whatever the deal: every event was searched"
    return f"{lines} events; no log of {shown} or fewer reaches it"


def _of_clause(asked: Wanted, clause: str) -> Witness:
    """A log that ends with an event which the clause allows; or with a line that breaks it."""
    game, request = asked.game, asked.request
    events = [event.name for event in game.events.values() if clause in event.cites and not event.observation]
    if events and not request.broken:
        return _in_games(asked, events, f"the last line is one that {clause} allows")
    if not any(guard.clause == clause for event in game.events.values() for guard in event.guards):
        raise NotFound(f"{clause} is stated by no guard and allows no event: no single line can show it")
    until, seed = time.monotonic() + request.seconds, 0
    while time.monotonic() < until and seed < TRIES:
        seed += 1
        games = _games(asked, seed)
        seen = games.look(breaking(clause), seconds=max(1.0, until - time.monotonic()), length=request.length)
        if seen is None:
            raise _unseen(asked, games.played)
        text = written(
            game, seen.lines, asked.chosen, asked.rules, [f"the last line breaks {clause}", *_said(asked, seen)]
        )
        report = report_on(text)
        if report.findings and report.findings[0].code == clause:
            return Witness(text, report.verdict.value, len(seen.lines))
    raise NotFound(f"no random game was found whose last line breaks {clause} and nothing else")


def _in_games(asked: Wanted, events: Sequence[str], title: str) -> Witness:
    seen = _looked(asked, exercising(events), events)
    return checked(asked.game, seen.lines, asked.chosen, asked.rules, [title, *_said(asked, seen)])


def _reaching(asked: Wanted, goal: Expr[bool]) -> Witness:
    seen = _looked(asked, reaching(goal.term), goal.term)
    notes = [asked.request.goal, *_kept(asked), _shortness(asked, goal, len(seen.lines), None if asked.deals else 1)]
    return checked(asked.game, seen.lines, asked.chosen, asked.rules, notes)


def _said(asked: Wanted, seen: Found) -> list[str]:
    return [*_kept(asked), f"found by random play, in game {seen.game} of those played; a shorter log may exist"]


def _kept(asked: Wanted) -> list[str]:
    return ["the deal of the first round is that of the log that was given"] if asked.deals else []


def _games(asked: Wanted, seed: int) -> Games:
    return Games(asked.game, asked.options, seed, asked.deals.first if asked.deals else ())


def _looked(asked: Wanted, shows: Shows, goal: Term | Sequence[str]) -> Found:
    """What random games show; where a short log is asked for and none is seen soon, whether there can be one at all."""
    request, games = asked.request, _games(asked, 0)
    until, length = time.monotonic() + request.seconds, request.length
    if length is not None and length <= SHORT:
        seen = games.look(shows, seconds=min(SOON, request.seconds), length=length)
        if seen is not None:
            return seen
        left, first = max(1.0, until - time.monotonic()), None if asked.deals else 1
        if unreachable_within(asked.game, asked.options, goal, length, left, first=first) == length:
            raise NotFound(
                f"{request.goal}: no log of {length} events or fewer (--length) gets there, whatever the "
                "deal: every event was searched"
            )
    seen = games.look(shows, seconds=max(1.0, until - time.monotonic()), length=length)
    if seen is None:
        raise _unseen(asked, games.played)
    return seen


def _unseen(asked: Wanted, games: int) -> NotFound:
    request = asked.request
    within = f" within {request.length} events (--length)" if request.length else ""
    deal = f" from the deal of {asked.deals.path}" if asked.deals else ""
    return NotFound(
        f"{request.goal}: not found{within} in {games} random games{deal}, in {request.seconds:.0f} s; "
        "random games are not all games, so it may still be possible"
    )
