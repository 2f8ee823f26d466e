"""The table of Queen City Rum: players, hands, piles and melds, the course of a round, and the readings in force."""

from __future__ import annotations

from enum import IntEnum

from fairdeal.spec.language import (
    Bag,
    Bags,
    Card,
    Cards,
    Cell,
    Cells,
    Expr,
    Number,
    NumberTerm,
    Options,
    OptionTerm,
    Range,
    Stack,
    State,
    either,
)
from fairdeal.spec.language.terms import NO_CARD


class Player(IntEnum):
    """The two players (QCR-EQUIP-1)."""

    A = 0
    B = 1


class Starter(IntEnum):
    """A player, or nobody."""

    NOBODY = 0
    A = 1
    B = 2


MELDS = 52 // 3


class Meld(
    Range,
    low=1,
    high=MELDS,
    beyond=("LOG-LABEL", "there is no meld {value}: one pack makes 17 melds at most"),
    labels=tuple(f"m{number}" for number in range(1, MELDS + 1)),
):
    """A place on the table for one meld; a log calls it by a label."""


class Suit(IntEnum):
    """The suits, in the order of the cards' numbers."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3


class Phase(IntEnum):
    """Where a game stands."""

    START = 0  # no round has begun
    DEAL = 1  # a round has begun, the first card is not turned up yet
    DRAW = 2  # the player whose turn it is has to draw
    ACT = 3  # that player has drawn, and may meld and lay off before discarding
    OVER = 4


class Table(State):
    """Everything that the rules of Queen City Rum look at."""

    phase = Cell(Phase)
    round = Cell(Number)
    turn = Cell(Player)

    deck = Bag(full=True)
    hand = Bags(Player)
    stock = Stack()  # the draw pile, where its order is known
    pool = Bag()  # the draw pile, where it is not
    discard = Stack()
    aside = Stack(capacity=1)  # the top discard, while the others are shuffled
    meld = Bags(Meld)

    dealt = Cells(bool, Player)
    stock_dealt = Cell(bool)  # the log has stated the draw pile
    taken = Cell(Card, initial=NO_CARD)  # the discard that was taken this turn
    owner = Cells(Player, Meld)
    melded = Cells(bool, Player)  # this player has made a meld this round
    laid = Cells(Cards, Player)  # the cards on the table that count for a player
    low = Cells(bool, Suit)  # the ace of this suit lies below the 2 in a run

    out = Cells(bool, Player)
    closed = Cell(bool)  # the round was declared over
    reached = Cells(bool, Player)  # the target was reached by melding, where that ends the game at once

    first = Cell(Starter)  # who had the first turn of this round
    opener = Cell(Starter)  # who had the first turn of the game
    gained = Cells(Number, Player)  # points of this round, once they are in the totals
    total = Cells(Number, Player)
    total_known = Cells(bool, Player)  # the log began at round 1, or has stated this player's total
    reckoned = Cell(bool)  # this round's points are in the totals
    bonus_paid = Cell(bool)  # somebody has gone out in this game


class Readings(Options):
    """House rules and readings of gaps; the first value of each holds unless another is chosen."""

    target = NumberTerm(101, 1, 9999, gap="QCR-END-1")
    out = OptionTerm("optional", "none", "required", gap="GAP-QCR-1")
    meldless_out = OptionTerm("illegal", "float", "out", gap="GAP-QCR-2")
    exhausted = OptionTerm(
        "discard_only",
        "turn_over",
        "reshuffle",
        "end",
        gap="GAP-QCR-3",
        published=("turn_over", "reshuffle", "end"),
    )
    rediscard = OptionTerm("allow", "forbid", gap="GAP-QCR-4", published=("forbid",))
    discard_use = OptionTerm("false", "true", gap="GAP-QCR-5")
    low_ace = OptionTerm("15", "1", gap="GAP-QCR-6", published=("1",))
    layoff_credit = OptionTerm("layer", "owner", gap="GAP-QCR-8")
    melds_score = OptionTerm("both", "goer", gap="GAP-QCR-9")
    deduct = OptionTerm("false", "true", gap="GAP-QCR-10", published=("true",))
    bonus = OptionTerm("round", "game", gap="GAP-QCR-11")
    test = OptionTerm("round", "instant", gap="GAP-QCR-12")
    tie = OptionTerm("extra", "shared", gap="GAP-QCR-14")
    next_start = OptionTerm("any", "alternate", "loser", "winner", "p1", gap="GAP-QCR-15")
    layoff_needs_meld = OptionTerm("false", "true", gap="GAP-QCR-17", published=("true",))


def somebody_out(t: Table) -> Expr[bool]:
    """Whether a player has gone out this round."""
    return t.out[Player.A] | t.out[Player.B]


def nothing_to_draw(t: Table) -> Expr[bool]:
    """Whether the draw pile is empty."""
    return t.stock.empty & t.pool.empty


def has_run_dry(t: Table) -> Expr[bool]:
    """Whether the round has ended because a draw is due and the pile is empty (GAP-QCR-3, ``exhausted=end``)."""
    return (Readings().exhausted == "end") & (t.phase == Phase.DRAW) & nothing_to_draw(t)


def at_once(t: Table) -> Expr[bool]:
    """Whether a player's melds have ended the game in the middle of a round (GAP-QCR-12)."""
    return t.reached[Player.A] | t.reached[Player.B]


def is_ended(t: Table) -> Expr[bool]:
    """Whether the round is over (QCR-OUT-2)."""
    return either(somebody_out(t), t.closed, at_once(t), has_run_dry(t))
