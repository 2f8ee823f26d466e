"""A turn: drawing, melding, laying off, discarding; and the piles where they run out."""

from __future__ import annotations

from fairdeal.spec.language import (
    NO_CARD,
    Card,
    Cards,
    Expr,
    Row,
    any_of,
    applies,
    both,
    card_set,
    choose,
    common,
    count,
    drawn,
    each,
    either,
    holds,
    lay,
    leads_to,
    listed,
    move,
    named,
    other,
    pick,
    pour,
    remark,
    repeated,
    report,
    require,
    stranger,
    turn_over,
    union,
    when,
)
from fairdeal.spec.queen_city_rum.ending import melds_reach_target
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.melds import ACE, CORNERS, PAIRS, RUNS, SETS, SUITS, TWO
from fairdeal.spec.queen_city_rum.table import (
    Meld,
    Phase,
    Player,
    Readings,
    Starter,
    Suit,
    Table,
    at_once,
    nothing_to_draw,
)

OPTION = Readings()
UNDRAWN = 31  # cards of the draw pile before anybody has drawn


def require_play(t: Table) -> None:
    """State that a round is being played."""
    require(t.phase != Phase.START, "LOG-ROUND", "no round has begun")
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    for player in each(Player):
        require(~t.out[player], "QCR-OUT-2", "{goer} is out, so the round is over", goer=player)
    require(~t.closed, "LOG-ROUND", "the round was declared over")
    require(~at_once(t), "GAP-QCR-12", "a player's melds have reached the target, and nothing but the win may follow")


def require_draw(t: Table, player: Expr[Player]) -> None:
    """State that a player's turn begins now (QCR-TURN-2)."""
    require_play(t)
    acting, mine = t.phase == Phase.ACT, t.turn == player
    require(~acting | ~mine, "QCR-TURN-2", "{player} has drawn already")
    require(~acting | mine, "QCR-TURN-4", "{turn} has not discarded yet", turn=t.turn)
    require(mine, "QCR-TURN-1", "it is {turn}'s turn, not {player}'s", turn=t.turn)
    require(
        (OPTION.exhausted != "end") | ~nothing_to_draw(t) | (t.phase != Phase.DRAW),
        "GAP-QCR-3",
        "the draw pile has run out, which ends the round",
    )
    applies(True, "QCR-TURN-1")


def require_act(t: Table, player: Expr[Player]) -> None:
    """State that a player has drawn and is in the middle of a turn (QCR-TURN-3)."""
    require_play(t)
    require(t.turn == player, "QCR-TURN-1", "it is {turn}'s turn, not {player}'s", turn=t.turn)
    require(t.phase == Phase.ACT, "QCR-TURN-2", "{player} has not drawn yet")


def begin_turn(t: Table, player: Expr[Player]) -> None:
    """Let a player who has drawn act."""
    t.turn = player
    t.phase = Phase.ACT


@RUM.event("QCR-TURN-2")
def draw(t: Table, player: Expr[Player], card: Expr[Card]) -> None:
    """Draw the top card of the draw pile."""
    require_draw(t, player)
    require(t.phase != Phase.DEAL, "QCR-SETUP-4", "no card has been turned up")
    require(~nothing_to_draw(t), "GAP-QCR-3", "the draw pile is empty", physical=True)
    report(
        card,
        t.stock.top,
        "QCR-TURN-2",
        "the top of the draw pile is {expected}, not {card}",
        given=~t.stock.empty,
        physical=True,
    )
    drawn(card, t.pool.cards, "QCR-EQUIP-1", "{card} is not in the draw pile", given=t.stock.empty, physical=True)

    with when(~t.pool.empty):
        pick(card, t.pool, t.hand[player])
    with when(~t.stock.empty):
        move(t.stock, t.hand[player])
    t.taken = NO_CARD
    begin_turn(t, player)


