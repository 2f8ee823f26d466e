"""What a meld is: the finite tables of sets, of runs, and of what would be a run only around the corner."""

from __future__ import annotations

from itertools import combinations

RANKS, SUITS = 13, 4
ACE, TWO = 0, 1

VALUE = (15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""What a card is worth, by rank (QCR-VALUE-1)."""

LOW_ACE = 1
"""What an ace below the 2 is worth where house rules say so (GAP-QCR-6)."""


def _mask(cards: list[tuple[int, int]]) -> int:
    return sum(1 << rank * SUITS + suit for rank, suit in cards)


def _sets() -> list[int]:
    """Three or four cards of one rank, aces too (QCR-MELD-1, GAP-QCR-7)."""
    return [
        _mask([(rank, suit) for suit in suits])
        for rank in range(RANKS)
        for size in (3, 4)
        for suits in combinations(range(SUITS), size)
    ]


def _stretches() -> list[tuple[int, ...]]:
    """Three or more ranks in sequence, the ace below the 2 or above the king (QCR-MELD-2, QCR-MELD-3)."""
    line = [*range(RANKS), ACE]
    found = {tuple(line[start:stop]) for start in range(len(line)) for stop in range(start + 3, len(line) + 1)}
    return sorted(stretch for stretch in found if len(set(stretch)) == len(stretch))


def _corners() -> list[tuple[int, ...]]:
    """Three or more ranks in sequence that go on from the king over the ace to the 2."""
    found = set()
    for start in range(RANKS):
        for size in range(3, RANKS + 1):
            ranks = tuple((start + step) % RANKS for step in range(size))
            found.add(tuple(sorted(ranks)))
    lawful = {tuple(sorted(stretch)) for stretch in _stretches()}
    return sorted(found - lawful)


def _in_suits(stretches: list[tuple[int, ...]]) -> list[int]:
    return [_mask([(rank, suit) for rank in ranks]) for suit in range(SUITS) for ranks in stretches]


SETS = tuple(sorted(_sets()))
"""Every set, as a mask."""

RUNS = tuple(sorted(set(_in_suits(_stretches()))))
"""Every run, as a mask."""

PAIRS = tuple(
    sorted({_mask([(rank, suit), ((rank + 1) % RANKS, suit)]) for rank in range(RANKS) for suit in range(SUITS)})
)
"""Every two cards of a suit that follow one another, as a mask."""

CORNERS = tuple(sorted(set(_in_suits(_corners()))))
"""Every stretch of a suit around the corner, such as K-A-2, as a mask."""
