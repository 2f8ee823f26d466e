"""What a snapshot of the table shows: each `see` line is checked against the state."""

from __future__ import annotations

from enum import IntEnum

from fairdeal.spec.language import Card, Expr, Number, choose, each, report
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.table import Pile, Player, Slot, Table


class Face(IntEnum):
    """How a stock shows itself."""

    EMPTY = 0
    DOWN = 1
    UP = 2


@SPIT.observation("LOG-SEE", beyond={"slot": "LOG-SEE"})
def see_stock(
    t: Table, player: Expr[Player], slot: Expr[Slot], face: Expr[Face], size: Expr[Number], card: Expr[Card]
) -> None:
    """A stock has so many cards, its top is face up, face down, or it is empty."""
    stock = t.stock[player, slot]
    empty, down, up = each(Face)
    shown = choose(stock.empty, empty, choose(t.up[player, slot], up, down))
    report(size, stock.size, "LOG-SEE", "{player}'s stock {slot} has {expected} cards, not {size}")
    report(face, shown, "LOG-SEE", "the top of {player}'s stock {slot} is {expected}, not {face}")
    report(
        card,
        stock.top,
        "LOG-SEE",
        "the top of {player}'s stock {slot} is {expected}, not {card}",
        given=t.up[player, slot],
    )


@SPIT.observation("LOG-SEE")
def see_spit(t: Table, player: Expr[Player], size: Expr[Number]) -> None:
    """A player has so many spit cards."""
    report(size, t.spit[player].size, "LOG-SEE", "{player} has {expected} spit cards, not {size}")


@SPIT.observation("LOG-SEE", beyond={"pile": "LOG-SEE"})
def see_pile(t: Table, pile: Expr[Pile], size: Expr[Number], card: Expr[Card]) -> None:
    """A spit pile has so many cards, and which is on top."""
    report(size, t.pile[pile].size, "LOG-SEE", "pile {pile} has {expected} cards, not {size}")
    report(card, t.pile[pile].top, "LOG-SEE", "the top of pile {pile} is {expected}, not {card}")
