"""Rankings of a round of Spit: that it ends, how long it can be, and what can be done sooner."""

from __future__ import annotations

from fairdeal.spec.language import Expr, Number, either
from fairdeal.spec.language.properties import Most, Part, Property, Ranking, Sooner, Steps, after, found, stated
from fairdeal.spec.spit.conditions import IN_PLAY, T, of_both
from fairdeal.spec.spit.exploration import EXPLORATION
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import GOAL
from fairdeal.spec.spit.measures import SPITS, STOCKS, WORK, covered, face_down, over_slots
from fairdeal.spec.spit.play import flip, move_card
from fairdeal.spec.spit.table import Phase, stock_cards

TURNED_AT_ONCE = next(one for one in EXPLORATION.eager if one.event == "flip")

ROUND = ("play", "flip", "move", "spit")

NO_CHANGE = {
    "move": T.stock[stated(move_card, "player"), stated(move_card, "slot")].size == 1,
    "flip": T.up[stated(flip, "player"), stated(flip, "slot")],
}
"""Where an event of a round does not count: it changes nothing, or not for good."""

ON = either(T.phase == Phase.READY, IN_PLAY)
PILES = {"two piles": ~T.single, "one pile": T.single}
LAID_OUT = (
    "how cards are laid out",
    "what a player began a round with",
    "who has dealt has left the other a card",
    "both have stock cards while a round is on",
    "nobody has finished while a round is on",
    "who owes a half of a spit",
    "face up means a card",
    "who has not dealt has nothing on the table",
)
"""What the bounds of a round rest on."""


def most(
    title: str,
    parts: tuple[Expr[Number], ...],
    events: tuple[str, ...],
    number: int,
    goal: str,
    piles: str,
    *,
    tie: str = "",
) -> Part:
    """How often some events can happen at most in a round with so many piles, and a game in which they do.

    If two cannot finish at one instant, who has not finished has a stock card left when a round ends, which is one of
    the measure. If they can, a play may follow one that has ended the round.
    """
    floor = int(tie == "seq")
    within = PILES[piles] & either(ON, T.phase == Phase.SLAP)
    begins = PILES[piles] & (T.phase == Phase.READY)
    claim = Most(parts, events, number + floor, floor, begins, within, GOAL[goal], NO_CHANGE, LAID_OUT)
    said = f", tie={tie}" if tie else ""
    return Part(
        claim,
        f"the most {title} of any round with {piles}{said}",
        {"tie": (tie,)} if tie else {},
        "computed",
        f"{COUNTS[piles]}; moves of a stock's only card, and cards turned up twice, are not counted",
    )


COUNTS = {
    "two piles": "with two piles both players have 15 stock cards and 22 spit cards together, however many each owns",
    "one pile": "with one pile, of whose players one has s cards in k stocks, the ranking begins at 72 + 2s - 2k, "
    "which is most for 14 cards in three stocks",
}


TERMINATES = Property(
    "S-TERMINATES",
    "A round without null moves ends: every play, turned-up card, uncovering move and spit lowers a ranking.",
    (
        Part(
            Ranking(WORK, ROUND, exempt=NO_CHANGE, within=IN_PLAY, premise=IN_PLAY),
            "a round without null moves ends",
            note="moving a stock's only card, or turning up what is up, changes nothing and does not count",
        ),
        found(GOAL["livelock"], "a round with null moves ends", status="refuted"),
    ),
)

SOONER = Property(
    "S-SOONER",
    "A card can be turned up as soon as that is possible, and no ending of a round is lost by it.",
    (
        Part(
            Sooner(
                "flip",
                EXPLORATION.events,
                over=either(*(one.condition for one in EXPLORATION.classes.values() if one.final)),
                asked=tuple(one.condition for one in EXPLORATION.classes.values()),
                within=~T.same_instant,
                using=(
                    "face up means a card",
                    "who owes a half of a spit",
                    "both have stock cards while a round is on",
                    "nobody has finished while a round is on",
                ),
            ),
            readings=TURNED_AT_ONCE.holds_under,
            note="it is turned up before all else of a round without null moves, which ends by S-TERMINATES",
        ),
    ),
)

BOUNDS = Property(
    "S-BOUNDS",
    "The most plays, turned-up cards, moves, spits and events of a round, and the fewest plays.",
    (
        most("events", WORK, ROUND, 91, "longest-round", "two piles", tie="seq"),
        most("events", WORK, ROUND, 92, "longest-round-drawn", "two piles", tie="draw"),
        most("plays", STOCKS, ("play",), 29, "longest-round", "two piles", tie="seq"),
        most("plays", STOCKS, ("play",), 30, "longest-round-drawn", "two piles", tie="draw"),
        most("turned-up cards", over_slots(face_down), ("flip",), 20, "longest-round", "two piles"),
        most("uncovering moves", over_slots(covered), ("move",), 20, "longest-round", "two piles"),
        most("spits", SPITS, ("spit",), 22, "longest-round", "two piles"),
        most("events", WORK, ROUND, 93, "longest-round-one-pile", "one pile", tie="seq"),
        most("events", WORK, ROUND, 94, "longest-round-one-pile-drawn", "one pile", tie="draw"),
        most("plays", STOCKS, ("play",), 29, "most-plays-one-pile", "one pile", tie="seq"),
        most("plays", STOCKS, ("play",), 30, "most-plays-one-pile-drawn", "one pile", tie="draw"),
        most("turned-up cards", over_slots(face_down), ("flip",), 21, "longest-round-one-pile", "one pile"),
        most("uncovering moves", over_slots(covered), ("move",), 21, "longest-round-one-pile", "one pile"),
        most("spits", SPITS, ("spit",), 36, "most-spits-one-pile", "one pile"),
        Part(
            Steps(
                of_both(lambda player: stock_cards(T, player) <= after(stock_cards(T, player)) + 1),
                events=tuple(name for name in SPIT.events if name not in ("round", "collect", "deal")),
                premise=IN_PLAY,
            ),
            "a finished round has 15 plays of its winner, or with one pile as many as a short deal has cards",
            note="no event takes more than one stock card from a player, and the finisher has none left",
        ),
        found(GOAL["finished"], "with one pile, one play is enough to finish", whole=False),
    ),
)
