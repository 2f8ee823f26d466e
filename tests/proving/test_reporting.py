"""How answers are shown: no wider than a terminal, with what is declared, and with names that are there."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.spec.games import MODULES, properties_of

from tests.expectations import TRACES

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("color", ["never", "always"])
def test_a_table_fits_eighty_columns(color: str) -> None:
    done = CliRunner().invoke(cli, ["prove", "queen-city-rum", "Q-SETS", "Q-MIN-WON", "--color", color])
    lines = [ESCAPE.sub("", line) for line in done.output.splitlines()]
    assert done.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert (ESCAPE.search(done.output) is not None) is (color == "always")
    assert next(line for line in lines if line.startswith("Q-")).startswith("Q-MIN-WON")
    assert lines[-1] == "2 proved, 2 computed"


@pytest.mark.parametrize("game", list(MODULES))
def test_properties_are_listed(game: str) -> None:
    run, declared = CliRunner(), properties_of(game)
    listed = run.invoke(cli, ["prove", game, "--list"]).output
    assert all(len(line) <= 80 for line in listed.splitlines())
    text = " ".join(listed.split())
    for one in declared.properties:
        assert f"{one.id} {one.statement}" in text
        assert all(f"- {part.expected}" in text for part in one.parts)
    helped = run.invoke(cli, ["prove", "--help"]).output
    assert all(one.id in helped for one in declared.properties)
    readme = (TRACES.parent / "README.md").read_text(encoding="utf-8")
    assert [one.id for one in declared.properties if f"`{one.id}`" not in readme] == []
    (first, *_) = declared.properties
    only = run.invoke(cli, ["prove", game, first.id, "--list"]).output
    assert [line.split()[0] for line in only.splitlines() if line[2] != " "] == [first.id]
