"""How a round of Spit is explored: what can happen from the first spit on, how it ends, what is alike."""

from __future__ import annotations

from functools import reduce
from operator import add

from fairdeal.spec.language import Expr, both, each, either, enabled
from fairdeal.spec.language.exploring import Bound, Eager, EndClass, Exploration, Explored, Symmetry
from fairdeal.spec.spit.measures import WORK
from fairdeal.spec.spit.play import BLOCKED, STUCK, play
from fairdeal.spec.spit.table import Phase, Pile, PileOrNone, Player, Slot, Table, stock_cards

TABLE = Table()
SLOTS = 5


def face_down(player: Expr[Player], slot: Expr[Slot]) -> Expr[bool]:
    """The card is not up yet; with ``flip=auto`` a line may say again that it is, which changes nothing."""
    return ~TABLE.up[player, slot]


def uncovers(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """The card that is moved has another beneath it."""
    return TABLE.stock[player, slot].size > 1


def alone(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """The card that is moved is the only one of its stock (GAP-SPIT-5)."""
    return TABLE.stock[player, slot].size == 1


def spreads(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """There is an empty slot for every card of the player that lies on another."""
    return uncovers(player, slot, target) & (stock_cards(TABLE, player) <= SLOTS)


IN_PLAY = TABLE.phase == Phase.PLAY
NO_HALF_SPIT = both(~TABLE.owes[Player.A], ~TABLE.owes[Player.B])
FULL = both(*(stock_cards(TABLE, player) == 15 for player in each(Player)))
SPIT_A, SPIT_B = TABLE.spit[Player.A], TABLE.spit[Player.B]

EXPLORATION = Exploration(
    part="round",
    begins=TABLE.phase == Phase.READY,
    events=(Explored("play"), Explored("flip", face_down), Explored("move", uncovers), Explored("spit")),
    null=(Explored("move", alone),),
    classes={
        "finished-a": EndClass("A has run out of stock cards (SPIT-END-1)", TABLE.finished[Player.A]),
        "finished-b": EndClass("B has run out of stock cards (SPIT-END-1)", TABLE.finished[Player.B]),
        "blocked": EndClass("nobody can play or spit, and both have stock cards left (SPIT-END-2)", BLOCKED),
        "forced-spit": EndClass(
            "nobody can play, so both have to spit (SPIT-STUCK-1)",
            both(STUCK, NO_HALF_SPIT, ~SPIT_A.empty, ~SPIT_B.empty),
            final=False,
        ),
        "lone-spit": EndClass(
            "nobody can play, and only one player has spit cards (GAP-SPIT-7, GAP-SPIT-13)",
            both(STUCK, NO_HALF_SPIT, either(~SPIT_A.empty & SPIT_B.empty, SPIT_A.empty & ~SPIT_B.empty)),
            final=False,
        ),
    },
    symmetries=(
        Symmetry.of("a player's slots can be numbered in any order", Slot, within=Player),
        Symmetry.of("the piles can change numbers", Pile, alike=(PileOrNone,)),
    ),
    eager=(
        Eager(
            "flip",
            "turning a card up takes nothing from anybody: whatever could be done before can be done after it, with "
            "the same result, and a card once up stays up until it is played or moved. A spit, forced or alone, and "
            "the end of a blocked round are possible only when no card is left to be turned up (GAP-SPIT-2, "
            "`exhaustive`). So in any round every flip can be made as soon as it is possible, and those that never "
            "came can be put in before the end, without another event or the ending becoming impossible",
            {"stuck": ("exhaustive",), "compulsion": ("none",), "flip": ("optional",)},
            proof="S-SOONER",
        ),
        Eager(
            "move",
            "with five stock cards or fewer a player has an empty slot for each card that lies on another. Moving "
            "one then takes nothing away: it can be played from where it lies now, every other card still has a slot "
            "to go to, and slots are alike. A spit and the end of a blocked round are possible only when no such move "
            "is left (GAP-SPIT-2, `exhaustive`). So in any round these moves can be made as soon as they are possible",
            {
                "stuck": ("exhaustive",),
                "compulsion": ("none",),
                "flip": ("optional", "auto"),
                "slot_reason": ("any",),
            },
            spreads,
            proof="tests/proving/test_spreading.py",
        ),
    ),
    bounds=(
        Bound("play", 29, "a player has 15 stock cards, and when one has played the last the other has one left", FULL),
        Bound("flip", 20, "each player begins with 10 cards beneath others, and each is turned up once", FULL),
        Bound("move", 20, "each player begins with 10 cards on others; a card that was moved lies alone", FULL),
        Bound("spit", 22, "the players have 22 spit cards together", FULL),
    ),
    acts="play",
    measure=reduce(add, WORK),
    can_act={name: enabled(play, player=player) for name, player in zip("AB", each(Player), strict=True)},
)
