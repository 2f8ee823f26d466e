"""Hunting: random games that tell a survivor from the rules, cut down to what matters, for the author of a trace.

A witness is a hint, not a trace: what it yields is only what the rules say today. Whoever writes the trace says what it
must yield.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import FAILED
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.reading.notation import notation
from fairdeal.checker.reading.writer import write_header
from fairdeal.spec.language.game import Event, Game

from tests.engines.walking import Engines, assignments, engines, random_event
from tests.mutants.judging import DifferenceError, MutantRules, Rules, Trace, events_of, judge, yields
from tests.mutants.making import Mutant
from tests.mutants.running import NOTHING

LONGEST = 90
"""Lines of a random game at most: a witness should be short."""
WRONG = 0.04
"""How often a line is anything at all, and so mostly unlawful."""


@dataclass
class Witness:
    """A game that a mutant judges otherwise than the rules do."""

    lines: list[str]
    how: str


def hunt(game: Game, rules: Rules, mutants: Sequence[Mutant], count: int, seed: str) -> Iterator[tuple[str, Witness]]:
    """Witnesses against some mutants, among so many random games, as they are found."""
    random, left = Random(seed), list(mutants)
    for lines in _games(game, random, count):
        trace = _trace(lines, rules)
        events = events_of(trace, rules)
        for mutant in list(left):
            if not mutant.general and events.isdisjoint(mutant.events):
                continue
            how = _difference(trace, rules, mutant)
            if how:
                left.remove(mutant)
                yield mutant.id, _cut_down(lines, rules, mutant, how)


def _trace(lines: list[str], rules: Rules) -> Trace:
    trace = Trace(Path("hunted.gamelog"))
    trace.lines = lines
    trace.expected = yields(trace, MutantRules(rules, NOTHING))
    return trace


def _difference(trace: Trace, rules: Rules, mutant: Mutant) -> str:
    try:
        judge(trace, MutantRules(rules, mutant), readings=False)
    except DifferenceError as difference:
        return str(difference)
    except Exception as error:
        return f"crashed: {type(error).__name__}"
    return ""


def _cut_down(lines: list[str], rules: Rules, mutant: Mutant, how: str) -> Witness:
    """Leave out what is not needed, last lines first, as long as no line becomes wrong that was not."""
    faults = _faults(lines, rules)
    at = len(lines) - 1
    while at > 0:
        shorter = lines[:at] + lines[at + 1 :]
        if not lines[at].partition(":")[0].islower() or lines[at].startswith(("round", "see")):
            trace = _trace(shorter, rules)
            if _faults(shorter, rules) <= faults:
                different = _difference(trace, rules, mutant)
                if different:
                    lines, how = shorter, different
        at -= 1
    return Witness(lines, how)


def _faults(lines: list[str], rules: Rules) -> int:
    trace = Trace(Path("hunted.gamelog"))
    trace.lines = lines
    return sum(len(one.findings) for one in yields(trace, MutantRules(rules, NOTHING)))


# ---------------------------------------------------------------- random games


def _games(game: Game, random: Random, count: int) -> Iterator[list[str]]:
    every = assignments(game)
    for number in range(count):
        rules, options = random.choice(every) if number % 2 else every[number // 2 % len(game.rule_sets)]
        each = engines(game.name, rules, options)
        yield [*write_header(game.name, rules=rules, options=dict(options)), "", *_lines(each, random)]


def _lines(each: Engines, random: Random) -> Iterator[str]:
    writer = Binder(each.game, notation(each.game.name), each.interpreter.options, keep=False)
    state = each.layout.initial()
    complete = each.game.derived["complete"]
    for _ in range(random.randrange(10, LONGEST)):
        event, values = _proposed(each, random, state)
        try:
            yield writer.text(event, values)
        except (LookupError, TypeError, ValueError):
            continue
        guards = zip(event.guards, each.interpreter.guards(event, state, values), strict=True)
        if not event.observation and not any(guard.physical and value is False for guard, value in guards):
            each.interpreter.apply(event, state, values)
        if each.interpreter.value(complete, state, {}):
            return


def _proposed(each: Engines, random: Random, state: State) -> tuple[Event, dict[str, Any]]:
    lawful = each.every.enabled(state)
    if not lawful or random.random() < WRONG:
        return random_event(each, random, state)
    weights = [_weight(each.every.candidates[number].event.name) for number in lawful]
    candidate = each.every.candidates[random.choices(lawful, weights)[0]]
    event, choices = candidate.event, candidate.choices
    reports: dict[str, Any] = each.truth(event, state, choices)
    if event.name == each.game.entry and not any(state[at] for at in range(2)):
        reports = {name: random.choice((1, 5)) for name in reports}
    if event.has_rows:
        reports = _layout(each, random, event, state, choices)
    values = each.values(event, choices, reports)
    if each.steps.probe(event, choices)(state, each.argument(event, values)) == FAILED:
        return random_event(each, random, state)
    return event, values


def _layout(each: Engines, random: Random, event: Event, state: State, choices: tuple[int, ...]) -> dict[str, Any]:
    """A layout, often a short one, so that rounds with one pile and their endings come soon."""
    reports = each.layout_of(random, event, state, choices)
    if random.random() < 0.3:
        return reports
    names = list(reports)
    cards = [card for row in (*reports[names[0]], reports[names[1]]) for card in row]
    few = random.choice((1, 2, 3, 5, 7, 10, 13, 14, 15, 16, 18))
    if random.random() < 0.5 and len(cards) > few:
        cards = cards[:few]
    else:
        deck = each.layout.position.get(("deck", ()))
        rest = [code for code in range(52) if deck is not None and state[deck] >> code & 1 and code not in cards]
        random.shuffle(rest)
        cards += rest
    rows: list[list[int]] = [[], [], [], [], []]
    if len(cards) >= 15:
        for number, row in enumerate(rows):
            row += [cards.pop() for _ in range(number + 1)]
        return {names[0]: tuple(map(tuple, rows)), names[1]: tuple(cards)}
    for number, card in enumerate(cards):
        rows[number % 5].append(card)
    return {names[0]: tuple(map(tuple, rows)), names[1]: ()}


def _weight(name: str) -> float:
    return {"play": 20, "flip": 12, "spit": 12, "move": 4, "deal": 10, "call": 0.1, "stuck": 0.5}.get(name, 2.0)
