"""Ending a round and a game: claims, slapping, collecting, scoring, winning."""

from __future__ import annotations

from fairdeal.spec.language import (
    Expr,
    Number,
    any_of,
    applies,
    choose,
    each,
    either,
    other,
    pour,
    report,
    require,
    require_recorded,
    when,
)
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.play import BLOCKED, CAN_PLAY, CAN_UNCOVER, HIDES, count_left, who_can_go_on
from fairdeal.spec.spit.table import (
    Phase,
    Pile,
    PileOrNone,
    Player,
    Readings,
    Slot,
    Table,
    drawn,
    fresh_deals,
    is_settled,
    nobody_finished,
    not_finished,
    scored,
    spit_left,
    stock_cards,
    stock_left,
    taken,
    will_own,
)

OPTION = Readings()
TARGET = 100


def is_ended(t: Table) -> Expr[bool]:
    """Whether the round has ended, by a finish, or because nobody can play or spit (SPIT-END-1, SPIT-END-2)."""
    return either(t.phase == Phase.SLAP, BLOCKED)


def is_won(t: Table) -> Expr[bool]:
    """Whether a player has won the standard game (SPIT-WIN-3)."""
    return t.won[Player.A] | t.won[Player.B]


def slap_due(t: Table) -> Expr[bool]:
    """Whether a slap has to decide who takes which pile before a round can follow (SPIT-SLAP-1, GAP-SPIT-24)."""
    return ~is_settled(t) & ~is_won(t) & ~(fresh_deals() & (OPTION.left != "owned"))


def close(t: Table) -> None:
    """Note that a blocked round has ended (SPIT-END-2)."""
    with when(t.phase == Phase.PLAY):
        t.phase = Phase.SLAP
        count_left(t)


def points_by(t: Table, player: Expr[Player], left: str) -> Expr[Number]:
    """The points of a player for this round, as one reading of "cards left" counts them (GAP-SPIT-23)."""
    if left == "owned":
        return will_own(t, player)
    stock = stock_left(t, player)
    return stock if left == "stock" else stock + spit_left(t, player)


def round_points(t: Table, player: Expr[Player]) -> Expr[Number]:
    """The points of a player for this round (SPIT-VAR-1, GAP-SPIT-23)."""
    counted = points_by(t, player, "unplayed")
    for left in ("stock", "owned"):
        counted = choose(OPTION.left == left, points_by(t, player, left), counted)
    return counted


def new_total(t: Table, player: Expr[Player]) -> Expr[Number]:
    """A player's total with this round's points in it."""
    return t.total[player] + choose(t.reckoned, 0, round_points(t, player))


def reckon(t: Table) -> None:
    """Add this round's points to the totals, once."""
    with when(scored() & ~t.reckoned):
        for player in each(Player):
            t.total[player] = t.total[player] + round_points(t, player)
        t.reckoned = True


def require_count(t: Table) -> None:
    """It is known how many cards each player owns, where the points are those (GAP-SPIT-23, ``left=owned``)."""
    require(
        ~scored() | (OPTION.left != "owned") | is_settled(t),
        "SPIT-SLAP-1",
        "nobody has slapped a pile, so it is open how many cards each owns",
    )


def totals_known(t: Table) -> Expr[bool]:
    """Whether both totals are known: a log may begin at a later round."""
    return t.total_known[Player.A] & t.total_known[Player.B]


def highest(t: Table) -> Expr[bool]:
    """Whether a total is 100 or more (SPIT-VAR-2)."""
    return any_of(Player, lambda player: new_total(t, player) >= TARGET)


def level(t: Table) -> Expr[bool]:
    """Whether both totals are equal."""
    a, b = each(Player)
    return new_total(t, a) == new_total(t, b)


def target_reached(t: Table) -> Expr[bool]:
    """Whether the scored game has come to its end (SPIT-VAR-2, GAP-SPIT-25)."""
    again = (level(t) | ~totals_known(t)) & (OPTION.variant_tie == "extra_round")
    return is_ended(t) & highest(t) & ~again


