"""Asking Z3: whether goals follow, with a limit on time, and what a model says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from fairdeal.checker.engines.symbolic.numbers import Number, conj, neg


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a proof: "proved", "refuted" (with what breaks) or "unknown" (with why)."""

    answer: str
    broken: tuple[str, ...] = ()


def solver(assumed: Iterable[z3.BoolRef], seconds: float) -> z3.Solver:
    """A solver for bit-vectors that gives up after some seconds."""
    made = z3.SolverFor("QF_BV")
    made.set("timeout", int(seconds * 1000))
    made.add(*assumed)
    return made


def prove(assumed: Iterable[z3.BoolRef], goals: Mapping[str, z3.BoolRef], seconds: float = 60) -> Outcome:
    """Whether all goals follow from what is assumed; where not, which do not in the model that was found."""
    asked = solver(assumed, seconds)
    asked.add(neg(conj(goals.values())))
    answer = asked.check()
    if answer == z3.unknown:
        return Outcome("unknown", (asked.reason_unknown(),))
    if answer == z3.unsat:
        return Outcome("proved")
    model = asked.model()
    return Outcome("refuted", tuple(name for name, goal in goals.items() if z3.is_false(model.eval(goal, True))))


def decoded(model: z3.ModelRef, value: Any) -> Any:
    """What a value is in a model: an int, a bool, a mask, or a tuple of them."""
    if isinstance(value, tuple):
        return tuple(decoded(model, one) for one in value)
    if isinstance(value, int):
        return value
    if isinstance(value, Number):
        bits = model.eval(value.bits, model_completion=True)
        return bits.as_signed_long() if value.low < 0 else bits.as_long()
    known = model.eval(value, model_completion=True)
    return z3.is_true(known) if z3.is_bool(known) else known.as_long()
