"""What is true of Spit's table at any time and that no rule states: proofs rest on it, and it is proved itself."""

from __future__ import annotations

from fairdeal.spec.language import Expr, all_of, both, choose, count, each, either, implies, other
from fairdeal.spec.spit.conditions import (
    OPTION,
    T,
    as_many_spat,
    at_most_dealt,
    bare_piles,
    bare_side,
    carries_cards,
    distinct_piles,
    during,
    half_started,
    has_spat,
    is_won,
    is_won_with_two_piles,
    laid_out,
    of_both,
    own_piles,
    piles_in_play,
    short_stocks,
    starters,
    still_there,
    taken_by_one,
    whole_layout,
    whole_stocks,
)
from fairdeal.spec.spit.play import stockless
from fairdeal.spec.spit.table import (
    Phase,
    Pile,
    Player,
    Slot,
    dealt_evenly,
    fresh_deals,
    is_settled,
    scored,
    stock_cards,
    void_round,
)

INVARIANTS: dict[str, Expr[bool]] = {
    "rounds count from 1": T.round >= choose(T.phase == Phase.START, 0, 1),
    "before the first round": implies(
        T.phase == Phase.START,
        both(
            of_both(lambda player: bare_side(player) & T.owned[player].empty & ~T.collected[player]),
            bare_piles(),
            ~T.single,
        ),
    ),
    "who has not dealt has nothing on the table": implies(
        T.phase == Phase.DEAL, of_both(lambda player: T.dealt[player] | bare_side(player))
    ),
    "who has collected has nothing on the table": of_both(
        lambda player: implies(T.collected[player] & ~void_round(T), bare_side(player))
    ),
    "cards are collected after a round": of_both(
        lambda player: implies(T.collected[player], during(Phase.SLAP, Phase.OVER))
    ),
    "who owes a half of a spit": both(
        ~(T.owes[Player.A] & T.owes[Player.B]),
        of_both(lambda player: implies(T.owes[player], during(Phase.READY, Phase.PLAY))),
    ),
    "who has won has ended a round": of_both(lambda player: implies(T.won[player], during(Phase.SLAP, Phase.OVER))),
    "who has won has finished": of_both(
        lambda player: implies(T.won[player], T.finished[player] & T.spit[player].empty & ~scored())
    ),
    "who has started has spat": implies(
        during(Phase.READY, Phase.PLAY), of_both(lambda player: implies(T.owes[player], ~T.spit[player].empty))
    ),
    "somebody can start": implies(
        (T.phase == Phase.READY) & (OPTION.fifteen == "single"),
        choose(
            T.single,
            ~(T.spit[Player.A].empty & T.spit[Player.B].empty),
            of_both(lambda player: ~T.spit[player].empty | T.owes[other(player)]),
        ),
    ),
    "15 stock cards at most are dealt": implies(
        during(Phase.DEAL, Phase.READY, Phase.PLAY), of_both(lambda player: stock_cards(T, player) <= 15)
    ),
    "15 stock cards at most are left": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.left_stock[player] <= 15)
    ),
    "one card at least is spat": implies(
        during(Phase.READY, Phase.PLAY),
        of_both(lambda player: laid_out(player) <= choose((T.phase == Phase.PLAY) | has_spat(player), 50, 51)),
    ),
    "what is left is counted while it lies there": implies(
        T.phase == Phase.SLAP,
        of_both(
            lambda player: (
                T.collected[player]
                | ((T.left_stock[player] == stock_cards(T, player)) & (T.left_spit[player] == T.spit[player].size))
            )
        ),
    ),
    "50 cards at most are left": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.left_stock[player] + T.left_spit[player] <= 50)
    ),
    "a lone spitter keeps to a pile in play": implies(
        T.phase == Phase.PLAY, of_both(lambda player: (T.kept[player] == 0) | ~T.single | (T.kept[player] == T.solo))
    ),
    "a pile is kept in play": implies(
        ~during(Phase.PLAY, Phase.SLAP, Phase.OVER), of_both(lambda player: T.kept[player] == 0)
    ),
    "nothing is slapped before piles are settled": implies(
        (T.phase == Phase.SLAP) & ~is_settled(T),
        of_both(lambda player: (T.slapped[player] == 0) & (~T.collected[player] | is_won())),
    ),
    "a game is won with one pile": implies(is_won() & (OPTION.win_scope == "single"), T.single),
    "who has won with one pile has settled it": implies(T.single & is_won(), T.settled),
    "piles are settled after a round": implies(T.settled, during(Phase.SLAP, Phase.OVER)),
    "a finish settles the one pile": implies(
        (T.phase == Phase.SLAP) & T.single & (T.finished[Player.A] != T.finished[Player.B]), T.settled
    ),
    "no pile before the first spit": implies(during(Phase.START, Phase.DEAL), bare_piles()),
    "piles while a round is started": implies(T.phase == Phase.READY, half_started()),
    "piles while a round is in play": implies(T.phase == Phase.PLAY, piles_in_play()),
    "an even deal is of 26 cards": implies(
        during(Phase.DEAL, Phase.READY) & dealt_evenly(T),
        of_both(lambda player: implies(T.dealt[player] & ~has_spat(player), whole_layout(player))),
    ),
    "an even deal makes two piles": implies(dealt_evenly(T) & ~during(Phase.DEAL), ~T.single),
    "nobody owes a half with one pile": implies(
        T.single & during(Phase.READY, Phase.PLAY), of_both(lambda player: ~T.owes[player])
    ),
    "with one pile one player cannot spit": implies(
        T.single & during(Phase.READY, Phase.PLAY), T.spit[Player.A].empty | T.spit[Player.B].empty
    ),
    "which is the one pile": implies(T.single & during(Phase.PLAY, Phase.SLAP), T.solo != 0),
    "who spits alone does so because the other cannot": implies(
        T.phase == Phase.PLAY,
        of_both(
            lambda player: (
                (T.kept[player] == 0) | (T.spit[other(player)].empty & ~T.owes[player] & ~T.owes[other(player)])
            )
        ),
    ),
    "who can spit with one pile has started it": implies(
        T.single & (T.phase == Phase.PLAY),
        of_both(lambda player: T.spit[player].empty | (T.starter[player] == T.solo)),
    ),
    "who spits alone keeps to an own pile": implies(
        (T.phase == Phase.PLAY) & (OPTION.respit == "own"),
        of_both(lambda player: (T.kept[player] == 0) | (T.kept[player] == T.starter[player])),
    ),
    "no slap while a round is on": implies(
        ~during(Phase.SLAP, Phase.OVER), of_both(lambda player: (T.slapped[player] == 0) & ~T.collected[player])
    ),
    "both have dealt": implies(during(Phase.READY, Phase.PLAY, Phase.SLAP), of_both(lambda player: T.dealt[player])),
    "even layouts while a round is started": implies(
        (T.phase == Phase.READY) & dealt_evenly(T),
        of_both(lambda player: T.spit[player].size == choose(has_spat(player), 10, 11)),
    ),
    "as many are spat after an even deal": implies((T.phase == Phase.PLAY) & dealt_evenly(T), as_many_spat()),
    "own piles after an even deal": implies(
        (T.phase == Phase.PLAY) & dealt_evenly(T) & (OPTION.respit == "own"), own_piles()
    ),
    "distinct piles after an even deal": implies(
        (T.phase == Phase.PLAY) & dealt_evenly(T) & (OPTION.respit == "distinct"), distinct_piles()
    ),
    "who started which pile": implies(during(Phase.READY, Phase.PLAY) & ~T.single, starters()),
    "a first half is noted": (T.spat != 0) == ((T.phase == Phase.PLAY) & (T.owes[Player.A] | T.owes[Player.B])),
    "who has dealt has stock cards": implies(
        T.phase == Phase.DEAL, of_both(lambda player: implies(T.dealt[player], ~stockless(T, player)))
    ),
    "both have stock cards while a round is on": implies(
        during(Phase.READY, Phase.PLAY), of_both(lambda player: ~stockless(T, player))
    ),
    "nobody has finished while a round is on": implies(
        ~during(Phase.SLAP, Phase.OVER), of_both(lambda player: ~T.finished[player])
    ),
    "one player finishes": implies(OPTION.tie == "seq", ~(T.finished[Player.A] & T.finished[Player.B])),
    "who has not finished has stock cards": implies(
        T.phase == Phase.SLAP,
        of_both(lambda player: T.finished[player] | T.collected[player] | ~stockless(T, player)),
    ),
    "who has not finished keeps the stock cards": implies(
        T.phase == Phase.SLAP,
        of_both(lambda player: T.finished[player] | ~T.collected[player] | ~T.owned[player].empty),
    ),
    "who has finished has no stock cards": implies(
        T.phase == Phase.SLAP, of_both(lambda player: ~T.finished[player] | stockless(T, player))
    ),
    "who has collected nothing holds no cards": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.collected[player] | T.owned[player].empty)
    ),
    "who has not finished had stock cards": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.finished[player] | (T.left_stock[player] > 0))
    ),
    "a slot with cards was not emptied": implies(
        during(Phase.DEAL, Phase.READY, Phase.PLAY),
        of_both(lambda player: all_of(Slot, lambda slot: ~T.played_out[player, slot] | T.stock[player, slot].empty)),
    ),
    "no slot is emptied before a round": implies(
        T.phase == Phase.DEAL,
        of_both(lambda player: all_of(Slot, lambda slot: ~T.played_out[player, slot])),
    ),
    "what a player began a round with": implies(
        during(Phase.DEAL),
        of_both(lambda player: implies(T.dealt[player], count(T.began[player]) == laid_out(player))),
    ),
    "nobody begins a round with nothing": implies(
        during(Phase.DEAL, Phase.READY, Phase.PLAY, Phase.SLAP),
        of_both(lambda player: implies(T.dealt[player], count(T.began[player]) > 0)),
    ),
    "every fresh deal is of a whole deck": implies(fresh_deals() & (T.phase != Phase.START), T.opening),
    "how cards are laid out": implies(
        T.phase == Phase.DEAL, of_both(lambda player: ~T.dealt[player] | whole_stocks(player) | short_stocks(player))
    ),
    "who is short keeps no spit cards": implies(
        T.phase == Phase.DEAL,
        of_both(lambda player: implies(T.dealt[player], (stock_cards(T, player) >= 15) | T.spit[player].empty)),
    ),
    "an even deal leaves 25 cards at most": implies(
        dealt_evenly(T) & during(Phase.READY, Phase.PLAY, Phase.SLAP),
        of_both(at_most_dealt),
    ),
    "nobody holds cards when a whole deck is dealt": implies(
        (T.phase == Phase.DEAL) & T.opening, of_both(lambda player: T.owned[player].empty)
    ),
    "who has dealt holds no cards": implies(
        T.phase == Phase.DEAL, of_both(lambda player: ~T.dealt[player] | T.owned[player].empty)
    ),
    "no card is left in the deck": implies(
        during(Phase.READY, Phase.PLAY, Phase.SLAP) | ((T.phase == Phase.DEAL) & ~T.opening), T.deck.empty
    ),
    "no cards are held while a round is on": implies(
        during(Phase.READY, Phase.PLAY), of_both(lambda player: T.owned[player].empty)
    ),
    "who is to deal carried cards has some": implies(
        (T.phase == Phase.DEAL) & ~T.opening, of_both(lambda player: T.dealt[player] | ~T.owned[player].empty)
    ),
    "somebody is to deal": implies(T.phase == Phase.DEAL, ~(T.dealt[Player.A] & T.dealt[Player.B])),
    "who has dealt has left the other a card": implies(
        T.phase == Phase.DEAL, of_both(lambda player: ~T.dealt[player] | (laid_out(player) < 52))
    ),
    "nobody takes a pile while a round is on": implies(
        ~during(Phase.SLAP, Phase.OVER), ~T.settled & of_both(lambda player: T.takes[player] == 0)
    ),
    "piles lie where they are until they are taken": implies(
        T.phase == Phase.SLAP, piles_in_play() | T.collected[Player.A] | T.collected[Player.B]
    ),
    "each pile goes to one player": implies((T.phase == Phase.SLAP) & T.settled, taken_by_one()),
    "a pile that is taken is there": implies((T.phase == Phase.SLAP) & T.settled, of_both(still_there)),
    "who has taken one of two piles has settled them": implies(
        (T.phase == Phase.SLAP) & ~T.single, T.settled | is_won() | ~(T.collected[Player.A] | T.collected[Player.B])
    ),
    "who has taken a pile owns cards": implies(
        (T.phase == Phase.SLAP) & T.settled & ~is_won_with_two_piles(),
        of_both(lambda player: ~T.collected[player] | (T.takes[player] == 0) | ~T.owned[player].empty),
    ),
    "there is no other pile than the only one": implies(
        T.single & during(Phase.PLAY, Phase.SLAP),
        all_of(Pile, lambda pile: (T.solo == pile) | T.pile[pile].empty),
    ),
    "no pile is started before the first spit": implies(
        during(Phase.DEAL) | (T.single & (T.phase == Phase.READY)), of_both(lambda player: T.starter[player] == 0)
    ),
    "one player started the only pile": implies(
        T.single & during(Phase.PLAY, Phase.SLAP),
        either(*((T.starter[player] == T.solo) & (T.starter[other(player)] == 0) for player in each(Player))),
    ),
    "who is left without cards has won": implies(
        (T.phase == Phase.SLAP) & is_settled(T) & ~scored(), of_both(carries_cards)
    ),
    "face up means a card": implies(
        during(Phase.DEAL, Phase.READY, Phase.PLAY),
        of_both(lambda player: all_of(Slot, lambda slot: implies(T.up[player, slot], ~T.stock[player, slot].empty))),
    ),
}
"""By name. Each is assumed of a table by the proofs that name it, and shown to survive every event."""

FIRST_ROUND_INVARIANTS = (
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
"""What proofs about the first round rest on."""
