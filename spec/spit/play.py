"""A round in play: playing, turning up, moving, spitting, and being stuck."""

from __future__ import annotations

from fairdeal.spec.language import (
    Card,
    Expr,
    Zone,
    all_of,
    applies,
    both,
    choose,
    each,
    either,
    enabled,
    implies,
    leads_to,
    move,
    other,
    rank,
    remark,
    report,
    require,
    when,
)
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.table import (
    Goer,
    Going,
    Phase,
    Pile,
    Player,
    Readings,
    Slot,
    Table,
    drawn,
    hidden_top,
    nothing_settled,
    scored,
    stock_cards,
)

ACE, TWO = 0, 1
AROUND = 12  # the step between ace and king
OPTION = Readings()


def neighbours(card: Expr[Card], top: Expr[Card]) -> Expr[bool]:
    """Whether two cards are next to each other in rank, king and ace included (SPIT-PLAY-5, SPIT-PLAY-6)."""
    step = rank(card) - rank(top)
    return either(step == 1, step == -1, step == AROUND, step == -AROUND)


def ace_allows(card: Expr[Card], top: Expr[Card]) -> Expr[bool]:
    """Whether the reading of the ace lets the one lie on the other (GAP-SPIT-1)."""
    ace_on_two = (rank(card) == ACE) & (rank(top) == TWO)
    two_on_ace = (rank(card) == TWO) & (rank(top) == ACE)
    return ~(ace_on_two & (OPTION.ace != "cycle")) & ~(two_on_ace & (OPTION.ace == "linear"))


def require_play(t: Table, unless: Expr[bool] | None = None) -> None:
    """A round is in play, and no joint spit is half done; ``unless`` excuses a round that has just ended."""
    require(t.phase != Phase.START, "LOG-ROUND", "no round has begun")
    require(t.phase != Phase.DEAL, "SPIT-START-1", "not both players have dealt their cards yet")
    require(t.phase != Phase.READY, "SPIT-START-1", "the round has not been started by both players' spit")
    in_play = t.phase != Phase.SLAP
    require(in_play if unless is None else in_play | unless, "SPIT-END-1", "round {round} has ended", round=t.round)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    for player in each(Player):
        require(~t.owes[player], "GAP-SPIT-26", "{debtor} has yet to turn up the other half of the spit", debtor=player)


def require_top(t: Table, stock: Zone, slot: Expr[Slot], card: Expr[Card], *, up: Expr[bool]) -> None:
    """The card is the face-up top of the stock."""
    require(~stock.empty, "SPIT-PLAY-4", "stock {slot} is empty", physical=True, slot=slot)
    require(up, "SPIT-FLIP-1", "the top of stock {slot} is face down", slot=slot)
    report(
        card, stock.top, "SPIT-PLAY-4", "the top of stock {slot} is {expected}, not {card}", physical=True, slot=slot
    )


def stockless(t: Table, player: Expr[Player]) -> Expr[bool]:
    """Whether all five slots of a player are empty."""
    return all_of(Slot, lambda slot: t.stock[player, slot].empty)


def count_left(t: Table) -> None:
    """Count the cards that are left to each player, before they are collected (GAP-SPIT-14, GAP-SPIT-23)."""
    for player in each(Player):
        t.left_stock[player] = stock_cards(t, player)
        t.left_spit[player] = t.spit[player].size


def finish(t: Table, player: Expr[Player]) -> None:
    """End the round because the player is out of stock cards (SPIT-END-1, SPIT-WIN-1 to 3).

    Where both are at the same instant, neither was first: nobody has won, and a slap decides (GAP-SPIT-18).
    """
    opponent = other(player)
    t.phase = Phase.SLAP
    t.finished[player] = True
    count_left(t)
    with when(t.single):
        t.settled = ~drawn(t)
        t.takes[opponent] = t.solo
    t.won[opponent] = False
    t.won[player] = both(~drawn(t), ~scored(), t.spit[player].empty, either(t.single, OPTION.win_scope == "any"))


