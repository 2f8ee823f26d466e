"""Changing terms and effects: every small change of one of them, each under a key that other edits leave alone.

Rules are recorded unrolled: ``all_of(Slot, …)`` is a conjunction of five parts that differ in a constant alone. Such
parts are changed in step, as the author of the rule would, and of them only the first and the last are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace

from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.sorts import INT, Sort
from fairdeal.spec.language.terms import Term

from tests.mutants.words import Names, effect_words, folded, shortened, words

MANY = 50
"""Values of an option beyond which it is a number, and only the lowest and the highest are tried."""
ALIKE = 3
"""Parts that differ in constants alone are taken for an unrolled loop from this number on."""


@dataclass(frozen=True)
class Change:
    """A changed term or list of effects: its key, what was changed, in words, and the result."""

    key: str
    words: str
    result: Term

    def within(self, step: object, result: Term) -> Change:
        """The same change seen from a term around it."""
        key = self.key if self.key.startswith(":") else f".{self.key}"
        return Change(f"{step}{key}", self.words, result)


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
                        yield change.within(number + 1, _rebuilt(term, _with(parts, {number: change.result})))
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
                    yield in_step.within(group[0] + 1, _rebuilt(term, _with(parts, new)))


def _with(parts: tuple[Term, ...], new: dict[int, Term]) -> tuple[Term, ...]:
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


def alike(parts: tuple[Term, ...], shape_of: Callable[[Term], str]) -> list[list[int]]:
    """The positions of parts, those together that differ in constants alone."""
    groups: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(shape_of(part), []).append(number)
    return list(groups.values())


# ---------------------------------------------------------------- places


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


# ---------------------------------------------------------------- effects


@dataclass(frozen=True)
class EffectChange:
    """A changed list of effects, or a changed effect."""

    key: str
    words: str
    result: tuple[Effect, ...]
    shared: tuple[Effect, Effect] | None = None
    """The conditional effect that the change lies in and that several events have, and what became of it."""


@dataclass(frozen=True)
class _One:
    key: str
    words: str
    result: Effect
    shared: tuple[Effect, Effect] | None = None


class EffectChanges:
    """Lists the changes of an event's effects; ``shared`` are conditional effects that other events have too."""

    def __init__(self, inner: TermChanges, sort_of: Callable[[str], Sort], shared: Container[Effect]) -> None:
        self.inner, self.names, self.sort_of, self.shared = inner, inner.names, sort_of, shared

    def of(self, effects: tuple[Effect, ...]) -> Iterator[EffectChange]:
        """The changes of one list of effects."""
        for group in _runs(effects):
            ends = group if len(group) < ALIKE else [group[0], group[-1]]
            for number in ends:
                text = f"skipped: {shortened(self._words(effects[number]))}"
                yield EffectChange(f"{number + 1}:skip", text, effects[:number] + effects[number + 1 :])
            if len(group) < ALIKE:
                for number in group:
                    for one in self._one(effects[number]):
                        shared = (effects[number], one.result) if effects[number] in self.shared else one.shared
                        yield EffectChange(
                            f"{number + 1}{one.key}", one.words, _set(effects, {number: one.result}), shared
                        )
                continue
            several = [{one.key: one for one in self._one(effects[number])} for number in group]
            for key, one in several[0].items():
                if all(key in each for each in several):
                    new = {number: each[key].result for number, each in zip(group, several, strict=True)}
                    if all(effects[number] in new.values() for number in group):
                        continue  # only their order is another one
                    note = f"{one.words}, and likewise in the {len(group)} effects that are alike"
                    yield EffectChange(f"{group[0] + 1}{key}", note, _set(effects, new))

    def _words(self, effect: Effect) -> str:
        return effect_words(effect, self.names)

    def _one(self, effect: Effect) -> Iterator[_One]:
        match effect:
            case When():
                yield from self._when(effect)
            case Assign():
                for key, index in redirections(effect.index, self.inner.parameters):
                    yield self._told(f":{key}", effect, replace(effect, index=index))
                for key, text, value in self._values(effect.value, self.sort_of(effect.cell)):
                    yield _One(f".value{key}", f"{self._words(effect)}: {text}", replace(effect, value=value))
            case Move() | Pour() | Lay() | Pick() | TurnOver():
                for key, index in redirections(effect.source_index, self.inner.parameters):
                    yield self._told(f".from:{key}", effect, replace(effect, source_index=index))
                for key, index in redirections(effect.target_index, self.inner.parameters):
                    yield self._told(f".to:{key}", effect, replace(effect, target_index=index))
            case Part():
                for change in self.inner.of(effect.cards):
                    text = f"{self._words(effect)}: {change.words}"
                    yield _One(f".cards{_dotted(change.key)}", text, replace(effect, cards=change.result))
                one, two = (effect.target, effect.target_index), (effect.rest, effect.rest_index)
                swapped = replace(effect, target=two[0], target_index=two[1], rest=one[0], rest_index=one[1])
                yield self._told(":swap", effect, swapped)

    def _told(self, key: str, before: Effect, after: Effect) -> _One:
        return _One(key, f"`{self._words(before)}` became `{self._words(after)}`", after)

    def _when(self, effect: When) -> Iterator[_One]:
        condition, inside = effect.condition, f"when {shortened(words(effect.condition, self.names))}"
        seen = {condition, terms.FALSE}
        for change in [
            Change(":always", "always, whatever the condition", terms.TRUE),
            Change(":negate", "when the condition does not hold", terms.negate(condition)),
            *self.inner.of(condition),
            *self.inner.options(condition),
        ]:
            if change.result not in seen:
                seen.add(change.result)
                text = f"{inside}: {change.words}"
                yield _One(f".when{_dotted(change.key)}", text, replace(effect, condition=change.result))
        for one in self.of(effect.effects):
            yield _One(f".{one.key}", f"{inside}: {one.words}", replace(effect, effects=one.result), one.shared)

    def _values(self, value: Term, sort: Sort) -> Iterator[tuple[str, str, Term]]:
        if value.op == "const" and sort.kind in ("bool", "enum", "int") and len(sort.values) <= 10:
            for other in sort.values:
                if other != terms.known(value):
                    key = str(other) if sort.kind == "int" else sort.label(other)
                    yield f":{key}", f"{sort.label(other)} instead", terms.const(other, sort)
            return
        seen = {value}
        for key, text, new in (*self._whole(value, sort), *self._inside(value)):
            if new not in seen:
                seen.add(new)
                yield key, text, new

    def _whole(self, value: Term, sort: Sort) -> Iterator[tuple[str, str, Term]]:
        if sort.kind == "bool":
            yield ":negate", "the opposite", terms.negate(value)
            yield ":true", "always true", terms.TRUE
            yield ":false", "always false", terms.FALSE
        elif sort.kind == "int" and len(sort.values) > 10:
            yield ":plus-1", "one more", terms.add(value, terms.const(1))
            yield ":minus-1", "one less", terms.subtract(value, terms.const(1))
        elif sort.kind == "int" and value.op == "param":
            most = value.sort.high + max(value.sort.low, 1)
            yield ":other", "the other one", terms.subtract(terms.const(most), value)

    def _inside(self, value: Term) -> Iterator[tuple[str, str, Term]]:
        for change in (*self.inner.of(value), *self.inner.options(value)):
            yield _dotted(change.key), change.words, change.result


