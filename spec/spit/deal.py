"""Beginning a round: announcing it, gathering what each player owns, dealing the layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeal.spec.language import (
    NO_CARD,
    Expr,
    Number,
    Row,
    Rows,
    all_of,
    any_of,
    applies,
    both,
    choose,
    count,
    each,
    either,
    implies,
    lay,
    named,
    other,
    part,
    pour,
    repeated,
    report,
    require,
    stranger,
    sum_of,
    union,
    when,
)
from fairdeal.spec.spit.ending import close, is_ended, out_of_cards, reckon, slap_due, target_reached
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.play import who_can_go_on
from fairdeal.spec.spit.table import (
    Phase,
    Pile,
    Player,
    Readings,
    Slot,
    Table,
    dealt_evenly,
    drawn,
    fresh_deals,
    nobody_finished,
    scored,
    stock_cards,
    taken,
    void_round,
)

OPTION = Readings()
FULL = 15  # cards of a whole set of five stocks
HALF = 26


def gather_sides(t: Table) -> None:
    """Give each player what is left on the own side (SPIT-COLLECT-1), unless it has been collected."""
    for player in each(Player):
        pour(t.spit[player], t.owned[player])
        for slot in each(Slot):
            pour(t.stock[player, slot], t.owned[player])


def gather_piles(t: Table) -> None:
    """Give each player the pile that the player takes (SPIT-COLLECT-1), unless it has been taken already."""
    for player in each(Player):
        for pile in each(Pile):
            with when(taken(t, player) == pile):
                pour(t.pile[pile], t.owned[player])
    for pile in each(Pile):
        pour(t.pile[pile], t.deck)


def take_back(t: Table) -> None:
    """Give each player back the cards that the player put onto a pile (GAP-SPIT-14, ``single_stuck=void``).

    The sides are gathered before that, and each player's set is asked for: so it is known of cards that nobody has
    recorded how many are whose.
    """
    a, b = each(Player)
    for pile in each(Pile):
        part(t.pile[pile], t.began[b], t.owned[b], t.deck)
    part(t.deck, t.began[a], t.owned[a], t.owned[b])


def clear(t: Table) -> None:
    """Forget the course of the last round, but for what the next deal and its first spit set anew."""
    t.settled = t.reckoned = False
    t.spat = 0
    for player in each(Player):
        t.dealt[player] = t.owes[player] = t.finished[player] = False
        t.collected[player] = False
        t.starter[player] = t.kept[player] = t.takes[player] = t.slapped[player] = 0
        for slot in each(Slot):
            t.up[player, slot] = t.played_out[player, slot] = False


@SPIT.event("SPIT-COLLECT-1", "SPIT-COLLECT-3", "SPIT-VAR-1", name="round")
def begin_round(t: Table, number: Expr[Number]) -> None:
    """Begin a round; what the last one left is gathered."""
    first, running = t.phase == Phase.START, t.phase == Phase.PLAY
    who, going = who_can_go_on()
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(t.phase != Phase.DEAL, "LOG-ROUND", "the round in hand has only begun: not both have dealt")
    require(t.phase != Phase.READY, "LOG-ROUND", "the round in hand has only begun: nobody has spat")
    require(
        implies(running, is_ended(t)),
        "SPIT-END-1",
        "the round in hand is not over: both have stock cards, and {who} {going}",
        who=who,
        going=going,
    )
    for player in each(Player):
        require(~t.won[player], "SPIT-WIN-3", "{winner} has won the game, so no round follows", winner=player)
    require(~(scored() & target_reached(t)), "SPIT-VAR-2", "a total has reached 100, so no round follows")
    require(~(scored() & out_of_cards(t)), "GAP-SPIT-24", "a player owns no cards, so no round follows")
    require(first | ~slap_due(t), "SPIT-SLAP-1", "nobody has slapped a pile, so it is open who takes which")
    require(number >= 1, "LOG-ROUND", "rounds count from 1, and this is round {number}")
    report(number, t.round + 1, "LOG-ROUND", "the next round is {expected}, not {number}", given=~first)

    carried = ~first & ~fresh_deals()
    finished = carried & t.single & ~nobody_finished(t) & ~drawn(t)
    applies(carried, "SPIT-COLLECT-1")
    applies(~first, "SPIT-COLLECT-3")
    applies(running, "SPIT-END-2")
    applies(finished, "SPIT-WIN-1", "SPIT-WIN-2")
    applies(finished & ~scored(), "SPIT-WIN-4")
    applies(scored() & ~first, "SPIT-VAR-1", "GAP-SPIT-24")

    close(t)
    reckon(t)
    gather_sides(t)
    with when(void_round(t)):
        take_back(t)
    gather_piles(t)
    with when(fresh_deals()):
        for player in each(Player):
            pour(t.owned[player], t.deck)
    t.opening = first | fresh_deals()
    clear(t)
    with when(first):
        for player in each(Player):
            t.total_known[player] = number <= 1
    t.round = number
    t.phase = Phase.DEAL


def in_order(size: Expr[Number], slot: int) -> Expr[Number]:
    """Cards of a stock where the first stocks are filled up before the next ones (GAP-SPIT-10 a)."""
    before = slot * (slot - 1) // 2
    return choose(size < before, 0, choose(size > before + slot, slot, size - before))


def by_rows(size: Expr[Number], slot: int) -> Expr[Number]:
    """Cards of a stock where a row goes over the stocks that take one more: 1 to 5, then 2 to 5, … (GAP-SPIT-10 b)."""
    starts = [sum(range(5 - row + 1, 6)) for row in range(slot)]
    return _dealt(size, [start + slot - row - 1 for row, start in enumerate(starts)])


def by_turns(size: Expr[Number], slot: int) -> Expr[Number]:
    """Cards of a stock where every round of dealing goes over all five (GAP-SPIT-10 c)."""
    return _dealt(size, [5 * turn + slot - 1 for turn in range(3)])


def _dealt(size: Expr[Number], positions: list[int]) -> Expr[Number]:
    dealt = choose(size > positions[0], 1, 0) + 0
    for position in positions[1:]:
        dealt = dealt + choose(size > position, 1, 0)
    return dealt


def short_size(size: Expr[Number], slot: int) -> Expr[Number]:
    """The cards that a stock gets of fewer than 15, as the reading in force deals them (GAP-SPIT-10)."""
    rows = by_rows(size, slot)
    return choose(
        OPTION.short_deal == "in_order",
        in_order(size, slot),
        choose(OPTION.short_deal == "robin", by_turns(size, slot), rows),
    )


def short_shape(stocks: Rows, size: Expr[Number]) -> Expr[bool]:
    """Whether fewer than 15 cards lie as the reading in force deals them, or in any way (GAP-SPIT-10)."""
    as_due = (stocks[slot].size == short_size(size, number) for number, slot in enumerate(each(Slot), 1))
    return (OPTION.short_deal == "any") | both(*as_due)


def is_short(t: Table, player: Expr[Player]) -> Expr[bool]:
    """Whether a player without spit cards makes this a round with one pile (SPIT-SHORT-2, GAP-SPIT-11)."""
    return either(OPTION.fifteen == "single", stock_cards(t, player) < FULL)


def require_cards(t: Table, player: Expr[Player], rows: Sequence[Row], size: Expr[Number]) -> None:
    """Require that a layout is of cards that are the player's to deal, and of as many as are due."""
    own, deck = t.owned[player], t.deck
    require(repeated(*rows) == NO_CARD, "LOG-CARD", "{twice} is dealt twice", twice=repeated(*rows))
    require(
        implies(dealt_evenly(t), size == HALF),
        "SPIT-SETUP-1",
        "each player is dealt 26 cards, and this layout has {size}",
        size=size,
    )
    require(
        implies(~t.opening & (own.size < FULL) & deck.empty, size == own.size),
        "SPIT-SHORT-1",
        "{player} owns {own} cards, and this layout has {size}",
        own=own.size,
        size=size,
    )
    require(
        t.opening | ((size >= own.size) & (size <= own.size + deck.size)),
        "SPIT-COLLECT-2",
        "{player} owns {own} cards, and this layout has {size}",
        own=own.size,
        size=size,
    )
    pool = union(own.cards, deck.cards)
    require(
        implies(t.opening, stranger(deck.cards, *rows) == NO_CARD),
        "SPIT-EQUIP-2",
        "{card} lies elsewhere already",
        card=stranger(deck.cards, *rows),
    )
    require(
        implies(~t.opening, stranger(pool, *rows) == NO_CARD),
        "SPIT-COLLECT-2",
        "{card} is not among the cards that {player} owns",
        card=stranger(pool, *rows),
    )
    whole = size + count(t.began[other(player)])
    require(
        implies(t.dealt[other(player)], whole == 2 * HALF),
        "SPIT-EQUIP-2",
        "both layouts together have {whole} cards, and a deck has 52",
        whole=whole,
    )


