"""Figures of Queen City Rum that are counted: the dearest and cheapest cards, and how often a first turn is the last.

What a meld is and what a card is worth is asked of the rules' own tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random

from fairdeal.spec.queen_city_rum.deal import HAND
from fairdeal.spec.queen_city_rum.ending import BONUS
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS, SUITS, VALUE

DEALS = 100_000
"""First turns that are dealt for the estimate."""


def dearest(options: Mapping[str, int]) -> str:
    """The most that a player can get for one round: 25, and the dearest cards that can count for one player.

    A player lays eleven cards at most, for hand and laid cards are eleven in the own turn, and the opponent holds ten.
    """
    counting = sum(sorted(worth(), reverse=True)[: HAND + 1 + HAND]) + BONUS
    return f"{counting} points at most"


def cheapest(options: Mapping[str, int]) -> str:
    """The least that going out can bring: 25, ten cards that were laid, and one that the opponent holds."""
    least = sum(sorted(worth())[: HAND + 1]) + BONUS
    return f"{least} points at least, so the second round that one player wins by going out brings {2 * least} or more"


def worth() -> list[int]:
    """What each card of the pack is worth."""
    return [VALUE[code // SUITS] for code in range(len(VALUE) * SUITS)]


def sets_of_one_rank(options: Mapping[str, int]) -> str:
    """That any two sets of one rank have a card in common, so that both cannot lie on the table."""
    pairs = [(one, two) for one, two in combinations(SETS, 2) if _rank(one) == _rank(two)]
    shared = sum(bool(one & two) for one, two in pairs)
    return f"of {len(pairs)} pairs of sets of one rank, {shared} have a card in common"


def proper_melds(options: Mapping[str, int]) -> str:
    """That each set of the rules' table is of one rank, and each run of one suit, in a row, with its ace at one end."""
    sets = sum(len({rank for rank, _ in _cards(mask)}) == 1 for mask in SETS)
    runs = sum(len({suit for _, suit in _cards(mask)}) == 1 and in_a_row(mask) for mask in RUNS)
    return f"{sets} of {len(SETS)} sets are of one rank; {runs} of {len(RUNS)} runs are of one suit, in a row"


def _cards(mask: int) -> list[tuple[int, int]]:
    """The cards of a mask as ranks, from the ace on, and suits."""
    return [divmod(code, SUITS) for code in range(len(VALUE) * SUITS) if mask >> code & 1]


def in_a_row(mask: int) -> bool:
    """Whether ranks follow one another: without an ace, or with the ace below the 2, or else above the king."""
    ranks = [rank for rank, _ in _cards(mask)]
    high = sorted(rank or len(VALUE) for rank in ranks)
    return any(row == list(range(row[0], row[0] + len(row))) for row in (ranks, high))


def _rank(mask: int) -> int:
    return ((mask & -mask).bit_length() - 1) // SUITS


@cache
def _tables() -> tuple[dict[int, tuple[int, ...]], frozenset[int]]:
    """The melds that have each card as their lowest, and all melds."""
    melds = tuple(sorted((*SETS, *RUNS)))
    lowest: dict[int, list[int]] = {}
    for mask in melds:
        lowest.setdefault(mask & -mask, []).append(mask)
    return {low: tuple(masks) for low, masks in lowest.items()}, frozenset(melds)


def all_melds(hand: int, spare: int) -> bool:
    """Whether the cards of a hand can all be laid in melds, but for ``spare`` of them."""
    if not hand:
        return True
    low = hand & -hand
    lowest, _ = _tables()
    if spare and all_melds(hand ^ low, spare - 1):
        return True
    return any(mask & ~hand == 0 and all_melds(hand ^ mask, spare) for mask in lowest.get(low, ()))


def first_turn(options: Mapping[str, int]) -> str:
    """An estimate of how often the first player can go out at once: with the upcard, or else with a drawn card.

    Ten cards of eleven in melds are enough where the last card may be discarded.
    """
    random, went = Random("first turn"), 0
    for _ in range(DEALS):
        cards = random.sample(range(len(VALUE) * SUITS), HAND + 2)
        hand = sum(1 << code for code in cards[:HAND])
        went += any(all_melds(hand | 1 << card, 1) for card in cards[HAND:])
    share = went / DEALS
    error = 1.96 * sqrt(share * (1 - share) / DEALS) if went else 3 / DEALS
    return f"{went} of {DEALS} deals: {share:.2e} ± {error:.1e} (95 %)"
