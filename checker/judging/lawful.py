"""What the rules allow next: every lawful event, as the notation writes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.python_source import combinations
from fairdeal.checker.engines.rows import rowless, rows_of, shape_of
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.labels import Labels
from fairdeal.spec.cards import NO_CARD, UNKNOWN
from fairdeal.spec.language.game import Event

WIDEST_SEARCH = 20_000
"""Tables that the search for a way to the goal looks at, at most."""


@dataclass(frozen=True, slots=True)
class Lawful:
    """A lawful event with its parameters' values; rows of cards that a player may lay out at will are left out."""

    event: Event
    values: dict[str, Any]
    left_open: bool = False
    """Its line states rows of cards, which are the player's own to lay out; what the rules ask of them is not asked."""

    @property
    def cards(self) -> frozenset[int]:
        """The cards of its row, if it has one that is filled in."""
        rows = [
            self.values[one.name] for one in self.event.parameters if one.role == "rows" and one.name in self.values
        ]
        return frozenset(rows[0]) if len(rows) == 1 else frozenset()

    @property
    def frame(self) -> tuple[Any, ...]:
        """The event and its choices, without the cards of its row."""
        return (self.event.name, *(self.values[one.name] for one in self.event.choices))


def lawful_events(
    binder: Binder, state: State, labels: Labels | None = None, *, only: Collection[str] | None = None
) -> Iterator[Lawful]:
    """Every lawful event, in the order in which the game declares them; where it states a row, the longest rows first.

    Through the interpreter, so that a table with unknown cards can be asked too; what they leave open is not listed. Of
    labelled places that are all free, only the first is listed. ``only`` names the events that are looked at.
    """
    names = labels or Labels(binder.game, binder.layout)
    for event in binder.game.events.values():
        if event.observation or (only is not None and event.name not in only):
            continue
        place = binder.labelled.get(event.name)
        for choices in combinations(event):
            values: dict[str, Any] = dict(zip((one.name for one in event.choices), choices, strict=True))
            if place is not None and names.is_spare(values[place], state):
                continue
            yield from _lines(binder, event, state, values)


def _lines(binder: Binder, event: Event, state: State, values: dict[str, Any]) -> Iterator[Lawful]:
    interpreter = binder.interpreter
    for guard in event.guards:
        if guard.reports and guard.value is not None:
            values.setdefault(guard.reports, interpreter.value(guard.value, state, values))
        if guard.among is not None and values.get(guard.reports, NO_CARD) == NO_CARD:
            values[guard.reports] = UNKNOWN
    if None in values.values():
        return
    rows = {one.name for one in event.parameters if one.role == "rows"}
    if not rows:
        if interpreter.holds(event, state, values):
            yield Lawful(event, values)
    elif all(interpreter.value(one.condition, state, values) is not False for one in rowless(event)):
        if shape_of(event).known:
            for filled in rows_of(interpreter, event, state, values):
                yield Lawful(event, filled)
        else:
            yield Lawful(event, values, left_open=True)


def text_of(binder: Binder, lawful: Lawful, labels: Labels | None = None) -> str:
    """The event as a line of the notation; cards that the player would lay out stand as ``…``."""
    if lawful.left_open:
        actor = ["AB"[lawful.values["player"]]] if "player" in lawful.values else []
        return " ".join([*actor, *lawful.event.name.split("_"), "…"])
    return binder.text(lawful.event, named(binder, lawful, labels))


def named(binder: Binder, lawful: Lawful, labels: Labels | None) -> dict[str, Any]:
    """The event's values as the log writes them: places by their labels."""
    place = binder.labelled.get(lawful.event.name)
    if place is None or labels is None:
        return lawful.values
    return {**lawful.values, place: labels.label(lawful.values[place])}


def changes(binder: Binder, state: State, lawful: Lawful) -> bool:
    """Whether the event would change the table; a claim, or a slap that is ignored, does not."""
    return lawful.event.has_rows or not _leaves(binder, state, lawful.event, lawful.values)


