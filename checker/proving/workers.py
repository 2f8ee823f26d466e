"""A process for each obligation: a solver's mood does not carry over, and what runs out of time or memory is ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

GRACE = 15.0
"""Seconds beyond its budget after which a process is ended: building a formula takes time of its own."""

MEMORY = 3 << 30
"""Bytes that one process may take."""


@dataclass(frozen=True)
class Task:
    """Something to do in a process of its own: a key to know it by, what to call, and for how many seconds at most."""

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


def run(waiting: deque[Task], jobs: int = 1) -> Iterator[Done]:
    """The results of tasks as they come, with one job in order. Between two the caller may change what waits."""
    context = get_context("fork")
    running: dict[Connection, tuple[Task, Any, float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.popleft()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(task.work, there), daemon=True)
                process.start()
                there.close()
                running[here] = (task, process, time.monotonic())
            ends = [begun + task.seconds + GRACE for task, _, begun in running.values()]
            ready = wait(list(running), timeout=max(0.0, min(ends) - time.monotonic()))
            for here, (task, process, begun) in list(running.items()):
                late = time.monotonic() > begun + task.seconds + GRACE
                if here in ready or late:
                    del running[here]
                    yield _finished(task, process, here, time.monotonic() - begun, late=here not in ready)
    finally:
        for _, process, _ in running.values():
            process.terminate()
            process.join()


def _finished(task: Task, process: Any, here: Connection, seconds: float, *, late: bool) -> Done:
    result, failure = None, f"the work was ended, for it took more than {task.seconds + GRACE:.0f} s"
    if not late:
        try:
            result, failure = here.recv()
        except EOFError:
            failure = "the process ended, for want of memory perhaps"
    if late:
        process.terminate()
    process.join()
    here.close()
    return Done(task.key, result, seconds, failure)


def _child(work: Callable[[], Any], answer: Connection) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        answer.send((work(), ""))
    except MemoryError:
        answer.send((None, "the work ran out of memory"))
    except Exception as failure:  # told where the result is shown, for this process has no terminal of its own
        answer.send((None, f"{type(failure).__name__}: {failure}"))
