"""Setting up a round: what is due before play and was not logged, and what was logged before the round had begun."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache

from fairdeal.checker.engines.layout import Layout, State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.judging.lawful import lawful_events
from fairdeal.checker.judging.referee import Referee
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Effect, Guard, Lay, When


@dataclass(slots=True)
class Early:
    """Cards were dealt before the line that begins their round."""

    line: int
    before: State
    """The table as it was then."""
    since: list[Bound] = field(default_factory=list)
    """What has been logged since, that line included."""


@cache
def deals(game: Game) -> frozenset[str]:
    """The events of a game that lay out cards from where they lie before anything has happened."""
    layout = Layout(game)
    beginning = layout.initial()
    full = frozenset(name for name, _, at in layout.zones() if beginning[at])
    return frozenset(event.name for event in game.events.values() if _lays_from(full, event.effects))


def _lays_from(zones: Collection[str], effects: Iterable[Effect]) -> bool:
    return any(
        _lays_from(zones, one.effects) if isinstance(one, When) else isinstance(one, Lay) and one.source in zones
        for one in effects
    )


class SetUp:
    """Follows how the rounds of one game are set up, as far as a log does it out of order."""

    def __init__(self, referee: Referee) -> None:
        self.referee, self.binder = referee, referee.binder
        self.early: Early | None = None
        self.unset: int | None = None
        """The line at which cards were played that had not been dealt; what comes after it hangs on them."""
        self.deals = deals(self.binder.game)

    def missing(self, event: Event, state: State, labels: Labels) -> set[int]:
        """Positions that deals would fill which are due where a line states another event; none where none is due."""
        if event.observation or event.name in self.deals or event.name == self.binder.game.entry:
            return set()
        due = lawful_events(self.binder, state, labels, only=self.deals)
        return {at for one in due for at in self.referee.targets(one.event, one.values)}

    def take(self, bound: Bound, state: State, line: int) -> None:
        """Take note of a line before it is carried out."""
        if bound.event.observation or bound.event.name == self.binder.game.entry or bound.body.refused is not None:
            return
        deals = bound.event.name in self.deals
        if self.early is not None and bound.actor is not None and not deals:
            self.early = None  # play has begun
        elif self.early is None and deals and self._entry_due(state):
            self.early = Early(line, copy(state))
        if self.early is not None:
            self.early.since.append(bound)

    def _entry_due(self, state: State) -> bool:
        entry = self.binder.game.entry
        return any(lawful_events(self.binder, state, only=(entry,)))

    def origin(self, guard: Guard, bound: Bound, line: int) -> int | None:
        """The line from which it follows that a guard fails, where that is for what it dealt too early or not at all.

        After an early deal that is any guard that asks for the table, for the round has not set it up yet; where deals
        are missing it is one that asks only how far the round is.
        """
        reads = {term.op for term, _ in self.referee.zones_read(guard.condition, bound)}
        if reads and self.early is not None and self.early.line != line:
            return self.early.line
        return self.unset if reads == {"cell"} and self.unset != line else None

    def put_right(self, entry: Bound, state: State) -> int | None:
        """Begin the round where its first deal stands; gives that line.

        None, and nothing is done, where nothing was dealt early, or where the round could not have begun there.
        """
        early, self.early = self.early, None
        if early is None or not self.referee.rule(entry, early.before).lawful:
            return None
        state[:] = early.before
        self.referee.apply(entry, state)
        for bound in early.since:
            ruling = self.referee.rule(bound, state)
            if ruling.possible and ruling.conflict == NO_CARD:
                self.referee.apply(bound, state)
        return early.line
