"""Rankings of a round of Spit: that it ends, how long it can be, and what can be done sooner."""

from __future__ import annotations

from fairdeal.spec.language import Expr, Number, either
from fairdeal.spec.language.properties import Most, Part, Property, Ranking, Sooner, Steps, after, found, stated
from fairdeal.spec.spit.conditions import IN_PLAY, T, first_round, of_both
from fairdeal.spec.spit.exploration import EXPLORATION
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import GOAL
from fairdeal.spec.spit.invariants import FIRST_ROUND_INVARIANTS
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

FIRST = first_round() & either(T.phase == Phase.READY, IN_PLAY)

BEGUN = first_round() & (T.phase == Phase.READY)


def most(title: str, parts: tuple[Expr[Number], ...], events: tuple[str, ...], start: int, floor: int) -> Part:
    """How often some events can happen at most in the first round, and a game in which they do."""
    claim = Most(parts, events, start, floor, BEGUN, FIRST, GOAL["longest-round"], NO_CHANGE, FIRST_ROUND_INVARIANTS)
    return Part(
        claim,
        f"the most {title} there can be",
        {"tie": ("seq",)},
        "computed",
        "moves of a stock's only card, and cards turned up twice, are not counted",
    )


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
        most("events of the first round", WORK, ROUND, 92, 1),
        most("plays", STOCKS, ("play",), 30, 1),
        most("turned-up cards", over_slots(face_down), ("flip",), 20, 0),
        most("uncovering moves", over_slots(covered), ("move",), 20, 0),
        most("spits", SPITS, ("spit",), 22, 0),
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
        found(
            GOAL["longest-round-one-pile"],
            "a round with one pile can have 93 events",
            whole=False,
            note="28 are plays, 21 cards turned up, 21 moves, 23 spits; that no shape has more is not shown",
        ),
    ),
)
