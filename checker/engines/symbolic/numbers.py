"""Numbers and conditions as Z3 terms: a number carries the range that it can have, and is as wide as that needs.

So nothing wraps around. What is known is folded at once, which keeps formulas small where choices are bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import z3

from fairdeal.spec.language.terms import NO_CARD, NO_RANK

CARDS = 52
YES, NO = z3.BoolVal(True), z3.BoolVal(False)


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


def either(condition: z3.BoolRef, then: Any, otherwise: Any) -> Any:
    """One of two numbers, conditions or terms of one sort."""
    if z3.is_true(condition) or then is otherwise:
        return then
    if z3.is_false(condition):
        return otherwise
    if isinstance(then, Number):
        low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
        one, two = fitted(then, low, high), fitted(otherwise, low, high)
        return (
            then
            if one.eq(two) and then.low <= otherwise.low and otherwise.high <= then.high
            else Number(one if one.eq(two) else z3.If(condition, one, two), low, high)
        )
    if then.eq(otherwise):
        return then
    if z3.is_bool(then):
        if z3.is_true(then) or z3.is_false(otherwise):
            return disj([condition, otherwise]) if z3.is_true(then) else conj([condition, then])
        if z3.is_false(then) or z3.is_true(otherwise):
            return conj([neg(condition), otherwise]) if z3.is_false(then) else disj([neg(condition), then])
    return z3.If(condition, then, otherwise)


NOTHING = number(NO_CARD)
"""What lies on top of an empty pile."""


def unknown(name: str, low: int, high: int) -> tuple[Number, z3.BoolRef]:
    """A number of which only the range is known, and the condition that it lies there."""
    bits = z3.BitVec(name, width(low, high))
    value = Number(bits, low, high)
    if low >= 0:
        checks = [z3.UGE(bits, low)] * (low > 0) + [z3.ULE(bits, high)] * (high != (1 << bits.size()) - 1)
    else:
        checks = [bits >= low, bits <= high]
    return value, conj(checks)


def rank(card: Number) -> Number:
    """The rank of a card; `NO_RANK` for no card."""
    if card.low == card.high:
        return number(card.low // 4 if card.low < CARDS else NO_RANK)
    if card.bits.size() < 3:
        return number(0)
    suitless = Number(z3.Extract(card.bits.size() - 1, 2, card.bits), card.low // 4, card.high // 4)
    return either(same(card, NOTHING), number(NO_RANK), suitless) if card.high == NO_CARD else suitless


def total(parts: Iterable[Number]) -> Number:
    """The sum, added up in pairs so that widths stay small."""
    rest = list(parts) or [number(0)]
    while len(rest) > 1:
        odd = rest[len(rest) // 2 * 2 :]
        rest = [plus(one, two) for one, two in zip(rest[::2], rest[1::2], strict=False)] + odd
    return rest[0]
