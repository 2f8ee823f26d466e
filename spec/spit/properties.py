"""The properties of Spit: what is proved, refuted or computed of its rules, and under which readings."""

from __future__ import annotations

from fairdeal.spec.language import (
    Expr,
    Number,
    all_of,
    any_of,
    both,
    choose,
    each,
    either,
    enabled,
    implies,
    other,
)
from fairdeal.spec.language.properties import (
    Conserved,
    Invariant,
    Part,
    Properties,
    Property,
    Ranking,
    Steps,
    after,
    stated,
)
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import CAN_GO_ON, GOALS
from fairdeal.spec.spit.invariants import INVARIANTS, T, of_both, piles_in_play
from fairdeal.spec.spit.play import ace_allows, flip, move_card, neighbours, play
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot

IN_PLAY = T.phase == Phase.PLAY


def adjacent_or_spat() -> Expr[bool]:
    """Each pile stays as it is, is taken away whole, or gets one card on top that is next to the one beneath it."""
    steps = []
    for pile in each(Pile):
        here = T.pile[pile]
        stays = (after(here.size) == here.size) & (after(here.top) == here.top)
        grown = (after(here.size) == here.size + 1) & neighbours(after(here.top), here.top)
        steps.append(either(stays, after(here.empty), grown & ace_allows(after(here.top), here.top)))
    return both(*steps)


def later_is_too_late() -> Expr[bool]:
    """Of all other cards that could lie on this pile, none can once this one does."""
    player, slot, pile = (stated(play, name) for name in ("player", "slot", "pile"))
    return both(
        *(
            implies(
                ((player != who) | (slot != where)) & enabled(play, player=who, slot=where, pile=pile),
                ~after(enabled(play, player=who, slot=where, pile=pile)),
            )
            for who in each(Player)
            for where in each(Slot)
        )
    )


def race_is_on() -> Expr[bool]:
    """Another player's card could be played on the same top."""
    pile = stated(play, "pile")
    return enabled(play, player=other(stated(play, "player")), pile=pile)


def work_left() -> tuple[Expr[Number], ...]:
    """Three for each stock card, one for each spit card and face-down top, less two for each stock.

    A play takes three, of which a new face-down top gives one back, or an emptied slot two; a turned-up card and a
    spit take one; a move that uncovers a card makes a stock, which takes two, and a face-down top, which gives one
    back.
    """
    parts: list[Expr[Number]] = [T.spit[player].size + 0 for player in each(Player)]
    for player in each(Player):
        for slot in each(Slot):
            stock = T.stock[player, slot]
            hidden = choose(~stock.empty & ~T.up[player, slot], 1, 0)
            parts.append(stock.size + stock.size + stock.size - choose(stock.empty, 0, 2) + hidden)
    return tuple(parts)


ROUND = ("play", "flip", "move", "spit")

PROPERTIES = Properties(
    SPIT,
    INVARIANTS,
    (
        Property(
            "S-CONSERVE",
            "The 52 cards are always partitioned over stocks, spit hands and piles: none lost, none twice.",
            (
                Part(
                    Conserved(
                        using=(
                            "before the first round",
                            "who has not dealt has nothing on the table",
                            "who has collected has nothing on the table",
                            "cards are collected after a round",
                        )
                    )
                ),
            ),
        ),
        Property(
            "S-FIVE",
            "A player never has more than five stocks, and no stock more than five cards; only tops are face up.",
            (
                Part(
                    Invariant(
                        both(
                            INVARIANTS["face up means a card"],
                            of_both(lambda player: all_of(Slot, lambda slot: T.stock[player, slot].size <= 5)),
                        ),
                        using=("face up means a card", "who has not dealt has nothing on the table"),
                        premise=IN_PLAY & any_of(Player, lambda player: any_of(Slot, lambda slot: T.up[player, slot])),
                    ),
                    note="a slot is one of five, and what is face up is noted of tops alone",
                ),
            ),
        ),
        Property(
            "S-ADJACENT",
            "In a pile, each card is next in rank to the one beneath it unless it was spat.",
            (
                Part(
                    Steps(
                        adjacent_or_spat(),
                        events=tuple(name for name in SPIT.events if name != "spit"),
                        premise=IN_PLAY,
                    )
                ),
            ),
        ),
        Property(
            "S-RACE",
            "Of two cards that were both playable on one top, the second is never playable after the first lands.",
            (Part(Steps(later_is_too_late(), events=("play",), premise=race_is_on())),),
        ),
        Property(
            "S-TERMINATES",
            "A round without null moves ends: every play, turned-up card, uncovering move and spit lowers a ranking.",
            (
                Part(
                    Ranking(
                        work_left(),
                        ROUND,
                        exempt={
                            "move": T.stock[stated(move_card, "player"), stated(move_card, "slot")].size == 1,
                            "flip": T.up[stated(flip, "player"), stated(flip, "slot")],
                        },
                        within=IN_PLAY,
                        premise=IN_PLAY,
                    ),
                    note="moving a stock's only card, or turning up what is up, changes nothing and does not count",
                ),
            ),
        ),
        Property(
            "S-END2",
            "The end-of-round clause read literally (“their spit piles”) can never hold during play: no pile is empty.",
            (
                Part(
                    Invariant(
                        implies(IN_PLAY, piles_in_play()),
                        using=(
                            "who owes a half of a spit",
                            "who has won has ended a round",
                            "no pile before the first spit",
                            "piles while a round is started",
                            "piles while a round is in play",
                        ),
                        premise=IN_PLAY,
                    )
                ),
            ),
        ),
    ),
    GOALS,
    CAN_GO_ON,
)
"""Everything that is claimed of Spit."""
