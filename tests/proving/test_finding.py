"""What is asked for is found, accepted by `check`, and says what it takes for granted."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import Generator
from fairdeal.checker.proving.dealing import DealsError, deals_of
from fairdeal.checker.proving.expressions import ExpressionError, condition
from fairdeal.checker.proving.finding import NotFound, found
from fairdeal.checker.proving.minimal import unreachable_within
from fairdeal.checker.proving.scripts import solve, together
from fairdeal.checker.proving.wanted import Request, wanted
from fairdeal.checker.proving.witnesses import Witness, checked
from fairdeal.spec.games import model_named
from fairdeal.spec.language.properties import Goal, Properties
from fairdeal.spec.queen_city_rum.properties import PROPERTIES as RUM_PROPERTIES
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.goals import GOALS
from fairdeal.spec.spit.properties import PROPERTIES

from tests.expectations import TRACES

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


def find_game(declared: Properties, request: Request) -> Witness:
    return found(wanted(declared, request))


@pytest.mark.parametrize(("declared", "goal", "whole"), EVERY)
def test_every_goal_is_found(declared: Properties, goal: Goal, whole: bool) -> None:
    game = declared.game
    lines = solve(game, game.bind(goal.rules, goal.readings), goal, whole=whole, seconds=180)
    witness = checked(game, lines, goal.readings, goal.rules, together=together(goal.script(whole=whole)))
    assert witness.verdict == ("legal" if lines[-1][0].name in {"win", "tie"} else "incomplete")
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


def _log(folder: Path, game: str, *, more: str = "") -> Path:
    log = folder / f"{game}.gamelog"
    log.write_text(Generator(model_named(game), "standard", {}, "text").one_game(3, 1) + more)
    return log


def _deals(text: str, words: str = r"deal|turn-up") -> list[str]:
    """The lines that deal the first round, without the times."""
    first = re.split(r"(?m)^(?:@\S+ )?round 2", text)[0]
    return re.findall(rf"(?m)^(?:@\S+ )?((?:[AB] )?(?:{words}) .*)$", first)


@pytest.mark.parametrize(
    ("declared", "goal", "broken"),
    [
        (PROPERTIES, "move", False),
        (PROPERTIES, "SPIT-SLAP-3", False),
        (PROPERTIES, "SPIT-PLAY-5", True),
        (PROPERTIES, "pile[1].size == 4 and phase == PLAY", False),
        (RUM_PROPERTIES, "take", False),
    ],
)
def test_random_play_keeps_the_deal_of_a_log(tmp_path: Path, declared: Properties, goal: str, broken: bool) -> None:
    log = _log(tmp_path, declared.game.name)
    text = find_game(declared, Request(goal, deal=str(log), broken=broken, seconds=20)).text
    dealt = _deals(log.read_text())
    assert len(dealt) == (2 if declared is PROPERTIES else len(dealt)) >= 2
    assert _deals(text) == dealt
    assert "# the deal of the first round is that of the log that was given" in text


@pytest.mark.parametrize("goal", ["move", "stuck", "SPIT-SLAP-3", "pile[1].size == 4"])
def test_deals_that_cannot_be_kept_are_refused(tmp_path: Path, goal: str) -> None:
    bare = tmp_path / "bare.gamelog"
    bare.write_text("gamelog: 1\ngame: spit\n\nround 1\nA call\n")
    hidden = tmp_path / "hidden.gamelog"
    hidden.write_text(
        "gamelog: 1\ngame: spit\n\nround 1\nA deal ?? | ?? ?? | ?? ?? ?? | ?? ?? ?? ?? | ?? ?? ?? ?? ?? / ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??\n"
    )
    for file, words in {
        str(tmp_path / "missing.gamelog"): "there is no such file",
        str(_log(tmp_path, "queen-city-rum")): "line 8: this is a log of Queen City Rum",
        str(bare): "no game of Spit begins in it with a deal",
        str(hidden): "line 5: not all cards of this deal are known",
    }.items():
        refused = CliRunner().invoke(cli, ["find", "spit", goal, "--deal", file])
        assert refused.exit_code == 2
        assert words in _flat(refused.output)


def _flat(said: str) -> str:
    return " ".join(said.replace("fairdeal: ", "").split())


def test_a_deal_that_is_not_lawful_or_not_of_the_first_round_is_refused(tmp_path: Path) -> None:
    log = _log(tmp_path, "spit")
    twice = tmp_path / "twice.gamelog"
    text = log.read_text()
    twice.write_text(text.replace(_deals(text)[1][7:9], _deals(text)[0][7:9], 1))
    with pytest.raises(DealsError, match=r"line 9: .* not lawful \(SPIT-EQUIP-2\)"):
        find_game(PROPERTIES, Request("move", deal=str(twice)))
    late = TRACES / "witnesses" / "spit-fifteen.gamelog"
    with pytest.raises(DealsError, match="--whole"):
        find_game(PROPERTIES, Request("move", deal=str(late), whole=True))
    assert _deals(find_game(PROPERTIES, Request("move", deal=str(late))).text) == _deals(late.read_text())


def test_a_script_deals_to_each_player_what_the_log_does(tmp_path: Path) -> None:
    """Whatever the order of the deals in the log, and also what a script leaves to chance."""
    text = (TRACES / "witnesses" / "spit-stuck.gamelog").read_text()
    one, other = _deals(text)
    log = tmp_path / "swapped.gamelog"
    log.write_text(text.replace(one, "-").replace(other, one).replace("-\n", f"{other}\n"))
    assert _deals(log.read_text()) == [other, one]
    assert sorted(_deals(find_game(PROPERTIES, Request("stuck", deal=str(log))).text)) == sorted([one, other])
    rum = deals_of(RUM_PROPERTIES.game, str(_log(tmp_path, "queen-city-rum")), RUM_PROPERTIES.game.bind())
    goal = next(one for one in RUM_PROPERTIES.goals if one.name == "out")
    names = [act.event.name for act in rum.within(goal.script(whole=True))]
    assert names[: len(rum.opening)] == ["round", "deal", "deal", "deal_stock", "turn_up"]


def test_a_goal_that_a_deal_does_not_reach_is_told_of_that_deal(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"with the deal of .*spit\.gamelog the 5 events"):
        find_game(PROPERTIES, Request("stuck", deal=str(_log(tmp_path, "spit"))))


@pytest.mark.parametrize("goal", ["stuck", "move", "pile[1].size == 3", "stock[A, 1].empty", "phase"])
def test_only_a_clause_can_be_broken(goal: str) -> None:
    refused = CliRunner().invoke(cli, ["find", "spit", goal, "--broken"])
    assert refused.exit_code == 2
    assert f"breaks a clause or gap, and {goal} is none" in _flat(refused.output)


@pytest.mark.parametrize("goal", ["flip", "pile[1].size == 3", "stuck"])
def test_a_length_within_which_nothing_can_be_is_told_at_once(goal: str) -> None:
    with pytest.raises(NotFound, match=r"no log of 3 events or fewer \(--length\) gets there: whatever the deal"):
        find_game(PROPERTIES, Request(goal, length=3))


def test_the_fewest_lines_of_an_event_are_not_called_too_few() -> None:
    """A first spit is the fourth line: random games show it, so it must not be denied, and no sooner one can be."""
    options = SPIT.bind()
    lines = len(find_game(PROPERTIES, Request("spit", length=4, seconds=20)).text.split("\n\n")[1].splitlines())
    assert unreachable_within(SPIT, options, ["spit"], lines) == lines - 1


def test_a_search_that_ends_without_a_game_says_how_far_it_went() -> None:
    with pytest.raises(NotFound) as failure:
        find_game(PROPERTIES, Request("pile[1].size == 50", length=9, seconds=1))
    assert "not found within 9 events (--length)" in str(failure.value)
    assert "random games are not all games, so it may still be possible" in str(failure.value)


def test_what_is_found_and_tried_is_said_plainly() -> None:
    assert re.search(
        r"# found by random play, in game \d+ of those played;", find_game(PROPERTIES, Request("move")).text
    )


@pytest.mark.parametrize("goal", ["pile[1].size == ", "pilee", "dedlock", "stok[A, 1].empty", "--deal"])
def test_a_slip_is_refused_before_a_solver_is_loaded(goal: str) -> None:
    call = ["find", "spit", goal] if goal != "--deal" else ["find", "spit", "move", "--deal", "missing.gamelog"]
    program = (
        "import sys; from fairdeal.checker.cli import cli\n"
        f"try: cli({call!r})\n"
        "except SystemExit as end: print(end.code, 'z3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "2 False\n"


def test_the_help_says_for_which_goals_deals_are_kept() -> None:
    assert "kept, for any goal" in _flat(CliRunner().invoke(cli, ["find", "--help"]).output)
