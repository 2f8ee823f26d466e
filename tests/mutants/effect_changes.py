"""Changing effects: every small change of an event's effects, each under a key that other edits leave alone.

Effects that differ in constants alone are changed in step, as parts of a term are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace

from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.sorts import Sort
from fairdeal.spec.language.terms import Term

from tests.mutants.term_changes import ALIKE, Change, TermChanges, alike, dotted, exchanged, redirections, shape
from tests.mutants.words import effect_words, shortened, words


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
        for group in alike(effects, effect_shape):
            ends = group if len(group) < ALIKE else [group[0], group[-1]]
            for number in ends:
                text = f"skipped: {shortened(self._words(effects[number]))}"
                yield EffectChange(f"{number + 1}:skip", text, effects[:number] + effects[number + 1 :])
            if len(group) < ALIKE:
                for number in group:
                    for one in self._one(effects[number]):
                        shared = (effects[number], one.result) if effects[number] in self.shared else one.shared
                        yield EffectChange(
                            f"{number + 1}{one.key}", one.words, exchanged(effects, {number: one.result}), shared
                        )
                continue
            several = [{one.key: one for one in self._one(effects[number])} for number in group]
            for key, one in several[0].items():
                if all(key in each for each in several):
                    new = {number: each[key].result for number, each in zip(group, several, strict=True)}
                    if all(effects[number] in new.values() for number in group):
                        continue  # only their order is another one
                    note = f"{one.words}, and likewise in the {len(group)} effects that are alike"
                    yield EffectChange(f"{group[0] + 1}{key}", note, exchanged(effects, new))

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
                    yield _One(f".cards{dotted(change.key)}", text, replace(effect, cards=change.result))
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
                yield _One(f".when{dotted(change.key)}", text, replace(effect, condition=change.result))
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
            yield dotted(change.key), change.words, change.result


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
