"""What is asked for is found, accepted by `check`, and says what it takes for granted."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.proving.expressions import ExpressionError, condition
from fairdeal.checker.proving.finding import NotFound, Request, find_game
from fairdeal.checker.proving.minimal import unreachable_within
from fairdeal.checker.proving.scripts import solve
from fairdeal.checker.proving.witnesses import checked
from fairdeal.spec.language.properties import Goal, Properties
from fairdeal.spec.queen_city_rum.properties import PROPERTIES as RUM_PROPERTIES
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.goals import GOALS
from fairdeal.spec.spit.properties import PROPERTIES

LONG = (
    "helpless-game",
    "shortest-game",
    "shortest-game-own",
    "shortest-game-distinct",
    "for-ever",
    "longest-round-one-pile",
    "exhausted",
    "draw-pile-turned-over",
)
"""Goals of long games, or of shapes that are hard to fill: some take a minute, and more on a busy machine."""
EVERY = [
    pytest.param(
        declared,
        goal,
        whole,
        id=f"{declared.game.name}-{goal.name}{'-whole' if whole else ''}",
        marks=[pytest.mark.verify] if whole or goal.name in LONG else [],
    )
    for declared in (PROPERTIES, RUM_PROPERTIES)
    for whole in (False, True)
    for goal in declared.goals
    if not whole or (goal.late and goal.whole)
]


@pytest.mark.parametrize(("declared", "goal", "whole"), EVERY)
def test_every_goal_is_found(declared: Properties, goal: Goal, whole: bool) -> None:
    game = declared.game
    lines = solve(game, game.bind(goal.rules, goal.readings), goal, whole=whole, seconds=180)
    witness = checked(game, lines, goal.readings, goal.rules)
    assert witness.verdict == ("legal" if lines[-1][0].name == "win" else "incomplete")
    assert ("round 1" in witness.text) is (whole or goal.late is None)


def test_a_log_says_what_it_assumes_and_that_none_is_shorter() -> None:
    witness = find_game(PROPERTIES, Request("fifteen"))
    assert "# assumed: a round that begins with this split of the cards" in witness.text
    assert "3 events, and no log of fewer reaches it" in witness.text


def test_what_is_shorter_is_not_called_unreachable() -> None:
    """The search for shorter logs finds that a round can be in play after four lines, and not after three."""
    options, goal = SPIT.bind(), next(one for one in GOALS if one.name == "one-pile")
    assert unreachable_within(SPIT, options, goal.condition.term, 5) == 3
    assert unreachable_within(SPIT, options, condition(SPIT, "phase == DEAL").term, 3) == 0


def test_the_deal_of_a_log_is_kept(tmp_path_factory: pytest.TempPathFactory) -> None:
    log = tmp_path_factory.mktemp("deals") / "one.gamelog"
    text = find_game(PROPERTIES, Request("stuck")).text
    log.write_text(text)
    again = find_game(PROPERTIES, Request("stuck", deal=str(log))).text
    deals = [line for line in text.splitlines() if " deal " in line]
    assert [line for line in again.splitlines() if " deal " in line] == deals
    with pytest.raises(NotFound):  # nobody can play after the first spit of this deal
        find_game(PROPERTIES, Request("stalled", whole=True, deal=str(log)))


@pytest.mark.parametrize("clause", ["SPIT-PLAY-5", "SPIT-FLIP-1", "SPIT-MOVE-3"])
def test_a_log_that_breaks_a_clause(clause: str) -> None:
    witness = find_game(PROPERTIES, Request(clause, broken=True, seconds=20))
    (report,) = check_text(witness.text)
    assert report.findings[0].code == clause
    assert report.findings[0].line == len(witness.text.splitlines())


@pytest.mark.parametrize("goal", ["move", "SPIT-SLAP-3", "pile[1].size == 4 and phase == PLAY"])
def test_events_clauses_and_conditions(goal: str) -> None:
    (report,) = check_text(find_game(PROPERTIES, Request(goal, seconds=20)).text)
    assert report.verdict.value in ("legal", "incomplete")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("pile.size == 3", "indexed"),
        ("nonsense", "there is no field nonsense"),
        ("phase == DRAWING", "no Phase: it has START"),
        ("7H in 3", "no set of cards"),
        ("phase in pile[1]", "no card"),
        ("stock[C, 1].empty", "no Player"),
        ("phase", "true or false"),
        ("__import__('os')", "not understood"),
        ("phase ==", "no condition"),
        ("1 == phase", "left of a comparison"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, word: str) -> None:
    with pytest.raises(ExpressionError, match=word):
        condition(SPIT, text)


def test_cards_are_named_as_in_a_log() -> None:
    """A card that begins with a digit is no word of Python's; a log is searched for it all the same."""
    witness = find_game(PROPERTIES, Request("7H in owned[A] and pile[1].top == none and solo == 'no pile'", seconds=20))
    assert witness.verdict == "incomplete"


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("deadlok", "no goal deadlok; did you mean deadlock?"),
        ("nothing-like-it", "`fairdeal find spit` lists all"),
        ("stok[A, 1].size == 2", "no field stok; did you mean stock?"),
        ("phase = PLAY", "`fairdeal find spit` lists what a condition is made of"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(goal: str, words: str) -> None:
    refused = CliRunner().invoke(cli, ["find", "spit", goal])
    assert refused.exit_code == 2
    assert words in refused.output
    assert all(len(line) <= 80 for line in refused.output.splitlines())


@pytest.mark.parametrize("declared", [PROPERTIES, RUM_PROPERTIES], ids=lambda one: one.game.name)
def test_what_can_be_looked_for_is_listed(declared: Properties) -> None:
    run = CliRunner()
    listed = run.invoke(cli, ["find", declared.game.name]).output
    goals, rest = listed.split("\n\n", 1)
    named = [line.split()[0] for line in goals.splitlines()[1:] if line[2] != " "]
    assert named == [goal.name for goal in declared.goals]
    for name in (*declared.game.events, *(one.name for one in declared.game.variables), *declared.game.derived):
        assert name in rest
    assert all(len(line) <= 80 for line in listed.splitlines())
    helped = run.invoke(cli, ["find", "--help"]).output
    assert all(f"{goal.name}" in helped for goal in declared.goals)
    example = re.search(r"such as '(.*?)', made of", rest)
    assert example is not None
    condition(declared.game, example[1])


def test_the_command(tmp_path_factory: pytest.TempPathFactory) -> None:
    run = CliRunner()
    literal = run.invoke(cli, ["find", "spit", "deadlock", "--reading", "literal"])
    assert literal.exit_code == 0
    assert "rules: literal" in literal.output
    assert run.invoke(cli, ["find", "spit", "deadlock", "--length", "2"]).exit_code == 1
    assert run.invoke(cli, ["find", "spit", "deadlock", "--rules", "standard"]).exit_code == 1
    assert run.invoke(cli, ["find", "spit", "no such goal"]).exit_code == 2
    assert run.invoke(cli, ["find", "whist", "stuck"]).exit_code == 2
