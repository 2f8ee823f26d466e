"""Making mutants: each is a game with one of its records replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game, RuleSet
from fairdeal.spec.language.options import Option
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term

from tests.mutants.definitions import Definition, definitions
from tests.mutants.effect_changes import EffectChanges
from tests.mutants.term_changes import Change, TermChanges, everywhere

DEFINITIONS, OPTIONS = "definitions", "options"
"""What mutants of named parts of the rules, and of the options' defaults and values, are counted under."""
WHO = (
    "A",
    "B",
    "the player",
    "the opponent",
    *(f"{who} by the stated pile" for who in ("A", "B", "player", "opponent")),
)
"""Whom the instances of a definition are of."""
JUDGED = frozenset({"complete", "stalled"})
"""Named conditions that judging itself asks for."""


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
    rule_sets: Mapping[str, RuleSet] = field(default_factory=dict)

    @property
    def general(self) -> bool:
        """Whether it can matter to a game whatever events it has."""
        return bool(self.derived or self.options or self.rule_sets)

    @property
    def content(self) -> Hashable:
        """All that it replaces: two mutants of one content are one."""
        events = tuple(
            (name, event.guards, event.remarks, event.effects, event.claim, tuple(event.beyond.items()))
            for name, event in sorted(self.events.items())
        )
        rules = tuple((name, tuple(rules.options.items())) for name, rules in self.rule_sets.items())
        return events, tuple(self.derived.items()), tuple(self.options.values()), rules

    def applied(self, game: Game) -> Game:
        """The game with this change; its version is its own."""
        return replace(
            game,
            events={**game.events, **self.events},
            derived={**game.derived, **self.derived},
            options={**game.options, **self.options},
            rule_sets={**game.rule_sets, **self.rule_sets},
            _digest=self.id,
        )


def mutants(game: Game) -> list[Mutant]:
    """Every mutant of a game, in the order of its events."""
    names = _names(game)
    found = [one for event in game.events.values() for one in _of_event(game, event, names)]
    found += _of_definitions(game, names)
    found += _of_options(game)
    repeats = [name for name, count in Counter(one.id for one in found).items() if count > 1]
    if repeats:
        raise AssertionError(f"mutants of the same name: {', '.join(repeats)}")
    first: dict[Hashable, Mutant] = {}
    for one in found:
        first.setdefault(one.content, one)
    return list(first.values())


def _names(game: Game) -> dict[Term, str]:
    """What is called by a name in the rules, and so changed once and not wherever it stands."""
    return {
        term: f"{one.name} of {WHO[number]}" if len(one.instances) > 1 else one.name
        for one in definitions(game.name)
        for number, term in enumerate(one.instances)
    }


def _of_event(game: Game, event: Event, names: dict[Term, str]) -> Iterator[Mutant]:
    changes = TermChanges(names, [one.term for one in event.choices])
    yield from _of_guards(game, event, changes)
    yield from _of_remarks(event, changes)
    yield from _of_effects(game, event, changes)
    if not event.observation:
        word = "a false one is carried out" if event.claim else "a false one is not carried out"
        changed = {event.name: replace(event, claim=not event.claim)}
        yield Mutant(f"{event.name}/claim", event.name, "claim", event.cites, "event", word, changed)
    for parameter, clause in event.beyond.items():
        rest = {name: other for name, other in event.beyond.items() if name != parameter}
        yield Mutant(
            f"{event.name}/beyond/{parameter}",
            *(event.name, "beyond", (clause,), f"parameter {parameter}", f"out of range it does not break {clause}"),
            events={event.name: replace(event, beyond=rest)},
        )


