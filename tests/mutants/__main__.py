"""The command: ``python -m tests.mutants spit``."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import groupby
from pathlib import Path

from fairdeal.spec.games import MODULES, model_named

from tests.mutants.judging import find_traces
from tests.mutants.making import Mutant, mutants
from tests.mutants.running import Bench, Outcome, Score, bench_for, cores, equivalents, remember, run_all, score

TRACES = Path(__file__).parents[2] / "traces"


def main() -> int:
    """Run, and print the score: 0 where every mutant was killed or is argued to be equivalent."""
    options = _arguments()
    game = model_named(options.game)
    every = mutants(game)
    chosen = [one for one in every if options.only in (None, one.event) and one.id.startswith(options.id)]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.id}\n    {mutant.place}: {mutant.change}")
        print(f"{len(chosen)} mutants")
        return 0
    start = time.perf_counter()
    bench = bench_for(game, find_traces(options.traces, recorded_yields=options.fallback), quick=options.quick)
    for path, difference in bench.broken.items():
        print(f"left out, for the unchanged rules do not judge it as expected: {path}: {difference}")
    print(
        f"{len(chosen)} mutants, {len(bench.traces)} traces, ready after {time.perf_counter() - start:.0f} s",
        flush=True,
    )
    outcomes: dict[str, Outcome] = {}
    killers = dict(bench.killers)
    for outcome in run_all(bench, chosen, options.jobs):
        outcomes[outcome.id] = outcome
        if outcome.killer:
            killers[outcome.id] = outcome.killer
        if len(outcomes) % 100 == 0:
            remember(game.name, killers)
        if options.killers:
            print(f"{outcome.id}: {outcome.killer or 'survived'} {outcome.how}")
    remember(game.name, killers)
    result = score(chosen, outcomes, equivalents(game.name), len(chosen) == len(every))
    _print(result, options.brief)
    if options.hunt:
        _hunt(bench, result, options.hunt, options.seed)
    crashes = Counter(one.how.split(":")[1].strip() for one in outcomes.values() if one.how.startswith("crashed"))
    if crashes:
        print(f"killed by an exception: {dict(crashes)}")
    print(f"{time.perf_counter() - start:.0f} s")
    return 1 if result.survivors or result.complaints or bench.broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("game", choices=list(MODULES))
    parser.add_argument("--jobs", type=int, default=cores(), help="processes")
    parser.add_argument("--only", metavar="EVENT", help="mutants of one event, of `definitions` or of `options`")
    parser.add_argument("--id", default="", help="mutants whose id begins so")
    parser.add_argument("--list", action="store_true", help="list the mutants and run none")
    parser.add_argument("--killers", action="store_true", help="say which trace killed which mutant")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="do not ask whether other readings excuse a violation: some survive that need not",
    )
    parser.add_argument("--brief", action="store_true", help="name survivors by their ids alone")
    parser.add_argument("--hunt", type=int, default=0, metavar="N", help="look for witnesses among N random games")
    parser.add_argument("--seed", default="1", help="of the hunt")
    parser.add_argument("--traces", type=Path, default=TRACES, help="folder of the recorded games")
    parser.add_argument(
        "--fallback", action="store_true", help="take what the rules yield for games that have no .expect: shows less"
    )
    return parser.parse_args()


def _hunt(bench: Bench, result: Score, count: int, seed: str) -> None:
    from tests.mutants.hunting import hunt

    found = set()
    for name, witness in hunt(bench.rules.rules, bench.rules, result.survivors, count, seed):
        found.add(name)
        print(f"\n{name}: {witness.how}\n    " + "\n    ".join(witness.lines), flush=True)
    print(f"\n{len(found)} of {len(result.survivors)} survivors have a witness among {count} random games; the others:")
    print("\n".join(f"    {one.id}" for one in result.survivors if one.id not in found))


def _print(result: Score, brief: bool) -> None:
    print(f"{'':16}{'mutants':>8}{'killed':>8}{'equiv.':>8}{'left':>6}")
    equivalent = Counter(one.event for one in result.equivalent)
    left = Counter(one.event for one in result.survivors)
    for event, total in [*result.total.items(), ("all", result.total.total())]:
        counts = (result.killed, equivalent, left)
        numbers = [each.total() if event == "all" else each[event] for each in counts]
        print(f"{event:16}{total:8}{numbers[0]:8}{numbers[1]:8}{numbers[2]:6}")
    if result.survivors:
        print("\nSurvivors: no trace tells these from the rules. Write one, or argue in equivalent.toml.")
    for event, group in groupby(result.survivors, lambda one: one.event):
        print(f"\n{event}")
        for place, several in groupby(group, lambda one: one.place):
            _print_place(place, list(several), brief)
    for complaint in result.complaints:
        print(complaint)


def _print_place(place: str, several: list[Mutant], brief: bool) -> None:
    if not brief:
        print(f"  {place}")
    for mutant in several:
        print(f"    {mutant.id}" if brief else f"    {mutant.change}\n        {mutant.id}")


if __name__ == "__main__":
    sys.exit(main())
