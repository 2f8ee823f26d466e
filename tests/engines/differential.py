"""The interpreter against the other engines, on generated games and on random events from the states they pass.

``python -m tests.engines.differential --games 10000 --events 100000`` compares at length. The interpreter is the
meaning of the rules language; whatever differs from it is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, islice
from multiprocessing import get_context
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.enumerator import Enumerator
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import DECK, State, copy
from fairdeal.checker.engines.python_source import FAILED, PythonSteps, Step, argument_names, combinations
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.spec.cards import NO_CARD, RANK_ONLY, UNKNOWN
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.terms import Term, subterms

Options = tuple[tuple[str, str], ...]
TOLD = 5
"""Differences that are told in full."""
WILD, LONG = 0.02, 3000
"""How often a random walk does something unlawful, and how long it is at most."""
ROWS = frozenset({"row", "length", "repeated", "stranger", "named"})


@dataclass
class Tally:
    """What was compared, how often, and what differed."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another comparison has found."""
        self.counts += other.counts
        self.differences += other.differences

    def differ(self, what: str, engines: Engines, event: Event, state: State, values: Mapping[str, Any]) -> None:
        """Note a difference, with all that is needed to see it again."""
        told = [
            f"{name}{list(place) or ''}={state[at]}"
            for (name, place), at in engines.layout.position.items()
            if state[at]
        ]
        self.differences.append(f"{what}: {event.name} {dict(values)} under {engines.name} in {' '.join(told)}")


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


# ---------------------------------------------------------------- walking


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


# ---------------------------------------------------------------- comparing


def compare(each: Engines, event: Event, state: State, values: Mapping[str, Any], tally: Tally) -> None:
    """One event in one state, through the interpreter and the generated code."""
    choices = tuple(values[one.name] for one in event.choices)
    argument, before = each.argument(event, values), copy(state)
    expected = each.interpreter.guards(event, state, values)
    found = each.guards(event, choices)(state, argument)
    tally.counts["guards"] += len(expected)
    for guard, one, other in zip(event.guards, expected, found, strict=True):
        if one is not other:
            tally.differ(
                f"guard {guard.clause} “{guard.template}” is {one}, generated {other}", each, event, state, values
            )
    lawful = all(expected)
    if random_sample(tally) and each.interpreter.holds(event, state, values) is not lawful:
        tally.differ(f"all guards together are {lawful}, and `holds` differs", each, event, state, values)
    tally.counts["lawful" if lawful else "unlawful"] += 1
    tally.counts[f"{'lawful' if lawful else 'unlawful'} {event.name}"] += 1
    if random_sample(tally) and (each.steps.probe(event, choices)(state, argument) == FAILED) is lawful:
        tally.differ(f"lawful is {lawful}, and the probe differs", each, event, state, values)
    after = copy(state)
    if (each.steps.step(event, choices)(after, argument) == FAILED) is lawful:
        tally.differ(f"lawful is {lawful}, and the step differs", each, event, state, values)
        return
    wanted = copy(state)
    if lawful:
        each.interpreter.apply(event, wanted, values)
    if after != wanted:
        at = [key for key, position in each.layout.position.items() if after[position] != wanted[position]]
        tally.differ(f"next state differs in {at}", each, event, state, values)
    if state != before:
        tally.differ("judging has changed the state", each, event, before, values)


def random_sample(tally: Tally) -> bool:
    """Whether what follows from the rest is compared too: every eighth time."""
    return (tally.counts["lawful"] + tally.counts["unlawful"]) % 8 == 0


def compare_listing(each: Engines, state: State, tally: Tally) -> None:
    """The enumerator against every combination of choices through the interpreter."""
    wanted = set()
    for event in each.game.events.values():
        for choices in combinations(event):
            values = each.values(event, choices, each.truth(event, state, choices))
            asked = [guard for guard in event.guards if not _asks_rows(guard.condition)]
            if all(each.interpreter.value(guard.condition, state, values) for guard in asked):
                wanted.add((event.name, choices))
    listed = each.every.enabled(state)
    found = {(each.every.candidates[number].event.name, each.every.candidates[number].choices) for number in listed}
    tally.counts["listings"] += 1
    tally.counts["listed events"] += len(found)
    for name, choices in wanted ^ found:
        word = "lawful and not listed" if (name, choices) in wanted else "listed and not lawful"
        event = each.game.events[name]
        tally.differ(word, each, event, state, each.values(event, choices, {}))
    for number in listed:
        candidate = each.every.candidates[number]
        if candidate.has_rows:
            continue
        truth = each.truth(candidate.event, state, candidate.choices)
        values = each.values(candidate.event, candidate.choices, truth)
        argument = each.every.argument(number, state)
        if argument == NO_CARD and each.every.chance(number, state):
            argument = each.argument(candidate.event, values)
        tally.counts["filled-in arguments"] += 1
        if argument != each.argument(candidate.event, values):
            tally.differ(f"the enumerator fills in {argument}", each, candidate.event, state, values)
        if each.steps.probe(candidate.event, candidate.choices)(state, argument) == FAILED:
            tally.differ("listed, and its step refuses it", each, candidate.event, state, values)


@cache
def _asks_rows(condition: Term) -> bool:
    return any(one.op in ROWS for one in subterms(condition))