def out_of_cards(t: Table) -> Expr[bool]:
    """Whether a player would own no cards, which ends a scored game with carried cards (GAP-SPIT-24)."""
    carried = OPTION.variant_deal == "carry"
    return carried & is_ended(t) & any_of(Player, lambda player: will_own(t, player) == 0)


@SPIT.event("SPIT-END-1", claim=True)
def round_finished(t: Table, player: Expr[Player]) -> None:
    """Claim that the round has ended because a player is out of stock cards."""
    require(~(t.phase == Phase.PLAY), "SPIT-END-1", "{player} still has {n} stock cards", n=stock_cards(t, player))
    require(t.phase == Phase.SLAP, "LOG-ROUND", "no round has just ended")
    require(t.finished[player], "SPIT-END-1", "{player} has not run out of stock cards")


@SPIT.event("SPIT-END-2", claim=True)
def round_blocked(t: Table) -> None:
    """Claim that the round has ended because nobody can play or spit."""
    require(either(t.phase == Phase.SLAP, t.phase == Phase.PLAY), "LOG-ROUND", "no round is in play")
    require(nobody_finished(t), "SPIT-END-1", "a player has run out of stock cards: the round is finished, not blocked")
    who, going = who_can_go_on()
    require(is_ended(t), "SPIT-END-2", "the round is not blocked: {who} {going}", who=who, going=going)

    close(t)


@SPIT.event("SPIT-SLAP-1", "SPIT-SLAP-2", "SPIT-SLAP-3", beyond={"pile": "SPIT-SLAP-1"})
def slap(t: Table, player: Expr[Player], pile: Expr[Pile]) -> None:
    """Slap a spit pile; the first slap of a round fixes both piles.

    After a draw with one pile the other player may be left without any card, and so has won (GAP-SPIT-17).
    """
    for phase in (Phase.START, Phase.DEAL, Phase.READY):
        require(t.phase != phase, "SPIT-SLAP-1", "no round has ended")
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    for one in each(Player):
        require(~t.owes[one], "GAP-SPIT-26", "{debtor} has yet to turn up the other half of the spit", debtor=one)
    require(is_ended(t) | (OPTION.false_slap == "ignore"), "GAP-SPIT-19", "the round is not over: this slap is false")
    for one in each(Player):
        require(~t.won[one], "SPIT-WIN-3", "{winner} has won the game: nothing is left to slap for", winner=one)
    require(
        ~t.single | nobody_finished(t) | drawn(t),
        "SPIT-WIN-1",
        "with one pile nobody slaps: the finisher takes nothing",
    )
    by_slap = t.slapped[other(player)] != 0
    require(
        ~(t.single & is_settled(t) & is_ended(t)) | by_slap | (t.slapped[player] != 0),
        "GAP-SPIT-14",
        "who takes the pile is settled without a slap",
    )
    require(t.slapped[player] == 0, "SPIT-SLAP-1", "{player} has slapped already")
    require(~t.collected[Player.A] & ~t.collected[Player.B], "SPIT-SLAP-1", "the piles have been taken already")
    require(
        ~(is_ended(t) & t.single) | (t.solo == pile),
        "SPIT-SHORT-2",
        "this round has one spit pile, and it is {solo}",
        solo=t.solo,
    )
    require(
        (OPTION.slapper == "both") | t.finished[player] | nobody_finished(t),
        "GAP-SPIT-19",
        "only the player who finished chooses a pile",
    )

    ended, theirs = is_ended(t), t.slapped[other(player)]
    applies(ended, "SPIT-SLAP-1")
    applies(ended & ~t.single & (theirs != pile), "SPIT-SLAP-2")
    applies(ended & ~t.single & (theirs == pile), "SPIT-SLAP-3")
    applies(~ended | (~t.finished[player] & ~nobody_finished(t)), "GAP-SPIT-19")
    applies(ended & t.single & nobody_finished(t), "GAP-SPIT-14")
    applies(ended & (t.phase == Phase.PLAY), "SPIT-END-2")

    with when(is_ended(t)):
        close(t)
        t.slapped[player] = pile
        with when(~is_settled(t)):
            t.settled = True
            t.takes[player] = pile
            t.takes[other(player)] = choose(t.single, 0, other(pile))
            with when(t.single & t.finished[player] & ~scored()):  # with one pile, a draw
                t.won[other(player)] = t.spit[other(player)].empty


