"""What is true of Spit's table at any time and that no rule states: proofs rest on it, and it is proved itself."""

from __future__ import annotations

from fairdeal.spec.language import (
    Expr,
    Number,
    Zone,
    all_of,
    both,
    choose,
    count,
    each,
    either,
    implies,
    other,
)
from fairdeal.spec.spit.play import stockless
from fairdeal.spec.spit.table import (
    Phase,
    Pile,
    Player,
    Readings,
    Slot,
    Table,
    fresh_deals,
    is_settled,
    scored,
    stock_cards,
    taken,
    void_round,
)

T = Table()
OPTION = Readings()


def bare_side(player: Expr[Player] | Player) -> Expr[bool]:
    """Whether a player has neither stock nor spit cards on the table."""
    return all_of(Slot, lambda slot: T.stock[player, slot].empty) & T.spit[player].empty


def bare_piles() -> Expr[bool]:
    """Whether both spit piles are empty."""
    return all_of(Pile, lambda pile: T.pile[pile].empty)


def of_both(condition: object) -> Expr[bool]:
    """Whether something is so of either player."""
    return both(*(condition(player) for player in each(Player)))  # type: ignore[operator]


def piles_in_play() -> Expr[bool]:
    """Whether each pile of this round has a card: both of them, or the one that the only spit has started."""
    a, b = each(Pile)
    single = choose(T.solo == a, ~T.pile[a].empty, (T.solo == b) & ~T.pile[b].empty)
    return choose(T.single, single, ~T.pile[a].empty & ~T.pile[b].empty)


def half_started() -> Expr[bool]:
    """Whether, before a round is in play, as many piles are started as there were halves of the first spit."""
    a, b = each(Pile)
    owing = T.owes[Player.A] | T.owes[Player.B]
    one = either(T.pile[a].empty & ~T.pile[b].empty, T.pile[b].empty & ~T.pile[a].empty)
    return choose(owing, one & ~T.single, bare_piles())


FULL_LAYOUT = (1, 2, 3, 4, 5)


def first_round() -> Expr[bool]:
    """Whether the first round of a game is on, for which each player is dealt 26 cards."""
    return T.opening & (T.round == 1)


def dealt_evenly() -> Expr[bool]:
    """Whether this round's 52 cards are dealt from a whole deck, 26 to each player: the first, and any fresh deal."""
    return T.opening & ((T.round == 1) | fresh_deals())


def whole_layout(player: Expr[Player]) -> Expr[bool]:
    """Whether a player has five whole stocks, all tops up, and eleven spit cards."""
    stocks = (
        (T.stock[player, slot].size == size) & T.up[player, slot]
        for slot, size in zip(each(Slot), FULL_LAYOUT, strict=True)
    )
    return both(*stocks, T.spit[player].size == 11)


def as_many_spat() -> Expr[bool]:
    """After an even deal both have spat as many cards, but for the half that one of them owes."""
    a, b = each(Player)
    return both(
        implies(~T.owes[a] & ~T.owes[b], T.spit[a].size == T.spit[b].size),
        implies(T.owes[a], T.spit[a].size == T.spit[b].size + 1),
        implies(T.owes[b], T.spit[b].size == T.spit[a].size + 1),
    )


def own_piles() -> Expr[bool]:
    """After an even deal, under ``respit=own``, the pile that a player started has all cards that the player spat."""
    return both(
        *(
            implies(T.starter[player] == pile, T.pile[pile].size + T.spit[player].size >= 11)
            for player in each(Player)
            for pile in each(Pile)
        )
    )


def distinct_piles() -> Expr[bool]:
    """After an even deal, under ``respit=distinct``, each pile has a card of every spit that is whole."""
    checks = []
    for player, other_player in zip(each(Player), reversed(list(each(Player))), strict=True):
        for pile in each(Pile):
            here = T.pile[pile].size
            settled = here + T.spit[player].size >= 11
            first_half = implies(T.spat == pile, here + T.spit[other_player].size >= 11)
            checks.append(implies(~T.owes[player], implies(~T.owes[other_player], settled)))
            checks.append(implies(T.owes[player], first_half & settled))
    return both(*checks)


def _during(*phases: Phase) -> Expr[bool]:
    return either(*(T.phase == phase for phase in phases))