def require_shape(stocks: Rows, spit: Row, size: Expr[Number]) -> None:
    """Require five stocks of 1 to 5 cards with the rest kept; of fewer than 15 cards, a shape that may be dealt."""
    full = size >= FULL
    has: dict[str, Any] = {f"has{number}": stocks[slot].size for number, slot in enumerate(each(Slot), 1)}
    due: dict[str, Any] = {f"due{number}": short_size(size, number) for number in range(1, 6)}
    require(
        implies(full, all_of(Slot, lambda slot: stocks[slot].size == slot)),
        "SPIT-SETUP-2",
        "the five stocks have to be of 1, 2, 3, 4 and 5 cards, not {has1}, {has2}, {has3}, {has4} and {has5}",
        **has,
    )
    require(
        full | (spit.size == 0), "SPIT-SHORT-1", "with {size} cards all go onto the stocks, none is kept", size=size
    )
    require(full | all_of(Slot, lambda slot: stocks[slot].size <= 5), "GAP-SPIT-10", "a stock has five cards at most")
    require(
        full | short_shape(stocks, size),
        "GAP-SPIT-10",
        "the layout of {size} cards has to be {due1}, {due2}, {due3}, {due4} and {due5}, "
        "not {has1}, {has2}, {has3}, {has4} and {has5}",
        size=size,
        **due,
        **has,
    )


