"""The fuzzer: `fairdeal` on inputs without end, in every format, each held to what the command line promises.

    python -m tests.robustness.fuzzing --inputs 1000000 --jobs 2 --progress fuzz.jsonl
    python -m tests.robustness.fuzzing --hypothesis --inputs 50000
    python -m tests.robustness.fuzzing --atheris --inputs 200000

Every input is checked, and one in 25 is given to another command too. Inputs are mutated logs, hostile JSON, splices,
random words, archives and random bytes, the same for the same seed; with ``--hypothesis`` they are what its strategies
draw, and with ``--atheris`` they are led by the code that they reach. An input that breaks a promise is kept in a
folder, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fairdeal.checker.judging import shelf

from .inputs import KINDS
from .promises import FORMATS, call, check, check_bare

PART = 2000
"""Inputs after which progress is told and kept."""
OTHER = 25
"""One input in so many is given to another command than `check`, too."""
BARE = 8
"""One check in so many is called as the command line calls it, the others without reading a command line."""
COUNTING = ("text", "json")
"""The formats that have counts."""


@dataclass
class Result:
    """What came of many inputs."""

    inputs: int = 0
    calls: int = 0
    codes: Counter[tuple[str, int]] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def add(self, other: Result) -> None:
        """Add what another process did."""
        self.inputs += other.inputs
        self.calls += other.calls
        self.codes += other.codes
        self.broken += other.broken
        self.slowest = max(self.slowest, other.slowest)

    def kept(self) -> dict[str, object]:
        """It as JSON."""
        codes = [[name, code, count] for (name, code), count in sorted(self.codes.items())]
        return {**vars(self), "codes": codes}

    @classmethod
    def recalled(cls, kept: dict[str, object]) -> Result:
        """It from JSON."""
        codes = Counter({(name, code): count for name, code, count in kept["codes"]})  # type: ignore[attr-defined]
        return cls(**{**kept, "codes": codes})  # type: ignore[arg-type]


def fuzz(first: int, last: int, folder: Path, only: Sequence[str] = tuple(KINDS)) -> Result:
    """The inputs of some numbers; the format goes round with the number, so that each meets each kind."""
    result = Result()
    with place() as here:
        for number in range(first, last):
            chance = random.Random(number)
            name = only[number % len(only)]
            file, data = KINDS[name](chance)
            form = FORMATS[number // len(only) % len(FORMATS)]
            path, feed = _laid(here, file, data, chance)
            way = check if chance.randrange(BARE) == 0 else check_bare
            calls = [partial(way, path, form, *_asked(form, chance), feed=feed)]
            if chance.randrange(OTHER) == 0:
                calls.append(partial(_other, path, data, here, chance, feed=feed))
            for one in calls:
                began = time.process_time()
                try:
                    result.codes[name, one()] += 1
                except Exception as failure:
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / f"{number}-{form}-{file}").write_bytes(data)
                    asked = " ".join(str(each) for each in one.args if each is not chance and each is not data)
                    result.broken.append(f"{number} {name}: {asked}: {type(failure).__name__}: {str(failure)[:300]}")
                result.slowest = max(result.slowest, time.process_time() - began)
                result.calls += 1
            result.inputs += 1
    return result


@contextmanager
def place() -> Iterator[Path]:
    """A folder that is gone afterwards, in memory where there is one."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        yield Path(folder)


def _laid(folder: Path, file: str, data: bytes, chance: random.Random) -> tuple[str, bytes | None]:
    """The path of an input, and what is on standard input; files cost system calls, so few logs are files."""
    if file.endswith((".gz", ".zst")) or chance.randrange(8) == 0:
        path = folder / file
        path.write_bytes(data)
        return str(path), None
    return "-", data


def _asked(form: str, chance: random.Random) -> list[str]:
    """What else the call asks for, half of the time."""
    some = ["--strict", "--all", "--board", "--option=flip=auto", "--rules=scored"]
    some += ["--max-findings=1", "--max-findings=2", "--max-findings=3"] * 2
    some += ["--coverage", "--summary"] * (form in COUNTING)
    return [chance.choice(some)] if chance.randrange(2) else []


