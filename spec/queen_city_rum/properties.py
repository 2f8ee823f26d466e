"""The properties of Queen City Rum: what is proved, refuted or computed of its rules, and under which readings."""

from __future__ import annotations

from typing import Any

from fairdeal.spec.language import (
    Expr,
    all_of,
    any_of,
    both,
    choose,
    each,
    either,
    enabled,
    implies,
    listed,
    other,
    sum_of,
)
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.properties import (
    Checked,
    Computed,
    Conserved,
    Invariant,
    Part,
    Properties,
    Property,
    Steps,
    after,
    found,
    stated,
)
from fairdeal.spec.queen_city_rum import definition
from fairdeal.spec.queen_city_rum.chances import first_turn
from fairdeal.spec.queen_city_rum.deal import HAND, begin_round
from fairdeal.spec.queen_city_rum.ending import tie, win
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.goals import GOAL, GOALS
from fairdeal.spec.queen_city_rum.invariants import (
    INVARIANTS,
    ON,
    T,
    can_discard,
    is_meld,
    of_both,
    something_to_take,
)
from fairdeal.spec.queen_city_rum.melds import RANKS, RUNS, SETS
from fairdeal.spec.queen_city_rum.scoring import MAX_ROUND, MIN_WON
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Player, is_ended
from fairdeal.spec.queen_city_rum.turn import discard, draw, lay_off, meld, take

ASIDE = ("nothing is set aside",)
SIZES = (
    *ASIDE,
    "hands before the deal",
    "nobody has been dealt a hand at the start",
    "hands in a round",
    "the deck before the deal",
    "the draw pile before the deal",
    "no draw pile at the start",
    "the order of the draw pile is known or not",
)
BEFORE = (
    *SIZES,
    "rounds count from 1",
    "no end before the deal",
    "no total is known at the start",
    "one player is out at most",
)
TURNS = (
    *SIZES,
    "who acts has a card",
    "who is not out and has no meld has a card",
    "discards at the beginning of a turn",
    "something to take at the beginning of a turn",
)
FLOATING = (
    *TURNS,
    "no card is left in the deck",
    "no meld before the deal",
    "hands and melds in a round",
    "who has a meld on the table has melded",
    "nothing is left by who has not melded",
)
MELDED = tuple(name for name in INVARIANTS if name.startswith("meld "))
SETTLED = {"meldless_out": ("illegal", "out")}


FIRST_TURN = {
    ("optional", "required"): "132648895/681052042671 = 0.000194771",
    ("none",): "102044/17462872889 = 5.84348e-06",
}
"""How probable it is that the first player goes out at once, for the readings of `out`; counted in two ways."""


