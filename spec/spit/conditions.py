"""Conditions on Spit's table by name, which invariants, goals and properties are made of."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.spec.language import Expr, Number, all_of, both, choose, each, either, implies, other
from fairdeal.spec.spit.table import (
    Phase,
    Pile,
    Player,
    Readings,
    Slot,
    Table,
    stock_cards,
    taken,
)

T = Table()
OPTION = Readings()
IN_PLAY = T.phase == Phase.PLAY
FULL_LAYOUT = (1, 2, 3, 4, 5)
"""Cards of the five stocks, where a player has 15 at least (SPIT-SETUP-2)."""


def bare_side(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has neither stock nor spit cards on the table."""
    return all_of(Slot, lambda slot: T.stock[player, slot].empty) & T.spit[player].empty


def bare_piles() -> Expr[bool]:
    """Whether both spit piles are empty."""
    return all_of(Pile, lambda pile: T.pile[pile].empty)


def of_both(condition: Callable[[Expr[Player]], Expr[bool]]) -> Expr[bool]:
    """Whether something is so of both players."""
    return both(*(condition(player) for player in each(Player)))


def piles_in_play() -> Expr[bool]:
    """Whether each pile of this round has a card: both of them, or the one that the only spit has started."""
    a, b = each(Pile)
    single = choose(T.solo == a, ~T.pile[a].empty, (T.solo == b) & ~T.pile[b].empty)
    return choose(T.single, single, ~T.pile[a].empty & ~T.pile[b].empty)


def half_started() -> Expr[bool]:
    """Whether, before a round is in play, as many piles are started as there were halves of the first spit."""
    a, b = each(Pile)
    owing = T.owes[Player.A] | T.owes[Player.B]
    one = either(T.pile[a].empty & ~T.pile[b].empty, T.pile[b].empty & ~T.pile[a].empty)
    return choose(owing, one & ~T.single, bare_piles())


def first_round() -> Expr[bool]:
    """Whether the first round of a game is on, for which each player is dealt 26 cards."""
    return T.opening & (T.round == 1)


def whole_stocks(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has five whole stocks, all tops up."""
    return both(
        *(
            (T.stock[player, slot].size == size) & T.up[player, slot]
            for slot, size in zip(each(Slot), FULL_LAYOUT, strict=True)
        )
    )


def short_stocks(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has fewer than 15 stock cards, all tops up, and no spit card."""
    tops = all_of(Slot, lambda slot: T.stock[player, slot].empty | T.up[player, slot])
    return both(tops, stock_cards(T, player) < 15, T.spit[player].empty)


def whole_layout(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has five whole stocks, all tops up, and eleven spit cards."""
    return whole_stocks(player) & (T.spit[player].size == 11)


def as_many_spat() -> Expr[bool]:
    """After an even deal both have spat as many cards, but for the half that one of them owes."""
    a, b = each(Player)
    return both(
        implies(~T.owes[a] & ~T.owes[b], T.spit[a].size == T.spit[b].size),
        implies(T.owes[a], T.spit[a].size == T.spit[b].size + 1),
        implies(T.owes[b], T.spit[b].size == T.spit[a].size + 1),
    )


def own_piles() -> Expr[bool]:
    """After an even deal, under ``respit=own``, the pile that a player started has all cards that the player spat."""
    return both(
        *(
            implies(T.starter[player] == pile, T.pile[pile].size + T.spit[player].size >= 11)
            for player in each(Player)
            for pile in each(Pile)
        )
    )


def distinct_piles() -> Expr[bool]:
    """After an even deal, under ``respit=distinct``, each pile has a card of every spit that is whole."""
    checks = []
    for player, other_player in zip(each(Player), reversed(list(each(Player))), strict=True):
        for pile in each(Pile):
            here = T.pile[pile].size
            settled = here + T.spit[player].size >= 11
            first_half = implies(T.spat == pile, here + T.spit[other_player].size >= 11)
            checks.append(implies(~T.owes[player], implies(~T.owes[other_player], settled)))
            checks.append(implies(T.owes[player], first_half & settled))
    return both(*checks)


def during(*phases: Phase) -> Expr[bool]:
    """Whether a game stands in one of these phases."""
    return either(*(T.phase == phase for phase in phases))


def is_won() -> Expr[bool]:
    """Whether a player has won the standard game."""
    return T.won[Player.A] | T.won[Player.B]


def has_spat(player: Expr[Player]) -> Expr[bool]:
    """Whether the other owes a half, so that this player has spat to start the round."""
    return T.owes[other(player)]


def starters() -> Expr[bool]:
    """Whether each player who has spat started a pile of their own."""
    a, b = each(Player)
    started = implies(T.phase == Phase.PLAY, both(T.starter[a] != 0, T.starter[b] != 0, T.starter[a] != T.starter[b]))
    half = (
        implies(
            (T.phase == Phase.READY) & T.owes[other(player)],
            both(
                *(implies(T.starter[player] == pile, ~T.pile[pile].empty) for pile in each(Pile)),
                T.starter[player] != 0,
            ),
        )
        for player in (a, b)
    )
    return both(started, *half)


def is_won_with_two_piles() -> Expr[bool]:
    """Whether a game has ended in which nothing says who takes which pile, so that a player may take none."""
    return ~T.single & is_won()


def taken_by_one() -> Expr[bool]:
    """Whether each pile of the round goes to a player of its own: both of them, or the only one to one of the two."""
    a, b = each(Player)
    single = either(*((T.takes[one] == T.solo) & (T.takes[other(one)] == 0) for one in (a, b)))
    return choose(T.single, single, (T.takes[a] != 0) & (T.takes[b] != 0) & (T.takes[a] != T.takes[b]))


def still_there(player: Expr[Player]) -> Expr[bool]:
    """Whether the pile that a player takes is there until the player has collected."""
    return T.collected[player] | all_of(Pile, lambda pile: (T.takes[player] != pile) | ~T.pile[pile].empty)


def carries_cards(player: Expr[Player]) -> Expr[bool]:
    """Whether something is left to a player after a round that is settled: cards, or the game, which is won."""
    left = ~bare_side(player) | ~T.owned[player].empty
    return left | ((taken(T, player) != 0) & ~T.collected[player]) | T.won[player] | is_won_with_two_piles()


def laid_out(player: Expr[Player]) -> Expr[Number]:
    """How many stock and spit cards a player has on the table."""
    return stock_cards(T, player) + T.spit[player].size


def at_most_dealt(player: Expr[Player]) -> Expr[bool]:
    """After an even deal a player has no more cards than were dealt, less the one that was spat to begin with."""
    started = choose(T.phase == Phase.READY, 11, 10)
    left = (T.phase != Phase.SLAP) | ((T.left_stock[player] <= 15) & (T.left_spit[player] <= 10))
    return left & (stock_cards(T, player) <= 15) & (T.spit[player].size <= started)
