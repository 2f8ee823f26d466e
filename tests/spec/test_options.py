"""Options and versions: what can be chosen, and when two games are the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import (
    Expr,
    Game,
    OptionError,
    require,
    when,
)
from fairdeal.spec.language.options import Option
from fairdeal.spec.language.terms import FALSE, TRUE

from .toy import House, Side, T, Toy, toy

# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"colour": "gren"}, "colour=gren: the values of colour are red, green, blue; did you mean green?"),
        ({"colour": "7"}, "colour=7: the values of colour are red, green, blue"),
        ({"color": "red"}, "toy has no option color; did you mean colour=red|green|blue?"),
        ({"zzz": "red"}, "toy has no option zzz; its options are colour, strict"),
    ],
)
def test_an_option_that_is_not_there_is_told_with_those_that_are(chosen: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as error:
        toy().bind(None, chosen)
    assert str(error.value) == message


def test_rules_that_are_not_there_are_told_with_those_that_are() -> None:
    with pytest.raises(OptionError, match="rules dull: the rule sets of toy are standard, bright"):
        toy().bind("dull")
    with pytest.raises(OptionError, match="rules brigth: did you mean bright"):
        toy().bind("brigth")


@pytest.mark.parametrize("value", ["0", "101", "-1", "1.5", "٣", "", "1" * 400, "a"])
def test_a_number_is_a_whole_number_within_its_bounds(value: str) -> None:
    option = Option("target", (), "100", ("100",), "GAP-TOY-3", (1, 100))
    with pytest.raises(OptionError, match=f"target={re.escape(value)}: target is a whole number from 1 to 100"):
        option.encode(value)


def test_numbers_within_bounds_stand_for_themselves() -> None:
    option = Option("target", (), "100", ("100",), "GAP-TOY-3", (1, 100))
    assert [option.encode(value) for value in ("1", "42", "100")] == [1, 42, 100]


def test_what_is_chosen_goes_before_the_rule_set_and_that_before_defaults() -> None:
    assert toy().bind() == {"colour": 0, "strict": 0}
    assert toy().bind("bright") == {"colour": 1, "strict": 0}
    assert toy().bind("bright", {"colour": "blue", "strict": "true"}) == {"colour": 2, "strict": 1}


def test_published_values_are_not_textual() -> None:
    assert House.declared()["colour"].textual == ("red", "green")
    assert House.declared()["colour"].default == "red"


# ---------------------------------------------------------------- versions


def _printed_version(game: str, seed: str) -> str:
    code = f"from fairdeal.spec.games import model_named; print(model_named({game!r}).version)"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("game", list(MODULES))
def test_a_version_is_the_same_in_every_process(game: str) -> None:
    versions = {_printed_version(game, seed) for seed in ("0", "1", "4711")}
    assert versions == {model_named(game).version}
    assert re.fullmatch(rf"{game} [0-9a-f]{{12}}", versions.pop())


def _game(**changes: Any) -> Game:
    """A game with one event; ``changes`` replace parts of its guard, of the event or of the game."""
    game = toy()

    def event(t: Toy, player: Expr[Side]) -> None:
        require(t.side == player, "TOY-1", "not {player}")
        with when(t.on):
            t.number = t.number + 1

    game.event("TOY-1")(event)
    game.define("complete", T.on)
    return changes["change"](game) if changes else game


def _changed_guard(game: Game, **parts: Any) -> Game:
    return _changed_event(game, guards=(replace(game.events["event"].guards[0], **parts),))


def _changed_event(game: Game, **parts: Any) -> Game:
    game.events["event"] = replace(game.events["event"], **parts)
    return game


@pytest.mark.parametrize(
    "change",
    [
        lambda game: _changed_guard(game, condition=TRUE),
        lambda game: _changed_guard(game, clause="TOY-2"),
        lambda game: _changed_guard(game, template="no"),
        lambda game: _changed_guard(game, physical=True),
        lambda game: _changed_event(game, effects=()),
        lambda game: _changed_event(game, effects=(replace(game.events["event"].effects[0], condition=FALSE),)),
        lambda game: _changed_event(game, cites=("TOY-2",)),
        lambda game: _changed_event(game, observation=True),
        lambda game: _changed_event(game, guards=game.events["event"].guards * 2),
        lambda game: replace(game, derived={"complete": T.flags[0, 1].term}),
        lambda game: replace(game, options={**game.options, "strict": replace(game.options["strict"], default="true")}),
        lambda game: replace(game, options={**game.options, "strict": replace(game.options["strict"], textual=())}),
        lambda game: replace(game, rule_sets={"standard": game.rule_sets["standard"]}),
        lambda game: _changed_event(game, claim=True),
        lambda game: _changed_event(game, beyond={"player": "TOY-2"}),
        lambda game: replace(game, one_deck="TOY-2"),
        lambda game: replace(game, overlap="TOY-2"),
        lambda game: replace(game, entry="event"),
        lambda game: replace(game, reasons={"TOY-1": "late"}),
    ],
)
def test_a_changed_rule_changes_the_version(change: Callable[[Game], Game]) -> None:
    assert _game().version == _game().version
    assert _game(change=change).version != _game().version
