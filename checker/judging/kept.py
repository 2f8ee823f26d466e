"""Cells in which the rules keep which cards were laid out where: what is learned of such a card is so of them too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import combinations
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term


def keepers(game: Game) -> Mapping[int, frozenset[int]]:
    """By the position of a zone, those of the cells that keep every card which can lie in it; only of such zones."""
    found = _known.get(game.version)
    if found is None:
        found = _known[game.version] = _closed(Interpreter(game, {}))
    return found


_known: dict[str, Mapping[int, frozenset[int]]] = {}


def learned(state: State, cells: frozenset[int], code: int, card: int) -> None:
    """A card of which a code is all that was known is ``card``: cells that keep it know it now."""
    for at in cells:
        if bags.counted(state[at], code) and (card > NO_CARD or not state[at] >> card & 1):
            state[at] = bags.put(bags.without(state[at], bags.put(0, code)), card)


def _closed(interpreter: Interpreter) -> Mapping[int, frozenset[int]]:
    """The keepers of zones that only such cards can reach as their cells keep."""
    kept: dict[int, frozenset[int]] = {}
    ways: set[tuple[int, int]] = set()
    for event in interpreter.game.events.values():
        for choices in combinations(event):
            values = dict(zip((one.name for one in event.choices), choices, strict=True))
            laid = dict(_laid(interpreter, event, values))
            kept |= laid
            ways |= {way for way in _ways(interpreter, event.effects, values) if way[1] not in laid}
    while True:
        strange = {target for source, target in ways if target in kept and kept.get(source) != kept[target]}
        if not strange:
            return kept
        kept = {zone: cells for zone, cells in kept.items() if zone not in strange}


def _laid(interpreter: Interpreter, event: Event, values: Mapping[str, int]) -> Iterator[tuple[int, frozenset[int]]]:
    """The zones that an event lays rows into which it keeps in cells, each with those cells."""
    keeping = [one for one in event.effects if isinstance(one, Assign) and one.value.sort.kind == "cards"]
    for lay in event.effects:
        if isinstance(lay, Lay) and not lay.on_top:
            cells = [one for one in keeping if lay.row in set(terms.subterms(one.value))]
            if cells:
                at = interpreter.position(lay.target, lay.target_index, [], values)
                yield at, frozenset(interpreter.position(one.cell, one.index, [], values) for one in cells)


def _ways(
    interpreter: Interpreter, effects: tuple[Effect, ...], values: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    """From where to where effects can bring cards."""

    def at(name: str, index: tuple[Term, ...]) -> int:
        return interpreter.position(name, index, [], values)

    for effect in effects:
        match effect:
            case When():
                yield from _ways(interpreter, effect.effects, values)
            case Move() | Pour() | Lay() | Part() | Pick() | TurnOver():
                source = at(effect.source, effect.source_index)
                yield source, at(effect.target, effect.target_index)
                if isinstance(effect, Part):
                    yield source, at(effect.rest, effect.rest_index)
