"""A game that is no game: a table with something of every kind, for tests of the rules language."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from fairdeal.spec.language import (
    Bag,
    Bags,
    Cards,
    Cell,
    Cells,
    Game,
    Heaps,
    Number,
    Options,
    OptionTerm,
    Range,
    RuleSet,
    Stacks,
    State,
)
from fairdeal.spec.language.game import record


class Side(IntEnum):
    LEFT = 0
    RIGHT = 1


class Place(Range, low=1, high=3):
    pass


class Toy(State):
    on = Cell(bool)
    number = Cell(Number)
    side = Cell(Side)
    flags = Cells(bool, Side, Place)
    begun = Cells(Cards, Side)
    stock = Stacks(Side, capacity=4)
    middle = Heaps(Place)
    hand = Bags(Side)
    deck = Bag(full=True)


class House(Options):
    colour = OptionTerm("red", "green", "blue", gap="GAP-TOY-1", published=("blue",))
    strict = OptionTerm("false", "true", gap="GAP-TOY-2")


def toy() -> Game:
    rules = {"standard": RuleSet("standard", {}, ""), "bright": RuleSet("bright", {"colour": "green"}, "")}
    return Game("toy", "Toy", Toy, House.declared(), rules)


def recorded(function: Callable[..., None]) -> Any:
    return record(function, Toy, ("TOY-1",))


T = Toy()
