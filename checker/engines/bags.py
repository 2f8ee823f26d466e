"""Bags as integers: a bit for each card that is known to be in, and counters for those that are not known.

The 52 low bits are the known cards. Above them every partly known code (`??`, `7?`, …, see `fairdeal.spec.cards`) has a
counter of eight bits, and so has a card that is in twice, which no lawful state holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

KNOWN = (1 << 52) - 1
_BASE, _WIDTH = 64, 8
_TWICE = 51
"""The counter slot of known cards beyond the first copy."""
_UNKNOWN, _FIRST_RANK = 53, 54
"""The codes of a card of which nothing is known, and of the first one whose rank alone is known."""


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
    """The bag without one card; what it then says of the others is so whichever card that was.

    A card whose rank or suit is not known may be any of the known ones, so that these are known no longer. A known card
    that is not known to be in is one of those of its rank, or of those that are not known at all.
    """
    if code == _UNKNOWN:
        return _blur(bag, 1)
    if code < 52 and bag >> code & 1:
        return bag & ~(1 << code)
    ranked = _FIRST_RANK + code // 4 if code < 52 else code
    if code >= _FIRST_RANK:  # any of the known ones of this rank
        same = bag & (15 << 4 * (code - _FIRST_RANK) if code < _FIRST_RANK + 13 else 0)
        bag = (bag ^ same) + (same.bit_count() << _shift(code))
    for slot in (ranked, _UNKNOWN, _TWICE):
        if counted(bag, slot):
            return bag - (1 << _shift(slot))
    return _blur(bag, 1)


def without(bag: int, others: int) -> int:
    """The bag without the cards of another, as far as they may be in; codes that are alike are taken for one card."""
    alike = bag & others & KNOWN
    bag ^= alike
    unlike = list(cards((others & KNOWN) ^ alike))
    for code in cards(others & ~KNOWN):
        if counted(bag, code):
            bag -= 1 << _shift(code)
        else:
            unlike.append(code)
    for code in unlike:
        if may_have(bag, code):
            bag = take(bag, code)
    return bag


def strangers(bag: int, codes: Iterable[int]) -> list[int]:
    """Those of some known cards, each named once, that cannot be in: neither known to be, nor among the others."""
    absent = [code for code in codes if not bag >> code & 1]
    if not bag >> _BASE or not absent:
        return absent
    room: dict[int, int] = {}
    for code in cards(bag & ~KNOWN):
        room[code] = room.get(code, 0) + 1
    found = []
    for code in absent:
        slot = next((one for one in (_FIRST_RANK + code // 4, _UNKNOWN) if room.get(one)), None)
        if slot is None:
            found.append(code)
        else:
            room[slot] -= 1
    return found


def may_have(bag: int, code: int) -> bool:
    """Whether a card may be in; a partly known one may wherever there are any."""
    return bool(bag) and (code >= 52 or not strangers(bag, (code,)))


def _blur(bag: int, fewer: int) -> int:
    """A bag with so many fewer cards, none of them known."""
    return max(size(bag) - fewer, 0) << _shift(_UNKNOWN)


def size(bag: int) -> int:
    """How many cards are in."""
    total = (bag & KNOWN).bit_count()
    rest = bag >> _BASE
    while rest:
        total += rest & 0xFF
        rest >>= _WIDTH
    return total


def counted(bag: int, code: int) -> int:
    """How many cards are in of which a code that is no known card is all that is known."""
    return bag >> _shift(code) & 0xFF


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
        yield from [53 if code == _TWICE else code] * counted(bag, code)


def refine(bag: int, codes: Sequence[int]) -> int:
    """The bag with what a list of all its cards, which does not contradict it, tells of those that were not known."""
    named, known = put_all(0, codes), bag & KNOWN
    stated = named & KNOWN
    if not stated & ~known:  # the list names no further card, though perhaps ranks
        return bag if known & ~stated or bag >> _shift(_FIRST_RANK) else named
    if not known & ~stated:
        return named
    both = known | stated
    return both + ((size(bag) - both.bit_count()) << _shift(_UNKNOWN))
