"""The Z3 back end: the recorded model of a game over symbolic tables.

No arrays and no datatypes. A stack is written from its top down, and every place below its last card holds `NO_CARD`:
its top is the first place, taking and putting a card shift the places, and two equal stacks are equal place by place.
A heap is its top, its size and its set; a bag is its set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.effects import Effects
from fairdeal.checker.engines.symbolic.numbers import (
    CARDS,
    NO,
    NOTHING,
    YES,
    Number,
    conj,
    neg,
    number,
    same,
    unknown,
)
from fairdeal.checker.engines.symbolic.reading import Key, Reading, Symbolic, Values
from fairdeal.checker.engines.symbolic.sets import Masks, OneCard, Sets
from fairdeal.checker.engines.symbolic.zones import Heaped, Pile, Stack
from fairdeal.spec.language.game import Event, Game, Parameter
from fairdeal.spec.language.specialise import Specialised
from fairdeal.spec.language.state import Variable
from fairdeal.spec.language.terms import NO_CARD, Term

Line = Event | Specialised


@dataclass(frozen=True, slots=True)
class Guarded:
    """One guard: its name (event, clause and number) and what it says."""

    name: str
    condition: z3.BoolRef


class Z3Terms:
    """Symbolic tables and steps of a game; options that are not given stay free, one unknown for the whole run.

    With ``piles``, and where ``sets`` follow one card alone, stacks are seen as piles are: what lies under a top is
    some card of the set. With ``counted``, a bag's size is kept beside its set, as if no card were ever in two places:
    quick to search with, where what is found is checked otherwise.
    """

    effects: type[Effects] = Effects
    """What carries out effects; a test puts a faulty one in its place."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int] | None = None,
        sets: Sets | None = None,
        *,
        piles: bool = False,
        counted: bool = False,
    ) -> None:
        self.game, self.layout = game, Layout(game)
        self.sets: Sets = Masks() if sets is None else sets
        self.piles = piles or isinstance(self.sets, OneCard)
        self.counted = counted
        self.axioms: list[z3.BoolRef] = []
        """What holds of the free options."""
        self.options: dict[str, Number] = {}
        self._made = 0
        for name, option in game.options.items():
            if options is not None and name in options:
                self.options[name] = number(options[name])
            else:
                self.options[name], condition = unknown(f"option {name}", option.sort.low, option.sort.high)
                self.axioms.append(condition)

    @property
    def facts(self) -> list[z3.BoolRef]:
        """What holds of everything unknown that was made so far."""
        return [*self.axioms, *self.sets.facts]

    def name(self, what: str) -> str:
        """A name that is not used yet."""
        self._made += 1
        return f"{what} {self._made}"

    def state(self, name: str) -> tuple[Symbolic, z3.BoolRef]:
        """A table of which nothing is known but the ranges of its cells, which the condition states."""
        table: Symbolic = {}
        ranges: list[z3.BoolRef] = []
        for key in self.layout.position:
            table[key] = self._fresh(self.layout.variables[key[0]], f"{name}.{key[0]}{list(key[1])}", ranges)
        return table, conj(ranges)

    def concrete(self, state: State) -> Symbolic:
        """A known table, as the other engines have it."""
        table: Symbolic = {}
        for key, at in self.layout.position.items():
            variable, part = self.layout.variables[key[0]], state[at]
            if variable.kind in ("stack", "heap"):
                table[key] = self._known_pile(variable, part)
            elif variable.kind == "bag" and self.counted:
                table[key] = Pile(NOTHING, number(part.bit_count()), self.sets.constant(part), bag=True)
            elif variable.kind == "bag" or variable.sort.kind == "cards":
                table[key] = self.sets.constant(part)
            else:
                table[key] = (YES if part else NO) if variable.sort.kind == "bool" else number(part)
        return table

    def parameter(self, parameter: Parameter, name: str, lengths: Any = None) -> tuple[Any, z3.BoolRef]:
        """An unknown value for a parameter, and its range.

        ``lengths`` is for rows: the length of the one row, a tuple of those of several; or ``None``, or a tuple of it,
        where neither length nor order are to be known.
        """
        if parameter.role == "rows":
            if not isinstance(lengths, tuple):
                return self._row(name, lengths)
            parts = [self._row(f"{name}.{at}", length) for at, length in enumerate(lengths)]
            return tuple(row for row, _ in parts), conj(condition for _, condition in parts)
        if parameter.sort.kind == "bool":
            return z3.Bool(name), YES
        return unknown(name, parameter.sort.low, parameter.sort.high)

    def line(self, event: Line, name: str, lengths: Mapping[str, Any] | None = None) -> tuple[Values, z3.BoolRef]:
        """Unknown values for all that a line states, but for the choices that a `Specialised` binds."""
        base = event.event if isinstance(event, Specialised) else event
        values: dict[str, Any] = {}
        conditions = []
        if isinstance(event, Specialised):
            values.update(zip((one.name for one in base.choices), event.choices, strict=True))
        for parameter in base.parameters:
            if parameter.name not in values:
                given = (lengths or {}).get(parameter.name)
                values[parameter.name], known = self.parameter(parameter, f"{name}{parameter.name}", given)
                conditions.append(known)
        return values, conj(conditions)

    def guards(self, event: Line, state: Symbolic, values: Values) -> list[Guarded]:
        """Every guard by itself, in order."""
        name = event.event.name if isinstance(event, Specialised) else event.name
        reading = Reading(self, state, values)
        return [
            Guarded(f"{name}:{guard.clause}#{at}", reading.value(guard.condition))
            for at, guard in enumerate(event.guards)
        ]

    def lawful(self, event: Line, state: Symbolic, values: Values) -> z3.BoolRef:
        """All guards at once."""
        return conj(guard.condition for guard in self.guards(event, state, values))

    def reported(self, event: Line, state: Symbolic, values: Values) -> dict[str, Any]:
        """The values with each report at what the state has, but for cards that chance can pick."""
        result = dict(values)
        drawn = {guard.reports for guard in event.guards if guard.among is not None}
        for guard in event.guards:
            if guard.reports and guard.reports not in drawn and guard.value is not None and guard.reports not in result:
                result[guard.reports] = Reading(self, state, result).value(guard.value)
        return result

    def value(self, term: Term, state: Symbolic, values: Values | None = None, after: Symbolic | None = None) -> Any:
        """The meaning of a term in a state, for a line and the table that it leads to where the term speaks of them."""
        return Reading(self, state, values or {}, after).value(term)

    def run(self, event: Line, state: Symbolic, values: Values) -> Effects:
        """An event's effects carried out; guards are not asked."""
        run = self.effects(self, dict(state), values)
        run.all(event.effects)
        return run

    def apply(self, event: Line, state: Symbolic, values: Values) -> Symbolic:
        """The table after an event's effects; guards are not asked."""
        return self.run(event, state, values).state

    def fits(self, event: Line, state: Symbolic, values: Values) -> z3.BoolRef:
        """Whether every cell that the event assigns gets a value of its range."""
        return conj(self.run(event, state, values).fits)

    def consistent(self, state: Symbolic) -> dict[Key, z3.BoolRef]:
        """What ties the parts of each zone together."""
        found = {(name, at): zones.consistent(self.sets, state[name, at]) for name, at, _ in self.layout.zones()}
        return {key: condition for key, condition in found.items() if not z3.is_true(condition)}

    def places(self, name: str, index: Sequence[Number]) -> list[tuple[z3.BoolRef, Key]]:
        """Where an index can point, each with its condition; a known index points to one place."""
        found = []
        for place in self.layout.variables[name].places:
            condition = conj(same(one, number(value)) for one, value in zip(index, place, strict=True))
            if z3.is_true(condition):
                return [(YES, (name, place))]
            if not z3.is_false(condition):
                found.append((condition, (name, place)))
        return found

    def _known_pile(self, variable: Variable, part: list[int]) -> Any:
        if variable.kind == "stack" and not self.piles:
            below_last = [NO_CARD] * (variable.capacity - len(part))
            return Stack(tuple(number(code) for code in [*part[::-1], *below_last]), number(len(part)))
        cards = self.sets.constant(sum(1 << code for code in part))
        return Pile(number(part[-1] if part else NO_CARD), number(len(part)), cards, variable.capacity or CARDS)

    def _fresh(self, variable: Variable, label: str, ranges: list[z3.BoolRef]) -> Any:
        def some(part: str, low: int, high: int) -> Number:
            value, condition = unknown(label + part, low, high)
            ranges.append(condition)
            return value

        if variable.kind == "stack" and not self.piles:
            cards = tuple(some(f".{at}", 0, NO_CARD) for at in range(variable.capacity))
            return Stack(cards, some(".size", 0, variable.capacity))
        if variable.kind in ("stack", "heap"):
            top, size = some(".top", 0, NO_CARD), some(".size", 0, variable.capacity)
            return Pile(top, size, self.sets.some(f"{label}.cards"), variable.capacity)
        if variable.kind == "bag" and self.counted:
            return Pile(NOTHING, some(".size", 0, CARDS), self.sets.some(label), bag=True)
        if variable.kind == "bag" or variable.sort.kind == "cards":
            return self.sets.some(label)
        if variable.sort.kind == "bool":
            return z3.Bool(label)
        return some("", variable.sort.low, variable.sort.high)

    def _row(self, name: str, length: int | None) -> tuple[Any, z3.BoolRef]:
        if length is None:
            size, known = unknown(f"{name}.size", 0, CARDS)
            row = Heaped(self.sets.some(f"{name}.cards"), size)
            some = row.cards if z3.is_bool(row.cards) else neg(self.sets.bare(row.cards))
            return row, conj([known, neg(conj([same(size, number(0)), some]))])
        cards = [unknown(f"{name}.{at}", 0, CARDS - 1) for at in range(length)]
        return tuple(card for card, _ in cards), conj(condition for _, condition in cards)
