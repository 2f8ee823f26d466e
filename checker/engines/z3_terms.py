"""The Z3 back end: recorded terms, guards and effects as bit-vectors and Booleans over a symbolic table.

No arrays and no datatypes. A number carries the range that it can have, and is as wide as that range needs, so nothing
wraps around. A stack is written from its top down, and every place below its last card holds `NO_CARD`: its top is the
first place, taking and putting a card shift the places, and two equal stacks are equal place by place. A heap is its
top, its size and its set; a bag is its set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import z3

from fairdeal.checker.engines.layout import Layout, NotSupported, State
from fairdeal.spec.language.game import Event, Game, Parameter
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pour, When
from fairdeal.spec.language.sorts import CARD, Sort
from fairdeal.spec.language.specialise import Specialised
from fairdeal.spec.language.state import Variable
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term, node

CARDS = 52
CARD_BITS = 6
YES, NO = z3.BoolVal(True), z3.BoolVal(False)


# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Number:
    """Bits that stand for a whole number from ``low`` to ``high``: unsigned where ``low`` is not negative."""

    bits: z3.BitVecRef
    low: int
    high: int


def width(low: int, high: int) -> int:
    """How many bits a range needs."""
    if low >= 0:
        return max(1, high.bit_length())
    return 1 + max((-low - 1).bit_length(), high.bit_length())


def number(value: int) -> Number:
    """A known number."""
    return Number(z3.BitVecVal(value, width(value, value)), value, value)


def fitted(value: Number, low: int, high: int) -> z3.BitVecRef:
    """The number's bits in the width of another range; what lies outside of that range is cut off."""
    size, wanted = value.bits.size(), width(low, high)
    if size < wanted:
        extend = z3.ZeroExt if value.low >= 0 else z3.SignExt
        return extend(wanted - size, value.bits)
    return value.bits if size == wanted else z3.Extract(wanted - 1, 0, value.bits)


def clipped(value: Number, low: int, high: int) -> Number:
    """The number with a narrower range; where it lies outside, its low bits are all that is left."""
    low, high = max(low, value.low), min(high, value.high)
    if (low, high) == (value.low, value.high):
        return value
    return Number(fitted(value, low, high), low, high) if low <= high else number(low)