def does_nothing(binder: Binder, state: State, event: Event, values: Mapping[str, Any]) -> bool:
    """Whether a lawful event changes nothing and claims nothing, so that whoever refuses it withholds nothing."""
    return _leaves(binder, state, event, values) if event.effects else event.name in binder.game.idle


def _leaves(binder: Binder, state: State, event: Event, values: Mapping[str, Any]) -> bool:
    """Whether the table is after an event as it was before."""
    after = copy(state)
    binder.interpreter.apply(event, after, values)
    return after == state


def states_number(event: Event) -> bool:
    """Whether a line of the event states a number that the table has."""
    return any(one.sort.kind == "int" for one in event.reports)


def worth_a_word(binder: Binder, state: State, lawful: Lawful) -> bool:
    """Whether the rules have a word to say of the event although it is lawful, such as that it gains nothing."""
    remarks = () if lawful.left_open else lawful.event.remarks
    return any(binder.interpreter.value(one.condition, state, lawful.values) for one in remarks)


def lawful_texts(
    binder: Binder,
    state: State,
    actor: int | None,
    like: str,
    labels: Labels | None = None,
    spoken_of: Collection[int] = (),
) -> Iterator[str]:
    """Lawful events of a player as text, those of the same kind as ``like`` first; what changes nothing is left out.

    But a number that a line of that kind has to state is listed, though stating it may change nothing. Where the player
    can do nothing, the other's events are listed; else only where what is wrong with the line has ``spoken_of`` the
    other, or where both it and they would end the game. What the rules have a word to say of comes last. A line with
    some of another's cards is left out, and so is one that stands alone and says no more than that the cards of this
    very line are to be laid out otherwise.
    """

    def own(one: Lawful) -> bool:
        return actor is None or one.values.get("player", actor) == actor

    def called_for(one: Lawful) -> bool:
        if own(one) or one.left_open:
            return False
        return one.values["player"] in spoken_of or {like, one.event.name} <= binder.game.final

    def rank(one: Lawful) -> tuple[bool, bool, bool, bool]:
        alike = one.event.name == like
        late = not own(one) if alike else not called_for(one)
        return worth_a_word(binder, state, one), not alike, late, late or one.event.name not in binder.game.final

    events = [
        one
        for one in lawful_events(binder, state, labels)
        if (one.event.name == like and states_number(one.event)) or changes(binder, state, one)
    ]
    if any(own(one) for one in events):
        events = [one for one in events if own(one) or called_for(one)]
    events = [one for one in events if not covering(one, events)]
    if all(one.left_open and one.event.name == like and one.values.get("player") == actor for one in events):
        return
    for one in sorted(events, key=rank):
        yield text_of(binder, one, labels)


def covering(one: Lawful, others: Sequence[Lawful]) -> Lawful | None:
    """An event among others that differs only in having more cards, if there is one."""
    cards, frame = one.cards, one.frame
    return next((each for each in others if each.cards > cards and each.frame == frame), None)


def way_to_goal(binder: Binder, state: State) -> list[Lawful]:
    """Lines with which the player whose turn it is reaches the game's goal in this turn; none where there is no way.

    All ways are searched, so one is found even where the line that looks best at each step would not do.
    """
    goal = binder.game.derived.get(binder.game.goal)
    if goal is None or binder.interpreter.value(goal, state, {}):
        return []
    seen: set[tuple[Any, ...]] = set()

    def search(table: State, mover: int | None) -> list[Lawful] | None:
        key = tuple(tuple(part) if isinstance(part, list) else part for part in table)
        if key in seen or len(seen) >= WIDEST_SEARCH:
            return None
        seen.add(key)
        for one in lawful_events(binder, table):
            player = one.values.get("player")
            if not shape_of(one.event).known or (mover is not None and player != mover):
                continue
            after = copy(table)
            binder.interpreter.apply(one.event, after, one.values)
            if binder.interpreter.value(goal, after, {}):
                return [one]
            rest = search(after, player)
            if rest is not None:
                return [one, *rest]
        return None

    return search(state, None) or []
