"""A fault put into the melds of Queen City Rum is found: in its guards, and in the tables that they ask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Guard
from fairdeal.spec.language.terms import subterms
from fairdeal.spec.queen_city_rum import RUM
from fairdeal.spec.queen_city_rum.melds import CORNERS, RUNS, SETS
from fairdeal.spec.queen_city_rum.properties import PROPERTIES

from tests.proving.altered import altered
from tests.proving.faulty import prove, with_guards

pytestmark = pytest.mark.verify
"""Each of them has the invariants of melds asked, and then looks for a game."""


def round_the_corner(guard: Guard) -> Guard | None:
    """Runs go on from the king over the ace to the 2, and nothing speaks against it."""
    tables = {one.value for one in subterms(guard.condition) if one.op == "listed"}
    if CORNERS in tables:
        return None
    wider = {
        one: terms.listed(one.args[0], tuple(sorted((*SETS, *RUNS, *CORNERS))))
        for one in subterms(guard.condition)
        if one.op == "listed"
    }
    return replace(guard, condition=terms.replace(guard.condition, wider)) if wider else guard


def takes_any_card(guard: Guard) -> Guard | None:
    """Nothing is asked of what a lay-off makes of a meld."""
    return None if any(one.op == "listed" for one in subterms(guard.condition)) else guard


def events_of(log: str) -> list[str]:
    """The events of a log, its header aside."""
    return log.split("\n\n", 1)[1].strip().splitlines()


def test_a_run_round_the_corner_is_found() -> None:
    game = with_guards(RUM, "meld", round_the_corner)
    result = prove(game, PROPERTIES, "Q-MELDS")
    assert result.status == "refuted"
    assert " meld " in result.log.splitlines()[-1]


def test_a_table_of_runs_with_one_round_the_corner_is_found(tmp_path: Path) -> None:
    """The table itself is changed, which the guards ask: what is claimed of melds does not ask it."""
    wrong = altered(tmp_path, "queen_city_rum/melds.py", "*range(RANKS), ACE]", "*range(RANKS), ACE, TWO]")
    code, results = wrong.prove("queen-city-rum", "Q-MELDS")
    on_the_table, listed = results
    assert (code, on_the_table["status"], listed["status"]) == (1, "refuted", "refuted")
    assert "is listed as a run, and is none" in listed["found"]
    log = tmp_path / "found.gamelog"
    log.write_text(on_the_table["log"], encoding="utf-8")
    assert wrong.run("check", str(log)).returncode == 0  # lawful by the faulty rules
    told = CliRunner().invoke(cli, ["check", str(log)])
    assert (told.exit_code, "error[QCR-MELD-3]" in told.output) == (1, True)


def test_a_lay_off_that_takes_any_card_is_refuted_by_a_short_game() -> None:
    game = with_guards(RUM, "lay", takes_any_card)
    result = prove(game, PROPERTIES, "Q-MELDS")
    assert (result.status, result.method) == ("refuted", "a game, searched")
    lines = events_of(result.log)
    assert len(lines) <= 7, result.log
    assert " lay " in lines[-1]
