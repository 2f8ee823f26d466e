"""Exact probabilities of Spit's first deal, by counting ranks; what lies next to what is asked of the rules.

Nobody can play while no card on a pile has a neighbour among the tops. The ten tops are one of C(52, 10) sets; for
each set of ranks that they can have, it is counted how many cards are left that none of them can lie on.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb

from fairdeal.spec.cards import DECK, RANKS
from fairdeal.spec.language import Card, Expr, terms
from fairdeal.spec.language.specialise import option_binding
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.play import ace_allows, neighbours

TOPS = 10
SUITS = 4
COUNT = len(RANKS)


def may_lie(card: int, top: int, options: Mapping[str, int]) -> bool:
    """Whether a card of one rank may be played on a card of another, as the rules have it."""
    one: Expr[Card] = Expr(terms.card_value(card * SUITS))
    two: Expr[Card] = Expr(terms.card_value(top * SUITS))
    condition = neighbours(one, two) & ace_allows(one, two)
    return terms.substitute(condition.term, option_binding(SPIT, options)) is terms.TRUE


def nobody_can_play(options: Mapping[str, int], on_piles: int) -> Fraction:
    """The probability that none of ten tops can be played on any of so many cards, all drawn from one pack."""
    follows = tuple(sum(1 << card for card in range(COUNT) if may_lie(card, top, options)) for top in range(COUNT))
    return _nobody(follows, on_piles)


@cache
def _nobody(follows: tuple[int, ...], on_piles: int) -> Fraction:
    """As `nobody_can_play`; for each rank of a pile's card, the ranks that may lie on it are given as a mask."""
    good = 0
    for ranks in range(1, 1 << COUNT):  # the ranks that the tops have, at least one card of each
        if ranks.bit_count() > TOPS or ranks.bit_count() * SUITS < TOPS:
            continue
        safe = [rank for rank in range(COUNT) if not follows[rank] & ranks]
        inside = sum(ranks >> rank & 1 for rank in safe)
        outside = ranks.bit_count() - inside
        for used in range(inside, min(TOPS, inside * SUITS) + 1):  # tops that are of safe ranks themselves
            ways = _surjections(inside, used) * _surjections(outside, TOPS - used)
            good += ways * comb(len(safe) * SUITS - used, on_piles)
    return Fraction(good, comb(DECK, TOPS) * comb(DECK - TOPS, on_piles))


@cache
def _surjections(ranks: int, cards: int) -> int:
    """In how many ways so many cards can be chosen from so many ranks, with at least one of each rank."""
    if ranks == 0:
        return int(cards == 0)
    return sum(comb(SUITS, of_first) * _surjections(ranks - 1, cards - of_first) for of_first in range(1, SUITS + 1))


def told(chance: Fraction) -> str:
    """A probability as a person reads it: the fraction, and six digits of it."""
    return f"{chance.numerator}/{chance.denominator} = {float(chance):.6g}"
