"""What somebody asks to be found, read and refused before anything that is slow to load is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairdeal.checker.proving.dealing import Deals, deals_of
from fairdeal.checker.proving.expressions import ExpressionError, condition
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.properties import Goal, Properties

NAME = re.compile(r"[\w-]+")
"""What is meant as a name, and not as a condition on the table."""


class UnknownGoalError(ValueError):
    """A name that is no goal, event or clause and says nothing of the table; with the names that there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no goal {name}")
        self.name, self.known = name, known


class BrokenError(ValueError):
    """Something is to be broken that is no clause or gap."""


@dataclass(frozen=True)
class Request:
    """What somebody asks for."""

    goal: str
    rules: str | None = None
    options: Mapping[str, str] | None = None
    whole: bool = False
    broken: bool = False
    deal: str | None = None
    length: int | None = None
    seconds: float = 60


@dataclass(frozen=True, eq=False)
class Wanted:
    """A request that makes sense: one of a declared goal, events that a log ends with, a clause, a condition."""

    declared: Properties
    request: Request
    goal: Goal | None = None
    events: tuple[str, ...] = ()
    clause: str = ""
    condition: Expr[bool] | None = None
    deals: Deals | None = field(default=None, kw_only=True)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.declared.game

    @property
    def rules(self) -> str:
        """The named set of rules to look under: a goal's own where the call names none."""
        return self.request.rules or (self.goal.rules if self.goal else "standard")

    @property
    def chosen(self) -> dict[str, str]:
        """The readings to look under: a goal's own hold where the call names no set of rules."""
        own = self.goal.readings if self.goal and not self.request.rules else {}
        return {**own, **(self.request.options or {})}

    @property
    def options(self) -> Mapping[str, int]:
        """The options to look under, bound."""
        return self.game.bind(self.rules, self.chosen)


def wanted(declared: Properties, request: Request) -> Wanted:
    """What a request means.

    Raises:
        UnknownGoalError: the goal is a name, and none that the game knows.
        ExpressionError: it is more than a name, and no condition on the table.
        BrokenError: it is to be broken, and is no clause or gap.
        SourceError, DealsError: the log whose deals are to be kept has none that can be.
    """
    found = _meant(declared, request)
    if request.deal is None:
        return found
    deals = deals_of(declared.game, request.deal, found.options, whole=request.whole)
    return replace(found, deals=deals)


def _meant(declared: Properties, request: Request) -> Wanted:
    game, named, clauses = declared.game, request.goal, catalogue(declared.game.name)
    if request.broken:
        if named.upper() in clauses:
            return Wanted(declared, request, clause=named.upper())
        if NAME.fullmatch(named) and not _is_known(declared, named):
            raise _unknown(declared, named)
        raise BrokenError(
            f"--broken asks for a log that breaks a clause or gap, and {named} is none; "
            f"leave out --broken, or name one of those that `fairdeal rules {game.name}` lists"
        )
    goal = next((one for one in declared.goals if named in (one.name, one.hole)), None)
    if goal is not None:
        return Wanted(declared, request, goal)
    if named in game.events:
        return Wanted(declared, request, events=(named,))
    if named.upper() in clauses:
        return Wanted(declared, request, clause=named.upper())
    try:
        return Wanted(declared, request, condition=condition(game, named))
    except ExpressionError as error:
        if not NAME.fullmatch(named):
            raise
        raise _unknown(declared, named) from error


def _is_known(declared: Properties, name: str) -> bool:
    game = declared.game
    fields = [*(one.name for one in game.variables), *game.derived]
    return name in (*(one.name for one in declared.goals), *game.events, *fields)


def _unknown(declared: Properties, name: str) -> UnknownGoalError:
    game = declared.game
    return UnknownGoalError(name, [*(one.name for one in declared.goals), *game.events, *catalogue(game.name)])
