"""The engines of a game side by side, walks through its states, and random events, lawful and not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.enumerator import Enumerator
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import DECK, State, copy
from fairdeal.checker.engines.python_source import FAILED, PythonSteps, Step, argument_names
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.games import model_named
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game

Options = tuple[tuple[str, str], ...]
LONG = 3000
"""Steps of a random walk at most."""


class Engines:
    """The engines of a game under one assignment of options."""

    def __init__(self, game: Game, rules: str, options: Options) -> None:
        self.game, self.name = game, " ".join([rules, *(f"{name}={value}" for name, value in options)])
        bound = game.bind(rules, dict(options))
        self.steps, self.interpreter = PythonSteps(game, bound), Interpreter(game, bound)
        self.layout = self.interpreter.layout
        self._guards: dict[tuple[str, tuple[int, ...]], Step] = {}
        policy = next(iter(game.policies.values()))
        self.policy = policy
        self.chosen = Enumerator(self.steps, [(game.events[one.event], one.where) for one in policy.preferences])
        self.weights = [policy.preferences[origin].weight for origin in self.chosen.origin]
        self.every = Enumerator(self.steps, [(event, None) for event in game.events.values()])

    def guards(self, event: Event, choices: tuple[int, ...]) -> Callable[[State, Any], tuple[bool, ...]]:
        """A generated function that gives the value of each guard by itself."""
        found = self._guards.get((event.name, choices))
        if found is None:
            names, unpack = argument_names(event)
            expression = Expression(self.steps.layout, self.steps.tables, names, self.steps.asked)
            record = self.steps.specialised(event, choices)
            texts = [f"        bool({expression.text(guard.condition)})," for guard in record.guards]
            lines = ["def guards(s, arg):", *unpack, *expression.before(), "    return (", *texts, "    )", ""]
            found = self._guards[event.name, choices] = self.steps.compile("\n".join(lines), "guards")
        return found  # type: ignore[return-value]

    def values(self, event: Event, choices: tuple[int, ...], reports: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a line, as the interpreter takes them."""
        return {**dict(zip((one.name for one in event.choices), choices, strict=True)), **reports}

    def argument(self, event: Event, values: Mapping[str, Any]) -> Any:
        """What a line reports, as a step takes it."""
        found = [values[one.name] for one in event.reports]
        return found[0] if len(found) == 1 else tuple(found) if found else None

    def truth(self, event: Event, state: State, choices: tuple[int, ...]) -> dict[str, Any]:
        """What a line with these choices would report if it reported what is so; rows are left out."""
        values = self.values(event, choices, {})
        for guard in event.guards:
            if guard.reports and guard.value is not None and guard.reports not in values:
                values[guard.reports] = self.interpreter.value(guard.value, state, values)
        for guard in event.guards:
            if guard.among is not None and values.get(guard.reports, NO_CARD) == NO_CARD:
                among = self.interpreter.value(guard.among, state, values)
                values[guard.reports] = next(bags.cards(among), NO_CARD)
        return {one.name: values[one.name] for one in event.reports if one.role == "report"}

    def proposed(self, random: Random, event: Event, state: State, choices: tuple[int, ...]) -> dict[str, Any] | None:
        """Rows of cards that the policy would lay out here, if it would."""

        def look(expression: Expr[Any]) -> Any:
            return self.interpreter.value(expression.term, state, {})

        lay = self.policy.layouts.get(event.name)
        made = lay(random, look, *choices) if lay else None
        names = [one.name for one in event.parameters if one.role == "rows"]
        if made is None or len(names) == 1:
            return None if made is None else {names[0]: made}
        return dict(zip(names, made, strict=True))

    def layout_of(self, random: Random, event: Event, state: State, choices: tuple[int, ...]) -> dict[str, Any]:
        """Rows of cards that the policy would lay out here, or any cards where it would lay out none."""
        found = self.proposed(random, event, state, choices)
        names = [one.name for one in event.parameters if one.role == "rows"]
        return dict.fromkeys(names, tuple(random.sample(range(NO_CARD), 3))) if found is None else found


def assignments(game: Game) -> list[tuple[str, Options]]:
    """Every rule set by itself, and the first two with each other value of one option."""
    found: list[tuple[str, Options]] = [(rules, ()) for rules in game.rule_sets]
    for rules in list(game.rule_sets)[:2]:
        for name, option in game.options.items():
            if not option.fixed and not option.numeric:
                found += [(rules, ((name, value),)) for value in option.values if value != option.default]
    return found


