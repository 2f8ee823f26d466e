"""What can be looked for in Queen City Rum, each with a way to get there."""

from __future__ import annotations

from fairdeal.spec.language import Cards, Expr, all_of, any_of, both, card_set, common, count, each, holds
from fairdeal.spec.language.properties import Act, Goal
from fairdeal.spec.queen_city_rum import scripts
from fairdeal.spec.queen_city_rum.ending import level, new_total, round_points
from fairdeal.spec.queen_city_rum.invariants import T, acting, can_lay_last, holds_a_meld
from fairdeal.spec.queen_city_rum.melds import SUITS
from fairdeal.spec.queen_city_rum.scripts import A, Teller
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Player, is_ended, nothing_to_draw
from fairdeal.spec.queen_city_rum.turn import turn_pile_over

PLAYER_A, PLAYER_B = each(Player)
SPADES = card_set(range(0, 52, SUITS))
TARGET = 101


def in_suit(place: int, suit: Expr[Cards], size: int) -> Expr[bool]:
    """Whether a meld has that many cards of one suit."""
    return count(common(T.meld[place].cards, suit)) == size


GOALS = (
    Goal(
        "out",
        "a player goes out in the first turn of a game",
        T.out[Player.A],
        whole=lambda: scripts.out_at_once().acts,
    ),
    Goal(
        "most-points",
        "a player goes out in the first turn with 254 points, which ends the game",
        (T.phase == Phase.OVER) & (new_total(T, PLAYER_A) == 254),
        whole=lambda: scripts.most_points().acts,
    ),
    Goal(
        "fewest-points",
        "a player goes out and gets 57 points for it",
        T.out[Player.A] & (round_points(T, PLAYER_A) == 57),
        whole=lambda: scripts.fewest_points().acts,
    ),
    Goal(
        "exhausted",
        "the draw pile is empty after 31 turns",
        (T.phase == Phase.DRAW) & nothing_to_draw(T),
        whole=lambda: scripts.exhausted().acts,
        hole="GAP-QCR-3",
    ),
    Goal(
        "handed-back",
        "each player takes the discard and puts it back, for ever",
        T.phase == Phase.DRAW,
        whole=lambda: scripts.handed_back(3).acts,
        loop=4,
        hole="GAP-QCR-4",
    ),
    Goal(
        "handed-on",
        "each player takes the discard and puts another card there, for ever",
        T.phase == Phase.DRAW,
        whole=lambda: scripts.handed_back(7).acts,
        loop=12,
        readings={"rediscard": "forbid"},
    ),
    Goal(
        "nothing-discarded",
        "the discard pile is empty at the beginning of a turn: every card was laid off, without a meld of an own",
        (T.phase == Phase.DRAW) & T.discard.empty & ~is_ended(T),
        whole=lambda: scripts.nothing_discarded().acts,
        readings={"meldless_out": "float"},
        hole="GAP-QCR-22",
    ),
    Goal(
        "deadlock-rediscard",
        "no rule applies: the last card in hand was just taken, and can neither be laid off nor discarded",
        acting(PLAYER_A)
        & (T.hand[Player.A].size == 1)
        & holds(T.hand[Player.A].cards, T.taken)
        & ~can_lay_last(PLAYER_A),
        whole=lambda: scripts.last_card_taken().acts,
        readings={"rediscard": "forbid"},
        hole="GAP-QCR-4",
    ),
    Goal(
        "deadlock-discard-use",
        "no rule applies: a card was taken from the discards that no meld can use, so nothing may be discarded",
        acting(PLAYER_A)
        & holds(T.hand[Player.A].cards, T.taken)
        & ~holds_a_meld(PLAYER_A)
        & all_of(Meld, lambda meld: T.meld[meld].empty),
        whole=lambda: Teller().dealt(up=None).take(A).acts,
        readings={"discard_use": "true"},
        hole="GAP-QCR-5",
    ),
    Goal(
        "two-runs",
        "two runs of one suit lie on the table",
        in_suit(1, SPADES, 3) & in_suit(2, SPADES, 4),
        whole=lambda: Teller().dealt(up=None).take(A).meld(A, 3, 4).acts,
    ),
    Goal(
        "one-card-laid-off",
        "a player with one card at the beginning of a turn goes out by laying off two",
        T.out[Player.A],
        whole=lambda: scripts.one_card(discards=False).acts,
    ),
    Goal(
        "one-card-discarded",
        "a player with one card at the beginning of a turn goes out by laying off one and discarding the other",
        T.out[Player.A],
        whole=lambda: scripts.one_card(discards=True).acts,
        hole="GAP-QCR-1",
    ),
    Goal(
        "meldless",
        "a player lays off every card without a meld of an own, and counts as out",
        T.out[Player.A] & ~T.melded[Player.A],
        whole=lambda: scripts.meldless().acts,
        readings={"meldless_out": "out"},
        hole="GAP-QCR-2",
    ),
    Goal(
        "both-over",
        "both players reach 101 in one round",
        (T.phase == Phase.OVER) & both(*(new_total(T, player) >= TARGET for player in each(Player))),
        whole=lambda: scripts.both_over().acts,
        hole="GAP-QCR-13",
    ),
    Goal(
        "level",
        "both players have reached 101, and have the same points",
        T.out[Player.A] & level(T) & (new_total(T, PLAYER_B) >= TARGET),
        whole=lambda: scripts.level().acts,
        hole="GAP-QCR-14",
    ),
    Goal(
        "draw-pile-turned-over",
        "the discard pile is empty at the beginning of a turn, because it was turned over",
        (T.phase == Phase.DRAW) & T.discard.empty & any_of(Player, lambda player: T.turn == player),
        whole=lambda: [*scripts.exhausted().acts, Act(turn_pile_over)],
        readings={"exhausted": "turn_over"},
    ),
)
"""By name, in the order of the list that `find` prints."""

GOAL = {goal.name: goal for goal in GOALS}
"""The same by name."""
