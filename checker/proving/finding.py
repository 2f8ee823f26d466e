"""Finding a game that somebody asks for: by a declared goal's script, by bounded search, or in random games."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairdeal.checker.proving.differing import difference
from fairdeal.checker.proving.impossible import cannot_fail, is_impossible
from fairdeal.checker.proving.looking import Found, Games, Shows, breaking, exercising, reaching
from fairdeal.checker.proving.minimal import unreachable_within
from fairdeal.checker.proving.scripts import NoGameError, solve, together
from fairdeal.checker.proving.wanted import Wanted
from fairdeal.checker.proving.witnesses import Witness, checked, report_on, written
from fairdeal.spec.catalogue import Gap, catalogue
from fairdeal.spec.language.expressions import Expr, RulesError
from fairdeal.spec.language.properties import ALWAYS, Goal
from fairdeal.spec.language.terms import Term

SHORT = 6
"""Lines up to which it is shown that no shorter log would do."""

SOON = 3.0
"""Seconds of random games after which it is asked whether so short a log can be at all."""

SEARCHED = "whatever the deal, for every event was searched"

SHARE = 4
"""What part of the time is left, where random games show nothing, to show how long a log has to be."""

NO_LINE = "no single line can show it"

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
        raise _too_long(asked, goal, len(script), request.length, first=1 if whole else None)
    kept = replace(goal, whole=lambda: script, late=None)
    try:
        lines = solve(game, options, kept, whole=True, seconds=request.seconds)
    except NoGameError as failure:
        if asked.deals is None:
            never = is_impossible(asked, request.seconds)
            why = f"is impossible: {never}" if never else f"was not reached: {failure}"
            raise NotFound(f"{goal.name} {why}") from failure
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
    return checked(game, lines, chosen, rules, notes, together(script))


def _too_long(asked: Wanted, goal: Goal, lines: int, length: int, first: int | None) -> NotFound:
    """Why no log of so few lines is given: there is none, as far as that can be shown in time."""
    tried = f"the game that is tried has {lines} events"
    shown = unreachable_within(
        asked.game, asked.options, goal.condition.term, length, asked.request.seconds, first=first
    )
    if shown == length:
        return NotFound(f"{goal.name}: no log of {length} events or fewer (--length) gets there: {SEARCHED}")
    none = f"that no log of {shown} or fewer gets there was shown, and " if shown else ""
    return NotFound(
        f"{goal.name}: {tried}, and --length allows {length}; {none}whether one of {shown + 1} to {length} does is not "
        "known"
    )


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
    gap = catalogue(game.name).gaps.get(clause)
    if gap is not None and not request.broken and (gap.options or gap.shares):
        return _between_readings(asked, gap)
    events = [event.name for event in game.events.values() if clause in event.cites and not event.observation]
    if events and not request.broken:
        return _in_games(asked, events, f"the last line is one that {clause} allows")
    if not any(guard.clause == clause for event in game.events.values() for guard in event.guards):
        raise NotFound(
            _settled(gap) if gap is not None else f"{clause} is stated by no guard and allows no event: {NO_LINE}"
        )
    if cannot_fail(asked, clause):
        raise NotFound(f"{clause} cannot be broken: {is_impossible(asked, request.seconds)}")
    until, seed = time.process_time() + request.seconds, 0
    while time.process_time() < until and seed < TRIES:
        seed += 1
        games = _games(asked, seed)
        seen = games.look(breaking(clause), seconds=max(1.0, until - time.process_time()), length=request.length)
        if seen is None:
            never = is_impossible(asked, request.seconds)
            raise NotFound(f"{clause} cannot be broken: {never}") if never else _unseen(asked, games.played)
        text = written(
            game, seen.lines, asked.chosen, asked.rules, [f"the last line breaks {clause}", *_said(asked, seen)]
        )
        report = report_on(text)
        if report.findings and report.findings[0].code == clause:
            return Witness(text, report.verdict.value, len(seen.lines))
    raise NotFound(f"no random game was found whose last line breaks {clause} and nothing else")


def _settled(gap: Gap) -> str:
    """Why no log shows a gap that nothing reads in two ways."""
    return (
        f"{gap.id} is settled, and no option reads it otherwise: {gap.statement} No guard or event of the rules is its "
        f"own either: {NO_LINE}"
    )


def _between_readings(asked: Wanted, gap: Gap) -> Witness:
    """A log whose last line is lawful under one reading of a gap, and breaks the rules under another."""
    found = difference(asked, gap, asked.request.seconds)
    if found is None:
        raise NotFound(
            f"{gap.id}: no random game was found in which a line is lawful under one reading of "
            f"{', '.join((*gap.options, *gap.shares))} and not under another; random games are not all games, so there "
            "may be one"
        )
    sides = found.sides
    other = report_on(written(asked.game, found.lines, sides.other, sides.rules))
    last = max((one.line for one in other.findings), default=0)
    codes = list(dict.fromkeys(one.code for one in other.findings if one.line == last))
    notes = [
        f"{gap.id}: the last line is lawful under {_told(sides.chosen)}, and not under {_told(sides.other)}",
        f"there `check` finds {', '.join(codes) or 'nothing'} ({other.verdict.value})",
        *_kept(asked),
        f"found by random play, in {found.games} games; a shorter log may exist",
    ]
    return checked(asked.game, found.lines, sides.chosen, sides.rules, notes)


def _told(chosen: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in chosen.items())


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
    """What random games show; where nothing is seen soon, whether there can be such a log at all, and how short."""
    request, games = asked.request, _games(asked, 0)
    until, length = time.process_time() + request.seconds, request.length
    first = None if asked.deals else 1

    def left() -> float:
        return max(1.0, until - time.process_time())

    seen = games.look(shows, seconds=min(SOON, request.seconds), length=length)
    if seen is not None:
        return seen
    if never := is_impossible(asked, left() / 2):
        raise NotFound(f"{request.goal} is impossible: {never}")
    shown = 0
    if length is not None and length <= SHORT:
        shown = unreachable_within(asked.game, asked.options, goal, length, left(), first=first)
        if shown == length:
            raise NotFound(f"{request.goal}: no log of {length} events or fewer (--length) gets there: {SEARCHED}")
    seen = games.look(shows, seconds=left() * (SHARE - 1) / SHARE, length=length)
    if seen is None:
        lines = min(length or SHORT, SHORT)
        shown = max(shown, unreachable_within(asked.game, asked.options, goal, lines, left(), first=first))
        raise _unseen(asked, games.played, shown)
    return seen


def _unseen(asked: Wanted, games: int, shown: int = 0) -> NotFound:
    request = asked.request
    within = f" within {request.length} events (--length)" if request.length else ""
    deal = f" from the deal of {asked.deals.path}" if asked.deals else ""
    short = f"no log of {shown} events or fewer gets there: {SEARCHED}; of longer ones " if shown else ""
    return NotFound(
        f"{request.goal}: not found{within} in {games} random games{deal}, in {request.seconds:.0f} s; {short}"
        "random games are not all games, so it may still be possible"
    )
