"""Spit's table: players, stocks, spit hands and piles, the course of a round, and the readings in force."""

from __future__ import annotations

from enum import IntEnum

from fairdeal.spec.language import (
    Bag,
    Bags,
    Cards,
    Cell,
    Cells,
    Expr,
    Heaps,
    Number,
    Options,
    OptionTerm,
    Range,
    Stacks,
    State,
    all_of,
    any_of,
    choose,
    count,
    each,
    other,
    sum_of,
)


class Player(IntEnum):
    """The two players (SPIT-EQUIP-1)."""

    A = 0
    B = 1


class Slot(Range, low=1, high=5, beyond=("SPIT-MOVE-3", "there is no stock {value}: a player has five at most")):
    """A place for one of a player's five stocks (SPIT-SETUP-2)."""


class Pile(Range, low=1, high=2, beyond=("SPIT-PLAY-4", "there is no spit pile {value}: there are two at most")):
    """A spit pile (SPIT-START-1)."""


class PileOrNone(Range, low=0, high=2, labels=("no pile", "pile 1", "pile 2")):
    """A spit pile, or 0 for none."""


class StockCards(Range, low=0, high=25):
    """How many stock cards a player has: five stocks of five at most."""


class SpitCards(Range, low=0, high=37):
    """How many spit cards a player has: 52 less the 15 of the stocks at most."""


class Phase(IntEnum):
    """Where a game stands."""

    START = 0  # no round has begun
    DEAL = 1  # a round has begun, not both have dealt
    READY = 2  # both have dealt, the first spit is due
    PLAY = 3
    SLAP = 4  # the round has ended; piles are slapped, cards collected
    OVER = 5


class Going(IntEnum):
    """What is still possible in a round, for messages to say."""

    PLAY = 0
    TURN_UP = 1
    MOVE = 2
    SPIT = 3
    NOTHING = 4  # where a reading closes every way

    @property
    def label(self) -> str:
        """In words, after the player's name."""
        return (
            "can still play a card",
            "can still turn up a card",
            "can still move a card off another",
            "can still spit",
            "can go on, and by this reading that does not end the round",
        )[self]


class Goer(IntEnum):
    """Who can still do it."""

    A = 0
    B = 1
    NOBODY = 2


class Unfinished(IntEnum):
    """Why a player has not run out of stock cards, for a message to say after their number."""

    CARDS = 0
    NO_ROUND = 1  # none are left, but not by a round

    @property
    def label(self) -> str:
        """In words, after the number of cards that are left."""
        return "" if self is Unfinished.CARDS else ", but no round is in play"


class Table(State):
    """Everything that Spit's rules look at."""

    phase = Cell(Phase)
    round = Cell(Number)
    opening = Cell(bool)  # this round's cards are dealt from the whole deck, not from what each owns

    deck = Bag(full=True)
    owned = Bags(Player)  # what a player holds between two rounds
    stock = Stacks(Player, Slot, capacity=5)
    spit = Stacks(Player, capacity=37)
    pile = Heaps(Pile)

    dealt = Cells(bool, Player)
    began = Cells(Cards, Player)  # the cards that a player began the round with
    up = Cells(bool, Player, Slot)  # the top of this stock is face up
    played_out = Cells(bool, Player, Slot)  # this slot was emptied by playing

    single = Cell(bool)  # this round has one spit pile
    solo = Cell(PileOrNone)  # which pile that is, once it is started
    starter = Cells(PileOrNone, Player)  # the pile that a player started
    kept = Cells(PileOrNone, Player)  # the pile that a player who spits alone has chosen
    owes = Cells(bool, Player)  # the other has spat, this player's half is due
    spat = Cell(PileOrNone)  # the pile of that first half; 0 while no half is due

    same_instant = Cell(bool)  # not of the table: this line has the time of the one before
    finished = Cells(bool, Player)
    won = Cells(bool, Player)
    settled = Cell(bool)  # it is fixed who takes which pile
    takes = Cells(PileOrNone, Player)
    slapped = Cells(PileOrNone, Player)  # the pile that a player has slapped
    collected = Cells(bool, Player)

    left_stock = Cells(StockCards, Player)  # stock cards that were left when the round ended
    left_spit = Cells(SpitCards, Player)  # spit cards that were left
    total = Cells(Number, Player)
    total_known = Cells(bool, Player)  # the log began at round 1, or has stated this player's total
    reckoned = Cell(bool)  # this round's points are in the totals


class Readings(Options):
    """House rules and readings of gaps; the first value of each holds unless another is chosen."""

    variant = OptionTerm("standard", "scored", gap="SPIT-VAR-1", fixed=True)
    ace = OptionTerm("cycle", "literal", "linear", gap="GAP-SPIT-1", published=("linear",))
    stuck = OptionTerm("exhaustive", "plays_only", gap="GAP-SPIT-2")
    compulsion = OptionTerm("none", "forced", "consent_spit", gap="GAP-SPIT-3", published=("forced", "consent_spit"))
    flip = OptionTerm("optional", "auto", "forced", gap="GAP-SPIT-4")
    null_move = OptionTerm("allow", "forbid", "ignore", gap="GAP-SPIT-5")
    slot_reason = OptionTerm("any", "played", gap="GAP-SPIT-6")
    lone_spit = OptionTerm("alone", "end_round", "literal", gap="GAP-SPIT-7", literal=("literal",))
    lone_sticky = OptionTerm("false", "true", gap="GAP-SPIT-7", published=("true",))
    respit = OptionTerm("any", "own", "distinct", gap="GAP-SPIT-8")
    short_deal = OptionTerm("any", "in_order", "rows", "robin", gap="GAP-SPIT-10")
    fifteen = OptionTerm("single", "none", gap="GAP-SPIT-11", literal=("none",))
    single_stuck = OptionTerm("slap", "starter", "fewer", "void", gap="GAP-SPIT-14")
    win_scope = OptionTerm("single", "any", gap="GAP-SPIT-15")
    tie = OptionTerm("seq", "draw", gap="GAP-SPIT-18")
    blocked = OptionTerm("cards", "piles", gap="SPIT-END-2", literal=("piles",))
    false_slap = OptionTerm("ignore", "fault", gap="GAP-SPIT-19")
    slapper = OptionTerm("both", "finisher", gap="GAP-SPIT-19", published=("finisher",))
    left = OptionTerm("unplayed", "stock", "owned", gap="GAP-SPIT-23")
    variant_deal = OptionTerm("fresh", "carry", gap="GAP-SPIT-24")
    variant_tie = OptionTerm("shared", "extra_round", gap="GAP-SPIT-25")


