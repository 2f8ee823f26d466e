"""Carrying out recorded effects on a symbolic table, with what has to hold for no card to be lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import z3

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.numbers import (
    NOTHING,
    YES,
    Number,
    below,
    clipped,
    conj,
    disj,
    either,
    minus,
    neg,
    number,
    same,
)
from fairdeal.checker.engines.symbolic.reading import Key, Reading, Symbolic, Values
from fairdeal.checker.engines.symbolic.zones import Heaped, Stack
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.terms import Term

if TYPE_CHECKING:
    from fairdeal.checker.engines.symbolic.model import Z3Terms


class Effects:
    """Carries out effects one after the other: each reads what the ones before it have left.

    ``fits`` says that every assigned number lies in its cell's range; ``sound`` that cards find room where they go, do
    not lie there already, and lie where they are taken from.
    """

    def __init__(self, engine: Z3Terms, state: Symbolic, values: Values) -> None:
        self.engine, self.state, self.values, self.sets = engine, state, values, engine.sets
        self.looked_at: set[Key] = set()
        """The cells and zones that conditions and values of the effects were read from."""
        self.fits: list[z3.BoolRef] = []
        self.sound: list[z3.BoolRef] = []
        self._reading = Reading(engine, state, values, looked_at=self.looked_at)

    def all(self, effects: Iterable[Effect], path: z3.BoolRef = YES) -> None:
        """Carry out effects where ``path`` holds."""
        for effect in effects:
            if isinstance(effect, When):
                inside = conj([path, self._reading.value(effect.condition)])
                if not z3.is_false(inside):
                    self.all(effect.effects, inside)
            else:
                self.carry_out(effect, path)

    def carry_out(self, effect: Effect, path: z3.BoolRef) -> None:
        """Carry out one effect where ``path`` holds.

        Raises:
            NotSupported: there is no Z3 for it.
        """
        match effect:
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
            case Pick():
                self._pick(effect, path)
            case TurnOver():
                self._turn_over(effect, path)
            case _:
                raise NotSupported(f"no Z3 for {effect!r}")

    def taken(self, zone: Any) -> Any:
        """A stack without its top; an empty one stays as it is."""
        return zones.without_top(self.sets, zone, self.engine.name("top"))

    def put(self, zone: Any, card: Number) -> Any:
        """A zone with one more card."""
        return zones.with_card(self.sets, zone, card)

    def _write(self, found: Iterable[tuple[z3.BoolRef, Key]], path: z3.BoolRef, change: Callable[[Any], Any]) -> None:
        for condition, key in found:
            self.state[key] = zones.pick(conj([path, condition]), change(self.state[key]), self.state[key])
        self._reading = Reading(self.engine, self.state, self.values, looked_at=self.looked_at)

    def _require(self, path: z3.BoolRef, condition: z3.BoolRef) -> None:
        if not z3.is_true(condition):
            self.sound.append(disj([neg(path), condition]))

    def _assign(self, effect: Assign, path: z3.BoolRef) -> None:
        value = self._reading.value(effect.value)
        if isinstance(value, Number):
            sort = self.engine.layout.variables[effect.cell].sort
            low, high = sort.low, sort.high
            if high < INT.high and (value.low < low or value.high > high):
                inside = conj([neg(below(value, number(low))), neg(below(number(high), value))])
                self.fits.append(disj([neg(path), inside]))
            value = clipped(value, low, high)
        self._write(self._reading.place(effect.cell, effect.index), path, lambda _: value)

    def _move(self, effect: Move, path: z3.BoolRef) -> None:
        if self.engine.layout.variables[effect.source].kind != "stack":
            raise NotSupported(f"move from {effect.source}: cards are moved one by one from stacks alone")
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        card = zones.top_of(self._reading.zone(effect.source, effect.source_index))
        there = conj([path, neg(same(card, NOTHING))])
        self._write(source, path, self.taken)
        self._put(target, there, card)

    def _put(self, target: Iterable[tuple[z3.BoolRef, Key]], path: z3.BoolRef, card: Number) -> None:
        places = list(target)
        for condition, key in places:
            here = conj([path, condition])
            self._require(here, zones.room(self.state[key], number(1)))
            self._require(conj([here, self.sets.in_view(card)]), neg(self._lies(key, card)))
        self._write(places, path, lambda zone: self.put(zone, card))

    def _lies(self, key: Key, card: Number) -> z3.BoolRef:
        """Whether a card is among those of a bag or pile; a stack shows for itself where its cards are."""
        zone = self.state[key]
        if isinstance(zone, Stack):
            return disj(same(one, card) for one in zone.cards)
        return self.sets.holds(zones.cards_of(self.sets, zone), card)

    def _pour(self, effect: Pour, path: z3.BoolRef) -> None:
        cards = zones.cards_of(self.sets, self._reading.zone(effect.source, effect.source_index))
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        size = self._size(effect.source, effect.source_index)
        self._write(source, path, lambda zone: zones.emptied(self.sets, zone))
        self._add(target, path, cards, size)

    def _size(self, name: str, index: tuple[Term, ...]) -> Number:
        """How many cards lie somewhere, where bags are counted."""
        if not self.engine.counted:
            return number(0)
        return zones.size_of(self.sets, self._reading.zone(name, index))

    def _add(self, target: Iterable[tuple[z3.BoolRef, Key]], path: z3.BoolRef, cards: Any, size: Number) -> None:
        places = list(target)
        for condition, key in places:
            here = zones.cards_of(self.sets, self.state[key])
            self._require(conj([path, condition]), self._apart(here, cards))
        self._write(places, path, lambda bag: zones.more(self.sets, bag, cards, size))

    def _apart(self, bag: Any, cards: Any) -> z3.BoolRef:
        return self._none(self.sets.common(bag, cards))

    def _none(self, cards: Any) -> z3.BoolRef:
        """Whether a set is empty; of one card alone, whether that card is not in it."""
        return neg(cards) if z3.is_bool(cards) else self.sets.bare(cards)

    def _part(self, effect: Part, path: z3.BoolRef) -> None:
        cards = zones.cards_of(self.sets, self._reading.zone(effect.source, effect.source_index))
        chosen = self._reading.value(effect.cards)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        rest = self._reading.place(effect.rest, effect.rest_index)
        self._write(source, path, lambda zone: zones.emptied(self.sets, zone))
        here, there = self.sets.common(cards, chosen), self.sets.without(cards, chosen)
        chosen_size, rest_size = self._shares(self._size(effect.source, effect.source_index), here)
        self._add(target, path, here, chosen_size)
        self._add(rest, path, there, rest_size)

    def _shares(self, size: Number, chosen: Any) -> tuple[Number, Number]:
        """How many cards are chosen of so many, and how many are not: what is chosen are no more than there are."""
        if not self.engine.counted:
            return number(0), number(0)
        count = self.sets.count(chosen)
        self.sets.facts.append(neg(below(size, count)))
        return count, clipped(minus(size, count), 0, size.high)

    def _lay(self, effect: Lay, path: z3.BoolRef) -> None:
        row = self._reading.row(effect.row)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        variable = self.engine.layout.variables[effect.target]
        named = row.cards if isinstance(row, Heaped) else self.sets.of(row.cards)
        held = zones.cards_of(self.sets, self._reading.zone(effect.source, effect.source_index))
        if variable.kind == "bag":
            moved = self.sets.common(named, held)
            size = self._moved(named, effect, moved, row.size)
            self._write(source, path, lambda bag: zones.fewer(self.sets, bag, moved, size))
            self._add(target, path, moved, size)
            return
        self._require(path, self._none(self.sets.without(named, held)))
        self._write(source, path, lambda bag: zones.fewer(self.sets, bag, named, row.size))
        for condition, key in target:
            here = conj([path, condition])
            if not effect.on_top:
                self._require(here, zones.is_bare(self.sets, self.state[key]))
            self._require(here, zones.room(zones.emptied(self.sets, self.state[key]), row.size))
            if effect.on_top:
                self._require(here, zones.room(self.state[key], row.size))
        self._write(target, path, lambda zone: self._laid(row, zone, effect.on_top))

    def _moved(self, named: Any, effect: Lay, moved: Any, size: Number) -> Number:
        """How many cards of a row move: all of them where they lie there, else they have to be counted.

        Where they do, there are no more of them than lie there; a row that names a card twice is not lawful anyway.
        """
        if not self.engine.counted:
            return number(0)
        source = self._reading.zone(effect.source, effect.source_index)
        all_there = self.sets.bare(self.sets.without(named, zones.cards_of(self.sets, source)))
        self.sets.facts.append(neg(conj([all_there, below(zones.size_of(self.sets, source), size)])))
        count: Number = either(all_there, size, self.sets.count(moved))
        return count

    def _laid(self, row: Stack | Heaped, zone: Any, on_top: bool) -> Any:
        below_it = zone if on_top else zones.emptied(self.sets, zone)
        return zones.joined(self.sets, row, below_it, self.engine.name("laid"))

    def _pick(self, effect: Pick, path: z3.BoolRef) -> None:
        card = self._reading.value(effect.card)
        held = self._reading.zone(effect.source, effect.source_index)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        there = conj([path, self.sets.holds(zones.cards_of(self.sets, held), card)])
        self._write(source, there, lambda bag: zones.fewer(self.sets, bag, self.sets.of([card]), number(1)))
        self._put(target, there, card)

    def _turn_over(self, effect: TurnOver, path: z3.BoolRef) -> None:
        pile = self._reading.zone(effect.source, effect.source_index)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        self._write(source, path, lambda zone: zones.emptied(self.sets, zone))
        for condition, key in target:
            here, cards = conj([path, condition]), zones.cards_of(self.sets, pile)
            self._require(here, zones.room(self.state[key], pile.size))
            self._require(here, self._apart(zones.cards_of(self.sets, self.state[key]), cards))
        self._write(target, path, lambda zone: self._turned(pile, zone))

    def _turned(self, pile: Any, zone: Any) -> Any:
        upper = zones.reversed_stack(pile) if isinstance(pile, Stack) else Heaped(pile.cards, pile.size)
        return zones.joined(self.sets, upper, zone, self.engine.name("lowest"))
