"""What a snapshot of the table shows: each `see` line is checked against the state."""

from __future__ import annotations

from fairdeal.spec.language import NO_CARD, Card, Expr, Number, Row, Zone, contents, repeated, report, require
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.table import Meld, Player, Table


def require_all(zone: Zone, cards: Row, place: str) -> None:
    """State that a row names just the cards of a zone."""
    require(repeated(cards) == NO_CARD, "LOG-CARD", "{twice} is named twice", twice=repeated(cards))
    contents(cards, zone.cards, "LOG-SEE", "{missing} is not in " + place)
    require(
        cards.size == zone.size,
        "LOG-SEE",
        place + " has {held} cards, not {named}",
        held=zone.size,
        named=cards.size,
    )


@RUM.observation("LOG-SEE")
def see_hand(t: Table, player: Expr[Player], size: Expr[Number]) -> None:
    """A player holds so many cards."""
    report(size, t.hand[player].size, "LOG-SEE", "{player} holds {expected} cards, not {size}")


@RUM.observation("LOG-SEE")
def see_hand_cards(t: Table, player: Expr[Player], cards: Row) -> None:
    """A player holds these cards."""
    require_all(t.hand[player], cards, "{player}'s hand")


@RUM.observation("LOG-SEE")
def see_stock(t: Table, size: Expr[Number]) -> None:
    """The draw pile has so many cards."""
    report(size, t.stock.size + t.pool.size, "LOG-SEE", "the draw pile has {expected} cards, not {size}")


@RUM.observation("LOG-SEE")
def see_discard(t: Table, size: Expr[Number], card: Expr[Card]) -> None:
    """The discard pile has so many cards, and which is on top."""
    report(size, t.discard.size, "LOG-SEE", "the discard pile has {expected} cards, not {size}")
    report(card, t.discard.top, "LOG-SEE", "the top of the discard pile is {expected}, not {card}")


@RUM.observation("LOG-SEE")
def see_meld(t: Table, meld: Expr[Meld], cards: Row) -> None:
    """A meld has these cards."""
    require_all(t.meld[meld], cards, "{meld}")
