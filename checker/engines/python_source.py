"""The Python back end: one specialised function for each event and combination of choices.

A step takes the state and what the line reports. It returns `FAILED` where a guard fails, and then has changed nothing;
else it applies the effects and returns 0, or `REMARKED` where the rules have a word to say. When it runs, no term is
left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, product
from types import CodeType
from typing import Any

from fairdeal.checker.engines.compiled_code import CompiledCode
from fairdeal.checker.engines.layout import Layout, State
from fairdeal.checker.engines.python_terms import Expression, Tables
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Event, Game
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.specialise import Specialised, bind, option_binding, place, specialise
from fairdeal.spec.language.terms import NO_CARD, Term

Step = Callable[[State, Any], int]

FAILED, REMARKED = 1, 2


_BIT = [1 << code for code in range(NO_CARD)]


def mask(codes: Iterable[int]) -> int:
    """The set of the cards as a mask."""
    bits = 0
    for code in codes:
        bits |= _BIT[code]
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


def weight(cards: int, worth: Iterable[tuple[int, int]]) -> int:
    """What the cards of a mask are worth; ``worth`` pairs a value with the mask of the cards that have it."""
    return sum([value * (cards & having).bit_count() for value, having in worth])


NAMES: dict[str, Any] = {
    "weight": weight,
    "mask": mask,
    "repeated": repeated,
    "stranger": stranger,
    "chain": chain,
    "RANK": [code // 4 for code in range(NO_CARD)] + [terms.NO_RANK],
}
"""What generated source may call."""

DERIVED = "D_"
"""How the functions of derived conditions begin their names in generated source."""

DERIVED_SIZE = 24
"""Terms that a derived condition must have to be a function of its own."""

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
        self._derived: dict[str, Term] = {}
        self._digests: dict[Term, str] = {}

    def reads(self, event: Event) -> tuple[str, ...]:
        """Names of the options that an event's guards and effects read."""
        found = self._reads.get(event.name)
        if found is None:
            open_terms = frozenset().union(*(term.open for term in event_terms(event)))
            found = self._reads[event.name] = tuple(sorted(str(one.value) for one in open_terms if one.op == "option"))
        return found

    def function(self, key: str, name: str, source: Callable[[], str], *, keep: bool = False) -> Any:
        """The function ``name`` of a piece of source, which is made only if it is not kept under ``key``.

        ``keep`` it for later processes too.
        """
        found = self.functions.get(key)
        if found is None or (keep and self.kept.lacks(key)):
            code = self.kept.code.get(key)
            if code is None or not self._answers(code):
                text = source()
                self.space.update(self.tables.bytes)
                code = compile(text, f"<{self.game.name} {key}>", "exec")
                if keep:
                    self.kept.add(key, code, self.tables.bytes)
            for needed in derived_names(code):
                self.define(needed, keep=keep)
            exec(code, self.space)
            if len(self.functions) >= MOST_KEPT:
                self.functions.clear()
            found = self.functions[key] = self.space.pop(name)
        return found

    def _answers(self, code: CodeType) -> bool:
        """Whether every condition that a piece of kept code calls can be had, so that the code can be used."""
        for name in derived_names(code):
            if name not in self.space and name not in self._derived:
                kept = self.kept.code.get(name)
                if kept is None or not self._answers(kept):
                    return False
        return True

    def derive(self, term: Term) -> str:
        """The name of the function that asks a condition of the state; its source is made if it is new."""
        name = f"{DERIVED}{terms.digest(term, self._digests)[:8]}"
        self._derived.setdefault(name, term)
        return name

    def define(self, name: str, *, keep: bool = False) -> None:
        """Make a condition's function known to generated source."""
        if name not in self.space or (keep and self.kept.lacks(name)):
            self.space[name] = None
            self.space[name] = self.function(name, name, lambda: self._condition(name), keep=keep)

    def _condition(self, name: str) -> str:
        others = {one: f"{other}(s)" for other, one in self._derived.items() if other != name}
        return Expression(self.layout, self.tables, {}, others).condition(name, self._derived[name])


def derived_names(module: CodeType) -> set[str]:
    """Names of conditions that the functions of a piece of compiled source call."""
    functions = [one for one in module.co_consts if isinstance(one, CodeType)]
    return {name for one in functions for name in one.co_names if name.startswith(DERIVED)}


@cache
def workshop(game: Game) -> Workshop:
    """The workshop of a game."""
    return Workshop(game)


