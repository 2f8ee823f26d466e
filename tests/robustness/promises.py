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
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from types import FrameType
from xml.etree import ElementTree as ET

from fairdeal.checker.cli import cli
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


def call(*words: str, feed: bytes | None = None) -> tuple[int, str]:
    """A call in this process, with so much on its standard input, held to its promises; its exit code and output."""
    out, err, given = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(feed or b""))
    began = time.process_time()
    code: object = None
    try:
        with redirect_stdout(out), redirect_stderr(err), _ended(HANGING):
            cli.main([*words], prog_name="fairdeal")
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin = given
    took = time.process_time() - began
    said, told = out.getvalue(), err.getvalue()
    if not isinstance(code, int) or code not in CODES:
        raise BrokenPromiseError(f"exit code {code}: {told}")
    if "Traceback" in told or "fault of fairdeal" in told:
        raise BrokenPromiseError(told)
    if took > LONGEST:
        raise BrokenPromiseError(f"{took:.2f} s")
    if strange := hidden(told if words[0] == "shrink" else said + told):  # what it writes is the log's own lines
        raise BrokenPromiseError(f"characters {strange} in the report")
    return code, said


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
