"""Runs `fairdeal` in a process of its own on input that means harm, and measures what it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

MEASURED = Path(__file__).parent.parent / "bench" / "measured.py"
HELD = 4096
"""Megabytes of address space at which a call that grows without bound is ended."""
MEMORY = 200.0
"""Megabytes that no input may exceed: the bar of the design."""
CODES = (0, 1, 2, 130, 141)
"""Every exit code that the command line documents."""

Bytes = Iterable[bytes]
Words: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True)
class Outcome:
    """What one call did."""

    code: int
    out: str
    err: str
    seconds: float
    """Processor time that the call took, whatever else the machine did meanwhile."""
    megabytes: float
    """The most memory that it held at once."""

    @property
    def said(self) -> str:
        """All that the call said."""
        return self.out + self.err

    @property
    def told(self) -> str:
        """What it said on standard error, lines joined: a sentence is broken between words."""
        return " ".join(self.err.split())


def environment(cache: Path | None = None) -> dict[str, str]:
    """The environment of a call: this process's path, plain text, and if given a cache folder of its own."""
    paths = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "100"}
    for name in ("PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "FAIRDEAL_DEBUG"):
        env.pop(name, None)
    if cache is not None:
        env["XDG_CACHE_HOME"] = str(cache)
    return env


def fairdeal(
    *words: Words, cache: Path, feed: Bytes | None = None, stdin: int | None = None, seconds: int = 60
) -> Outcome:
    """Calls `fairdeal`; ``feed`` is written to its standard input by and by, while it reads.

    It is ended after ``seconds`` by the clock, and keeps its compiled rules in ``cache``, never in the user's folder.
    """
    command = [sys.executable, "-m", "fairdeal.checker", *words]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        figures = Path(folder) / "figures"
        given = subprocess.PIPE if feed is not None else subprocess.DEVNULL if stdin is None else stdin
        measuring = [sys.executable, "-S", "-E", str(MEASURED), str(figures), str(seconds), str(HELD)]
        running = subprocess.Popen([*measuring, *command], stdin=given, stdout=out, stderr=err, env=environment(cache))
        writer = _writer(running.stdin, feed) if running.stdin is not None and feed is not None else None
        running.wait()
        if writer is not None:
            writer.join()
        found = json.loads(figures.read_text())
        return Outcome(found["code"], _text(out), _text(err), found["cpu"], found["megabytes"])


def _writer(pipe: IO[bytes], feed: Bytes) -> threading.Thread:
    def write() -> None:
        with suppress(BrokenPipeError), pipe:
            for chunk in feed:
                pipe.write(chunk)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="backslashreplace")


def sound(outcome: Outcome, code: int) -> None:
    """What holds of every call: its exit code, no traceback, no fault of fairdeal's own, bounded memory, clean text."""
    assert outcome.code == code, outcome.err or outcome.out[-500:]
    assert "Traceback" not in outcome.said
    assert "fault of fairdeal" not in outcome.said, outcome.err
    assert outcome.megabytes < MEMORY
    assert not hidden(outcome.said)


def hidden(text: str) -> set[str]:
    """Characters of a text that do something to a terminal rather than being shown."""
    return {each for each in set(text) if unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp") and each != "\n"}


def batches(count: int, line: Callable[[int], str], size: int = 10_000) -> Bytes:
    """So many lines, made by their number, some thousands at a time."""
    for start in range(0, count, size):
        yield "".join(f"{line(number)}\n" for number in range(start, min(start + size, count))).encode()