class PythonSteps:
    """The steps of a game under bound options, compiled when they are first asked for.

    ``keep`` what is compiled for later processes.
    """

    def __init__(self, game: Game, options: Mapping[str, int], *, keep: bool = False) -> None:
        self.game, self.options, self.keep = game, dict(options), keep
        self.workshop = workshop(game)
        self.layout, self.tables = self.workshop.layout, self.workshop.tables
        self.binding = option_binding(game, options)
        self._bound: dict[Event, Event] = {}
        self._substituted: dict[Term, Term] = {}
        self._specialised: dict[tuple[str, tuple[int, ...]], Specialised] = {}
        self._made: dict[tuple[str, str, tuple[int, ...]], Step] = {}

    @cached_property
    def derived(self) -> dict[Term, str]:
        """The game's bigger derived conditions under these options, each with the name of its function."""
        bound = (terms.substitute(term, self.binding) for term in self.game.derived.values())
        return {term: self.workshop.derive(term) for term in bound if len(set(terms.subterms(term))) >= DERIVED_SIZE}

    @property
    def asked(self) -> dict[Term, str]:
        """Source that asks each of them."""
        return {term: f"{name}(s)" for term, name in self.derived.items()}

    def step(self, event: Event, choices: tuple[int, ...]) -> Step:
        """The function that judges and applies an event."""
        return self._function("step", event, choices)

    def probe(self, event: Event, choices: tuple[int, ...]) -> Step:
        """The function that judges an event and changes nothing."""
        return self._function("probe", event, choices)

    def wrongly_refused(self, event: Event, choices: tuple[int, ...], reason: str) -> Step:
        """The function that says whether nothing of what ``reason`` stands for speaks against an event."""
        return self._function(f"refuse_{reason}", event, choices)

    def specialised(self, event: Event, choices: tuple[int, ...]) -> Specialised:
        """The event's record with these choices and the bound options."""
        key = (event.name, choices)
        found = self._specialised.get(key)
        if found is None:
            bound = self._bound.get(event)
            if bound is None:  # options once for all choices
                bound = self._bound[event] = bind(event, self.binding, self._substituted)
            found = self._specialised[key] = replace(specialise(bound, choices, {}), event=event)
        return found

    def source(self, kind: str, event: Event, choices: tuple[int, ...]) -> str:
        """The source of a step or probe, for people who want to read it."""
        names, unpack = argument_names(event)
        expression = Expression(self.layout, self.tables, names, self.asked)
        record = self.specialised(event, choices)
        if kind.startswith("refuse_"):
            reason = kind.removeprefix("refuse_")
            stated = [guard for guard in record.guards if self.game.reasons.get(guard.clause) == reason]
            text = expression.text(terms.conjoin(guard.condition for guard in stated))
            return "\n".join([f"def {kind}(s, arg):", *unpack, *expression.before(), f"    return bool({text})", ""])
        body, result = [], "0"
        condition = record.condition
        if condition is not terms.TRUE:
            body += [f"    if not {expression.text(condition)}:", f"        return {FAILED}"]
        if kind == "step":
            remarks = terms.disjoin(remark.condition for remark in record.remarks)
            if remarks is not terms.FALSE:
                body.append(f"    remarked = {expression.text(remarks)}")
                result = f"{REMARKED} if remarked else 0"
            body += Effects(expression, self.layout).lines(record.effects, 1)
        return "\n".join([f"def {kind}(s, arg):", *unpack, *expression.before(), *body, f"    return {result}", ""])

    def _function(self, kind: str, event: Event, choices: tuple[int, ...]) -> Step:
        made = self._made.get((kind, event.name, choices))
        if made is None:
            values = ",".join(f"{name}={self.options[name]}" for name in self.workshop.reads(event))
            key = f"{kind} {event.name} {choices} {values}"
            made = self.workshop.function(key, kind, lambda: self.source(kind, event, choices), keep=self.keep)
            self._made[kind, event.name, choices] = made
        return made

    def compile(self, source: str, name: str) -> Any:
        """The function ``name`` that a piece of generated source defines."""
        code = compile(source, f"<{self.game.name} {name}>", "exec")
        for needed in derived_names(code):
            self.workshop.define(needed)
        space = {**self.workshop.space, **self.tables.bytes}
        exec(code, space)
        return space[name]


def event_terms(event: Event) -> Iterator[Term]:
    """Every term that an event's guards and effects hold."""
    for guard in (*event.guards, *event.remarks):
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
            case Pick():
                yield effect.card


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
                return [f"{self._at(effect.cell, effect.index)} = {self.expression.value(effect.value)}"]
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
            case Pick():
                return self._pick(effect)
            case TurnOver():
                source = self._at(effect.source, effect.source_index)
                return [f"{self._at(effect.target, effect.target_index)} += {source}[::-1]; {source}.clear()"]
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
            return [f"b = {bits} & {source}; {source} ^= b; {target} |= b"]
        if effect.on_top:
            laid = f"{row} if b == {bits} else [c for c in {row} if b >> c & 1]"
            return [f"b = {bits} & {source}; {source} ^= b; {target} += {laid}"]
        return [f"{source} &= ~{bits}; {target} = list({row})"]

    def _pick(self, effect: Pick) -> list[str]:
        source = self._at(effect.source, effect.source_index)
        target = self._at(effect.target, effect.target_index)
        card = self.expression.text(effect.card)
        if self._bag(effect.target):
            return [f"b = 1 << {card} & {source}; {source} ^= b; {target} |= b"]
        return [f"if {source} >> {card} & 1: {source} ^= 1 << {card}; {target}.append({card})"]


def combinations(event: Event) -> list[tuple[int, ...]]:
    """Every combination of an event's choices, in order."""
    return list(product(*(parameter.sort.values for parameter in event.choices)))
