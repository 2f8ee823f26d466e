"""The census: what it keeps, what a kill costs, and what its table says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.engines.native import Native
from fairdeal.checker.exploring.census import Plan, summed_up, wilson
from fairdeal.checker.exploring.rounds import Round
from fairdeal.checker.exploring.starting import from_seed

DEALS = 200
WORDS = ["explore", "spit", "--seed", "3", "--deals", str(DEALS), "--plain", "--states", "300", "--format", "json"]


def call(*words: object):
    return CliRunner().invoke(cli, [*WORDS, *map(str, words)])


def test_a_census_that_was_killed_goes_on_and_says_what_an_unbroken_one_says(tmp_path: Path) -> None:
    unbroken, kept = tmp_path / "unbroken.jsonl", tmp_path / "kept.jsonl"
    whole = call("--keep", unbroken)
    assert whole.exit_code == 1  # 300 states are not a whole round
    process = subprocess.Popen(
        [sys.executable, "-m", "fairdeal.checker", *WORDS, "--jobs", "2", "--keep", str(kept)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (kept.exists() and kept.read_bytes().count(b"\n") > 40):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = kept.read_bytes()
    done = before.count(b"\n") - 1
    assert 40 <= done < DEALS
    with kept.open("ab") as file:
        file.write(b'{"deal": 7, "compl')  # a line that the kill cut off
    again = call("--keep", kept)
    assert again.output == whole.output
    lines = kept.read_bytes().splitlines()
    assert kept.read_bytes().startswith(before)  # nothing that was kept is explored again
    assert sorted(json.loads(line)["deal"] for line in lines[1:]) == list(range(1, DEALS + 1))
    size = kept.stat().st_size
    assert call("--keep", kept).output == whole.output
    assert kept.stat().st_size == size


def test_a_file_of_another_census_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    words = ["explore", "spit", "--deals", "2", "--plain", "--states", "50", "--keep", str(kept)]
    assert CliRunner().invoke(cli, words).exit_code == 1
    for more, said in (
        (["--seed", "9"], "seed"),
        (["--option", "ace=linear"], "options"),
        (["--merge", "none"], "merging"),
    ):
        result = CliRunner().invoke(cli, [*words, *more])
        assert result.exit_code == 2
        assert f"another census: {said}" in result.output
    kept.write_text("gamelog: 1\n")
    assert "is no file of a census" in CliRunner().invoke(cli, words).output
    assert kept.read_text() == "gamelog: 1\n"
    assert CliRunner().invoke(cli, ["explore", "spit", "--keep", str(kept)]).exit_code == 2


def test_another_deal_of_one_shape_has_the_tables_that_it_would_have_by_itself() -> None:
    one, two = (Round(from_seed("spit", seed, None, {}), compiled=False) for seed in (1, 2))
    anew = one.dealt_anew(two.start)
    assert anew is not None
    assert anew.native.source == two.native.source
    assert list(anew.native.tables) == list(two.native.tables)
    assert list(anew.native.tables) != list(one.native.tables)
    assert anew.native.start() == two.native.start()
    assert anew.search().native is anew.native
    other = from_seed("spit", 1, None, {"respit": "own"})
    assert one.dealt_anew(other) is None


def test_another_shape_is_not_taken_for_the_same() -> None:
    start = from_seed("spit", 1, None, {})
    native: Native = Round(start, compiled=False).native
    at = start.binder.layout.position
    for key, change in ((("spit", (0,)), slice(0, 3)), (("stock", (1, 5)), slice(0, 1))):
        state = [list(part) if isinstance(part, list) else part for part in start.state]
        del state[at[key]][change]
        assert native.dealt_anew(state) is None
    state = list(start.state)
    state[at["up", (0, 1)]] = 0
    assert native.dealt_anew(state) is None


def test_intervals_are_wilsons() -> None:
    """Of 10 in 100: 0.0552 to 0.1744, as in Newcombe, Statistics in Medicine 17 (1998), for the score method."""
    low, high = wilson(10, 100)
    assert (round(low, 3), round(high, 3)) == (0.055, 0.174)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 50)[0] == 0.0
    assert wilson(50, 50)[1] == pytest.approx(1.0)


def test_what_is_not_known_widens_the_interval() -> None:
    plan = Plan("spit", 0, 4, None, {}, "all", False, 10, 1 << 20)

    def record(number: int, states: int, complete: bool) -> dict[str, object]:
        return {
            "deal": number,
            "complete": complete,
            "states": 5 * number,
            "longest": 3 if complete else None,
            "outcomes": {"blocked": [states, 1, 2]},
            "most": {"play": [2 if complete else number - 2, 2]},
            "kept": {"a-never-plays": None if number == 4 else []},
        }

    records = {1: record(1, 1, True), 2: record(2, 0, True), 3: record(3, 2, False), 4: record(4, 0, False)}
    summary = summed_up(plan, records)
    (blocked,), (kept,) = summary.classes, summary.kept
    assert (blocked.found, blocked.unknown, blocked.deals) == (2, 1, 4)
    assert blocked.interval == (wilson(2, 4)[0], wilson(3, 4)[1])
    assert (kept.found, kept.unknown) == (0, 1)
    assert (summary.complete, summary.deals, summary.states) == (2, 4, (5, 10, 10))
    assert summary.most == {"play": (2, 2, 3)}  # the third deal is not complete, and has met it already
    assert summed_up(plan, dict(reversed(records.items()))) == summary
    records[4]["kept"] = {"a-never-plays": ["blocked"]}  # the smaller search has met what the large one has not
    (blocked,) = summed_up(plan, records).classes
    assert (blocked.found, blocked.unknown) == (3, 0)


def test_a_no_of_an_incomplete_census_is_said_to_be_settled_by_a_search_of_its_own() -> None:
    words = ["explore", "spit", "--seed", "3", "--deals", "2", "--plain", "--states", "300"]
    text = " ".join(CliRunner().invoke(cli, words).output.split())
    assert "0 of them explored to the end; of the others, what was found exists" in text
    assert "each of these was asked by a search of its own" in text


def test_children_end_when_the_census_is_killed(tmp_path: Path) -> None:
    words = ["explore", "spit", "--deals", "40", "--plain", "--jobs", "2", "--states", "20000"]
    process = subprocess.Popen([sys.executable, "-m", "fairdeal.checker", *words, "--keep", str(tmp_path / "kept")])
    children: list[int] = []
    deadline = time.monotonic() + 60
    while len(children) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
        children = [int(one) for one in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    process.kill()
    process.wait()
    assert len(children) >= 2
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and any(map(_runs, children)):
        time.sleep(0.2)
    assert not any(map(_runs, children))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
