"""The reference interpreter: walks recorded terms over a table, slowly and obviously.

It is the meaning of the rules language. Values are three-valued: ``None`` stands for "not known", which only unknown
cards bring in; without them every value is known. A cell that an event sets to what is not known holds ``None`` from
then on, or a number's bounds, until something known is put into it. Numbers that are not known are compared by their
bounds. Other engines are tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.bounds import Bounds, Span
from fairdeal.checker.engines.layout import Layout, State, copy
from fairdeal.spec.cards import rank_of as stated_rank
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term

Environment = Mapping[str, Any]
"""Values of options and parameters by name; rows are tuples of card codes, or tuples of such tuples."""


def same_card(left: int, right: int) -> bool | None:
    """Whether two codes name the same card; ``None`` where unknown parts leave it open."""
    if left <= NO_CARD and right <= NO_CARD:
        return left == right
    if NO_CARD in (left, right):
        return False
    ranks = {rank_of(code) for code in (left, right)} - {None}
    return False if len(ranks) > 1 else None


def rank_of(code: int) -> int | None:
    """Rank of a card code; ``None`` where it is not known, `NO_RANK` for no card."""
    if code < NO_CARD:
        return code // 4
    if code == NO_CARD:
        return NO_RANK
    return stated_rank(code)


def is_partial(code: int) -> bool:
    """Whether a code is a card that is not fully known."""
    return code > NO_CARD


class Interpreter:
    """Evaluates guards and applies effects of a game's events, term by term, with options bound to values."""

    def __init__(self, game: Game, options: Mapping[str, int]) -> None:
        self.game = game
        self.layout = Layout(game)
        self.options = dict(options)
        self.bounding = True
        """Whether bounds decide where a number is not known."""

    def guards(self, event: Event, state: State, values: Environment) -> list[bool | None]:
        """The value of each guard, in order."""
        return [self.value(guard.condition, state, values) for guard in event.guards]

    def holds(self, event: Event, state: State, values: Environment) -> bool | None:
        """Whether the event is lawful here; ``None`` where unknown cards, or what no line has told, leave it open."""
        result: bool | None = True
        for guard in event.guards:
            value = self.value(guard.condition, state, values)
            if value is False and not guard.unrecorded:
                return False
            if not value and not guard.reports:
                result = None
        return result

    def value(self, term: Term, state: State, values: Environment) -> Any:
        """The value of a term; ``None`` where it is not known."""
        return _READ[term.op](self, term, state, values)

    def span(self, state: State, values: Environment, *numbers: Term) -> Span | None:
        """Between which numbers one that is not known lies, or the first of two less the second."""
        return Bounds(self, state, values).of(*numbers) if self.bounding else None

    def place(self, index: tuple[Term, ...], state: State, values: Environment) -> tuple[int, ...]:
        """The values of an index."""
        return tuple(
            [  # nearly all are a choice of the line, or fixed by the rules
                values[str(term.value)] if term.op == "param" else self.value(term, state, values) for term in index
            ]
        )

    def position(self, name: str, index: tuple[Term, ...], state: State, values: Environment) -> int:
        """Where a cell or zone stands in the state."""
        return self.layout.position[name, self.place(index, state, values)]

    def strangers(self, term: Term, state: State, values: Environment) -> list[int]:
        """All cards that a term looks for the first of: of rows, but not in a set, which has no room for them."""
        among = self.value(term.args[0], state, values)
        codes = dict.fromkeys(_stated(self, term.args[1:], values))  # a card that is named twice needs one place
        return bags.strangers(among, [code for code in codes if code < NO_CARD])

    def apply(self, event: Event, state: State, values: Environment) -> set[int]:
        """Carry out an event's effects, in order, on the state itself; guards are not asked.

        Returns the positions of zones whose cards stayed where they were although they may have been moved: unknown
        cards leave that open.
        """
        stayed: set[int] = set()
        for effect in event.effects:
            self._apply(effect, state, values, stayed)
        return stayed

    def _apply(self, effect: Effect, state: State, values: Environment, stayed: set[int]) -> None:
        match effect:
            case When():
                condition = self.value(effect.condition, state, values)
                if condition is None:
                    self._perhaps(effect.effects, state, values, stayed)
                elif condition:
                    for inner in effect.effects:
                        self._apply(inner, state, values, stayed)
            case Assign():
                value = self.value(effect.value, state, values)
                at = self.position(effect.cell, effect.index, state, values)
                if value is not None:
                    state[at] = int(value)
                else:
                    state[at] = self.span(state, values, effect.value) if effect.value.sort.kind == "int" else None
            case Move():
                source = state[self.position(effect.source, effect.source_index, state, values)]
                if source:
                    self._put(state, self.position(effect.target, effect.target_index, state, values), source.pop())
            case Pour():
                source_at = self.position(effect.source, effect.source_index, state, values)
                self._put_all(state, self.position(effect.target, effect.target_index, state, values), source_at)
            case Part():
                self._part(effect, state, values)
            case Lay():
                self._lay(effect, state, values)
            case Pick():
                source_at = self.position(effect.source, effect.source_index, state, values)
                target_at = self.position(effect.target, effect.target_index, state, values)
                self._take_out(state, source_at, target_at, int(self.value(effect.card, state, values)))
            case TurnOver():
                source = state[self.position(effect.source, effect.source_index, state, values)]
                state[self.position(effect.target, effect.target_index, state, values)] += source[::-1]
                source.clear()

    def _perhaps(self, effects: tuple[Effect, ...], state: State, values: Environment, stayed: set[int]) -> None:
        """Let happen what may happen or not: a cell that would come out otherwise is not known; cards stay."""
        after = copy(state)
        for effect in effects:
            self._apply(effect, after, values, stayed)
        for (name, _), at in self.layout.position.items():
            if after[at] != state[at]:
                if self.layout.variables[name].kind == "cell":
                    state[at] = None
                else:
                    stayed.add(at)

    def _put(self, state: State, at: int, code: int) -> None:
        if isinstance(state[at], list):
            state[at].append(code)
        else:
            state[at] = bags.put(state[at], code)

    def _put_all(self, state: State, target: int, source: int) -> None:
        state[target] = bags.put_all(state[target], self._contents(state, source))
        state[source] = [] if isinstance(state[source], list) else 0

    def _contents(self, state: State, at: int) -> list[int]:
        return list(state[at]) if isinstance(state[at], list) else list(bags.cards(state[at]))

    def _part(self, effect: Part, state: State, values: Environment) -> None:
        source = self.position(effect.source, effect.source_index, state, values)
        target = self.position(effect.target, effect.target_index, state, values)
        rest = self.position(effect.rest, effect.rest_index, state, values)
        left = bags.put_all(0, self._contents(state, source))
        state[source] = [] if isinstance(state[source], list) else 0
        wanted = int(self.value(effect.cards, state, values))
        if bags.unknown(wanted) or bags.unknown(left):  # what is there already is not sought
            wanted = bags.without(wanted, state[target])
        known, blurred = wanted & bags.KNOWN, list(bags.cards(wanted & ~bags.KNOWN))
        for code in bags.cards(known):
            if bags.may_have(left, code):
                left = bags.take(left, code)
                self._put(state, target, code)
        if len(blurred) >= bags.size(left) and not bags.unknown(left):
            blurred = list(bags.cards(left))
        for code in blurred:
            if bags.may_have(left, code):
                left = bags.take(left, code)
                self._put(state, target, code)
        state[rest] = bags.put_all(state[rest], bags.cards(left))

    def _lay(self, effect: Lay, state: State, values: Environment) -> None:
        source = self.position(effect.source, effect.source_index, state, values)
        target = self.position(effect.target, effect.target_index, state, values)
        row = self.row(effect.row, values)
        if isinstance(state[target], list) and not effect.on_top:
            for code in row:
                state[source] = bags.take(state[source], code)
            state[target] = list(row)
            return
        for code in row:
            self._take_out(state, source, target, code)

    def _take_out(self, state: State, source: int, target: int, code: int) -> None:
        if code != NO_CARD and bags.may_have(state[source], code):
            state[source] = bags.take(state[source], code)
            self._put(state, target, code)

    def row(self, term: Term, values: Environment) -> tuple[int, ...]:
        """The cards of a row that a line states."""
        assert isinstance(term.value, tuple)
        name, part = term.value
        stated = values[name]
        if part is None:
            return tuple(stated)
        return tuple(stated[part]) if part < len(stated) else ()