@RUM.event("QCR-TURN-2", "GAP-QCR-5", "GAP-QCR-16")
def take(t: Table, player: Expr[Player], card: Expr[Card]) -> None:
    """Take the top card of the discard pile; the first take of a round can show what was turned up."""
    require_draw(t, player)
    unseen = t.phase == Phase.DEAL
    require(~unseen | (t.dealt[Player.A] & t.dealt[Player.B]), "QCR-SETUP-2", "not both have been dealt a hand")
    require(unseen | ~t.discard.empty, "GAP-QCR-22", "the discard pile is empty", physical=True)
    report(
        card,
        t.discard.top,
        "QCR-TURN-2",
        "the top of the discard pile is {expected}, not {card}",
        given=~unseen,
        physical=True,
    )
    drawn(card, t.deck.cards, "QCR-EQUIP-1", "{card} lies elsewhere already", given=unseen, physical=True)

    starts = choose(player == Player.A, t.first == Starter.A, t.first == Starter.B)
    untouched = (t.stock.size + t.pool.size == UNDRAWN) & (t.discard.size == 1)
    applies(starts & (unseen | untouched), "GAP-QCR-16")
    applies(False, "GAP-QCR-5")  # whether the card is used is seen when the turn ends

    with when(t.phase == Phase.DEAL):
        pick(card, t.deck, t.hand[player])
        pour(t.deck, t.pool)
    with when(t.phase != Phase.DEAL):
        move(t.discard, t.hand[player])
    t.taken = card
    begin_turn(t, player)


def require_cards(t: Table, player: Expr[Player], cards: Row, clause: str) -> None:
    """State that the cards are in a player's hand, each once."""
    require(repeated(cards) == NO_CARD, "LOG-CARD", "{twice} is named twice", twice=repeated(cards))
    missing = stranger(t.hand[player].cards, cards)
    require(missing == NO_CARD, clause, "{card} is not in {player}'s hand", physical=True, card=missing)


def require_rest(t: Table, player: Expr[Player], cards: Row) -> None:
    """State that a player who melds or lays off keeps a card where one is needed for the discard."""
    rest = t.hand[player].size - cards.size
    require(
        (OPTION.out != "required") | (rest > 0),
        "GAP-QCR-1",
        "{player} would have no card left to discard",
    )


def of_one_suit(cards: Row) -> Expr[bool]:
    """Whether all cards are of one suit."""
    suits = (card_set(range(suit, 52, SUITS)) for suit in range(SUITS))
    return either(*(count(common(named(cards), suit)) == cards.size for suit in suits))


def holds_ace(cards: Expr[Cards]) -> Expr[bool]:
    """Whether an ace is among the cards."""
    return count(common(cards, card_set(range(ACE * SUITS, (ACE + 1) * SUITS)))) > 0


def fits_elsewhere(t: Table, cards: Row, meld: Expr[Meld]) -> Expr[bool]:
    """Whether the cards could be laid off on another meld as well (GAP-QCR-18)."""

    def fits(one: Expr[Meld]) -> Expr[bool]:
        after = union(t.meld[one].cards, named(cards))
        return both(one != meld, ~t.meld[one].empty, listed(after, (*SETS, *RUNS)))

    return any_of(Meld, fits)


def lay_down(t: Table, player: Expr[Player], cards: Row, meld: Expr[Meld], credited: Expr[Player]) -> None:
    """Put cards from a player's hand on a meld, count them for somebody, and see whether that ends the round."""
    goal = t.meld[meld]
    for suit, number in zip(each(Suit), range(SUITS), strict=True):
        ace, two = card_set([ACE * SUITS + number]), card_set([TWO * SUITS + number])
        whole = union(goal.cards, named(cards))
        with when((count(common(named(cards), ace)) == 1) & (count(common(whole, two)) == 1)):
            t.low[suit] = True
    lay(cards, t.hand[player], goal)
    for one in each(Player):
        with when(credited == one):
            t.laid[one] = union(t.laid[one], named(cards))
    with when(t.hand[player].empty & (t.melded[player] | (OPTION.meldless_out == "out"))):
        t.out[player] = True
    for one in each(Player):
        with when(melds_reach_target(t, one)):
            t.reached[one] = True


