"""The benchmarks run: small in the tests, where no figure counts, and whole under `make bench`, which prints them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from fairdeal.spec.games import MODULES

ROOT = Path(__file__).resolve().parent.parent.parent


def run(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    """Runs the benchmarks in a process of their own."""
    command = [sys.executable, "-m", "tests.bench", *words]
    return subprocess.run(command, cwd=ROOT, check=True, text=True, **more)  # type: ignore[call-overload,no-any-return]


def test_a_small_run_measures_everything() -> None:
    done = run("--events", "3000", "--megabytes", "1", "--runs", "1", "--json", "-", stdout=subprocess.PIPE)
    found = json.loads(done.stdout)
    assert min(found["events"].values()) > 0
    barred = Counter(one["game"] for one in found["figures"] if one["bar"] is not None)
    assert barred == dict.fromkeys(found["events"], 7)
    assert set(barred) == set(MODULES)
    for one in found["figures"]:
        assert one["value"] > 0
        assert (one["bar_met"] is None) is (one["bar"] is None)


@pytest.mark.bench
def test_the_whole_run() -> None:
    run()