@SPIT.event("SPIT-SETUP-1", "SPIT-SETUP-2", "SPIT-SETUP-3", "SPIT-SETUP-4", "SPIT-COLLECT-2", "SPIT-SHORT-1")
def deal(t: Table, player: Expr[Player], stocks: Rows, spit: Row) -> None:
    """Lay out five stocks, tops up, and keep the rest as spit cards."""
    rows = [*(stocks[slot] for slot in each(Slot)), spit]
    size = sum_of(Slot, lambda slot: stocks[slot].size) + spit.size
    own, deck = t.owned[player], t.deck
    late = t.dealt[other(player)]  # the other has dealt, so what is left of the deck is this player's

    require(t.phase != Phase.READY, "SPIT-SETUP-1", "both have dealt already")
    require(t.phase != Phase.OVER, "LOG-END", "the game is over", physical=True)
    require(t.phase == Phase.DEAL, "LOG-ROUND", "cards are dealt after a `round` line")
    require(~t.dealt[player], "SPIT-SETUP-1", "{player} has dealt already")
    require(size > 0, "GAP-SPIT-17", "{player} would have no cards, and who has none has won")
    require(
        size < 2 * HALF,
        "GAP-SPIT-17",
        "{opponent} would have no cards, and who has none has won",
        opponent=other(player),
    )
    require_cards(t, player, rows, size)
    require_shape(stocks, spit, size)

    full = size >= FULL
    applies(dealt_evenly(t), "SPIT-SETUP-1")
    applies(full, "SPIT-SETUP-2", "SPIT-SETUP-4")
    applies(~t.opening, "SPIT-COLLECT-2")
    applies(~full, "SPIT-SHORT-1", "GAP-SPIT-10")
    applies(spit.size == 0, "SPIT-SHORT-2")
    applies(size == FULL, "GAP-SPIT-11")
    applies(False, "GAP-SPIT-17")  # a layout that is lawful has cards

    with when(~deck.empty):
        for row in rows:
            lay(row, deck, own)
    for slot in each(Slot):
        lay(stocks[slot], own, t.stock[player, slot])
        t.up[player, slot] = stocks[slot].size > 0
    lay(spit, own, t.spit[player])
    t.began[player] = named(*rows)
    t.dealt[player] = True
    with when(late):
        t.phase = Phase.READY
        t.single = any_of(Player, lambda one: t.spit[one].empty & is_short(t, one))
