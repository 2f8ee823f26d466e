"""What is true of Spit's table at any time and that no rule states: proofs rest on it, and it is proved itself."""

from __future__ import annotations

from fairdeal.spec.language import Expr, Zone, all_of, both, choose, each, either, implies
from fairdeal.spec.spit.table import Phase, Pile, Player, Slot, Table, void_round

T = Table()


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


def _during(*phases: Phase) -> Expr[bool]:
    return either(*(T.phase == phase for phase in phases))


def _stock(player: Expr[Player], slot: Expr[Slot]) -> Zone:
    return T.stock[player, slot]


INVARIANTS: dict[str, Expr[bool]] = {
    "before the first round": implies(
        T.phase == Phase.START,
        of_both(lambda player: bare_side(player) & T.owned[player].empty & ~T.collected[player]) & bare_piles(),
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
    "no pile before the first spit": implies(_during(Phase.START, Phase.DEAL), bare_piles()),
    "piles while a round is started": implies(T.phase == Phase.READY, half_started()),
    "piles while a round is in play": implies(T.phase == Phase.PLAY, piles_in_play()),
    "face up means a card": implies(
        _during(Phase.DEAL, Phase.READY, Phase.PLAY),
        of_both(lambda player: all_of(Slot, lambda slot: implies(T.up[player, slot], ~_stock(player, slot).empty))),
    ),
}
"""By name. Each is assumed of a table by the proofs that name it, and shown to survive every event."""