@SPIT.event("SPIT-PLAY-5", "SPIT-PLAY-1", "SPIT-PLAY-4", "SPIT-PLAY-6", "SPIT-PLAY-3", beyond={"slot": "SPIT-PLAY-4"})
def play(t: Table, player: Expr[Player], slot: Expr[Slot], pile: Expr[Pile], card: Expr[Card]) -> None:
    """Play the face-up top card of a stock onto a spit pile."""
    stock, target = t.stock[player, slot], t.pile[pile]
    drawing = (OPTION.tie == "draw") & t.same_instant & t.finished[other(player)] & nothing_settled(t)
    require_play(t, unless=drawing & (stock_cards(t, player) == 1))
    require(~t.single | (t.solo == pile), "SPIT-SHORT-2", "this round has one spit pile, and it is {solo}", solo=t.solo)
    require_top(t, stock, slot, card, up=t.up[player, slot])
    require(neighbours(card, target.top), "SPIT-PLAY-5", "{card} does not follow {top}", top=target.top)
    require(ace_allows(card, target.top), "GAP-SPIT-1", "by this reading {card} does not follow {top}", top=target.top)
    require(
        ~((OPTION.flip == "forced") & hidden_top(t, player)), "GAP-SPIT-4", "{player} must turn up the next card first"
    )

    last = stock_cards(t, player) == 1
    applies(rank(target.top) == ACE, "SPIT-PLAY-6")
    applies((rank(card) == ACE) & (rank(target.top) == TWO), "GAP-SPIT-1")
    applies(last, "SPIT-END-1")
    rid = last & t.single & t.spit[player].empty & ~scored()
    applies(rid & (t.starter[player] == 0), "SPIT-WIN-3")
    applies(rid & (t.starter[player] != 0), "GAP-SPIT-16")

    move(stock, target)
    t.up[player, slot] = (OPTION.flip == "auto") & ~stock.empty
    t.played_out[player, slot] = stock.empty
    with when(stockless(t, player) & ((t.phase == Phase.PLAY) | drawing)):
        finish(t, player)


def require_no_duty(t: Table, player: Expr[Player]) -> None:
    """No rule obliges the player to play instead (GAP-SPIT-3, ``compulsion=forced``)."""
    duty = OPTION.compulsion == "forced"
    require(~(duty & enabled(play, player=player)), "GAP-SPIT-3", "{player} can play a card, and so must")


@SPIT.event("SPIT-FLIP-1", "SPIT-MOVE-2", beyond={"slot": "SPIT-FLIP-1"})
def flip(t: Table, player: Expr[Player], slot: Expr[Slot], card: Expr[Card]) -> None:
    """Turn up the top card of a stock."""
    stock = t.stock[player, slot]
    require_play(t)
    require(~stock.empty, "SPIT-FLIP-1", "stock {slot} is empty", physical=True)
    require(~t.up[player, slot] | (OPTION.flip == "auto"), "SPIT-FLIP-1", "the top of stock {slot} is face up already")
    report(card, stock.top, "SPIT-FLIP-1", "the top of stock {slot} is {expected}, not {card}", physical=True)
    require_no_duty(t, player)

    applies(OPTION.flip != "optional", "GAP-SPIT-4")

    t.up[player, slot] = True


@SPIT.event("SPIT-MOVE-1", "SPIT-MOVE-3", "SPIT-PLAY-3", name="move")
def move_card(t: Table, player: Expr[Player], slot: Expr[Slot], target: Expr[Slot], card: Expr[Card]) -> None:
    """Move the face-up top card of a stock into an empty slot."""
    stock, goal = t.stock[player, slot], t.stock[player, target]
    alone = stock.size == 1
    require_play(t)
    require(goal.empty, "SPIT-MOVE-3", "slot {target} is not empty, and a player has no more than five stocks")
    require(
        (OPTION.slot_reason == "any") | t.played_out[player, target],
        "GAP-SPIT-6",
        "slot {target} was not emptied by playing its cards",
    )
    require(~stock.empty, "SPIT-MOVE-1", "stock {slot} is empty", physical=True)
    require(t.up[player, slot], "SPIT-MOVE-1", "the top of stock {slot} is face down")
    report(card, stock.top, "SPIT-MOVE-1", "the top of stock {slot} is {expected}, not {card}", physical=True)
    require(
        ~(alone & (OPTION.null_move == "forbid")), "GAP-SPIT-5", "{card} is the only card of its stock: nothing changes"
    )
    require(
        ~((OPTION.flip == "forced") & hidden_top(t, player)), "GAP-SPIT-4", "{player} must turn up the next card first"
    )
    require_no_duty(t, player)

    remark(alone, "GAP-SPIT-5", "{card} is the only card of its stock: the move changes nothing")
    applies(alone, "GAP-SPIT-5")
    leads_to("flip", "SPIT-MOVE-2", ~alone, player=player, slot=slot)
    applies(~t.played_out[player, target], "GAP-SPIT-6")

    with when(~(alone & (OPTION.null_move == "ignore"))):
        move(stock, goal)
        t.up[player, target] = True
        t.up[player, slot] = (OPTION.flip == "auto") & ~stock.empty
        t.played_out[player, target] = False


