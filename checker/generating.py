"""Generating: random complete legal games, from the rules and a game's policy, the same for the same seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.enumerator import Candidate, Enumerator
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import FAILED, PythonSteps, Step
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.lawful import states_number
from fairdeal.checker.judging.shelf import binder_for
from fairdeal.checker.reading.writer import header_object, write_header
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.games import model_named
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.options import OptionError
from fairdeal.spec.language.policy import Policy
from fairdeal.spec.language.recording import Assign, Effect, When
from fairdeal.spec.language.terms import Term

FORMATS = ("text", "jsonl")

WASTED = 400_000
"""Events that may be given up, game after game, before it is said that there is no end to them."""


def generate(
    game: str,
    *,
    games: int,
    seed: int,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    format: str = "text",  # noqa: A002 - the option that it is called after
    policy: str | None = None,
) -> Iterator[str]:
    """Text of ``games`` random legal games, each a piece; ``format`` is ``text`` or ``jsonl``.

    ``policy`` names one of the game's ways to play at random; the usual one if none is named.

    Raises:
        UnknownGame: there are no rules for it.
        OptionError: a rule set, an option or a value that the game does not have, or under which games do not end.
        TypeError: ``games`` or ``seed`` is no whole number.
        ValueError: ``games`` is negative, or there is no such format or policy.
    """
    for name, value in (("games", games), ("seed", seed)):
        if type(value) is not int:
            raise TypeError(f"{name} is a whole number, not {value!r}")
    if games < 0:
        raise ValueError(f"games is a whole number from 0 on, not {games}")
    if format not in FORMATS:
        raise ValueError(f"the format of a log is one of {', '.join(FORMATS)}, not {format!r}")
    model = model_named(game)
    if policy is not None and policy not in model.policies:
        raise ValueError(f"the ways to play {game} are {', '.join(model.policies)}, not {policy!r}")
    generator = Generator(model, rules or "standard", dict(options or {}), format, policy)
    return (generator.one_game(seed, number) for number in range(1, games + 1))


class Generator:
    """Plays random games by a policy and writes them down."""

    def __init__(
        self, game: Game, rules: str, options: Mapping[str, str], notation: str, policy: str | None = None
    ) -> None:
        self.game, self.rules, self.notation = game, rules, notation
        usual = next(iter(game.policies))
        self.policy: Policy = game.policies[policy or usual]
        self.extra = {"x-policy": f"{policy}: {self.policy.meaning}"} if policy and policy != usual else {}
        self.options = {**self.policy.readings, **options}
        bound = game.bind(rules, self.options)
        self.binder: Binder = binder_for(game, bound)
        self.steps: PythonSteps = self.binder.steps
        preferences = self.policy.preferences
        self.enumerator = Enumerator(self.steps, [(game.events[one.event], one.where) for one in preferences])
        self.weights = [preferences[origin].weight for origin in self.enumerator.origin]
        self.step: list[Step] = [self.steps.step(one.event, one.choices) for one in self.enumerator.candidates]
        self.tried = [
            number for number, one in enumerate(self.enumerator.candidates) if one.event.name in self.policy.attempts
        ]
        self.laid_out = {number for number, one in enumerate(self.enumerator.candidates) if one.has_rows}
        unmoving = [number for number, one in enumerate(self.enumerator.candidates) if not _moves(one.event.effects)]
        self.unmoving = frozenset(unmoving)
        """Candidates that move no card: they are not repeated before one has been moved."""
        self.counting = frozenset(one for one in unmoving if states_number(self.enumerator.candidates[one].event))
        """Those of them that state a number, such as a score: they are not repeated in one round at all."""
        self.entering = {
            number for number, one in enumerate(self.enumerator.candidates) if one.event.name == game.entry
        }
        self.chance = max(self.policy.attempts.values(), default=0.0)
        self._looks: dict[Term, Callable[[State], Any]] = {}
        self._seen: State = []
        self.reasons = tuple(dict.fromkeys(self.game.reasons.values()))
        self.bodies: dict[tuple[int, Any, str | None], str] = {}
        complete = self.binder.game.derived["complete"]
        self.over: Callable[[State], bool] = lambda state: bool(self.binder.interpreter.value(complete, state, {}))
        self.ending = {number for number, one in enumerate(self.enumerator.candidates) if one.event.name in game.final}

    def one_game(self, seed: int, number: int) -> str:
        """One game as text; the same for the same seed and number.

        Raises:
            OptionError: game after game has no end under the options in force.
        """
        random = Random(f"{seed}/{number}/{self.game.name}")
        lines = self._header(seed, number)
        deals = max(WASTED // self.policy.longest, 5)
        for _ in range(deals):
            played = self._play(random)
            if played is not None:
                return "\n".join([*lines, *played, "", ""])
        chosen = ", ".join(f"{name}={value}" for name, value in self.options.items())
        raise OptionError(
            f"no end: {deals} games in a row were not over after {self.policy.longest} events"
            + f" under {chosen}; other options, or another policy, may end" * bool(chosen)
        )

    def _header(self, seed: int, number: int) -> list[str]:
        fields: dict[str, Any] = {
            "rules": self.rules,
            "options": self.options,
            "players": ("Ada", "Ben"),
            "id": f"{self.game.name}-{seed}-{number}",
            "source": "fairdeal generate",
            "extra": self.extra,
        }
        if self.notation == "jsonl":
            return [json.dumps(header_object(self.game.name, **fields), ensure_ascii=False)]
        return [*write_header(self.game.name, **fields), ""]

    def _play(self, random: Random) -> list[str] | None:
        state = self.binder.layout.initial()
        enabled, weights, step, chance = self.enumerator.enabled, self.weights, self.step, self.chance
        uniform, pace = random.random, self.policy.pause * 2
        lines: list[str] = []
        before: list[int] = []
        clock = 0.0
        said: set[int] = set()
        while len(lines) < self.policy.longest:
            lawful = enabled(state)
            clock += uniform() * pace
            if chance and uniform() < chance:
                attempt = self._attempt(random, state, lawful, before)
                if attempt is not None:
                    lines.append(self._line(clock, *attempt))
                    clock += uniform() * pace
            if not lawful:
                raise AssertionError(f"{self.game.name}: no event is lawful, and the game is not over: {state}")
            before = lawful
            if said:
                lawful = [one for one in lawful if one not in said] or lawful
            while True:
                chosen = lawful[0] if len(lawful) == 1 else _choose(uniform(), lawful, weights)
                argument = self._argument(random, chosen, state)
                if argument is not None or chosen not in self.laid_out:
                    if step[chosen](state, argument) != FAILED:
                        break
                    if chosen not in self.laid_out:
                        listed = self.enumerator.candidates[chosen]
                        raise AssertionError(f"{listed} was listed and is not lawful: {state}")
                lawful = [one for one in lawful if one != chosen]
                if not lawful:
                    return None
            lines.append(self._line(clock, chosen, argument, None))
            if chosen in self.unmoving:
                said.add(chosen)
            elif said:
                said &= self.counting
            if chosen in self.entering:
                said.clear()
            if chosen in self.ending and self.over(state):
                return lines
        return None

    def _argument(self, random: Random, number: int, state: State) -> Any:
        candidate = self.enumerator.candidates[number]
        if not candidate.has_rows:
            stated = self.enumerator.argument(number, state)
            if stated == NO_CARD and (among := self.enumerator.chance(number, state)):
                return random.choice(list(bags.cards(among)))
            return stated
        self._seen = state
        return self.policy.layouts[candidate.event.name](random, self._look, *candidate.choices)

    def _look(self, expression: Expr[Any]) -> Any:
        """The value of a term on the table at hand, by a function that is compiled once."""
        found = self._looks.get(expression.term)
        if found is None:
            bound = terms.substitute(expression.term, self.steps.binding)
            text = Expression(self.steps.layout, self.steps.tables, {}).text(bound)
            found = self._looks[expression.term] = self.steps.compile(f"def look(s):\n    return {text}\n", "look")
        return found(self._seen)

    def _attempt(
        self, random: Random, state: State, lawful: list[int], before: list[int]
    ) -> tuple[int, Any, str] | None:
        """An event that is not lawful now, with the reason for which a program would refuse it."""
        for _ in range(4):
            number = random.choice(self.tried)
            if number in lawful:
                continue
            candidate = self.enumerator.candidates[number]
            argument = self.enumerator.argument(number, state)
            if argument == NO_CARD:
                continue
            reason = "race" if number in before else self._reason(candidate, state, argument)
            if reason:
                return number, argument, reason
        return None

    def _reason(self, candidate: Candidate, state: State, argument: Any) -> str:
        """The reason for which a program would refuse an event that is not lawful; empty where there is no word."""
        for reason in self.reasons:
            if not self.steps.wrongly_refused(candidate.event, candidate.choices, reason)(state, argument):
                return reason
        return ""

    def _values(self, candidate: Candidate, argument: Any) -> dict[str, Any]:
        event = candidate.event
        values = dict(zip((one.name for one in event.choices), candidate.choices, strict=True))
        names = [one.name for one in event.reports]
        values.update({names[0]: argument} if len(names) == 1 else dict(zip(names, argument or (), strict=True)))
        return values

    def _line(self, clock: float, number: int, argument: Any, reason: str | None) -> str:
        candidate = self.enumerator.candidates[number]
        if self.notation == "jsonl":
            values = self._values(candidate, argument)
            actor, arguments = self.binder.stated(candidate.event, values)
            time = (round(clock, 3), round(clock, 3))
            fields = self.binder.notation.json(candidate.event.name, actor, arguments, None, time, reason)
            return json.dumps(fields, ensure_ascii=False)
        key = (number, argument, reason)
        body = self.bodies.get(key)
        if body is None:
            body = self.binder.text(candidate.event, self._values(candidate, argument), reason)
            if not candidate.has_rows or len(argument) == 1:
                self.bodies[key] = body
        return f"@{clock:.3f} {body}"


def _moves(effects: Iterable[Effect]) -> bool:
    """Whether some of the effects move cards."""
    return any(_moves(one.effects) if isinstance(one, When) else not isinstance(one, Assign) for one in effects)


def _choose(point: float, lawful: list[int], weights: list[float]) -> int:
    """One of the lawful candidates by their weights; ``point`` lies between 0 and 1."""
    target = point * sum([weights[number] for number in lawful])
    for number in lawful:
        target -= weights[number]
        if target < 0:
            return number
    return lawful[-1]
