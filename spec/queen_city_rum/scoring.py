"""Points in Queen City Rum: the most and the fewest of a round, and how many rounds are won before 101 is reached."""

from __future__ import annotations

from collections.abc import Mapping

from fairdeal.spec.language.properties import Computed, Part, Property, Reached, found
from fairdeal.spec.queen_city_rum.goals import GOAL
from fairdeal.spec.queen_city_rum.points import cheapest, dearest, most_won

Readings = dict[str, tuple[str, ...]]

LAYER: Readings = {"layoff_credit": ("layer",)}
OWNER: Readings = {"layoff_credit": ("owner",), "meldless_out": ("illegal", "float")}
MELDLESS: Readings = {"layoff_credit": ("owner",), "meldless_out": ("out",)}
HIGH: Readings = {"low_ace": ("15",)}
LOW: Readings = {"low_ace": ("1",)}
SOME: Readings = {"out": ("optional", "required")}
NONE: Readings = {"out": ("none",)}
BOTH: Readings = {"melds_score": ("both",), "deduct": ("false",)}
GOER: Readings = {"melds_score": ("goer",), "deduct": ("false",), "test": ("round",)}
EACH: Readings = {"bonus": ("round",)}
ONCE: Readings = {"bonus": ("game",)}


def fewest(points: int, readings: Readings, goals: Mapping[str, Readings]) -> tuple[Part, ...]:
    """That going out brings so many points at least, and games in which it does, under the readings of each."""
    claim = Computed(
        cheapest,
        "the cheapest cards that can count, of ten or eleven that are laid and one that the opponent holds",
        f"{points} points at least, and 25 where going out is paid",
    )
    title = f"nobody goes out with fewer than {points} points for cards"
    games = (
        Part(Reached(GOAL[name], whole=True), f"a player can go out with {points} and 25", own)
        for name, own in goals.items()
    )
    return (Part(claim, title, readings, "computed"), *games)


def won(player: int, both: int, readings: Readings) -> Part:
    """That one player, and both together, can win so many rounds at most by going out before 101 is reached."""
    claim = Computed(
        most_won,
        "dividing what is below 101 by the fewest points of a round",
        f"{player} by one player at most, {both} by both together",
    )
    rounds = "round is" if both == 1 else "rounds are"
    title = f"at most {both} {rounds} won by going out before 101 is reached, {player} by one player"
    return Part(claim, title, readings, "computed")


def won_where_the_goer_scores(player: int, both: int, readings: Readings) -> Part:
    """As `won`, where the other player gets nothing: then as many rounds can be won."""
    part = won(player, both, {**GOER, **readings})
    note = "as many can be won: each may go as in the game with the fewest points, whoever goes out"
    return Part(part.claim, part.title, part.readings, part.expected, note)


MAX_ROUND = Property(
    "Q-MAX-ROUND",
    "The most points in one round; whether a game can end in its first turn.",
    (
        Part(
            Computed(dearest, "the 21 dearest cards of the pack, and 25", "254 points at most"),
            "nobody has more than 254 points for one round",
            {"meldless_out": ("illegal", "out")},
            "computed",
            "it holds whomever a lay-off counts for, since Q-ELEVEN says how many cards can be laid; with "
            "meldless_out=float, where a turn can end without a discard, more can be laid, and the most is not told",
        ),
        found(GOAL["most-points"], "a player can have as many, and the game can end in its first turn"),
    ),
)

MIN_WON = Property(
    "Q-MIN-WON",
    "The fewest points that going out can score; the most rounds won by going out before 101 is reached, by one player "
    "and by both. (Of deduct=true the rounds are not counted; with melds_score=goer they are for test=round.)",
    (
        *fewest(32, LAYER | HIGH, {"fewest-points": LAYER | HIGH | SOME, "fewest-points-none": LAYER | HIGH | NONE}),
        *fewest(22, LAYER | LOW | SOME, {"fewest-points-low": LAYER | LOW | SOME}),
        *fewest(21, LAYER | LOW | NONE, {"fewest-points-low-none": LAYER | LOW | NONE}),
        *fewest(8, OWNER | SOME, {"fewest-points-owner": OWNER | SOME}),
        *fewest(6, OWNER | NONE, {"fewest-points-owner-none": OWNER | NONE}),
        *fewest(2, MELDLESS | SOME, {"fewest-points-meldless": MELDLESS | SOME}),
        *fewest(0, MELDLESS | NONE, {"fewest-points-meldless-none": MELDLESS | NONE}),
        won(1, 1, BOTH | EACH | HIGH),
        found(GOAL["round-won"], "one can be won"),
        won(2, 2, BOTH | EACH | LOW),
        won(2, 2, BOTH | ONCE),
        *(
            Part(Reached(GOAL[name], whole=True), "two can be won", {**readings, "layoff_credit": ("layer", "owner")})
            for name, readings in (
                ("rounds-won", ONCE | SOME),
                ("rounds-won-none", ONCE | NONE),
                ("rounds-won-low", LOW | SOME | {"bonus": ("round", "game")}),
                ("rounds-won-low-none", LOW | NONE | {"bonus": ("round", "game")}),
            )
        ),
        won_where_the_goer_scores(1, 2, EACH | LAYER | HIGH),
        won_where_the_goer_scores(2, 4, EACH | LAYER | LOW),
        won_where_the_goer_scores(3, 6, EACH | OWNER),
        won_where_the_goer_scores(3, 6, EACH | MELDLESS | SOME),
        won_where_the_goer_scores(4, 8, EACH | MELDLESS | NONE),
        won_where_the_goer_scores(3, 5, ONCE | LAYER | HIGH),
        found(GOAL["rounds-won-goer"], "five can be won so, three of them by one player"),
        won_where_the_goer_scores(4, 7, ONCE | LAYER | LOW),
        won_where_the_goer_scores(12, 21, ONCE | OWNER | SOME),
        won_where_the_goer_scores(16, 28, ONCE | OWNER | NONE),
        won_where_the_goer_scores(50, 87, ONCE | MELDLESS | SOME),
        Part(
            Computed(most_won, "a round brings nothing", "any number, for it brings nothing"),
            "any number of rounds can be won by going out before 101 is reached",
            GOER | ONCE | MELDLESS | NONE,
            "computed",
            "as in the game with the fewest points, again and again",
        ),
    ),
)
