"""Lines whose time has not come: whether they may be taken not to count, and what they leave in doubt.

A line can break a rule by what it states, such as its card, or because no line of its kind can come now. Then its
program has the game at another point than the rules have, and what the line does there is not what it does here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from fairdeal.checker.engines.interpreter import Environment, Interpreter
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.findings import OUT_OF_PLACE
from fairdeal.checker.judging.referee import Referee, Ruling, rows_of
from fairdeal.checker.judging.setting_up import deals
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, Part, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term

ACTOR = "player"
"""The parameter of who acts: a line states it, and yet no choice is made by it."""


@cache
def looks(term: Term) -> bool:
    """Whether a condition looks at what a line states, beyond who acts."""
    return any(one.op == "row" or (one.op == "param" and one.value != ACTOR) for one in terms.subterms(term))


class Aftermath:
    """Tells of the faulty lines of one game what they leave behind."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._bound: dict[Term, Term] = {}
        """Conditions of guards with the options in force."""

    def disputed(self, bound: Bound, ruling: Ruling) -> bool:
        """Whether it is open if a line counts: its time has not come, and it moves no single card.

        Such a line begins a round, or it only says how the game stands, or it gathers cards although a failed guard
        has seen that they still lie where they were.
        """
        guards = _untimely(ruling)
        if not guards or bound.event.claim:
            return False
        if bound.event.name == self.referee.binder.game.entry or only_says(bound.event):
            return True
        return not self._gathered(bound).keys().isdisjoint(self._seen(bound, guards))

    def sources(self, bound: Bound) -> set[int]:
        """Positions from which a line moves single cards, with their faces, wherever it says that they go."""
        moves = [one for one in bound.event.effects if isinstance(one, Move)]
        places = ((one.source, self.referee.interpreter.place(one.source_index, [], bound.values)) for one in moves)
        zones = {
            self.referee.binder.layout.position[key] for key in places if key in self.referee.binder.layout.position
        }
        return zones | {face for at in zones for face in self.referee.faces(at)}

    def spoiled(self, bound: Bound, ruling: Ruling) -> set[int]:
        """Positions that hold what a failed guard speaks against.

        They are bags that the line puts cards into, cells in which the rules keep which cards it stated, and bags whose
        size it states wrongly: those that it pours cards into, and those of which it should have dealt more.
        """
        at = self.referee.interpreter.position
        lays = [one for one in bound.event.effects if isinstance(one, Lay)]
        given = {at(one.target, one.target_index, [], bound.values) for one in lays}
        sources = {at(one.source, one.source_index, [], bound.values) for one in lays}
        given -= sources
        judged = self._read_by(ruling.failed, bound, "cards")
        left = sources & self._read_by(ruling.failed, bound, "size") if self.referee.deals(bound.event) else set()
        spoken = {row for guard in ruling.failed for row in rows_of(guard.condition)}
        kept = {
            at(one.cell, one.index, [], bound.values)
            for one in bound.event.effects
            if isinstance(one, Assign) and one.value.sort.kind == "cards" and spoken & rows_of(one.value)
        }
        return given & judged | left | kept | set(self._miscounted(bound, ruling))

    def out_of_turn(self, bound: Bound, ruling: Ruling) -> bool:
        """Whether a line has to do with whose turn it is, and comes where the game does not stand as that asks for.

        That is where a guard fails which asks only how the game stands, and which asks for the turn or is of an event
        that passes it on. The line that begins a round says itself who is first.
        """
        game = self.referee.binder.game
        if not game.board.turn or bound.event.name == game.entry:
            return False
        turn = self.referee.binder.layout.position[game.board.turn, ()]
        passes = turn in self.referee.touched(bound)
        for guard in ruling.failed:
            reads = list(self.referee.zones_read(guard.condition, bound))
            asks_for_cells = not guard.reports and all(term.op == "cell" for term, _ in reads)
            if asks_for_cells and (passes or any(at == turn for _, at in reads)):
                return True
        return False

    def claimed(self, bound: Bound, ruling: Ruling) -> set[int]:
        """Positions of the flags that a false claim says are set, so that its program has them otherwise."""
        conditions = (one.condition for one in ruling.failed)
        ways = (way for one in conditions for way in (one.args if one.op == "or" else (one,)))
        flags = (one for one in ways if one.op == "cell")
        return {self.referee.interpreter.position(str(one.value), one.args, [], bound.values) for one in flags}

    def may_be_undone(self, bound: Bound, ruling: Ruling) -> bool:
        """Whether a program may have left a faulty line undone.

        Cards that it dealt were dealt, unless it was out of time; and what another reading allows it has done.
        """
        game = self.referee.binder.game
        gaps = {option.gap for option in game.options.values()}
        if any(guard.clause in gaps for guard in ruling.failed):
            return False
        return bound.event.name not in deals(game) or bool(_untimely(ruling))

    def counts(self, bound: Bound) -> bool:
        """Whether a line of which that is open is taken to count, until those that follow show which it is."""
        return bound.event.name == self.referee.binder.game.entry or only_says(bound.event)

    def doubtful(self, bound: Bound, ruling: Ruling, state: State) -> set[int]:
        """Positions that a faulty line leaves in doubt beside those that it spoils; ``state`` is that before the line.

        Where its time has not come, and it counts, they are those to which it gathers cards that a failed guard has
        seen elsewhere, or that were not played with yet, and all that it would write, or would not, if the game stood
        as its program has it. Where it gathers what it must not, who gets what else is in doubt as well.
        """
        guards, gathered = _untimely(ruling), self._gathered(bound)
        seen = self._seen(bound, guards)
        found = {target for source, target in gathered.items() if source in seen}
        if guards and bound.event.name == self.referee.binder.game.entry:
            early = any(guard.clause in OUT_OF_PLACE for guard in guards)
            return (set(gathered.values()) if early else found) | self._hinging(bound, guards, state)
        if self.disputed(bound, ruling):
            return found
        asking = tuple(guard for guard in (ruling.failed if gathered else guards) if self._asks_for_cells(guard, bound))
        return found | (self._hinging(bound, asking, state) if asking else set())

    def carried(self, bound: Bound, state: State, doubts: Mapping[int, int]) -> dict[int, int]:
        """Positions to which a line takes whole piles from where they lie in doubt, each with the line of the doubt."""
        if not doubts or not any(isinstance(one, Pour | Part | TurnOver) for one in _all(bound.event.effects)):
            return {}
        trial = _Trial(self.referee, doubts)
        trial.apply(bound.event, copy(state), bound.values)
        return trial.carried

    def bring(self, bound: Bound, state: State, doubted: Iterable[int]) -> None:
        """Let a deal have the cards that it states, from wherever they lie in doubt."""
        at = self.referee.interpreter.position
        lays = [one for one in bound.event.effects if isinstance(one, Lay) and not one.on_top]
        own = at(lays[0].source, lays[0].source_index, [], bound.values)
        stated = sum(1 << code for code in dict.fromkeys(bound.cards) if code < terms.NO_CARD)
        bags = {zone for name, _, zone in self.referee.binder.layout.zones() if self._is_bag(name)}
        for zone in bags.intersection(doubted) - {own}:
            found = state[zone] & stated & ~state[own]
            state[zone] &= ~found
            state[own] |= found

    def settled(self, bound: Bound, state: State) -> set[int]:
        """Positions that a deal settles, whatever was in doubt before it: where it lays cards, not where from.

        Of these it settles those that are empty then.
        """
        at = self.referee.interpreter.position
        sources = {
            at(one.source, one.source_index, [], bound.values)
            for one in _all(bound.event.effects)
            if isinstance(one, Lay)
        }
        return {one for one in self.referee.touched(bound) if one not in sources or not state[one]}

    def _miscounted(self, bound: Bound, ruling: Ruling) -> Iterator[int]:
        """Positions into which the line pours cards that it has counted otherwise than the rules do."""
        ints = {one.name for one in bound.event.reports if one.sort.kind == "int"}
        counted = self._read_by((one for one in ruling.failed if one.reports in ints), bound, "size")
        for effect in bound.event.effects:
            if isinstance(effect, Pour):
                at = self.referee.interpreter.position
                if at(effect.source, effect.source_index, [], bound.values) in counted:
                    yield at(effect.target, effect.target_index, [], bound.values)

    def _read_by(self, guards: Iterable[Guard], bound: Bound, op: str) -> set[int]:
        """Positions of which guards read one thing, such as the size."""
        return {at for guard in guards for term, at in self.referee.zones_read(guard.condition, bound) if term.op == op}

    def _is_bag(self, name: str) -> bool:
        return self.referee.binder.layout.variables[name].kind == "bag"

    def _seen(self, bound: Bound, guards: tuple[Guard, ...]) -> set[int]:
        return {at for guard in guards for _, at in self._reads(guard, bound)}

    def _reads(self, guard: Guard, bound: Bound) -> Iterator[tuple[Term, int]]:
        """The state that a guard reads under the options in force."""
        condition = self._bound.get(guard.condition)
        if condition is None:
            binding = self.referee.binder.steps.binding
            condition = self._bound[guard.condition] = terms.substitute(guard.condition, binding)
        return self.referee.zones_read(condition, bound)

    def _gathered(self, bound: Bound) -> dict[int, int]:
        """From where a line gathers cards, and where to."""
        at = self.referee.interpreter.position
        return {
            at(one.source, one.source_index, [], bound.values): at(one.target, one.target_index, [], bound.values)
            for one in bound.event.effects
            if isinstance(one, Pour)
        }

    def _hinging(self, bound: Bound, guards: tuple[Guard, ...], state: State) -> set[int]:
        """What a line may write, or not, if the cells that failed guards ask for have other values."""
        blurred = copy(state)
        for guard in guards:
            for term, at in self._reads(guard, bound):
                if term.op == "cell" and term.sort.kind != "cards":
                    blurred[at] = None
        trial = _Trial(self.referee)
        trial.apply(bound.event, blurred, bound.values)
        position = self.referee.interpreter.position
        given = (
            position(one.cell, one.index, [], bound.values) for one in bound.event.effects if isinstance(one, Assign)
        )
        return trial.perhaps - {at for at in given if blurred[at] is not None}

    def _asks_for_cells(self, guard: Guard, bound: Bound) -> bool:
        reads = [] if guard.reports else list(self._reads(guard, bound))
        return bool(reads) and all(term.op == "cell" for term, _ in reads)


