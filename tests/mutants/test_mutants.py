"""The mutants themselves: what they change, that they are the same every time, and that judging them is judging."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fairdeal.checker.judging.shelf import Shelf
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import terms

from tests.expectations import TRACES
from tests.mutants.definitions import definitions
from tests.mutants.judging import DifferenceError, MutantRules, Rules, find_traces, judge
from tests.mutants.making import DEFINITIONS, OPTIONS, Mutant, mutants
from tests.mutants.running import NOTHING, equivalents

ROOT = Path(__file__).resolve().parents[2]
every_game = pytest.mark.parametrize("game", list(MODULES))


def named(game: str, name: str) -> Mutant:
    return next(one for one in mutants(model_named(game)) if one.id == name)


@every_game
def test_every_guard_can_be_dropped_and_turned_round(game: str) -> None:
    found = {one.id for one in mutants(model_named(game))}
    for event in model_named(game).events.values():
        for guard in event.guards:
            assert any(one.startswith(f"{event.name}/{guard.clause}#") and one.endswith("/drop") for one in found)
        assert sum(one.startswith(f"{event.name}/") and one.endswith("/negate") for one in found) >= len(event.guards)


@every_game
def test_every_event_and_definition_and_option_has_mutants(game: str) -> None:
    model = model_named(game)
    of = {one.event for one in mutants(model)}
    assert of == {*model.events, DEFINITIONS, OPTIONS}


@every_game
def test_what_the_language_makes_is_found_in_the_rules_under_its_name(game: str) -> None:
    found = {one.id for one in mutants(model_named(game))}
    for definition in definitions(game):
        for key in ("true", "false", *(key.replace(" ", "-") for key in definition.variants)):
            assert not definition.opaque or f"{DEFINITIONS}/{definition.name}/{key}" in found


@every_game
def test_a_mutant_differs_from_the_rules_and_from_every_other(game: str) -> None:
    model = model_named(game)
    every = mutants(model)
    assert len({one.content for one in every}) == len(every)
    for one in every:
        same = {name: model.events[name] for name in one.events}
        derived = {name: model.derived[name] for name in one.derived}
        options = {name: model.options[name] for name in one.options}
        rule_sets = {name: model.rule_sets[name] for name in one.rule_sets}
        assert replace(one, events=same, derived=derived, options=options, rule_sets=rule_sets).content != one.content


@every_game
def test_mutants_are_named_alike_in_every_process(game: str) -> None:
    command = [sys.executable, "-m", "tests.mutants", game, "--list"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [line for line in printed.splitlines() if not line.startswith(" ")][:-1]
    assert names == [one.id for one in mutants(model_named(game))]


@every_game
def test_the_rules_are_left_as_they_were(game: str) -> None:
    model = model_named(game)
    version, events = model.version, dict(model.events)
    for one in mutants(model)[:50]:
        assert one.applied(model).version != version
    assert model.events == events
    assert model.version == version


@every_game
def test_equivalent_mutants_exist_and_have_a_reason(game: str) -> None:
    argued = equivalents(game)
    assert argued
    assert argued.keys() <= {one.id for one in mutants(model_named(game))}
    assert all(len(reason.split()) >= 5 for reason in argued.values())


def test_a_mutant_without_a_change_judges_as_the_rules_do() -> None:
    rules = Rules(model_named("spit"))
    itself = replace(NOTHING, events={name: rules.rules.events[name] for name in ("play", "deal", "collect")})
    own = [
        trace for trace in find_traces(TRACES, recorded_yields=False) if "game: spit" in trace.path.read_text("utf-8")
    ]
    for trace in own[::40]:
        outcomes = []
        for shelf in (Shelf(), rules, MutantRules(rules, NOTHING), MutantRules(rules, itself)):
            try:
                judge(trace, shelf)
                outcomes.append("as expected")
            except DifferenceError as difference:
                outcomes.append(str(difference))
        assert len(set(outcomes)) == 1, trace.path


def test_a_known_mutant_is_killed_by_a_trace_about_its_clause() -> None:
    rules = Rules(model_named("spit"))
    mutant = next(
        one
        for one in mutants(model_named("spit"))
        if one.event == "play" and one.id.startswith("play/SPIT-PLAY-5#1/drop")
    )
    killers = []
    for trace in find_traces(TRACES, recorded_yields=False):
        if trace.is_about("SPIT-PLAY-5"):
            judge(trace, rules)
            try:
                judge(trace, MutantRules(rules, mutant))
            except DifferenceError:
                killers.append(trace.name)
    assert killers


def test_conditions_that_others_share_are_changed_everywhere_at_once() -> None:
    model = model_named("spit")
    never = named("spit", f"{DEFINITIONS}/can_play/false")
    can_play = model.derived["can_play"]
    for event in never.applied(model).events.values():
        for guard in event.guards:
            assert can_play not in set(terms.subterms(guard.condition)), event.name


@pytest.mark.verify
@every_game
def test_the_traces_tell_every_mutant_from_the_rules(game: str) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.mutants", game], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
