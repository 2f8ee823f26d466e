"""How Queen City Rum is played at random.

`USUAL` is keen enough to go out, and careless enough that every clause sees use. Its games hardly ever end level, so
`LEVEL` plays for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

from fairdeal.spec.language import Expr, both, each, either
from fairdeal.spec.language.policy import Look, Policy, Preference
from fairdeal.spec.queen_city_rum.deal import HAND, STOCK
from fairdeal.spec.queen_city_rum.ending import new_total
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS, SUITS, VALUE
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Player, Readings, Starter, Table, nothing_to_draw

TABLE = Table()
OPTION = Readings()
PACK = (1 << 52) - 1
HANDS = [TABLE.hand[player].cards for player in each(Player)]
MELDS = {meld: TABLE.meld[meld].cards for meld in range(Meld.low, Meld.high + 1)}
DECK = TABLE.deck.cards
TAKEN = TABLE.taken
ALL_MELDS = frozenset((*SETS, *RUNS))
HASTE = 0.85
"""How often a meld is as big as it can be, and one more card is laid off that could be."""
PONDERED = 5
"""How many cards of a hand are looked at for the one to discard."""


def cards_of(mask: int) -> Iterator[int]:
    """The cards of a set, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def some_cards(count: int) -> Callable[..., tuple[int, ...]]:
    """Any ``count`` cards of the deck."""

    def layout(random: Random, look: Look, *choices: int) -> tuple[int, ...]:
        deck = list(cards_of(look(DECK)))
        return tuple(random.sample(deck, min(count, len(deck))))

    return layout


def sets_in(hand: int) -> list[int]:
    """Every set that a hand holds, as masks; of four cards also the three-card ones."""
    one, two, three, four = (hand >> suit & _LOWEST for suit in range(SUITS))
    ranks = one & two & (three | four) | three & four & (one | two)
    return [part << rank for rank in cards_of(ranks) for part in _PARTS[hand >> rank & 15]]


def runs_in(hand: int) -> list[int]:
    """Every run that a hand holds, as masks."""
    line = hand | (hand & 15) << 52  # the aces stand above the kings too
    starts = line & line >> SUITS & line >> 2 * SUITS
    found = []
    for start in cards_of(starts):
        run, last = 1 << start | 1 << start + SUITS | 1 << start + 2 * SUITS, start + 2 * SUITS
        while True:
            found.append(run & PACK | run >> 52)
            last += SUITS
            if not line >> last & 1 or last - start >= 52:
                break
            run |= 1 << last
    return [run for run in found if run in ALL_MELDS] if found else found