def conj(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """All of the conditions."""
    kept = [part for part in parts if not z3.is_true(part)]
    if any(z3.is_false(part) for part in kept):
        return NO
    return YES if not kept else kept[0] if len(kept) == 1 else z3.And(kept)


def disj(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """At least one of the conditions."""
    return neg(conj(neg(part) for part in parts))


def neg(part: z3.BoolRef) -> z3.BoolRef:
    """Not the condition."""
    if z3.is_true(part):
        return NO
    if z3.is_false(part):
        return YES
    return part.arg(0) if z3.is_not(part) else z3.Not(part)


def same(left: Number, right: Number) -> z3.BoolRef:
    """Equality of numbers."""
    if left.high < right.low or right.high < left.low:
        return NO
    if left.low == left.high == right.low == right.high:
        return YES
    low, high = min(left.low, right.low), max(left.high, right.high)
    return fitted(left, low, high) == fitted(right, low, high)


def below(left: Number, right: Number) -> z3.BoolRef:
    """Strict order of numbers."""
    if left.high < right.low:
        return YES
    if left.low >= right.high:
        return NO
    low, high = min(left.low, right.low), max(left.high, right.high)
    one, two = fitted(left, low, high), fitted(right, low, high)
    return z3.ULT(one, two) if low >= 0 else one < two


def plus(left: Number, right: Number) -> Number:
    """Sum of numbers, as wide as it has to be."""
    low, high = left.low + right.low, left.high + right.high
    if low == high:
        return number(low)
    wide = min(low, left.low, right.low), max(high, left.high, right.high)
    return Number(z3.simplify(fitted(Number(fitted(left, *wide) + fitted(right, *wide), *wide), low, high)), low, high)


def minus(left: Number, right: Number) -> Number:
    """Difference of numbers, as wide as it has to be."""
    low, high = left.low - right.high, left.high - right.low
    if low == high:
        return number(low)
    wide = min(low, left.low, right.low), max(high, left.high, right.high)
    return Number(z3.simplify(fitted(Number(fitted(left, *wide) - fitted(right, *wide), *wide), low, high)), low, high)


def pick(condition: z3.BoolRef, then: Any, otherwise: Any) -> Any:
    """One of two values of the same kind: numbers, conditions, sets, stacks or heaps."""
    if z3.is_true(condition) or then is otherwise:
        return then
    if z3.is_false(condition):
        return otherwise
    if isinstance(then, Number):
        low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
        one, two = fitted(then, low, high), fitted(otherwise, low, high)
        return then if one.eq(two) else Number(z3.If(condition, one, two), low, high)
    if isinstance(then, Stack):
        pairs = zip(then.cards, otherwise.cards, strict=True)
        return Stack(tuple(pick(condition, *pair) for pair in pairs), pick(condition, then.size, otherwise.size))
    if isinstance(then, Heap):
        top, size = pick(condition, then.top, otherwise.top), pick(condition, then.size, otherwise.size)
        return Heap(top, size, pick(condition, then.cards, otherwise.cards))
    return then if then.eq(otherwise) else z3.If(condition, then, otherwise)


NOTHING = number(NO_CARD)
NO_CARDS = z3.BitVecVal(0, CARDS)


def one_hot(card: Number) -> z3.BitVecRef:
    """The set that holds just the card; no card gives the empty set."""
    if card.low == card.high:
        return z3.BitVecVal(1 << card.low if card.low < CARDS else 0, CARDS)
    return z3.BitVecVal(1, CARDS) << z3.ZeroExt(CARDS - card.bits.size(), card.bits)


def contains(cards: z3.BitVecRef, card: Number) -> z3.BoolRef:
    """Whether the card is in the set."""
    return (cards & one_hot(card)) != NO_CARDS


def set_of(cards: Iterable[Number]) -> z3.BitVecRef:
    """The set of the cards."""
    return reduce(lambda whole, card: whole | one_hot(card), cards, NO_CARDS)


def popcount(cards: z3.BitVecRef) -> Number:
    """How many cards a set holds."""
    if z3.is_bv_value(cards):
        return number(cards.as_long().bit_count())
    parts = [Number(z3.Extract(at, at, cards), 0, 1) for at in range(CARDS)]
    while len(parts) > 1:
        odd = parts[len(parts) // 2 * 2 :]
        parts = [plus(one, two) for one, two in zip(parts[::2], parts[1::2], strict=False)] + odd
    return parts[0]


# ---------------------------------------------------------------- zones


@dataclass(frozen=True, slots=True)
class Stack:
    """The cards from the top down, `NO_CARD` below the last of them, and how many there are."""

    cards: tuple[Number, ...]
    size: Number


@dataclass(frozen=True, slots=True)
class Heap:
    """A pile that is seen through its top, its size and its set."""

    top: Number
    size: Number
    cards: z3.BitVecRef


Key = tuple[str, tuple[int, ...]]
Symbolic = dict[Key, Any]
"""A table: a `Number` or condition for each cell, a `Stack`, a `Heap` or a set for each zone."""
Values = Mapping[str, Any]
"""What a line states: a `Number`, condition or int for each choice and report, a tuple of cards for a row."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """One guard: its name (event, clause and number) and what it says."""

    name: str
    condition: z3.BoolRef


class Z3Terms:
    """Symbolic tables and steps of a game; options that are not given stay free, one unknown for the whole run.

    ``bounds`` narrows the cells of sort `Number` by name; what `fits` says has then to be shown for every step.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int] | None = None,
        bounds: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.game, self.layout = game, Layout(game)
        self.bounds = dict(bounds or {})
        self.axioms: list[z3.BoolRef] = []
        """What holds of the free options."""
        self.options: dict[str, Number] = {}
        for name, option in game.options.items():
            if options is not None and name in options:
                self.options[name] = number(options[name])
            else:
                self.options[name], condition = unknown(f"option {name}", option.sort.low, option.sort.high)
                self.axioms.append(condition)

    def state(self, name: str) -> tuple[Symbolic, z3.BoolRef]:
        """A table of which nothing is known but the ranges of its cells, which the condition states."""
        table: Symbolic = {}
        ranges: list[z3.BoolRef] = []
        for key in self.layout.position:
            variable = self.layout.variables[key[0]]
            label = f"{name}.{key[0]}{list(key[1])}"
            table[key] = self._fresh(variable, label, ranges)
        return table, conj(ranges)

    def concrete(self, state: State) -> Symbolic:
        """A known table, as the other engines have it."""
        table: Symbolic = {}
        for key, at in self.layout.position.items():
            variable, part = self.layout.variables[key[0]], state[at]
            if variable.kind == "stack":
                below_last = [NO_CARD] * (variable.capacity - len(part))
                table[key] = Stack(tuple(number(code) for code in [*part[::-1], *below_last]), number(len(part)))
            elif variable.kind == "heap":
                cards = z3.BitVecVal(sum(1 << code for code in part), CARDS)
                table[key] = Heap(number(part[-1] if part else NO_CARD), number(len(part)), cards)
            elif variable.kind == "bag" or variable.sort.kind == "cards":
                table[key] = z3.BitVecVal(part, CARDS)
            else:
                table[key] = z3.BoolVal(bool(part)) if variable.sort.kind == "bool" else number(part)
        return table

    def parameter(self, parameter: Parameter, name: str, lengths: Any = None) -> tuple[Any, z3.BoolRef]:
        """An unknown value for a parameter, and its range; ``lengths`` gives a row's length, or those of rows."""
        if parameter.role == "rows":
            if lengths is None:
                raise NotSupported(f"{parameter.name}: a row needs a given length")
            if isinstance(lengths, int):
                return self._row(name, lengths)
            parts = [self._row(f"{name}.{at}", length) for at, length in enumerate(lengths)]
            return tuple(row for row, _ in parts), conj(condition for _, condition in parts)
        if parameter.sort.kind == "bool":
            return z3.Bool(name), YES
        low, high = self._range(parameter.name, parameter.sort)
        return unknown(name, low, high)

    def guards(self, event: Event | Specialised, state: Symbolic, values: Values) -> list[Guarded]:
        """Every guard by itself, in order."""
        name = event.event.name if isinstance(event, Specialised) else event.name
        reading = Reading(self, state, values)
        return [
            Guarded(f"{name}:{guard.clause}#{at}", reading.condition(guard.condition))
            for at, guard in enumerate(event.guards)
        ]

    def lawful(self, event: Event | Specialised, state: Symbolic, values: Values) -> z3.BoolRef:
        """All guards at once."""
        return conj(guard.condition for guard in self.guards(event, state, values))

    def reported(self, event: Event | Specialised, state: Symbolic, values: Values) -> dict[str, Any]:
        """The values with each report at what the state has."""
        result, guards = dict(values), event.guards
        for guard in guards:
            if guard.reports and guard.value is not None and guard.reports not in result:
                result[guard.reports] = Reading(self, state, result).value(guard.value)
        return result

    def value(self, term: Term, state: Symbolic, values: Values | None = None) -> Any:
        """The meaning of a term in a state."""
        return Reading(self, state, values or {}).value(term)

    def apply(self, event: Event | Specialised, state: Symbolic, values: Values) -> Symbolic:
        """The table after an event's effects; guards are not asked."""
        return self._run(event, state, values).state

    def fits(self, event: Event | Specialised, state: Symbolic, values: Values) -> z3.BoolRef:
        """Whether every cell that the event assigns gets a value of its range."""
        return conj(self._run(event, state, values).fits)

    def run(self) -> type[Effects]:
        """The class that carries out effects; a test puts a faulty one in its place."""
        return Effects

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

    def range_of(self, name: str) -> tuple[int, int]:
        """The range of a cell."""
        return self._range(name, self.layout.variables[name].sort)

    def _range(self, name: str, sort: Sort) -> tuple[int, int]:
        return self.bounds.get(name, (sort.low, sort.high))

    def _run(self, event: Event | Specialised, state: Symbolic, values: Values) -> Effects:
        run = self.run()(self, dict(state), values)
        run.all(event.effects, YES)
        return run

    def _fresh(self, variable: Variable, label: str, ranges: list[z3.BoolRef]) -> Any:
        def some(part: str, low: int, high: int) -> Number:
            value, condition = unknown(label + part, low, high)
            ranges.append(condition)
            return value

        if variable.kind == "stack":
            cards = tuple(some(f".{at}", 0, NO_CARD) for at in range(variable.capacity))
            return Stack(cards, some(".size", 0, variable.capacity))
        if variable.kind == "heap":
            return Heap(some(".top", 0, NO_CARD), some(".size", 0, CARDS), z3.BitVec(f"{label}.cards", CARDS))
        if variable.kind == "bag" or variable.sort.kind == "cards":
            return z3.BitVec(label, CARDS)
        if variable.sort.kind == "bool":
            return z3.Bool(label)
        return some("", *self._range(variable.name, variable.sort))

    def _row(self, name: str, length: int) -> tuple[tuple[Number, ...], z3.BoolRef]:
        cards = [unknown(f"{name}.{at}", 0, CARDS - 1) for at in range(length)]
        return tuple(card for card, _ in cards), conj(condition for _, condition in cards)


def unknown(name: str, low: int, high: int) -> tuple[Number, z3.BoolRef]:
    """A number of which only the range is known, and the condition that it lies there."""
    bits = z3.BitVec(name, width(low, high))
    value = Number(bits, low, high)
    if low >= 0:
        checks = [z3.UGE(bits, low)] * (low > 0) + [z3.ULE(bits, high)] * (high != (1 << bits.size()) - 1)
    else:
        checks = [bits >= low, bits <= high]
    return value, conj(checks)


# ---------------------------------------------------------------- terms


class Reading:
    """Translates terms over one state and one line; each term once."""

    def __init__(self, engine: Z3Terms, state: Symbolic, values: Values) -> None:
        self.engine, self.state, self.values = engine, state, values
        self._done: dict[Term, Any] = {}

    def condition(self, term: Term) -> z3.BoolRef:
        """The meaning of a term that holds or not."""
        return self.value(term)

    def value(self, term: Term) -> Any:
        """The meaning of a term: a `Number`, a condition, or a set of cards."""
        found = self._done.get(term)
        if found is None:
            found = self._done[term] = self._value(term)
        return found

    def place(self, name: str, index: tuple[Term, ...]) -> list[tuple[z3.BoolRef, Key]]:
        """Where an index can point."""
        return self.engine.places(name, [self.value(term) for term in index])

    def row(self, term: Term) -> tuple[Number, ...]:
        """The cards of a row that the line states.

        Raises:
            NotSupported: it does not name a known number of cards.
        """
        assert isinstance(term.value, tuple)
        name, part = term.value
        stated = self.values.get(name)
        if not isinstance(stated, tuple):
            raise NotSupported(f"row {name}: give it as a tuple of cards, for its length has to be known")
        row = stated if part is None else stated[part] if part < len(stated) else ()
        return tuple(number(card) if isinstance(card, int) else card for card in row)

    def _value(self, term: Term) -> Any:
        args = term.args
        match term.op:
            case "const":
                assert isinstance(term.value, int)
                if term.sort.kind == "bool":
                    return z3.BoolVal(bool(term.value))
                return z3.BitVecVal(term.value, CARDS) if term.sort.kind == "cards" else number(term.value)
            case "param":
                return self._stated(term)
            case "option":
                return self.engine.options[str(term.value)]
            case "cell":
                return self._zone(term)
            case "and":
                return conj(self.value(arg) for arg in args)
            case "or":
                return disj(self.value(arg) for arg in args)
            case "not":
                return neg(self.value(args[0]))
            case "ite":
                return pick(*(self.value(arg) for arg in args))
            case "eq":
                left, right = (self.value(arg) for arg in args)
                return same(left, right) if isinstance(left, Number) else left == right
            case "lt":
                return below(self.value(args[0]), self.value(args[1]))
            case "add":
                return plus(self.value(args[0]), self.value(args[1]))
            case "sub":
                return minus(self.value(args[0]), self.value(args[1]))
            case "rank":
                return _rank(self.value(args[0]))
            case "size" | "top" | "cards":
                return _seen(term.op, self._zone(term))
        return self._set_value(term)

    def _set_value(self, term: Term) -> Any:
        args = term.args
        match term.op:
            case "union":
                return self.value(args[0]) | self.value(args[1])
            case "member":
                return contains(self.value(args[1]), self.value(args[0]))
            case "listed":
                assert isinstance(term.value, tuple)
                cards = self.value(args[0])
                return disj(cards == z3.BitVecVal(one, CARDS) for one in term.value)
            case "count":
                return popcount(self.value(args[0]))
            case "length":
                return number(len(self.row(args[0])))
            case "named":
                return set_of(self._stated_cards(args))
            case "stranger":
                among = self.value(args[0])
                cards = self._stated_cards(args[1:])
                return _first(cards, [neg(contains(among, card)) for card in cards])
            case "repeated":
                cards = self._stated_cards(args)
                return _first(cards, [disj(same(card, one) for one in cards[:at]) for at, card in enumerate(cards)])
        raise NotSupported(f"no Z3 for {term.op}: {term!r}")

    def _stated(self, term: Term) -> Any:
        value = self.values[str(term.value)]
        if isinstance(value, int):
            return z3.BoolVal(bool(value)) if term.sort.kind == "bool" else number(value)
        return value

    def _stated_cards(self, rows: Iterable[Term]) -> list[Number]:
        return [card for row in rows for card in self.row(row)]

    def _zone(self, term: Term) -> Any:
        found = self.place(str(term.value), term.args)
        value = self.state[found[-1][1]]
        for condition, key in found[-2::-1]:
            value = pick(condition, self.state[key], value)
        return value


def _first(cards: Sequence[Number], marked: Sequence[z3.BoolRef]) -> Number:
    result = NOTHING
    for card, condition in zip(reversed(cards), reversed(marked), strict=True):
        result = pick(condition, card, result)
    return result


def _rank(card: Number) -> Number:
    if card.low == card.high:
        return number(card.low // 4 if card.low < CARDS else NO_RANK)
    suitless = Number(z3.Extract(card.bits.size() - 1, 2, card.bits), card.low // 4, card.high // 4)
    return pick(same(card, NOTHING), number(NO_RANK), suitless) if card.high == NO_CARD else suitless


def _seen(op: str, zone: Any) -> Any:
    match op, zone:
        case "size", Stack() | Heap():
            return zone.size
        case "size", _:
            return popcount(zone)
        case "top", Stack():
            return zone.cards[0]
        case "top", Heap():
            return zone.top
        case "cards", Stack():
            return set_of(zone.cards)
        case "cards", Heap():
            return zone.cards
    return zone


# ---------------------------------------------------------------- effects


class Effects:
    """Carries out effects one after the other: each reads what the ones before it have left."""

    def __init__(self, engine: Z3Terms, state: Symbolic, values: Values) -> None:
        self.engine, self.state, self.values = engine, state, values
        self.fits: list[z3.BoolRef] = []
        self._reading = Reading(engine, state, values)

    def all(self, effects: Iterable[Effect], path: z3.BoolRef) -> None:
        """Carry out effects where ``path`` holds."""
        for effect in effects:
            match effect:
                case When():
                    self.all(effect.effects, conj([path, self._reading.value(effect.condition)]))
                case Assign():
                    self._assign(effect, path)
                case Move():
                    self._move(effect, path)
                case Pour():
                    self._pour(effect, path)
                case Part():
                    self._part(effect, path)
                case Lay():
                    self._lay(effect, path)

    def taken(self, stack: Stack) -> Stack:
        """The stack without its top; an empty one stays as it is."""
        fewer = clipped(minus(stack.size, number(1)), 0, stack.size.high)
        return Stack((*stack.cards[1:], NOTHING), pick(same(stack.size, number(0)), number(0), fewer))

    def put(self, zone: Any, card: Number) -> Any:
        """The zone with one more card; from a full stack the lowest falls, which conservation has to rule out."""
        if isinstance(zone, Stack):
            return Stack((card, *zone.cards[:-1]), clipped(plus(zone.size, number(1)), 0, len(zone.cards)))
        if isinstance(zone, Heap):
            return Heap(card, clipped(plus(zone.size, number(1)), 0, CARDS), zone.cards | one_hot(card))
        return zone | one_hot(card)

    def _write(self, found: Iterable[tuple[z3.BoolRef, Key]], path: z3.BoolRef, change: Callable[[Any], Any]) -> None:
        for condition, key in found:
            self.state[key] = pick(conj([path, condition]), change(self.state[key]), self.state[key])
        self._reading = Reading(self.engine, self.state, self.values)

    def _assign(self, effect: Assign, path: z3.BoolRef) -> None:
        value = self._reading.value(effect.value)
        if isinstance(value, Number):
            low, high = self.engine.range_of(effect.cell)
            if value.low < low or value.high > high:
                inside = conj([neg(below(value, number(low))), neg(below(number(high), value))])
                self.fits.append(disj([neg(path), inside]))
                value = clipped(value, low, high)
        self._write(self._reading.place(effect.cell, effect.index), path, lambda _: value)

    def _move(self, effect: Move, path: z3.BoolRef) -> None:
        if self.engine.layout.variables[effect.source].kind != "stack":
            raise NotSupported(f"move from {effect.source}: cards are moved one by one from stacks alone")
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        card = self._reading.value(node("top", effect.source_index, effect.source, CARD))
        there = conj([path, neg(same(card, NOTHING))])
        self._write(source, path, self.taken)
        self._write(target, there, lambda zone: self.put(zone, card))

    def _contents(self, name: str, index: tuple[Term, ...]) -> z3.BitVecRef:
        found = self._reading.place(name, index)
        cards = _seen("cards", self.state[found[-1][1]])
        for condition, key in found[-2::-1]:
            cards = pick(condition, _seen("cards", self.state[key]), cards)
        return cards

    def _pour(self, effect: Pour, path: z3.BoolRef) -> None:
        cards = self._contents(effect.source, effect.source_index)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        self._write(source, path, _emptied)
        self._write(target, path, lambda bag: bag | cards)

    def _part(self, effect: Part, path: z3.BoolRef) -> None:
        cards = self._contents(effect.source, effect.source_index)
        chosen = self._reading.value(effect.cards)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        rest = self._reading.place(effect.rest, effect.rest_index)
        self._write(source, path, _emptied)
        self._write(target, path, lambda bag: bag | (cards & chosen))
        self._write(rest, path, lambda bag: bag | (cards & ~chosen))

    def _lay(self, effect: Lay, path: z3.BoolRef) -> None:
        row = self._reading.row(effect.row)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        variable = self.engine.layout.variables[effect.target]
        if variable.kind == "stack":
            if len(row) > variable.capacity:
                raise NotSupported(f"{len(row)} cards do not fit {effect.target}, which holds {variable.capacity}")
            cards = (*row[::-1], *[NOTHING] * (variable.capacity - len(row)))
            self._write(source, path, lambda bag: bag & ~set_of(row))
            self._write(target, path, lambda _: Stack(cards, number(len(row))))
        else:
            laid = self._contents(effect.source, effect.source_index) & set_of(row)
            self._write(source, path, lambda bag: bag & ~laid)
            self._write(target, path, lambda bag: bag | laid)


def _emptied(zone: Any) -> Any:
    if isinstance(zone, Stack):
        return Stack(tuple(NOTHING for _ in zone.cards), number(0))
    return Heap(NOTHING, number(0), NO_CARDS) if isinstance(zone, Heap) else NO_CARDS


# ---------------------------------------------------------------- conservation


def whereabouts(engine: Z3Terms, state: Symbolic, card: Number) -> list[z3.BoolRef]:
    """For every place where a card can lie, whether the card lies there."""
    places: list[z3.BoolRef] = []
    for name, index, _ in engine.layout.zones():
        zone = state[name, index]
        if isinstance(zone, Stack):
            places += [same(one, card) for one in zone.cards]
        else:
            places.append(contains(_seen("cards", zone), card))
    return places


def consistent(engine: Z3Terms, state: Symbolic) -> dict[Key, z3.BoolRef]:
    """What ties a zone's parts together: a stack's size to its places, a heap's size and top to its set."""
    found: dict[Key, z3.BoolRef] = {}
    for name, index, _ in engine.layout.zones():
        zone = state[name, index]
        if isinstance(zone, Stack):
            filled = [neg(same(card, NOTHING)) for card in zone.cards]
            reach = [below(number(at), zone.size) for at in range(len(zone.cards))]
            found[name, index] = conj(one == two for one, two in zip(filled, reach, strict=True))
        elif isinstance(zone, Heap):
            empty, bare = same(zone.size, number(0)), same(zone.top, NOTHING)
            top = disj([bare, contains(zone.cards, zone.top)])
            found[name, index] = conj([empty == (zone.cards == NO_CARDS), empty == bare, top])
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """One event from an arbitrary table, for proofs by induction."""

    before: Symbolic
    after: Symbolic
    assumed: z3.BoolRef
    """The ranges, the free options and the guards."""
    fits: z3.BoolRef


def arbitrary_step(engine: Z3Terms, event: Event | Specialised, lengths: Mapping[str, Any] | None = None) -> Step:
    """An event from an arbitrary table; choices that a `Specialised` binds are bound, others free."""
    base = event.event if isinstance(event, Specialised) else event
    state, assumed = engine.state("s")
    values: dict[str, Any] = {}
    conditions = [*engine.axioms, assumed]
    for parameter in base.parameters:
        if parameter.role == "choice" and isinstance(event, Specialised):
            continue
        values[parameter.name], known = engine.parameter(parameter, parameter.name, (lengths or {}).get(parameter.name))
        conditions.append(known)
    conditions.append(engine.lawful(event, state, values))
    return Step(state, engine.apply(event, state, values), conj(conditions), engine.fits(event, state, values))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a proof: "proved", "refuted" (with what breaks) or "unknown" (with why)."""

    answer: str
    broken: tuple[str, ...] = ()


def conservation(
    engine: Z3Terms, step: Step, extra: Callable[[Symbolic], z3.BoolRef] = lambda _: YES, timeout: int = 60
) -> Outcome:
    """Whether an event keeps one arbitrary card in exactly one place, all zones consistent, and 52 cards in all.

    ``extra`` is assumed of the table before. What the event leaves as it is (most places, for a shift of a stack only
    renames them) is cancelled on both sides first, and stands in the formula as one unknown. Where bags change, one
    card says nothing of how many they hold, and the sum of the sizes is left out.
    """
    card, is_card = unknown("card", 0, CARDS - 1)
    before, after = whereabouts(engine, step.before, card), whereabouts(engine, step.after, card)
    kept, left, arrived = _cancelled(before, after)
    elsewhere = z3.Bool("elsewhere") if kept else NO
    goals = {"one place": _one(elsewhere, arrived)}
    assumed = [step.assumed, is_card, _one(elsewhere, left), extra(step.before)]

    sizes_before, sizes_after = _sizes(engine, step.before), _sizes(engine, step.after)
    _, fewer, more = _cancelled(sizes_before, sizes_after)
    others, in_pack = unknown("others", 0, CARDS)
    assumed += [in_pack, same(_total(others, fewer), number(CARDS))]
    if all(
        step.after[key] is zone for key, zone in step.before.items() if engine.layout.variables[key[0]].kind == "bag"
    ):
        goals["sizes"] = same(_total(others, more), number(CARDS))

    assumed += consistent(engine, step.before).values()
    for (name, index), condition in consistent(engine, step.after).items():
        if step.after[name, index] is not step.before[name, index]:
            goals[f"{name}{list(index)}"] = condition
    outcome = prove(assumed, goals, timeout)
    if outcome.answer == "refuted":  # what was cancelled says more than that it is unknown
        exact = [z3.PbEq([(there, 1) for there in before], 1), elsewhere == disj(kept)]
        outcome = prove([*assumed, *exact], goals, timeout)
    return outcome


def prove(assumed: Iterable[z3.BoolRef], goals: Mapping[str, z3.BoolRef], timeout: int = 60) -> Outcome:
    """Whether the goals follow from what is assumed."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", timeout * 1000)
    solver.add(*assumed, neg(conj(goals.values())))
    answer = solver.check()
    if answer == z3.unknown:
        return Outcome("unknown", (solver.reason_unknown(),))
    if answer == z3.unsat:
        return Outcome("proved")
    model = solver.model()
    return Outcome("refuted", tuple(name for name, goal in goals.items() if z3.is_false(model.eval(goal, True))))


def _sizes(engine: Z3Terms, state: Symbolic) -> list[Number]:
    return [_seen("size", state[name, index]) for name, index, _ in engine.layout.zones()]


def _total(others: Number, sizes: Iterable[Number]) -> Number:
    return reduce(plus, sizes, others)


def _one(elsewhere: z3.BoolRef, places: Sequence[z3.BoolRef]) -> z3.BoolRef:
    every = [elsewhere, *places]
    return conj([disj(every), *(neg(conj(pair)) for pair in combinations(every, 2))])


def _cancelled(before: Sequence[Any], after: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """What stands on both sides, only before, and only after; terms are shared, so the same one is the same object."""
    left: dict[int, list[Any]] = {}
    for one in before:
        left.setdefault(_identity(one), []).append(one)
    kept, arrived = [], []
    for one in after:
        same_ones = left.get(_identity(one))
        if same_ones:
            kept.append(same_ones.pop())
        else:
            arrived.append(one)
    return kept, [one for ones in left.values() for one in ones], arrived


def _identity(one: Any) -> int:
    term = one.bits if isinstance(one, Number) else one
    return int(term.get_id())


# ---------------------------------------------------------------- bounded search


class Search:
    """A run of events from a known table, with unknown choices, unknown rows, and unknown events where wanted.

    Reports stand at what the state has. Nothing is written twice: a deal is the recorded event with unknown rows.
    """

    def __init__(self, engine: Z3Terms, start: State) -> None:
        self.engine = engine
        self.state = engine.concrete(start)
        self.assumed: list[z3.BoolRef] = list(engine.axioms)
        self._log: list[tuple[Number, list[tuple[Event, dict[str, Any]]]]] = []

    def follow(self, event: Event, lengths: Mapping[str, Any] | None = None, **values: Any) -> None:
        """The next event, lawful, with these values; what is not given is unknown."""
        stated, condition, after = self._taken(event, lengths or {}, values)
        self.assumed.append(condition)
        self.state = after
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
            merged = after if at == 0 else {key: pick(chosen, after[key], part) for key, part in merged.items()}
        self.state = merged
        self._log.append((which, options))

    def solve(self, *goals: z3.BoolRef, timeout: int = 60) -> list[tuple[Event, dict[str, Any]]] | None:
        """The events of a run that meets the goals, as the other engines take them; ``None`` where there is none.

        Raises:
            TimeoutError: neither was found out in time.
        """
        solver = z3.SolverFor("QF_BV")
        solver.set("timeout", timeout * 1000)
        solver.add(*self.assumed, *goals)
        answer = solver.check()
        if answer == z3.unknown:
            raise TimeoutError(solver.reason_unknown())
        if answer == z3.unsat:
            return None
        model = solver.model()
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
        conditions.append(self.engine.lawful(event, self.state, stated))
        conditions.append(self.engine.fits(event, self.state, stated))
        return stated, conj(conditions), self.engine.apply(event, self.state, stated)


def decoded(model: z3.ModelRef, value: Any) -> Any:
    """What a value is in a model: an int, a bool, a mask, or a tuple of them."""
    if isinstance(value, tuple):
        return tuple(decoded(model, one) for one in value)
    if isinstance(value, int):
        return value
    if isinstance(value, Number):
        bits = model.eval(value.bits, model_completion=True)
        return bits.as_signed_long() if value.low < 0 else bits.as_long()
    known = model.eval(value, model_completion=True)
    return z3.is_true(known) if z3.is_bool(known) else known.as_long()