def _of_guards(game: Game, event: Event, changes: TermChanges) -> Iterator[Mutant]:
    counts: Counter[str] = Counter()
    for number, guard in enumerate(event.guards):
        counts[guard.clause] += 1
        others = _others(game, event, guard)
        for change in _of_guard(guard, changes):
            alone = change.key in (":drop", ":negate") or not others
            if not alone and others[0] is not event:
                continue
            new = _put(event.guards, number, replace(guard, condition=change.result))
            changed = {event.name: replace(event, guards=new)}
            for user in () if alone else others[1:]:
                changed[user.name] = _with_guard(user, guard, change.result)
            yield Mutant(
                f"{event.name}/{guard.clause}#{counts[guard.clause]}/{change.key.lstrip(':')}",
                *(event.name, _kind(change.key), (guard.clause, *event.cites), f"guard {_said(guard)}"),
                change=change.words + _also([] if alone else others[1:]),
                events=changed,
            )


def _of_remarks(event: Event, changes: TermChanges) -> Iterator[Mutant]:
    for number, remark in enumerate(event.remarks):
        for change in _of_guard(remark, changes):
            remarks = _put(event.remarks, number, replace(remark, condition=change.result))
            yield Mutant(
                f"{event.name}/remark-{remark.clause}#{number + 1}/{change.key.lstrip(':')}",
                *(
                    event.name,
                    _kind(change.key),
                    (remark.clause, *event.cites),
                    f"remark {_said(remark)}",
                    change.words,
                ),
                events={event.name: replace(event, remarks=remarks)},
            )


def _said(guard: Guard) -> str:
    return f"{guard.clause} “{guard.template}”"


def _of_effects(game: Game, event: Event, changes: TermChanges) -> Iterator[Mutant]:
    kinds = {variable.name: variable.sort for variable in game.variables}
    shared = _shared(game)
    for one in EffectChanges(changes, kinds.__getitem__, shared).of(event.effects):
        if one.result == event.effects:
            continue
        uses = shared[one.shared[0]] if one.shared else [event]
        if uses[0] is not event:
            continue
        changed = {event.name: replace(event, effects=one.result)}
        for user in uses[1:]:
            assert one.shared is not None
            changed[user.name] = replace(user, effects=_swapped(user.effects, *one.shared))
        yield Mutant(
            f"{event.name}/effect/{one.key}",
            *(event.name, f"effect {_kind(one.key)}", event.cites, "effect", one.words + _also(uses[1:])),
            events=changed,
        )


def _also(others: Sequence[Event]) -> str:
    return f" (and likewise in {', '.join(one.name for one in others)})" if others else ""


def _put(guards: tuple[Guard, ...], number: int, guard: Guard) -> tuple[Guard, ...]:
    return (*guards[:number], guard, *guards[number + 1 :])


def _others(game: Game, event: Event, guard: Guard) -> list[Event]:
    """The events that state the very same guard, in their order; none where no other does."""
    users = [one for one in game.events.values() if any(_same(guard, other) for other in one.guards)]
    return users if len(users) > 1 else []


def _same(one: Guard, other: Guard) -> bool:
    return (one.condition, one.clause, one.template) == (other.condition, other.clause, other.template)


def _with_guard(event: Event, guard: Guard, condition: Term) -> Event:
    guards = tuple(replace(one, condition=condition) if _same(one, guard) else one for one in event.guards)
    return replace(event, guards=guards)


def _shared(game: Game) -> dict[Effect, list[Event]]:
    """Conditional effects that several events have, such as closing a round, with those events."""
    users: dict[Effect, list[Event]] = {}
    for event in game.events.values():
        for effect in dict.fromkeys(_conditional(event.effects)):
            users.setdefault(effect, []).append(event)
    return {effect: events for effect, events in users.items() if len(events) > 1}


def _conditional(effects: tuple[Effect, ...]) -> Iterator[When]:
    for effect in effects:
        if isinstance(effect, When):
            yield effect
            yield from _conditional(effect.effects)


def _swapped(effects: tuple[Effect, ...], old: Effect, new: Effect) -> tuple[Effect, ...]:
    result: list[Effect] = []
    for effect in effects:
        if effect == old:
            result.append(new)
        elif isinstance(effect, When):
            result.append(replace(effect, effects=_swapped(effect.effects, old, new)))
        else:
            result.append(effect)
    return tuple(result)


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


