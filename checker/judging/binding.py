"""Binding: from the parsed body of a line to the step that judges it, memoised by the body's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, NamedTuple

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.engines.python_source import FAILED, PythonSteps, Step, event_terms
from fairdeal.checker.judging.clock import NOBODY
from fairdeal.checker.reading.notation import Body, Notation, NotationError
from fairdeal.checker.reading.rows import RowReader, beginnings, states_rows
from fairdeal.spec.cards import NO_CARD, NOT_A_CARD
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game, Parameter
from fairdeal.spec.language.sorts import BOOL
from fairdeal.spec.language.terms import Term

MEMO_LIMIT = 32_768
"""Most bodies that are remembered at once; logs have some thousands of different ones."""

LONGEST_KEPT = 160
"""Characters of a body that is remembered; longer ones have long comments, and hardly come twice."""

MOST_CARDS = 6
"""Cards in a line beyond which its body is not remembered: such lines hardly come twice."""

SHORTEST_ROWS = 3 * MOST_CARDS + 8
"""Characters beyond which a line of rows has too many cards to be remembered."""

WORD_LIMIT = 9_999_999
"""Largest number that an argument is taken at."""


class Bound(NamedTuple):
    """A line's body, bound to the event of the rules that it states."""

    body: Body
    event: Event
    choices: tuple[int, ...]
    values: Mapping[str, Any]
    """Every parameter's value, as the interpreter takes it."""
    argument: Any
    """What is reported, as a step takes it."""
    beyond: tuple[Parameter, int] | None = None
    """A choice whose value lies outside its sort, and that value."""
    partial: bool = False
    """A card is not fully known."""
    rubbish: bool = False
    """An entry is no card at all."""
    cards: tuple[int, ...] = ()
    """Every card that the line names."""
    label: int | None = None
    """The label that the line gives for a place."""

    @property
    def has_rows(self) -> bool:
        """Whether the line states rows of cards, so that it hardly comes twice."""
        return self.event.has_rows

    @property
    def actor(self) -> int | None:
        """Who acts: 0 for A, 1 for B."""
        return self.body.actor


@dataclass(frozen=True, slots=True)
class Malformed:
    """A body that is no event of this notation."""

    error: NotationError
    """Never one that was raised: its traceback would keep all that was at work when it was."""


Entry = tuple[Step, Any, int, Bound | Malformed]
"""What the hot loop needs of a body: the step, its argument, the actor, the whole for when the step fails."""

Brief = tuple[Step, Any]
"""What the hot loop needs of a body that it need not remember, and that it has no word to say of."""


class _RowsPlan(NamedTuple):
    """How a body that states rows is read without being bound: the reader, the step, the places of what it reports."""

    reader: RowReader
    step: Step
    order: tuple[int, ...]


def _always_fails(state: State, argument: Any) -> int:
    return FAILED


