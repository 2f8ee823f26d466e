"""What can be looked for in Queen City Rum, each with a way to get there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairdeal.spec.language import Cards, Expr, all_of, any_of, both, card_set, common, count, each, holds
from fairdeal.spec.language.properties import Act, Goal
from fairdeal.spec.queen_city_rum import scripts
from fairdeal.spec.queen_city_rum.ending import level, new_total, round_points
from fairdeal.spec.queen_city_rum.invariants import T, acting, can_lay_last, holds_a_meld
from fairdeal.spec.queen_city_rum.melds import SUITS
from fairdeal.spec.queen_city_rum.scripts import A, B, Frugal, Teller
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Player, is_ended, nothing_to_draw, somebody_out
from fairdeal.spec.queen_city_rum.turn import turn_pile_over

PLAYER_A, PLAYER_B = each(Player)
SPADES = card_set(range(0, 52, SUITS))
TARGET = 101


def in_suit(place: int, suit: Expr[Cards], size: int) -> Expr[bool]:
    """Whether a meld has that many cards of one suit."""
    return count(common(T.meld[place].cards, suit)) == size


def out_for(name: str, points: int, played: Frugal, readings: Mapping[str, str]) -> Goal:
    """The goal that a player goes out and gets so many points for it."""
    return Goal(
        name,
        f"a player goes out and gets {points} points for it",
        T.out[Player.A] & (round_points(T, PLAYER_A) == points),
        whole=lambda: scripts.frugal(played).acts,
        readings=readings,
    )


def rounds_won(name: str, rounds: Sequence[Frugal], goers: Sequence[Player], readings: Mapping[str, str]) -> Goal:
    """The goal that so many rounds are won by going out, with both totals below 101."""
    won = {player: sum(one is player for one in goers) for player in Player}
    each_won = ((player.name, count, "round" if count == 1 else "rounds") for player, count in won.items() if count)
    told = " and ".join(f"{name} has {count} {rounds}" for name, count, rounds in each_won)
    below = both(*(new_total(T, player) < TARGET for player in each(Player)))
    return Goal(
        name,
        f"{told} won by going out, and both players have less than 101 points",
        (T.round == len(goers)) & somebody_out(T) & below,
        whole=lambda: scripts.frugal(*rounds, goers=goers).acts,
        readings=readings,
    )


NONE, LOW, OWNER = {"out": "none"}, {"low_ace": "1"}, {"layoff_credit": "owner"}
MELDLESS = {"layoff_credit": "owner", "meldless_out": "out"}
FEWEST: tuple[tuple[str, int, Frugal, dict[str, str]], ...] = (
    ("fewest-points", 57, scripts.FRUGAL, {}),
    ("fewest-points-none", 57, scripts.ALL_LAID, NONE),
    ("fewest-points-low", 47, scripts.LOW_ACES, LOW),
    ("fewest-points-low-none", 46, scripts.LOW_ACES_ALL_LAID, LOW | NONE),
    ("fewest-points-owner", 33, scripts.LAID_OFF, OWNER),
    ("fewest-points-owner-none", 31, scripts.ALL_LAID_OFF, OWNER | NONE),
    ("fewest-points-meldless", 27, scripts.WITHOUT_A_MELD, MELDLESS),
    ("fewest-points-meldless-none", 25, scripts.ALL_WITHOUT_A_MELD, MELDLESS | NONE),
)
"""For the readings on which it depends, the fewest points that going out brings, and how."""

ONCE = {"bonus": "game"}
ROUNDS_WON: tuple[tuple[str, tuple[Frugal, ...], tuple[Player, ...], dict[str, str]], ...] = (
    ("round-won", (scripts.FRUGAL,), (A,), {}),
    ("rounds-won", (scripts.FRUGAL,) * 2, (A, A), ONCE),
    ("rounds-won-none", (scripts.ALL_LAID, scripts.ALL_FOURS), (A, A), ONCE | NONE),
    ("rounds-won-low", (scripts.LOW_ACES,) * 2, (A, A), LOW),
    ("rounds-won-low-none", (scripts.LOW_ACES_ALL_LAID,) * 2, (A, A), LOW | NONE),
    ("rounds-won-goer", (scripts.FRUGAL,) * 5, (A, B, B, B, A), ONCE | {"melds_score": "goer"}),
)
"""For some readings, games in which as many rounds are won before 101 is reached as can be."""

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
    *(out_for(*one) for one in FEWEST),
    *(rounds_won(*one) for one in ROUNDS_WON),
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
