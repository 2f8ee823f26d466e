"""How Spit is played at random: fast and careless enough that every clause sees use."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from fairdeal.spec.language import Expr, both, each
from fairdeal.spec.language.policy import Look, Policy, Preference
from fairdeal.spec.spit.table import Phase, Pile, Player, Readings, Slot, Table, is_settled

TABLE = Table()
OPTION = Readings()


def layout(random: Random, look: Look, player: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Five stocks and a spit hand for a player, shuffled; short deals as the reading in force has it (GAP-SPIT-10).

    Where any is lawful they go row by row.
    """
    own, deck = look(TABLE.owned[Player(player)].cards), look(TABLE.deck.cards)
    cards = [code for code in range(52) if own >> code & 1]
    if deck:
        rest = [code for code in range(52) if deck >> code & 1]
        random.shuffle(rest)
        cards += rest[: 26 - len(cards)]
    random.shuffle(cards)
    if len(cards) < 15:
        return _short(cards, _slots(look)), ()
    cuts = [0, 1, 3, 6, 10, 15]
    stocks = tuple(tuple(cards[start:stop]) for start, stop in pairwise(cuts))
    return stocks, tuple(cards[15:])


def _slots(look: Look) -> list[int]:
    """The stocks in the order in which a short deal goes to them, as the reading in force has it."""
    if look(OPTION.short_deal == "in_order"):
        return [slot for slot in range(5) for _ in range(slot + 1)]
    if look(OPTION.short_deal == "robin"):
        return [slot for _ in range(3) for slot in range(5)]
    return [slot for row in range(5) for slot in range(row, 5)]


def _short(cards: list[int], slots: list[int]) -> tuple[tuple[int, ...], ...]:
    stocks: list[list[int]] = [[], [], [], [], []]
    for card, slot in zip(cards, slots, strict=False):
        stocks[slot].append(card)
    return tuple(map(tuple, stocks))


def own_pile(player: Expr[Player], pile: Expr[Pile]) -> Expr[bool]:
    """A starts pile 1 and B pile 2, and each keeps to it (GAP-SPIT-8)."""
    starting = TABLE.phase == Phase.READY
    first = ((player == Player.A) & (pile == 1)) | ((player == Player.B) & (pile == 2))
    return (starting & (first | TABLE.single)) | (~starting & (TABLE.starter[player] == pile))


def any_pile(player: Expr[Player], pile: Expr[Pile]) -> Expr[bool]:
    """After the start, now and then the other pile, which the seeds allow (GAP-SPIT-8 a)."""
    return (TABLE.phase != Phase.READY) & (TABLE.starter[player] != pile)


def uncovers(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """The card that is moved has another beneath it."""
    return TABLE.stock[player, slot].size > 1


def null(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """The card that is moved is the only one of its stock (GAP-SPIT-5), and goes to the first empty slot."""
    before = (~TABLE.stock[player, one].empty | (target <= one) for one in each(Slot))
    return both(TABLE.stock[player, slot].size == 1, *before)


def ended(player: Expr[Player], pile: Expr[Pile]) -> Expr[bool]:
    """The slap is no false one."""
    return TABLE.phase == Phase.SLAP


def first_slap(player: Expr[Player], pile: Expr[Pile]) -> Expr[bool]:
    """A slap that ends a blocked round, or is the first after it."""
    return (TABLE.phase == Phase.PLAY) & ~is_settled(TABLE)


POLICY = Policy(
    meaning="Play when it can be played, flip, move, and rarely do what is pointless.",
    preferences=(
        Preference("play", 40),
        Preference("flip", 18),
        Preference("move", 5, uncovers),
        Preference("move", 0.05, null),
        Preference("spit", 12, own_pile),
        Preference("spit", 1, any_pile),
        Preference("call", 0.08),
        Preference("stuck", 2),
        Preference("round_finished", 1),
        Preference("round_blocked", 6),
        Preference("slap", 4, ended),
        Preference("slap", 0.02, first_slap),
        Preference("collect", 2),
        Preference("score", 3),
        Preference("win", 60),
        Preference("tie", 60),
        Preference("round", 3),
        Preference("deal", 10),
    ),
    layouts={"deal": layout},
    attempts={"play": 0.03},
)
