"""Queries to the solvers: asked within a budget, written as SMT-LIB where wanted, and put to a second solver."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import z3

from fairdeal.checker.engines.symbolic.numbers import conj, neg
from fairdeal.checker.engines.symbolic.solving import solver
from fairdeal.checker.proving.workers import MEMORY

TOGETHER = 10.0
"""Seconds for all goals of a query at once; what takes longer is asked goal by goal, which is often no work at all."""

PATIENCE = 5
"""How many times the budget of one query an obligation may take, which has one for each combination of choices."""

SECOND = 30.0
"""Seconds by the clock for cvc5's answer to one query; what it leaves open is not counted as agreed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long one query may take, and whether it is written down or asked of cvc5 too."""

    seconds: float = 60
    """Of the processor."""
    smt2: str | None = None
    """The folder that each query is written to."""
    cross_check: bool = False
    memory: int = MEMORY
    """Bytes that a process may take."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a query: "proved", "refuted" (with what breaks), or "unknown" (with why)."""

    answer: str
    broken: tuple[str, ...] = ()
    queries: int = 1
    agreed: int = 0
    """How many of the queries cvc5 answered as Z3 did."""
    disagreed: bool = False
    """Whether the two solvers gave different answers."""
    event: str = ""
    """The event after which it breaks, where the obligation is about one."""

    def broken_at(self, place: str) -> Answer:
        """The same answer; what breaks, if something does, is told with the event or pair of events where it does."""
        if self.answer != "refuted":
            return self
        return replace(self, broken=tuple(f"{place}: {one}" for one in self.broken))


@dataclass(slots=True)
class Asker:
    """Asks the queries of one obligation, and none once it has taken as long as it may."""

    name: str
    budget: Budget
    about: str = ""
    """What the solver is said to have run out of time on, in words; where that is empty, a query's title."""
    queries: int = 0
    agreed: int = 0
    clock: float = field(default_factory=time.process_time)

    def of(self, ask: Callable[[Asker], Answer]) -> Answer:
        """The answer of an obligation, its clock started now, with how many queries there were."""
        self.clock = time.process_time()
        return replace(ask(self), queries=self.queries, agreed=self.agreed)

    def prove(self, assumed: Iterable[z3.BoolRef], goals: Mapping[str, z3.BoolRef], part: str = "") -> Answer:
        """Whether all goals follow from what is assumed: asked together, or one by one where that takes too long."""
        open_goals = {name: goal for name, goal in goals.items() if not z3.is_true(goal)}
        if not open_goals:
            return Answer("proved", queries=0)
        known, title = list(assumed), f"{self.name} {part}".strip()
        if len(open_goals) > 1:
            answer = self._ask(known, open_goals, title, min(TOGETHER, self.budget.seconds))
            if answer.answer != "unknown" or answer.disagreed:
                return answer
        for name, goal in open_goals.items():
            each = title if len(open_goals) == 1 else f"{title}: {name}"
            answer = self._ask(known, {name: goal}, each, self.budget.seconds)
            if answer.answer != "proved":
                return answer
        return Answer("proved")

    def _ask(self, assumed: list[z3.BoolRef], goals: Mapping[str, z3.BoolRef], title: str, seconds: float) -> Answer:
        left = self.clock + PATIENCE * self.budget.seconds - time.process_time()
        if left <= 0:
            return Answer("unknown", (self._stopped("timeout", title),))
        self.queries += 1
        asked = solver(assumed, min(seconds, left))
        asked.add(neg(conj(goals.values())))
        if self.budget.smt2:
            self._write(asked, title)
        answer = asked.check()
        if answer == z3.unknown:
            return Answer("unknown", (self._stopped(asked.reason_unknown(), title),))
        second = self._second(asked) if self.budget.cross_check else None
        if second is not None:
            if second != str(answer):
                said = f"the solvers disagree: Z3 says {answer}, cvc5 {second}, of {self.about or title}"
                return Answer("unknown", (said,), disagreed=True)
            self.agreed += 1
        if answer == z3.unsat:
            return Answer("proved")
        model = asked.model()
        broken = tuple(name for name, goal in goals.items() if z3.is_false(model.eval(goal, True)))
        return Answer("refuted", broken)

    def _stopped(self, reason: str, title: str) -> str:
        return f"{gave_up(reason)} on {self.about or title}"

    def satisfiable(self, assumed: Iterable[z3.BoolRef]) -> bool:
        """Whether what is assumed can be at all, as far as is known: what is not found out in time may be."""
        return bool(solver(assumed, self.budget.seconds).check() != z3.unsat)

    def _write(self, asked: z3.Solver, title: str) -> None:
        assert self.budget.smt2 is not None
        name = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")
        path = Path(self.budget.smt2) / f"{name}-{self.queries}.smt2"
        text = f"; {title}: unsat means that the goals follow\n{_smt2(asked)}"
        path.write_text(text, encoding="utf-8")

    def _second(self, asked: z3.Solver) -> str | None:
        """The answer of cvc5; ``None`` where it finds none in time."""
        import cvc5

        second = cvc5.Solver()
        second.setOption("tlimit-per", str(int(min(SECOND, self.budget.seconds) * 1000)))
        second.setOption("bitblast", "eager")  # all at once: on these queries some ten times as fast
        parser = cvc5.InputParser(second)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _smt2(asked), "query")
        symbols = parser.getSymbolManager()
        result = ""
        while not (command := parser.nextCommand()).isNull():
            result = str(command.invoke(second, symbols)).strip() or result
        return result if result in ("sat", "unsat") else None


def gave_up(reason: str) -> str:
    """In words that Z3 has no answer, for the reason that it gives."""
    if reason in ("timeout", "canceled"):
        return "the solver ran out of time"
    if "memory" in reason or reason == "memout":
        return "the solver ran out of memory"
    return f"the solver gave up ({reason})"


def _smt2(asked: z3.Solver) -> str:
    """The query as SMT-LIB 2, in the logic of bit-vectors without quantifiers."""
    return f"(set-logic QF_BV)\n{re.sub(r'^; benchmark.*', '', asked.to_smt2(), flags=re.M)}"


@dataclass(frozen=True)
class Obligation:
    """Something to be shown, by itself: what it is called, how it is asked, and in words what it says."""

    name: str
    ask: Callable[[Asker], Answer]
    about: str
