"""Batches: many games at once, by segments of logs, in this process or in several; reports keep their order."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import parent_process
from threading import Thread

from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.coverage import Coverage
from fairdeal.checker.reading.lines import blocks
from fairdeal.checker.reading.segments import Place, Segment
from fairdeal.checker.reading.source import SourceError
from fairdeal.checker.verdict import GameReport

AHEAD = 3
"""Segments a process that are read ahead: enough that none waits, and few enough to hold."""


@dataclass(frozen=True, slots=True)
class Job:
    """How games are judged, whatever log they are in; as the arguments of `check_source`."""

    rules: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    max_findings: int = 100
    board: bool = False
    coverage: bool = False


class Judged:
    """What comes of a segment; the rest is known once its reports have been taken."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.reports: Iterator[GameReport] = iter(())
        self.failure: Exception | None = None
        """Why its log was not judged to its end, if it was not."""
        self.coverage: Coverage | None = None
        """What its lines exercised, where that is asked for."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a process hands back of a segment."""

    reports: list[GameReport]
    coverage: Coverage | None
    failure: Exception | None


class Batch:
    """Judges segments in order; ``with`` it, and its processes end when it does.

    One process judges each segment as its reports are taken. With more, segments are judged ahead, and only a segment
    that is too long to be held is judged by the calling process, after those before it.
    """

    def __init__(self, job: Job, processes: int = 1) -> None:
        self.job, self.processes = job, processes
        self._judge = Judge(job)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Batch:
        if self.processes > 1:
            self._pool = ProcessPoolExecutor(self.processes, initializer=_begin, initargs=(self.job,))
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            _unblock(self._pool)
            self._pool.shutdown(wait=True, cancel_futures=True)

    def judge(self, segments: Iterator[Segment]) -> Iterator[Judged]:
        """Yields what comes of each segment, in their order; take its reports before the next one is asked for."""
        waiting: deque[tuple[Segment, Future[Part]]] = deque()
        for segment in segments:
            if self._pool is None or segment.is_long or segment.is_void:
                while waiting:
                    yield _awaited(*waiting.popleft())
                yield self._here(segment)
                continue
            waiting.append((segment, self._submit(self._pool, segment)))
            segment.data = b""
            if len(waiting) >= AHEAD * self.processes:
                yield _awaited(*waiting.popleft())
        while waiting:
            yield _awaited(*waiting.popleft())

    @staticmethod
    def _submit(pool: ProcessPoolExecutor, segment: Segment) -> Future[Part]:
        try:
            with _uninterrupted():
                return pool.submit(
                    judged_part, segment.path, segment.start, segment.data, segment.is_last, segment.error
                )
        except BrokenProcessPool as failure:
            broken: Future[Part] = Future()
            broken.set_exception(failure)
            return broken

    def _here(self, segment: Segment) -> Judged:
        judged = Judged(segment)
        if segment.is_void:
            judged.failure = segment.error
        else:
            judged.reports = self._judge.reports(judged)
        return judged


class Judge:
    """Judges segments in one process; what the games share is kept between them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.coverage = Coverage() if job.coverage else None

    def reports(self, judged: Judged) -> Iterator[GameReport]:
        """Yields the reports of a segment, and notes the rest when they have been taken."""
        segment = judged.segment
        call = Call(
            segment.path, self.job.rules, self.job.options, self.job.max_findings, self.job.board, self.coverage
        )
        check = LogCheck(call, segment.start.line)
        try:
            try:
                for lines in blocks(segment.stream):
                    yield from check.take(lines)
            except SourceError as failure:
                judged.failure = failure
                yield from check.finish(cut=failure.message)
            else:
                if segment.is_last or check.game is not None:  # comments alone, and games in what follows
                    yield from check.finish()
        except Exception as failure:  # the engine's: what is done with a report never comes through here
            judged.failure = failure
        judged.coverage = self.coverage.take() if self.coverage is not None else None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait while processes are started: Python loses one that comes within a fork, and they inherit it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


WAITS_FOR_EVER = sys.version_info < (3, 11, 5)
"""Whether a broken pool may wait for ever on a pipe that it writes to and nobody reads (gh-94777)."""


def _unblock(pool: ProcessPoolExecutor) -> None:
    """Close the pipe that a broken pool waits on, where Python does not do so itself.

    Only once it has had time to end on its own: a thread that closes what another is closing makes both fail.
    """
    queue, thread = getattr(pool, "_call_queue", None), getattr(pool, "_executor_manager_thread", None)
    if not (WAITS_FOR_EVER and getattr(pool, "_broken", False) and queue is not None and thread is not None):
        return
    thread.join(1)
    if thread.is_alive():
        with suppress(AttributeError, OSError):
            queue._reader.close()


def _awaited(segment: Segment, part: Future[Part]) -> Judged:
    judged = Judged(segment)
    try:
        found = part.result()
    except BrokenProcessPool:
        message = "not checked to its end: a process that judged it was ended, perhaps for want of memory"
        judged.failure = SourceError(segment.path, message)
    except Exception as failure:  # what it had to say cannot travel
        judged.failure = failure
    else:
        judged.reports, judged.coverage, judged.failure = iter(found.reports), found.coverage, found.failure
    return judged


# ---------------------------------------------------------------- in a process of a batch

_judges: list[Judge] = []


def _begin(job: Job) -> None:
    """Make a process ready: the one that reads says when it is over, and Ctrl-C reaches that one alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _judges[:] = [Judge(job)]


def _end_with_parent() -> None:
    """End with the process that reads, however that ends: else nobody would end this one."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def judged_part(path: str, start: Place, data: bytes, is_last: bool, error: Exception | None) -> Part:
    """What comes of a segment in a process of its own, which gets the segment's fields: its stream cannot be sent."""
    segment = Segment(path, start, data)
    segment.is_last, segment.error = is_last, error
    judged = Judged(segment)
    reports = list(_judges[0].reports(judged))
    return Part(reports, judged.coverage, judged.failure)
