"""What the rules allow next: every lawful event, as the notation writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.python_source import combinations
from fairdeal.checker.judging.binding import Binder
from fairdeal.spec.language.game import Event


@dataclass(frozen=True, slots=True)
class Lawful:
    """A lawful event with its parameters' values; rows of cards that a line would state are left out."""

    event: Event
    values: dict[str, Any]

    @property
    def has_rows(self) -> bool:
        """Whether its line states rows of cards, which are the player's own to lay out."""
        return self.event.has_rows


def lawful_events(binder: Binder, state: State) -> Iterator[Lawful]:
    """Every lawful event, in the order in which the game declares them.

    Through the interpreter, so that a table with unknown cards can be asked too; what they leave open is not listed.
    """
    interpreter = binder.interpreter
    for event in binder.game.events.values():
        if event.observation:
            continue
        for choices in combinations(event):
            values: dict[str, Any] = dict(zip((one.name for one in event.choices), choices, strict=True))
            for guard in event.guards:
                if guard.reports and guard.value is not None:
                    values.setdefault(guard.reports, interpreter.value(guard.value, state, values))
            rows = {one.name for one in event.parameters if one.role == "rows"}
            if None in values.values():
                continue
            if rows:
                for name in rows:
                    values[name] = ()
                if all(interpreter.value(one.condition, state, values) is not False for one in event.guards[:5]):
                    yield Lawful(event, {name: value for name, value in values.items() if name not in rows})
            elif interpreter.holds(event, state, values):
                yield Lawful(event, values)


def text_of(binder: Binder, lawful: Lawful) -> str:
    """The event as a line of the notation; cards that the player would lay out stand as ``…``."""
    if lawful.has_rows:
        return f"{'AB'[lawful.values['player']]} {lawful.event.name} …"
    return binder.text(lawful.event, lawful.values)


def changes(binder: Binder, state: State, lawful: Lawful) -> bool:
    """Whether the event would change the table; a claim, or a slap that is ignored, does not."""
    if lawful.has_rows:
        return True
    after = copy(state)
    binder.interpreter.apply(lawful.event, after, lawful.values)
    return after != state


def lawful_texts(binder: Binder, state: State, actor: int | None, like: str) -> Iterator[str]:
    """Lawful events of a player as text, those of the same kind as ``like`` first; what changes nothing is left out.

    Where the player can do nothing, the other's events are listed.
    """
    events = [one for one in lawful_events(binder, state) if changes(binder, state, one)]
    own = [one for one in events if actor is None or one.values.get("player", actor) == actor] or events
    own.sort(key=lambda one: one.event.name != like)
    for one in own:
        yield text_of(binder, one)
