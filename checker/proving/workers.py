"""A process for each obligation: a solver's mood does not carry over, and what runs out of time or memory is ended."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from fairdeal.checker.engines.symbolic.solving import watch

GRACE = 15.0
"""Seconds beyond its budget after which a process is ended: building a formula takes time of its own."""

MEMORY = 3 << 30
"""Bytes that one process may take unless it is said otherwise."""

STALLED = 6
"""How many times its budget a process may take by the clock: one that waits for something without end is ended too."""


@dataclass(frozen=True)
class Task:
    """Something to do in a process of its own: a key to know it by, what to call, and for how long at most.

    ``seconds`` are those of the processor that the process spends, so that what becomes of it does not hang on what
    else the machine does.
    """

    key: Any
    work: Callable[[], Any]
    seconds: float


@dataclass(frozen=True)
class Done:
    """What became of a task: its result, or in a few words why there is none."""

    key: Any
    result: Any
    seconds: float
    failure: str = ""


def run(waiting: deque[Task], jobs: int = 1, memory: int = MEMORY) -> Iterator[Done]:
    """The results of tasks as they come, with one job in order. Between two the caller may change what waits.

    Each process may take so many bytes of memory.
    """
    context = get_context("fork")
    running: dict[Connection, tuple[Task, Any, float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.popleft()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(task, there, memory), daemon=True)
                process.start()
                there.close()
                running[here] = (task, process, time.monotonic())
            ends = [begun + STALLED * (task.seconds + GRACE) for task, _, begun in running.values()]
            ready = wait(list(running), timeout=max(0.0, min(ends) - time.monotonic()))
            for here, (task, process, begun) in list(running.items()):
                late = time.monotonic() > begun + STALLED * (task.seconds + GRACE)
                if here in ready or late:
                    del running[here]
                    yield _finished(task, process, here, time.monotonic() - begun, late=here not in ready)
    finally:
        for _, process, _ in running.values():
            process.terminate()
            process.join()


def _finished(task: Task, process: Any, here: Connection, seconds: float, *, late: bool) -> Done:
    result, failure = None, ""
    if late:
        process.terminate()
        failure = f"the work was ended, for it took more than {STALLED * (task.seconds + GRACE):.0f} s by the clock"
    else:
        with suppress(EOFError):
            result, failure = here.recv()
    process.join()
    if process.exitcode == -signal.SIGXCPU:
        failure = f"the work was ended, for it took more than {task.seconds + GRACE:.0f} s of the processor"
    elif process.exitcode and not late:
        failure = "the process ended, for want of memory perhaps"
    here.close()
    return Done(task.key, result, seconds, failure)


def _child(task: Task, answer: Connection, memory: int) -> None:
    import resource

    watch()  # before memory is short
    spent = ceil(task.seconds + GRACE)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (spent, spent + 5))
    try:
        answer.send((task.work(), ""))
    except MemoryError:
        answer.send((None, "the work ran out of memory"))
    except Exception as failure:  # told where the result is shown, for this process has no terminal of its own
        answer.send((None, f"{type(failure).__name__}: {failure}"))
