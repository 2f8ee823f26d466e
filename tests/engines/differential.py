"""The interpreter against the other engines, on generated games and on random events from the states they pass.

``python -m tests.engines.differential --games 10000 --events 100000`` compares at length. The interpreter is the
meaning of the rules language; whatever differs from it is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.python_source import FAILED, combinations
from fairdeal.spec.cards import NO_CARD, RANK_ONLY, UNKNOWN
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.terms import Term, subterms

from tests.engines.walking import Engines, Options, assignments, engines, random_event, walk

TOLD = 5
"""Differences that are told in full."""
WILD = 0.02
"""How often a random walk does something unlawful."""
ROWS = frozenset({"row", "length", "repeated", "stranger", "named"})
"""Operators that look at a row of cards."""


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
