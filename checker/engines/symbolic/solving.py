"""Asking Z3: whether goals follow, with a limit on time, and what a model says."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import z3

from fairdeal.checker.engines.symbolic.numbers import Number, conj, neg

MOMENT = 0.02
"""Seconds between two looks at a processor's time, once it may be spent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a proof: "proved", "refuted" (with what breaks) or "unknown" (with why)."""

    answer: str
    broken: tuple[str, ...] = ()


@dataclass(slots=True)
class Deadline:
    """When this process has spent what a solver may take, by its own clock, and whether that came to pass."""

    end: float
    passed: bool = False


class Watch:
    """A thread that interrupts Z3 when this process has spent its time.

    One serves all solvers of a process, and is made before memory is short: a thread that cannot begin is waited for.
    It holds no solver and no term: a reference that ends here would be counted while another thread is within Z3, which
    knows of one thread alone. To interrupt a context is what Z3 allows from anywhere.
    """

    def __init__(self) -> None:
        self.process = os.getpid()
        self._deadline: Deadline | None = None
        self._woken, self._lock = threading.Event(), threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def until(self, deadline: Deadline | None) -> None:
        """Interrupt Z3 from that time on, or not any more: once this has returned, nothing else is interrupted."""
        with self._lock:
            self._deadline = deadline
        self._woken.set()

    def _run(self) -> None:
        while True:
            due = self._deadline
            self._woken.wait(None if due is None else max(due.end - time.process_time(), MOMENT))
            self._woken.clear()
            with self._lock:
                if due is not None and due is self._deadline and time.process_time() >= due.end:
                    due.passed = True
                    with suppress(z3.Z3Exception):  # an error of the other thread, which is told there
                        z3.main_ctx().interrupt()  # again and again: one that comes before the search begins is lost


_watches: list[Watch] = []


def watch() -> Watch:
    """The watch of this process, made if there is none yet; a process that parts from another has its own."""
    if not _watches or _watches[0].process != os.getpid():
        _watches[:] = [Watch()]
    return _watches[0]


class Limited(z3.Solver):  # type: ignore[misc]  # z3 is not typed
    """A solver for bit-vectors that gives up after some seconds of the processor, as this process spends them.

    Z3's own limit is by the clock, and what it answers then hangs on what else the machine does.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(z3.SolverFor("QF_BV").solver, z3.main_ctx())
        self.seconds = seconds
        self.expired = False

    def check(self, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
        """Whether what is asserted can be: sat, unsat, or unknown where it was not found out in time."""
        deadline = Deadline(time.process_time() + self.seconds)
        watching = watch()
        watching.until(deadline)
        try:
            return super().check(*assumptions)
        finally:
            watching.until(None)
            self.expired = deadline.passed

    def reason_unknown(self) -> str:
        """Why the answer is unknown: "timeout" where time ran out."""
        return "timeout" if self.expired else str(super().reason_unknown())


def solver(assumed: Iterable[z3.BoolRef], seconds: float) -> Limited:
    """A solver that something is asserted to, and that gives up after some seconds of the processor."""
    made = Limited(seconds)
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