def stock_cards(t: Table, player: Expr[Player]) -> Expr[Number]:
    """How many stock cards a player has left."""
    return sum_of(Slot, lambda slot: t.stock[player, slot].size)


def stock_left(t: Table, player: Expr[Player]) -> Expr[Number]:
    """How many stock cards a player has, or had when the round ended: collecting takes none away."""
    return choose(t.phase == Phase.PLAY, stock_cards(t, player), t.left_stock[player])


def not_finished(t: Table, player: Expr[Player]) -> tuple[Expr[Number], Expr[Unfinished]]:
    """How many stock cards a player has who has not finished, and what there is to say of their number."""
    left = choose(t.phase == Phase.SLAP, t.left_stock[player] + 0, stock_cards(t, player))
    cards, no_round = each(Unfinished)
    return left, choose(left == 0, no_round, cards)


def spit_left(t: Table, player: Expr[Player]) -> Expr[Number]:
    """How many spit cards a player has, or had when the round ended."""
    return choose(t.phase == Phase.PLAY, t.spit[player].size, t.left_spit[player])


def hidden_top(t: Table, player: Expr[Player]) -> Expr[bool]:
    """Whether some stock of the player shows a face-down top."""
    return any_of(Slot, lambda slot: ~t.stock[player, slot].empty & ~t.up[player, slot])


def scored() -> Expr[bool]:
    """Whether the scored game is played (SPIT-VAR-1)."""
    return Readings().variant == "scored"


def fresh_deals() -> Expr[bool]:
    """Whether each round of the scored game deals the whole deck anew (GAP-SPIT-24)."""
    return scored() & (Readings().variant_deal == "fresh")


def dealt_evenly(t: Table) -> Expr[bool]:
    """Whether this round's 52 cards are dealt from a whole deck, 26 to each player: the first, and any fresh deal."""
    return t.opening & ((t.round <= 1) | fresh_deals())


def nobody_finished(t: Table) -> Expr[bool]:
    """Whether no player has run out of stock cards this round."""
    return ~t.finished[Player.A] & ~t.finished[Player.B]


def nothing_settled(t: Table) -> Expr[bool]:
    """Whether nothing has followed the end of the round yet: no pile slapped or taken, no points counted."""
    return ~t.reckoned & all_of(Player, lambda player: (t.slapped[player] == 0) & ~t.collected[player])


def drawn(t: Table) -> Expr[bool]:
    """Whether both finished at the same instant, and that counts as a draw (GAP-SPIT-18)."""
    return t.finished[Player.A] & t.finished[Player.B]


def takes_unslapped(t: Table, player: Expr[Player]) -> Expr[PileOrNone]:
    """The pile that a player takes where a blocked round with one pile needs no slap; 0 for none (GAP-SPIT-14)."""
    single_stuck = Readings().single_stuck
    started = (single_stuck == "starter") & (t.starter[player] != 0)
    has_more = (single_stuck == "fewer") & (stock_left(t, player) > stock_left(t, other(player)))
    return choose(t.single & nobody_finished(t) & (started | has_more), t.solo, 0)


def taken(t: Table, player: Expr[Player]) -> Expr[PileOrNone]:
    """The pile that a player takes at the end of the round; 0 where it is none or not fixed."""
    return choose(t.settled, t.takes[player], takes_unslapped(t, player))


def is_settled(t: Table) -> Expr[bool]:
    """Whether it is fixed who takes which pile, by a slap or without one (SPIT-SLAP-1, GAP-SPIT-14)."""
    single_stuck = Readings().single_stuck
    a, b = each(Player)
    unequal = stock_left(t, a) != stock_left(t, b)
    without_slap = (single_stuck == "starter") | (single_stuck == "void") | ((single_stuck == "fewer") & unequal)
    return t.settled | (t.single & nobody_finished(t) & without_slap)


def void_round(t: Table) -> Expr[bool]:
    """Whether the blocked round counts for nothing and is dealt again (GAP-SPIT-14, ``single_stuck=void``)."""
    return t.single & nobody_finished(t) & (Readings().single_stuck == "void")


def will_own(t: Table, player: Expr[Player], pile: Expr[PileOrNone] | None = None) -> Expr[Number]:
    """How many cards a player owns after the round: what is left, and the pile that the player takes.

    ``pile`` is the pile that a log names instead.
    """
    which = taken(t, player) if pile is None else pile
    pile_size = choose(which == 1, t.pile[1].size, choose(which == 2, t.pile[2].size, 0))
    normal = t.owned[player].size + stock_cards(t, player) + t.spit[player].size + pile_size
    return choose(void_round(t), count(t.began[player]), normal)
