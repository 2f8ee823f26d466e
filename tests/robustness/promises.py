"""What the command line promises of any input, and a call in this process that is held to it.

No traceback, no fault of fairdeal's own, no other exit code than the documented ones, no more than two seconds of the
processor, no characters that do something to a terminal, and a report that is what its format says.
"""

from __future__ import annotations

import io
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import fields
from functools import cache
from types import FrameType
from typing import Any
from xml.etree import ElementTree as ET

from fairdeal.checker.cli import cli
from fairdeal.checker.commands.check import Wanted
from fairdeal.checker.commands.check import check as checking
from fairdeal.checker.reporting.reporter import REPORTERS

from .running import hidden

LONGEST = 2.0
"""Seconds of the processor that an input may take."""
HANGING = 10.0
"""Seconds of the processor after which a call is ended: it would perhaps never end by itself."""
CODES = (0, 1, 2)
FORMATS = tuple(REPORTERS)


class BrokenPromiseError(AssertionError):
    """An input made the command line do what it promises never to do."""


def check(path: str, form: str, *words: str, feed: bytes | None = None) -> int:
    """Check a log in this process and hold the call to its promises; gives the exit code."""
    code, report = call("check", path, "--format", form, *words, feed=feed)
    well_formed(report, form)
    return code


def check_bare(path: str, form: str, *words: str, feed: bytes | None = None) -> int:
    """The same without reading a command line, which takes as long as reading a short log.

    Nothing stands between the check and its caller, so that whatever it raises is a broken promise.
    """

    def run() -> int:
        wanted = Wanted(**_parsed(form, words) | {"paths": (path,)})
        wanted.refuse()
        running = wanted.check(None, wanted.max_findings)
        running.run()
        return running.closing()

    code, said, told = _watched(run, feed)
    _kept(code, said + told, told)
    well_formed(said, form)
    return code


@cache
def _parsed(form: str, words: tuple[str, ...]) -> dict[str, Any]:
    """The parameters of a call, as the command line reads them."""
    context = checking.make_context("check", ["-", "--format", form, *words], **cli.context_settings)
    return {one.name: context.params[one.name] for one in fields(Wanted)}


def call(*words: str, feed: bytes | None = None) -> tuple[int, str]:
    """A call in this process, with so much on its standard input, held to its promises; its exit code and output."""

    def run() -> int:
        try:
            cli.main([*words], prog_name="fairdeal")
        except SystemExit as end:
            if isinstance(end.code, int):
                return end.code
        raise BrokenPromiseError("no exit code")

    code, said, told = _watched(run, feed)
    _kept(code, told if words[0] == "shrink" else said + told, told)  # what `shrink` writes is the log's own lines
    return code, said


def _watched(run: Callable[[], int], feed: bytes | None) -> tuple[int, str, str]:
    """What a call gives, writes and tells, if it ends in time."""
    given = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(feed or b""))
    began = time.process_time()
    with io.StringIO() as out, io.StringIO() as err:  # closed, for the command line's library never lets go of them
        try:
            with redirect_stdout(out), redirect_stderr(err), _ended(HANGING):
                code = run()
        finally:
            sys.stdin = given
        said, told = out.getvalue(), err.getvalue()
    took = time.process_time() - began
    if took > LONGEST:
        raise BrokenPromiseError(f"{took:.2f} s")
    return code, said, told


def _kept(code: int, shown: str, told: str) -> None:
    if code not in CODES:
        raise BrokenPromiseError(f"exit code {code}: {told}")
    if "Traceback" in told or "fault of fairdeal" in told:
        raise BrokenPromiseError(told)
    if strange := hidden(shown):
        raise BrokenPromiseError(f"characters {strange} in the report")


@contextmanager
def _ended(seconds: float) -> Iterator[None]:
    """End what takes longer on the processor, as a fault like any other."""

    def end(number: int, frame: FrameType | None) -> None:
        raise BrokenPromiseError(f"no end after {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def well_formed(report: str, form: str) -> None:
    """A report is what its format says."""
    match form:
        case "json" | "sarif":
            json.loads(report)
        case "jsonl":
            for line in report.splitlines():
                json.loads(line)
        case "junit":
            ET.fromstring(report)
        case "github":
            for line in report.splitlines()[:-1]:
                if not line.startswith(("::error ", "::warning ", "::notice ")):
                    raise BrokenPromiseError(f"no command: {line}")
