"""Going out, the end of a round, scores, and the end of the game."""

from __future__ import annotations

from fairdeal.spec.language import (
    Expr,
    Number,
    any_of,
    applies,
    both,
    card_set,
    choose,
    common,
    count,
    each,
    other,
    report,
    require,
    require_recorded,
    weight,
    when,
)
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.melds import ACE, LOW_ACE, SUITS, VALUE
from fairdeal.spec.queen_city_rum.table import (
    Phase,
    Player,
    Readings,
    Suit,
    Table,
    at_once,
    is_ended,
    nothing_to_draw,
    somebody_out,
)

OPTION = Readings()
BONUS = 25


def meld_points(t: Table, player: Expr[Player]) -> Expr[Number]:
    """What the cards on the table are worth that count for a player (QCR-SCORE-1, QCR-LAY-2, GAP-QCR-6)."""
    points = weight(t.laid[player], VALUE)
    for suit, number in zip(each(Suit), range(SUITS), strict=True):
        ace = count(common(t.laid[player], card_set([ACE * SUITS + number]))) == 1
        points = points - choose((OPTION.low_ace == "1") & t.low[suit] & ace, VALUE[ACE] - LOW_ACE, 0)
    return points


def melds_reach_target(t: Table, player: Expr[Player]) -> Expr[bool]:
    """Whether a player's melds end the game at once (GAP-QCR-12, ``test=instant``)."""
    instant = (OPTION.test == "instant") & t.total_known[player]
    return instant & (t.total[player] + meld_points(t, player) >= OPTION.target)


def bonus(t: Table, player: Expr[Player]) -> Expr[Number]:
    """What a player gets for going out (QCR-SCORE-2, GAP-QCR-11)."""
    again = (OPTION.bonus == "game") & t.bonus_paid
    return choose(t.out[player] & ~again, BONUS, 0)


def caught(t: Table, player: Expr[Player]) -> Expr[Number]:
    """What a player gets for the cards that the opponent still holds (QCR-SCORE-3)."""
    return choose(t.out[player], weight(t.hand[other(player)].cards, VALUE), 0)


def for_melds(t: Table, player: Expr[Player]) -> Expr[Number]:
    """What a player gets for cards on the table (QCR-SCORE-1, GAP-QCR-9)."""
    return choose((OPTION.melds_score == "both") | t.out[player], meld_points(t, player), 0)


def deducted(t: Table, player: Expr[Player]) -> Expr[Number]:
    """What a player loses for the cards in hand (GAP-QCR-10)."""
    return choose(OPTION.deduct == "true", weight(t.hand[player].cards, VALUE), 0)


def round_points(t: Table, player: Expr[Player]) -> Expr[Number]:
    """A player's points for this round."""
    now = for_melds(t, player) + bonus(t, player) + caught(t, player) - deducted(t, player)
    return choose(t.reckoned, t.gained[player], now)


def new_total(t: Table, player: Expr[Player]) -> Expr[Number]:
    """A player's total with this round's points in it."""
    return t.total[player] + choose(t.reckoned, 0, round_points(t, player))


def reckon(t: Table) -> None:
    """Add this round's points to the totals, once."""
    with when(~t.reckoned):
        for player in each(Player):
            t.gained[player] = round_points(t, player)
            t.total[player] = t.total[player] + t.gained[player]
        with when(somebody_out(t)):
            t.bonus_paid = True
        t.reckoned = True


def totals_known(t: Table) -> Expr[bool]:
    """Whether both totals are known: a log may begin at a later round."""
    return t.total_known[Player.A] & t.total_known[Player.B]


def target_reached(t: Table) -> Expr[bool]:
    """Whether a player has the points that end the game (QCR-END-1)."""
    return any_of(Player, lambda player: new_total(t, player) >= OPTION.target)


def level(t: Table) -> Expr[bool]:
    """Whether both totals are equal."""
    a, b = each(Player)
    return new_total(t, a) == new_total(t, b)


def is_decided(t: Table) -> Expr[bool]:
    """Whether a round that is over has decided the game (QCR-END-1, GAP-QCR-14)."""
    again = level(t) & (OPTION.tie == "extra")
    return totals_known(t) & target_reached(t) & ~again


def require_round(t: Table) -> None:
    """State that a round has been dealt."""
    require(t.phase != Phase.START, "LOG-ROUND", "no round has begun")
    require(t.phase != Phase.DEAL, "LOG-ROUND", "the round has hardly begun")


@RUM.event("QCR-OUT-1", "GAP-QCR-24", claim=True)
def out(t: Table, player: Expr[Player]) -> None:
    """Claim that a player has gone out."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    size = t.hand[player].size
    may_go = t.melded[player] | (OPTION.meldless_out == "out")
    require(t.out[player] | (size == 0), "QCR-OUT-1", "{player} still holds {size} cards", size=size)
    require(t.out[player] | may_go, "QCR-OUT-1", "{player} has made no meld")
    require(t.out[player] | (size > 0) | ~may_go, "GAP-QCR-1", "{player} has an empty hand and is not out")


@RUM.event("QCR-OUT-2", name="round_out", claim=True)
def claim_out(t: Table, player: Expr[Player]) -> None:
    """Claim that the round has ended because a player is out."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(t.out[player], "QCR-OUT-2", "{player} is not out")


