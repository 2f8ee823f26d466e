"""Conditions on a table as a person types them: `pile[1].size == 3 and phase == PLAY`, in the rules' own names."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from fairdeal.spec.cards import DECK, NO_CARD, card_name
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr, RulesError, holds, lift
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.sorts import CARD, Sort
from fairdeal.spec.language.state import State, Zone

CARDS = {card_name(code): code for code in range(DECK)}
NONE = {"none": NO_CARD}
LONGEST = 2000

CARD_MARK = "card_"
"""What stands before a card's name while a text is parsed: `7H` alone is no word of Python's."""


class ExpressionError(ValueError):
    """What was typed is no condition on the game's table; the message says what is wrong."""


class UnknownNameError(ExpressionError):
    """A condition names something that the game's table does not have."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no field {name}: there are {', '.join(known)}")
        self.name, self.known = name, known


def condition(game: Game, text: str) -> Expr[bool]:
    """The condition that a text states.

    It may name cells and zones (`phase`, `stock[A, 2].size`, `pile[1].top`), derived conditions (`stuck`), cards,
    labels of a cell's values, in quotes where they have blanks, and whole numbers; and use ``and``, ``or``, ``not``,
    comparisons, ``+``, ``-``, and ``in`` for a card and cards.

    Raises:
        ExpressionError: it is no such text.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"a condition has {LONGEST} characters at most")
    try:
        parsed = ast.parse(_with_marks(text), mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"{text!r} is no condition: {error.msg}") from error
    try:
        found = _Reader(game).read(parsed.body)
    except RulesError as error:
        raise ExpressionError(str(error)) from error
    if not isinstance(found, Expr) or found.term.sort.kind != "bool":
        raise ExpressionError(f"{text!r} says nothing that is true or false")
    return found


def _with_marks(text: str) -> str:
    return re.sub(r"\b([2-9AKQJT][SHDC])\b", rf"{CARD_MARK}\1", text)


def _unmarked(node: ast.expr) -> str:
    return ast.unparse(node).replace(CARD_MARK, "")


class _Reader:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.table: State = game.table()

    def read(self, node: ast.expr, sort: Any = None) -> Any:
        """What a part of the text means; ``sort`` is that of what it is compared with.

        Raises:
            ExpressionError: it is nothing that can be asked of a table.
        """
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                return Expr(terms.conjoin([self._truth(one) for one in values]))
            case ast.BoolOp(values=values):
                return Expr(terms.disjoin([self._truth(one) for one in values]))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Expr(terms.negate(self._truth(operand)))
            case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
                return self._among(left, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(left, op, right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.read(left) + self.read(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self.read(left) - self.read(right)
            case ast.Constant(value=int() | bool() as value):
                return value
            case ast.Constant(value=str() as label) if sort is not None and label in sort.labels:
                return sort.low + sort.labels.index(label)
            case ast.Name(id=name):
                return self._named(name.removeprefix(CARD_MARK), sort)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self._indexed(name, index.elts if isinstance(index, ast.Tuple) else [index])
            case ast.Attribute(value=value, attr="size" | "top" | "empty" | "cards" as attribute):
                zone = self.read(value)
                if not isinstance(zone, Zone):
                    raise ExpressionError(f"{_unmarked(value)} is no zone, so it has no {attribute}")
                return getattr(zone, attribute)
        raise ExpressionError(f"{_unmarked(node)!r} is not understood in a condition")

    def _truth(self, node: ast.expr) -> terms.Term:
        value = self.read(node)
        if isinstance(value, bool):
            return terms.TRUE if value else terms.FALSE
        if not isinstance(value, Expr) or value.term.sort.kind != "bool":
            raise ExpressionError(f"{_unmarked(node)!r} is neither true nor false")
        return value.term

    def _among(self, card: ast.expr, cards: ast.expr) -> Expr[bool]:
        one, all_of_them = self.read(card, CARD), self.read(cards)
        if isinstance(all_of_them, Zone):
            all_of_them = all_of_them.cards
        if not isinstance(all_of_them, Expr) or all_of_them.term.sort.kind != "cards":
            raise ExpressionError(f"{_unmarked(cards)!r} is no set of cards: `in` asks whether a card is in one")
        wanted: Expr[Any] = one if isinstance(one, Expr) else Expr(lift(one, CARD))
        if wanted.term.sort.kind != "card":
            raise ExpressionError(f"{_unmarked(card)!r} is no card: `in` asks whether a card is in a set")
        return holds(all_of_them, wanted)

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Expr[bool]:
        one = self.read(left)
        if not isinstance(one, Expr):
            raise ExpressionError(f"{_unmarked(left)!r} on the left of a comparison has to be something of the table")
        two = self.read(right, one.term.sort)
        other: Expr[Any] = two if isinstance(two, Expr) else Expr(lift(two, one.term.sort))
        match op:
            case ast.Eq():
                return one == other
            case ast.NotEq():
                return one != other
            case ast.Lt():
                return one < other
            case ast.LtE():
                return one <= other
            case ast.Gt():
                return one > other
            case ast.GtE():
                return one >= other
        raise ExpressionError("conditions compare with ==, !=, <, <=, > and >=")

    def _named(self, name: str, sort: Any) -> Any:
        if sort is not None and name in sort.labels:
            return sort.low + sort.labels.index(name)
        if sort is CARD and name in (*CARDS, *NONE):
            return {**CARDS, **NONE}[name]
        if name in self.game.derived:
            return Expr(self.game.derived[name])
        variable = next((one for one in self.game.variables if one.name == name), None)
        if variable is None:
            if sort is not None and sort.labels:
                raise ExpressionError(f"there is no field {name}, and no {sort.name}: it has {', '.join(sort.labels)}")
            known = [*(one.name for one in self.game.variables), *self.game.derived]
            raise UnknownNameError(name, known)
        if variable.indices:
            wanted = ", ".join(one.name for one in variable.indices)
            raise ExpressionError(f"{name} is indexed: write {name}[{wanted}]")
        return getattr(self.table, name)

    def _indexed(self, name: str, index: list[ast.expr]) -> Any:
        variable = next((one for one in self.game.variables if one.name == name), None)
        if variable is None or len(variable.indices) != len(index):
            return self._named(name, None)
        values: list[Expr[Any]] = []
        for one, sort in zip(index, variable.indices, strict=True):
            label = one.id if isinstance(one, ast.Name) else ""
            value = sort.low + sort.labels.index(label) if label in sort.labels else label or self.read(one)
            if not isinstance(value, int) or not sort.low <= value <= sort.high:
                raise ExpressionError(f"{_unmarked(one)!r} is no {sort.name}: it has {', '.join(_values(sort))}")
            values.append(Expr(terms.const(value, sort)))
        return vars(type(self.table))[name][tuple(values)]


def _values(sort: Sort) -> list[str]:
    return [sort.label(value) for value in sort.values]
