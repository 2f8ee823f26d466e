"""Lawful steps from an arbitrary table: an event with its choices made, all options free, and what may be assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product

import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.effects import Effects
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import (
    CARDS,
    Number,
    below,
    clipped,
    conj,
    disj,
    neg,
    number,
    plus,
    same,
    total,
    unknown,
)
from fairdeal.checker.engines.symbolic.reading import Key, Symbolic, Values
from fairdeal.checker.engines.symbolic.sets import OneCard
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Effect, Pour, When
from fairdeal.spec.language.specialise import Specialised, specialise
from fairdeal.spec.language.terms import Term, subterms

Readings = Mapping[str, tuple[str, ...]]
STATE = ("cell", "size", "top", "cards")


@dataclass(frozen=True)
class Model:
    """A game's rules, and what carries them out; a test of the prover puts something faulty in."""

    game: Game
    effects: type[Effects] = Effects
    interpreter: type[Interpreter] = Interpreter
    counted: bool = False
    """A bag's size is taken from what comes and goes, which conservation allows."""

    def engine(self, *, one_card: bool = False) -> tuple[Z3Terms, Number | None, list[z3.BoolRef]]:
        """An engine with all options free, in which stacks are seen as piles; with ``one_card``, an arbitrary card."""
        card, facts = None, []
        if one_card:
            card, known = unknown("the card", 0, 51)
            facts.append(known)
        engine = Z3Terms(
            self.game,
            sets=OneCard(card) if card is not None else None,
            piles=True,
            counted=self.counted and not one_card,
        )
        engine.effects = self.effects
        return engine, card, facts

    def acts(self) -> list[Event]:
        """The events that can change the table."""
        return [event for event in self.game.events.values() if event.effects]


def under(engine: Z3Terms, readings: Readings) -> z3.BoolRef:
    """That options have one of the values that are asked about."""
    options = engine.game.options
    return conj(
        disj(same(engine.options[name], number(options[name].encode(value))) for value in values)
        for name, values in readings.items()
    )


@dataclass
class Step:
    """One event with its choices made, from an arbitrary table."""

    engine: Z3Terms
    record: Specialised
    before: Symbolic
    values: Values
    after: Symbolic
    sound: list[z3.BoolRef]
    assumed: list[z3.BoolRef]
    heavy: list[z3.BoolRef] = field(default_factory=list)
    """Guards about long tables, which are assumed only where the others do not suffice."""

    @cached_property
    def changed(self) -> set[Key]:
        """The cells and zones that the event may change."""
        return {key for key, part in self.after.items() if part is not self.before[key]}

    def holds(self, term: Term) -> z3.BoolRef:
        """What a condition is on the table before, where `next` means the one after."""
        return self.engine.value(term, self.before, self.values, self.after)

    def holds_after(self, term: Term) -> z3.BoolRef:
        """What a condition is on the table after."""
        return self.engine.value(term, self.after, self.values)

    def touches(self, term: Term) -> bool:
        """Whether a condition looks at anything that the event may change."""
        return not self.changed.isdisjoint(read(self.engine, term))


def read(engine: Z3Terms, term: Term) -> set[Key]:
    """The cells and zones that a term looks at; all of a name where the index is open."""
    found: set[Key] = set()
    for one in subterms(term):
        if one.op in STATE:
            name = str(one.value)
            if all(terms.is_const(index) for index in one.args):
                found.add((name, tuple(terms.known(index) for index in one.args)))
            else:
                found |= {(name, place) for place in engine.layout.variables[name].places}
    return found


