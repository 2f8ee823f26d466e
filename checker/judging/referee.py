"""The referee: what the rules say of one line, guard by guard, and what the line does all the same.

It works through the interpreter, so it is slow and knows unknown cards. The hot loop calls it only for lines that a
compiled step has refused, and for games in which something is unknown or out of order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.bounds import Bounds
from fairdeal.checker.engines.interpreter import Interpreter, is_partial, rank_of, same_card
from fairdeal.checker.engines.layout import DECK, State
from fairdeal.checker.judging.binding import Binder, Bound
from fairdeal.checker.judging.kept import keepers, learned
from fairdeal.checker.judging.lawful import does_nothing
from fairdeal.spec.cards import NO_CARD, UNKNOWN
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of a line: the guards that fail, and those that unknown cards leave open, in order."""

    failed: tuple[Guard, ...] = ()
    open: tuple[Guard, ...] = ()
    conflict: int = NO_CARD
    """A card that the line names and that is known to lie elsewhere."""
    hanging: str = ""
    """The first clause that hangs on unknown cards, where any guard is open; bounds may have decided its own guard."""

    @property
    def lawful(self) -> bool:
        """Whether nothing stands against the line, as far as is known."""
        return not self.failed and self.conflict == NO_CARD

    @property
    def possible(self) -> bool:
        """Whether the cards can physically do what the line says."""
        return not any(guard.physical for guard in self.failed)


