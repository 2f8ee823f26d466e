"""From a claim to what has to be shown: one obligation for each event, over an arbitrary table and free options."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

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
from fairdeal.checker.proving.asking import Answer, Asker
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.properties import Conserved, Invariant, Most, Properties, Ranking, Sooner, Steps
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


@dataclass(frozen=True)
class Obligation:
    """Something to be shown, by itself: what it is called, how it is asked, and in words what it says."""

    name: str
    ask: Callable[[Asker], Answer]
    about: str


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


def named(step: Step) -> str:
    """An event and its choices."""
    return f"{step.record.event.name} {' '.join(map(str, step.record.choices))}".strip()


Goals = Callable[[Step], dict[str, z3.BoolRef]]


def _each(
    about: str,
    model: Model,
    event: Event,
    readings: Readings,
    assumed: list[Term],
    goals: Goals,
    aims: Iterable[Term] = (),
    **how: Any,
) -> Obligation:
    """The obligation that goals follow for each combination of an event's choices; ``aims`` are what they look at.

    ``about`` says in words what is to be shown of the event, whose name stands for its braces.
    """

    def ask(asker: Asker) -> Answer:
        for step in steps(model, event, readings, assumed, aims, **how):
            wanted = goals(step)
            answer = asker.prove([*step.engine.facts, *step.assumed], wanted, named(step))
            if step.heavy and answer.answer != "proved":
                answer = asker.prove([*step.engine.facts, *step.assumed, *step.heavy], wanted, named(step))
            if answer.answer == "refuted":
                return replace(answer, broken=tuple(f"{named(step)}: {one}" for one in answer.broken))
            if answer.answer != "proved":
                return answer
        return Answer("proved")

    return Obligation(event.name, ask, about.format(f"`{event.name}`"))


def invariant_obligations(
    model: Model, declared: Mapping[str, Expr[bool]], readings: Readings, counting: Container[str] = ()
) -> list[Obligation]:
    """That invariants hold at the beginning, and all together survive every event that they look at.

    For the events named in ``counting``, all zones together hold 52 cards before and after, as conservation says.
    """
    wanted = {name: condition.term for name, condition in declared.items()}

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        if step.record.event.name in counting:
            step.assumed += [whole_deck(step.engine, table) for table in (step.before, step.after)]
        return {name: step.holds_after(term) for name, term in wanted.items() if step.touches(term)}

    if not wanted:
        return []
    aims = list(wanted.values())
    found = [
        _each("whether the invariants hold after {}", model, event, readings, aims, goals, aims)
        for event in model.acts()
    ]
    return [replace(one, name=f"invariants {one.name}") for one in [_at_the_start(model, wanted, readings), *found]]


def _at_the_start(model: Model, wanted: Mapping[str, Term], readings: Readings) -> Obligation:
    def ask(asker: Asker) -> Answer:
        engine, _, facts = model.engine()
        state = engine.concrete(engine.layout.initial())
        goals = {name: engine.value(term, state) for name, term in wanted.items()}
        return asker.prove([*engine.facts, *facts, under(engine, readings)], goals, "at the start")

    return Obligation("start", ask, "whether the invariants hold at the start")


def conservation_obligations(model: Model, assumed: list[Term], readings: Readings) -> list[Obligation]:
    """That an arbitrary card is in exactly one place at the beginning, and still so after every event.

    It is shown of what effects do to that card: it leaves where it was and arrives in one place; a place that it
    comes to had room, and did not hold it. So each zone's size is the number of its cards, and 52 is the sum of all.
    """
    kept = "whether each card is in one place after {}"
    found = [_each(kept, model, event, readings, assumed, _kept, one_card=True) for event in model.acts()]

    def ask(asker: Asker) -> Answer:
        engine, _, facts = model.engine(one_card=True)
        state = engine.concrete(engine.layout.initial())
        return asker.prove([*engine.facts, *facts], {"one place": _one_place(engine, state)}, "at the start")

    return [Obligation("start", ask, "whether each card is in one place at the start"), *found]


def _kept(step: Step) -> dict[str, z3.BoolRef]:
    step.assumed.append(_one_place(step.engine, step.before))
    goals = {f"room, or the range of a cell, {at}": one for at, one in enumerate(step.sound)}
    goals["one place"] = _one_place(step.engine, step.after)
    return goals


def _one_place(engine: Z3Terms, state: Symbolic) -> z3.BoolRef:
    """Whether the one card is in exactly one zone."""
    places = [zones.cards_of(engine.sets, state[name, at]) for name, at, _ in engine.layout.zones()]
    none, one = z3.BoolVal(True), z3.BoolVal(False)
    for place in places:
        none, one = conj([none, neg(place)]), disj([conj([none, place]), conj([one, neg(place)])])
    return one


def step_obligations(model: Model, claim: Steps, assumed: list[Term], readings: Readings) -> list[Obligation]:
    """That a condition holds of every lawful step of the events in question."""

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        return {"the step": step.holds(claim.condition.term)}

    events = [event for event in model.game.events.values() if event.name in claim.events or not claim.events]
    aims = [claim.condition.term]
    about = "whether it holds of every {}"
    return [_each(about, model, event, readings, assumed, goals, aims) for event in events if not event.observation]


def ranking_obligations(model: Model, claim: Ranking, assumed: list[Term], readings: Readings) -> list[Obligation]:
    """That events lower a sum of parts that are never negative, and no other event raises it where it counts.

    A part that an event leaves alone is the same on both sides, and falls out of the comparison.
    """
    parts, within = [part.term for part in claim.parts], claim.within.term

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        event = step.record.event
        moved = [part for part in parts if step.touches(part)]
        pairs = [(step.holds(part), step.holds_after(part)) for part in moved]
        pairs = [(one, two) for one, two in pairs if not one.bits.eq(two.bits)]
        here, there = (total(side) for side in (zip(*pairs, strict=True) if pairs else ([], [])))
        if event.name in claim.events:
            exempt = claim.exempt.get(event.name)
            return {"lower": disj([below(there, here), *([step.holds(exempt.term)] if exempt is not None else [])])}
        stays = conj([step.holds(within), step.holds_after(within)])
        return {"no higher": disj([neg(stays), neg(below(here, there))])}

    def ask(asker: Asker) -> Answer:
        engine, _, facts = model.engine()
        state, ranges = engine.state("s")
        low = {f"part {at}": neg(below(engine.value(part, state), number(0))) for at, part in enumerate(parts)}
        return asker.prove([*engine.facts, *facts, ranges, *engine.consistent(state).values()], low, "never negative")

    return [
        Obligation("never negative", ask, "whether the ranking is never negative"),
        *(
            _each(
                f"whether {{}} {'lowers the ranking' if event.name in claim.events else 'leaves the ranking as low'}",
                model,
                event,
                readings,
                assumed,
                goals,
            )
            for event in model.acts()
        ),
    ]


def obligations(model: Model, claim: Any, properties: Properties, readings: Readings) -> list[Obligation]:
    """What has to be shown for a claim, the invariants that it rests on aside."""
    using = [properties.invariants[name].term for name in getattr(claim, "using", ())]
    match claim:
        case Conserved():
            return conservation_obligations(model, using, readings)
        case Invariant():
            return _consequence(model, claim, using, readings)
        case Steps():
            return step_obligations(model, claim, using, readings)
        case Most():
            return [
                *ranking_obligations(model, claim.ranking, using, readings),
                *_limits(model, claim, using, readings),
            ]
        case Ranking():
            return ranking_obligations(model, claim, using, readings)
        case Sooner():
            from fairdeal.checker.proving.commuting import sooner_obligations  # which stands on this module

            return sooner_obligations(model, claim, using, readings)
    return []


def _limits(model: Model, claim: Most, using: list[Term], readings: Readings) -> list[Obligation]:
    """That a measure is no higher than said where its stretch begins, and no lower after each of the events."""
    parts, begins = [part.term for part in claim.parts], claim.begins.term

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        found = {}
        there = total(step.holds_after(part) for part in parts)
        if step.record.event.name in claim.events:
            found["the floor"] = disj([neg(step.holds(claim.within.term)), neg(below(there, number(claim.floor)))])
        elif step.touches(begins):
            enters = conj([neg(step.holds(begins)), step.holds_after(begins)])
            found["the start"] = disj([neg(enters), neg(below(number(claim.start), there))])
        return found

    about, aims = "whether the ranking keeps to its limits at {}", [*parts, begins]
    every = [_each(about, model, event, readings, using, goals, aims) for event in model.acts()]
    return [replace(one, name=f"limits {one.name}") for one in every]


def _consequence(model: Model, claim: Invariant, using: list[Term], readings: Readings) -> list[Obligation]:
    """That a condition follows from the invariants on every table; else it is one of its own and has to survive."""

    def ask(asker: Asker) -> Answer:
        engine, _, facts = model.engine()
        state, ranges = engine.state("s")
        assumed = [ranges, *facts, under(engine, readings), *engine.consistent(state).values()]
        assumed += [engine.value(term, state) for term in using]
        assumed += [whole_deck(engine, state)] if claim.counting else []
        goals = {"the condition": engine.value(claim.condition.term, state)}
        return asker.prove([*engine.facts, *assumed], goals, "follows from the invariants")

    return [Obligation("consequence", ask, "whether it follows from the invariants")]