_LOWEST = sum(1 << rank * SUITS for rank in range(52 // SUITS))
_PARTS = [[part for part in range(1, 16) if part & ~four == 0 and part.bit_count() >= 3] for four in range(16)]


def new_meld(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """A set or run from the hand, big ones more gladly than small ones."""
    hand = look(HANDS[player])
    found = sets_in(hand) + runs_in(hand)
    if not found:
        return None
    big = max(mask.bit_count() for mask in found)
    if random.random() < HASTE:
        found = [mask for mask in found if mask.bit_count() == big]
    return tuple(cards_of(random.choice(found)))


@cache
def takers(goal: int) -> int:
    """The cards that a meld takes one at a time, as a set."""
    return sum(1 << card for card in range(52) if not goal >> card & 1 and goal | 1 << card in ALL_MELDS)


def added(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """Cards from the hand that a meld on the table takes, one or several."""
    goal = look(MELDS[meld])
    hand = look(HANDS[player])
    fitting = takers(goal) & hand
    if not fitting:
        return None
    chosen = 0
    while fitting and (not chosen or random.random() < HASTE):
        chosen |= 1 << random.choice(list(cards_of(fitting)))
        fitting = takers(goal | chosen) & hand
    return tuple(cards_of(chosen))


def _of_rank(goal: int) -> int:
    low = (goal & -goal).bit_length() - 1
    return 15 << low // SUITS * SUITS


def _near(card: int) -> tuple[int, int]:
    """The cards that are one step away from a card, of its rank or beside it, and those that are two steps away."""
    beside = _of_rank(1 << card) | 1 << (card + SUITS) % 52 | 1 << (card - SUITS) % 52
    return beside & ~(1 << card), 1 << (card + 2 * SUITS) % 52 | 1 << (card - 2 * SUITS) % 52


_NEAR = [_near(card) for card in range(52)]


def thrown(random: Random, look: Look, player: int) -> tuple[int, ...] | None:
    """One card to discard: of a few, one that has no others near it."""
    hand = look(HANDS[player])
    cards = [card for card in cards_of(hand) if card != look(TAKEN)] or list(cards_of(hand))
    if not cards:
        return None
    size, least, worst = len(cards), 100, 0
    for _ in range(PONDERED):
        card = cards[int(random.random() * size)]
        beside, apart = _NEAR[card]
        company = 2 * (hand & beside).bit_count() + (hand & apart).bit_count()
        if company < least:
            least, worst = company, card
    return (worst,)


def next_place(player: Expr[Player], meld: Expr[Meld]) -> Expr[bool]:
    """The first place that is free."""
    return both(*(~TABLE.meld[one].empty | (meld <= one) for one in each(Meld)))


def alternates(first: Expr[Player]) -> Expr[bool]:
    """The player who did not have the first turn last time; A in the first round."""
    return either(
        (TABLE.first == Starter.NOBODY) & (first == Player.A),
        (TABLE.first == Starter.A) & (first == Player.B),
        (TABLE.first == Starter.B) & (first == Player.A),
    )


def chosen_start(first: Expr[Player]) -> Expr[bool]:
    """Any player, where a reading says who starts a round."""
    return OPTION.next_start != "any"


def first_claim(player: Expr[Player]) -> Expr[bool]:
    """The round's points are not in the totals yet."""
    return ~TABLE.reckoned


def not_closed() -> Expr[bool]:
    """Nobody has said yet that the round is over."""
    return ~TABLE.closed


def free_take(player: Expr[Player]) -> Expr[bool]:
    """A discard that need not be used, or there is nothing else to draw."""
    return (TABLE.phase == Phase.DRAW) & ((OPTION.discard_use == "false") | nothing_to_draw(TABLE))


USUAL = Policy(
    meaning="Melds and lays off what it can, mostly as much as it can, and so goes out soon.",
    preferences=(
        Preference("round", 3, alternates),
        Preference("round", 3, chosen_start),
        Preference("deal", 10),
        Preference("deal_stock", 10),
        Preference("turn_up", 1),
        Preference("draw", 6),
        Preference("take", 2, free_take),
        Preference("turn_over", 30),
        Preference("reshuffle", 30),
        Preference("meld", 60, next_place),
        Preference("lay", 12),
        Preference("discard", 8),
        Preference("out", 2, first_claim),
        Preference("round_out", 4, first_claim),
        Preference("round_exhausted", 4, not_closed),
        Preference("score", 4),
        Preference("win", 40),
        Preference("tie", 40),
    ),
    layouts={
        "deal": some_cards(HAND),
        "deal_stock": some_cards(STOCK),
        "meld": new_meld,
        "lay": added,
        "discard": thrown,
    },
    readings={"exhausted": "turn_over"},
    attempts={"take": 0.02},
    longest=2_000,
)


# ---------------------------------------------------------------- playing for a level end

TOTALS = [new_total(TABLE, player) for player in each(Player)]
LAID = [TABLE.laid[player] for player in each(Player)]
BOLD = 0.05
"""How often a player who is level or behind takes the totals further apart, for a new chance to come together."""


def worth(mask: int) -> int:
    """The points for some cards."""
    return sum(VALUE[card // SUITS] for card in cards_of(mask))


def levelling(random: Random, look: Look, player: int, found: Iterable[int]) -> tuple[int, ...] | None:
    """Of some ways to lay down cards, the one that leaves the totals least apart; none for the player who is ahead.

    Two cards stay in hand: one for the discard, and one so that nobody goes out.
    """
    mine, theirs = look(TOTALS[player]), look(TOTALS[1 - player])
    held = look(HANDS[player]).bit_count()
    apart = {mask: abs(mine + worth(mask) - theirs) for mask in found if held - mask.bit_count() >= 2}
    if not apart or mine > theirs:
        return None
    if mine == theirs and mine >= look(OPTION.target) and (look(LAID[0]) or look(LAID[1])):
        return None
    best = min(apart, key=lambda mask: (apart[mask], mask))
    closer = apart[best] < theirs - mine
    return tuple(cards_of(best)) if closer or random.random() < BOLD else None


def level_meld(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """A set or run from the hand that brings the totals together."""
    hand = look(HANDS[player])
    return levelling(random, look, player, sets_in(hand) + runs_in(hand))


def level_addition(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """A card from the hand that a meld on the table takes and that brings the totals together."""
    fitting = takers(look(MELDS[meld])) & look(HANDS[player])
    return levelling(random, look, player, [1 << card for card in cards_of(fitting)])


RARELY = {"take": 0.5, "score": 1.5}
"""Weights that shorten the game: each take leaves a card more to be drawn, and a score needs to be said but once."""
LEVEL = replace(
    USUAL,
    preferences=tuple(replace(one, weight=RARELY.get(one.event, one.weight)) for one in USUAL.preferences),
    meaning="Who is behind catches up, who is ahead waits, and nobody goes out, so that now and then both end level.",
    layouts={**USUAL.layouts, "meld": level_meld, "lay": level_addition},
    readings={"exhausted": "end"},
)