def _is_won() -> Expr[bool]:
    return T.won[Player.A] | T.won[Player.B]


def _has_spat(player: Expr[Player]) -> Expr[bool]:
    """Whether the other owes a half, so that this player has spat to start the round."""
    return T.owes[other(player)]


def starters() -> Expr[bool]:
    """Whether each player who has spat started a pile of an own."""
    a, b = each(Player)
    started = implies(T.phase == Phase.PLAY, both(T.starter[a] != 0, T.starter[b] != 0, T.starter[a] != T.starter[b]))
    half = (
        implies(
            (T.phase == Phase.READY) & T.owes[other(player)],
            both(
                *(implies(T.starter[player] == pile, ~T.pile[pile].empty) for pile in each(Pile)),
                T.starter[player] != 0,
            ),
        )
        for player in (a, b)
    )
    return both(started, *half)


def _is_won_with_two_piles() -> Expr[bool]:
    """Whether a game has ended in which nothing says who takes which pile, so that a player may take none."""
    return ~T.single & _is_won()


def _taken_by_one() -> Expr[bool]:
    """Whether each pile of the round goes to a player of its own: both of them, or the only one to one of the two."""
    a, b = each(Player)
    single = either(*((T.takes[one] == T.solo) & (T.takes[other(one)] == 0) for one in (a, b)))
    return choose(T.single, single, (T.takes[a] != 0) & (T.takes[b] != 0) & (T.takes[a] != T.takes[b]))


def _still_there(player: Expr[Player]) -> Expr[bool]:
    """Whether the pile that a player takes is there until the player has collected."""
    return T.collected[player] | all_of(Pile, lambda pile: (T.takes[player] != pile) | ~T.pile[pile].empty)


def carries_cards(player: Expr[Player]) -> Expr[bool]:
    """Whether something is left to a player after a round that is settled: cards, or the game, which is won."""
    left = ~bare_side(player) | ~T.owned[player].empty
    return left | ((taken(T, player) != 0) & ~T.collected[player]) | T.won[player] | _is_won_with_two_piles()


def _laid_out(player: Expr[Player]) -> Expr[Number]:
    return stock_cards(T, player) + T.spit[player].size


def _at_most_dealt(player: Expr[Player]) -> Expr[bool]:
    """After an even deal a player has no more cards than were dealt, less the one that was spat to begin with."""
    started = choose(T.phase == Phase.READY, 11, 10)
    left = (T.phase != Phase.SLAP) | ((T.left_stock[player] <= 15) & (T.left_spit[player] <= 10))
    return left & (stock_cards(T, player) <= 15) & (T.spit[player].size <= started)


def _stock(player: Expr[Player], slot: Expr[Slot]) -> Zone:
    return T.stock[player, slot]