def compare_hidden(
    each: Engines, random: Random, event: Event, state: State, values: Mapping[str, Any], tally: Tally
) -> None:
    """What the interpreter decides with some cards hidden is what is so in the true state.

    A guard on rows of cards is asked whether the hidden ones *could* be as it requires, so only its No is compared; and
    not where the line names a card twice, for hidden cards are taken to be cards of one pack, each of them once.
    """
    hidden, stated = hide(each, random, state), dict(values)
    for parameter in event.parameters:
        if parameter.sort.kind == "card" and random.random() < 0.3:
            stated[parameter.name] = _hidden_card(random, stated[parameter.name])
        elif parameter.role == "rows" and random.random() < 0.5:
            stated[parameter.name] = _hidden_rows(random, stated[parameter.name])
    true = each.interpreter.guards(event, state, values)
    seen = each.interpreter.guards(event, hidden, stated)
    stated_twice = _names_a_card_twice(event, values)
    tally.counts["guards with cards hidden"] += len(true)
    for guard, one, other in zip(event.guards, true, seen, strict=True):
        tally.counts["of them left open"] += other is None
        possible = (other is True or stated_twice) and _asks_rows(guard.condition)
        if other is not None and other != one and not possible:
            what = (
                f"guard {guard.clause} “{guard.template}” is {one}, and {other} with cards hidden as {hidden} {stated}"
            )
            tally.differ(what, each, event, state, values)


def _names_a_card_twice(event: Event, values: Mapping[str, Any]) -> bool:
    rows = [values[one.name] for one in event.parameters if one.role == "rows"]
    codes = [code for row in rows for part in row for code in (part if isinstance(part, tuple) else (part,))]
    return len(set(codes)) < len(codes)


def hide(each: Engines, random: Random, state: State) -> State:
    """The state with some cards not recorded, or only their ranks."""
    share = random.choice((0.02, 0.1, 0.5, 1.0))
    hidden = copy(state)
    for _, _, at in each.layout.zones():
        if isinstance(hidden[at], list):
            hidden[at] = [_hidden_card(random, code) if random.random() < share else code for code in hidden[at]]
        else:
            codes = list(bags.cards(hidden[at]))
            hidden[at] = bags.put_all(
                0, [_hidden_card(random, one) if random.random() < share else one for one in codes]
            )
    for variable in each.game.variables:
        if variable.kind == "cell" and variable.sort.kind == "cards" and random.random() < share:
            for place in variable.places:
                at = each.layout.position[variable.name, place]
                hidden[at] = bags.put_all(0, [_hidden_card(random, code) for code in bags.cards(hidden[at])])
    return hidden


def _hidden_card(random: Random, code: int) -> int:
    if code >= NO_CARD:
        return code
    return UNKNOWN if random.random() < 0.7 else RANK_ONLY + code // 4


def _hidden_rows(random: Random, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_hidden_rows(random, one) for one in value)
    return _hidden_card(random, value) if random.random() < 0.3 else value


# ---------------------------------------------------------------- at length


def compare_games(game: str, seed: str, count: int) -> Tally:
    """Generated games, every event of them through both engines, each game under options of its own."""
    tally, random = Tally(), Random(seed)
    every = assignments(model_named(game))
    for number in range(count):
        each = engines(
            game, *(every[number % len(model_named(game).rule_sets)] if number % 2 else random.choice(every))
        )
        for state, event, values in walk(each, random):
            compare(each, event, state, values, tally)
            if event.name in each.game.final:
                break
        tally.counts["games"] += 1
    return tally


def compare_events(game: str, seed: str, count: int, under: Sequence[tuple[str, Options]] = ()) -> Tally:
    """Random events, lawful and not, in states that games pass, some of them damaged; under every option in turn."""
    tally, random = Tally(), Random(seed)
    every = list(under) or assignments(model_named(game))
    share = -(-count // len(every))
    for rules, options in every:
        each = engines(game, rules, options)
        for state, *_ in islice(walk(each, random, wild=WILD), 0, None, 3):
            if tally.counts["events"] >= share * (every.index((rules, options)) + 1):
                break
            for _ in range(4):
                event, values = random_event(each, random, state)
                compare(each, event, state, values, tally)
                compare_hidden(each, random, event, state, values, tally)
                tally.counts["events"] += 1
            if random.random() < 0.05:
                compare_listing(each, state, tally)
    return tally


def _work(task: tuple[Callable[..., Tally], str, str, int]) -> Tally:
    kind, game, seed, count = task
    return kind(game, seed, count)


def compare_at_length(game: str, seed: str, games: int, events: int, jobs: int) -> Tally:
    """Both kinds of comparison, in pieces that are shared among processes."""
    tally = Tally()
    tasks = [(compare_games, game, f"{seed} games {number}", 100) for number in range(-(-games // 100))]
    tasks += [(compare_events, game, f"{seed} events {number}", 5000) for number in range(-(-events // 5000))]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        for one in pool.map(_work, tasks):
            tally.add(one)
    return tally


def main() -> int:
    """Compare, print what was compared and what differed; 1 where something did."""
    parser = argparse.ArgumentParser(prog="python -m tests.engines.differential", description=__doc__)
    parser.add_argument("game", nargs="?", default="spit", choices=list(MODULES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    start = time.perf_counter()
    tally = compare_at_length(options.game, options.seed, options.games, options.events, options.jobs)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:12,} {what}")
    for difference in tally.differences[:TOLD]:
        print(f"DIFFERENCE {difference}")
    print(f"{len(tally.differences)} differences, {time.perf_counter() - start:.0f} s")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
