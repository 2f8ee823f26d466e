"""Measures of a table of Spit that events lower: how much is left to be done in a round (S-TERMINATES, S-BOUNDS)."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.spec.language import Expr, Number, choose, each, either
from fairdeal.spec.spit.table import Phase, Player, Slot, Table, stock_cards

T = Table()


def over_slots(part: Callable[[Expr[Player], Expr[Slot]], Expr[Number]]) -> tuple[Expr[Number], ...]:
    """A measure with a part for each slot of each player."""
    return tuple(part(player, slot) for player in each(Player) for slot in each(Slot))


def hidden_top(player: Expr[Player], slot: Expr[Slot]) -> Expr[Number]:
    """1 where a stock shows a face-down top."""
    return choose(~T.stock[player, slot].empty & ~T.up[player, slot], 1, 0)


def work(player: Expr[Player], slot: Expr[Slot]) -> Expr[Number]:
    """Three for each card of a stock and one for a face-down top, less two for the stock.

    A play takes three, of which a new face-down top gives one back, or an emptied slot two; a turned-up card takes
    one; a move that uncovers a card makes a stock, which takes two, and a face-down top, which gives one back.
    """
    size = T.stock[player, slot].size
    return size + size + size - choose(T.stock[player, slot].empty, 0, 2) + hidden_top(player, slot)


def covered(player: Expr[Player], slot: Expr[Slot]) -> Expr[Number]:
    """Cards that lie under another: an uncovering move takes one away."""
    return T.stock[player, slot].size - choose(T.stock[player, slot].empty, 0, 1)


def face_down(player: Expr[Player], slot: Expr[Slot]) -> Expr[Number]:
    """Cards of a stock that are face down: turning one up takes one away."""
    shown = T.up[player, slot] & ~T.stock[player, slot].empty
    return T.stock[player, slot].size - choose(shown, 1, 0)


SPITS = tuple(T.spit[player].size + 0 for player in each(Player))
WORK = (*SPITS, *over_slots(work))
STOCKS = over_slots(lambda player, slot: T.stock[player, slot].size + 0)


def plays_to_win(player: Expr[Player]) -> Expr[Number]:
    """How many plays a player is away from winning a standard game at least: cards in the stocks, or to come there.

    Who wins is out of stock cards, of which 15 are laid out, or all that the player owns if those are fewer.
    """
    stocks = stock_cards(T, player)
    laid_out = either(T.phase == Phase.READY, T.phase == Phase.PLAY, (T.phase == Phase.DEAL) & T.dealt[player])
    undealt = either(T.phase == Phase.START, (T.phase == Phase.DEAL) & T.opening)
    owned = T.owned[player].size + T.spit[player].size
    for slot in each(Slot):  # in the order in which they are gathered, so that a solver meets the same sums again
        owned = owned + T.stock[player, slot].size
    to_come = choose(undealt | (owned > 15), 15, owned)
    return choose(T.won[player], 0, choose(laid_out, stocks, to_come))