@SPIT.event("SPIT-COLLECT-1", "SPIT-WIN-2")
def collect(t: Table, player: Expr[Player], pile: Expr[PileOrNone], total: Expr[Number]) -> None:
    """State which pile a player took, and how many cards the player then owns."""
    opponent = other(player)
    require(either(t.phase == Phase.OVER, is_ended(t)), "SPIT-COLLECT-1", "no round has just ended")
    require(~t.collected[player], "SPIT-COLLECT-1", "{player} has collected already")
    require(is_settled(t) | is_won(t), "SPIT-SLAP-1", "nobody has slapped a pile, so it is open who takes which")
    require(
        ~(t.single & t.finished[player]) | drawn(t) | (pile == 0),
        "SPIT-WIN-1",
        "{player} finished with one pile in play, and takes nothing from the centre",
    )
    require(
        ~(t.single & nobody_finished(t)) | (pile == taken(t, player)),
        "GAP-SPIT-14",
        "in this blocked round with one pile {player} takes {taken}, not {pile}",
        taken=taken(t, player),
    )
    both_slapped = t.slapped[player] == t.slapped[opponent]
    require(
        ~(both_slapped & (t.slapped[player] != 0)) | (pile == taken(t, player)),
        "SPIT-SLAP-3",
        "both slapped {slapped}, and by the order of the slaps {player} takes {taken}, not {pile}",
        slapped=t.slapped[player],
        taken=taken(t, player),
    )
    require(
        ~(t.single & t.finished[opponent]) | drawn(t) | (pile == taken(t, player)),
        "SPIT-WIN-2",
        "{opponent} finished with one pile in play, so {player} takes {taken}, not {pile}",
        opponent=opponent,
        taken=taken(t, player),
    )
    report(
        pile,
        taken(t, player),
        "SPIT-SLAP-2",
        "{player} takes {expected}, not {pile}",
        given=is_settled(t),
    )
    report(
        total,
        will_own(t, player, pile),
        "SPIT-COLLECT-1",
        "{player} then owns {expected} cards, not {total}",
    )

    lone_finish = t.single & ~nobody_finished(t) & ~drawn(t)
    applies(lone_finish & t.finished[player], "SPIT-WIN-1")
    applies(lone_finish & t.finished[opponent], "SPIT-WIN-2")
    applies(t.single & nobody_finished(t), "GAP-SPIT-14")
    applies(~t.single & (t.slapped[player] != t.slapped[opponent]), "SPIT-SLAP-2")
    applies(t.phase == Phase.PLAY, "SPIT-END-2")

    close(t)
    with when((pile != 0) & ~(t.single & t.settled)):
        t.settled = True
        t.takes[player] = pile
        t.takes[opponent] = choose(t.single, 0, choose(pile == 1, 2, 1))
    t.collected[player] = True
    pour(t.spit[player], t.owned[player])
    for slot in each(Slot):
        pour(t.stock[player, slot], t.owned[player])
    for one in each(Pile):
        with when(pile == one):
            pour(t.pile[one], t.owned[player])


@SPIT.event("SPIT-VAR-1")
def score(t: Table, player: Expr[Player], points: Expr[Number], total: Expr[Number]) -> None:
    """State the points of a round and a player's new total, in the scored game."""
    require(scored(), "SPIT-VAR-1", "points are counted only in the scored game (rules: scored)")
    require(either(t.phase == Phase.OVER, is_ended(t)), "SPIT-VAR-1", "no round has just ended")
    require_count(t)
    readings = (points == points_by(t, player, left) for left in ("unplayed", "stock", "owned"))
    require(
        either(*readings),
        "SPIT-VAR-1",
        "{player} has {counted} points for this round, not {points}",
        counted=round_points(t, player),
    )
    report(
        points, round_points(t, player), "GAP-SPIT-23", "{player} has {expected} points for this round, not {points}"
    )
    report(
        total,
        new_total(t, player),
        "SPIT-VAR-1",
        "{player}'s total is {expected}, not {total}",
        given=t.total_known[player],
    )

    close(t)
    reckon(t)
    t.total[player] = total
    t.total_known[player] = True


