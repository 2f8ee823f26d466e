"""Runs `fairdeal` in a process of its own on input that means harm, and measures what it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEASURED = Path(__file__).parent.parent / "bench" / "measured.py"
HELD = 4096
"""Megabytes of address space at which a call that grows without bound is ended."""
MEMORY = 200.0
"""Megabytes that no input may exceed: the bar of the design."""

Bytes = Iterable[bytes]


@dataclass(frozen=True)
class Outcome:
    """What one call did."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float

    @property
    def said(self) -> str:
        """All that the call said."""
        return self.out + self.err


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
    *words: str | os.PathLike[str], feed: Bytes | None = None, seconds: int = 60, stdin: int | None = None
) -> Outcome:
    """Calls `fairdeal`; ``feed`` is written to its standard input by and by, while it reads."""
    command = [sys.executable, "-m", "fairdeal.checker", *words]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        figures = Path(folder) / "figures"
        given = subprocess.PIPE if feed is not None else subprocess.DEVNULL if stdin is None else stdin
        measuring = [sys.executable, "-S", "-E", MEASURED, figures, str(seconds), str(HELD)]
        running = subprocess.Popen([*measuring, *command], stdin=given, stdout=out, stderr=err, env=environment())
        writer = _writer(running, feed) if feed is not None else None
        running.wait()
        if writer is not None:
            writer.join()
        found = json.loads(figures.read_text())
        return Outcome(found["code"], _text(out), _text(err), found["seconds"], found["megabytes"])


def _writer(running: subprocess.Popen[bytes], feed: Bytes) -> threading.Thread:
    pipe = running.stdin
    assert pipe is not None

    def write() -> None:
        with suppress(BrokenPipeError), pipe:
            for chunk in feed:
                pipe.write(chunk)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def _text(file: tempfile._TemporaryFileWrapper[bytes] | object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return str(file.read().decode(errors="backslashreplace"))  # type: ignore[attr-defined]


def batches(count: int, line: Callable[[int], str], size: int = 10_000) -> Bytes:
    """So many lines, made by their number, some thousands at a time."""
    for start in range(0, count, size):
        yield "".join(f"{line(number)}\n" for number in range(start, min(start + size, count))).encode()
