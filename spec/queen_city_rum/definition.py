"""What a set and a run are, said directly and apart from the tables that the rules look melds up in (QCR-MELD-1 to 3).

Claims about melds are made with these words, so that a fault in the tables of `melds.py` is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from fairdeal.spec.cards import DECK, NAMES, RANKS, SUITS

SMALLEST = 3
"""Cards of the smallest melds."""


def is_set(cards: Iterable[int]) -> bool:
    """Whether three or more cards are all of one rank."""
    codes = set(cards)
    return len(codes) >= SMALLEST and len({code // len(SUITS) for code in codes}) == 1


def is_run(cards: Iterable[int]) -> bool:
    """Whether three or more cards are of one suit and in a row, the ace below the 2 or above the king, not both."""
    codes = set(cards)
    if len(codes) < SMALLEST or len({code % len(SUITS) for code in codes}) > 1:
        return False
    ranks = {code // len(SUITS) for code in codes}
    above = {rank or len(RANKS) for rank in ranks}
    return any(max(row) - min(row) == len(codes) - 1 for row in (ranks, above))


def cards_of(mask: int) -> list[int]:
    """The cards of a mask, in order."""
    return [code for code in range(DECK) if mask >> code & 1]


def told(mask: int) -> str:
    """Cards as a log writes them."""
    return " ".join(NAMES[code] for code in cards_of(mask))


@cache
def sets() -> tuple[int, ...]:
    """Every set, as a mask: all choices of cards of one rank that the definition holds of."""
    return tuple(mask for rank in range(len(RANKS)) for mask in _chosen(_of_rank(rank)) if is_set(cards_of(mask)))


@cache
def runs() -> tuple[int, ...]:
    """Every run, as a mask: all choices of cards of one suit that the definition holds of."""
    return tuple(mask for suit in range(len(SUITS)) for mask in _chosen(_of_suit(suit)) if is_run(cards_of(mask)))


@cache
def sets_of(rank: int) -> tuple[int, ...]:
    """The sets of a rank, as masks."""
    return tuple(mask for mask in sets() if mask & sum(1 << code for code in _of_rank(rank)))


def one_rank_or_suit() -> Iterator[int]:
    """Every choice of three or more cards of one rank or of one suit, as a mask."""
    for rank in range(len(RANKS)):
        yield from _chosen(_of_rank(rank))
    for suit in range(len(SUITS)):
        yield from _chosen(_of_suit(suit))


def _of_rank(rank: int) -> list[int]:
    return [rank * len(SUITS) + suit for suit in range(len(SUITS))]


def _of_suit(suit: int) -> list[int]:
    return [rank * len(SUITS) + suit for rank in range(len(RANKS))]


def _chosen(codes: list[int]) -> Iterator[int]:
    for size in range(SMALLEST, len(codes) + 1):
        for chosen in combinations(codes, size):
            yield sum(1 << code for code in chosen)
