"""The Python back end: one specialised function for each event and combination of choices.

A step takes the state and what the line reports. It returns True where a guard fails, and then has changed nothing;
else it applies the effects and returns False. No term is left at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from typing import Any

from fairdeal.checker.engines.compiled_code import CompiledCode
from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.engines.python_terms import Expression, Tables
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pour, When
from fairdeal.spec.language.specialise import Specialised, option_binding, place, specialise
from fairdeal.spec.language.terms import NO_CARD, Term

Step = Callable[[State, Any], bool]


_BIT = [1 << code for code in range(NO_CARD)].__getitem__


def mask(codes: Sequence[int]) -> int:
    """The set of the cards as a mask."""
    bits = sum(map(_BIT, codes))  # has as many bits as there are cards, if each is there once
    if bits.bit_count() != len(codes):
        bits = 0
        for code in codes:
            bits |= 1 << code
    return bits


def repeated(*rows: Iterable[int]) -> int:
    """The first card that the rows name twice."""
    seen = 0
    for code in chain(*rows):
        bit = 1 << code
        if seen & bit:
            return code
        seen |= bit
    return NO_CARD


def stranger(among: int, *rows: Iterable[int]) -> int:
    """The first card of the rows that is not in the mask."""
    for code in chain(*rows):
        if not among >> code & 1:
            return code
    return NO_CARD


NAMES: dict[str, Any] = {
    "mask": mask,
    "repeated": repeated,
    "stranger": stranger,
    "chain": chain,
    "RANK": [code // 4 for code in range(NO_CARD)] + [terms.NO_RANK],
}
"""What generated source may call."""

MOST_KEPT = 20_000
"""Compiled functions that are kept of one game; more are forgotten, so that no log can force endless memory."""


class Workshop:
    """What all option assignments of one game share: compiled functions, by the options that their events read."""

    def __init__(self, game: Game) -> None:
        self.game, self.layout, self.tables = game, Layout(game), Tables()
        self.functions: dict[str, Any] = {}
        self.kept = CompiledCode.of(game)
        self.tables.bytes.update(self.kept.tables)
        self.space: dict[str, Any] = {**NAMES, **self.tables.bytes}
        self._reads: dict[str, tuple[str, ...]] = {}

    def reads(self, event: Event) -> tuple[str, ...]:
        """Names of the options that an event's guards and effects read."""
        found = self._reads.get(event.name)
        if found is None:
            open_terms = frozenset().union(*(term.open for term in event_terms(event)))
            found = self._reads[event.name] = tuple(sorted(str(one.value) for one in open_terms if one.op == "option"))
        return found

    def function(self, key: str, name: str, source: Callable[[], str]) -> Any:
        """The function ``name`` of a piece of source, which is made only if it is not kept under ``key``."""
        found = self.functions.get(key)
        if found is None:
            code = self.kept.code.get(key)
            if code is None:
                text = source()
                self.space.update(self.tables.bytes)
                code = compile(text, f"<{self.game.name} {key}>", "exec")
                self.kept.add(key, code, self.tables.bytes)
            exec(code, self.space)
            if len(self.functions) >= MOST_KEPT:
                self.functions.clear()
            found = self.functions[key] = self.space.pop(name)
        return found


@cache
def workshop(game: Game) -> Workshop:
    """The workshop of a game."""
    return Workshop(game)


class PythonSteps:
    """The steps of a game under bound options, compiled when they are first asked for."""

    def __init__(self, game: Game, options: Mapping[str, int]) -> None:
        self.game, self.options = game, dict(options)
        self.workshop = workshop(game)
        self.layout, self.tables = self.workshop.layout, self.workshop.tables
        self.binding = option_binding(game, options)
        self._specialised: dict[tuple[str, tuple[int, ...]], Specialised] = {}
        self._made: dict[tuple[str, str, tuple[int, ...]], Step] = {}

    def step(self, event: Event, choices: tuple[int, ...]) -> Step:
        """The function that judges and applies an event."""
        return self._function("step", event, choices)

    def probe(self, event: Event, choices: tuple[int, ...]) -> Step:
        """The function that judges an event and changes nothing."""
        return self._function("probe", event, choices)

    def specialised(self, event: Event, choices: tuple[int, ...]) -> Specialised:
        """The event's record with these choices and the bound options."""
        key = (event.name, choices)
        found = self._specialised.get(key)
        if found is None:
            found = self._specialised[key] = specialise(event, choices, self.binding)
        return found

    def source(self, kind: str, event: Event, choices: tuple[int, ...]) -> str:
        """The source of a step or probe, for people who want to read it."""
        names, unpack = argument_names(event)
        expression = Expression(self.layout, self.tables, names)
        record = self.specialised(event, choices)
        body = []
        condition = record.condition
        if condition is not terms.TRUE:
            body += [f"    if not {expression.text(condition)}:", "        return True"]
        if kind == "step":
            body += Effects(expression, self.layout).lines(record.effects, 1)
        masks = [f"    {name} = mask({row})" for row, name in expression.masks.items()]
        return "\n".join([f"def {kind}(s, arg):", *unpack, *masks, *body, "    return False", ""])

    def _function(self, kind: str, event: Event, choices: tuple[int, ...]) -> Step:
        made = self._made.get((kind, event.name, choices))
        if made is None:
            values = ",".join(f"{name}={self.options[name]}" for name in self.workshop.reads(event))
            key = f"{kind} {event.name} {choices} {values}"
            made = self.workshop.function(key, kind, lambda: self.source(kind, event, choices))
            self._made[kind, event.name, choices] = made
        return made

    def compile(self, source: str, name: str) -> Any:
        """The function ``name`` that a piece of generated source defines."""
        space = {**NAMES, **self.tables.bytes}
        exec(compile(source, f"<{self.game.name} {name}>", "exec"), space)
        return space[name]


