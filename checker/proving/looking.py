"""Looking for a game where no script is known: every event a few lines deep, and then random games.

The first way finds a shortest log, over all deals. The second finds some log, and is bounded by how many games are
played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from fairdeal.checker.proving.playing import Played, Player
from fairdeal.checker.proving.steps import Model
from fairdeal.checker.proving.witnesses import Line
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.terms import Term


@dataclass(frozen=True)
class Found:
    """The lines of a game, the last of which shows what was looked for, and which of the games played it was."""

    lines: list[Line]
    game: int


Shows = Callable[[Player, Played], Iterator[Line]]
"""What a step shows, as the line with which a log that shows it ends."""


class Games:
    """Random games, one after another, all of which begin with the lines that are given."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int],
        seed: int = 0,
        opening: Sequence[tuple[Event, Mapping[str, Any]]] = (),
    ) -> None:
        self.player, self.seed, self.opening = Player(Model(game), options), seed, opening
        self.played = 0

    def look(self, shows: Shows, *, seconds: float, length: int | None = None) -> Found | None:
        """The shortest of the logs that the games of some seconds show something in; ``None`` where none does."""
        until, best = time.process_time() + seconds, None
        while time.process_time() < until and (best is None or self.played < 3 * best.game + 10):
            self.played += 1
            lines: list[Line] = []
            longest = min(length or 10**9, len(best.lines) - 1 if best else 10**9)
            for at, step in enumerate(self.player.game_of(f"find {self.seed} {self.played}", opening=self.opening)):
                if len(lines) >= longest or time.process_time() > until:
                    break
                last = next(shows(self.player, step), None)
                if at < len(self.opening) and last != (step.event, step.values):
                    last = None  # a line in the place of one that is given would drop what is to be kept
                if last is not None:
                    best = Found([*lines, last], self.played)
                    break
                lines.append((step.event, step.values))
        return best


def reaching(goal: Term) -> Shows:
    """The step leads to a table where a condition holds."""

    def shows(player: Player, step: Played) -> Iterator[Line]:
        if player.interpreter.value(goal, step.after, {}):
            yield step.event, step.values

    return shows


def exercising(names: Sequence[str]) -> Shows:
    """The step is an event of these, or could be."""

    def shows(player: Player, step: Played) -> Iterator[Line]:
        if step.event.name in names:
            yield step.event, step.values
            return
        for name in names:
            event = player.game.events[name]
            for line in _lines(player, name, step):
                if not event.has_rows and player.interpreter.holds(event, step.before, line[1]):
                    yield line

    return shows


def breaking(clause: str) -> Shows:
    """In place of the step there is a line that breaks just this clause."""
    random = Random(clause)

    def shows(player: Player, step: Played) -> Iterator[Line]:
        for name, event in player.game.events.items():
            if event.observation or not any(guard.clause == clause for guard in event.guards):
                continue
            for _, values in _lines(player, name, step):
                for stated in (values, _other_cards(random, event, values)):
                    held = player.interpreter.guards(event, step.before, stated)
                    false = [guard for guard, one in zip(event.guards, held, strict=True) if one is False]
                    if false and all(guard.clause == clause for guard in false):
                        yield event, stated

    return shows


def _lines(player: Player, name: str, step: Played) -> Iterator[Line]:
    """Lines of an event on a table, with every choice, and with reports and rows as they would be there."""
    event = player.game.events[name]
    for choices in player.choices(event):
        if event.has_rows and step.event is not event:
            continue
        values = dict(step.values) if event.has_rows else player.values(Random(0), event, choices, step.before)
        if values is not None:
            yield event, {**values, **dict(zip((one.name for one in event.choices), choices, strict=True))}


def _other_cards(random: Random, event: Event, values: Mapping[str, Any]) -> dict[str, Any]:
    """The line with other cards in the place of those that it reports."""
    changed = dict(values)
    for one in event.reports:
        if one.sort.kind == "card":
            changed[one.name] = random.randrange(NO_CARD)
        elif one.role != "rows" and one.sort.kind == "int":
            changed[one.name] = max(0, int(values[one.name]) + random.choice((-1, 1)))
    return changed
