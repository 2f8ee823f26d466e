"""Counts of event sequences: the published table, and the engines that have to agree on it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.engines.native.compiling import can_compile
from fairdeal.checker.exploring.counting import ByInterpreter, ByNative, ByPython, Engine, Level, count, divide
from fairdeal.checker.exploring.starting import Start, from_seed

TABLE: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "counts.toml").read_text("utf-8"))["deal"]
IDS = [f"{deal['game']}-{deal['seed']}" for deal in TABLE]
CONFIRMED = {"interpreter": {"spit": 5, "queen-city-rum": 3}, "python": {"spit": 7, "queen-city-rum": 4}}
"""Depths that the slower engines count to."""


def start_of(deal: dict[str, Any]) -> Start:
    return from_seed(deal["game"], deal["seed"], None, {})


def row(level: Level) -> dict[str, int]:
    return {"sequences": level.sequences, **level.by_event}


def engine_of(name: str, deal: dict[str, Any]) -> Engine:
    return {"interpreter": ByInterpreter, "python": ByPython}[name](start_of(deal))


def test_the_table_has_three_seeds_of_both_games() -> None:
    assert sorted(IDS) == sorted(f"{game}-{seed}" for game in ("spit", "queen-city-rum") for seed in (1, 2, 3))


@pytest.mark.parametrize("deal", TABLE, ids=IDS)
@pytest.mark.parametrize("name", CONFIRMED)
def test_the_table_is_confirmed(name: str, deal: dict[str, Any]) -> None:
    depth = CONFIRMED[name][deal["game"]]
    assert [row(level) for level in count(engine_of(name, deal), depth)] == deal["levels"][:depth]


@pytest.mark.parametrize("deal", [deal for deal in TABLE if deal["game"] == "spit"], ids=lambda deal: str(deal["seed"]))
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.verify)])
def test_the_native_engine_counts_the_whole_table(compiled: bool, deal: dict[str, Any]) -> None:
    if compiled and not can_compile():
        pytest.skip("numba is not installed")
    engine = ByNative(start_of(deal), compiled=compiled)
    assert [row(level) for level in count(engine, len(deal["levels"]))] == deal["levels"]


@pytest.mark.parametrize("deal", TABLE, ids=IDS)
def test_the_breakdown_adds_up(deal: dict[str, Any]) -> None:
    parts = divide(ByPython(start_of(deal)), 3)
    assert sum(parts.values()) == deal["levels"][2]["sequences"]
    assert len(parts) == deal["levels"][0]["sequences"]
    assert parts == divide(ByInterpreter(start_of(deal)), 3)


def test_counting_is_a_command() -> None:
    deal = TABLE[0]
    words = ["explore", "spit", "--seed", str(deal["seed"]), "--plain", "--depth", "6"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0
    assert [int(line.split()[1].replace(",", "")) for line in result.output.splitlines()[3:]] == [
        level["sequences"] for level in deal["levels"][:6]
    ]
    document = json.loads(CliRunner().invoke(cli, [*words, "--format", "json"]).output)
    assert [level["sequences"] for level in document["levels"]] == [level["sequences"] for level in deal["levels"][:6]]
    assert document["engine"] == "native"
    parts = json.loads(CliRunner().invoke(cli, [*words, "--divide", "--format", "json"]).output)
    assert sum(parts["divide"].values()) == deal["levels"][5]["sequences"]
    assert (
        CliRunner()
        .invoke(cli, ["explore", "queen-city-rum", "--seed", "1", "--engine", "native", "--depth", "2"])
        .exit_code
        == 2
    )
    assert "--depth N" in CliRunner().invoke(cli, ["explore", "queen-city-rum", "--seed", "1"]).output


def test_every_engine_names_first_events_by_their_lines_and_shows_the_depths_too() -> None:
    words = ["explore", "spit", "--seed", "3", "--depth", "3", "--plain", "--divide"]
    native, python = (CliRunner().invoke(cli, [*words, "--engine", one]).output for one in ("native", "python"))
    assert native.replace("native", "python") == python
    assert "  A spit 9D on 1\n" in native
    plain = CliRunner().invoke(cli, words[:-1]).output
    assert native.startswith(plain)
    assert [line.split()[0] for line in plain.splitlines()[3:]] == ["1", "2", "3"]
