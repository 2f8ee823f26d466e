"""What holds of every table and every step of Spit: where the cards are, what may lie on what, who is short or done."""

from __future__ import annotations

from fairdeal.spec.cards import DECK, RANKS
from fairdeal.spec.language import (
    Card,
    Expr,
    Zone,
    all_of,
    any_of,
    both,
    choose,
    each,
    either,
    enabled,
    holds,
    implies,
    other,
    rank,
    terms,
)
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.properties import ALWAYS, Conserved, Invariant, Part, Property, Steps, after, found, stated
from fairdeal.spec.spit.conditions import IN_PLAY, OPTION, T, of_both
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import GOAL
from fairdeal.spec.spit.invariants import INVARIANTS
from fairdeal.spec.spit.play import play, spit, stockless
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot, stock_cards


def next_in_rank(upper: Expr[Card], lower: Expr[Card]) -> Expr[bool]:
    """Whether a card's rank is next to that of the one beneath, as the reading of the ace has it.

    It is said rank by rank, and nothing of it is asked of the rules (SPIT-PLAY-5, SPIT-PLAY-6, GAP-SPIT-1).
    """
    barred = {("A", "2"): OPTION.ace == "cycle", ("2", "A"): OPTION.ace != "linear"}
    around = zip(RANKS, RANKS[1:] + RANKS[:1], strict=True)
    pairs = [pair for low, high in around for pair in ((low, high), (high, low))]
    return either(
        *(
            both(rank(upper) == RANKS.index(one), rank(lower) == RANKS.index(two), barred.get((one, two), ALWAYS))
            for one, two in pairs
        )
    )


def stays(pile: Zone) -> Expr[bool]:
    """Whether a pile is the same after the step: its top, how many cards it has, and which."""
    return both(after(pile.size) == pile.size, after(pile.top) == pile.top, after(pile.cards) == pile.cards)


def gets(pile: Zone, card: Expr[Card]) -> Expr[bool]:
    """Whether a pile has just this card more after the step, on top, and beneath it all that it had."""
    pack: list[Expr[Card]] = [Expr(terms.card_value(code)) for code in range(DECK)]
    kept = (after(holds(pile.cards, one)) == either(holds(pile.cards, one), card == one) for one in pack)
    return both(after(pile.size) == pile.size + 1, after(pile.top) == card, *kept)


def one_pile_gets(event: Event, card: Expr[Card]) -> Expr[bool]:
    """Whether the pile that an event names gets just that card, and the other one stays as it is."""
    goal = stated(event, "pile")
    return both(*(choose(goal == pile, gets(T.pile[pile], card), stays(T.pile[pile])) for pile in each(Pile)))


def played() -> Expr[bool]:
    """A play puts the top of its stock onto the pile that it names, next in rank to the card there."""
    stock = T.stock[stated(play, "player"), stated(play, "slot")]
    return one_pile_gets(play, stock.top) & next_in_rank(stock.top, T.pile[stated(play, "pile")].top)


def spat() -> Expr[bool]:
    """A spit puts the spitter's top spit card onto the pile that it names."""
    return one_pile_gets(spit, T.spit[stated(spit, "player")].top)


def left_alone() -> Expr[bool]:
    """Each pile stays as it is, or is taken away whole."""
    return all_of(Pile, lambda pile: stays(T.pile[pile]) | after(T.pile[pile].empty))


def taken_away() -> Expr[bool]:
    """Some pile had cards and has none after the step."""
    return any_of(Pile, lambda pile: ~T.pile[pile].empty & after(T.pile[pile].empty))


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
            Steps(played(), events=("play",), premise=~T.pile[stated(play, "pile")].empty),
            "a play puts one card on one pile, next in rank to what was its top",
        ),
        Part(
            Steps(spat(), events=("spit",), premise=~T.pile[stated(spit, "pile")].empty),
            "a spit puts one spit card of the spitter on one pile",
        ),
        Part(
            Steps(
                left_alone(),
                events=tuple(name for name in SPIT.events if name not in ("play", "spit")),
                premise=taken_away(),
            ),
            "no other event changes a pile but by taking it away whole",
            note="of a pile its top, its size and the set of its cards are compared; the rules see no more of it",
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
            "nobody is when the other is, of whom one was first",
            readings={"tie": ("seq",)},
        ),
        found(
            GOAL["draw"],
            "the same where two can run out at one instant",
            status="refuted",
            whole=False,
            note="that is what tie=draw means",
        ),
    ),
)
