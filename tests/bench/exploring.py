"""How many states a second exploring looks at, beside SPIN and minicheck on the same start: ``python -m tests.bench.exploring``.

SPIN (Holzmann's model checker, Debian's package `spin`, with a C compiler) runs a model that `promela` writes; it has to
find exactly as many states. minicheck (PyPI) searches in Python; it is given the same successors as plain Python, on a
smaller start.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.exploring.rounds import Round
from fairdeal.checker.exploring.starting import Start
from fairdeal.spec.spit import SPIT

from tests.bench.promela import model
from tests.exploring.unreduced import start_of
from tests.spike.games import dealt

BAR, GOAL = 400_000, 1_000_000
OPTIONS = {"flip": "auto"}
OWN_STATES = 1
"""What SPIN counts beside the states of the round: that before its tables are filled."""


def cut(seed: int, heights: tuple[int, ...], spit: int) -> Start:
    """The start of a deal of which only the topmost cards are left."""
    run = Interpreter(SPIT, SPIT.bind(None, OPTIONS))
    state, at = list(dealt(run, random.Random(seed)))[-1], run.layout.position
    for player in range(2):
        for slot, height in enumerate(heights, 1):
            stock = state[at["stock", (player, slot)]]
            del stock[: len(stock) - height]
            state[at["up", (player, slot)]] = int(height > 0)
        del state[at["spit", (player,)]][: -spit or None]
    return start_of(OPTIONS, state)


def promela_of(start: Start) -> str:
    """The same start for SPIN."""
    state: State = start.state
    at = start.binder.layout.position
    stocks = [[[card // 4 for card in state[at["stock", (p, slot)]]] for slot in range(1, 6)] for p in range(2)]
    spits = [[card // 4 for card in state[at["spit", (p,)]]] for p in range(2)]
    return model(stocks, spits)


def native(start: Start) -> tuple[int, int, float, float]:
    """States, steps, processor seconds and seconds of compiling, nothing merged."""
    part = Round(start, "none", compiled=True)
    began = time.process_time()
    search = part.search().run()
    seconds = time.process_time() - began
    assert search.closed
    return search.count, search.arcs, seconds, part.compile_seconds


def spin(text: str, level: str = "-O3") -> tuple[int, float] | None:
    """States and processor seconds of SPIN's verifier; ``None`` where it is not installed."""
    if not (shutil.which("spin") and shutil.which("gcc")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "round.pml").write_text(text)
        for words in (
            ["spin", "-a", "round.pml"],
            ["gcc", level, "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=6000", "-o", "pan", "pan.c"],
        ):
            subprocess.run(words, cwd=folder, check=True, capture_output=True)
        before = os.times()
        done = subprocess.run(["./pan", "-m10000", "-w24"], cwd=folder, check=True, capture_output=True, text=True)
        after = os.times()
        states = re.search(r"(\d+) states, stored", done.stdout)
        assert states, done.stdout
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        return int(states[1]), seconds


def minicheck(start: Start) -> tuple[int, float] | None:
    """States and processor seconds of minicheck, over our successors as plain Python; ``None`` where not installed."""
    if find_spec("minicheck") is None:
        return None
    from minicheck import Protocol, check_safety

    part = Round(start, "none", compiled=False)
    protocol = Protocol(
        name="round",
        candidate=False,
        fields=tuple(f"w{at}" for at in range(part.native.packing.words)),
        initial=part.native.start(),
        transitions=lambda state: [(one.event.name, after) for one, after in part.native.successors(state)],
        invariants={"true": lambda _: True},
    )
    began = time.process_time()
    found = check_safety(protocol, max_states=10_000_000)
    return int(found["reachable_states"]), time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--heights", type=int, nargs=5, default=[1, 2, 3, 3, 1])
    parser.add_argument("--spit", type=int, default=2)
    asked = parser.parse_args()
    start = cut(asked.seed, tuple(asked.heights), asked.spit)
    states, steps, seconds, compiling = native(start)
    ours = states / seconds
    marks = [name for name, mark in (("bar", BAR), ("goal", GOAL)) if ours >= mark]
    print(f"start: {asked.heights} stock cards each, {asked.spit} spit cards each, seed {asked.seed}, {OPTIONS}")
    print(
        f"native     {states:>12,} states  {steps / states:.1f} steps a state  {seconds:8.1f} s  {ours:>12,.0f} states/s"
    )
    print(
        f"           compiling, or loading what was compiled: {compiling:.1f} s; {' and '.join(marks) or 'no bar'} met"
    )
    found = spin(promela_of(start))
    if found is None:
        print("SPIN       not installed")
    elif found[0] != states + OWN_STATES:
        raise SystemExit(f"SPIN finds {found[0]:,} states, and not {states:,} and {OWN_STATES} of its own")
    else:
        there = found[0] / max(found[1], 0.01)
        print(
            f"SPIN       {found[0]:>12,} states  {found[1]:26.1f} s  {there:>12,.0f} states/s  ours is {ours / there:.1f} times that"
        )
    small = cut(asked.seed, (1, 2, 1, 0, 0), 2)
    other = minicheck(small)
    if other is None:
        print("minicheck  not installed")
    else:
        there = other[0] / max(other[1], 0.001)
        print(
            f"minicheck  {other[0]:>12,} states  {other[1]:26.1f} s  {there:>12,.0f} states/s  ours is {ours / there:.1f} times that"
        )


if __name__ == "__main__":
    main()
