"""What can be looked for in Spit: ends of a round, holes in the text, and rare tables, each with a way to get there."""

from __future__ import annotations

from fairdeal.spec.cards import DECK, NAMES
from fairdeal.spec.language import (
    Expr,
    Number,
    all_of,
    any_of,
    both,
    choose,
    count,
    each,
    either,
    enabled,
    implies,
    other,
    rank,
)
from fairdeal.spec.language.properties import Goal
from fairdeal.spec.spit.conditions import IN_PLAY, T, of_both
from fairdeal.spec.spit.deal import HALF, begin_round
from fairdeal.spec.spit.ending import is_ended, score, slap, tie, totals_known, win
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.play import BLOCKED, CAN_PLAY, STUCK, flip, move_card, play, spit
from fairdeal.spec.spit.scripts import (
    A,
    B,
    Teller,
    all_thirty,
    blocked_rounds,
    draw,
    drawn_rounds,
    fewest_plays,
    level_at_115,
    longest,
    one_card_each,
    playless,
    shortest_game,
    single_spits,
    started,
    two_rounds,
    unslapped_rounds,
)
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot, dealt_evenly, stock_cards, will_own

_, PLAYER_B = each(Player)
STALLED: Expr[bool] = Expr(SPIT.derived["stalled"])


def due(player: Expr[Player]) -> Expr[Number]:
    """How many cards a player can lay out: all that the other has left, 26 of a whole deck, or what the player owns."""
    anew = choose(dealt_evenly(T), HALF, 1)  # a log that begins at a later round may split the cards in any way
    first = choose(T.opening, anew, T.owned[player].size)
    return choose(T.dealt[other(player)], T.owned[player].size + T.deck.size, first)


def can_deal(player: Expr[Player]) -> Expr[bool]:
    """Whether a player who has not dealt can: that many cards are there, and every rule about their number is kept.

    Cards can always be laid out in a lawful shape, for there is one for every number of them.
    """
    opponent, size, own, deck = other(player), due(player), T.owned[player].size, T.deck.size
    return both(
        ~T.dealt[player],
        (size > 0) & (size < 2 * HALF),
        choose(T.opening, size <= deck, (own <= size) & (size <= own + deck)),
        implies(dealt_evenly(T), size == HALF),
        implies(~T.opening & (own < 15) & T.deck.empty, size == own),
        implies(T.dealt[opponent], size + count(T.began[opponent]) == 2 * HALF),
    )


CAN_GO_ON = either(
    T.phase == Phase.OVER,
    (T.phase == Phase.DEAL) & any_of(Player, can_deal),
    enabled(play),
    enabled(flip),
    enabled(move_card, where=lambda player, slot, target: T.stock[player, slot].size > 1),
    enabled(spit),
    enabled(begin_round),
    is_ended(T) & enabled(slap),
    is_ended(T) & ~totals_known(T) & enabled(score),  # it tells a total that win and tie hang on
    enabled(win),
    enabled(tie),
)
"""Whether the game can go on, by an event that is more than a word."""

LONE = both(
    STUCK,
    ~T.single,
    ~T.owes[Player.A] & ~T.owes[Player.B],
    either(T.spit[Player.A].empty & ~T.spit[Player.B].empty, T.spit[Player.B].empty & ~T.spit[Player.A].empty),
)
"""Nobody can play, and just one player has spit cards."""

OUT_OF_SPIT = STUCK & of_both(lambda player: T.spit[player].empty & ~T.owes[player])

OF_THE_ROUND_BEFORE = ("opening", "left_stock", "left_spit")
"""What a lasso from one deal to the next leaves out, for nothing looks at it between: whether a whole deck was dealt
matters while cards are dealt, and what is left is counted anew when the round ends."""


def low_tops(player: Expr[Player], ranks: int) -> Expr[bool]:
    """Whether all tops of a player's stocks are of the lowest ranks, so many of them."""
    return all_of(Slot, lambda slot: T.stock[player, slot].empty | (rank(T.stock[player, slot].top) < ranks))


def far_spit(player: Expr[Player], ranks: int) -> Expr[bool]:
    """Whether a player's next spit card lies next to none of those ranks, be the ace high or low."""
    return (rank(T.spit[player].top) > ranks) & (rank(T.spit[player].top) < 12)


