"""Tops: merging states in which a heap's top differs, and no card that could ever be put on it can tell.

Where every condition looks at a heap's top only through relations with the tops of certain stacks, and no card
comes into those stacks from elsewhere, two tops are alike if the cards that are left in the stacks go with both or
with neither. Cards only leave the stacks, so tops that are alike now are alike until they are covered. The smallest
top of each kind stands for all. The conditions are read off the record; where they do not hold, tops are told
apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairdeal.checker.engines.native.packing import RANKS, Field, Packing
from fairdeal.checker.engines.native.slicing import Key, flat, key_of
from fairdeal.checker.engines.python_terms import ranked_cards
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Assign, Lay, Move
from fairdeal.spec.language.specialise import place
from fairdeal.spec.language.terms import NO_RANK, Term


@dataclass(frozen=True, slots=True)
class Company:
    """Heaps whose tops are merged, the stacks whose cards can tell them apart, and the relations between both."""

    heaps: tuple[Key, ...]
    stacks: tuple[Key, ...]
    fits: tuple[tuple[int, ...], ...]
    """For each relation, by the rank of a top, the set of the ranks of cards that it holds for."""


def company(packing: Packing) -> Company | None:
    """The heaps of a packing whose tops can be merged, if there are any."""
    part = packing.slice
    heaps = tuple(key for aspect, key in packing.fields if aspect == "top")
    if not part.by_rank or not heaps:
        return None
    found: dict[tuple[Key, Key], dict[Term, None]] = {}
    for term in roots(packing):
        if not _collect(term, frozenset(heaps), found):
            return None
    stacks = tuple(dict.fromkeys(stack for _, stack in found))
    if not stacks or any(packing.stack(one) is None for one in stacks) or not _is_left_only(packing, stacks):
        return None
    fits = {_fits(term, heap) for (heap, _), each in found.items() for term in each}
    return Company(heaps, stacks, tuple(sorted(fits)))


def roots(packing: Packing) -> Iterator[Term]:
    """Every term that the exploration evaluates."""
    part = packing.slice
    yield from part.endings.values()
    if part.measure:
        yield part.measure
    for one in [*part.candidates, *(one for each in part.eager for one in each.values())]:
        yield one.condition
        for effect, conditions in flat(one.effects):
            if part.matters(effect):
                yield from conditions
                if isinstance(effect, Assign):
                    yield effect.value


def _collect(term: Term, heaps: frozenset[Key], found: dict[tuple[Key, Key], dict[Term, None]]) -> bool:
    """Gather the relations with heaps' tops; whether they are looked at in no other way."""
    if term.op == "top":
        return key_of(term) not in heaps
    cards: dict[Term, None] = {}
    if term.op in ("and", "or", "not", "eq") and ranked_cards(term, cards):
        tops = [one for one in cards if one.op == "top" and key_of(one) in heaps]
        others = [one for one in cards if one not in tops]
        if not tops:
            return True
        if len(cards) == 1 and term.op == "eq" and term.args[1] is terms.const(NO_RANK):
            return True  # whether the heap is empty, which every top says
        if len(tops) == 1 and len(others) == 1 and others[0].op == "top":
            found.setdefault((key_of(tops[0]), key_of(others[0])), {})[term] = None
            return True
    return all(_collect(arg, heaps, found) for arg in term.args)


def _is_left_only(packing: Packing, stacks: tuple[Key, ...]) -> bool:
    """Whether cards come into the stacks from each other alone."""
    for one in packing.slice.candidates:
        for effect, _ in flat(one.effects):
            arrives = isinstance(effect, (Move, Lay)) and (effect.target, place(effect.target_index)) in stacks
            within = isinstance(effect, Move) and (effect.source, place(effect.source_index)) in stacks
            if arrives and not within:
                return False
    return True


def _fits(term: Term, heap: Key) -> tuple[int, ...]:
    cards: dict[Term, None] = {}
    ranked_cards(term, cards)
    top = next(one for one in cards if key_of(one) == heap)
    card = next(one for one in cards if one is not top)
    return tuple(
        sum(
            1 << rank
            for rank in range(RANKS)
            if terms.replace(term, {terms.rank(top): terms.const(under), terms.rank(card): terms.const(rank)})
            is terms.TRUE
        )
        for under in range(RANKS)
    )


class TopClasses:
    """Generates the function ``classed``, which puts the smallest top of its kind on each heap."""

    def __init__(self, packing: Packing, found: Company) -> None:
        self.packing, self.company = packing, found
        self.fields: list[Field] = [packing.fields["top", key] for key in found.heaps]
        tables, table = packing.tables, packing.table
        for key in found.stacks:
            tables.add(table("left", key), self.left(key))
        for number, masks in enumerate(found.fits):
            tables.add(f"fits_{number}", masks)

    def left(self, key: Key) -> list[int]:
        """For each code of a stack, the set of the ranks that lie in it."""
        tables, table = self.packing.tables, self.packing.table
        one = self.packing.stack(key)
        assert one is not None
        first = tables.first[table("top", key)]
        base = [self.packing.view(card) for card in self.packing.slice.start[self.packing.slice.layout.position[key]]]
        heights = [sum(1 << rank for rank in set(base[:height])) for height in range(len(base) + 1)]
        if one.aspect == "height":
            return heights
        return heights + [1 << tables.data[first + code] for code in range(len(heights), len(heights) + RANKS)]

    def source(self) -> list[str]:
        """The function, as lines."""
        tables, table = self.packing.tables, self.packing.table
        words = ", ".join(f"w{at}" for at in range(self.packing.words))
        parts = []
        for key in self.company.stacks:
            one = self.packing.stack(key)
            assert one is not None
            parts.append(tables.at(table("left", key), f"(w{one.word} >> {one.shift} & {(1 << one.bits) - 1})"))
        lines = [f"def classed({words}, T):", f"    left = {' | '.join(parts)}"]
        for one in self.fields:
            relations = range(len(self.company.fits))
            alike = " and ".join(f"{tables.at(f'fits_{each}', 'x')} & left == s{each}" for each in relations)
            lines.append(f"    t = w{one.word} >> {one.shift} & {(1 << one.bits) - 1}")
            lines.append(f"    if t < {RANKS}:")
            lines += [f"        s{each} = {tables.at(f'fits_{each}', 't')} & left" for each in relations]
            lines += ["        for x in range(t):", f"            if {alike}:"]
            rest = ((1 << 63) - 1) & ~one.mask
            lines += [f"                w{one.word} = w{one.word} & {rest} | x << {one.shift}", "                break"]
        return [*lines, f"    return {words}", ""]

    def concerns(self, effects: Iterator[tuple[object, object]]) -> bool:
        """Whether effects put a card on one of the heaps, or take one out of the stacks."""
        for effect, _ in effects:
            if isinstance(effect, Move):
                source = effect.source, place(effect.source_index)
                target = effect.target, place(effect.target_index)
                if target in self.company.heaps or (
                    source in self.company.stacks and target not in self.company.stacks
                ):
                    return True
        return False