INVARIANTS: dict[str, Expr[bool]] = {
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
        lambda player: implies(T.collected[player], _during(Phase.SLAP, Phase.OVER))
    ),
    "who owes a half of a spit": both(
        ~(T.owes[Player.A] & T.owes[Player.B]),
        of_both(lambda player: implies(T.owes[player], _during(Phase.READY, Phase.PLAY))),
    ),
    "who has won has ended a round": of_both(lambda player: implies(T.won[player], _during(Phase.SLAP, Phase.OVER))),
    "who has won has finished": of_both(
        lambda player: implies(T.won[player], T.finished[player] & T.spit[player].empty & ~scored())
    ),
    "who has started has spat": implies(
        _during(Phase.READY, Phase.PLAY), of_both(lambda player: implies(T.owes[player], ~T.spit[player].empty))
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
        _during(Phase.DEAL, Phase.READY, Phase.PLAY), of_both(lambda player: stock_cards(T, player) <= 15)
    ),
    "15 stock cards at most are left": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.left_stock[player] <= 15)
    ),
    "one card at least is spat": implies(
        _during(Phase.READY, Phase.PLAY),
        of_both(lambda player: _laid_out(player) <= choose((T.phase == Phase.PLAY) | _has_spat(player), 50, 51)),
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
        ~_during(Phase.PLAY, Phase.SLAP, Phase.OVER), of_both(lambda player: T.kept[player] == 0)
    ),
    "nothing is slapped before piles are settled": implies(
        (T.phase == Phase.SLAP) & ~is_settled(T),
        of_both(lambda player: (T.slapped[player] == 0) & (~T.collected[player] | _is_won())),
    ),
    "a game is won with one pile": implies(_is_won() & (OPTION.win_scope == "single"), T.single),
    "who has won with one pile has settled it": implies(T.single & _is_won(), T.settled),
    "piles are settled after a round": implies(T.settled, _during(Phase.SLAP, Phase.OVER)),
    "a finish settles the one pile": implies(
        (T.phase == Phase.SLAP) & T.single & (T.finished[Player.A] != T.finished[Player.B]), T.settled
    ),
    "no pile before the first spit": implies(_during(Phase.START, Phase.DEAL), bare_piles()),
    "piles while a round is started": implies(T.phase == Phase.READY, half_started()),
    "piles while a round is in play": implies(T.phase == Phase.PLAY, piles_in_play()),
    "an even deal is of 26 cards": implies(
        _during(Phase.DEAL, Phase.READY) & dealt_evenly(),
        of_both(lambda player: implies(T.dealt[player] & ~_has_spat(player), whole_layout(player))),
    ),
    "an even deal makes two piles": implies(dealt_evenly() & ~_during(Phase.DEAL), ~T.single),
    "nobody owes a half with one pile": implies(
        T.single & _during(Phase.READY, Phase.PLAY), of_both(lambda player: ~T.owes[player])
    ),
    "with one pile one player cannot spit": implies(
        T.single & _during(Phase.READY, Phase.PLAY), T.spit[Player.A].empty | T.spit[Player.B].empty
    ),
    "which is the one pile": implies(T.single & _during(Phase.PLAY, Phase.SLAP), T.solo != 0),
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
        ~_during(Phase.SLAP, Phase.OVER), of_both(lambda player: (T.slapped[player] == 0) & ~T.collected[player])
    ),
    "both have dealt": implies(_during(Phase.READY, Phase.PLAY, Phase.SLAP), of_both(lambda player: T.dealt[player])),
    "even layouts while a round is started": implies(
        (T.phase == Phase.READY) & dealt_evenly(),
        of_both(lambda player: T.spit[player].size == choose(_has_spat(player), 10, 11)),
    ),
    "as many are spat after an even deal": implies((T.phase == Phase.PLAY) & dealt_evenly(), as_many_spat()),
    "own piles after an even deal": implies(
        (T.phase == Phase.PLAY) & dealt_evenly() & (OPTION.respit == "own"), own_piles()
    ),
    "distinct piles after an even deal": implies(
        (T.phase == Phase.PLAY) & dealt_evenly() & (OPTION.respit == "distinct"), distinct_piles()
    ),
    "who started which pile": implies(_during(Phase.READY, Phase.PLAY) & ~T.single, starters()),
    "a first half is noted": (T.spat != 0) == ((T.phase == Phase.PLAY) & (T.owes[Player.A] | T.owes[Player.B])),
    "who has dealt has stock cards": implies(
        T.phase == Phase.DEAL, of_both(lambda player: implies(T.dealt[player], ~stockless(T, player)))
    ),
    "both have stock cards while a round is on": implies(
        _during(Phase.READY, Phase.PLAY), of_both(lambda player: ~stockless(T, player))
    ),
    "nobody has finished while a round is on": implies(
        ~_during(Phase.SLAP, Phase.OVER), of_both(lambda player: ~T.finished[player])
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
    "who has not finished had stock cards": implies(
        T.phase == Phase.SLAP, of_both(lambda player: T.finished[player] | (T.left_stock[player] > 0))
    ),
    "a slot with cards was not emptied": implies(
        _during(Phase.DEAL, Phase.READY, Phase.PLAY),
        of_both(lambda player: all_of(Slot, lambda slot: ~T.played_out[player, slot] | T.stock[player, slot].empty)),
    ),
    "no slot is emptied before a round": implies(
        T.phase == Phase.DEAL,
        of_both(lambda player: all_of(Slot, lambda slot: ~T.played_out[player, slot])),
    ),
    "what a player began a round with": implies(
        _during(Phase.DEAL),
        of_both(lambda player: implies(T.dealt[player], count(T.began[player]) == _laid_out(player))),
    ),
    "nobody begins a round with nothing": implies(
        _during(Phase.DEAL, Phase.READY, Phase.PLAY, Phase.SLAP),
        of_both(lambda player: implies(T.dealt[player], count(T.began[player]) > 0)),
    ),
    "every fresh deal is of a whole deck": implies(fresh_deals() & (T.phase != Phase.START), T.opening),
    "who is short keeps no spit cards": implies(
        T.phase == Phase.DEAL,
        of_both(lambda player: implies(T.dealt[player], (stock_cards(T, player) >= 15) | T.spit[player].empty)),
    ),
    "an even deal leaves 25 cards at most": implies(
        dealt_evenly() & _during(Phase.READY, Phase.PLAY, Phase.SLAP),
        of_both(_at_most_dealt),
    ),
    "nobody holds cards when a whole deck is dealt": implies(
        (T.phase == Phase.DEAL) & T.opening, of_both(lambda player: T.owned[player].empty)
    ),
    "who has dealt holds no cards": implies(
        T.phase == Phase.DEAL, of_both(lambda player: ~T.dealt[player] | T.owned[player].empty)
    ),
    "no card is left in the deck": implies(
        _during(Phase.READY, Phase.PLAY, Phase.SLAP) | ((T.phase == Phase.DEAL) & ~T.opening), T.deck.empty
    ),
    "no cards are held while a round is on": implies(
        _during(Phase.READY, Phase.PLAY), of_both(lambda player: T.owned[player].empty)
    ),
    "who is to deal carried cards has some": implies(
        (T.phase == Phase.DEAL) & ~T.opening, of_both(lambda player: T.dealt[player] | ~T.owned[player].empty)
    ),
    "somebody is to deal": implies(T.phase == Phase.DEAL, ~(T.dealt[Player.A] & T.dealt[Player.B])),
    "who has dealt has left the other a card": implies(
        T.phase == Phase.DEAL, of_both(lambda player: ~T.dealt[player] | (_laid_out(player) < 52))
    ),
    "nobody takes a pile while a round is on": implies(
        ~_during(Phase.SLAP, Phase.OVER), ~T.settled & of_both(lambda player: T.takes[player] == 0)
    ),
    "piles lie where they are until they are taken": implies(
        T.phase == Phase.SLAP, piles_in_play() | T.collected[Player.A] | T.collected[Player.B]
    ),
    "each pile goes to one player": implies((T.phase == Phase.SLAP) & T.settled, _taken_by_one()),
    "a pile that is taken is there": implies((T.phase == Phase.SLAP) & T.settled, of_both(_still_there)),
    "who has taken one of two piles has settled them": implies(
        (T.phase == Phase.SLAP) & ~T.single, T.settled | _is_won() | ~(T.collected[Player.A] | T.collected[Player.B])
    ),
    "who has taken a pile owns cards": implies(
        (T.phase == Phase.SLAP) & T.settled & ~_is_won_with_two_piles(),
        of_both(lambda player: ~T.collected[player] | (T.takes[player] == 0) | ~T.owned[player].empty),
    ),
    "there is no other pile than the only one": implies(
        T.single & _during(Phase.PLAY, Phase.SLAP),
        all_of(Pile, lambda pile: (T.solo == pile) | T.pile[pile].empty),
    ),
    "no pile is started before the first spit": implies(
        _during(Phase.DEAL) | (T.single & (T.phase == Phase.READY)), of_both(lambda player: T.starter[player] == 0)
    ),
    "one player started the only pile": implies(
        T.single & _during(Phase.PLAY, Phase.SLAP),
        either(*((T.starter[player] == T.solo) & (T.starter[other(player)] == 0) for player in each(Player))),
    ),
    "who is left without cards has won": implies(
        (T.phase == Phase.SLAP) & is_settled(T) & ~scored(), of_both(carries_cards)
    ),
    "face up means a card": implies(
        _during(Phase.DEAL, Phase.READY, Phase.PLAY),
        of_both(lambda player: all_of(Slot, lambda slot: implies(T.up[player, slot], ~_stock(player, slot).empty))),
    ),
}
"""By name. Each is assumed of a table by the proofs that name it, and shown to survive every event."""
