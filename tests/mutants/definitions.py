"""The named conditions and amounts that a game's rules are written with, each changed once, wherever it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import isfunction, signature
from typing import Any

from fairdeal.spec.language import Expr, Row, Rows, each, enabled, other, sum_of
from fairdeal.spec.language.sorts import SEQUENCE, sort_of
from fairdeal.spec.language.terms import FALSE, Term, node, subterms

SMALL = 6
"""Terms that a definition has at least: a smaller one is changed wherever it stands."""


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
    return {"spit": _spit, "queen-city-rum": _rum}[game]()


def _spit() -> tuple[Definition, ...]:
    from fairdeal.spec.spit import SPIT, deal, ending, play, table
    from fairdeal.spec.spit.table import Phase, PileOrNone, Player, Slot

    t = table.Table()
    someone: Expr[Player] = Expr(node("param", (), "player", sort_of(Player)))
    people = [*each(Player), someone, other(someone)]
    stated: Expr[PileOrNone] = Expr(node("param", (), "pile", sort_of(PileOrNone)))

    def whole(name: str, one: Expr[Any]) -> Definition:
        return Definition(name, (one.term,))

    def made(name: str, one: Expr[bool], **variants: Expr[bool]) -> Definition:
        return Definition(name, (one.term,), {key: (term.term,) for key, term in variants.items()}, opaque=True)

    a, b = each(Player)

    def moves_off(where: Callable[[Any, Any], Any] = lambda slot, target: True) -> tuple[Term, ...]:
        """Whether each player can move a card off another, where the slots are such."""

        def useful(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Any:
            return (t.stock[player, slot].size > 1) & where(slot, target)

        return tuple(enabled(play.move_card, where=useful, player=player).term for player in (a, b))

    moves_off_of_a, moves_off_of_b = moves_off()
    first, *_, last = each(Slot)
    plays = {
        "only of A": enabled(play.play, player=a),
        "only of B": enabled(play.play, player=b),
        "only onto pile 1": enabled(play.play, where=lambda player, slot, pile: pile == 1),
        "only onto pile 2": enabled(play.play, where=lambda player, slot, pile: pile == 2),
        "not from the first stock": enabled(play.play, where=lambda player, slot, pile: slot != first),
        "not from the last stock": enabled(play.play, where=lambda player, slot, pile: slot != last),
    }
    moves = {
        "only of A": (moves_off_of_a, FALSE),
        "only of B": (FALSE, moves_off_of_b),
        "of single cards too": tuple(enabled(play.move_card, player=player).term for player in (a, b)),
        "not from the first stock": moves_off(lambda slot, target: slot != first),
        "not from the last stock": moves_off(lambda slot, target: slot != last),
        "not into the first slot": moves_off(lambda slot, target: target != first),
        "not into the last slot": moves_off(lambda slot, target: target != last),
    }
    size = sum_of(Slot, lambda slot: Rows("stocks")[slot].size) + Row(node("row", (), ("spit", None), SEQUENCE)).size
    special = [
        whole("size", size),
        Definition("own_play", tuple(enabled(play.play, player=player).term for player in people), opaque=True),
        made("can_play", play.CAN_PLAY, **plays),
        Definition("useful_move", (moves_off_of_a, moves_off_of_b), moves, opaque=True),
        whole("complete", t.phase == Phase.OVER),
    ]
    found = {one.name: one for one in special}
    for module in (table, play, ending, deal):
        for name, function in vars(module).items():
            if _asks(function) == ["t", "player"]:
                found.setdefault(name, Definition(name, tuple(function(t, player).term for player in people)))
            elif _asks(function) == ["t", "player", "pile"]:
                ways = [(player, pile) for pile in (None, stated) for player in people]
                found.setdefault(name, Definition(name, tuple(function(t, *way).term for way in ways)))
            elif _asks(function) == ["t"]:
                found.setdefault(name, whole(name, function(t)))
    for name, term in SPIT.derived.items():
        found.setdefault(name, Definition(name, (term,)))
    return tuple(one for one in found.values() if one in special or _size(one.instances[0]) >= SMALL)


def _rum() -> tuple[Definition, ...]:
    from fairdeal.spec.queen_city_rum import RUM, ending, table
    from fairdeal.spec.queen_city_rum.table import Player

    t = table.Table()
    someone: Expr[Player] = Expr(node("param", (), "player", sort_of(Player)))
    people = [*each(Player), someone, other(someone)]
    found: dict[str, Definition] = {}
    for module in (table, ending):
        for name, function in vars(module).items():
            if _asks(function) == ["t", "player"]:
                found.setdefault(name, Definition(name, tuple(function(t, player).term for player in people)))
            elif _asks(function) == ["t"]:
                found.setdefault(name, Definition(name, (function(t).term,)))
    for name, term in RUM.derived.items():
        found.setdefault(name, Definition(name, (term,)))
    return tuple(one for one in found.values() if _size(one.instances[0]) >= SMALL)


def _asks(function: object) -> list[str]:
    """The parameters of a function that gives a term; nothing for what is none."""
    if not isfunction(function) or not str(function.__annotations__.get("return", "")).startswith("Expr["):
        return []
    return list(signature(function).parameters)


def _size(term: Term) -> int:
    return sum(1 for _ in subterms(term))