class _Trial(Interpreter):
    """Carries out effects on a copy of a table; notes what they may write or not, and where doubts go with cards."""

    def __init__(self, referee: Referee, doubts: Mapping[int, int] | None = None) -> None:
        super().__init__(referee.binder.game, referee.binder.options)
        self.referee = referee
        self.perhaps: set[int] = set()
        self.doubts = dict(doubts or {})
        self.carried: dict[int, int] = {}

    def _perhaps(self, effects: tuple[Effect, ...], state: State, values: Environment, stayed: set[int]) -> None:
        self.perhaps |= self.referee.written(effects, values)
        super()._perhaps(effects, state, values, stayed)

    def _apply(self, effect: Effect, state: State, values: Environment, stayed: set[int]) -> None:
        if isinstance(effect, Pour | Part | TurnOver):
            source = self.position(effect.source, effect.source_index, state, values)
            if source in self.doubts:
                targets = [self.position(effect.target, effect.target_index, state, values)]
                if isinstance(effect, Part):
                    targets.append(self.position(effect.rest, effect.rest_index, state, values))
                for one in targets:
                    if one not in self.doubts:
                        self.doubts[one] = self.carried[one] = self.doubts[source]
        super()._apply(effect, state, values, stayed)


def _untimely(ruling: Ruling) -> tuple[Guard, ...]:
    """The failed guards by which no line of its kind can come now, whatever it states."""
    return tuple(guard for guard in ruling.failed if not guard.reports and not looks(guard.condition))


@cache
def only_says(event: Event) -> bool:
    """Whether lines of an event only say how the game stands: they name no place and no card, and move none."""
    named = any(one.name != ACTOR for one in event.choices) or any(one.sort.kind == "card" for one in event.parameters)
    return not named and not event.has_rows and all(isinstance(one, Assign) for one in _all(event.effects))


def _all(effects: tuple[Effect, ...]) -> Iterator[Effect]:
    """Effects, and those that come about under a condition."""
    for one in effects:
        if isinstance(one, When):
            yield from _all(one.effects)
        else:
            yield one