def can_be_dealt(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has no hand yet, and there are ten cards for one."""
    return ~T.dealt[player] & (T.deck.size >= HAND)


def can_turn_up() -> Expr[bool]:
    """Whether both hands are dealt, and there is a card for the first discard."""
    return T.dealt[Player.A] & T.dealt[Player.B] & ~T.deck.empty


CAN_GO_ON = either(
    ~ON,
    is_ended(T),
    (T.phase == Phase.DRAW) & something_to_take(),
    both(T.phase == Phase.ACT, *(implies(T.turn == player, can_discard(player)) for player in each(Player))),
)
"""Whether a round that is on can go on: by a draw, by taking a discard, or by discarding a card."""

TOO_LONG = any_of(Meld, lambda meld: T.meld[meld].size > 13)
"""A meld has more cards than there are in a suit, which no set and no run has."""


def one_set_at_most(rank: int) -> Expr[bool]:
    """Whether one set of a rank lies on the table at most."""
    return sum_of(Meld, lambda meld: choose(listed(T.meld[meld].cards, definition.sets_of(rank)), 1, 0)) <= 1


ONE_SET_OF_A_RANK = both(*map(one_set_at_most, range(RANKS)))
"""Of no rank there are two sets on the table."""

BEFORE_AND_AFTER = both(
    implies(T.phase == Phase.START, enabled(begin_round)),
    implies(
        T.phase == Phase.DEAL, ~is_ended(T) & either(*(can_be_dealt(player) for player in each(Player)), can_turn_up())
    ),
    implies(ON & is_ended(T), either(enabled(begin_round), enabled(win), enabled(tie))),
)
"""Whether a round can begin, be dealt to its end, and be followed by another or by the game's end."""


def possible_melds() -> list[int]:
    """All cards of one rank or of one suit that could be a meld, and what the rules list, as masks."""
    return list(dict.fromkeys([*definition.one_rank_or_suit(), *SETS, *RUNS]))


def unlike_the_definition(mask: int) -> str:
    """What is wrong with some cards: the rules list them and they are no meld, or do not list them and they are one."""
    cards = definition.cards_of(mask)
    for name, table, proper in (("set", SETS, definition.is_set(cards)), ("run", RUNS, definition.is_run(cards))):
        if (mask in table) is not proper:
            told = definition.told(mask)
            return f"{told} is a {name}, and is not listed" if proper else f"{told} is listed as a {name}, and is none"
    return ""


def _player(event: Event) -> Expr[Any]:
    return stated(event, "player")


def hand_changes(event: Event, drawn: int) -> Expr[bool]:
    """An event makes the own hand so many cards larger or smaller, and leaves the other alone."""
    player: Expr[Any] = _player(event)
    mine, theirs = T.hand[player], T.hand[other(player)]
    grown = after(mine.size) == mine.size + drawn if drawn > 0 else after(mine.size) + 1 == mine.size
    return grown & (after(theirs.size) == theirs.size)


def laid_on_the_table(event: Event) -> Expr[bool]:
    """What leaves the own hand lies in the meld that the line names, and the other hand is left alone."""
    player: Expr[Any] = _player(event)
    mine, theirs, place = T.hand[player], T.hand[other(player)], T.meld[stated(event, "meld")]
    fewer = after(mine.size) + after(place.size) == mine.size + place.size
    return fewer & (after(theirs.size) == theirs.size)


def step(condition: Expr[bool], event: Event, title: str) -> Part:
    """What an event does to hands."""
    return Part(Steps(condition, events=(event.name,), using=SIZES), title)


PROPERTIES = Properties(
    RUM,
    INVARIANTS,
    (
        Property(
            "Q-CONSERVE",
            "The 52 cards are always partitioned over draw pile, discard pile, hands and melds.",
            (Part(Conserved(using=ASIDE)),),
        ),
        Property(
            "Q-MELDS",
            "Every meld on the table is a set or a run at all times; none goes round the corner.",
            (
                Part(
                    Invariant(
                        all_of(Meld, is_meld),
                        using=MELDED,
                        premise=~T.meld[1].empty,
                    ),
                    "every meld on the table is three or more cards of one rank, or of one suit and in a row, with an "
                    "ace below the 2 or above the king",
                    note="a meld is a set of cards, which holds each card once: no run has the same ace at both ends",
                ),
                Part(
                    Checked(possible_melds, unlike_the_definition, "trying all cards of a rank or suit"),
                    "the tables that the rules look melds up in list each set and each run, and nothing else",
                ),
            ),
        ),
        Property(
            "Q-ELEVEN",
            "Hand plus cards laid is fixed: ten between turns, eleven within one; so no hand is larger than eleven. "
            "(With meldless_out=float a turn can end without a discard.)",
            (
                step(hand_changes(draw, 1), draw, "a draw adds one card to the hand"),
                step(hand_changes(take, 1), take, "a taken discard adds one card to the hand"),
                step(hand_changes(discard, -1), discard, "a discard takes one card away from the hand"),
                step(laid_on_the_table(meld), meld, "a meld moves cards from the hand onto the table"),
                step(laid_on_the_table(lay_off), lay_off, "a lay-off moves cards from the hand onto the table"),
                Part(
                    Invariant(
                        implies(ON, of_both(lambda player: T.hand[player].size <= 11)),
                        using=SIZES,
                        premise=T.phase == Phase.ACT,
                    ),
                    "no hand has more than eleven cards",
                ),
            ),
        ),
        Property(
            "Q-DISCARD",
            "The discard pile is not empty at the start of a turn.",
            (
                Part(
                    Invariant(
                        implies((T.phase == Phase.DRAW) & ~is_ended(T), ~T.discard.empty),
                        using=TURNS,
                        premise=T.phase == Phase.DRAW,
                    ),
                    "it is never empty then, where it is not turned over",
                    {"exhausted": ("discard_only", "reshuffle", "end"), **SETTLED},
                ),
                found(
                    GOAL["draw-pile-turned-over"], "it is never empty then, where it is turned over", status="refuted"
                ),
                found(
                    GOAL["nothing-discarded"],
                    "it is never empty then, where a player without a meld may lay off every card",
                    status="refuted",
                ),
            ),
        ),
        MAX_ROUND,
        Property(
            "Q-FIRST-TURN",
            "Going out on the first turn: reachable, and how probable.",
            (
                found(GOAL["out"], "a player can go out on the first turn"),
                *(
                    Part(
                        Computed(first_turn, "counting hands by what can still be made of them, in fractions", share),
                        "the probability of going out on the first turn",
                        {"out": out},
                        "computed",
                        "it is that of a player who takes the upcard where that is enough, and draws otherwise",
                    )
                    for out, share in FIRST_TURN.items()
                ),
            ),
        ),
        Property(
            "Q-EXHAUST",
            "The fewest turns after which the draw pile can be empty: 31.",
            (
                Part(
                    Steps(
                        implies(ON, after(T.stock.size + T.pool.size) + 1 >= T.stock.size + T.pool.size),
                        events=("draw", "take", "discard"),
                        using=TURNS,
                        premise=T.phase == Phase.DRAW,
                    ),
                    "no event of a turn takes more than one card, and the pile has 31",
                    note="melds and lay-offs do not touch it; turning over and reshuffling fill it",
                ),
                found(GOAL["exhausted"], "31 turns are enough"),
            ),
        ),
        Property(
            "Q-FOREVER",
            "A round can go on for ever.",
            (
                found(GOAL["handed-back"], "a round can go on for ever with rediscard=allow"),
                found(GOAL["handed-on"], "a round can go on for ever with rediscard=forbid"),
            ),
        ),
        Property(
            "Q-PROGRESS",
            "While a round is on, there is always a lawful draw, a discard to take, or a card to discard.",
            (
                Part(
                    Invariant(CAN_GO_ON, using=TURNS, premise=ON),
                    "a round can always go on with rediscard=allow, discard_use=false",
                    {"rediscard": ("allow",), "discard_use": ("false",), **SETTLED},
                    note="it holds for every reading of `out` and `exhausted`",
                ),
                Part(
                    Invariant(CAN_GO_ON | TOO_LONG, using=FLOATING, premise=ON, counting=True),
                    "a round can always go on with meldless_out=float",
                    {"rediscard": ("allow",), "discard_use": ("false",), "meldless_out": ("float",)},
                    note="the piles are never both empty: one player alone has melds then, three at most, of 13 cards",
                ),
                Part(
                    Invariant(BEFORE_AND_AFTER, using=BEFORE, premise=ON & is_ended(T)),
                    "a round can always begin, be dealt to its end, and be followed by another or by the game's end",
                    note="it holds for every reading of every option",
                ),
                found(GOAL["deadlock-rediscard"], "a round can always go on with rediscard=forbid", status="refuted"),
                found(GOAL["deadlock-discard-use"], "a round can always go on with discard_use=true", status="refuted"),
            ),
        ),
        MIN_WON,
        Property(
            "Q-SETS",
            "Two sets of one rank on the table; two runs of one suit.",
            (
                Part(
                    Invariant(ONE_SET_OF_A_RANK, premise=~T.meld[2].empty, apart=True),
                    "two sets of one rank never lie on the table",
                    note="no card lies in two melds, by Q-CONSERVE",
                ),
                found(GOAL["two-runs"], "two runs of one suit can lie on the table"),
            ),
        ),
        Property(
            "Q-ONE-CARD",
            "With one card in hand at the start of a turn, the ways to go out.",
            (
                Part(
                    Steps(T.hand[_player(meld)].size >= 3, events=("meld",), using=SIZES),
                    "a player cannot go out by a meld: it takes three cards, and there are two",
                ),
                found(GOAL["one-card-laid-off"], "a player can go out by laying off both cards"),
                found(
                    GOAL["one-card-discarded"], "a player can go out by laying off one card and discarding the other"
                ),
            ),
        ),
        Property(
            "Q-MELDLESS",
            "Emptying the hand without a meld of one's own.",
            (
                found(
                    GOAL["meldless"],
                    "a hand can be emptied by laying off on the opponent's melds, where that counts as out",
                ),
            ),
        ),
        Property(
            "Q-TIE",
            "Both at or over the target in one round; an exact tie.",
            (
                found(GOAL["both-over"], "both players can reach the target in one round"),
                found(GOAL["level"], "both can have the same points then"),
            ),
        ),
    ),
    GOALS,
    CAN_GO_ON,
    counted=True,
    closed={"aside": ASIDE, "sizes": SIZES, "ends": BEFORE, "turns": TURNS, "floating": FLOATING, "melds": MELDED},
)
"""Everything that is claimed of Queen City Rum."""
