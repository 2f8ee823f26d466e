"""A gap in play: games in which two readings of it differ, by a line that is lawful under the one and not the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.proving.playing import Played, Player
from fairdeal.checker.proving.steps import Model
from fairdeal.checker.proving.wanted import Wanted
from fairdeal.checker.proving.witnesses import Line
from fairdeal.spec.catalogue import Gap
from fairdeal.spec.language.game import Event


@dataclass(frozen=True)
class Sides:
    """Two readings of a gap: the rules and options under which a line is lawful, and under which it is not."""

    rules: str
    chosen: Mapping[str, str]
    other: Mapping[str, str]


@dataclass(frozen=True)
class Difference:
    """A game whose last line is lawful under one reading, and not under another."""

    lines: list[Line]
    sides: Sides
    games: int
    """How many random games were played."""


def pairs(asked: Wanted, gap: Gap) -> Iterator[Sides]:
    """Each reading of a gap against the one in force, both ways; in every set of rules, that asked for first."""
    game = asked.game
    sets = (
        [asked.rules] if asked.request.rules else [asked.rules, *(one for one in game.rule_sets if one != asked.rules)]
    )
    for name in (*gap.options, *gap.shares):
        option = game.options[name]
        if option.fixed:
            continue
        for rules in sets:
            held = game.bind(rules, asked.chosen)[name]
            here = str(held) if option.numeric else option.values[held]
            others = [str(held - 1)] if option.numeric else [one for one in option.values if one != here]
            for value in others:
                two = ({**asked.chosen, name: here}, {**asked.chosen, name: value})
                yield Sides(rules, two[0], two[1])
                yield Sides(rules, two[1], two[0])


class Compared:
    """Random games under one reading, each line and each other lawful one held against another reading."""

    def __init__(self, asked: Wanted, sides: Sides, opening: Sequence[tuple[Event, Mapping[str, object]]]) -> None:
        game = asked.game
        self.sides, self.opening = sides, opening
        self.player = Player(Model(game), game.bind(sides.rules, sides.chosen))
        self.other = Model(game).interpreter(game, game.bind(sides.rules, sides.other))
        self.stated = [event for event in game.events.values() if not event.observation and not event.has_rows]

    def game(self, number: int, most: int | None = None) -> list[Line] | None:
        """The lines of a game up to one on which the readings differ; ``None`` where they never do."""
        lines: list[Line] = []
        there: State = self.other.layout.initial()
        random = Random(f"readings {number}")
        for at, step in enumerate(self.player.game_of(f"readings {number}", opening=self.opening)):
            if most is not None and at >= most:
                return None
            if at >= len(self.opening):
                found = next((one for one in self._lawful(random, step) if not self._holds(one, there)), None)
                if found is not None:
                    return [*lines, (found.event, found.values)]
            elif not self._holds(step, there):
                return None
            lines.append((step.event, step.values))
            self.other.apply(step.event, there, step.values)
        return None

    def _lawful(self, random: Random, step: Played) -> Iterator[Played]:
        """The line that is played, and every other lawful one whose rows are none."""
        yield step
        for event in self.stated:
            for choices in self.player.choices(event):
                values = self.player.values(random, event, choices, step.before)
                if values is not None and self.player.interpreter.holds(event, step.before, values):
                    yield Played(event, values, step.before, step.before)

    def _holds(self, one: Played, there: State) -> bool:
        return bool(self.other.holds(one.event, copy(there), one.values))


def difference(asked: Wanted, gap: Gap, seconds: float) -> Difference | None:
    """The shortest of the games that were found in some seconds in which two readings of a gap differ."""
    until, played = time.process_time() + seconds, 0
    opening = asked.deals.first if asked.deals else ()
    every = [Compared(asked, sides, opening) for sides in pairs(asked, gap)]
    best: Difference | None = None
    number = 0
    while every and time.process_time() < until and (best is None or number < 3):
        number += 1
        for one in every:
            if time.process_time() > until:
                break
            played += 1
            most = asked.request.length if best is None else len(best.lines) - 1
            lines = one.game(number, most)
            if lines is not None:
                best = Difference(lines, one.sides, played)
    return best
