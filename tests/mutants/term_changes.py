"""Changing terms: every small change of one of them, each under a key that other edits leave alone.

Rules are recorded unrolled: ``all_of(Slot, …)`` is a conjunction of five parts that differ in a constant alone. Such
parts are changed in step, as the author of the rule would, and of them only the first and the last are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from fairdeal.spec.language import terms
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.terms import Term

from tests.mutants.words import Names, folded, shortened, words

T = TypeVar("T")

MANY = 50
"""Values of an option beyond which it is a number, and only the lowest and the highest are tried."""
ALIKE = 3
"""Parts that differ in constants alone are taken for an unrolled loop from this number on."""


@dataclass(frozen=True)
class Change:
    """A changed term: its key, what was changed, in words, and the result."""

    key: str
    words: str
    result: Term

    def within(self, step: object, result: Term) -> Change:
        """The same change seen from a term around it."""
        return Change(f"{step}{dotted(self.key)}", self.words, result)


def dotted(key: str) -> str:
    """A key as it stands behind that of what is around it."""
    return key if key.startswith(":") else f".{key}"


def became(before: Term, after: Term, names: Names) -> str:
    """A change of a term in words."""
    return f"`{shortened(words(before, names))}` became `{shortened(words(after, names))}`"


class TermChanges:
    """Lists the changes of terms; what has a name in ``names`` is changed where it is defined and nowhere else."""

    def __init__(self, names: Names, parameters: Iterable[Term] = ()) -> None:
        self.names, self.parameters = names, tuple(parameters)
        self._known: dict[Term, tuple[Change, ...]] = {}

    def of(self, term: Term) -> tuple[Change, ...]:
        """The changes inside a term."""
        if term in self.names:
            return ()
        return self.inside(term)

    def inside(self, term: Term) -> tuple[Change, ...]:
        """The changes inside a term, though it may have a name."""
        found = self._known.get(term)
        if found is None:
            changes = [*self._here(term), *self._below(term)]
            found = self._known[term] = tuple(one for one in changes if one.result is not term)
        return found

    def options(self, term: Term) -> Iterator[Change]:
        """The term with each of its options ignored: bound to each of its values."""
        for option in dict.fromkeys(one for one in _outside(term, self.names) if one.op == "option"):
            every = option.sort.values
            for value in every if len(every) <= MANY else (every[0], every[-1]):
                result = _rewritten(term, {option: terms.const(value, option.sort)}, self.names, {})
                name = f"{option.value}={option.sort.label(value)}"
                yield Change(
                    f":{name}", f"option {option.value} is ignored here and taken as {option.sort.label(value)}", result
                )

    def _here(self, term: Term) -> Iterator[Change]:
        match term.op:
            case "and" | "or":
                yield from self._drops(term, self._parts(term), f"{term.op}-without")
            case "add":
                yield from self._drops(term, self._parts(term), "sum-without")
            case "eq" | "lt" if term.args[0].sort.kind == "int":
                left, right = term.args
                if not (left.op == "const" and right.op == "const"):
                    for step, key in ((1, "plus-1"), (-1, "minus-1")):
                        if right.op == "const":
                            result = terms.node(term.op, (left, terms.const(terms.known(right) - step, right.sort)))
                        else:
                            result = terms.node(
                                term.op, (terms.node("add", (left, terms.const(step)), sort=INT), right)
                            )
                        yield Change(f":{key}", became(term, result, self.names), result)
            case "ite":
                for number, key in ((1, "always"), (2, "never")):
                    yield Change(f":{key}", became(term, term.args[number], self.names), term.args[number])
            case "cell" | "size" | "top" | "cards":
                for key, index in redirections(term.args, self.parameters):
                    result = terms.node(term.op, index, term.value, term.sort)
                    yield Change(f":{key}", became(term, result, self.names), result)

    def _drops(self, term: Term, parts: tuple[Term, ...], key: str) -> Iterator[Change]:
        for group in alike(parts, shape):
            for number in (group[0], group[-1]) if len(group) >= ALIKE else group:
                rest = parts[:number] + parts[number + 1 :]
                dropped = shortened(words(parts[number], self.names))
                yield Change(f":{key}-{number + 1}", f"without `{dropped}`", _rebuilt(term, rest))

    def _parts(self, term: Term) -> tuple[Term, ...]:
        if term.op != "add":
            return folded(term, self.names)
        return tuple(part for arg in term.args for part in _summands(arg, self.names))

    def _below(self, term: Term) -> Iterator[Change]:
        parts = self._parts(term)
        if term.op in ("cell", "size", "top", "cards"):
            return
        groups = alike(parts, shape) if term.op in ("and", "or", "add") else [[number] for number in range(len(parts))]
        for group in groups:
            if len(group) < ALIKE:
                for number in group:
                    for change in self.of(parts[number]):
                        yield change.within(number + 1, _rebuilt(term, exchanged(parts, {number: change.result})))
                continue
            several = [{change.key: change for change in self.of(parts[number])} for number in group]
            for key, change in several[0].items():
                if all(key in each for each in several):
                    new = {number: each[key].result for number, each in zip(group, several, strict=True)}
                    if set(new.values()) == {parts[number] for number in group}:
                        continue  # only their order is another one
                    in_step = replace(
                        change, words=f"{change.words}, and likewise in the {len(group)} parts that are alike"
                    )
                    yield in_step.within(group[0] + 1, _rebuilt(term, exchanged(parts, new)))


def exchanged(parts: tuple[T, ...], new: dict[int, T]) -> tuple[T, ...]:
    """Parts with new ones at some positions."""
    return tuple(new.get(number, part) for number, part in enumerate(parts))


def _summands(term: Term, names: Names) -> tuple[Term, ...]:
    if term.op != "add" or term in names:
        return (term,)
    return (*_summands(term.args[0], names), *_summands(term.args[1], names))


def _rebuilt(term: Term, parts: tuple[Term, ...]) -> Term:
    match term.op:
        case "add":
            total = parts[0]
            for part in parts[1:]:
                total = terms.add(total, part)
            return total
        case "and":
            return terms.conjoin(parts)
        case "or":
            return terms.disjoin(parts)
        case "not":
            return terms.negate(parts[0])
        case "ite":
            return terms.choose(*parts)
        case "eq":
            return terms.equal(*parts)
        case "lt":
            return terms.less(*parts)
        case "sub":
            return terms.subtract(*parts)
        case "rank":
            return terms.rank(*parts)
        case "union":
            return terms.union(*parts)
    return terms.node(term.op, parts, term.value, term.sort)


def _outside(term: Term, names: Names) -> Iterator[Term]:
    """The terms inside one, but for those inside of what has a name."""
    waiting, seen = [term], {term}
    while waiting:
        one = waiting.pop()
        yield one
        for arg in folded(one, names):
            if arg not in seen and arg not in names:
                seen.add(arg)
                waiting.append(arg)


def _rewritten(term: Term, new: dict[Term, Term], names: Names, done: dict[Term, Term]) -> Term:
    if term in new:
        return new[term]
    if not term.args or term in names:
        return term
    if term not in done:
        parts = folded(term, new)
        changed = tuple(_rewritten(part, new, names, done) for part in parts)
        done[term] = term if changed == term.args else _rebuilt(term, changed)
    return done[term]


def everywhere(term: Term, new: dict[Term, Term], done: dict[Term, Term]) -> Term:
    """The term with some conditions replaced wherever they occur."""
    return _rewritten(term, new, {}, done)


_shapes: dict[Term, str] = {}


def shape(term: Term) -> str:
    """A text that is equal for terms which differ in constants alone."""
    found = _shapes.get(term)
    if found is None:
        value = "" if term.op == "const" else repr(term.value) if term.op != "row" else str(term.value)[:8]
        found = _shapes[term] = terms.digest(
            terms.node("shape", (), (term.op, value, *(shape(arg) for arg in term.args))), {}
        )
    return found


def alike(parts: tuple[T, ...], shape_of: Callable[[T], str]) -> list[list[int]]:
    """The positions of parts, those together that differ in constants alone."""
    groups: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(shape_of(part), []).append(number)
    return list(groups.values())


def redirections(index: tuple[Term, ...], parameters: tuple[Term, ...]) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """An index with one of its parts changed: the other player, the next slot, another parameter of the same sort."""
    for number, term in enumerate(index):
        for key, other in _others(term, parameters):
            yield f"{key}-{number + 1}", (*index[:number], other, *index[number + 1 :])


def _others(term: Term, parameters: tuple[Term, ...]) -> Iterator[tuple[str, Term]]:
    sort = term.sort
    if sort.kind not in ("enum", "int") or not 2 <= len(sort.values) <= 10:
        return
    if len(sort.values) == 2:
        yield "other", terms.subtract(terms.const(sort.low + sort.high, sort), term)
        return
    if term.op == "const":
        value = terms.known(term)
        yield "next", terms.const(value + 1 if value < sort.high else sort.low, sort)
        return
    same = [one for one in parameters if one.sort == sort and one is not term]
    if same:
        yield "instead", same[0]
    else:
        last = terms.equal(term, terms.const(sort.high, sort))
        yield "next", terms.choose(last, terms.const(sort.low, sort), terms.add(term, terms.const(1)))