def end_turn(t: Table, player: Expr[Player]) -> None:
    """Let the other player go on."""
    t.turn = other(player)
    t.phase = Phase.DRAW


@RUM.event("QCR-TURN-3", "QCR-MELD-1", "QCR-MELD-2", "QCR-MELD-3", "QCR-OUT-1", "GAP-QCR-7", "GAP-QCR-21")
def meld(t: Table, player: Expr[Player], cards: Row, meld: Expr[Meld]) -> None:
    """Make a meld: a set or a run from the hand."""
    require_act(t, player)
    require(t.meld[meld].empty, "LOG-LABEL", "there is a meld {meld} already", physical=True)
    require_cards(t, player, cards, "QCR-TURN-3")
    proper = listed(named(cards), (*SETS, *RUNS))
    require(cards.size >= 3, "QCR-MELD-1", "a meld has three cards or more, and this has {size}", size=cards.size)
    require(~listed(named(cards), CORNERS), "QCR-MELD-3", "a run does not go on from the king over the ace to the 2")
    require(proper | ~of_one_suit(cards), "QCR-MELD-2", "these cards of one suit do not follow one another")
    require(proper, "QCR-MELD-1", "these cards are neither of one rank nor a run")
    require_rest(t, player, cards)

    is_set, has_ace = listed(named(cards), SETS), holds_ace(named(cards))
    applies(is_set, "QCR-MELD-1")
    applies(~is_set, "QCR-MELD-2")
    applies(~is_set & has_ace, "QCR-MELD-3")
    applies(is_set & has_ace, "GAP-QCR-7")
    applies(t.hand[player].size == cards.size, "QCR-OUT-1", "GAP-QCR-1")
    applies(False, "GAP-QCR-21")  # two melds of one rank: there are no eight cards of one

    t.owner[meld] = player
    t.melded[player] = True
    lay_down(t, player, cards, meld, player)


def require_grown(before: Expr[Cards], added: Row) -> None:
    """State that a meld is still one when cards are added."""
    after = union(before, named(added))
    for fits, clause, otherwise in (
        (~listed(after, CORNERS), "QCR-MELD-3", "would go on from the king over the ace to the 2"),
        (listed(after, (*SETS, *RUNS)), "QCR-LAY-1", "is no set and no run"),
    ):
        text = "{meld} is {before}, and with {cards} it " + otherwise
        require(fits, clause, text, before=before, cards=named(added))


@RUM.event("QCR-LAY-1", "QCR-LAY-2", "GAP-QCR-18", "GAP-QCR-19", "GAP-QCR-20", "GAP-QCR-23", name="lay")
def lay_off(t: Table, player: Expr[Player], cards: Row, meld: Expr[Meld]) -> None:
    """Lay cards off on a meld of either player."""
    goal = t.meld[meld]
    require_act(t, player)
    require(~goal.empty, "QCR-LAY-3", "there is no meld {meld} on the table", physical=True)
    require(cards.size > 0, "QCR-LAY-1", "no card is laid off")
    require_cards(t, player, cards, "QCR-LAY-1")
    require(
        t.melded[player] | (OPTION.layoff_needs_meld == "false"), "GAP-QCR-17", "{player} has not made a meld before"
    )
    require_grown(goal.cards, cards)
    require_rest(t, player, cards)
    keeps = t.hand[player].size - cards.size
    require(
        t.melded[player] | (OPTION.meldless_out != "illegal") | (keeps > 1),
        "GAP-QCR-2",
        "{player} has made no meld, and would have no card left after the discard",
    )

    run, size = listed(goal.cards, RUNS), t.hand[player].size
    apart = choose(cards.size == 2, ~listed(named(cards), PAIRS), ~listed(named(cards), RUNS))
    applies(run & holds_ace(union(goal.cards, named(cards))), "QCR-MELD-3")
    applies(fits_elsewhere(t, cards, meld), "GAP-QCR-18")
    applies(False, "GAP-QCR-19")  # in which turn a meld was made is not on the table
    applies(run & (cards.size > 1) & apart, "GAP-QCR-20")
    applies(cards.size > 1, "GAP-QCR-23")
    applies(~t.melded[player], "GAP-QCR-17")
    applies(~t.melded[player] & (keeps <= 1), "GAP-QCR-2")
    applies(size == cards.size, "QCR-OUT-1", "GAP-QCR-1")

    owner = choose(OPTION.layoff_credit == "layer", player, t.owner[meld])
    applies(False, "QCR-LAY-2")  # points are told when they are scored
    leads_to("score", "QCR-LAY-2", player=owner)

    lay_down(t, player, cards, meld, owner)
    with when(t.hand[player].empty):
        end_turn(t, player)