TABLE = Table()


PLAYS = [enabled(play, player=player) for player in each(Player)]
HIDES = [hidden_top(TABLE, player) for player in each(Player)]
MOVES_OFF = [
    enabled(move_card, lambda player, slot, target: TABLE.stock[player, slot].size > 1, player=player)
    for player in each(Player)
]
"""For A and for B, whether the player can play a card, turn one up, and move one off another."""

CAN_PLAY = SPIT.define("can_play", either(*PLAYS))
"""Somebody can play a stock card now."""

CAN_UNCOVER = SPIT.define("can_uncover", either(*HIDES, *MOVES_OFF))
"""Somebody can turn up a card, or move one off another (GAP-SPIT-2)."""

IS_STUCK = ~CAN_PLAY & ((OPTION.stuck == "plays_only") | ~CAN_UNCOVER)
"""Neither player can play, as the reading in force understands it (SPIT-STUCK-1, GAP-SPIT-2)."""

STUCK = SPIT.define("stuck", (TABLE.phase == Phase.PLAY) & IS_STUCK)


A_DOES, B_DOES, NOBODY = each(Goer)
PLAYING, TURNING_UP, MOVING, SPITTING, NOTHING = each(Going)
WHO_PLAYS = choose(PLAYS[0], A_DOES, B_DOES)
WHO_UNCOVERS = choose(either(*HIDES), choose(HIDES[0], A_DOES, B_DOES), choose(MOVES_OFF[0], A_DOES, B_DOES))
UNCOVERING = choose(either(*HIDES), TURNING_UP, MOVING)
"""For messages: who can play a card; who can turn one up, or else move one off another, and which of these it is."""


def who_can_go_on() -> tuple[Expr[Goer], Expr[Going]]:
    """Who can do what while a round is in play that is not over, for a message."""
    a, b = each(Player)
    out_a, out_b = TABLE.spit[a].empty, TABLE.spit[b].empty
    owing = TABLE.owes[a] | TABLE.owes[b]
    closed = ~owing & either(out_a & out_b, (out_a | out_b) & (OPTION.lone_spit != "alone"))
    a_spits = choose(owing, TABLE.owes[a], ~out_a)
    who = choose(closed, NOBODY, choose(a_spits, A_DOES, B_DOES))
    going = choose(closed, NOTHING, SPITTING)
    uncovers = ~owing & CAN_UNCOVER & (OPTION.stuck == "exhaustive")
    who, going = choose(uncovers, WHO_UNCOVERS, who), choose(uncovers, UNCOVERING, going)
    return choose(CAN_PLAY, WHO_PLAYS, who), choose(CAN_PLAY, PLAYING, going)


def no_spit(t: Table) -> Expr[bool]:
    """Whether no spit can follow: nobody has a spit card, or one has none where both must (GAP-SPIT-7)."""
    a, b = each(Player)
    out_a, out_b = t.spit[a].empty, t.spit[b].empty
    return (out_a & out_b) | ((OPTION.lone_spit == "end_round") & (out_a | out_b))


BLOCKED = SPIT.define(
    "blocked",
    both(
        TABLE.phase == Phase.PLAY,
        ~TABLE.owes[Player.A],
        ~TABLE.owes[Player.B],
        OPTION.blocked == "cards",
        no_spit(TABLE),
        IS_STUCK,
    ),
)
"""The round has ended without anybody finishing (SPIT-END-2, read as "spit cards")."""