@cache
def engines(game: str, rules: str, options: Options) -> Engines:
    """The engines of a game, kept."""
    return Engines(model_named(game), rules, options)


def walk(each: Engines, random: Random, *, wild: float = 0.0) -> Iterator[tuple[State, Event, dict[str, Any]]]:
    """States of a random game without end, each with the event that is about to happen to it there.

    ``wild`` is how often something unlawful happens that the cards can do: a checker goes on after that.
    """
    state = each.layout.initial()
    complete = each.game.derived["complete"]
    for _ in range(LONG):
        if random.random() < wild:
            _break(each, random, state)
        lawful = each.chosen.enabled(state)
        if not lawful or each.interpreter.value(complete, state, {}):
            state = each.layout.initial()
            continue
        number = _pick(random, lawful, each.weights)
        candidate = each.chosen.candidates[number]
        event, choices = candidate.event, candidate.choices
        reports = each.truth(event, state, choices)
        if candidate.has_rows:
            rows = each.proposed(random, event, state, choices)
            if rows is None:
                continue
            reports = rows
        values = each.values(event, choices, reports)
        yield state, event, values
        if each.steps.step(event, choices)(state, each.argument(event, values)) == FAILED:
            state = each.layout.initial()


def _pick(random: Random, lawful: Sequence[int], weights: Sequence[float]) -> int:
    steps = list(accumulate(weights[number] for number in lawful))
    return random.choices(lawful, cum_weights=steps)[0]


def _break(each: Engines, random: Random, state: State) -> None:
    """Let something unlawful happen that leaves every card in one place."""
    event, values = random_event(each, random, state)
    guards = zip(event.guards, each.interpreter.guards(event, state, values), strict=True)
    after = copy(state)
    if not event.observation and not any(guard.physical and value is False for guard, value in guards):
        each.interpreter.apply(event, after, values)
        if sound(each, after):
            state[:] = after


def sound(each: Engines, state: State) -> bool:
    """Whether each card lies in exactly one place, as steps take for granted."""
    seen = 0
    for _, _, at in each.layout.zones():
        for code in state[at] if isinstance(state[at], list) else bags.cards(state[at]):
            if code >= NO_CARD or seen >> code & 1:
                return False
            seen |= 1 << code
    return seen == DECK


def random_event(each: Engines, random: Random, state: State) -> tuple[Event, dict[str, Any]]:
    """Some event with some parameters: half of the time they are what the state has, or nearly so."""
    event = random.choice(list(each.game.events.values()))
    choices = tuple(random.choice(one.sort.values) for one in event.choices)
    reports: dict[str, Any] = dict(each.truth(event, state, choices))
    for parameter in event.reports:
        if parameter.role == "rows":
            continue
        if random.random() < 0.5:
            reports[parameter.name] = _near(random, parameter.sort.kind, reports[parameter.name], parameter.sort.values)
    if event.has_rows:
        reports = _rows(each, random, event, state, choices)
    return event, each.values(event, choices, reports)


def _near(random: Random, kind: str, value: int, values: range) -> int:
    if kind == "card":
        return random.randrange(NO_CARD + 1)
    if len(values) <= 10:
        return random.choice(values)
    return max(0, value + random.choice((-2, -1, 1, 2, 26)))


def _rows(each: Engines, random: Random, event: Event, state: State, choices: tuple[int, ...]) -> dict[str, Any]:
    """A layout, often with something wrong in it: a card twice, one too many, one in another row."""
    made = each.layout_of(random, event, state, choices)
    cuts = {
        name: [list(row) for row in (value if value and isinstance(value[0], tuple) else (value,))]
        for name, value in made.items()
    }
    rows = [row for several in cuts.values() for row in several]
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        row, other = random.choice(rows), random.choice(rows)
        match random.randrange(4):
            case 0 if row:
                other.append(row.pop())
            case 1 if row:
                row.pop()
            case 2:
                row.append(random.randrange(52))
            case 3 if row and other:
                other[-1] = row[0]
    whole = {name: tuple(map(tuple, several)) for name, several in cuts.items()}
    return {
        name: value if isinstance(made[name], tuple) and _nested(made[name]) else value[0]
        for name, value in whole.items()
    }


def _nested(value: tuple[Any, ...]) -> bool:
    return bool(value) and isinstance(value[0], tuple)
