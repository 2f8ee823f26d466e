"""Random games as steps: to see that premises occur, that claims hold where they are played, and where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.enumerator import Enumerator
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import DECK, State, copy
from fairdeal.checker.engines.python_source import PythonSteps
from fairdeal.checker.engines.rows import rows_of, shape_of
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.terms import Term

LONGEST = 2000
"""Lines of one random game at most."""


@dataclass(frozen=True)
class Played:
    """One line of a game: the event, what it states, and the tables before and after."""

    event: Event
    values: Mapping[str, Any]
    before: State
    after: State


class Player:
    """Plays random games of a model under bound options, by the game's usual policy."""

    def __init__(self, model: Model, options: Mapping[str, int]) -> None:
        self.model, self.game = model, model.game
        self.interpreter: Interpreter = model.interpreter(model.game, options)
        policy = self.policy = next(iter(model.game.policies.values()))
        chosen = [(model.game.events[one.event], one.where) for one in policy.preferences]
        steps = PythonSteps(model.game, options)
        self.chosen = Enumerator(steps, chosen)
        self.weights = [policy.preferences[origin].weight for origin in self.chosen.origin]
        self.every = Enumerator(steps, [(event, None) for event in model.acts()])

    def game_of(
        self, seed: object, longest: int = LONGEST, opening: Sequence[tuple[Event, Mapping[str, Any]]] = ()
    ) -> Iterator[Played]:
        """The lines of one random game, the same for the same seed, until it is over or nothing is lawful.

        It begins with the lines of the opening, which have to be lawful.
        """
        random, state = Random(str(seed)), self.interpreter.layout.initial()
        for event, stated in opening:
            given = self.played(event, stated, state)
            yield given
            state = given.after
        complete = self.game.derived["complete"]
        for _ in range(longest):
            lawful = self.chosen.enabled(state)
            if not lawful or self.interpreter.value(complete, state, {}):
                return
            steps = list(accumulate(self.weights[number] for number in lawful))
            candidate = self.chosen.candidates[random.choices(lawful, cum_weights=steps)[0]]
            values = self.values(random, candidate.event, candidate.choices, state)
            if values is not None and self.interpreter.holds(candidate.event, state, values):
                played = self.played(candidate.event, values, state)
                yield played
                state = played.after

    def choices(self, event: Event) -> list[tuple[int, ...]]:
        """Every combination of an event's choices."""
        return list(product(*(one.sort.values for one in event.choices)))

    def played(self, event: Event, values: Mapping[str, Any], state: State) -> Played:
        """One line on a table."""
        after = copy(state)
        self.interpreter.apply(event, after, values)
        return Played(event, values, copy(state), after)

    def lawful(self, random: Random, state: State) -> Iterator[Played]:
        """Every lawful line on a table, as far as its rows can be told, with a chance card where one is drawn."""
        for number in self.every.enabled(state):
            candidate = self.every.candidates[number]
            event, choices = candidate.event, candidate.choices
            if event.has_rows:
                given = dict(zip((one.name for one in event.choices), choices, strict=True))
                found = list(rows_of(self.interpreter, event, state, given)) if shape_of(event).known else []
            else:
                filled = self.values(random, event, choices, state)
                found = [filled] if filled is not None else []
            for values in found:
                if self.interpreter.holds(event, state, values):
                    yield self.played(event, values, state)

    def value(self, term: Term, step: Played) -> Any:
        """What a condition of a step is, where `next` means the table after it."""
        now = [one for one in terms.subterms(term) if one.op == "next"]
        known = {
            one: terms.const(int(self.interpreter.value(one.args[0], step.after, step.values)), one.sort) for one in now
        }
        return self.interpreter.value(terms.replace(term, known), step.before, step.values)

    def values(self, random: Random, event: Event, choices: tuple[int, ...], state: State) -> dict[str, Any] | None:
        """What a line with these choices states on a table; ``None`` where nobody would lay out its rows."""
        values: dict[str, Any] = dict(zip((one.name for one in event.choices), choices, strict=True))
        names = [one.name for one in event.parameters if one.role == "rows"]
        if names:
            lay = self.policy.layouts.get(event.name)
            rows = lay(random, lambda asked: self._look(asked, state), *choices) if lay else None
            if rows is None:
                return None
            values.update({names[0]: rows} if len(names) == 1 else zip(names, rows, strict=True))
            return values
        for guard in event.guards:
            if guard.reports and guard.value is not None and guard.reports not in values:
                values[guard.reports] = self.interpreter.value(guard.value, state, values)
        for guard in event.guards:
            if guard.among is not None and values.get(guard.reports, NO_CARD) == NO_CARD:
                cards = list(bags.cards(self.interpreter.value(guard.among, state, values)))
                values[guard.reports] = random.choice(cards) if cards else NO_CARD
        return values

    def _look(self, asked: Expr[Any], state: State) -> Any:
        return self.interpreter.value(asked.term, state, {})

    def conserved(self, state: State) -> bool:
        """Whether each of the 52 cards lies in exactly one place."""
        seen = 0
        for _, _, at in self.interpreter.layout.zones():
            for code in state[at] if isinstance(state[at], list) else bags.cards(state[at]):
                if code >= NO_CARD or seen >> code & 1:
                    return False
                seen |= 1 << code
        return seen == DECK