@SPIT.event(
    "SPIT-START-1", "SPIT-STUCK-1", "SPIT-STUCK-2", "GAP-SPIT-7", "GAP-SPIT-13", beyond={"pile": "SPIT-STUCK-2"}
)
def spit(t: Table, player: Expr[Player], pile: Expr[Pile], card: Expr[Card]) -> None:
    """Turn up the top spit card onto a spit pile: to start a round, or because nobody can play."""
    opponent = other(player)
    hand = t.spit[player]
    starting, running = t.phase == Phase.READY, t.phase == Phase.PLAY
    first_half = running & ~t.owes[player]
    lone = t.spit[opponent].empty
    consent = (OPTION.compulsion == "consent_spit") & ~lone

    require(t.phase != Phase.START, "LOG-ROUND", "no round has begun")
    require(t.phase != Phase.DEAL, "SPIT-START-1", "not both players have dealt their cards yet")
    require(t.phase != Phase.SLAP, "SPIT-END-1", "round {round} has ended", round=t.round)
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(~t.owes[opponent], "GAP-SPIT-26", "{player} has spat already: {opponent}'s half is due", opponent=opponent)
    require(~hand.empty, "SPIT-SHORT-2", "{player} has no spit card", physical=True)
    report(card, hand.top, "SPIT-START-1", "{player}'s top spit card is {expected}, not {card}", physical=True)
    require(
        implies(starting & ~t.single, t.pile[pile].empty),
        "SPIT-START-1",
        "pile {pile} has been started: each player starts one",
    )
    require(
        implies(starting, ~lone | t.single | t.owes[player]),
        "SPIT-START-1",
        "both must spit, and {opponent} has no spit card",
        opponent=opponent,
    )
    require(
        implies(running & t.single, t.solo == pile),
        "SPIT-SHORT-2",
        "this round has one spit pile, and it is {solo}",
        solo=t.solo,
    )
    require(implies(~consent, ~CAN_PLAY), "SPIT-STUCK-1", "nobody may spit yet: {who} can play a card", who=WHO_PLAYS)
    require(
        implies(first_half & ~consent & (OPTION.stuck == "exhaustive"), ~CAN_UNCOVER),
        "GAP-SPIT-2",
        "nobody may spit yet: {who} {going}",
        who=WHO_UNCOVERS,
        going=UNCOVERING,
    )
    require(implies(first_half & lone, OPTION.lone_spit == "alone"), "GAP-SPIT-7", "{player} cannot spit alone")
    require(
        implies(running & (OPTION.respit == "own"), t.starter[player] == pile),
        "GAP-SPIT-8",
        "{player} spits onto the pile that {player} started",
    )
    require(
        implies(OPTION.respit == "distinct", t.spat != pile),
        "GAP-SPIT-8",
        "the other spit card went onto pile {pile} already",
    )
    require(
        implies(OPTION.lone_sticky == "true", either(t.kept[player] == 0, t.kept[player] == pile)),
        "GAP-SPIT-7",
        "{player} spits alone and keeps to {kept}",
        kept=t.kept[player],
    )

    alone = first_half & lone
    applies(starting, "SPIT-START-1")
    applies(running, "SPIT-STUCK-1", "SPIT-STUCK-2")
    applies(first_half, "GAP-SPIT-2")
    applies(first_half & CAN_PLAY, "GAP-SPIT-3")
    applies(t.owes[player], "GAP-SPIT-26")
    applies(alone & ~t.single, "GAP-SPIT-7")
    applies(alone & t.single, "GAP-SPIT-13", "SPIT-SHORT-2")
    applies(starting & t.single, "SPIT-SHORT-2")

    move(hand, t.pile[pile])
    with when(running):
        with when(~t.owes[player] & lone):
            t.kept[player] = pile
        with when(~t.owes[player] & ~lone):
            t.owes[opponent] = True
            t.spat = pile
        with when(t.owes[player]):
            t.owes[player] = False
            t.spat = 0
    with when(starting):
        t.starter[player] = pile
        with when(t.single):
            t.solo = pile
        with when(t.single | t.owes[player]):
            t.phase = Phase.PLAY
        with when(~t.single):
            t.owes[opponent] = ~t.owes[player]
            t.owes[player] = False


@SPIT.event("SPIT-STUCK-1")
def call(t: Table, player: Expr[Player]) -> None:
    """Say "spit", or ask for it; it changes nothing."""
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)

    applies((t.phase == Phase.PLAY) & ~CAN_PLAY, "SPIT-STUCK-1")


@SPIT.event("SPIT-STUCK-1")
def stuck(t: Table) -> None:
    """Claim that nobody can play."""
    require_play(t)
    require(~CAN_PLAY, "SPIT-STUCK-1", "{who} can play a card", who=WHO_PLAYS)
    require(
        (OPTION.stuck == "plays_only") | ~CAN_UNCOVER,
        "GAP-SPIT-2",
        "{who} {going}",
        who=WHO_UNCOVERS,
        going=UNCOVERING,
    )

    applies(True, "GAP-SPIT-2")
