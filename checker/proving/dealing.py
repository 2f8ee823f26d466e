"""The deals of a log that somebody gives: the lines with which its first game begins, and what is dealt later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.judging.history import Moment, moments
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.properties import Act


class DealsError(ValueError):
    """A log whose deals cannot be kept; the message says where, why, and what instead."""


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """A line of the log that deals cards, or that comes before one."""

    line: int
    event: Event
    values: Mapping[str, Any]


@dataclass(slots=True)
class Deals:
    """What the first game of a log begins with, up to the first line that is up to a player, and its later deals."""

    path: str
    opening: list[Dealt] = field(default_factory=list)
    later: list[Dealt] = field(default_factory=list)

    @property
    def first(self) -> list[tuple[Event, Mapping[str, Any]]]:
        """The lines of the opening."""
        return [(one.event, one.values) for one in self.opening]

    def within(self, script: Sequence[Act]) -> list[Act]:
        """A script with the cards of these deals: each deal in it is the log's next one of its kind.

        What else the opening deals, such as the order of a draw pile, comes after the last deal of it in the script.
        """
        left = [one for one in (*self.opening, *self.later) if _is_dealt(one.event)]
        acts, end = list(script), 0
        for at, act in enumerate(script):
            found = next((one for one in left if act.again is None and _is_meant(act, one)), None)
            if found is not None:
                left.remove(found)
                acts[at] = _as_dealt(found, act)
                end = at + 1 if found in self.opening else end
        further = [_as_dealt(one) for one in self.opening if one in left] if end else []
        moved = [
            replace(act, again=act.again + len(further)) if act.again is not None and act.again >= end else act
            for act in acts
        ]
        return [*moved[:end], *further, *moved[end:]]


def deals_of(game: Game, path: str, options: Mapping[str, int], *, whole: bool = False) -> Deals:
    """The deals of a log's first game, lawful under bound options; ``whole``: it has to begin with the first round.

    Raises:
        SourceError: the log cannot be read.
        DealsError: it is a log of another game, deals nothing, or not lawfully, or not all cards of a deal are known.
    """
    deals, run, begun = Deals(path), None, True
    for moment in moments(path):
        if not isinstance(moment, Moment) or moment.run is None:
            if run is not None:
                break  # the first game is over
            continue
        if run is None:
            run = moment.run
            if (other := run.binder.game) is not game:
                raise DealsError(
                    f"{path}, line {moment.line}: this is a log of {other.title}, and its deals are none of "
                    f"{game.title}; --deal takes a log of {game.title}"
                )
        if moment.run is not run:
            break
        bound = moment.bound
        if bound is None or bound.event.observation:
            continue
        begun = begun and (_is_dealt(bound.event) if deals.opening else bound.event.name == game.entry)
        if not begun and not _is_later(deals, bound.event):
            continue
        if bound.partial:
            raise DealsError(
                f"{path}, line {moment.line}: not all cards of this deal are known, so it cannot be kept; "
                "--deal takes a log that names every card that is dealt"
            )
        (deals.opening if begun else deals.later).append(Dealt(moment.line, bound.event, bound.values))
    if not any(one.event.has_rows for one in deals.opening):
        raise DealsError(
            f"{path}: no game of {game.title} begins in it with a deal, so there is none to keep; "
            f"--deal takes a log such as `fairdeal generate {game.name}` writes"
        )
    _approve(game, deals, options, whole=whole)
    return deals


def _approve(game: Game, deals: Deals, options: Mapping[str, int], *, whole: bool) -> None:
    run = Interpreter(game, options)
    state = run.layout.initial()
    for one in deals.opening:
        if whole and one.event.name == game.entry and any(one.values[each.name] != 1 for each in one.event.reports):
            raise DealsError(
                f"{deals.path}, line {one.line}: the log does not begin with the first round, and --whole asks for "
                "that; leave out --whole, or give a log from the first round on"
            )
        held = run.guards(one.event, state, one.values)
        broken = [guard.clause for guard, holds in zip(one.event.guards, held, strict=True) if holds is not True]
        if broken:
            raise DealsError(
                f"{deals.path}, line {one.line}: under the rules asked for this line is not lawful ({broken[0]}), so "
                "its deal cannot be kept; `fairdeal check` tells more, and --rules and --option choose other readings"
            )
        run.apply(one.event, state, one.values)


def _is_dealt(event: Event) -> bool:
    """Whether a line of the event lays out cards as chance has it, where no player has acted yet."""
    by_chance = not event.choices and any(guard.among is not None for guard in event.guards)
    return bool(event.effects) and (event.has_rows or by_chance)


def _is_later(deals: Deals, event: Event) -> bool:
    return _is_dealt(event) and any(one.event is event for one in deals.opening)


def _is_meant(act: Act, one: Dealt) -> bool:
    return one.event is act.event and all(
        int(act.values.get(each.name, one.values[each.name])) == int(one.values[each.name])
        for each in one.event.choices
    )


def _as_dealt(one: Dealt, act: Act | None = None) -> Act:
    stated = {each.name: one.values[each.name] for each in one.event.parameters}
    return Act(one.event, {**(act.values if act else {}), **stated})