# Ways for nobody to be able to play. Cards are looked for among these alone, which spares most of the search.
LOW_STOCKS = of_both(lambda player: low_tops(player, 3) & (T.spit[player].empty | far_spit(player, 3)))
LOW_UNTIL_SPAT = T.spit[PLAYER_B].empty | both(
    of_both(lambda player: low_tops(player, 4)), far_spit(PLAYER_B, 4) | (T.spit[PLAYER_B].size == 1)
)
FIVE_TO_KING = " ".join(NAMES[4 * 4 : DECK])
"""36 cards that no card from 2 to 3 is next to, to be spat."""

GOALS = (
    Goal(
        "stuck",
        "nobody can play, turn up or move a card, so both have to spit",
        STUCK & ~T.owes[Player.A] & ~T.owes[Player.B] & of_both(lambda player: ~T.spit[player].empty),
        whole=lambda: started().acts,
    ),
    Goal(
        "lone-spit",
        "nobody can play, and only one player has spit cards left",
        LONE,
        whole=lambda: playless().round(2, 16).joint().acts,
        late=lambda: started(2, 16).acts,
        hole="GAP-SPIT-7",
    ),
    Goal(
        "deadlock",
        "no rule applies, and the game is not over",
        ~CAN_GO_ON,
        whole=lambda: playless(1).round(2, 15).acts,
        late=lambda: Teller().round(2, 15).acts,
        readings={"fifteen": "none"},
        hole="GAP-SPIT-11",
    ),
    Goal(
        "deadlock-lone-spit",
        "nobody can play, only one can spit, and neither clause speaks of that",
        ~CAN_GO_ON & LONE,
        whole=lambda: playless().round(2, 16).joint().acts,
        late=lambda: started(2, 16).acts,
        readings={"lone_spit": "literal"},
        hole="GAP-SPIT-7",
    ),
    Goal(
        "deadlock-piles",
        "nobody can play or spit, and the round does not end because the piles are not empty",
        ~CAN_GO_ON & OUT_OF_SPIT,
        whole=lambda: started().joint(10, 1, 1).acts,
        readings={"blocked": "piles"},
        hole="SPIT-END-2",
    ),
    Goal(
        "livelock",
        "a card moves between two slots for ever, and nothing else happens",
        IN_PLAY,
        whole=lambda: started().play(A, 1).play(A, 2).move(A, 2, 1).move(A, 1, 2).move(A, 2, 1).acts,
        late=lambda: started(2, 1, (1, 0, 0, 0, 0)).move(A, 1, 2).move(A, 2, 1).acts,
        loop=2,
        hole="GAP-SPIT-5",
    ),
    Goal(
        "one-pile",
        "a round has one spit pile, because one player has no spit cards",
        T.single & IN_PLAY,
        whole=lambda: playless(1).round(2, 15).spit(B, 1).acts,
        late=lambda: started(2, 15).acts,
    ),
    Goal(
        "fifteen",
        "a round begins with exactly 15 cards on one side",
        (T.phase == Phase.READY) & any_of(Player, lambda player: (stock_cards(T, player) == 15) & T.spit[player].empty),
        whole=lambda: playless(1).round(2, 15).acts,
        late=lambda: Teller().round(2, 15).acts,
        hole="GAP-SPIT-11",
    ),
    Goal(
        "fewer",
        "a round begins with fewer than 15 cards on one side",
        (T.phase == Phase.READY) & any_of(Player, lambda player: stock_cards(T, player) < 15),
        whole=lambda: playless(2).round(2, 14, shape=(1, 2, 3, 4, 4)).acts,
        late=lambda: Teller().round(2, 14, shape=(1, 2, 3, 4, 4)).acts,
        hole="GAP-SPIT-10",
    ),
    Goal(
        "finished",
        "a round ends because a player is out of stock cards",
        (T.phase == Phase.SLAP) & (T.finished[Player.A] | T.finished[Player.B]),
        whole=lambda: started().play_out(A).acts,
        late=lambda: started(2, 1, (1, 0, 0, 0, 0)).play(A, 1).acts,
    ),
    Goal(
        "blocked",
        "a round ends because nobody can play or spit",
        BLOCKED,
        whole=lambda: started().joint(10, 1, 1).acts,
    ),
    Goal(
        "blocked-one-pile",
        "a round with one pile is blocked: who takes the pile?",
        BLOCKED & T.single,
        late=lambda: single_spits(15, (1, 2, 3, 4, 5)).acts,
        among=LOW_STOCKS,
        hole="GAP-SPIT-14",
    ),
    Goal(
        "both-on-one-pile",
        "both players spit onto one pile, and the later card is its top",
        IN_PLAY & either(*(T.pile[pile].size == 3 for pile in each(Pile))) & ~CAN_PLAY,
        whole=lambda: started().joint(1, 1, 1).acts,
        hole="GAP-SPIT-9",
    ),
    Goal(
        "fewer-than-five",
        "a round begins with fewer than five cards on one side, so that slots are empty from the start",
        (T.phase == Phase.READY) & any_of(Player, lambda player: stock_cards(T, player) < 5),
        late=lambda: Teller().round(2, 4, shape=(1, 1, 1, 1, 0)).acts,
        hole="GAP-SPIT-12",
    ),
    Goal(
        "level-over-100",
        "the scored game ends level, with both totals over 100",
        T.phase == Phase.OVER,
        late=lambda: level_at_115().acts,
        among=LOW_STOCKS,
        rules="scored",
        hole="GAP-SPIT-25",
    ),
    Goal(
        "draw",
        "both players run out of stock cards at one instant",
        (T.phase == Phase.SLAP) & T.finished[Player.A] & T.finished[Player.B],
        late=lambda: draw().acts,
        readings={"tie": "draw"},
        hole="GAP-SPIT-18",
    ),
    Goal(
        "playless",
        "a round ends in which nobody could ever play",
        BLOCKED,
        whole=lambda: started().joint(10, 1, 1).acts,
        throughout=~CAN_PLAY,
    ),
    Goal(
        "one-card-each",
        "a round is blocked, and each player has exactly one stock card left",
        BLOCKED & of_both(lambda player: stock_cards(T, player) == 1),
        whole=lambda: one_card_each().acts,
    ),
    Goal(
        "stalled",
        "nobody can play; cards could be turned up or moved, but nobody has to",
        STALLED & IN_PLAY,
        late=lambda: started(2, 2, (2, 0, 0, 0, 0)).acts,
        whole=lambda: started().play(A, 1).acts,
        hole="GAP-SPIT-3",
    ),
    Goal(
        "helpless",
        "a player loses a round without ever having had a legal play",
        (T.phase == Phase.SLAP) & T.finished[Player.A],
        whole=lambda: started().play_out(A).acts,
        throughout=~enabled(play, player=PLAYER_B),
    ),
    Goal(
        "helpless-game",
        "a player loses a whole game without ever having had a legal play",
        T.phase == Phase.OVER,
        whole=lambda: shortest_game().acts,
        throughout=~enabled(play, player=PLAYER_B),
    ),
    *(
        Goal(
            f"fewest-plays{ending}",
            f"a game{under} in which the winner plays 15 cards, the fewest there can be",
            (T.phase == Phase.OVER) & T.won[PLAYER_B],
            whole=lambda: fewest_plays().acts,
            readings=readings,
        )
        for ending, under, readings in (
            ("", "", {}),
            ("-own", " under respit=own", {"respit": "own"}),
            ("-distinct", " under respit=distinct", {"respit": "distinct"}),
        )
    ),
    Goal(
        "shortest-game",
        "a game of two rounds, both won by one player, who plays 16 cards, the fewest there can be of these",
        T.phase == Phase.OVER,
        whole=lambda: shortest_game().acts,
    ),
    Goal(
        "shortest-game-own",
        "a game of two rounds under respit=own, both won by one player, who plays 26 cards, the fewest of these",
        T.phase == Phase.OVER,
        whole=lambda: two_rounds().acts,
        readings={"respit": "own"},
    ),
    Goal(
        "shortest-game-distinct",
        "a game of two rounds under respit=distinct, both won by one player, who plays 26 cards, the fewest of these",
        T.phase == Phase.OVER,
        whole=lambda: two_rounds().acts,
        readings={"respit": "distinct"},
    ),
    Goal(
        "for-ever",
        "a round ends and begins with the same cards as before, and can do so for ever",
        T.phase == Phase.READY,
        whole=lambda: blocked_rounds(1).round(2, again=True).acts,
        among=LOW_STOCKS,
        loop=26,
        beside=("round", *OF_THE_ROUND_BEFORE),
        readings={"respit": "own"},
    ),
    Goal(
        "for-ever-level",
        "rounds of the scored game give both players equal points, and can do so for ever",
        (T.phase == Phase.READY) & (T.total[Player.A] == T.total[Player.B]),
        whole=lambda: unslapped_rounds(1).round(2, again=True).acts,
        among=LOW_STOCKS,
        loop=25,
        beside=("round", "total", *OF_THE_ROUND_BEFORE),
        rules="scored",
        readings={"respit": "own", "variant_tie": "extra_round"},
    ),
    Goal(
        "for-ever-drawn",
        "rounds of the scored game add nothing to the totals, for both run out at one instant, and can do so for ever",
        T.phase == Phase.READY,
        whole=lambda: drawn_rounds().acts,
        loop=len(drawn_rounds().acts) - 3,
        beside=("round", *OF_THE_ROUND_BEFORE),
        rules="scored",
        readings={"tie": "draw", "left": "stock"},
    ),
    Goal(
        "most-points",
        "in the scored game a player has 25 points for one round",
        (T.phase == Phase.SLAP) & (T.left_stock[Player.B] + T.left_spit[Player.B] == 25),
        whole=lambda: started().play_out(A).acts,
        rules="scored",
    ),
    Goal(
        "most-points-carried",
        "in the scored game with cards carried over a player has 50 points for one round",
        (T.phase == Phase.SLAP) & (T.left_stock[Player.B] + T.left_spit[Player.B] == 50),
        late=lambda: started(2, 1, (1, 0, 0, 0, 0)).play(A, 1).acts,
        rules="scored",
        readings={"variant_deal": "carry"},
    ),
    Goal(
        "most-stock",
        "in the scored game, with stock cards alone counted, a player has 15 points for one round",
        (T.phase == Phase.SLAP) & (T.left_stock[Player.B] == 15),
        whole=lambda: started().play_out(A).acts,
        rules="scored",
        readings={"left": "stock"},
    ),
    Goal(
        "most-owned-carried",
        "in the scored game with cards carried over, with all that a player owns counted, a player has 52 points",
        (T.phase == Phase.SLAP) & (will_own(T, PLAYER_B) == 52),
        late=lambda: started(2, 1, (1, 0, 0, 0, 0)).play(A, 1).acts,
        rules="scored",
        readings={"left": "owned", "variant_deal": "carry"},
    ),
    Goal(
        "most-owned",
        "in the scored game, with all that a player owns counted, a player has 51 points for one round",
        (T.phase == Phase.SLAP) & (will_own(T, PLAYER_B) == 51),
        whole=lambda: started().joint(10, 1, 1).play_out(A).slap(A, 2).acts,
        rules="scored",
        readings={"left": "owned"},
    ),
    Goal(
        "longest-round-one-pile",
        "a round with one pile that has as many events as its ranking allows",
        (T.phase == Phase.SLAP) & T.finished[Player.A] & T.spit[Player.B].empty,
        late=lambda: longest(2, 14, (5, 5, 4, 0, 0)).acts,
        among=LOW_UNTIL_SPAT,
    ),
    Goal(
        "most-spits-one-pile",
        "a round with one pile in which 36 spit cards are turned up, as many as a player can have beside it",
        BLOCKED & T.single,
        late=lambda: single_spits(1, (1, 0, 0, 0, 0), FIVE_TO_KING).acts,
    ),
    Goal(
        "most-plays-one-pile",
        "a round with one pile in which 29 cards are played, all but one",
        (T.phase == Phase.SLAP) & T.finished[Player.A],
        late=lambda: started(2, 15).play_out(B, 1).play_out(A).acts,
    ),
    Goal(
        "most-plays-one-pile-drawn",
        "a round with one pile in which all 30 cards are played, the last two at one instant",
        (T.phase == Phase.SLAP) & T.finished[Player.A] & T.finished[Player.B],
        late=lambda: all_thirty().acts,
        readings={"tie": "draw"},
    ),
    Goal(
        "longest-round-one-pile-drawn",
        "a round with one pile that has as many events as its ranking allows, and is drawn",
        (T.phase == Phase.SLAP) & T.finished[Player.A] & T.finished[Player.B],
        late=lambda: longest(2, 14, (5, 5, 4, 0, 0), together=True).acts,
        among=LOW_UNTIL_SPAT,
        readings={"tie": "draw"},
    ),
    Goal(
        "longest-round-drawn",
        "a round with two piles that has as many events as its ranking allows, and is drawn",
        both(
            (T.phase == Phase.SLAP) & T.finished[Player.A] & T.finished[Player.B],
            T.spit[Player.A].empty & T.spit[Player.B].empty,
        ),
        whole=lambda: longest(together=True).acts,
        readings={"tie": "draw"},
    ),
    Goal(
        "longest-round",
        "a round with two piles that has as many events as its ranking allows",
        (T.phase == Phase.SLAP) & T.finished[Player.A] & (T.spit[Player.A].empty & T.spit[Player.B].empty),
        whole=lambda: longest().acts,
    ),
)
"""In the order of the list that `find` prints."""

GOAL = {goal.name: goal for goal in GOALS}
"""The same by name."""