Reader = Callable[[Interpreter, Term, State, Environment], Any]


def _and(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    result: bool | None = True
    for part in term.args:
        value = run.value(part, state, values)
        if value is None:
            result = None
        elif not value:
            return False
    return result


def _or(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    result: bool | None = False
    for part in term.args:
        value = run.value(part, state, values)
        if value is None:
            result = None
        elif value:
            return True
    return result


def _not(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    value = run.value(term.args[0], state, values)
    return None if value is None else not value


def _ite(run: Interpreter, term: Term, state: State, values: Environment) -> Any:
    condition, then, otherwise = term.args
    chosen = run.value(condition, state, values)
    if chosen is not None:
        return run.value(then if chosen else otherwise, state, values)
    one, two = run.value(then, state, values), run.value(otherwise, state, values)
    return one if one == two else None


def _eq(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    left, right = [run.value(part, state, values) for part in term.args]
    if left is None or right is None:
        between = run.span(state, values, *term.args) if term.args[0].sort.kind == "int" else None
        if between is None or (between.low <= 0 <= between.high and between.low != between.high):
            return None
        return between.low == between.high == 0
    if term.args[0].sort.kind == "card":
        return same_card(left, right)
    return bool(left == right)


def _lt(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    left, right = [run.value(part, state, values) for part in term.args]
    if left is not None and right is not None:
        return bool(left < right)
    between = run.span(state, values, *term.args)
    if between is None or between.low < 0 <= between.high:
        return None
    return between.high < 0


def _numbers(combine: Callable[[int, int], Any]) -> Reader:
    def read(run: Interpreter, term: Term, state: State, values: Environment) -> Any:
        left, right = [run.value(part, state, values) for part in term.args]
        return None if left is None or right is None else combine(left, right)

    return read


def _cell(run: Interpreter, term: Term, state: State, values: Environment) -> Any:
    value = state[run.position(str(term.value), term.args, state, values)]
    if term.sort.kind == "int":
        return None if isinstance(value, Span) else value
    return bool(value) if term.sort.kind == "bool" and value is not None else value


def _zone(run: Interpreter, term: Term, state: State, values: Environment) -> Any:
    return state[run.position(str(term.value), term.args, state, values)]


def _size(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    zone = _zone(run, term, state, values)
    return len(zone) if isinstance(zone, list) else bags.size(zone)


def _top(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    zone = _zone(run, term, state, values)
    return int(zone[-1]) if zone else NO_CARD


def _cards(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    zone = _zone(run, term, state, values)
    return bags.put_all(0, zone) if isinstance(zone, list) else int(zone)


def _union(run: Interpreter, term: Term, state: State, values: Environment) -> int | None:
    left, right = [run.value(part, state, values) for part in term.args]
    if left is None or right is None:
        return None
    return bags.put_all(left, (code for code in bags.cards(right) if code >= NO_CARD or not left >> code & 1))


def _member(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    card, among = (run.value(part, state, values) for part in term.args)
    if card == NO_CARD:
        return False
    if card is None or among is None:
        return None
    if is_partial(card):
        return None if bags.size(among) else False
    if among >> card & 1:
        return True
    return None if bags.may_have(among, card) else False


def _common(run: Interpreter, term: Term, state: State, values: Environment) -> int | None:
    left, right = [run.value(part, state, values) for part in term.args]
    if left is None or right is None:
        return None
    blurred = (bags.unknown(left) and right) or (bags.unknown(right) and left)
    return None if blurred else int(left & right)


def _weight(run: Interpreter, term: Term, state: State, values: Environment) -> int | None:
    cards, worth = run.value(term.args[0], state, values), term.value
    assert isinstance(worth, tuple)
    if cards is None:
        return None
    ranks = [rank_of(code) for code in bags.cards(cards)]
    return None if None in ranks else sum(worth[rank] for rank in ranks if rank is not None)


def _count(run: Interpreter, term: Term, state: State, values: Environment) -> int | None:
    cards = run.value(term.args[0], state, values)
    return None if cards is None else bags.size(cards)


def _listed(run: Interpreter, term: Term, state: State, values: Environment) -> bool | None:
    cards, table = run.value(term.args[0], state, values), term.value
    assert isinstance(table, tuple)
    if cards is None:
        return None
    if not bags.unknown(cards):
        return cards in table
    known, size = cards & bags.KNOWN, bags.size(cards)
    return None if any(known & ~one == 0 and one.bit_count() == size for one in table) else False


def _stated(run: Interpreter, parts: tuple[Term, ...], values: Environment) -> list[int]:
    return [code for part in parts for code in run.row(part, values)]


def _repeated(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    seen: set[int] = set()
    for code in _stated(run, term.args, values):
        if code in seen:
            return code
        if code < NO_CARD:
            seen.add(code)
    return NO_CARD


def _stranger(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    return next(iter(run.strangers(term, state, values)), NO_CARD)


def _named(run: Interpreter, term: Term, state: State, values: Environment) -> int:
    codes = _stated(run, term.args, values)
    known = dict.fromkeys(code for code in codes if code < NO_CARD)  # a card that is named twice is in the set once
    return bags.put_all(0, [*known, *(code for code in codes if code >= NO_CARD)])


def _rank(run: Interpreter, term: Term, state: State, values: Environment) -> int | None:
    card = run.value(term.args[0], state, values)
    return None if card is None else rank_of(card)


_READ: dict[str, Reader] = {
    "const": lambda run, term, state, values: bool(term.value) if term.sort.kind == "bool" else term.value,
    "param": lambda run, term, state, values: values[str(term.value)],
    "option": lambda run, term, state, values: run.options[str(term.value)],
    "cell": _cell,
    "size": _size,
    "top": _top,
    "cards": _cards,
    "and": _and,
    "or": _or,
    "not": _not,
    "ite": _ite,
    "eq": _eq,
    "lt": _lt,
    "add": _numbers(lambda left, right: left + right),
    "sub": _numbers(lambda left, right: left - right),
    "rank": _rank,
    "union": _union,
    "member": _member,
    "listed": _listed,
    "common": _common,
    "weight": _weight,
    "count": _count,
    "length": lambda run, term, state, values: len(run.row(term.args[0], values)),
    "repeated": _repeated,
    "stranger": _stranger,
    "named": _named,
}
