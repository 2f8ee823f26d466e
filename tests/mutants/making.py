"""Making mutants: each is a game with one of its records replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game, Option
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, Part, Pour, When
from fairdeal.spec.language.terms import Term
from tests.mutants.changing import Change, EffectChanges, TermChanges, everywhere
from tests.mutants.words import words

DERIVED, OPTIONS = "conditions", "options"
"""What mutants of named conditions, and of the options' defaults and values, are counted under."""


@dataclass(frozen=True)
class Mutant:
    """A change of the rules: where, what, and the records that it replaces."""

    id: str
    event: str
    kind: str
    clauses: tuple[str, ...]
    """What the changed record cites, most telling first."""
    place: str
    change: str
    events: Mapping[str, Event] = field(default_factory=dict)
    derived: Mapping[str, Term] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)

    def applied(self, game: Game) -> Game:
        """The game with this change; its version is its own."""
        return replace(
            game,
            events={**game.events, **self.events},
            derived={**game.derived, **self.derived},
            options={**game.options, **self.options},
            _digest=self.id,
        )


def mutants(game: Game) -> list[Mutant]:
    """Every mutant of a game, in the order of its events."""
    found = [one for event in game.events.values() for one in _of_event(game, event)]
    found += _of_conditions(game)
    found += _of_options(game)
    repeats = [name for name, count in Counter(one.id for one in found).items() if count > 1]
    if repeats:
        raise AssertionError(f"mutants of the same name: {', '.join(repeats)}")
    return found


def _names(game: Game) -> dict[Term, str]:
    """Conditions of some size that have a name; a small one is changed wherever it stands."""
    return {term: name for name, term in game.derived.items() if sum(1 for _ in terms.subterms(term)) > 50}


def _of_event(game: Game, event: Event) -> Iterator[Mutant]:
    changes = TermChanges(_names(game), [one.term for one in event.choices])
    counts: Counter[str] = Counter()
    for number, guard in enumerate(event.guards):
        counts[guard.clause] += 1
        place = f"guard {guard.clause} “{guard.template}”"
        for change in _of_guard(guard, changes):
            guards = list(event.guards)
            guards[number] = replace(guard, condition=change.result)
            yield Mutant(
                f"{event.name}/{guard.clause}#{counts[guard.clause]}/{change.key.lstrip(':')}",
                *(event.name, _kind(change.key), (guard.clause, *event.cites), place, change.words),
                events={event.name: replace(event, guards=tuple(guards))},
            )
    kinds = {variable.name: variable.sort for variable in game.variables}
    for one in EffectChanges(changes, kinds.__getitem__).of(event.effects):
        if one.result != event.effects:
            yield Mutant(
                f"{event.name}/effect/{one.key}",
                *(event.name, f"effect {_kind(one.key)}", event.cites, "effect", one.words),
                events={event.name: replace(event, effects=one.result)},
            )


def _of_guard(guard: Guard, changes: TermChanges) -> Iterator[Change]:
    condition = guard.condition
    seen = {condition}
    for change in (
        Change(":drop", "the guard is dropped", terms.TRUE),
        Change(":negate", "the guard is turned into its opposite", terms.negate(condition)),
        *changes.of(condition),
        *changes.options(condition),
    ):
        if change.result not in seen:
            seen.add(change.result)
            yield change


def _kind(key: str) -> str:
    last = key.rpartition(":")[2]
    if "=" in last:
        return "option"
    if "-without" in last:
        return "part dropped"
    if last in ("plus-1", "minus-1"):
        return "off by one"
    if last.startswith(("next-", "other-", "instead-", "swap")):
        return "redirected"
    if last in ("drop", "negate", "skip", "always", "never"):
        return {"drop": "dropped", "negate": "negated", "skip": "skipped"}.get(last, "branch")
    return "other value"


def _of_conditions(game: Game) -> Iterator[Mutant]:
    names = _names(game)
    for name, term in game.derived.items():
        inner = TermChanges({one: other for one, other in names.items() if one is not term})
        seen = {term}
        for change in (
            Change(":true", "always", terms.TRUE),
            Change(":false", "never", terms.FALSE),
            *inner.inside(term),
            *inner.options(term),
        ):
            if change.result in seen:
                continue
            seen.add(change.result)
            done: dict[Term, Term] = {}
            events = {
                event.name: new
                for event in game.events.values()
                if (new := _everywhere(event, term, change.result, done)) is not event
            }
            derived = {
                other: new
                for other, old in game.derived.items()
                if (new := everywhere(old, term, change.result, done)) is not old
            }
            yield Mutant(
                f"{DERIVED}/{name}/{change.key.lstrip(':')}",
                *(DERIVED, _kind(change.key), (), f"condition {name}", change.words),
                events=events,
                derived=derived,
            )


def _everywhere(event: Event, old: Term, new: Term, done: dict[Term, Term]) -> Event:
    guards = tuple(_new_guard(guard, everywhere(guard.condition, old, new, done)) for guard in event.guards)
    effects = tuple(_new_effect(effect, old, new, done) for effect in event.effects)
    if guards == event.guards and effects == event.effects:
        return event
    return replace(event, guards=guards, effects=effects)


def _new_guard(guard: Guard, condition: Term) -> Guard:
    return guard if condition is guard.condition else replace(guard, condition=condition)


def _new_effect(effect: Effect, old: Term, new: Term, done: dict[Term, Term]) -> Effect:
    match effect:
        case When():
            condition = everywhere(effect.condition, old, new, done)
            return When(condition, tuple(_new_effect(one, old, new, done) for one in effect.effects))
        case Assign():
            return replace(effect, value=everywhere(effect.value, old, new, done))
        case Move() | Pour() | Lay() | Part():
            return effect


def _of_options(game: Game) -> Iterator[Mutant]:
    for name, option in game.options.items():
        if option.numeric or option.fixed:
            continue
        for value in option.values:
            if value != option.default:
                yield Mutant(
                    f"{OPTIONS}/{name}/default={value}",
                    *(OPTIONS, "default", (option.gap,), f"option {name}", f"the default is {value}, not {option.default}"),
                    options={name: replace(option, default=value)},
                )
                textual = tuple(one for one in option.values if (one in option.textual) != (one == value))
                word = "textual" if value in textual else "published only"
                yield Mutant(
                    f"{OPTIONS}/{name}/{value}-{word.split()[0]}",
                    *(OPTIONS, "textual", (option.gap,), f"option {name}", f"{value} is taken for {word}"),
                    options={name: replace(option, textual=textual)},
                )


def place_in_words(game: Game, name: str) -> str:
    """A named condition as a formula."""
    return words(game.derived[name], {})
