"""Bags as integers: a bit for each card that is known to be in, and counters for those that are not known.

The 52 low bits are the known cards. Above them every partly known code (`??`, `7?`, …, see `fairdeal.spec.cards`) has a
counter of eight bits, and so has a card that is in twice, which no lawful state holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

KNOWN = (1 << 52) - 1
_BASE, _WIDTH = 64, 8
_TWICE = 51
"""The counter slot of known cards beyond the first copy."""


def _shift(code: int) -> int:
    return _BASE + _WIDTH * (code - _TWICE)


def put(bag: int, code: int) -> int:
    """The bag with one more card."""
    if code < 52:
        bit = 1 << code
        return bag | bit if not bag & bit else bag + (1 << _shift(_TWICE))
    return bag + (1 << _shift(code))


def put_all(bag: int, codes: Iterable[int]) -> int:
    """The bag with more cards."""
    for code in codes:
        bag = put(bag, code)
    return bag


def take(bag: int, code: int) -> int:
    """The bag without one card; where it is not known to be in, one unknown card goes, if there is any."""
    if code < 52 and bag >> code & 1:
        return bag & ~(1 << code)
    for slot in ([code] if code >= 52 else []) + [53, _TWICE, *range(54, 68)]:
        if bag >> _shift(slot) & 0xFF:
            return bag - (1 << _shift(slot))
    return _blur(bag) - (1 << _shift(53)) if bag else 0


def _blur(bag: int) -> int:
    return size(bag) << _shift(53)


def size(bag: int) -> int:
    """How many cards are in."""
    total = (bag & KNOWN).bit_count()
    rest = bag >> _BASE
    while rest:
        total += rest & 0xFF
        rest >>= _WIDTH
    return total


def unknown(bag: int) -> int:
    """How many cards are in that are not fully known."""
    return size(bag) - (bag & KNOWN).bit_count()


def cards(bag: int) -> Iterator[int]:
    """The codes in the bag, known ones first, in order."""
    known = bag & KNOWN
    while known:
        low = known & -known
        yield low.bit_length() - 1
        known ^= low
    if not bag >> _BASE:
        return
    for code in (_TWICE, *range(53, 68)):
        yield from [53 if code == _TWICE else code] * (bag >> _shift(code) & 0xFF)
