"""Wording: what a fault's sentence says of this game's own cards, numbers and places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.bounds import Bounds, Span
from fairdeal.checker.engines.interpreter import is_partial
from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.board import in_sequence
from fairdeal.checker.judging.referee import Referee
from fairdeal.checker.reading.values import kind
from fairdeal.spec.cards import NO_CARD, card_name
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.sorts import Sort
from fairdeal.spec.language.terms import Term

MOST_NAMED = 8
"""Cards that a sentence names one by one; further ones are counted."""
_ONE_CARDS = re.compile(r"(?<![\w.-])(1 (?:\w+ )?)cards\b")
"""Cards counted in a sentence, where there is one of them."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Says in words what the referee of one game has found."""

    referee: Referee

    def undecided(self, guards: tuple[Guard, ...], bound: Bound, state: State) -> list[str]:
        """In words, the unknown cards that leave guards open."""
        found: dict[str, None] = {one.template: None for one in guards if one.unrecorded}
        for guard in guards:
            for one, at in self.referee.zones_read(guard.condition, bound):
                if one.op == "cards" and not isinstance(state[at], list) and bags.unknown(state[at]):
                    found[f"{bags.unknown(state[at])} of {self.place_name(at)}"] = None
                if one.op == "top" and state[at] and is_partial(state[at][-1]):
                    found[f"the top of {self.place_name(at)} ({card_name(state[at][-1])})"] = None
        for parameter in bound.event.parameters:
            if parameter.sort.kind == "card" and is_partial(bound.values[parameter.name]):
                found[f"the {parameter.name} {card_name(bound.values[parameter.name])}"] = None
        if not found:  # no card on the table: numbers that hung on cards which have gone since
            for guard in guards:
                cells = self._blank_cells(guard.condition, bound, state)
                found |= dict.fromkeys(map(self.place_name, cells))
        return list(found)

    def _blank_cells(self, term: Term, bound: Bound, state: State) -> Iterator[int]:
        """Positions of cells for which a term has no value."""
        if self.referee.interpreter.value(term, state, bound.values) is not None:
            return
        if term.op == "cell":
            yield self.referee.interpreter.position(str(term.value), term.args, state, bound.values)
        for part in term.args:
            yield from self._blank_cells(part, bound, state)

    def place_name(self, position: int) -> str:
        """A zone or cell in words, such as ``A's stock 3``."""
        layout = self.referee.binder.layout
        (name, index) = next(key for key, at in layout.position.items() if at == position)
        owner, rest = "", []
        for sort, value in zip(layout.variables[name].indices, index, strict=True):
            if sort.kind == "enum" and not owner:
                owner = f"{sort.label(value)}'s "
            else:
                rest.append(sort.label(value))
        return " ".join([f"{owner}{name.replace('_', ' ')}", *rest])

    def message(self, guard: Guard, bound: Bound, state: State, lies: Callable[[int], str]) -> str:
        """A failed guard's sentence, with this game's own cards; of a stranger among them, where it ``lies``."""
        words = {
            one.name: word(one.sort, bound.values[one.name]) for one in bound.event.parameters if one.role != "rows"
        }
        if bound.label is not None:
            words[self.referee.binder.labelled[bound.event.name]] = kind("LABEL").write(bound.label)
        others: list[int] = []
        place = ""
        for name, term in guard.fields:
            value = self.referee.interpreter.value(term, state, bound.values)
            words[name] = self._number(guard, term, bound, state) if value is None else word(term.sort, value)
            if term.op == "stranger":
                others += self.referee.interpreter.strangers(term, state, bound.values)[1:]
                place = lies(value) if value is not None else ""
        sentence = _ONE_CARDS.sub(r"\1card", guard.template.format(**words))
        return sentence + (f": it is in {place}" if place else "") + the_same_of(others)

    def _number(self, guard: Guard, term: Term, bound: Bound, state: State) -> str:
        """A value that is not known, in words; a number's bounds, where they are not wider than what is known of it."""
        bounds = Bounds(self.referee.interpreter, state, bound.values)
        span = bounds.of(term) if term.sort.kind == "int" and (term is guard.value or bounds.one_sided(term)) else None
        if term is guard.value and self.referee.interpreter.value(guard.condition, state, bound.values) is None:
            span = self._beside_others(guard, bound, bounds) or span
        if span is None:
            return word(term.sort, None)
        return f"{span.low} to {span.high}" if span.low < span.high else f"{span.low}"

    def _beside_others(self, guard: Guard, bound: Bound, bounds: Bounds) -> Span | None:
        """Between which numbers the value of a report lies, if another number that the line states is right."""
        for other in bound.event.guards:
            if other is not guard and other.reports and other.value is not None and other.value.sort.kind == "int":
                assert guard.value is not None
                between = bounds.of(guard.value, other.value)
                if between is not None:
                    return Span(*(bound.values[other.reports] + end for end in between))
        return None


def the_same_of(cards: Sequence[int]) -> str:
    """The end of a sentence about one card that is true of further ones as well; nothing where there are none."""
    if not cards:
        return ""
    names = [card_name(code) for code in cards[:MOST_NAMED]]
    if len(cards) > MOST_NAMED:
        names.append(f"{len(cards) - MOST_NAMED} more")
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"; the same goes for {listed}"


def word(sort: Sort, value: Any) -> str:
    """A value as messages call it."""
    if value is None:
        return "unknown"
    if sort.kind == "card":
        return "no card" if value == NO_CARD else card_name(value)
    if sort.kind == "cards":
        return " ".join(map(card_name, in_sequence(list(bags.cards(value)))))
    label = sort.label(int(value))
    return label.lower() if len(label) > 1 else label