def _other(path: str, data: bytes, folder: Path, chance: random.Random, feed: bytes | None) -> int:
    """Another command on the same log; gives its exit code."""
    line = str(chance.randrange(1, data.count(b"\n") + 3))
    page = str(folder / "page.html")
    words = chance.choice(
        (
            ("show", path, "--at", line),
            ("legal", path, "--at", line),
            ("legal", path, "--at", line, "--format", "json"),
            ("replay", path, "--output", page),
            ("replay", path, "--at", line, "--output", page),
            ("shrink", path),
        )
    )
    code, said = call(*words, feed=feed)
    if words[0] == "legal" and "json" in words and said:
        json.loads(said)
    return code


def settle() -> None:
    """Make this process quick at many inputs: keep the rules of more games ready, and look for dead cycles rarely."""
    shelf.BINDERS = 1000
    with place() as here:
        fuzz(0, 200, here)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


# ---------------------------------------------------------------- the tool


def main(words: Sequence[str] | None = None) -> int:
    """Runs the fuzzer; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.robustness.fuzzing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="number of the first input")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, default=Path("fuzz-broken"), help="where inputs that break a promise are kept"
    )
    parser.add_argument(
        "--progress", type=Path, help="file to keep there what is done; a run that was killed goes on from it"
    )
    parser.add_argument("--hypothesis", action="store_true", help="inputs that hypothesis draws")
    parser.add_argument("--atheris", action="store_true", help="inputs led by the code that they reach")
    call = parser.parse_args(words)
    if call.atheris or call.hypothesis:
        from .led import by_coverage, by_strategies

        settle()
        return by_coverage(call.inputs, call.seed) if call.atheris else by_strategies(call.inputs, call.seed)
    began = time.monotonic()
    result = Result()
    for part in _parts(call):
        result.add(part)
        print(f"{result.inputs:,} inputs, {len(result.broken)} broken promises", file=sys.stderr, flush=True)
    for (name, code), count in sorted(result.codes.items()):
        print(f"{name:16} exit {code}: {count:>9,}")
    print(
        f"{result.inputs:,} inputs ({result.calls:,} calls) in {time.monotonic() - began:.0f} s, "
        f"the slowest {result.slowest:.2f} s: {len(result.broken)} broken promises"
    )
    for each in result.broken[:50]:
        print(each)
    return 1 if result.broken else 0


def _parts(call: argparse.Namespace) -> Iterator[Result]:
    """What comes of each part of the call, first of those that an earlier run has done."""
    last = call.seed + call.inputs
    parts = {(start, min(start + PART, last)) for start in range(call.seed, last, PART)}
    lines = call.progress.read_text().splitlines() if call.progress and call.progress.exists() else []
    for kept in map(json.loads, lines):
        span = kept.pop("first"), kept.pop("last")
        if span in parts:
            parts.remove(span)
            yield Result.recalled(kept)
    left = sorted(parts)
    for (start, end), part in zip(left, _done(left, call.folder, call.jobs), strict=True):
        if call.progress:
            with call.progress.open("a") as file:
                file.write(json.dumps({"first": start, "last": end, **part.kept()}) + "\n")
        yield part


def _done(parts: Sequence[tuple[int, int]], folder: Path, jobs: int) -> Iterator[Result]:
    firsts, lasts = [start for start, _ in parts], [end for _, end in parts]
    if len(parts) > 1 and jobs > 1:
        with ProcessPoolExecutor(jobs, initializer=settle) as pool:
            yield from pool.map(fuzz, firsts, lasts, [folder] * len(parts))
        return
    if len(parts) > 1:
        settle()
    for start, end in parts:
        yield fuzz(start, end, folder)


if __name__ == "__main__":
    sys.exit(main())
