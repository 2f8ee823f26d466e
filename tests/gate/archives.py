"""Archives to check: logs of all kinds in one, cut into segments of any size, and `fairdeal check` in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairdeal.checker.cli import cli
from fairdeal.checker.reading import lines
from fairdeal.checker.reading import segments as segments_module

from .running import environment
from tests.expectations import TRACES, traces

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def resize(monkeypatch: pytest.MonkeyPatch, size: int, largest: int, block: int) -> None:
    monkeypatch.setattr(segments_module, "SIZE", size)
    monkeypatch.setattr(segments_module, "LARGEST", largest)
    monkeypatch.setattr(lines, "BLOCK", block)


def mixed() -> bytes:
    """Logs of all kinds in one: traces, objects, stray lines, every line end, and lines that only look like headers."""
    plain = [log for log in traces(TRACES) if log.name.endswith((".gamelog", ".jsonl")) and "recorded" not in log.parts]
    texts = [log.read_bytes() for log in plain[:: len(plain) // 25]]
    looks = [
        b"gamelog: 1 \xff",
        b'{"gamelog": }',
        b'{"gamelog": 1, "gamelog": 2}',
        b"gamelog\t: 1",
        b" gamelog: 1",
        b"x gamelog: 1",
    ]
    looks += [
        b"gamelog: 1\0",
        b'{"x-a": 1, "gamelog": 1, "game": "spit"}',
        b'{ "gamelog": 1}',
        b"gamelog: " + b"1" * 300,
    ]
    parts = []
    for number, text in enumerate(texts):
        parts.append(text if number % 3 else text.replace(b"\n", b"\r\n" if number % 2 else b"\r"))
        parts.append(b"\n" + looks[number % len(looks)] + b"\n")
    return b"\xef\xbb\xbf# a word first\n" + b"".join(parts) + b"\ngamelog: 1\ngame: spit\nround 1\nA dea"


def call(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["check", *map(str, words)])


def start(*words: object, folder: Path, setup: str = "") -> subprocess.Popen[str]:
    """Starts `fairdeal check` in a process of its own, with lines of Python first."""
    code = f"import sys\n{setup}\nfrom fairdeal.checker.__main__ import main\nmain()"
    command = [sys.executable, "-c", code, "check", *map(str, words)]
    return subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


SLOW = "from fairdeal.checker.judging import batch\n_of = batch.judged_part\ndef slow(*words):\n    import time; time.sleep(0.3)\n    return _of(*words)\nbatch.judged_part = slow\nslow.__module__, slow.__qualname__ = batch.__name__, 'judged_part'\n"
