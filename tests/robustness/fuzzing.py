"""The fuzzer: `fairdeal check` on inputs without end, in every format, each held to what the command line promises.

    python -m tests.robustness.fuzzing --inputs 1000000 --jobs 2
    python -m tests.robustness.fuzzing --atheris --inputs 200000

No traceback, no fault of fairdeal's own, no other exit code than the documented ones, no more than two seconds of the
processor, and a report that is what its format says. Inputs are mutated logs, hostile JSON, splices, archives and random
bytes, the same for the same seed; with ``--atheris`` they are led by the code that they reach. An input that breaks a
promise is kept in a folder, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import zstandard

from fairdeal.checker.cli import cli
from fairdeal.checker.reporting.reporter import REPORTERS
from fairdeal.spec.games import MODULES

from .logs import HEAD, TRACES, opening
from .mutants import mutant
from .running import hidden

LONGEST = 2.0
"""Seconds of the processor that an input may take."""
CODES = (0, 1, 2)
FORMATS = tuple(REPORTERS)
KINDS: dict[str, Callable[[random.Random], tuple[str, bytes]]] = {}

_VALUES = (
    *(
        "null",
        "true",
        "0",
        "-1",
        "1e999",
        "NaN",
        "1" * 30,
        "0.1",
        '""',
        '"\\ud800"',
        '"??"',
        '"!!"',
        '"A"',
        '"5H"',
        '"10H"',
    ),
    *(
        "[]",
        "{}",
        "[[]]",
        '["5H", "5H"]',
        '[["5H"], ["??*3"]]',
        '{"a": {"b": [1]}}',
        "[" * 9 + "]" * 9,
        '"\\u0000"',
        '"\\n"',
    ),
)
_KEYS = (
    "type",
    "player",
    "card",
    "cards",
    "from",
    "on",
    "to",
    "at",
    "seq",
    "t",
    "refused",
    "gamelog",
    "game",
    "options",
    "x-a",
    "of",
)


def kind(make: Callable[[random.Random], tuple[str, bytes]]) -> Callable[[random.Random], tuple[str, bytes]]:
    """Register a way to make inputs: the name of a file, and what is in it."""
    KINDS[make.__name__] = make
    return make


@cache
def bases() -> tuple[bytes, ...]:
    """Logs to begin with: all traces that are short, and the openings of random games."""
    short = [log.read_bytes() for log in sorted(TRACES.rglob("*.gamelog*")) if log.suffix in (".gamelog", ".jsonl")]
    openings = [opening(count, seed, game) for game in MODULES for seed in range(3) for count in (15, 60)]
    return (*(text for text in short if len(text) < 4000), *openings)


@cache
def objects() -> tuple[bytes, ...]:
    """Logs in JSON Lines."""
    from fairdeal.checker.generating import generate

    whole = ["".join(generate(game, games=1, seed=seed, format="jsonl")) for game in MODULES for seed in range(3)]
    return tuple("\n".join(text.split("\n")[:60]).encode() for text in whole)


@kind
def mutated(chance: random.Random) -> tuple[str, bytes]:
    """A log with a few changes."""
    return "a.gamelog", mutant(chance.choice(bases()), chance, chance.choice((1, 1, 2, 5, 20)))


@kind
def hostile_json(chance: random.Random) -> tuple[str, bytes]:
    """Objects with values, keys and brackets that do not belong there."""
    lines = [line for line in chance.choice(objects()).decode().split("\n") if line]
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at = chance.randrange(len(lines))
        lines[at] = _spoiled(lines[at], chance)
    return "a.gamelog.jsonl", "\n".join(lines).encode("utf-8", "surrogatepass")


def _spoiled(line: str, chance: random.Random) -> str:
    value, key = chance.choice(_VALUES), chance.choice(_KEYS)
    match chance.randrange(6):
        case 0:
            return (
                line[: chance.randrange(len(line) + 1)]
                + chance.choice(("", "}", "]", '"', "\0", "{"))
                + line[chance.randrange(len(line) + 1) :]
            )
        case 1:
            return line.rstrip("} ") + f', "{key}": {value}}}'
        case 2:
            return f'{{"{key}": {value}}}'
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return value
    if not isinstance(fields, dict) or not fields:
        return value
    name = chance.choice(list(fields))
    parts = [f"{json.dumps(each)}: {value if each == name else json.dumps(fields[each])}" for each in fields]
    return f"{{{', '.join(parts)}}}"


@kind
def spliced(chance: random.Random) -> tuple[str, bytes]:
    """The beginning of one log and the end of another."""
    first, second = chance.choice(bases() + objects()), chance.choice(bases() + objects())
    return "a.gamelog", first[: chance.randrange(len(first))] + second[chance.randrange(len(second)) :]


@kind
def random_bytes(chance: random.Random) -> tuple[str, bytes]:
    """Bytes, of all kinds or of those that logs have, after a header or not."""
    size = chance.choice((0, 1, 7, 80, 600))
    alphabet = chance.choice(
        (bytes(range(256)), b'AB deal play 0123456789THSDC|/?!*@.:"{}[],\n\n\r\t', b"\xf0\x9f\x82\xa1\xe2\x99\xa0 TH\n")
    )
    return "a.gamelog", chance.choice((b"", HEAD, HEAD + b"round 1\n")) + bytes(chance.choices(alphabet, k=size))


@kind
def packed(chance: random.Random) -> tuple[str, bytes]:
    """An archive, whole, cut or damaged."""
    _, text = mutated(chance)
    name, data = chance.choice(
        (("a.gamelog.gz", gzip.compress(text, 1)), ("a.gamelog.zst", zstandard.compress(text, 1)))
    )
    match chance.randrange(3):
        case 0:
            data = data[: chance.randrange(len(data))]
        case 1:
            spoiled = bytearray(data)
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
            data = bytes(spoiled)
    return name, data


# ---------------------------------------------------------------- one input


class BrokenPromiseError(AssertionError):
    """An input made the command line do what it promises never to do."""


def check(path: Path, form: str, *words: str) -> int:
    """Check a log in this process and hold the call to its promises; gives the exit code."""
    out, err = io.StringIO(), io.StringIO()
    began = time.process_time()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(["check", str(path), "--format", form, *words], prog_name="fairdeal", standalone_mode=False)
    took = time.process_time() - began
    said, told = out.getvalue(), err.getvalue()
    if code not in CODES:
        raise BrokenPromiseError(f"exit code {code}: {told}")
    if "Traceback" in told or "fault of fairdeal" in told:
        raise BrokenPromiseError(told)
    if took > LONGEST:
        raise BrokenPromiseError(f"{took:.2f} s")
    if strange := hidden(said + told) - {"\n"}:
        raise BrokenPromiseError(f"characters {strange} in the report")
    well_formed(said, form)
    return int(code)


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


# ---------------------------------------------------------------- many inputs


@dataclass
class Result:
    """What came of many inputs."""

    inputs: int = 0
    codes: Counter[tuple[str, int]] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def add(self, other: Result) -> None:
        """Add what another process did."""
        self.inputs += other.inputs
        self.codes += other.codes
        self.broken += other.broken
        self.slowest = max(self.slowest, other.slowest)


def fuzz(first: int, last: int, folder: Path, only: Sequence[str] = tuple(KINDS)) -> Result:
    """The inputs of some numbers; the format goes round with the number, so that each meets each kind."""
    result = Result()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as place:
        for number in range(first, last):
            chance = random.Random(number)
            name = only[number % len(only)]
            file, data = KINDS[name](chance)
            form, strict = FORMATS[number // len(only) % len(FORMATS)], ["--strict", "--all"][: chance.randrange(3)]
            path = Path(place) / file
            path.write_bytes(data)
            began = time.process_time()
            try:
                result.codes[name, check(path, form, *strict)] += 1
            except Exception as failure:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{number}-{form}-{file}").write_bytes(data)
                result.broken.append(f"{number} {name} {form} {type(failure).__name__}: {str(failure)[:300]}")
            result.slowest = max(result.slowest, time.process_time() - began)
            result.inputs += 1
    return result


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
    parser.add_argument("--atheris", action="store_true", help="inputs led by the code that they reach")
    call = parser.parse_args(words)
    if call.atheris:
        return led(call.inputs)
    began = time.monotonic()
    result = Result()
    size = max(min(2000, call.inputs // call.jobs), 1)
    starts = range(call.seed, call.seed + call.inputs, size)
    ends = [min(start + size, call.seed + call.inputs) for start in starts]
    if call.jobs == 1:
        for start, end in zip(starts, ends, strict=True):
            _told(result, fuzz(start, end, call.folder))
    else:
        with ProcessPoolExecutor(call.jobs) as pool:
            for part in pool.map(fuzz, starts, ends, [call.folder] * len(ends)):
                _told(result, part)
    for (name, code), count in sorted(result.codes.items()):
        print(f"{name:16} exit {code}: {count:>9,}")
    print(
        f"{result.inputs:,} inputs in {time.monotonic() - began:.0f} s, the slowest {result.slowest:.2f} s: {len(result.broken)} broken promises"
    )
    for each in result.broken[:50]:
        print(each)
    return 1 if result.broken else 0


def _told(result: Result, part: Result) -> None:
    """Add a part, and say how far it is: a million inputs take hours."""
    result.add(part)
    print(f"{result.inputs:,} inputs, {len(result.broken)} broken promises", file=sys.stderr, flush=True)


def led(inputs: int) -> int:
    """Inputs that coverage leads: the first byte chooses format and name, the rest is the log. Ends the process."""
    import atheris

    names = ("a.gamelog", "a.gamelog.jsonl", "a.gamelog.gz", "a.gamelog.zst")
    place = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    corpus = place / "corpus"
    corpus.mkdir()
    for number, text in enumerate((*bases(), *objects())):
        (corpus / str(number)).write_bytes(bytes([number % 24]) + text)
    _instrument(atheris)

    def one(data: bytes) -> None:
        choice = data[0] if data else 0
        path = place / names[choice // len(FORMATS) % len(names)]
        path.write_bytes(data[1:])
        try:
            check(path, FORMATS[choice % len(FORMATS)])
        except Exception:
            traceback.print_exc()
            raise

    atheris.Setup(
        [sys.argv[0], f"-runs={inputs}", "-max_len=6000", "-timeout=10", "-print_final_stats=1", str(corpus)], one
    )
    atheris.Fuzz()
    return 0


def _instrument(atheris: object) -> None:
    """Have the functions of fairdeal that read and judge say which branches they take."""
    import types

    for name, module in list(sys.modules.items()):
        if name.startswith(("fairdeal.checker.reading", "fairdeal.checker.judging", "fairdeal.checker.reporting")):
            for key, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType) and value.__module__ == name:
                    vars(module)[key] = atheris.instrument_func(value)  # type: ignore[attr-defined]
                elif isinstance(value, type) and value.__module__ == name:
                    for attribute, function in list(vars(value).items()):
                        if isinstance(function, types.FunctionType):
                            try:
                                setattr(value, attribute, atheris.instrument_func(function))  # type: ignore[attr-defined]
                            except (AttributeError, TypeError):
                                continue


if __name__ == "__main__":
    sys.exit(main())
