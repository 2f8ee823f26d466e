"""Runs of events from a known table, with unknown choices, unknown rows, and unknown events where wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import Number, conj, disj, neg, number, same, unknown
from fairdeal.checker.engines.symbolic.reading import Symbolic
from fairdeal.checker.engines.symbolic.solving import Limited, decoded, solver
from fairdeal.spec.language.game import Event

Taken = tuple[Event, dict[str, Any]]
"""An event and what its line states."""


class Search:
    """A run whose cards and choices are found by the solver.

    Reports stand at what the state has. Nothing is written twice: a deal is the recorded event with unknown rows.
    """

    def __init__(self, engine: Z3Terms, start: State) -> None:
        self.engine = engine
        self.states: list[Symbolic] = [engine.concrete(start)]
        """The table at the beginning and after each event."""
        self.assumed: list[z3.BoolRef] = []
        self._log: list[tuple[Number, list[Taken]]] = []

    @property
    def state(self) -> Symbolic:
        """The table as it is now."""
        return self.states[-1]

    def stated(self, number: int) -> dict[str, Any]:
        """What a line of the run states, by its number from 0."""
        return self._log[number][1][0][1]

    def follow(self, event: Event, lengths: Mapping[str, Any] | None = None, **values: Any) -> None:
        """The next event, lawful, with these values; what is not given is unknown."""
        stated, condition, after = self._taken(event, lengths or {}, values)
        self.assumed.append(condition)
        self.states.append(after)
        self._log.append((number(0), [(event, stated)]))

    def branch(self, events: Sequence[Event]) -> None:
        """The next event: a lawful one of those given, whose rows are none."""
        which, known = unknown(f"event {len(self._log)}", 0, len(events) - 1)
        self.assumed.append(known)
        options, merged = [], self.state
        for at, event in enumerate(events):
            stated, condition, after = self._taken(event, {}, {})
            chosen = same(which, number(at))
            self.assumed.append(disj([neg(chosen), condition]))
            options.append((event, stated))
            merged = after if at == 0 else {key: zones.pick(chosen, after[key], part) for key, part in merged.items()}
        self.states.append(merged)
        self._log.append((which, options))

    def solve(self, *goals: z3.BoolRef, timeout: float = 60) -> list[Taken] | None:
        """The events of a run that meets the goals, as the other engines take them; ``None`` where there is none.

        Raises:
            TimeoutError: neither was found out in time.
        """
        asked = solver([*self.engine.facts, *self.assumed, *goals], timeout)
        answer = _persistently(asked, timeout)
        if answer == z3.unknown:
            raise TimeoutError(asked.reason_unknown())
        if answer == z3.unsat:
            return None
        model = asked.model()
        found = []
        for which, options in self._log:
            event, stated = options[decoded(model, which)]
            found.append((event, {name: decoded(model, value) for name, value in stated.items()}))
        return found

    def _taken(
        self, event: Event, lengths: Mapping[str, Any], values: Mapping[str, Any]
    ) -> tuple[dict[str, Any], z3.BoolRef, Symbolic]:
        stated, conditions = dict(values), []
        for parameter in event.parameters:
            if parameter.role != "report" and parameter.name not in stated:
                name = f"{len(self._log)} {event.name} {parameter.name}"
                stated[parameter.name], known = self.engine.parameter(parameter, name, lengths.get(parameter.name))
                conditions.append(known)
        stated = self.engine.reported(event, self.state, stated)
        for parameter in event.parameters:  # a card that chance draws
            if parameter.name not in stated:
                name = f"{len(self._log)} {event.name} {parameter.name}"
                stated[parameter.name], known = self.engine.parameter(parameter, name)
                conditions.append(known)
        conditions.append(self.engine.lawful(event, self.state, stated))
        run = self.engine.run(event, self.state, stated)
        return stated, conj([*conditions, *run.fits]), run.state


SEEDS = (0, 1, 2, 3)
"""With which a query is begun anew: how long a game takes to be found is a matter of luck."""


def _persistently(asked: Limited, seconds: float) -> z3.CheckSatResult:
    """The answer of a solver that begins anew now and then, each time for twice as long."""
    share = seconds / (2 ** len(SEEDS) - 1)
    answer = z3.unknown
    for at, seed in enumerate(SEEDS):
        asked.seconds = share * 2**at
        asked.set("random_seed", seed)
        answer = asked.check()
        if answer != z3.unknown:
            break
    return answer
