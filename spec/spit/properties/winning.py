"""From round to round of Spit: when the game can be won, with how few cards, and whether it has to end."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.spec.language import Expr, all_of, any_of, both, choose, each, either, implies, other
from fairdeal.spec.language.properties import Invariant, Part, Property, Steps, after, found, stated
from fairdeal.spec.spit.conditions import IN_PLAY, T, first_round, of_both
from fairdeal.spec.spit.ending import is_ended, totals_known
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.goals import GOAL
from fairdeal.spec.spit.invariants import FIRST_ROUND_INVARIANTS, INVARIANTS
from fairdeal.spec.spit.measures import plays_to_win
from fairdeal.spec.spit.play import play
from fairdeal.spec.spit.table import Phase, Pile, Player, Readings, is_settled, scored, will_own


def finisher_owns(least: int) -> Expr[bool]:
    """Whatever pile a player takes after the first round, with the spit cards left it is so many cards at least."""
    piles = of_both(lambda player: all_of(Pile, lambda pile: T.pile[pile].size + T.spit[player].size >= least))
    return implies(IN_PLAY & first_round() & of_both(lambda player: ~T.owes[player]), piles)


NEARER_USING = (
    "15 stock cards at most are dealt",
    "no cards are held while a round is on",
    "who has dealt holds no cards",
    "who has not dealt has nothing on the table",
    "who has collected has nothing on the table",
    "who has collected nothing holds no cards",
    "who has finished has no stock cards",
    "who has won has ended a round",
    "who has won has finished",
    "nobody has finished while a round is on",
    "before the first round",
    "both have dealt",
)


def no_nearer() -> Part:
    """In a game told from its first round on, nothing but a play brings a player nearer to winning."""
    late = T.opening & (T.round != 1) & (T.phase == Phase.DEAL)
    void = T.single & (Readings().single_stuck == "void")
    cases = [(T.phase == phase) & one for phase in Phase for one in (void, ~void)]  # the solver takes them one by one
    kept = [after(plays_to_win(player)) >= plays_to_win(player) for player in each(Player)]
    claim = Steps(
        both(*(implies(case & ~late, one) for case in cases for one in kept)),
        events=tuple(name for name in SPIT.events if name != "play"),
        using=NEARER_USING,
        premise=~late,
        counting=True,
    )
    return Part(claim, "nothing but a play brings a player nearer to winning", {"variant": ("standard",)})


def nearer_by_one() -> Part:
    """A play brings who makes it nearer to winning by one card at most, and the other player not at all."""
    who = stated(play, "player")
    claim = Steps(
        of_both(lambda player: after(plays_to_win(player)) + choose(who == player, 1, 0) >= plays_to_win(player)),
        events=("play",),
        using=NEARER_USING,
        premise=any_of(Player, lambda player: after(plays_to_win(player)) < plays_to_win(player)),
    )
    return Part(
        claim,
        "a play does so by one card, for who makes it alone: so a winner makes 15 plays at least",
        {"variant": ("standard",)},
        note="before the first deal a player is 15 plays away, and who has won none",
    )


def without_cards(claim: Callable[[Expr[Player]], Expr[bool]]) -> Invariant:
    """What holds of a player who is left without any card by a standard round that has ended and is settled."""
    return Invariant(
        implies(
            is_ended(T) & is_settled(T) & ~scored(),
            of_both(lambda player: implies(will_own(T, player) == 0, claim(player))),
        ),
        using=tuple(INVARIANTS),
        premise=any_of(Player, lambda player: T.settled & (will_own(T, player) == 0)),
        counting=True,
    )


def adds_up() -> Steps:
    """A round of the scored game that is counted adds something to the totals."""
    return Steps(
        implies(
            both(
                scored() & is_ended(T) & ~T.reckoned & totals_known(T),
                *((T.total[player] >= 0) & (T.total[player] < 100) for player in each(Player)),
            ),
            after(T.total[Player.A] + T.total[Player.B]) > T.total[Player.A] + T.total[Player.B],
        ),
        events=("round", "score"),
        using=tuple(INVARIANTS),
        premise=is_ended(T),
    )


FIRST_ROUND = Property(
    "S-FIRST-ROUND",
    "The first round cannot win the game; two rounds can.",
    (
        Part(
            Steps(
                implies(first_round(), ~after(T.won[Player.A]) & ~after(T.won[Player.B])),
                events=("play",),
                using=(*FIRST_ROUND_INVARIANTS, "who has won has ended a round"),
                premise=first_round() & any_of(Player, lambda player: after(T.finished[player])),
            ),
            "the first round cannot win the game",
            {"win_scope": ("single",)},
            note="it is about the first round of a game that its log has from round 1 on",
        ),
        found(GOAL["shortest-game"], "two rounds can win the game"),
    ),
)

FEWEST = Property(
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
            note="so who wins both of two rounds makes 16 plays at least: 15, and one of each card owned then",
        ),
        Part(
            Invariant(finisher_owns(11), using=tuple(INVARIANTS), premise=IN_PLAY & first_round()),
            "respit=own, distinct: the winner of round 1 owns eleven cards at least",
            {"respit": ("own", "distinct")},
            note="so who wins both of two rounds makes 26 plays at least",
        ),
        no_nearer(),
        nearer_by_one(),
        found(GOAL["fewest-plays"], "a player can win with 15 plays, none of them in round 1"),
        found(GOAL["fewest-plays-own"], "respit=own: a player can win with 15 plays, none of them in round 1"),
        found(
            GOAL["fewest-plays-distinct"], "respit=distinct: a player can win with 15 plays, none of them in round 1"
        ),
        found(
            GOAL["shortest-game"], "who wins round 1 can own one card then, and win round 2 too with 16 plays in all"
        ),
        found(
            GOAL["shortest-game-own"],
            "respit=own: who wins round 1 can own eleven cards, and win round 2 too with 26 plays in all",
        ),
        found(
            GOAL["shortest-game-distinct"],
            "respit=distinct: who wins round 1 can own eleven cards, and win round 2 too with 26 plays in all",
        ),
    ),
)

FIFTEEN = Property(
    "S-FIFTEEN",
    "A round can begin with exactly 15 cards on one side, and with fewer.",
    (
        found(GOAL["fifteen"], "a round can begin with exactly 15 cards on one side"),
        found(GOAL["fewer"], "a round can begin with 14 cards on one side"),
    ),
)

FOREVER = Property(
    "S-FOREVER",
    "A game can have unboundedly many rounds.",
    (
        found(GOAL["for-ever"], "the standard game can have unboundedly many rounds"),
        Part(
            adds_up(),
            "the scored game cannot: every round adds to the totals, so 200 rounds are too many",
            {"tie": ("seq",), "variant": ("scored",), "variant_tie": ("shared",)},
        ),
        Part(
            adds_up(),
            "nor can it where all that a player owns is counted, however rounds end",
            {"left": ("owned",), "variant": ("scored",), "variant_tie": ("shared",)},
        ),
        found(
            GOAL["for-ever-drawn"],
            "the scored game can where both can run out at one instant, and stock cards alone are counted",
            note="such a round adds nothing to either total",
        ),
        found(
            GOAL["for-ever-level"],
            "the scored game can where equal totals are played off",
            note="equal points in every round leave the totals level, however many there are",
        ),
    ),
)

ONE_PILE_END = Property(
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
            without_cards(lambda player: both(T.won[player], T.single, T.finished[player], ~T.finished[other(player)])),
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
)
