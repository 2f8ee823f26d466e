"""Compares what ``fairdeal check`` prints of the games in ``traces/`` with the ``.out`` files beside them.

``python -m tests.snapshots [--update] [PATH...]`` shows how they differ, or rewrites them; paths are logs or folders,
all of ``traces/`` if none is given. An ``.expect`` file is never written: what a game must yield is said by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir
from difflib import unified_diff
from pathlib import Path

from click.testing import CliRunner

from fairdeal.checker.cli import cli

from tests.expectations import TRACES, beside, traces

_ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": None, "FORCE_COLOR": None, "FAIRDEAL_DEBUG": None}


def rendering(log: Path) -> str:
    """All that ``fairdeal check`` prints of a log below ``traces/``, called from that folder."""
    with chdir(TRACES):
        result = CliRunner(env=_ENVIRONMENT).invoke(cli, ["check", log.relative_to(TRACES).as_posix()])
    return result.output


def kept(log: Path) -> str:
    """The snapshot beside a log; empty where there is none yet."""
    path = beside(log, ".out")
    return path.read_bytes().decode("utf-8") if path.is_file() else ""


def difference(log: Path) -> str:
    """How the rendering differs from the snapshot, as a unified diff; empty where it does not."""
    name = beside(log, ".out").relative_to(TRACES).as_posix()
    before, after = kept(log).splitlines(keepends=True), rendering(log).splitlines(keepends=True)
    return "".join(unified_diff(before, after, name, "as printed now"))


def main(words: Sequence[str] | None = None) -> int:
    """Runs the tool; 1 if there are differences that were not written."""
    parser = argparse.ArgumentParser(prog="python -m tests.snapshots", description=__doc__)
    parser.add_argument("--update", action="store_true", help="rewrite the .out files that differ")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="logs or folders below traces/")
    call = parser.parse_args(words)
    differing = 0
    for log in _chosen(call.paths or [TRACES]):
        if not (shown := difference(log)):
            continue
        differing += 1
        if call.update:
            beside(log, ".out").write_bytes(rendering(log).encode("utf-8"))
            print(f"written: {beside(log, '.out').relative_to(TRACES)}")
        else:
            print(shown, end="")
    for left in left_over():
        print(f"no log has this expectation or snapshot: {left.relative_to(TRACES)}")
        differing += 1
    return 1 if differing and not call.update else 0


def _chosen(paths: Sequence[Path]) -> Iterator[Path]:
    for path in map(Path.resolve, paths):
        if path.is_dir():
            yield from traces(path)
        else:
            yield path


def left_over() -> Iterator[Path]:
    """Files beside a log that is not there, perhaps because it was renamed."""
    names = {beside(log, suffix) for log in TRACES.rglob("*.gamelog*") for suffix in (".expect", ".out")}
    yield from sorted(path for path in TRACES.rglob("*.*") if path.suffix in (".expect", ".out") and path not in names)


if __name__ == "__main__":
    sys.exit(main())
