"""A fault put into the rules is found: the property that it breaks is refuted, by a game that reaches the breach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairdeal.checker.proving.asking import Asker, Budget
from fairdeal.checker.proving.obligations import obligations
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.recording import Effect, Guard, Move, Pour
from fairdeal.spec.language.terms import subterms
from fairdeal.spec.queen_city_rum import RUM
from fairdeal.spec.queen_city_rum.melds import CORNERS, RUNS, SETS
from fairdeal.spec.queen_city_rum.properties import PROPERTIES as RUM_PROPERTIES
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.properties import PROPERTIES

from tests.proving.faulty import Copy, Drop, FaultyEffects, FaultyInterpreter, prove, with_effects, with_guards


def leaves_a_copy(effect: Effect) -> Effect:
    if isinstance(effect, Move):
        return Copy(effect.source, effect.source_index, effect.target, effect.target_index)
    return effect


def drops_the_top(effect: Effect) -> Effect:
    if isinstance(effect, Pour) and effect.source == "spit":
        return Drop(effect.source, effect.source_index, effect.target, effect.target_index)
    return effect


def follows_nothing(guard: Guard) -> Guard | None:
    return None if "is empty" in guard.template else guard


def keeps_some_of_few(guard: Guard) -> Guard | None:
    return None if "all go onto the stocks" in guard.template else guard


COPYING = with_effects(SPIT, "play", leaves_a_copy)
DROPPING = with_effects(SPIT, "collect", drops_the_top)
BLIND = with_guards(SPIT, "flip", follows_nothing)
KEEPING = with_guards(SPIT, "deal", keeps_some_of_few)


def broken_obligations(game: Game, name: str, part_number: int = 0) -> list[str]:
    model = Model(game, FaultyEffects, FaultyInterpreter)
    part = PROPERTIES[name].parts[part_number]
    found = obligations(model, part.claim, PROPERTIES, part.readings)
    return [one.name for one in found if one.ask(Asker(one.name, Budget(60))).answer != "proved"]


@pytest.mark.parametrize(("game", "event"), [(COPYING, "play"), (DROPPING, "collect")])
def test_only_the_faulty_event_breaks_conservation(game: Game, event: str) -> None:
    assert broken_obligations(game, "S-CONSERVE") == [event]


def test_cards_kept_of_few_are_a_way_to_win_without_playing_them() -> None:
    (number,) = (
        at for at, part in enumerate(PROPERTIES["S-FEWEST"].parts) if part.title.startswith("nothing but a play")
    )
    assert broken_obligations(KEEPING, "S-FEWEST", number) == ["deal"]


@pytest.mark.parametrize(
    ("game", "name", "last"),
    [(COPYING, "S-CONSERVE", " play "), (DROPPING, "S-CONSERVE", " collect "), (BLIND, "S-FIVE", " flip ")],
)
def test_a_faulty_model_is_refuted_by_a_game(game: Game, name: str, last: str) -> None:
    result = prove(game, PROPERTIES, name)
    assert result.status == "refuted"
    assert last in result.log.splitlines()[-1]
    assert not result.as_expected


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


@pytest.mark.verify
def test_a_run_round_the_corner_is_found() -> None:
    game = with_guards(RUM, "meld", round_the_corner)
    result = prove(game, RUM_PROPERTIES, "Q-MELDS")
    assert result.status == "refuted"
    assert " meld " in result.log.splitlines()[-1]