@dataclass(slots=True)
class Referee:
    """Rules on bound lines of one game."""

    binder: Binder
    reads: dict[tuple[str, tuple[int, ...], int], frozenset[int]] = field(default_factory=dict)

    @property
    def interpreter(self) -> Interpreter:
        """The engine that evaluates guards."""
        return self.binder.interpreter

    def filled(self, bound: Bound, state: State) -> Bound:
        """A line with the cards that it does not name, where they are tops that the table knows better."""
        found = {}
        for guard in bound.event.guards:
            stated = bound.values.get(guard.reports)
            if guard.value is None or guard.value.op != "top" or not isinstance(stated, int) or not is_partial(stated):
                continue
            zone = state[self._position(guard.value, bound)]
            if zone and same_card(zone[-1], stated) is None and (stated == UNKNOWN or not is_partial(zone[-1])):
                found[guard.reports] = zone[-1]
        return bound._replace(values={**bound.values, **found}) if found else bound

    def rule(self, bound: Bound, state: State) -> Ruling:
        """Judge a line; the state does not change."""
        guards = bound.event.guards
        held = self.interpreter.guards(bound.event, state, bound.values)
        values = [value or (None if one.unrecorded else value) for one, value in zip(guards, held, strict=True)]
        failed = tuple(guard for guard, value in zip(guards, values, strict=True) if value is False)
        counted = {one.name for one in bound.event.reports if one.sort.kind == "int"}
        binding = [not guard.reports or guard.reports in counted for guard in guards]  # `??` agrees with any card
        open_guards = tuple(
            guard for guard, value, binds in zip(guards, values, binding, strict=True) if value is None and binds
        )
        apart = [guard for guard in self._apart(open_guards, bound, state) if guard not in failed]
        if apart:
            open_guards = tuple(guard for guard in open_guards if guard not in apart)
            failed = tuple(guard for guard in guards if guard in failed or guard in apart)
        hanging = ""
        if open_guards:
            asked = (one for one, binds in zip(guards, binding, strict=True) if binds)
            hanging = next((one.clause for one in asked if self.by_bounds(one, bound, state)), "")
        return Ruling(failed, open_guards, self._conflict(bound, state), hanging)

    def _apart(self, open_guards: Sequence[Guard], bound: Bound, state: State) -> Iterator[Guard]:
        """Reports that are open one by one, and of two numbers that cannot be so far apart as the line has them."""
        numbers = [
            one for one in open_guards if one.reports and one.value is not None and self._binds(one, bound, state)
        ]
        bounds = Bounds(self.interpreter, state, bound.values)
        for first, second in combinations(numbers, 2):
            assert first.value is not None
            assert second.value is not None
            between = bounds.of(second.value, first.value)
            stated = bound.values[second.reports] - bound.values[first.reports]
            if between is not None and not between.low <= stated <= between.high:
                yield second

    def _binds(self, guard: Guard, bound: Bound, state: State) -> bool:
        """Whether a report has to agree with its value, and not only perhaps."""
        ways = guard.condition.args if guard.condition.op == "or" else (guard.condition,)
        parameters = {way for way in ways if way.op == "eq" and way.args[0].value == guard.reports}
        others = (way for way in ways if way not in parameters)
        return bool(parameters) and all(self.interpreter.value(one, state, bound.values) is False for one in others)

    def apply(self, bound: Bound, state: State) -> set[int]:
        """Do what the line says, whether lawful or not; what it tells of unknown cards is learned first.

        Returns the positions of zones of which unknown cards leave open whether cards went there, or from there.
        """
        self.learn(bound, state)
        return self.interpreter.apply(bound.event, state, bound.values)

    def idle(self, bound: Bound, state: State) -> bool:
        """Whether a lawful line does nothing, so that there is nothing to refuse; a claim still says something."""
        return does_nothing(self.binder, state, bound.event, bound.values)

    def fits(self, bound: Bound, state: State) -> bool:
        """Whether a line may be as it should on a table; an attempt that was refused, whether it was rightly."""
        bound = self.filled(bound, state)
        lawful = self.rule(bound, state).lawful
        return lawful if bound.body.refused is None else not lawful or self.idle(bound, state)

    def sound(self, state: State) -> bool:
        """Whether each card of the deck lies in exactly one place and all are known, as compiled steps assume."""
        seen = 0
        for _, _, at in self.binder.layout.zones():
            zone = state[at]
            if isinstance(zone, int):
                if zone & seen or zone > DECK:
                    return False
                seen |= zone
                continue
            for code in zone:
                if code >= NO_CARD or seen >> code & 1:
                    return False
                seen |= 1 << code
        return seen == DECK

    def _named_tops(self, bound: Bound) -> Iterator[tuple[int, int]]:
        """Positions of zones whose top a report names, each with the card that it names."""
        for guard in bound.event.guards:
            if guard.reports and guard.value is not None and guard.value.op == "top":
                stated = bound.values[guard.reports]
                if stated != NO_CARD:
                    yield self.interpreter.position(str(guard.value.value), guard.value.args, [], bound.values), stated

    def _unknown_tops(self, bound: Bound, state: State) -> Iterator[tuple[int, int]]:
        for at, stated in self._named_tops(bound):
            if state[at] and is_partial(state[at][-1]):
                yield at, stated

    def _shown_bags(self, bound: Bound) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Positions of bags all of whose cards a row reports, each with that row."""
        for guard in bound.event.guards:
            if guard.reports and guard.value is not None and guard.value.op == "cards":
                at = self.interpreter.position(str(guard.value.value), guard.value.args, [], bound.values)
                yield at, bound.values[guard.reports]

    def _conflict(self, bound: Bound, state: State) -> int:
        for at, stated in self._unknown_tops(bound, state):
            if stated < NO_CARD and same_card(state[at][-1], stated) is not False and self._lies(stated, state):
                return stated
        for at, row in self._shown_bags(bound):
            if bags.unknown(state[at]) and (elsewhere := self._among(self._lying(bound, state, at), row)):
                return elsewhere[0]
        if bound.event.observation or not self._named_cards(bound) or not (bound.partial or not self.sound(state)):
            return NO_CARD
        return self._crowded(bound, state)

    def _named_cards(self, bound: Bound) -> list[int]:
        """The cards that the line takes from where they need not be on top: in rows, or picked by chance."""
        chance = {guard.reports for guard in bound.event.guards if guard.among is not None}
        return [code for row in _rows(bound) for code in row] + [bound.values[name] for name in sorted(chance)]

    def crowded(self, bound: Bound, state: State) -> list[int]:
        """The cards of a line's rows that are known to lie elsewhere.

        Where the cards come from counts for nothing: they are still there only on paper.
        """
        shown = {at for at, _ in self._shown_bags(bound)}
        return self._among(self._lying(bound, state, *shown), self._named_cards(bound))

    def _among(self, lying: list[int], named: Sequence[int]) -> list[int]:
        places = set(lying)
        return [code for code in dict.fromkeys(named) if code < NO_CARD and code in places]

    def _lying(self, bound: Bound, state: State, *but: int) -> list[int]:
        """The cards in all places, but in those from which the line takes cards, and some others."""
        sources = {*self._sources(bound.event.effects, bound), *but}
        return [code for _, _, at in self.binder.layout.zones() if at not in sources for code in _codes(state[at])]

    def _crowded(self, bound: Bound, state: State) -> int:
        """A card of a line's rows for which what is known to lie elsewhere leaves no room."""
        lying, stated = self._lying(bound, state), self._named_cards(bound)
        if elsewhere := self._among(lying, stated):
            return elsewhere[0]
        ranks = Counter(rank for rank in map(rank_of, [*lying, *stated]) if rank is not None)
        return next((code for code in stated if ranks[rank_of(code) or 0] > 4 and rank_of(code) is not None), NO_CARD)

    def _sources(self, effects: tuple[Effect, ...], bound: Bound) -> Iterator[int]:
        for effect in effects:
            if isinstance(effect, When):
                yield from self._sources(effect.effects, bound)
            elif isinstance(effect, Lay | Pick | Move):
                yield self.interpreter.position(effect.source, effect.source_index, [], bound.values)

    def taken_from(self, bound: Bound) -> set[int]:
        """Positions of the places from which a line takes cards, or may."""
        return set(self._emptied(bound.event.effects, bound))

    def _emptied(self, effects: tuple[Effect, ...], bound: Bound) -> Iterator[int]:
        for effect in effects:
            if isinstance(effect, When):
                yield from self._emptied(effect.effects, bound)
            elif not isinstance(effect, Assign):
                yield self.interpreter.position(effect.source, effect.source_index, [], bound.values)

    def names_of_top(self, bound: Bound, zone: int) -> list[str]:
        """The parameters with which a line names the top of a zone."""
        tops = (one for one in bound.event.guards if one.reports and one.value is not None and one.value.op == "top")
        return [one.reports for one in tops if one.value is not None and self._position(one.value, bound) == zone]

    def _position(self, term: Term, bound: Bound) -> int:
        return self.interpreter.position(str(term.value), term.args, [], bound.values)

    def _lies(self, card: int, state: State) -> bool:
        zones = (state[at] for _, _, at in self.binder.layout.zones())
        return any(card in zone if isinstance(zone, list) else zone >> card & 1 for zone in zones)

    def learn(self, bound: Bound, state: State) -> None:
        """Take over what a line that may be so tells of cards that were not known: a top, or the cards of a bag."""
        for at, stated in self._unknown_tops(bound, state):
            if same_card(state[at][-1], stated) is None and stated != UNKNOWN:
                learned(state, keepers(self.binder.game).get(at, frozenset()), state[at][-1], stated)
                state[at][-1] = stated
        for at, row in self._shown_bags(bound):
            if bags.unknown(state[at]):
                state[at] = bags.refine(state[at], row)

    def in_question(self, bound: Bound, ruling: Ruling) -> set[int]:
        """Positions about which the line and the state contradict each other."""
        found = {at for guard in ruling.failed if guard.physical for at in self.seen_by(guard, bound)}
        if ruling.conflict != NO_CARD:
            found |= {at for at, _ in self._named_tops(bound)}
        return found | {face for at in found for face in self.faces(at)}

    def deeper(self, bound: Bound, state: State) -> list[tuple[int, int]]:
        """Where a card that the line takes for a top lies deeper in its stack, with its place there; else nothing."""
        tops = [(at, stated) for at, stated in self._named_tops(bound) if state[at] and state[at][-1] != stated]
        if any(stated not in state[at] or is_partial(stated) for at, stated in tops):
            return []
        return [(at, state[at].index(stated)) for at, stated in tops]

    def apply_beneath(self, bound: Bound, state: State, deeper: Sequence[tuple[int, int]]) -> set[int]:
        """Do what the line says, as `apply` does, with cards that lie deeper in their stacks than it has them.

        An engine that takes a card from the middle of a stack has still moved it, and what follows is judged from
        there. The real top is not touched: it lies there as before, up or down. A card that the line does not take away
        stays where it is.
        """
        tops = []
        for at, place in deeper:
            card = state[at].pop(place)
            tops.append((at, place, card, state[at][-1]))
            state[at].append(card)
        faces = {at: state[at] for zone, _ in deeper for at in self.faces(zone)}
        open_zones = self.apply(bound, state)
        for at, place, card, top in tops:
            if state[at] and state[at][-1] == card:
                state[at].insert(place, state[at].pop())
            if not state[at] or state[at][-1] != top:  # the line has done more to the stack than take that card
                faces = {face: value for face, value in faces.items() if face not in self.faces(at)}
        for at, value in faces.items():
            state[at] = value
        return open_zones

    def faces(self, zone: int) -> list[int]:
        """Positions of the cells that say whether the top of a zone is face up, as the game's board has them."""
        position = self.binder.layout.position
        shown = (one for line in self.binder.game.board.lines for one in line.zones if one.faced)
        return [position[one.faced, one.index] for one in shown if position[one.zone, one.index] == zone]

    def rows_at_fault(self, guard: Guard, bound: Bound, state: State) -> list[tuple[str, int | None]]:
        """The rows of cards by which a guard fails: each by its parameter, and its number where that has several.

        Of several comparisons that fail, it is the one that asks for the fewest rows.
        """
        failing = self._failing(guard.condition, bound, state, wanted=True)
        rows = sorted((found for one in failing if (found := rows_of(one))), key=len)
        return sorted(rows[0], key=str) if rows else []

    def _failing(self, term: Term, bound: Bound, state: State, *, wanted: bool) -> Iterator[Term]:
        """The comparisons for which a condition is not as wanted."""
        if term.op == "not":
            yield from self._failing(term.args[0], bound, state, wanted=not wanted)
        elif term.op not in ("and", "or"):
            yield term
        elif (term.op == "and") is wanted:  # one part that is otherwise is enough, and the first is told
            values = ((one, self.interpreter.value(one, state, bound.values)) for one in term.args)
            wrong = next((one for one, value in values if value is not None and bool(value) is not wanted), None)
            yield from self._failing(wrong, bound, state, wanted=wanted) if wrong is not None else ()
        else:
            for one in term.args:
                yield from self._failing(one, bound, state, wanted=wanted)

    def standing(self, guard: Guard, bound: Bound, state: State) -> tuple[object, ...] | None:
        """What a failed guard rests on, if that is cells alone which the event itself need not change.

        Two lines of one round with the same standing are broken by one and the same thing.
        """
        reads = list(self.zones_read(guard.condition, bound))
        written = set(self._always_written(bound))
        if any(term.op != "cell" or at in written for term, at in reads) or not reads or guard.reports:
            return None
        return (guard.clause, guard.template, *((at, state[at]) for _, at in reads))

    def fixed(self, bound: Bound, doubted: Collection[int]) -> set[int]:
        """Positions of cells to which the line gives a value that hangs on none of some positions."""
        return {
            self.interpreter.position(one.cell, one.index, [], bound.values)
            for one in bound.event.effects
            if isinstance(one, Assign) and not any(at in doubted for _, at in self.zones_read(one.value, bound))
        }

    def _always_written(self, bound: Bound) -> Iterator[int]:
        for effect in bound.event.effects:
            if isinstance(effect, Assign):
                yield self.interpreter.position(effect.cell, effect.index, [], bound.values)

    def touched(self, bound: Bound) -> set[int]:
        """Positions that the line's effects may write."""
        return self.targets(bound.event, bound.values)

    def targets(self, event: Event, values: Mapping[str, Any]) -> set[int]:
        """Positions that an event's effects may write, for some choices."""
        return self.written(event.effects, values)

    def written(self, effects: tuple[Effect, ...], values: Mapping[str, Any]) -> set[int]:
        """Positions that effects may write, for some choices."""
        return set(self._targets(effects, values))

    def _targets(self, effects: tuple[Effect, ...], values: Mapping[str, Any]) -> Iterator[int]:
        def at(name: str, index: tuple[Term, ...]) -> int:
            return self.interpreter.position(name, index, [], values)

        for effect in effects:
            match effect:
                case When():
                    yield from self._targets(effect.effects, values)
                case Assign():
                    yield at(effect.cell, effect.index)
                case Move() | Pour() | Lay() | Part() | Pick() | TurnOver():
                    if not isinstance(effect, Lay):
                        yield at(effect.source, effect.source_index)
                    yield at(effect.target, effect.target_index)

    def deals(self, event: Event) -> bool:
        """Whether a line of the event lays out whole zones anew."""
        lays = [one for one in event.effects if isinstance(one, Lay) and not one.on_top]
        return any(self.binder.layout.variables[one.target].kind == "stack" for one in lays)

    def seen_by(self, guard: Guard, bound: Bound) -> set[int]:
        """Positions that a guard reads for this line."""
        return {at for _, at in self.zones_read(guard.condition, bound)}

    def zones_read(self, term: Term, bound: Bound) -> Iterator[tuple[Term, int]]:
        """The state that a term reads: each reading term, with its position."""
        for one in reading(term):
            yield one, self.interpreter.position(str(one.value), one.args, [], bound.values)

    def by_bounds(self, guard: Guard, bound: Bound, state: State) -> bool:
        """Whether a guard hangs on unknown cards but for what the bounds of numbers decide."""
        self.interpreter.bounding = False
        try:
            return self.interpreter.value(guard.condition, state, bound.values) is None
        finally:
            self.interpreter.bounding = True


@cache
def reading(term: Term) -> tuple[Term, ...]:
    """The parts of a term that read the state; the terms of a game's rules are few, and asked for at every fault."""
    return tuple(one for one in terms.subterms(term) if one.op in ("cell", "size", "top", "cards"))


@cache
def rows_of(term: Term) -> frozenset[tuple[str, int | None]]:
    """The rows of cards that a term reads: each by its parameter, and its number where that has several."""
    return frozenset(one.value for one in terms.subterms(term) if one.op == "row" and isinstance(one.value, tuple))


def _codes(zone: Any) -> list[int]:
    return zone if isinstance(zone, list) else list(bags.cards(zone))


def _rows(bound: Bound) -> Iterator[tuple[int, ...]]:
    for parameter in bound.event.parameters:
        if parameter.role == "rows":
            value = bound.values[parameter.name]
            yield from value if value and isinstance(value[0], tuple) else (value,)
