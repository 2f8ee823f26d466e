"""The enumerator: every event that is lawful next, by one function that asks shared guards once.

It is generated from the guards. What does not depend on a choice is asked before the loop over that choice, and the
loops are unrolled; reports are taken at their value. Events that state rows of cards are listed by their other guards
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.python_source import PythonSteps
from fairdeal.checker.engines.python_terms import Expression, known_filled
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, reported
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.terms import NO_CARD, Term

Where = Callable[..., Expr[bool]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event with its choices made."""

    event: Event
    choices: tuple[int, ...]

    @property
    def has_rows(self) -> bool:
        """Whether it states rows of cards, which enumeration leaves open."""
        return self.event.has_rows


class Enumerator:
    """Lists lawful candidates of a game; ``restrictions`` adds a condition on an event's choices, or several."""

    def __init__(self, steps: PythonSteps, events: Iterable[tuple[Event, Where | None]]) -> None:
        self.steps = steps
        self.candidates: list[Candidate] = []
        self.origin: list[int] = []
        """For each candidate, the number of the entry of ``events`` that it comes from."""
        shared = steps.derived
        once = {
            term: f"(v{number} if v{number} is not None else (v{number} := {name}(s)))"
            for number, (term, name) in enumerate(shared.items())
        }
        self._expression = Expression(steps.layout, steps.tables, {}, once)
        lines = ["def enabled(s):", "    out = []", "    add = out.append"]
        lines += [f"    v{number} = None" for number in range(len(once))]
        for number, (event, where) in enumerate(events):
            self._number = number
            lines += self._event(event, where)
        self.source = "\n".join([*lines, "    return out", ""])
        self.enabled: Callable[[State], list[int]] = steps.compile(self.source, "enabled")
        self._fill: dict[int, Callable[[State], Any]] = {}
        self._chance: dict[int, Callable[[State], int]] = {}

    def argument(self, index: int, state: State) -> Any:
        """What a candidate's line reports here, as its step takes it."""
        fill = self._fill.get(index)
        if fill is None:
            fill = self._fill[index] = self._filler(self.candidates[index])
        return fill(state)

    def chance(self, index: int, state: State) -> int:
        """The set of cards that a candidate's line can report, where chance picks one of them; else no card."""
        draw = self._chance.get(index)
        if draw is None:
            candidate = self.candidates[index]
            among = [guard.among for guard in self.steps.specialised(candidate.event, candidate.choices).guards]
            expression = Expression(self.steps.layout, self.steps.tables, {})
            text = next((expression.text(one) for one in among if one is not None), "0")
            draw = self._chance[index] = self.steps.compile(f"def chance(s):\n    return {text}\n", "chance")
        return draw(state)

    def _filler(self, candidate: Candidate) -> Callable[[State], Any]:
        event = candidate.event
        binding = dict(self.steps.binding)
        for parameter, choice in zip(event.choices, candidate.choices, strict=True):
            binding[parameter.term] = terms.const(choice, parameter.sort)
        value = reported(event, binding)
        expression = Expression(self.steps.layout, self.steps.tables, {})
        reports = [one.term for one in event.reports if one.role == "report"]
        texts = [expression.text(value[one]) if one in value else str(NO_CARD) for one in reports]
        body = "None" if not texts else texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        compiled: Callable[[State], Any] = self.steps.compile(f"def fill(s):\n    return {body}\n", "fill")
        return compiled

    def _event(self, event: Event, where: Where | None) -> list[str]:
        binding: dict[Term, Term] = dict(self.steps.binding)
        binding.update(reported(event, binding))
        conditions = [terms.substitute(_taken_at_chance(guard), binding) for guard in event.guards]
        if where is not None:
            extra = where(**{choice.name: Expr(choice.term) for choice in event.choices})
            conditions.append(terms.substitute(extra.term, binding))
        open_conditions = [one for one in conditions if not _states_rows(one)]
        return self._level(event, list(event.choices), (), open_conditions, 1, frozenset())

    def _level(
        self,
        event: Event,
        rest: list[Any],
        chosen: tuple[int, ...],
        conditions: list[Term],
        depth: int,
        filled: frozenset[Term],
    ) -> list[str]:
        pending = {choice.term for choice in rest}
        ready = [one for one in conditions if not pending & set(terms.subterms(one))]
        waiting = [one for one in conditions if one not in ready]
        now = terms.conjoin(ready)
        if now is terms.FALSE:
            return []
        lines, indent = [], "    " * depth
        if now is not terms.TRUE:
            lines.append(f"{indent}if {self._expression.text(now, filled)}:")
            depth += 1
            for part in now.args if now.op == "and" else (now,):
                filled = filled | known_filled(part)
        if not rest:
            lines.append("    " * depth + f"add({len(self.candidates)})")
            self.candidates.append(Candidate(event, chosen))
            self.origin.append(self._number)
            return lines
        inner: list[str] = []
        for value in rest[0].sort.values:
            binding = {rest[0].term: terms.const(value, rest[0].sort)}
            bound = [terms.substitute(one, binding) for one in waiting]
            inner += self._level(event, rest[1:], (*chosen, value), bound, depth, filled)
        return [*lines, *inner] if inner else []


def _taken_at_chance(guard: Guard) -> Term:
    """A guard's condition, where chance picks a card: whether there is any to pick."""
    if guard.among is None:
        return guard.condition
    some = terms.negate(terms.equal(terms.node("count", (guard.among,), sort=INT), terms.const(0)))
    picked = [one for one in terms.subterms(guard.condition) if one.op == "member" and one.args[1] is guard.among]
    return terms.replace(guard.condition, dict.fromkeys(picked, some))


def _states_rows(term: Term) -> bool:
    return any(one.op in ("row", "length", "repeated", "stranger", "named") for one in terms.subterms(term))
