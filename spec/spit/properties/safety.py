"""What holds of every table and every step of Spit: where the cards are, what may lie on what, who is short or done."""

from __future__ import annotations

from fairdeal.spec.language import Expr, all_of, any_of, both, each, either, enabled, implies, other
from fairdeal.spec.language.properties import Conserved, Invariant, Part, Property, Steps, after, stated
from fairdeal.spec.spit.conditions import IN_PLAY, T, of_both
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.invariants import INVARIANTS
from fairdeal.spec.spit.play import ace_allows, neighbours, play, stockless
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot, stock_cards


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
    return enabled(play, player=other(stated(play, "player")), pile=stated(play, "pile"))


CONSERVE = Property(
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
)

FIVE = Property(
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
)

ADJACENT = Property(
    "S-ADJACENT",
    "In a pile, each card is next in rank to the one beneath it unless it was spat.",
    (
        Part(
            Steps(
                adjacent_or_spat(),
                events=tuple(name for name in SPIT.events if name != "spit"),
                premise=any_of(Pile, lambda pile: after(T.pile[pile].size) > T.pile[pile].size),
            )
        ),
    ),
)

RACE = Property(
    "S-RACE",
    "Of two cards that were both playable on one top, the second is never playable after the first lands.",
    (Part(Steps(later_is_too_late(), events=("play",), premise=race_is_on())),),
)

ONE_SHORT = Property(
    "S-ONE-SHORT",
    "Both players cannot be short at once.",
    (
        Part(
            Steps(
                implies(
                    after(T.phase == Phase.READY),
                    ~both(*(after(stock_cards(T, player)) < 15 for player in each(Player))),
                ),
                events=("deal",),
                using=("what a player began a round with", "who is short keeps no spit cards"),
                premise=after((T.phase == Phase.READY) & any_of(Player, lambda player: stock_cards(T, player) < 15)),
            )
        ),
    ),
)

ONE_FINISHES = Property(
    "S-ONE-FINISHES",
    "At most one player is out of stock cards at any time.",
    (
        Part(
            Invariant(
                implies(
                    either(T.phase == Phase.READY, IN_PLAY, T.phase == Phase.SLAP)
                    & of_both(lambda player: ~T.collected[player]),
                    ~(all_of(Player, lambda player: stockless(T, player))),
                ),
                using=(
                    "both have stock cards while a round is on",
                    "who has not finished has stock cards",
                    "one player finishes",
                ),
                premise=T.phase == Phase.SLAP,
            ),
            readings={"tie": ("seq",)},
            note="with tie=draw both can be, at one instant: that is what it means",
        ),
    ),
)
