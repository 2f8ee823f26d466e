"""What cannot be is told to be impossible, and how short no log is; and which option a gap's guard needs to fail."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.proving.impossible import Tables, is_impossible
from fairdeal.checker.proving.wanted import Request, wanted
from fairdeal.spec.games import properties_of

SPIT, RUM = properties_of("spit"), properties_of("queen-city-rum")


def looked_for(*words: str) -> str:
    result = CliRunner().invoke(cli, ["find", *words])
    assert result.exit_code == 1, result.output
    return " ".join(result.output.split())


def test_that_no_log_is_so_short_is_shown_of_a_goal_too() -> None:
    said = looked_for("spit", "stuck", "--length", "4")
    assert "no log of 4 events or fewer (--length) gets there" in said
    assert "not looked at" not in said


def test_how_far_it_was_shown_is_said_where_the_length_allows_more() -> None:
    said = looked_for("spit", "blocked", "--length", "20", "--timeout", "8")
    assert "no log of" in said
    assert "is not known" in said


@pytest.mark.parametrize(
    "condition", ["pile[1].size == 60", "pile[1].size + pile[2].size == 53", "owes[A] and owes[B]"]
)
def test_what_holds_on_no_table_is_impossible(condition: str) -> None:
    said = looked_for("spit", condition, "--timeout", "20")
    assert f"{condition} is impossible" in said
    assert "may still be possible" not in said


@pytest.mark.parametrize("condition", ["pile[1].size == 40", "pile[1].size + pile[2].size == 51", "round == 3"])
def test_what_can_be_is_not_called_impossible(condition: str) -> None:
    assert not is_impossible(wanted(SPIT, Request(condition)), 20)


@pytest.mark.verify
def test_every_declared_goal_is_possible_under_its_readings() -> None:
    for declared in (SPIT, RUM):
        for goal in declared.goals:
            asked = wanted(declared, Request(goal.name))
            assert not Tables(asked, 5).lacks(goal.condition.term), goal.name


def test_a_hole_that_a_reading_closes_is_impossible_under_it() -> None:
    assert "deadlock is impossible" in looked_for("spit", "deadlock", "--option", "fifteen=single")


def test_a_guard_that_cannot_fail_is_told_with_the_option_that_lets_it() -> None:
    said = looked_for("spit", "GAP-SPIT-1", "--broken")
    assert "no guard of it can fail under the readings in force" in said
    assert "one can with --option ace=literal or --option ace=linear" in said


def test_an_event_that_is_never_lawful_is_impossible() -> None:
    said = looked_for("queen-city-rum", "reshuffle", "--timeout", "20")
    assert "reshuffle is impossible" in said
