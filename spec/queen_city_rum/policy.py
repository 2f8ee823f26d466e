"""How Queen City Rum is played at random: keen enough to go out, careless enough that every clause sees use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from fairdeal.spec.language import Expr, both, each, either
from fairdeal.spec.language.policy import Look, Policy, Preference
from fairdeal.spec.queen_city_rum.deal import HAND, STOCK
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS, SUITS
from fairdeal.spec.queen_city_rum.table import Meld, Phase, Player, Readings, Starter, Table

TABLE = Table()
OPTION = Readings()
PACK = (1 << 52) - 1
ALL_MELDS = frozenset((*SETS, *RUNS))
HASTE = 0.85
"""How often a discard is the card that is least likely to be melded, and not any card."""


def cards_of(mask: int) -> Iterator[int]:
    """The cards of a set, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def some_cards(count: int) -> Callable[..., tuple[int, ...]]:
    """Any ``count`` cards of the deck."""

    def layout(random: Random, look: Look, *choices: int) -> tuple[int, ...]:
        return tuple(random.sample(list(cards_of(look(TABLE.deck.cards))), count))

    return layout


def sets_in(hand: int) -> list[int]:
    """Every set that a hand holds, as masks; of four cards also the three-card ones."""
    found = []
    rank = 0
    while hand >> rank:
        four = hand >> rank & 15
        if four.bit_count() >= 3:
            found += [part << rank for part in _PARTS[four]]
        rank += SUITS
    return found


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
    return [run for run in found if run in ALL_MELDS]


_PARTS = [[part for part in range(1, 16) if part & ~four == 0 and part.bit_count() >= 3] for four in range(16)]


def new_meld(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """A set or run from the hand, big ones more gladly than small ones."""
    hand = look(TABLE.hand[Player(player)].cards)
    found = sets_in(hand) + runs_in(hand)
    if not found:
        return None
    big = max(mask.bit_count() for mask in found)
    if random.random() < HASTE:
        found = [mask for mask in found if mask.bit_count() == big]
    return tuple(cards_of(random.choice(found)))


def added(random: Random, look: Look, player: int, meld: int) -> tuple[int, ...] | None:
    """Cards from the hand that a meld on the table takes, one or several."""
    hand, goal = look(TABLE.hand[Player(player)].cards), look(TABLE.meld[meld].cards)
    near = (goal << SUITS | goal >> SUITS | goal << 48 | goal >> 48 | _of_rank(goal)) & ~goal & hand & PACK
    cards = [card for card in cards_of(near) if goal | 1 << card in ALL_MELDS]
    if not cards:
        return None
    chosen = 1 << random.choice(cards)
    while random.random() < HASTE:
        more = [card for card in cards_of(hand & ~chosen) if goal | chosen | 1 << card in ALL_MELDS]
        if not more:
            break
        chosen |= 1 << random.choice(more)
    return tuple(cards_of(chosen))


def _of_rank(goal: int) -> int:
    low = (goal & -goal).bit_length() - 1
    return 15 << low // SUITS * SUITS


def thrown(random: Random, look: Look, player: int) -> tuple[int, ...] | None:
    """One card to discard: mostly one that has few others near it."""
    hand = look(TABLE.hand[Player(player)].cards)
    cards = list(cards_of(hand))
    if not cards:
        return None
    if random.random() < HASTE:
        near = [(_company(hand, card), card) for card in cards]
        least = min(near)[0]
        cards = [card for company, card in near if company == least]
    return (random.choice(cards),)


def _company(hand: int, card: int) -> int:
    line = hand << 52 | hand | hand << 104
    at = card + 52
    beside = (line >> at - 4 & 1) + (line >> at + 4 & 1)
    apart = (line >> at - 8 & 1) + (line >> at + 8 & 1)
    alike = (hand >> card // SUITS * SUITS & 15).bit_count() - 1
    return 2 * beside + apart + 2 * alike


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


def dry(player: Expr[Player]) -> Expr[bool]:
    """A discard to take while there is a draw pile, or where nothing else is left."""
    return TABLE.phase == Phase.DRAW


POLICY = Policy(
    preferences=(
        Preference("round", 3, alternates),
        Preference("round", 3, chosen_start),
        Preference("deal", 10),
        Preference("deal_stock", 10),
        Preference("turn_up", 1),
        Preference("draw", 6),
        Preference("take", 2, dry),
        Preference("turn_over", 30),
        Preference("reshuffle", 30),
        Preference("meld", 60, next_place),
        Preference("lay", 12),
        Preference("discard", 8),
        Preference("out", 2, first_claim),
        Preference("round_out", 4, first_claim),
        Preference("round_exhausted", 4),
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
    reasons={"QCR-TURN-1": "turn"},
)