def _of_definitions(game: Game, names: dict[Term, str]) -> Iterator[Mutant]:
    for definition in definitions(game.name):
        inner = TermChanges({term: name for term, name in names.items() if term not in definition.instances})
        boolean = definition.instances[0].sort.kind == "bool"
        seen = {definition.instances}
        for key, text, new in _of_instances(definition, inner, boolean):
            if new in seen:
                continue
            seen.add(new)
            binding, done = dict(zip(definition.instances, new, strict=True)), {}  # type: tuple[dict[Term, Term], dict[Term, Term]]
            events = {
                event.name: changed
                for event in game.events.values()
                if (changed := _everywhere(event, binding, done)) is not event
            }
            derived = {
                name: new_term
                for name, old in game.derived.items()
                if (new_term := everywhere(old, binding, done)) is not old
            }
            if events or derived.keys() & JUDGED:
                yield Mutant(
                    f"{DEFINITIONS}/{definition.name}/{key.lstrip(':')}",
                    *(DEFINITIONS, _kind(key), (), f"definition {definition.name}", text),
                    events=events,
                    derived=derived,
                )


def _of_instances(
    definition: Definition, inner: TermChanges, boolean: bool
) -> Iterator[tuple[str, str, tuple[Term, ...]]]:
    count = len(definition.instances)
    if boolean:
        yield ":true", "always", (terms.TRUE,) * count
        yield ":false", "never", (terms.FALSE,) * count
    for key, instances in definition.variants.items():
        yield f":{key.replace(' ', '-')}", key, instances
    if definition.opaque:
        return
    several = [{one.key: one for one in (*inner.inside(term), *inner.options(term))} for term in definition.instances]
    for key, change in several[0].items():
        if all(key in each for each in several):
            yield key, change.words, tuple(each[key].result for each in several)


def _everywhere(event: Event, binding: dict[Term, Term], done: dict[Term, Term]) -> Event:
    guards = tuple(_new_guard(guard, everywhere(guard.condition, binding, done)) for guard in event.guards)
    effects = tuple(_new_effect(effect, binding, done) for effect in event.effects)
    if guards == event.guards and effects == event.effects:
        return event
    return replace(event, guards=guards, effects=effects)


def _new_guard(guard: Guard, condition: Term) -> Guard:
    return guard if condition is guard.condition else replace(guard, condition=condition)


def _new_effect(effect: Effect, binding: dict[Term, Term], done: dict[Term, Term]) -> Effect:
    match effect:
        case When():
            condition = everywhere(effect.condition, binding, done)
            return When(condition, tuple(_new_effect(one, binding, done) for one in effect.effects))
        case Assign():
            return replace(effect, value=everywhere(effect.value, binding, done))
        case Move() | Pour() | Lay() | Part() | Pick() | TurnOver():
            return effect


def _of_options(game: Game) -> Iterator[Mutant]:
    for name, option in game.options.items():
        for value in option.values if not option.numeric and not option.fixed else ():
            if value == option.default:
                continue
            place = f"option {name}"
            yield Mutant(
                f"{OPTIONS}/{name}/default={value}",
                *(OPTIONS, "default", (option.gap,), place, f"the default is {value}, not {option.default}"),
                options={name: replace(option, default=value)},
            )
            textual = tuple(one for one in option.values if (one in option.textual) != (one == value))
            word = "textual" if value in textual else "only published"
            yield Mutant(
                f"{OPTIONS}/{name}/{value}-{word.replace(' ', '-')}",
                *(OPTIONS, "textual", (option.gap,), place, f"{value} is taken for {word}"),
                options={name: replace(option, textual=textual)},
            )
    for name, rules in game.rule_sets.items():
        for option_name in rules.options:
            rest = {key: value for key, value in rules.options.items() if key != option_name}
            yield Mutant(
                f"{OPTIONS}/rules-{name}/without-{option_name}",
                *(OPTIONS, "rule set", (game.options[option_name].gap,), f"rules {name}", f"without {option_name}"),
                rule_sets={name: replace(rules, options=rest)},
            )
