"""Figures of Queen City Rum that are counted: its melds, and how often a first turn is the last.

What a meld is and what a card is worth is asked of the rules' own tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import sqrt
from random import Random

from fairdeal.spec.queen_city_rum import definition
from fairdeal.spec.queen_city_rum.deal import HAND
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS, SUITS, VALUE

DEALS = 100_000
"""First turns that are dealt for the estimate."""


def possible_melds() -> list[int]:
    """All cards of one rank or of one suit that could be a meld, and what the rules list, as masks."""
    return list(dict.fromkeys([*definition.one_rank_or_suit(), *SETS, *RUNS]))


def unlike_the_definition(mask: int) -> str:
    """What is wrong with some cards: the rules list them and they are no meld, or do not list them and they are one."""
    cards = definition.cards_of(mask)
    for name, table, proper in (("set", SETS, definition.is_set(cards)), ("run", RUNS, definition.is_run(cards))):
        if (mask in table) is not proper:
            told = definition.told(mask)
            return f"{told} is a {name}, and is not listed" if proper else f"{told} is listed as a {name}, and is none"
    return ""


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