@RUM.event("QCR-TURN-4", "GAP-QCR-22")
def discard(t: Table, player: Expr[Player], cards: Row) -> None:
    """End the turn by putting one card on the discard pile."""
    require_act(t, player)
    require_cards(t, player, cards, "QCR-TURN-4")
    require(cards.size == 1, "QCR-TURN-4", "one card is discarded, not {size}", size=cards.size)
    require(
        (OPTION.rediscard == "allow") | ~holds(named(cards), t.taken),
        "GAP-QCR-4",
        "{taken} was taken from the discard pile in this turn",
        taken=t.taken,
    )
    require(
        (OPTION.discard_use == "false") | ~holds(t.hand[player].cards, t.taken),
        "GAP-QCR-5",
        "{taken} was taken from the discard pile, and is neither melded nor laid off",
        taken=t.taken,
    )
    require(
        t.melded[player] | (OPTION.meldless_out != "illegal") | (t.hand[player].size > cards.size),
        "GAP-QCR-2",
        "{player} has made no meld, and would have no card left",
    )

    remark(holds(named(cards), t.taken), "GAP-QCR-4", "this card was taken from the discard pile in this turn")
    applies(holds(named(cards), t.taken), "GAP-QCR-4")
    applies(~t.melded[player] & (t.hand[player].size == cards.size), "GAP-QCR-2")
    applies(holds(t.hand[player].cards, t.taken) & ~holds(named(cards), t.taken), "GAP-QCR-5")
    applies(t.discard.empty, "GAP-QCR-22")
    applies(t.hand[player].size == cards.size, "QCR-OUT-1", "GAP-QCR-1")

    lay(cards, t.hand[player], t.discard, on_top=True)
    may_go = t.melded[player] | (OPTION.meldless_out == "out")
    with when(t.hand[player].empty & may_go & (OPTION.out != "none")):
        t.out[player] = True
    end_turn(t, player)


def require_empty(t: Table) -> None:
    """State that a draw is due and the draw pile is empty."""
    require_play(t)
    require(t.phase == Phase.DRAW, "GAP-QCR-3", "that is done only before a draw")
    require(nothing_to_draw(t), "GAP-QCR-3", "the draw pile is not empty")


@RUM.event("GAP-QCR-3", name="turn_over")
def turn_pile_over(t: Table) -> None:
    """Turn the discard pile over; it becomes the draw pile, its oldest card on top."""
    require_empty(t)
    require(OPTION.exhausted == "turn_over", "GAP-QCR-3", "the discard pile is not turned over")

    turn_over(t.discard, t.stock)


@RUM.event("GAP-QCR-3")
def reshuffle(t: Table) -> None:
    """Shuffle all discards but the top one; they become the draw pile."""
    require_empty(t)
    require(OPTION.exhausted == "reshuffle", "GAP-QCR-3", "the discards are not shuffled")
    require(t.discard.size > 1, "GAP-QCR-3", "the top card is the only discard")

    move(t.discard, t.aside)
    pour(t.discard, t.pool)
    move(t.aside, t.discard)