def steps(
    model: Model,
    event: Event,
    readings: Readings,
    assumed: Iterable[Term],
    goals: Iterable[Term] = (),
    *,
    one_card: bool = False,
) -> Iterator[Step]:
    """A lawful step for each combination of an event's choices, from any table where ``assumed`` holds.

    What is assumed of cells and zones that neither the step nor the ``goals`` that it touches look at is left out.
    """
    engine, _, facts = model.engine(one_card=one_card)
    before, ranges = engine.state("s")
    facts += [ranges, under(engine, readings)]
    pack, whole = _pack(engine, event, before)
    facts += pack
    tied = engine.consistent(before)
    premises = [(engine.value(term, before), read(engine, term)) for term in assumed]
    aims = [read(engine, term) for term in goals]
    shared = len(engine.sets.facts)
    rows = {one.name: open_rows(event, one.name) for one in event.parameters if one.role == "rows"}
    for choices in product(*(one.sort.values for one in event.choices)):
        record = specialise(event, choices, {})
        if any(guard.condition is terms.FALSE for guard in record.guards):
            continue
        del engine.sets.facts[shared:]
        values, known = engine.line(record, "", rows)
        run = engine.run(record, before, values)
        step = Step(engine, record, before, values, run.state, [*run.sound, *run.fits], [*facts, known])
        concerned = whole.union(step.changed).union(*(read(engine, guard.condition) for guard in record.guards))
        concerned = concerned.union(*(aim for aim in aims if not aim.isdisjoint(step.changed)), run.looked_at)
        step.assumed += [condition for key, condition in tied.items() if key in concerned]
        step.assumed += [condition for condition, keys in premises if not keys.isdisjoint(concerned)]
        for guard, stated in zip(record.guards, engine.guards(record, before, values), strict=True):
            heavy = any(one.op == "listed" for one in subterms(guard.condition))
            (step.heavy if heavy else step.assumed).append(stated.condition)
        yield step


def _pack(engine: Z3Terms, event: Event, before: Symbolic) -> tuple[list[z3.BoolRef], set[Key]]:
    """Where bags are counted and some are poured: that the sizes of all zones are 52 together, as conservation says.

    They are added in the order in which the event pours them, so that the solver meets the same sums again.
    """
    pours = [effect for effect in _flat(event.effects) if isinstance(effect, Pour)]
    if not engine.counted or not pours:
        return [], set()
    zone_keys = [(name, at) for name, at, _ in engine.layout.zones()]
    poured = [_known_place(pours[0].target, pours[0].target_index)]
    poured += [_known_place(one.source, one.source_index) for one in pours]
    order = dict.fromkeys([*(key for key in poured if key in zone_keys), *zone_keys])
    facts, whole = [], number(0)
    for key in order:
        more = plus(whole, zones.size_of(engine.sets, before[key]))
        facts.append(neg(below(number(CARDS), more)))
        whole = clipped(more, 0, CARDS)
    return [*facts, same(whole, number(CARDS))], set(zone_keys)


def whole_deck(engine: Z3Terms, table: Symbolic) -> z3.BoolRef:
    """Whether all zones together hold 52 cards."""
    sizes = [zones.size_of(engine.sets, table[name, at]) for name, at, _ in engine.layout.zones()]
    return same(total(sizes), number(CARDS))


def apart(engine: Z3Terms, table: Symbolic, term: Term) -> list[z3.BoolRef]:
    """That no card lies in two of the bags that a term looks at."""
    keys = read(engine, term)
    bags = [table[name, at] for name, at, _ in engine.layout.zones() if (name, at) in keys]
    sets = [zones.cards_of(engine.sets, bag) for bag in bags]
    return [engine.sets.bare(engine.sets.common(one, other)) for one, other in combinations(sets, 2)]


def _known_place(name: str, index: tuple[Term, ...]) -> Key:
    """A zone whose index is known; of another, none that there is."""
    known = all(terms.is_const(one) for one in index)
    return name, tuple(terms.known(one) for one in index) if known else (-1,)


def _flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    for effect in effects:
        yield from _flat(effect.effects) if isinstance(effect, When) else (effect,)


def open_rows(event: Event, name: str) -> tuple[None, ...] | None:
    """No length for a row, or for each of several rows that one parameter states."""
    conditions = [guard.condition for guard in event.guards]
    parts = [one.value for term in conditions for one in subterms(term) if one.op == "row"]
    numbers = [part[1] for part in parts if isinstance(part, tuple) and part[0] == name and part[1] is not None]
    return (None,) * (max(numbers) + 1) if numbers else None