class Binder:
    """Everything that one game under one assignment of options needs to judge lines."""

    def __init__(self, game: Game, notation: Notation, options: Mapping[str, int], *, keep: bool = True) -> None:
        self.game, self.notation, self.options = game, notation, dict(options)
        self.steps = PythonSteps(game, options, keep=keep)
        self.interpreter = Interpreter(game, options)
        self.layout: Layout = self.interpreter.layout
        self.memo: dict[str, Entry] = {}
        self.instant = self.layout.position.get((game.same_instant, ()))
        """Where the state notes that a line has the time of the one before; ``None`` if the rules never ask."""

    @cached_property
    def labelled(self) -> dict[str, str]:
        """For each event that names a place by a label, the parameter that does."""
        zone = next((one for one in self.game.variables if one.name == self.game.labelled), None)
        sort = zone.indices[0] if zone is not None else None
        events = self.game.events.values()
        return {event.name: one.name for event in events for one in event.choices if sort and one.sort is sort}

    @cached_property
    def minds_instants(self) -> bool:
        """Whether under these options some event hangs on two lines having the same time."""
        bound = self.steps.binding
        cell, users = uses_of(self.game, self.game.same_instant)
        return any(cell in set(terms.subterms(terms.substitute(one, bound))) for one in users)

    def entry(self, text: str) -> Entry:
        """The entry for a body's text, parsed and bound if it is not remembered."""
        found = self.memo.get(text)
        if found is None:
            try:
                found = self.of(self.bind(self.notation.parse(text)))
            except NotationError as error:
                found = (_always_fails, None, NOBODY, Malformed(error.moved(0)))
            if len(text) <= LONGEST_KEPT and (not isinstance(found[3], Bound) or len(found[3].cards) <= MOST_CARDS):
                self.remember(text, found)
        return found

    def meet(self, text: str) -> Entry | Brief | None:
        """The entry for a body that is not remembered, if it plainly begins as an event; else a closer look is due.

        Of long rows of cards, which hardly come twice, it has the step and the argument and no more.
        """
        first, _, rest = text.partition(" ")
        if len(text) > SHORTEST_ROWS:
            second, _, rows = rest.partition(" ")
            plan = self._plans.get((first, second))
            if plan is not None:
                values = plan.reader.read(rows)
                if values is not None:
                    return plan.step, values[0] if plan.order == (0,) else tuple([values[at] for at in plan.order])
        return self.entry(text) if first in self.notation.beginnings else None

    @cached_property
    def _plans(self) -> dict[tuple[str, str], _RowsPlan]:
        """By the first two words of a body, how its rows are read, for events that hang on them and the actor alone."""
        found = {}
        for form in self.notation.table.forms:
            event = self.game.events.get(form.name)
            if event is None or event.remarks or not event.has_rows or not states_rows(form):
                continue
            reader = RowReader(form)
            reports = [one.name for one in event.reports]
            if set(reports) != set(reader.names) or [one.name for one in event.choices if one.name != "player"]:
                continue
            order = tuple([reader.names.index(name) for name in reports])
            for words, actor in beginnings(form).items():
                choices = () if actor is None else (actor,)
                if len(choices) == len(event.choices):
                    found[words] = _RowsPlan(reader, self.steps.step(event, choices), order)
        return found

    def stated(self, event: Event, values: Mapping[str, Any]) -> tuple[int | None, dict[str, Any]]:
        """An event's actor and arguments, as the notation writes them."""
        forms = self.notation.forms[event.name]
        argument = any("player" in form.names for form in forms)
        actor = None if argument else values.get("player")
        return actor, {name: value for name, value in values.items() if argument or name != "player"}

    def text(self, event: Event, values: Mapping[str, Any], refused: str | None = None) -> str:
        """An event as a line's body."""
        actor, arguments = self.stated(event, values)
        return self.notation.text(event.name, actor, arguments, refused)

    def json(self, event: Event, values: Mapping[str, Any]) -> dict[str, object]:
        """An event as the object of a JSON line."""
        actor, arguments = self.stated(event, values)
        return self.notation.json(event.name, actor, arguments)

    def remember(self, text: str, entry: Entry) -> None:
        """Keep an entry, within the limit."""
        if len(self.memo) >= MEMO_LIMIT:
            self.memo.clear()
        self.memo[text] = entry

    def of(self, bound: Bound) -> Entry:
        """The entry for a bound body."""
        actor = NOBODY if bound.actor is None else bound.actor
        if bound.beyond or bound.rubbish or bound.partial:
            return (_always_fails, bound.argument, actor, bound)
        if bound.body.refused is not None and any(guard.unrecorded for guard in bound.event.guards):
            return (_always_fails, bound.argument, actor, bound)
        if bound.body.refused is None:
            step = self.steps.step(bound.event, bound.choices)
        elif bound.body.refused in self.game.reasons.values():
            step = self.steps.wrongly_refused(bound.event, bound.choices, bound.body.refused)
        else:
            step = _lawful(self.steps.probe(bound.event, bound.choices))
        return (step, bound.argument, actor, bound)

    def bind(self, body: Body) -> Bound:
        """Find the event that a body states, and its parameters' values.

        Raises:
            NotationError: the rules know no such event, or the player is missing or out of place.
        """
        event = self.game.events.get(body.verb)
        if event is None:
            raise _problem(body, "verb", f"`{body.verb}` is no event of {self.game.title}")
        arguments = body.arguments
        values = {one.name: _value(body, one) for one in event.parameters}
        if body.actor is not None and ("player" not in values or "player" in arguments):
            raise _problem(body, "actor", "this line says nothing of a player, so it begins with its verb")
        beyond = None
        choices = []
        for parameter in event.choices:
            value = values[parameter.name]
            choices.append(value)
            if not parameter.sort.low <= value <= parameter.sort.high:
                beyond = beyond or (parameter, value)
        argument, reports = None, event.reports
        if len(reports) == 1:
            argument = values[reports[0].name]
        elif reports:
            argument = tuple([values[parameter.name] for parameter in reports])
        cards = _cards(event, values)
        partial = bool(cards) and max(cards) > NO_CARD
        rubbish = partial and NOT_A_CARD in cards
        place = self.labelled.get(event.name)
        label = None if place is None else values[place]
        return Bound(body, event, tuple(choices), values, argument, beyond, partial, rubbish, tuple(cards), label)

    def placed(self, bound: Bound, place: int) -> Bound:
        """A line whose label stands for a place."""
        values = {**bound.values, self.labelled[bound.event.name]: place}
        choices = tuple([values[one.name] for one in bound.event.choices])
        return bound._replace(values=values, choices=choices, beyond=None)


@cache
def uses_of(game: Game, name: str) -> tuple[Term, tuple[Term, ...]]:
    """A cell of the table without index, and every term of the rules that it is a direct part of."""
    sort = next((one.sort for one in game.variables if one.name == name), BOOL)
    cell = terms.node("cell", (), name, sort)
    seen: set[Term] = set()
    users = [
        one
        for event in game.events.values()
        for term in event_terms(event)
        for one in terms.subterms(term, seen)
        if any(arg is cell for arg in one.args)
    ]
    return cell, tuple(users)


def _lawful(probe: Step) -> Step:
    return lambda state, argument: not probe(state, argument)


def _problem(body: Body, part: str, message: str) -> NotationError:
    start, end = body.spans.get(part, (0, 1))
    return NotationError(message, start, end, "")


def _value(body: Body, parameter: Parameter) -> Any:
    if parameter.name == "player" and "player" not in body.arguments:
        if body.actor is None:
            raise _problem(body, "verb", "who? The line begins with the player, A or B")
        return body.actor
    value = body.arguments[parameter.name]
    if isinstance(value, tuple):
        return value
    if value is None:
        return () if parameter.role == "rows" else NO_CARD
    if isinstance(value, str):
        return parameter.sort.low + [label.lower() for label in parameter.sort.labels].index(value)
    return min(value, WORD_LIMIT) if isinstance(value, int) else value


def _cards(event: Event, values: Mapping[str, Any]) -> list[int]:
    found: list[int] = []
    for parameter in event.parameters:
        value = values[parameter.name]
        if parameter.role == "rows":
            found += chain.from_iterable(value) if value and isinstance(value[0], tuple) else value
        elif parameter.sort.kind == "card":
            found.append(value)
    return found
