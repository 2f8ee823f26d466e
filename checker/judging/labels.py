"""Labels: the names that a log gives to places on the table, and the places that they stand for.

Most logs count from one in each round, and a label then is the place's own number. One that counts on through a game,
or jumps, gets its labels mapped to free places as they come, until the next round begins.
"""

from __future__ import annotations

from fairdeal.checker.engines.layout import Layout, State
from fairdeal.spec.language.game import Game


class Labels:
    """The labels of one game's zones, as the log that is being judged uses them."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self.zone = game.labelled
        self._at = layout.numbered(self.zone)
        self.places: dict[int, int] = {}
        """Label to place; empty while labels are the places' own numbers."""

    @property
    def mapped(self) -> bool:
        """Whether labels are not the places' own numbers just now."""
        return bool(self.places)

    def place(self, label: int, state: State) -> int | None:
        """The place that a label stands for, a free one if it is new; ``None`` where none is free."""
        if not self.mapped:
            if label in self._at:
                return label
            self.places = {place: place for place, at in self._at.items() if state[at]}
        found = self.places.get(label)
        if found is None:
            taken = set(self.places.values())
            found = next((place for place, at in self._at.items() if place not in taken and not state[at]), None)
            if found is not None:
                self.places[label] = found
        return found

    def label(self, place: int) -> int:
        """What the log calls a place, or would call it next."""
        known = next((label for label, one in self.places.items() if one == place), None)
        return known if known is not None else max(self.places, default=place - 1) + 1

    def is_spare(self, place: int, state: State) -> bool:
        """Whether the place is free and another one before it is too: it makes no difference which is used."""
        return not state[self._at[place]] and any(not state[at] for one, at in self._at.items() if one < place)

    def forget(self) -> None:
        """Begin anew: the table has been cleared."""
        self.places = {}
