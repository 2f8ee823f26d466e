"""From a claim to what has to be shown: one obligation for each event, over an arbitrary table and free options."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

import z3

from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import below, conj, disj, neg, number, total
from fairdeal.checker.engines.symbolic.reading import Symbolic
from fairdeal.checker.proving.asking import Answer, Asker, Obligation
from fairdeal.checker.proving.commuting import sooner_obligations
from fairdeal.checker.proving.steps import Model, Readings, Step, apart, steps, under, whole_deck
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.properties import Conserved, Invariant, Most, Properties, Ranking, Sooner, Steps
from fairdeal.spec.language.terms import Term

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
            name, facts = step.record.name, [*step.engine.facts, *step.assumed]
            answer = asker.prove(facts, wanted, name)
            if step.heavy and answer.answer != "proved":
                answer = asker.prove([*facts, *step.heavy], wanted, name)
            if answer.answer != "proved":
                return replace(answer.broken_at(name), event=event.name)
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
    """That a condition holds of every lawful step of the events in question; what it joins is asked one by one."""
    conjuncts = _conjuncts(claim.condition.term)

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        return {f"the step {at}": step.holds(one) for at, one in enumerate(conjuncts)}

    events = [event for event in model.game.events.values() if event.name in claim.events or not claim.events]
    aims = [claim.condition.term]
    about = "whether it holds of every {}"
    return [_each(about, model, event, readings, assumed, goals, aims) for event in events if not event.observation]


def _conjuncts(term: Term) -> list[Term]:
    return [one for part in term.args for one in _conjuncts(part)] if term.op == "and" else [term]


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
            counted = model.counted or claim.counting
            return step_obligations(replace(model, counted=counted), claim, using, readings)
        case Most():
            return [
                *ranking_obligations(model, claim.ranking, using, readings),
                *_limits(model, claim, using, readings),
            ]
        case Ranking():
            return ranking_obligations(model, claim, using, readings)
        case Sooner():
            return sooner_obligations(model, claim, using, readings)
    return []


def _limits(model: Model, claim: Most, using: list[Term], readings: Readings) -> list[Obligation]:
    """That a measure is no higher than said where its stretch begins, and no lower after each of the events."""
    parts, begins = [part.term for part in claim.parts], claim.begins.term

    def goals(step: Step) -> dict[str, z3.BoolRef]:
        found = {}
        there = total(step.holds_after(part) for part in parts)
        if step.record.event.name in claim.events:
            if claim.floor == 0:
                return {}  # the ranking is never negative, which is shown by itself
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
        assumed += apart(engine, state, claim.condition.term) if claim.apart else []
        goals = {"the condition": engine.value(claim.condition.term, state)}
        return asker.prove([*engine.facts, *assumed], goals, "follows from the invariants")

    return [Obligation("consequence", ask, "whether it follows from the invariants")]
