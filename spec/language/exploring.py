"""What exploring a deal needs to know of a game beside its rules: where a part begins, how it ends, what is alike.

Nothing in here is a rule. Symmetries are claims about the rules that the explorer checks on their record before it uses
them; what may be merged beyond that is said with the reason for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.sorts import Sort, sort_of

Where = Callable[..., Expr[bool]]


@dataclass(frozen=True, slots=True)
class Explored:
    """An event that is explored, where its choices satisfy a condition."""

    event: str
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A claim: the values of a finite sort can be renamed everywhere at once, and the rules do not notice.

    ``within`` names a sort for each value of which there is a renaming of its own, such as the slots of one player.
    ``alike`` lists further sorts whose values stand for the same things.
    """

    meaning: str
    renamed: Sort
    within: Sort | None = None
    alike: tuple[Sort, ...] = ()

    @staticmethod
    def of(meaning: str, renamed: type, within: type | None = None, alike: tuple[type, ...] = ()) -> Symmetry:
        """A symmetry by the Python types that stand for the sorts."""
        return Symmetry(meaning, sort_of(renamed), sort_of(within) if within else None, tuple(map(sort_of, alike)))


@dataclass(frozen=True, slots=True)
class EndClass:
    """A class of states that a reader asks for: an ending of the part, or something that happens on the way."""

    meaning: str
    condition: Expr[bool]
    final: bool = True
    """The part is over there."""


@dataclass(frozen=True, slots=True)
class Eager:
    """A claim: an event that can be taken at once, wherever it is possible, without losing an ending."""

    event: str
    reason: str
    holds_under: Mapping[str, tuple[str, ...]]
    """The values of options under which the reason is good."""
    where: Where | None = None
    """The choices for which it is good; all that are explored if there is none."""
    proof: str = ""
    """The property that proves it (a `Sooner`), or the test; without one, it rests on the reason and on small decks."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that one part can have of an event, and why; with a condition, of parts that begin where it holds."""

    event: str
    most: int
    reason: str
    given: Expr[bool] | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """How a hand is looked at by itself: the table on which the first player holds it and may act.

    ``cells`` are the cells that differ from a fresh table, ``lays`` the event that lays cards of the hand down, and
    ``worth`` what counts for the player afterwards, which ``meaning`` says in words.
    """

    zone: str
    source: str
    cells: Mapping[str, int]
    lays: str
    worth: Expr[Any]
    meaning: str


@dataclass(frozen=True, slots=True)
class Exploration:
    """How a part of a game, such as a round, is explored.

    ``begins`` says from which state on, ``events`` what can happen, ``classes`` what is asked. ``null`` are events
    that lead back to a state which is the same but for a renaming; they are left out, and looked at by themselves.
    ``acts`` names the event that a player can be kept from, with the condition under which each can do it.
    """

    part: str
    begins: Expr[bool]
    events: tuple[Explored, ...]
    classes: Mapping[str, EndClass]
    null: tuple[Explored, ...] = ()
    symmetries: tuple[Symmetry, ...] = ()
    eager: tuple[Eager, ...] = ()
    bounds: tuple[Bound, ...] = ()
    held: Held | None = None
    acts: str = ""
    can_act: Mapping[str, Expr[bool]] = field(default_factory=dict)
    """By the name of a player, whether that player can do it now."""
    measure: Expr[Any] | None = None
    """What every explored event lowers; with it, the longest ways are known, and the most and fewest events on them."""