def _dotted(key: str) -> str:
    return key if key.startswith(":") else f".{key}"


def _set(effects: tuple[Effect, ...], new: dict[int, Effect]) -> tuple[Effect, ...]:
    return tuple(new.get(number, effect) for number, effect in enumerate(effects))


def effect_shape(effect: Effect) -> str:
    """A text that is equal for effects which differ in constants alone."""

    def at(index: tuple[Term, ...]) -> str:
        return ",".join(shape(term) for term in index)

    match effect:
        case Assign():
            return f"{effect.cell}[{at(effect.index)}]={shape(effect.value)}"
        case Move() | Pour() | TurnOver():
            places = f"{effect.source}[{at(effect.source_index)}] {effect.target}[{at(effect.target_index)}]"
            return f"{type(effect).__name__} {places}"
        case Part():
            return (
                f"part {effect.source} {shape(effect.cards)} {effect.target}[{at(effect.target_index)}] {effect.rest}"
            )
        case Lay():
            return f"lay {shape(effect.row)} {effect.source} {effect.target}[{at(effect.target_index)}]"
        case Pick():
            places = f"{effect.source}[{at(effect.source_index)}] {effect.target}[{at(effect.target_index)}]"
            return f"pick {shape(effect.card)} {places}"
        case When():
            return f"when {shape(effect.condition)}: {'; '.join(effect_shape(one) for one in effect.effects)}"


def _runs(effects: tuple[Effect, ...]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for number, effect in enumerate(effects):
        groups.setdefault(effect_shape(effect), []).append(number)
    return list(groups.values())
