"""Prints a table of measured figures: ``python -m tests.bench --help``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from .figures import BARS, Bench, Figure
from .table import as_json, render


def main() -> None:
    """Measures, and prints what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure speed and memory.")
    parser.add_argument("--game", choices=list(BARS), help="of one game alone (default: of every game)")
    parser.add_argument("--events", type=int, default=1_000_000, help="events of the big log (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=300, help="size of the log for memory (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=9, help="runs of a whole process (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too; - for standard output alone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        benches = [
            Bench(Path(folder) / game, game, given.events, given.megabytes, given.runs)
            for game in ([given.game] if given.game else BARS)
        ]
        figures: list[Figure] = [benches[0].yardstick()]
        for bench in benches:
            bench.folder.mkdir()
            for figure in bench.figures():
                print(f"measured: {figure.game} {figure.what}", file=sys.stderr)
                figures.append(figure)
    if given.json != "-":
        print(render(figures, benches))
    if given.json:
        text = json.dumps(as_json(figures, benches), indent=1) + "\n"
        sys.stdout.write(text) if given.json == "-" else Path(given.json).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