def event_terms(event: Event) -> Iterator[Term]:
    """Every term that an event's guards and effects hold."""
    for guard in event.guards:
        yield guard.condition
    yield from effect_terms(event.effects)


def effect_terms(effects: Iterable[Effect]) -> Iterator[Term]:
    """Every term that effects hold, indices aside."""
    for effect in effects:
        match effect:
            case When():
                yield effect.condition
                yield from effect_terms(effect.effects)
            case Assign():
                yield effect.value
            case Part():
                yield effect.cards


def argument_names(event: Event) -> tuple[dict[str, str], list[str]]:
    """How a step's source calls what the line reports, and the lines that unpack it.

    One report is passed as it is, several as a tuple in the order of `Event.reports`.
    """
    reports = [parameter.name for parameter in event.reports]
    if len(reports) == 1:
        return {reports[0]: "arg"}, []
    names = {name: f"v_{name}" for name in reports}
    return names, [f"    {', '.join(names.values())} = arg"] if reports else []


class Effects:
    """Translates effects to Python statements."""

    def __init__(self, expression: Expression, layout: Layout) -> None:
        self.expression, self.layout = expression, layout

    def lines(self, effects: Iterable[Effect], depth: int) -> list[str]:
        """Statements for effects, indented by ``depth`` steps."""
        result: list[str] = []
        for effect in effects:
            if isinstance(effect, When):
                inner = self.lines(effect.effects, depth + 1)
                result += ["    " * depth + f"if {self.expression.text(effect.condition)}:", *inner]
            else:
                result += ["    " * depth + line for line in self._one(effect)]
        return result

    def _at(self, name: str, index: tuple[Term, ...]) -> str:
        return f"s[{self.layout.position[name, place(index)]}]"

    def _bag(self, name: str) -> bool:
        return self.layout.variables[name].kind == "bag"

    def _one(self, effect: Effect) -> list[str]:
        match effect:
            case Assign():
                return [f"{self._at(effect.cell, effect.index)} = {self.expression.text(effect.value)}"]
            case Move():
                source = self._at(effect.source, effect.source_index)
                target = self._at(effect.target, effect.target_index)
                if self._bag(effect.target):
                    return [f"{target} |= 1 << {source}.pop()"]
                return [f"{target}.append({source}.pop())"]
            case Pour():
                source = self._at(effect.source, effect.source_index)
                target = self._at(effect.target, effect.target_index)
                if self._bag(effect.source):
                    return [f"b = {source}; {source} = 0; {target} |= b"]
                return [f"if {source}: {target} |= mask({source}); {source}.clear()"]
            case Part():
                return self._part(effect)
            case Lay():
                return self._lay(effect)
        raise NotImplementedError(f"no Python for {effect}")

    def _part(self, effect: Part) -> list[str]:
        source = self._at(effect.source, effect.source_index)
        target = self._at(effect.target, effect.target_index)
        rest = self._at(effect.rest, effect.rest_index)
        cards = self.expression.text(effect.cards)
        contents, empty = (source, "0") if self._bag(effect.source) else (f"mask({source})", "[]")
        first = [f"b = {contents}; m = {cards}; {source} = {empty}"]
        return [*first, f"{target} |= b & m", f"{rest} |= b & ~m"]

    def _lay(self, effect: Lay) -> list[str]:
        source = self._at(effect.source, effect.source_index)
        target = self._at(effect.target, effect.target_index)
        row, bits = self.expression.row(effect.row), self.expression.row_mask(effect.row)
        if self._bag(effect.target):
            return [f"b = {bits} & {source}; {source} &= ~b; {target} |= b"]
        return [f"{source} &= ~{bits}; {target} = list({row})"]


def combinations(event: Event) -> list[tuple[int, ...]]:
    """Every combination of an event's choices, in order."""
    return list(product(*(parameter.sort.values for parameter in event.choices)))