@RUM.event("GAP-QCR-3", name="round_exhausted")
def claim_exhausted(t: Table) -> None:
    """Claim that the round has ended because the draw pile has run out."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(~somebody_out(t), "QCR-OUT-2", "a player is out: that ended the round")
    left = t.stock.size + t.pool.size
    require(OPTION.exhausted == "end", "GAP-QCR-3", "an empty draw pile does not end the round")
    require(nothing_to_draw(t), "GAP-QCR-3", "the draw pile has {left} cards left", left=left)
    require(t.phase == Phase.DRAW, "GAP-QCR-3", "{turn} has not discarded yet", turn=t.turn)

    t.closed = True


@RUM.event("QCR-SCORE-1", "QCR-SCORE-2", "QCR-SCORE-3", "QCR-VALUE-1", "QCR-LAY-2", "GAP-QCR-10")
def score(t: Table, player: Expr[Player], points: Expr[Number], total: Expr[Number]) -> None:
    """State a player's points for the round and the new total."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over")
    require(~at_once(t), "GAP-QCR-12", "a player's melds have reached the target, and nothing but the win may follow")
    require(is_ended(t), "QCR-OUT-2", "nobody is out, so the round is not over")
    whole, gain, held = round_points(t, player), bonus(t, player), caught(t, player)
    for part, clause, text in (
        (held, "QCR-SCORE-3", "{player} gets {part} points for the opponent's hand too: {whole}, not {points}"),
        (gain, "QCR-SCORE-2", "{player} went out and gets 25 points more for that: {whole}, not {points}"),
    ):
        require((part == 0) | (points != whole - part), clause, text, whole=whole, part=part)
    melds, hands = for_melds(t, player), held - deducted(t, player)
    report(
        points,
        whole,
        "QCR-SCORE-1",
        "{player} gets {expected} points for this round, not {points}: "
        "{melds} for melds, {bonus} for going out, {hands} for cards in hands",
        melds=melds,
        bonus=whole - melds - hands,
        hands=hands,
    )
    report(
        total,
        new_total(t, player),
        "QCR-SCORE-1",
        "{player}'s total is {expected}, not {total}",
        given=t.total_known[player],
    )

    applies(t.out[player], "QCR-SCORE-2", "QCR-SCORE-3")
    applies(~t.hand[player].empty, "GAP-QCR-10")
    applies((OPTION.melds_score == "both") | t.out[player], "QCR-LAY-2")  # after a lay-off that counts; see `lay`

    reckon(t)
    t.total[player] = total
    t.total_known[player] = True


@RUM.event("QCR-GOAL-1", "QCR-END-1", "QCR-END-2", "GAP-QCR-13")
def win(t: Table, player: Expr[Player]) -> None:
    """State that a player has won the game."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over already", physical=True)
    require(is_ended(t), "QCR-OUT-2", "nobody is out, so the round is not over")
    early = at_once(t)
    require(~early | t.reached[player], "GAP-QCR-12", "{player} is not the one whose melds have reached the target")
    open_end = ~early & totals_known(t)
    require_recorded(early | totals_known(t), "QCR-END-1", "both totals before this round")
    mine, theirs = new_total(t, player), new_total(t, other(player))
    goal = OPTION.target
    require(
        ~open_end | target_reached(t),
        "QCR-END-1",
        "nobody has {goal} points: {mine} and {theirs}",
        goal=goal,
        mine=mine,
        theirs=theirs,
    )
    require(~open_end | (mine >= theirs), "QCR-END-2", "{mine} points do not beat {theirs}", mine=mine, theirs=theirs)
    require(~open_end | ~level(t), "GAP-QCR-14", "both have {mine} points, so nobody has won yet", mine=mine)

    applies(both(mine >= goal, theirs >= goal), "GAP-QCR-13")
    applies(early, "GAP-QCR-12")

    t.phase = Phase.OVER


@RUM.event("GAP-QCR-14")
def tie(t: Table) -> None:
    """State that the game ends level."""
    require_round(t)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over already", physical=True)
    require(~at_once(t), "GAP-QCR-12", "a player's melds have reached the target, and nothing but the win may follow")
    require(is_ended(t), "QCR-OUT-2", "nobody is out, so the round is not over")
    known = totals_known(t)
    require_recorded(known, "QCR-END-1", "both totals before this round")
    require(~known | target_reached(t), "QCR-END-1", "no total has reached the target")
    require(~known | level(t), "QCR-END-2", "the totals differ, and the higher one wins")
    require(OPTION.tie == "shared", "GAP-QCR-14", "equal totals are played off in a further round")

    applies(True, "QCR-END-1", "QCR-END-2")

    t.phase = Phase.OVER


RUM.claims.update(
    {
        "QCR-VALUE-1": "A wrong value of a card shows in a wrong score: QCR-SCORE-1 or QCR-SCORE-3.",
        "QCR-LAY-2": "Points that were not given for a lay-off show in a wrong score: QCR-SCORE-1.",
    }
)
RUM.define("complete", Table().phase == Phase.OVER)
RUM.define("out", somebody_out(Table()))
RUM.define("ended", is_ended(Table()))
