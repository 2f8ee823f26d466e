"""Inputs that others think of: hypothesis draws them from strategies, atheris mutates those that reach new code."""

from __future__ import annotations

import sys
import tempfile
import traceback
import types
from pathlib import Path

from .inputs import bases, objects
from .logs import HEAD
from .promises import FORMATS, check_bare

NAMES = ("", "", "a.gamelog.gz", "a.gamelog.zst")
"""Where an input of atheris stands; the first two are standard input."""
ROUND = 2000
"""Inputs that hypothesis draws from one seed: it remembers them all."""


def by_strategies(inputs: int, seed: int = 0) -> int:
    """Inputs of hypothesis; 1 with the smallest input of each kind of broken promise, if there is one."""
    import hypothesis
    from hypothesis import Phase, settings
    from hypothesis import strategies as st

    from .test_fuzz import LOGS

    before = st.sampled_from([b"", HEAD, HEAD + b"round 1\n", *bases()])
    ways = st.sampled_from([(form, *words) for form in FORMATS for words in ((), ("--strict",), ("--all", "--board"))])
    drawn = 0

    def one(start: bytes, size: int, lines: bytes, way: tuple[str, ...]) -> None:
        nonlocal drawn
        drawn += 1
        check_bare("-", *way, feed=start[:size] + lines)

    for number in range(0, inputs, ROUND):
        wanted = settings(
            max_examples=min(ROUND, inputs - number),
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.target, Phase.shrink),
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        given = hypothesis.given(before, st.integers(0, 4000), LOGS, ways)
        try:
            wanted(hypothesis.seed(seed + number)(given(one)))()
        except Exception:
            traceback.print_exc()
            print(f"{drawn:,} inputs, a broken promise")
            return 1
        print(f"{drawn:,} inputs, 0 broken promises", file=sys.stderr, flush=True)
    print(f"{drawn:,} inputs of hypothesis: 0 broken promises")
    return 0


def by_coverage(inputs: int, seed: int = 0) -> int:
    """Inputs that coverage leads: the first byte chooses format and place, the rest is the log. Ends the process."""
    import atheris

    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, text in enumerate((*bases(), *objects())):
        (corpus / str(number)).write_bytes(bytes([number % 24]) + text)
    _instrument(atheris)

    def one(data: bytes) -> None:
        choice = data[0] if data else 0
        form, name = FORMATS[choice % len(FORMATS)], NAMES[choice // len(FORMATS) % len(NAMES)]
        path, feed = "-", data[1:]
        if name:
            path = str(folder / name)
            Path(path).write_bytes(feed)
        try:
            check_bare(path, form, feed=feed)
        except Exception:
            traceback.print_exc()
            raise

    flags = [f"-runs={inputs}", f"-seed={seed + 1}", "-max_len=4000", "-timeout=10", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], one)
    atheris.Fuzz()
    return 0


def _instrument(atheris: types.ModuleType) -> None:
    """Have the functions of fairdeal that read and judge say which branches they take."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("fairdeal.checker.reading", "fairdeal.checker.judging", "fairdeal.checker.reporting")):
            for key, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType) and value.__module__ == name:
                    vars(module)[key] = atheris.instrument_func(value)
                elif isinstance(value, type) and value.__module__ == name:
                    _instrument_class(atheris, value)


def _instrument_class(atheris: types.ModuleType, one: type) -> None:
    for attribute, function in list(vars(one).items()):
        if isinstance(function, types.FunctionType):
            try:
                setattr(one, attribute, atheris.instrument_func(function))
            except (AttributeError, TypeError):
                continue
