"""The named conditions and amounts that a game's rules are written with, each changed once, wherever it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fairdeal.spec.language import Expr, Row, Rows, each, enabled, other, sum_of
from fairdeal.spec.language.sorts import SEQUENCE, sort_of
from fairdeal.spec.language.terms import Term, node


@dataclass(frozen=True)
class Definition:
    """A named part of rules: a term for each player it is asked for, and who may be asked.

    ``opaque`` ones are made by the language (`enabled`), not written by the rules' author: of those, only the
    ``variants`` are mutants, and that they hold always or never.
    """

    name: str
    instances: tuple[Term, ...]
    variants: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    opaque: bool = False


@cache
def definitions(game: str) -> tuple[Definition, ...]:
    """The definitions of a game, those that others use first."""
    return {"spit": _spit}[game]()


def _spit() -> tuple[Definition, ...]:
    from fairdeal.spec.spit import ending, play, table
    from fairdeal.spec.spit.table import Phase, Player, Slot

    t = table.Table()
    someone: Expr[Player] = Expr(node("param", (), "player", sort_of(Player)))
    people = [*each(Player), someone, other(someone)]

    def of_players(name: str, one: Callable[[Expr[Player]], Expr[Any]]) -> Definition:
        return Definition(name, tuple(one(player).term for player in people))

    def whole(name: str, one: Expr[Any]) -> Definition:
        return Definition(name, (one.term,))

    def made(name: str, one: Expr[bool], **variants: Expr[bool]) -> Definition:
        return Definition(name, (one.term,), {key: (term.term,) for key, term in variants.items()}, opaque=True)

    def uncovering(**limits: Any) -> Expr[bool]:
        return enabled(play.move_card, where=lambda player, slot, target: t.stock[player, slot].size > 1, **limits)

    a, b = each(Player)
    first, last = list(each(Slot))[0], list(each(Slot))[-1]
    plays = {
        "only of A": enabled(play.play, player=a),
        "only of B": enabled(play.play, player=b),
        "only onto pile 1": enabled(play.play, where=lambda player, slot, pile: pile == 1),
        "only onto pile 2": enabled(play.play, where=lambda player, slot, pile: pile == 2),
        "not from the first stock": enabled(play.play, where=lambda player, slot, pile: slot != first),
        "not from the last stock": enabled(play.play, where=lambda player, slot, pile: slot != last),
    }
    moves = {
        "only of A": uncovering(player=a),
        "only of B": uncovering(player=b),
        "of single cards too": enabled(play.move_card),
        "not from the first stock": enabled(
            play.move_card,
            where=lambda player, slot, target: (t.stock[player, slot].size > 1) & (slot != first),
        ),
        "not into the first slot": enabled(
            play.move_card,
            where=lambda player, slot, target: (t.stock[player, slot].size > 1) & (target != first),
        ),
        "not into the last slot": enabled(
            play.move_card,
            where=lambda player, slot, target: (t.stock[player, slot].size > 1) & (target != last),
        ),
    }
    size = sum_of(Slot, lambda slot: Rows("stocks")[slot].size) + Row(node("row", (), ("spit", None), SEQUENCE)).size
    return (
        whole("size", size),
        of_players("stock_cards", lambda player: table.stock_cards(t, player)),
        of_players("stockless", lambda player: play.stockless(t, player)),
        of_players("hidden_top", lambda player: table.hidden_top(t, player)),
        Definition("own_play", tuple(enabled(play.play, player=player).term for player in people), opaque=True),
        made("can_play", play.CAN_PLAY, **plays),
        made("useful_move", uncovering(), **moves),
        Definition("can_uncover", (play.CAN_UNCOVER.term,)),
        whole("no_spit", play.no_spit(t)),
        whole("blocked", play.BLOCKED),
        of_players("taken", lambda player: table.taken(t, player)),
        whole("is_settled", table.is_settled(t)),
        whole("void_round", table.void_round(t)),
        of_players("will_own", lambda player: table.will_own(t, player)),
        of_players("left_now", lambda player: play.left_now(t, player)),
        of_players("round_points", lambda player: ending.round_points(t, player)),
        of_players("new_total", lambda player: ending.new_total(t, player)),
        whole("highest", ending.highest(t)),
        whole("level", ending.level(t)),
        whole("out_of_cards", ending.out_of_cards(t)),
        whole("target_reached", ending.target_reached(t)),
        whole("complete", t.phase == Phase.OVER),
    )