@SPIT.event("SPIT-WIN-3", "SPIT-GOAL-1", "GAP-SPIT-16", "GAP-SPIT-17", "SPIT-VAR-3")
def win(t: Table, player: Expr[Player]) -> None:
    """State that a player has won the game."""
    opponent = other(player)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over already", physical=True)
    standard, rid = ~scored(), t.finished[player]
    require(standard | is_ended(t), "SPIT-VAR-2", "no round has just ended")
    left, so = not_finished(t, player)
    require(~standard | rid, "SPIT-WIN-3", "{player} has {left} stock cards left{so}", left=left, so=so)
    require(
        ~standard | t.spit[player].empty,
        "SPIT-WIN-4",
        "{player} still has {n} spit cards, so the game goes on",
        n=t.spit[player].size,
    )
    require(
        ~(standard & rid & t.spit[player].empty) | t.won[player] | t.single,
        "GAP-SPIT-15",
        "{player} finished in a round with two piles: the game goes on",
    )
    require(~standard | t.won[player], "SPIT-WIN-3", "{player} has not won")
    require_count(t)
    known = totals_known(t)
    require_recorded(standard | known, "SPIT-VAR-2", "both totals before this round")
    over = highest(t) | out_of_cards(t)
    started = t.starter[player] != 0
    require(standard | ~known | over, "SPIT-VAR-2", "no total has reached 100")
    require(
        standard | ~known | (new_total(t, player) < new_total(t, opponent)),
        "SPIT-VAR-3",
        "the smallest score wins: {mine} is not less than {theirs}",
        mine=new_total(t, player),
        theirs=new_total(t, opponent),
    )

    applies(standard, "SPIT-GOAL-1")
    applies(standard & t.single & ~started, "SPIT-WIN-3")
    applies(standard & t.single & started, "GAP-SPIT-16")
    applies(standard & ~t.single, "GAP-SPIT-15")
    applies(either(standard & drawn(t), out_of_cards(t)), "GAP-SPIT-17")
    applies(scored(), "SPIT-VAR-2", "SPIT-VAR-3")

    close(t)
    t.phase = Phase.OVER


@SPIT.event("GAP-SPIT-25")
def tie(t: Table) -> None:
    """State that the game ends level, in the scored game."""
    require(t.phase != Phase.OVER, "LOG-END", "the game is over already", physical=True)
    require(scored(), "SPIT-WIN-3", "a standard game has one winner")
    require(is_ended(t), "SPIT-VAR-2", "no round has just ended")
    require_count(t)
    known = totals_known(t)
    require_recorded(known, "SPIT-VAR-2", "both totals before this round")
    require(~known | highest(t) | out_of_cards(t), "SPIT-VAR-2", "no total has reached 100")
    require(~known | level(t), "SPIT-VAR-3", "the totals differ, and the smallest score wins")
    require(
        (OPTION.variant_tie == "shared") | out_of_cards(t),
        "GAP-SPIT-25",
        "equal totals are played off in a further round",
    )

    applies(True, "SPIT-VAR-2", "SPIT-VAR-3")

    close(t)
    t.phase = Phase.OVER


SPIT.define("complete", Table().phase == Phase.OVER)


SPIT.define(
    "stalled",
    either(
        (Table().phase == Phase.PLAY) & ~CAN_PLAY & CAN_UNCOVER & (~either(*HIDES) | (OPTION.flip == "optional")),
        is_ended(Table()) & slap_due(Table()) & Table().single,
    ),
)
"""Only cards can be turned up or moved, which nobody has to do (GAP-SPIT-3), or a lone pile slapped (GAP-SPIT-14)."""
