"""The shelf: the rules of games under the options of logs, kept ready, so that games of one kind share what is made."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache

from fairdeal.checker.judging.binding import MEMO_LIMIT, Binder
from fairdeal.checker.reading.notation import notation
from fairdeal.spec.games import model_named
from fairdeal.spec.language.game import Game

BINDERS = 24
"""Games under one assignment of options that are kept ready; further ones push out the longest unused."""

BODIES = MEMO_LIMIT
"""Bodies of lines that all of them together may remember when a game begins; the longest unused forget theirs first."""


class Shelf:
    """The rules of games, and a bounded number of binders that are kept ready for them."""

    def __init__(self) -> None:
        self._binders: OrderedDict[tuple[str, tuple[int, ...]], Binder] = OrderedDict()

    def game(self, name: str) -> Game:
        """The rules of a game.

        Raises:
            UnknownGame: there are none.
        """
        return model_named(name)

    def binder(self, game: Game, options: Mapping[str, int]) -> Binder:
        """The binder of a game under bound options."""
        key = (game.name, tuple([options[name] for name in game.options]))
        found = self._binders.pop(key, None)
        if found is None:
            found = self.make(game, options)
            while len(self._binders) >= BINDERS:
                self._binders.popitem(last=False)
        self._binders[key] = found
        self._forget()
        return found

    def _forget(self) -> None:
        """Drop remembered bodies beyond the limit, but for those of the game that begins."""
        memos = [binder.memo for binder in self._binders.values()]
        left = sum(map(len, memos))
        for memo in memos[:-1]:
            if left <= BODIES:
                break
            left -= len(memo)
            memo.clear()

    def make(self, game: Game, options: Mapping[str, int]) -> Binder:
        """A new binder."""
        return Binder(game, notation(game.name), options)


@lru_cache(maxsize=BINDERS)
def options_of(game: Game, rules: str, chosen: tuple[tuple[str, str], ...]) -> Mapping[str, int]:
    """The options of a game, bound; the games of one log mostly have the same."""
    return game.bind(rules, dict(chosen))


SHELF = Shelf()


def binder_for(game: Game, options: Mapping[str, int]) -> Binder:
    """The binder of a game under bound options, as the whole process shares it."""
    return SHELF.binder(game, options)
