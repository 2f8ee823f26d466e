"""Hands: every way to lay cards of one hand down, the best of them, and whether the player can go out with it.

The table is a fresh one on which the first player holds the hand and may act; nothing else lies on it. All ways are
tried by the game's own event, so what is a meld is said by the rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.rows import rows_of
from fairdeal.checker.exploring.counting import candidates_on
from fairdeal.checker.exploring.starting import StartError
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.lawful import text_of, way_to_goal
from fairdeal.checker.judging.shelf import binder_for
from fairdeal.spec.cards import card_name
from fairdeal.spec.games import UnknownGame, exploration_of, model_named
from fairdeal.spec.language.terms import NO_CARD

MOST_TABLES = 200_000
"""Tables that the search for partitions looks at; a hand of 11 cards has some hundreds at most."""

Meld = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """A way to lay cards down: the melds, what is left in the hand, and what the melds are worth."""

    melds: tuple[Meld, ...]
    rest: Meld
    worth: int
    final: bool
    """Nothing that is left makes another meld."""


@dataclass(frozen=True, slots=True)
class Hand:
    """What a hand can do."""

    game: str
    options: Mapping[str, str]
    meaning: str
    """What a partition's worth is."""
    cards: Meld
    partitions: tuple[Partition, ...]
    """Every one, also those that could go on; the best first: most worth, then fewest cards left."""
    way_out: tuple[str, ...]
    """Lines with which the player goes out in this turn, with nothing else on the table; empty if there are none."""

    @property
    def best(self) -> Partition:
        """The partition that is worth most; of those that are worth as much, one that leaves fewest cards."""
        return self.partitions[0]


def look_at(game: str, cards: Sequence[int], rules: str | None, options: Mapping[str, str]) -> Hand:
    """Everything that a hand can do by itself.

    Raises:
        UnknownGame: there are no rules for the game.
        StartError: the game has no hands to look at, or these cards are none.
    """
    model = model_named(game)
    try:
        held = exploration_of(game).held
    except UnknownGame:
        held = None
    if held is None:
        raise StartError(f"{model.title} has no hands that could be looked at by themselves")
    if not cards or max(cards) >= NO_CARD:
        raise StartError("a hand is looked at by its cards: one or more of them, all known")
    twice = next((code for code in cards if cards.count(code) > 1), None)
    if twice is not None:
        raise StartError(f"{card_name(twice)} is in this hand twice, and the deck has it once")
    binder = binder_for(model, model.bind(rules, options))
    at = binder.layout.position
    state = binder.layout.initial()
    mask = sum(1 << code for code in cards)
    owner = min(index for name, index in at if name == held.zone)
    state[at[held.zone, owner]] = mask
    state[at[held.source, ()]] &= ~mask
    for name, value in held.cells.items():
        state[at[name, ()]] = int(value)
    partitions = _partitions(binder, state, game)
    way = tuple(text_of(binder, one) for one in way_to_goal(binder, state))
    return Hand(game, dict(options), held.meaning, tuple(sorted(cards)), partitions, way)


def _partitions(binder: Binder, start: State, game: str) -> tuple[Partition, ...]:
    held = exploration_of(game).held
    assert held is not None
    event, run = binder.game.events[held.lays], binder.interpreter
    (row,) = [one.name for one in event.parameters if one.role == "rows"]
    zone = binder.layout.position[held.zone, min(index for name, index in binder.layout.position if name == held.zone)]
    seen: dict[frozenset[Meld], State] = {frozenset(): start}
    waiting: list[frozenset[Meld]] = [frozenset()]
    found = []
    for melds in waiting:  # grows meanwhile
        table, more = seen[melds], False
        for values in candidates_on(binder, event, table):
            for filled in rows_of(run, event, table, values):
                more = True
                grown = melds | {tuple(sorted(filled[row]))}
                if grown not in seen:
                    if len(seen) >= MOST_TABLES:
                        raise StartError(f"there are more than {MOST_TABLES:,} ways to lay these cards down")
                    seen[grown] = copy(table)
                    run.apply(event, seen[grown], filled)
                    waiting.append(grown)
        rest = tuple(code for code in range(52) if table[zone] >> code & 1)
        worth = int(run.value(held.worth.term, table, {}))
        found.append(Partition(tuple(sorted(melds)), rest, worth, not more))
    return tuple(sorted(found, key=lambda one: (-one.worth, len(one.rest), one.melds)))
