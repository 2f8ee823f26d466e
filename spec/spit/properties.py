"""The properties of Spit: what is proved, refuted or computed of its rules, and under which readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairdeal.spec.language import (
    Expr,
    Number,
    all_of,
    any_of,
    both,
    each,
    either,
    enabled,
    implies,
    other,
)
from fairdeal.spec.language.properties import (
    Computed,
    Conserved,
    Goal,
    Invariant,
    Most,
    Part,
    Properties,
    Property,
    Ranking,
    Reached,
    Sooner,
    Steps,
    after,
    stated,
)
from fairdeal.spec.spit.chances import nobody_can_play, told
from fairdeal.spec.spit.ending import is_ended, round_points, totals_known
from fairdeal.spec.spit.exploration import EXPLORATION
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import CAN_GO_ON, GOALS
from fairdeal.spec.spit.invariants import INVARIANTS, OPTION, T, first_round, of_both, piles_in_play
from fairdeal.spec.spit.measures import SPITS, STOCKS, WORK, covered, face_down, over_slots
from fairdeal.spec.spit.play import (
    CAN_PLAY,
    CAN_UNCOVER,
    ace_allows,
    flip,
    move_card,
    neighbours,
    play,
    stockless,
)
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot, is_settled, scored, stock_cards, will_own

TURNED_AT_ONCE = next(one for one in EXPLORATION.eager if one.event == "flip")
IN_PLAY = T.phase == Phase.PLAY
ROUND = ("play", "flip", "move", "spit")
ALL = tuple(INVARIANTS)
GOAL = {goal.name: goal for goal in GOALS}
EVERY_ACE = ("cycle", "literal", "linear")
REPAIRED = {
    "lone_spit": ("alone", "end_round"),
    "fifteen": ("single",),
    "blocked": ("cards",),
}
"""Every reading of both games but those that take a repair of the text back."""


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


# ---------------------------------------------------------------- measures, each a sum over slots and players


NO_CHANGE = {
    "move": T.stock[stated(move_card, "player"), stated(move_card, "slot")].size == 1,
    "flip": T.up[stated(flip, "player"), stated(flip, "slot")],
}
"""Where an event of a round does not count: it changes nothing, or not for good."""

FIRST = first_round() & either(T.phase == Phase.READY, IN_PLAY)
BEGUN = first_round() & (T.phase == Phase.READY)
FIRST_USING = (
    "an even deal is of 26 cards",
    "an even deal makes two piles",
    "both have dealt",
    "who has dealt has stock cards",
    "both have stock cards while a round is on",
    "nobody has finished while a round is on",
    "face up means a card",
    "who owes a half of a spit",
    "who has not dealt has nothing on the table",
)


def most(parts: tuple[Expr[Number], ...], events: tuple[str, ...], start: int, floor: int) -> Part:
    """How often some events can happen at most in the first round, and a game in which they do."""
    titles = {ROUND: "events of the first round", ("play",): "plays", ("flip",): "turned-up cards"}
    titles |= {("move",): "uncovering moves", ("spit",): "spits"}
    claim = Most(parts, events, start, floor, BEGUN, FIRST, GOAL["longest-round"], NO_CHANGE, FIRST_USING)
    return Part(
        claim,
        f"the most {titles[events]} there can be",
        {"tie": ("seq",)},
        "computed",
        "moves of a stock's only card, and cards turned up twice, are not counted",
    )


def points_at_most(title: str, points: int, **readings: str) -> Part:
    """In the scored game nobody has more points than that for a round, counted as the readings say."""
    known = (OPTION.left != "owned") | is_settled(T)
    most = of_both(lambda player: round_points(T, player) <= points)
    claim = Invariant(
        implies(scored() & is_ended(T) & known, most),
        using=ALL,
        premise=T.phase == Phase.SLAP,
        counting=True,
    )
    return Part(claim, title, {"variant": ("scored",), **{name: (value,) for name, value in readings.items()}})


def chance(on_piles: int) -> Computed:
    """The exact probability that none of ten tops can be played on so many cards."""

    def compute(options: Mapping[str, int]) -> str:
        return told(nobody_can_play(options, on_piles))

    return Computed(compute, "counting the ranks of all deals, in fractions")


def aces(claim: Computed, title: str) -> tuple[Part, ...]:
    """The same figure for every reading of the ace."""
    return tuple(Part(claim, f"{title}, ace={ace}", {"ace": (ace,)}, "computed") for ace in EVERY_ACE)


def found(name: str, title: str, *, status: str = "proved", whole: bool = True, note: str = "") -> Part:
    """A game that shows something."""
    goal: Goal = GOAL[name]
    readings = {option: (value,) for option, value in goal.readings.items()}
    return Part(Reached(goal, status, whole=whole), title, readings, status, note)


def finisher_owns(least: int) -> Expr[bool]:
    """Whatever pile a player takes after the first round, with the spit cards left it is so many cards at least."""
    piles = of_both(lambda player: all_of(Pile, lambda pile: T.pile[pile].size + T.spit[player].size >= least))
    return implies(IN_PLAY & first_round() & of_both(lambda player: ~T.owes[player]), piles)


def still_stuck(condition: Expr[bool], title: str) -> Part:
    """Where nobody can play, turn up or uncover a card, a condition holds after every event but a spit."""
    dead = IN_PLAY & ~CAN_PLAY & ~CAN_UNCOVER
    claim = Steps(
        implies(dead, after((T.phase != Phase.PLAY) | condition)),
        events=tuple(name for name in SPIT.events if name != "spit"),
        using=("face up means a card", "a slot with cards was not emptied"),
        premise=dead,
    )
    return Part(claim, title, {"stuck": ("exhaustive",)})


def without_cards(claim: Callable[[Expr[Player]], Expr[bool]]) -> Invariant:
    """What holds of a player who is left without any card by a standard round that has ended and is settled."""
    return Invariant(
        implies(
            is_ended(T) & is_settled(T) & ~scored(),
            of_both(lambda player: implies(will_own(T, player) == 0, claim(player))),
        ),
        using=ALL,
        premise=any_of(Player, lambda player: T.settled & (will_own(T, player) == 0)),
        counting=True,
    )


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
                        premise=any_of(Pile, lambda pile: after(T.pile[pile].size) > T.pile[pile].size),
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
                    Ranking(WORK, ROUND, exempt=NO_CHANGE, within=IN_PLAY, premise=IN_PLAY),
                    "a round without null moves ends",
                    note="moving a stock's only card, or turning up what is up, changes nothing and does not count",
                ),
                found("livelock", "a round with null moves ends", status="refuted"),
            ),
        ),
        Property(
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
        ),
        Property(
            "S-BOUNDS",
            "The most plays, turned-up cards, moves, spits and events of a round, and the fewest plays.",
            (
                most(WORK, ROUND, 92, 1),
                most(STOCKS, ("play",), 30, 1),
                most(over_slots(face_down), ("flip",), 20, 0),
                most(over_slots(covered), ("move",), 20, 0),
                most(SPITS, ("spit",), 22, 0),
                Part(
                    Steps(
                        of_both(lambda player: stock_cards(T, player) <= after(stock_cards(T, player)) + 1),
                        events=tuple(name for name in SPIT.events if name not in ("round", "collect", "deal")),
                        premise=IN_PLAY,
                    ),
                    "a finished round has 15 plays of its winner, or with one pile as many as a short deal has cards",
                    note="no event takes more than one stock card from a player, and the finisher has none left",
                ),
                found("finished", "with one pile, one play is enough to finish", whole=False),
                found(
                    "longest-round-one-pile",
                    "a round with one pile can have 93 events",
                    whole=False,
                    note="28 are plays, 21 cards turned up, 21 moves, 23 spits; that no shape has more is not shown",
                ),
            ),
        ),
        Property(
            "S-PROGRESS",
            "Every reachable table has an event that the rules enable, or the game is over.",
            (
                Part(
                    Invariant(CAN_GO_ON, using=ALL, premise=IN_PLAY, counting=True),
                    "something can always happen with the text repaired",
                    REPAIRED,
                    note="it holds whatever all other options are, in the standard game and the scored one",
                ),
                found("deadlock", "something can always happen literally, with exactly 15 cards", status="refuted"),
                found(
                    "deadlock-lone-spit",
                    "something can always happen literally, with one player without spit cards",
                    status="refuted",
                    whole=False,
                ),
                found("deadlock-piles", "something can always happen literally (“their spit piles”)", status="refuted"),
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
        Property(
            "S-STUCK-AT-START",
            "The exact probability that nobody can play right after the first spit.",
            (
                *aces(chance(2), "the probability with two piles"),
                *aces(chance(1), "the probability with one pile and ten tops"),
            ),
        ),
        Property(
            "S-PLAYLESS",
            "A round without one play: whether there is one, and its probability with respit=own.",
            (
                found("playless", "a round without one play can happen"),
                *aces(chance(22), "the probability of one in the first round, respit=own"),
            ),
        ),
        Property(
            "S-HELPLESS",
            "A player can lose a round, and a whole game, without ever having had a legal play.",
            (
                found("helpless", "a player can lose a round so"),
                found("helpless-game", "a player can lose a whole game so"),
            ),
        ),
        Property(
            "S-FIRST-ROUND",
            "The first round cannot win the game; two rounds can.",
            (
                Part(
                    Steps(
                        implies(first_round(), ~after(T.won[Player.A]) & ~after(T.won[Player.B])),
                        events=("play",),
                        using=(*FIRST_USING, "who has won has ended a round"),
                        premise=first_round() & any_of(Player, lambda player: after(T.finished[player])),
                    ),
                    "the first round cannot win the game",
                    {"win_scope": ("single",)},
                    note="it is about the first round of a game that its log has from round 1 on",
                ),
                found("shortest-game", "two rounds can win the game"),
            ),
        ),
        Property(
            "S-FEWEST",
            "The fewest cards that a player can own after winning round 1; the fewest plays of a game's winner.",
            (
                Part(
                    Invariant(
                        finisher_owns(1),
                        using=("piles while a round is in play", "an even deal makes two piles"),
                        premise=IN_PLAY & first_round(),
                    ),
                    "respit=any: the winner of round 1 owns one card at least",
                    {"respit": ("any",)},
                    note="so a winner in two rounds makes 16 plays at least: 15 of stock cards, and one, with one pile "
                    "(S-ONE-PILE-END), of each card that came to them",
                ),
                Part(
                    Invariant(finisher_owns(11), using=ALL, premise=IN_PLAY & first_round()),
                    "respit=own, distinct: the winner of round 1 owns eleven cards at least",
                    {"respit": ("own", "distinct")},
                    note="so a winner in two rounds makes 26 plays at least",
                ),
                found("shortest-game", "a winner of round 1 can own one card, and win with 16 plays"),
                found(
                    "shortest-game-own", "respit=own: a winner of round 1 can own eleven cards, and win with 26 plays"
                ),
                found(
                    "shortest-game-distinct",
                    "respit=distinct: a winner of round 1 can own eleven cards, and win with 26 plays",
                ),
            ),
        ),
        Property(
            "S-FIFTEEN",
            "A round can begin with exactly 15 cards on one side, and with fewer.",
            (
                found("fifteen", "a round can begin with exactly 15 cards on one side"),
                found("fewer", "a round can begin with 14 cards on one side"),
            ),
        ),
        Property(
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
                        premise=after(
                            (T.phase == Phase.READY) & any_of(Player, lambda player: stock_cards(T, player) < 15)
                        ),
                    )
                ),
            ),
        ),
        Property(
            "S-FOREVER",
            "A game can have unboundedly many rounds.",
            (
                found("for-ever", "the standard game can have unboundedly many rounds"),
                Part(
                    Steps(
                        implies(
                            both(
                                scored() & is_ended(T) & ~T.reckoned & totals_known(T),
                                *((T.total[player] >= 0) & (T.total[player] < 100) for player in each(Player)),
                            ),
                            after(T.total[Player.A] + T.total[Player.B]) > T.total[Player.A] + T.total[Player.B],
                        ),
                        events=("round", "score"),
                        using=ALL,
                        premise=is_ended(T),
                    ),
                    "the scored game cannot: every round adds to the totals, so 200 rounds are too many",
                    {"tie": ("seq",), "variant": ("scored",), "variant_tie": ("shared",)},
                    note="it is not said of games where two can run out at one instant: such a round may add nothing",
                ),
                found(
                    "for-ever-level",
                    "the scored game can where equal totals are played off",
                    note="equal points in every round leave the totals level, however many there are",
                ),
            ),
        ),
        Property(
            "S-MAX-SCORE",
            "The most points in one round, for each reading of `left`.",
            (
                points_at_most(
                    "left=unplayed: nobody has more than 25 points", 25, left="unplayed", variant_deal="fresh"
                ),
                found("most-points", "left=unplayed: a player can have 25 points"),
                points_at_most(
                    "left=unplayed, cards carried: nobody has more than 50 points",
                    50,
                    left="unplayed",
                    variant_deal="carry",
                ),
                found("most-points-carried", "left=unplayed, cards carried: a player can have 50 points", whole=False),
                points_at_most("left=stock: nobody has more than 15 points", 15, left="stock"),
                found("most-stock", "left=stock: a player can have 15 points"),
                points_at_most("left=owned: nobody has more than 51 points", 51, left="owned", variant_deal="fresh"),
                found(
                    "most-owned",
                    "left=owned: a player can have 51 points",
                    note="not 52: who finishes owns one pile at least",
                ),
                points_at_most(
                    "left=owned, cards carried: nobody has more than 52 points", 52, left="owned", variant_deal="carry"
                ),
                found("most-owned-carried", "left=owned, cards carried: a player can have 52 points", whole=False),
            ),
        ),
        Property(
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
        ),
        Property(
            "S-STUCK-STABLE",
            "Once stuck, nothing but a spit makes a play possible.",
            (
                still_stuck(~CAN_PLAY, "nobody can play after an event that is no spit"),
                still_stuck(~CAN_UNCOVER, "nobody can turn up or uncover a card then either, so that it stays so"),
            ),
        ),
        Property(
            "S-ONE-PILE-END",
            "With one pile, the short player finishing first ends the game, and nobody owns no cards otherwise.",
            (
                Part(
                    Steps(
                        both(
                            *(
                                implies(
                                    T.single & ~scored() & T.spit[player].empty & after(T.finished[player]),
                                    after(T.won[player] | T.finished[other(player)]),
                                )
                                for player in each(Player)
                            )
                        ),
                        events=("play",),
                        using=("nobody has finished while a round is on",),
                        premise=T.single & any_of(Player, lambda one: T.spit[one].empty & after(T.finished[one])),
                    ),
                    "who finishes without spit cards has won",
                    {"tie": ("seq",)},
                ),
                Part(
                    without_cards(
                        lambda player: both(T.won[player], T.single, T.finished[player], ~T.finished[other(player)])
                    ),
                    "who is left without cards has finished first, with one pile, and has won",
                    {"variant": ("standard",), "tie": ("seq",), "win_scope": ("single",)},
                ),
                Part(
                    without_cards(lambda player: T.won[player]),
                    "after a draw too, where a slap decides, who is left without cards has won",
                    {"variant": ("standard",), "tie": ("draw",), "win_scope": ("single",)},
                    note="traces/legal/gap-spit-17-nothing-left-after-a-draw is such a game",
                ),
                Part(
                    without_cards(lambda _: either(*(T.won[one] for one in each(Player)))),
                    "nobody is left without cards while the game goes on",
                    {"variant": ("standard",), "win_scope": ("any",)},
                    note="once the game is won with two piles, a log may say that a player took none",
                ),
            ),
        ),
    ),
    GOALS,
    CAN_GO_ON,
    counting=("deal",),
)
"""Everything that is claimed of Spit."""
