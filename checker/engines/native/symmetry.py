"""Symmetries: claims that values of a sort can be renamed, checked on the record of the rules.

A renaming acts on states (what is indexed by a value moves to the index of its new name), on terms and on events.
It is a symmetry if every event, renamed, is the event with renamed choices: the same guards and the same effects,
but for the order in which conjunctions, alternatives and sums are written. Then renaming commutes with every event,
from any state, and states that differ by it have the same future but for names. The check is on the text of the
record; what it does not recognise is refused and never assumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fairdeal.spec.language import terms
from fairdeal.spec.language.exploring import Symmetry
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.recording import Assign, Effect, Move, When
from fairdeal.spec.language.sorts import Sort
from fairdeal.spec.language.state import Variable
from fairdeal.spec.language.terms import Term

Key = tuple[str, tuple[int, ...]]
_READS = ("cell", "size", "top", "cards")
_UNORDERED = ("and", "or", "eq", "add", "union", "common")


class NoSymmetry(Exception):  # noqa: N818 - it says what it is
    """The record does not show that a renaming is a symmetry; the message says of what."""


@dataclass(frozen=True, slots=True)
class Rule:
    """An event with its choices and options bound, as it was recorded."""

    event: Event
    choices: tuple[int, ...]
    condition: Term
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Renaming:
    """Two values of a sort change names; with an ``owner`` only where that value of the outer sort is an index too."""

    symmetry: Symmetry
    variables: Mapping[str, Variable]
    left: int
    right: int
    owner: int | None = None

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The sorts whose values are renamed."""
        return (self.symmetry.renamed, *self.symmetry.alike)

    def swapped(self, value: int) -> int:
        """The new name of a value."""
        return {self.left: self.right, self.right: self.left}.get(value, value)

    def value(self, sort: Sort, value: int) -> int:
        """A cell's value after renaming."""
        return self.swapped(value) if sort in self.sorts else value

    def at(self, sorts: Sequence[Sort], values: Sequence[int]) -> tuple[int, ...]:
        """An index, or an event's choices, after renaming."""
        if self.owner is not None and (self.symmetry.within, self.owner) not in list(zip(sorts, values, strict=True)):
            return tuple(values)
        return tuple(self.swapped(one) if sort in self.sorts else one for sort, one in zip(sorts, values, strict=True))

    def key(self, key: Key) -> Key:
        """Where a cell or zone is after renaming."""
        return key[0], self.at(self.variables[key[0]].indices, key[1])

    def term(self, term: Term, done: dict[Term, Term]) -> Term:
        """The term that says of a renamed state what this one says of the state."""
        found = done.get(term)
        if found is None:
            found = done[term] = self._term(term, done)
        return found

    def _term(self, term: Term, done: dict[Term, Term]) -> Term:
        if term.op in _READS:
            self._refuse_kept(term.sort)
            return terms.node(term.op, self._index(str(term.value), term.args), term.value, term.sort)
        if term.op == "const":
            return terms.const(self.value(term.sort, terms.known(term)), term.sort)
        if any(arg.sort in self.sorts for arg in term.args):
            self._refuse_mixed(term)
        args = tuple(self.term(arg, done) for arg in term.args)
        return terms.node(term.op, args, term.value, term.sort)

    def _index(self, name: str, index: Sequence[Term]) -> tuple[Term, ...]:
        sorts = self.variables[name].indices
        renamed = self.at(sorts, [terms.known(one) for one in index])
        return tuple(terms.const(value, sort) for value, sort in zip(renamed, sorts, strict=True))

    def _refuse_kept(self, sort: Sort) -> None:
        if self.owner is not None and sort in self.sorts:
            raise NoSymmetry(f"a cell holds a {sort.name}, and does not say whose")

    def _refuse_mixed(self, term: Term) -> None:
        """Only equality and choice may look at a renamed value; order and arithmetic would notice."""
        kinds = term.args[1:] if term.op == "ite" else term.args
        alone = all(arg.sort in self.sorts for arg in kinds)
        if self.owner is not None or not alone or term.op not in ("eq", "ite"):
            raise NoSymmetry(f"{term!r} does more with a {self.symmetry.renamed.name} than compare it")

    def effects(self, effects: Iterable[Effect], done: dict[Term, Term]) -> tuple[Effect, ...]:
        """The effects that do to a renamed state what these do to the state."""
        return tuple(self._effect(one, done) for one in effects)

    def _effect(self, one: Effect, done: dict[Term, Term]) -> Effect:
        match one:
            case When():
                return When(self.term(one.condition, done), self.effects(one.effects, done))
            case Assign():
                sort = self.variables[one.cell].sort
                self._refuse_kept(sort)
                if (sort in self.sorts) != (one.value.sort in self.sorts):
                    raise NoSymmetry(f"{one.cell} is given a value of another sort")
                return Assign(one.cell, self._index(one.cell, one.index), self.term(one.value, done))
            case Move():
                source, target = (
                    self._index(one.source, one.source_index),
                    self._index(one.target, one.target_index),
                )
                return Move(one.source, source, one.target, target)
        raise NoSymmetry(f"{type(one).__name__} is not looked into")


