"""Specialising: an event with its choices and options bound, simplified as far as that goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import RulesError
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term

Binding = Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class Specialised:
    """An event's guards and effects for one combination of choices under bound options."""

    event: Event
    choices: tuple[int, ...]
    guards: tuple[Guard, ...]
    effects: tuple[Effect, ...]
    remarks: tuple[Guard, ...] = ()

    @property
    def name(self) -> str:
        """The event's name and its choices, such as `play 0 3 1`."""
        return f"{self.event.name} {' '.join(map(str, self.choices))}".strip()

    @property
    def condition(self) -> Term:
        """All guards at once."""
        return terms.conjoin(guard.condition for guard in self.guards)


def option_binding(game: Game, options: Mapping[str, int]) -> dict[Term, Term]:
    """What binds a game's options to the values that `Game.bind` has chosen."""
    return {
        terms.node("option", (), name, option.sort): terms.const(options[name], option.sort)
        for name, option in game.options.items()
    }


def specialise(event: Event, choices: tuple[int, ...], options: Binding) -> Specialised:
    """Bind an event's choices, in the order of `Event.choices`, and its options."""
    values = zip(event.choices, choices, strict=True)
    bound = bind(event, {**options, **{one.term: terms.const(value, one.sort) for one, value in values}})
    return Specialised(event, choices, bound.guards, bound.effects, bound.remarks)


def bind(event: Event, binding: Binding, done: dict[Term, Term] | None = None) -> Event:
    """An event with parts of its guards, remarks and effects replaced.

    ``done`` may be shared between calls with the same binding.
    """
    known: dict[Term, Term] = {} if done is None else done

    def sub(term: Term) -> Term:
        return terms.substitute(term, binding, known)

    def bound(guard: Guard) -> Guard:
        fields = tuple((name, sub(term)) for name, term in guard.fields)
        value = None if guard.value is None else sub(guard.value)
        among = None if guard.among is None else sub(guard.among)
        return replace(guard, condition=sub(guard.condition), fields=fields, value=value, among=among)

    guards, remarks = tuple(map(bound, event.guards)), tuple(map(bound, event.remarks))
    return replace(event, guards=guards, effects=tuple(_effects(event.effects, sub)), remarks=remarks)


def _effects(effects: tuple[Effect, ...], sub: Callable[[Term], Term]) -> list[Effect]:
    def at(index: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(sub(term) for term in index)

    result: list[Effect] = []
    for one in effects:
        match one:
            case Assign():
                result.append(Assign(one.cell, at(one.index), sub(one.value)))
            case Move() | Pour() | TurnOver():
                result.append(type(one)(one.source, at(one.source_index), one.target, at(one.target_index)))
            case Part():
                places = (one.source, at(one.source_index), sub(one.cards), one.target, at(one.target_index))
                result.append(Part(*places, one.rest, at(one.rest_index)))
            case Lay():
                row, source = sub(one.row), at(one.source_index)
                result.append(Lay(row, one.source, source, one.target, at(one.target_index), one.on_top))
            case Pick():
                card, source = sub(one.card), at(one.source_index)
                result.append(Pick(card, one.source, source, one.target, at(one.target_index)))
            case When():
                condition = sub(one.condition)
                inner = _effects(one.effects, sub) if condition is not terms.FALSE else []
                if condition is terms.TRUE:
                    result.extend(inner)
                elif inner:
                    result.append(When(condition, tuple(inner)))
    return result


def place(index: tuple[Term, ...]) -> tuple[int, ...]:
    """The values of an index that is known.

    Raises:
        RulesError: it depends on the state; use `choose` or `when` over the values instead.
    """
    for term in index:
        if not terms.is_const(term):
            raise RulesError(
                f"an index depends on the state: {term!r}; go through the values with each(...) and when(...)"
            )
    return tuple(terms.known(term) for term in index)
