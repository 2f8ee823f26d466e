"""Terms: the plain data that rules are recorded as, and that every back end translates.

A term is a node of a shared graph: two terms with the same content are the same object, so back ends may use ``is``
and identity-keyed tables. Constructors simplify where a value is known; binding options and choices is therefore
nothing but `substitute`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

from fairdeal.spec.language.sorts import BOOL, CARD, CARDS, INT, Sort

NO_CARD = 52
NO_RANK = 40
"""Rank of what is no card: further from every rank than any rule can bridge."""


class Term:
    """One node: an operator, its operands, a payload (a constant's value, a name) and its sort."""

    __slots__ = ("args", "op", "open", "sort", "value")

    op: str
    args: tuple[Term, ...]
    value: Hashable
    sort: Sort
    open: frozenset[Term]
    """The parameters and options inside: what `substitute` can bind."""

    def __repr__(self) -> str:
        """Prefix notation, for people who debug rules."""
        inner = " ".join([str(self.value)] * (self.value is not None) + [repr(arg) for arg in self.args])
        return f"({self.op} {inner})" if inner else self.op


_NOTHING: frozenset[Term] = frozenset()

_shared: dict[tuple[Hashable, ...], Term] = {}


def node(op: str, args: Iterable[Term] = (), value: Hashable = None, sort: Sort = BOOL) -> Term:
    """The one term with this content, without any simplification."""
    operands = tuple(args)
    key = (op, value, sort, *map(id, operands))
    found = _shared.get(key)
    if found is None:
        found = Term()
        found.op, found.args, found.value, found.sort = op, operands, value, sort
        if op in ("param", "option"):
            found.open = frozenset((found,))
        elif not operands:
            found.open = _NOTHING
        elif len(operands) == 1:
            found.open = operands[0].open
        else:
            found.open = _NOTHING.union(*[operand.open for operand in operands])
        _shared[key] = found
    return found


def const(value: int, sort: Sort = INT) -> Term:
    """A known value of a sort."""
    return node("const", value=int(value), sort=sort)


TRUE = const(1, BOOL)
FALSE = const(0, BOOL)


def is_const(term: Term) -> bool:
    """Whether the term is a known value."""
    return term.op == "const"


def known(term: Term) -> int:
    """The value of a constant."""
    assert isinstance(term.value, int)
    return term.value


def negate(term: Term) -> Term:
    """Logical not."""
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.op == "not":
        return term.args[0]
    return node("not", (term,))


def _flat(op: str, terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        if term.op == op:
            yield from term.args
        else:
            yield term


def conjoin(terms: Iterable[Term]) -> Term:
    """Logical and, of any number of terms; order is kept, for guards are cheap before they are dear."""
    kept: dict[int, Term] = {}
    for term in _flat("and", terms):
        if term is FALSE or id(negate(term)) in kept:
            return FALSE
        if term is not TRUE:
            kept[id(term)] = term
    parts = list(kept.values())
    return TRUE if not parts else parts[0] if len(parts) == 1 else node("and", parts)


def disjoin(terms: Iterable[Term]) -> Term:
    """Logical or; what all alternatives share is moved out of it, which is how loops over choices are hoisted."""
    kept: dict[int, Term] = {}
    for term in _flat("or", terms):
        if term is TRUE or id(negate(term)) in kept:
            return TRUE
        if term is not FALSE:
            kept[id(term)] = term
    parts = list(kept.values())
    if not parts:
        return FALSE
    if len(parts) == 1:
        return parts[0]
    conjuncts = _widened([part.args if part.op == "and" else (part,) for part in parts])
    common = [one for one in conjuncts[0] if all(any(one is other for other in rest) for rest in conjuncts[1:])]
    if not common:
        return node("or", parts)
    rest = [conjoin(one for one in part if all(one is not shared for shared in common)) for part in conjuncts]
    return conjoin([*common, disjoin(rest)])


def _widened(conjuncts: list[tuple[Term, ...]]) -> list[tuple[Term, ...]]:
    """Alternatives whose last condition is the same disjunction but for what each rules out, made the very same.

    "This slot is not empty, and another one is" says no less as "this slot is not empty, and some slot is".
    """
    last = [each[-1] for each in conjuncts]
    if any(one.op != "or" for one in last) or all(one is last[0] for one in last):
        return conjuncts
    every = dict.fromkeys(option for one in last for option in one.args)
    for each in conjuncts:
        excluded = {id(negate(one)) for one in each[:-1]}
        if any(option not in each[-1].args and id(option) not in excluded for option in every):
            return conjuncts
    whole = node("or", every)
    return [(*each[:-1], whole) for each in conjuncts]


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """The language's own conditional."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if then.sort.kind == "bool":
        return disjoin([conjoin([condition, then]), conjoin([negate(condition), otherwise])])
    return node("ite", (condition, then, otherwise), sort=then.sort)


def equal(left: Term, right: Term) -> Term:
    """Equality within one sort."""
    if left is right:
        return TRUE
    if is_const(left) and is_const(right):
        return TRUE if known(left) == known(right) else FALSE
    if left.sort.kind == "bool":
        for one, two in ((left, right), (right, left)):
            if one is TRUE:
                return two
            if one is FALSE:
                return negate(two)
    if is_const(left):
        left, right = right, left
    return node("eq", (left, right))


def less(left: Term, right: Term) -> Term:
    """Strict order on integers."""
    if is_const(left) and is_const(right):
        return TRUE if known(left) < known(right) else FALSE
    return FALSE if left is right else node("lt", (left, right))


def add(left: Term, right: Term) -> Term:
    """Sum; a zero on either side disappears."""
    if is_const(left) and is_const(right):
        return const(known(left) + known(right), left.sort)
    if is_const(left) and known(left) == 0:
        return right
    if is_const(right) and known(right) == 0:
        return left
    return node("add", (left, right), sort=INT)


def subtract(left: Term, right: Term) -> Term:
    """Difference."""
    if is_const(left) and is_const(right):
        return const(known(left) - known(right), right.sort if left.sort is INT else left.sort)
    if is_const(right) and known(right) == 0:
        return left
    return node("sub", (left, right), sort=right.sort if right.sort.kind == "enum" else INT)


def rank(card: Term) -> Term:
    """Rank of a card, ace 0 to king 12; `NO_RANK` for what is no card."""
    if is_const(card):
        return const(known(card) // 4 if known(card) < NO_CARD else NO_RANK, INT)
    return node("rank", (card,), sort=INT)


def union(left: Term, right: Term) -> Term:
    """The cards of both sets."""
    if left is right:
        return left
    if is_const(left) and is_const(right):
        return const(known(left) | known(right), CARDS)
    return node("union", (left, right), sort=CARDS)


def common(left: Term, right: Term) -> Term:
    """The cards that are in both sets."""
    if is_const(left) and is_const(right):
        return const(known(left) & known(right), CARDS)
    if any(is_const(side) and known(side) == 0 for side in (left, right)):
        return const(0, CARDS)
    return left if left is right else node("common", (left, right), sort=CARDS)


def weight(cards: Term, worth: tuple[int, ...]) -> Term:
    """What a set of cards is worth: ``worth`` gives it for each rank, ace first."""
    if is_const(cards):
        return const(sum(worth[code // 4] for code in range(NO_CARD) if known(cards) >> code & 1))
    return node("weight", (cards,), worth, INT)


def listed(cards: Term, table: tuple[int, ...]) -> Term:
    """Whether the set of cards is one of a finite table of masks, which is in ascending order."""
    if is_const(cards):
        return TRUE if known(cards) in table else FALSE
    return node("listed", (cards,), table)


def _table(term: Term) -> tuple[int, ...]:
    assert isinstance(term.value, tuple)
    return term.value


_rebuild: dict[str, Callable[[Term, tuple[Term, ...]], Term]] = {
    "not": lambda _, args: negate(args[0]),
    "and": lambda _, args: conjoin(args),
    "or": lambda _, args: disjoin(args),
    "ite": lambda _, args: choose(*args),
    "eq": lambda _, args: equal(*args),
    "lt": lambda _, args: less(*args),
    "add": lambda _, args: add(*args),
    "sub": lambda _, args: subtract(*args),
    "rank": lambda _, args: rank(*args),
    "union": lambda _, args: union(*args),
    "common": lambda _, args: common(*args),
    "weight": lambda term, args: weight(args[0], _table(term)),
    "listed": lambda term, args: listed(args[0], _table(term)),
}


def substitute(term: Term, binding: Mapping[Term, Term], done: dict[Term, Term] | None = None) -> Term:
    """The term with parameters and options replaced, simplified as far as the new parts allow.

    ``done`` may be shared between calls with the same binding.
    """
    if term.open.isdisjoint(binding):
        return term
    memo = {} if done is None else done
    found = memo.get(term)
    if found is not None:
        return found
    new = binding.get(term)
    if new is None:
        args = tuple([substitute(arg, binding, memo) for arg in term.args])
        make = _rebuild.get(term.op)
        new = make(term, args) if make else node(term.op, args, term.value, term.sort)
    memo[term] = new
    return new


def replace(term: Term, binding: Mapping[Term, Term], done: dict[Term, Term] | None = None) -> Term:
    """The term with any parts replaced, not only open ones."""
    memo = {} if done is None else done
    found = memo.get(term)
    if found is None:
        found = binding.get(term)
        if found is None and term.args:
            args = tuple([replace(arg, binding, memo) for arg in term.args])
            make = _rebuild.get(term.op)
            found = make(term, args) if make else node(term.op, args, term.value, term.sort)
        memo[term] = found = term if found is None else found
    return found


def subterms(term: Term, seen: set[Term] | None = None) -> Iterator[Term]:
    """Every term inside, each once, operands before what uses them."""
    visited = set() if seen is None else seen
    if term in visited:
        return
    visited.add(term)
    for arg in term.args:
        yield from subterms(arg, visited)
    yield term


def card_value(code: int) -> Term:
    """A known card."""
    return const(code, CARD)


def digest(term: Term, known: dict[Term, str]) -> str:
    """A short text that is equal for equal terms, in this process and in others; ``known`` is shared between calls."""
    found = known.get(term)
    if found is None:
        parts = [term.op, repr(term.value), term.sort.name, *(digest(arg, known) for arg in term.args)]
        found = known[term] = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return found
