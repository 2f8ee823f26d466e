"""Beginning a round: announcing it, gathering the cards, dealing, turning up the first discard."""

from __future__ import annotations

from fairdeal.spec.language import (
    NO_CARD,
    Card,
    Expr,
    Number,
    Row,
    applies,
    choose,
    drawn,
    each,
    implies,
    lay,
    other,
    pick,
    pour,
    repeated,
    report,
    require,
    stranger,
    when,
)
from fairdeal.spec.queen_city_rum.ending import is_decided, reckon
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.table import (
    Meld,
    Phase,
    Player,
    Readings,
    Starter,
    Suit,
    Table,
    at_once,
    is_ended,
)

OPTION = Readings()
HAND = 10
STOCK = 52 - 2 * HAND - 1


def as_starter(player: Expr[Player]) -> Expr[Starter]:
    """The player as a value that can also be nobody."""
    return choose(player == Player.A, Starter.A, Starter.B)


def gather(t: Table) -> None:
    """Put all cards together again."""
    for player in each(Player):
        pour(t.hand[player], t.deck)
    for meld in each(Meld):
        pour(t.meld[meld], t.deck)
    pour(t.stock, t.deck)
    pour(t.pool, t.deck)
    pour(t.discard, t.deck)


def clear(t: Table) -> None:
    """Forget the course of the last round."""
    t.stock_dealt = t.closed = t.reckoned = False
    for player in each(Player):
        t.dealt[player] = t.melded[player] = t.out[player] = t.reached[player] = False
        t.laid[player] = 0
    for suit in each(Suit):
        t.low[suit] = False


@RUM.event("QCR-SETUP-1", "QCR-OUT-2", name="round")
def begin_round(t: Table, number: Expr[Number], first: Expr[Player]) -> None:
    """Begin a round, in which a player has the first turn."""
    start = t.phase == Phase.START
    starts = {
        "alternate": as_starter(first) != t.first,
        "loser": ~t.out[first],
        "winner": ~t.out[other(first)],
        "p1": (as_starter(first) == t.opener) | (t.opener == Starter.NOBODY),
    }
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(t.phase != Phase.DEAL, "LOG-ROUND", "the round in hand has only begun: nobody has drawn")
    require(~at_once(t), "GAP-QCR-12", "a player's melds have reached the target, and nothing but the win may follow")
    require(start | is_ended(t), "QCR-OUT-2", "nobody is out, so the round in hand is not over")
    require(~is_decided(t), "QCR-END-1", "a player has reached the target, so no round follows")
    require(number >= 1, "LOG-ROUND", "rounds count from 1, and this is round {number}")
    report(number, t.round + 1, "LOG-ROUND", "the next round is {expected}, not {number}", given=~start)
    for value, lawful in starts.items():
        require(
            implies(OPTION.next_start == value, lawful),
            "GAP-QCR-15",
            "{player} has the first turn of this round, not {first}",
            player=other(first),
        )

    applies(~start, "QCR-OUT-2", "GAP-QCR-15")

    reckon(t)
    gather(t)
    clear(t)
    with when(start):
        t.opener = choose(number <= 1, as_starter(first), Starter.NOBODY)
        for player in each(Player):
            t.total_known[player] = number <= 1
    t.first = as_starter(first)
    t.turn = first
    t.round = number
    t.phase = Phase.DEAL


def require_deal(t: Table) -> None:
    """State that cards are dealt at the beginning of a round and nowhere else."""
    require(t.phase != Phase.START, "LOG-ROUND", "cards are dealt after a `round` line")
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(~is_ended(t), "LOG-ROUND", "the round is over: the next one needs a `round` line")
    require(t.phase == Phase.DEAL, "QCR-SETUP-4", "the first card has been turned up: all cards are dealt")


def require_in_deck(t: Table, cards: Row) -> None:
    """State that the cards lie in the deck, each once."""
    require(repeated(cards) == NO_CARD, "LOG-CARD", "{twice} is dealt twice", twice=repeated(cards))
    require(
        stranger(t.deck.cards, cards) == NO_CARD,
        "QCR-EQUIP-1",
        "{card} lies elsewhere already",
        card=stranger(t.deck.cards, cards),
    )


@RUM.event("QCR-SETUP-2", "QCR-EQUIP-1")
def deal(t: Table, player: Expr[Player], cards: Row) -> None:
    """Deal a player's hand."""
    require_deal(t)
    require(~t.dealt[player], "QCR-SETUP-2", "{player} has been dealt a hand already")
    require(cards.size == HAND, "QCR-SETUP-2", "{player} is dealt ten cards, not {size}", size=cards.size)
    require_in_deck(t, cards)

    lay(cards, t.deck, t.hand[player])
    t.dealt[player] = True


@RUM.event("QCR-SETUP-3")
def deal_stock(t: Table, cards: Row) -> None:
    """State the draw pile, without the card that is turned up."""
    require_deal(t)
    require(~t.stock_dealt, "QCR-SETUP-3", "the draw pile has been laid down already")
    require(cards.size == STOCK, "QCR-SETUP-3", "31 cards are left for the draw pile, not {size}", size=cards.size)
    require_in_deck(t, cards)

    lay(cards, t.deck, t.stock, on_top=True)
    t.stock_dealt = True


@RUM.event("QCR-SETUP-4")
def turn_up(t: Table, card: Expr[Card]) -> None:
    """Turn up the first discard; what is not dealt is the draw pile."""
    require_deal(t)
    for player in each(Player):
        require(t.dealt[player], "QCR-SETUP-2", "{waiting} has not been dealt a hand", waiting=player)
    drawn(card, t.deck.cards, "QCR-EQUIP-1", "{card} lies elsewhere already", physical=True)

    pick(card, t.deck, t.discard)
    pour(t.deck, t.pool)
    t.phase = Phase.DRAW