def renamings(
    symmetry: Symmetry, variables: Mapping[str, Variable], rules: Sequence[Rule], conditions: Iterable[Term]
) -> tuple[Renaming, ...]:
    """What generates a symmetry: swaps of neighbouring values, each checked on all rules and conditions.

    Raises:
        NoSymmetry: the record does not show it.
    """
    owners = [None] if symmetry.within is None else list(symmetry.within.values)
    swaps = [
        Renaming(symmetry, variables, left, right, owner)
        for owner in owners
        for left, right in pairwise(symmetry.renamed.values)
    ]
    for one in swaps:
        _check(one, rules, conditions)
    return tuple(swaps)


def _check(one: Renaming, rules: Sequence[Rule], conditions: Iterable[Term]) -> None:
    known: dict[Term, Hashable] = {}
    done: dict[Term, Term] = {}
    wanted = {(rule.event.name, rule.choices): rule for rule in rules}
    for rule in rules:
        choices = one.at([choice.sort for choice in rule.event.choices], rule.choices)
        namesake = wanted.get((rule.event.name, choices))
        if namesake is None:
            raise NoSymmetry(f"{rule.event.name}{choices} is not among the events, and {rule.choices} is")
        same = _normal(one.term(rule.condition, done), known) == _normal(namesake.condition, known)
        effects = one.effects(rule.effects, done)
        if not same or _effects(effects, known) != _effects(namesake.effects, known):
            raise NoSymmetry(f"{rule.event.name}{rule.choices} and {choices} differ in more than names")
    for condition in conditions:
        if _normal(one.term(condition, done), known) != _normal(condition, known):
            raise NoSymmetry(f"a condition that is asked for changes: {condition!r}")


def _normal(term: Term, known: dict[Term, Hashable]) -> Hashable:
    """A form that is equal for terms that differ in the order of conjuncts, alternatives or summands alone."""
    found = known.get(term)
    if found is None:
        gathered: Hashable
        if term.op in _UNORDERED:
            gathered = frozenset(Counter(_normal(one, known) for one in _spread(term.op, term)).items())
        else:
            gathered = tuple(_normal(arg, known) for arg in term.args)
        found = known[term] = (term.op, term.value, term.sort.name if term.op == "const" else "", gathered)
    return found


def _spread(op: str, term: Term) -> Iterator[Term]:
    """The operands of nested sums, unions and the like, one after another."""
    for arg in term.args:
        if arg.op == op and op != "eq":
            yield from _spread(op, arg)
        else:
            yield arg


def _effects(effects: Iterable[Effect], known: dict[Term, Hashable]) -> Hashable:
    return tuple(_effect(one, known) for one in effects)


def _effect(one: Effect, known: dict[Term, Hashable]) -> Hashable:
    match one:
        case When():
            return "when", _normal(one.condition, known), _effects(one.effects, known)
        case Assign():
            return "assign", one.cell, one.index, _normal(one.value, known)
        case Move():
            return "move", one.source, one.source_index, one.target, one.target_index
    raise NoSymmetry(f"{type(one).__name__} is not looked into")
