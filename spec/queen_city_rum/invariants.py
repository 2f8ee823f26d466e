"""What is true of the table at any time and that no rule states: proofs rest on it, and it is proved itself."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.spec.language import (
    Cards,
    Expr,
    Number,
    all_of,
    both,
    card_set,
    choose,
    common,
    count,
    each,
    either,
    holds,
    implies,
    listed,
    sum_of,
    union,
)
from fairdeal.spec.queen_city_rum import definition
from fairdeal.spec.queen_city_rum.deal import HAND, STOCK
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS
from fairdeal.spec.queen_city_rum.table import (
    Meld,
    Phase,
    Player,
    Readings,
    Table,
    at_once,
    is_ended,
    nothing_to_draw,
    somebody_out,
)

PACK = 52
T = Table()
OPTION = Readings()

ON = either(T.phase == Phase.DRAW, T.phase == Phase.ACT)
"""A round has been dealt, and the game is not over."""

NO_FLOATING = OPTION.meldless_out != "float"
"""A player who empties the hand without a meld does not simply play on."""


def of_both(condition: Callable[[Expr[Player]], Expr[bool]]) -> Expr[bool]:
    """Whether something is so of either player."""
    return both(*(condition(player) for player in each(Player)))


def is_meld(meld: Expr[Meld]) -> Expr[bool]:
    """Whether what lies at a place for a meld is a set or a run by their definition, or nothing."""
    return T.meld[meld].empty | listed(T.meld[meld].cards, (*definition.sets(), *definition.runs()))


def acting(player: Expr[Player]) -> Expr[bool]:
    """Whether it is a player's turn, and the player has drawn."""
    return (T.phase == Phase.ACT) & (T.turn == player)


def holds_a_meld(player: Expr[Player]) -> Expr[bool]:
    """Whether a player's hand has a set or a run in it; one of three cards, for a longer one has such a one in it."""
    smallest = [mask for mask in (*SETS, *RUNS) if mask.bit_count() == definition.SMALLEST]
    cards = T.hand[player].cards
    return either(*(count(common(cards, _set_of(mask))) == definition.SMALLEST for mask in smallest))


def can_lay_last(player: Expr[Player]) -> Expr[bool]:
    """Whether a player's last card makes a set or a run with a meld on the table."""
    hand = T.hand[player].cards
    melds = (~T.meld[meld].empty & listed(union(T.meld[meld].cards, hand), (*SETS, *RUNS)) for meld in each(Meld))
    return (T.hand[player].size == 1) & either(*melds)


def _set_of(mask: int) -> Expr[Cards]:
    return card_set(code for code in range(PACK) if mask >> code & 1)


def melds_of(player: Expr[Player]) -> Expr[Number]:
    """How many melds of a player's lie on the table."""
    return sum_of(Meld, lambda meld: choose(~T.meld[meld].empty & (T.owner[meld] == player), 1, 0))


def nothing_left() -> Expr[bool]:
    """Whether a draw is due, and there is nothing to draw, take or turn over."""
    return (T.phase == Phase.DRAW) & ~something_to_take()


def something_to_take() -> Expr[bool]:
    """Whether a card can be drawn, or a discard taken or turned over."""
    return ~T.discard.empty | ~nothing_to_draw(T)


def can_discard(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has a card that the rules let go: not the one that was taken, where they forbid that."""
    hand = T.hand[player]
    keeps = T.melded[player] | (OPTION.meldless_out != "illegal") | (hand.size > 1)
    other_card = (OPTION.rediscard == "allow") | (hand.size > 1) | ~holds(hand.cards, T.taken)
    used = (OPTION.discard_use == "false") | ~holds(hand.cards, T.taken)
    return both(~hand.empty, keeps, other_card, used)


def dealt_cards() -> Expr[Number]:
    """How many cards have been dealt so far: ten to a hand, and the draw pile where a log states it."""
    hands = sum_of(Player, lambda player: choose(T.dealt[player], HAND, 0))
    return hands + choose(T.stock_dealt, STOCK, 0)


INVARIANTS: dict[str, Expr[bool]] = {
    "rounds count from 1": T.round >= choose(T.phase == Phase.START, 0, 1),
    "nothing is set aside": T.aside.empty,
    "hands before the deal": implies(
        either(T.phase == Phase.START, T.phase == Phase.DEAL),
        of_both(lambda player: choose(T.dealt[player], T.hand[player].size == HAND, T.hand[player].empty)),
    ),
    "nobody has been dealt a hand at the start": implies(
        T.phase == Phase.START, of_both(lambda player: ~T.dealt[player])
    ),
    "the deck before the deal": implies(
        either(T.phase == Phase.START, T.phase == Phase.DEAL),
        T.deck.size + dealt_cards() == 52,
    ),
    "the draw pile before the deal": implies(
        either(T.phase == Phase.START, T.phase == Phase.DEAL), (T.stock_dealt | T.stock.empty) & T.pool.empty
    ),
    "the order of the draw pile is known or not": implies(ON, T.stock.empty | T.pool.empty),
    "no end before the deal": implies(
        either(T.phase == Phase.START, T.phase == Phase.DEAL), ~either(somebody_out(T), T.closed, at_once(T))
    ),
    "no total is known at the start": implies(T.phase == Phase.START, of_both(lambda player: ~T.total_known[player])),
    "one player is out at most": ~(T.out[Player.A] & T.out[Player.B]),
    "no draw pile at the start": implies(T.phase == Phase.START, ~T.stock_dealt),
    "hands in a round": implies(ON, of_both(lambda player: T.hand[player].size <= choose(acting(player), 11, 10))),
    "who acts has a card": implies(
        ON & ~is_ended(T), of_both(lambda player: implies(acting(player), ~T.hand[player].empty))
    ),
    "who is not out and has no meld has a card": implies(
        (OPTION.meldless_out == "illegal") & ON,
        of_both(lambda player: T.melded[player] | (T.hand[player].size >= choose(acting(player), 2, 1))),
    ),
    "discards at the beginning of a turn": implies(
        (T.phase == Phase.DRAW) & ~is_ended(T) & NO_FLOATING,
        (OPTION.exhausted == "turn_over") | ~T.discard.empty,
    ),
    "something to take at the beginning of a turn": implies(
        (T.phase == Phase.DRAW) & ~is_ended(T) & NO_FLOATING, something_to_take()
    ),
    "no card is left in the deck": implies(ON, T.deck.empty),
    "hands and melds in a round": implies(
        ON,
        of_both(
            lambda player: (
                T.hand[player].size + melds_of(player) + melds_of(player) + melds_of(player)
                <= choose(acting(player), HAND + 1, HAND)
            )
        ),
    ),
    "who has a meld on the table has melded": of_both(
        lambda player: T.melded[player] | all_of(Meld, lambda meld: T.meld[meld].empty | (T.owner[meld] != player))
    ),
    "nothing is left by who has not melded": implies(
        nothing_left() & ~is_ended(T), of_both(lambda player: (T.turn == player) | ~T.melded[player])
    ),
    "no meld before the deal": implies(
        either(T.phase == Phase.START, T.phase == Phase.DEAL), all_of(Meld, lambda meld: T.meld[meld].empty)
    ),
    **{f"meld {number} is a set or a run": is_meld(meld) for number, meld in enumerate(each(Meld), 1)},
}
"""By name. Each is assumed of a table by the proofs that name it, and shown to survive every event."""
