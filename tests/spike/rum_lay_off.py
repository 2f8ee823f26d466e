"""A corner of rum as a game of its own: hands, melds on the table, and laying cards off onto a meld."""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations

from fairdeal.spec.language import (
    NO_CARD,
    Bags,
    Expr,
    Game,
    Range,
    Row,
    State,
    lay,
    listed,
    named,
    repeated,
    require,
    stranger,
    union,
)

RANKS, SUITS = 13, 4


class Player(IntEnum):
    A = 0
    B = 1


class Meld(Range, low=1, high=3):
    """The number of a meld on the table."""


class Table(State):
    hand = Bags(Player)
    meld = Bags(Meld)


def mask(cards: list[tuple[int, int]]) -> int:
    """The set of cards that are given by rank and suit."""
    return sum(1 << rank * SUITS + suit for rank, suit in cards)


def sets_and_runs() -> list[int]:
    """Three or four of a rank; three or more of a suit in sequence, where the ace is low or high and not both."""
    sets = [
        mask([(rank, suit) for suit in suits])
        for rank in range(RANKS)
        for size in (3, 4)
        for suits in combinations(range(SUITS), size)
    ]
    runs = [
        mask([(rank % RANKS, suit) for rank in range(first, last + 1)])
        for suit in range(SUITS)
        for first in range(RANKS - 1)
        for last in range(first + 2, min(RANKS, first + RANKS - 1) + 1)
    ]
    return sets + runs


SETS_AND_RUNS = sorted(set(sets_and_runs()))
RUM = Game(name="rum corner", title="A corner of rum", table=Table, options={}, rule_sets={})


@RUM.event("Q-LAY")
def lay_off(t: Table, player: Expr[Player], meld: Expr[Meld], cards: Row) -> None:
    """Lay cards off onto a meld."""
    hand, goal = t.hand[player], t.meld[meld]
    require(repeated(cards) == NO_CARD, "LOG-CARD", "{twice} is named twice", twice=repeated(cards))
    require(
        stranger(hand.cards, cards) == NO_CARD,
        "Q-LAY-HAND",
        "{card} is not in {player}'s hand",
        card=stranger(hand.cards, cards),
    )
    require(~goal.empty, "Q-LAY-MELD", "there is no meld {meld}")
    require(listed(union(goal.cards, named(cards)), SETS_AND_RUNS), "Q-MELD", "that is no set and no run")

    lay(cards, hand, goal)
