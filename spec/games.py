"""The games that there are rules for, by name; a game's rules are recorded when they are first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from fairdeal.spec.language.game import Game

if TYPE_CHECKING:
    from fairdeal.spec.language.exploring import Exploration
    from fairdeal.spec.language.properties import Properties

MODULES = {
    "spit": ("fairdeal.spec.spit", "SPIT"),
    "queen-city-rum": ("fairdeal.spec.queen_city_rum", "RUM"),
}

CALLED = {
    "spit": ("slam", "speed"),
    "queen-city-rum": ("rum", "rummy", "queen-city", "queen-city-rummy", "qcr"),
}
"""What people call a game besides its name, or take for it; a log is not read by these."""


class UnknownGame(LookupError):  # noqa: N818 - the name that callers know
    """A game that there are no rules for; ``known`` lists those that there are."""

    def __init__(self, name: str) -> None:
        self.name, self.known = name, tuple(MODULES)
        super().__init__(f"there are no rules for {name!r}; the games are {', '.join(self.known)}")


@cache
def model_named(name: str) -> Game:
    """The recorded rules of a game.

    Raises:
        UnknownGame: there are none.
    """
    if name not in MODULES:
        raise UnknownGame(name)
    module, attribute = MODULES[name]
    game = getattr(import_module(module), attribute)
    assert isinstance(game, Game)
    return game


def meant_game(name: str) -> str | None:
    """The game that is most likely meant by a name that is none, if any: another case, spelling or word for it."""
    from difflib import get_close_matches  # slow to import, and seldom needed

    folded = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    for game, others in CALLED.items():
        if folded in (game, *others):
            return game
    return next(iter(get_close_matches(folded[:40], MODULES, 1)), None)


def properties_of(name: str) -> Properties:
    """What is to be proved, refuted or computed of a game; it is recorded when it is first asked for.

    Raises:
        UnknownGame: there are no rules for it.
    """
    from fairdeal.spec.language.properties import Properties

    model_named(name)
    found = import_module(f"{MODULES[name][0]}.properties").PROPERTIES
    assert isinstance(found, Properties)
    return found


@cache
def exploration_of(name: str) -> Exploration:
    """How a part of a game is explored; loaded when it is asked for, since checking does without.

    Raises:
        UnknownGame: there are no rules for it, or nothing says how it is explored.
    """
    from fairdeal.spec.language.exploring import Exploration

    model_named(name)
    try:
        found = import_module(f"{MODULES[name][0]}.exploration").EXPLORATION
    except ModuleNotFoundError as error:
        raise UnknownGame(name) from error
    assert isinstance(found, Exploration)
    return found
