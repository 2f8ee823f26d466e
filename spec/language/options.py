"""Options: the house rules and the readings of gaps that a game is played under, as values of its model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.sorts import Sort


class OptionError(ValueError):
    """An option, a value or a rule set that the game does not have; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule, or a reading of a gap: its values, which one holds unless chosen, and what supports each.

    A value is *textual* where some reading of the source documents supports it, else only *published* elsewhere.
    An option with ``numeric`` takes any whole number from its ``low`` to its ``high``.
    """

    name: str
    values: tuple[str, ...]
    default: str
    textual: tuple[str, ...]
    gap: str
    numeric: tuple[int, int] | None = None
    fixed: bool = False
    """Chosen by the log's `rules` alone, and so never a reading to try."""
    literal: tuple[str, ...] = ()
    """Values that take a repair of the text back: they show its holes, and excuse nothing."""

    @property
    def tried(self) -> tuple[str, ...]:
        """The values that can excuse a log: those that the text allows and that are no hole in it."""
        return tuple(value for value in self.textual if value not in self.literal)

    @property
    def sort(self) -> Sort:
        """The option's sort: its values in order, or integers."""
        if self.numeric:
            return Sort(self.name, "int", *self.numeric)
        return Sort(self.name, "enum", 0, len(self.values) - 1, self.values)

    @property
    def described(self) -> str:
        """Its name and its values, as a choice of one is written: ``ace=cycle|literal``, ``target=1..100``."""
        return f"{self.name}=" + ("{}..{}".format(*self.numeric) if self.numeric else "|".join(self.values))

    @property
    def statement(self) -> str:
        """The gap that the option reads."""
        return self.gap

    def encode(self, value: str) -> int:
        """The number that stands for a value in terms.

        Raises:
            OptionError: the option has no such value.
        """
        if self.numeric:
            low, high = self.numeric
            if value.isascii() and value.isdigit() and len(value) <= len(str(high)) and low <= int(value) <= high:
                return int(value)
            raise OptionError(f"{self.name}={value}: {self.name} is a whole number from {low} to {high}")
        if value not in self.values:
            near = get_close_matches(value, self.values, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise OptionError(f"{self.name}={value}: the values of {self.name} are {', '.join(self.values)}{hint}")
        return self.values.index(value)


class Options:
    """Base for a game's options: each attribute that is an `OptionTerm` declares one."""

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """The options by name, in the order of the class body."""
        return {name: value.option for name, value in vars(cls).items() if isinstance(value, OptionTerm)}


class OptionTerm:
    """Declares an option: its values, the first of them the default, and the gap that it reads.

    ``published`` lists the values that only other published rules support, ``literal`` those that take a repair back.
    """

    def __init__(
        self,
        *values: str,
        gap: str,
        published: tuple[str, ...] = (),
        literal: tuple[str, ...] = (),
        fixed: bool = False,
    ) -> None:
        self._values, self._gap, self._rest = values, gap, (None, fixed, literal)
        self._textual = tuple(value for value in values if value not in published)

    def __set_name__(self, owner: type, name: str) -> None:
        self.option = Option(name, self._values, self._values[0], self._textual, self._gap, *self._rest)

    def __get__(self, instance: object, owner: type) -> Expr[Any]:
        """The option's value, as a term that stays open until a back end binds it."""
        return Expr(terms.node("option", (), self.option.name, self.option.sort))


class NumberTerm(OptionTerm):
    """Declares an option that is any whole number of a range, such as the points that end a game."""

    def __init__(self, default: int, low: int, high: int, *, gap: str) -> None:
        super().__init__(str(default), gap=gap)
        self._range = (low, high)

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        self.option = replace(self.option, numeric=self._range)
