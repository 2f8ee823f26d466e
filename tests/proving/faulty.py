"""Models with a fault in them, to see that the property which should fail does, with a game that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import z3

from fairdeal.checker.engines.interpreter import Environment, Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.symbolic import zones
from fairdeal.checker.engines.symbolic.effects import Effects
from fairdeal.checker.proving.asking import Budget
from fairdeal.checker.proving.prover import Prover, Result
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.properties import Properties
from fairdeal.spec.language.recording import Effect, Guard, Move, Pour, When


class Copy(Move):
    """A faulty effect: the top card goes to another zone and stays where it was."""


class Drop(Pour):
    """A faulty effect: all cards of a zone but the one on top go into a bag, and the one on top goes nowhere."""


class FaultyInterpreter(Interpreter):
    """Carries out the faulty effects on known tables."""

    def _apply(self, effect: Effect, state: State, values: Environment, stayed: set[int]) -> None:
        if isinstance(effect, (Copy, Drop)):
            source = state[self.position(effect.source, effect.source_index, state, values)]
            target = self.position(effect.target, effect.target_index, state, values)
            if isinstance(effect, Copy):
                self._put(state, target, source[-1])
            else:
                for code in source[:-1]:
                    self._put(state, target, code)
                source.clear()
        else:
            super()._apply(effect, state, values, stayed)


class FaultyEffects(Effects):
    """Carries out the faulty effects on symbolic tables."""

    def carry_out(self, effect: Effect, path: z3.BoolRef) -> None:
        if not isinstance(effect, (Copy, Drop)):
            super().carry_out(effect, path)
            return
        zone = self._reading.zone(effect.source, effect.source_index)
        source = self._reading.place(effect.source, effect.source_index)
        target = self._reading.place(effect.target, effect.target_index)
        if isinstance(effect, Copy):
            self._write(target, path, lambda goal: self.put(goal, zones.top_of(zone)))
        else:
            kept = self.sets.without(zones.cards_of(self.sets, zone), self.sets.of([zones.top_of(zone)]))
            self._write(source, path, lambda part: zones.emptied(self.sets, part))
            self._write(target, path, lambda goal: self.sets.union(goal, kept))


def with_effects(game: Game, name: str, change: Callable[[Effect], Effect]) -> Game:
    """The game with the effects of one event changed, also those under conditions."""

    def changed(effect: Effect) -> Effect:
        if isinstance(effect, When):
            return When(effect.condition, tuple(changed(one) for one in effect.effects))
        return change(effect)

    event = game.events[name]
    return _with(game, replace(event, effects=tuple(changed(one) for one in event.effects)))


def with_guards(game: Game, name: str, keep: Callable[[Guard], Guard | None]) -> Game:
    """The game with the guards of one event changed, or dropped where there is nothing in their place."""
    event = game.events[name]
    guards = tuple(kept for guard in event.guards if (kept := keep(guard)) is not None)
    return _with(game, replace(event, guards=guards))


def _with(game: Game, event: Event) -> Game:
    return replace(game, events={**game.events, event.name: event}, _digest="")


def prove(game: Game, declared: Properties, name: str) -> Result:
    """The answer to the first part of a property, of a game that has a fault in it."""
    model = Model(game, FaultyEffects, FaultyInterpreter)
    first = replace(declared[name], parts=declared[name].parts[:1])
    (result,) = Prover(model, replace(declared, game=game), Budget(60)).answer([first])
    return result
