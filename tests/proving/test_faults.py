"""A fault put into the rules is found: the property that it breaks is refuted, by a game that reaches the breach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fairdeal.checker.proving.asking import Asker, Budget
from fairdeal.checker.proving.obligations import obligations
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.cards import RANKS
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.recording import Effect, Guard, Move, Pour
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.properties import PROPERTIES

from tests.proving.altered import altered
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


def disturbing(game: Game, event: str) -> Game:
    """A card of the second pile goes back into the deck beside what an event does."""
    found, pile = game.events[event], terms.const(2)
    lost = Move("pile", (pile,), "deck", ())
    return replace(game, events={**game.events, event: replace(found, effects=(*found.effects, lost))}, _digest="")


@pytest.mark.parametrize(("event", "part"), [("play", 0), ("spit", 1), ("flip", 2)])
def test_an_event_that_disturbs_a_pile_breaks_what_lies_in_piles(event: str, part: int) -> None:
    adjacent = PROPERTIES["S-ADJACENT"]
    declared = replace(PROPERTIES, properties=(replace(adjacent, parts=(adjacent.parts[part],)),))
    result = prove(disturbing(SPIT, event), declared, "S-ADJACENT")
    assert result.status == "refuted"
    assert f" {event} " in result.log.splitlines()[-1]


def test_neighbours_that_are_wrong_in_the_rules_are_found(tmp_path: Path) -> None:
    """What is next in rank is said apart from the rules, so a fault in their own word for it does not excuse itself."""
    wrong = altered(tmp_path, "spit/play.py", "either(step == 1,", "either(step == 0, step == 1,")
    code, (first, *_) = wrong.prove("spit", "S-ADJACENT")
    assert (code, first["status"]) == (1, "refuted")
    top, played = ([word for word in line.split() if word[:-1] in set(RANKS)][-1] for line in _onto(first["log"]))
    assert top[0] == played[0]


def _onto(log: str) -> tuple[str, str]:
    """The line that put the top on the pile of the last line of a log, and that last line."""
    lines = [line for line in log.splitlines() if " play " in line or " spit " in line]
    pile = lines[-1].split()[-1]
    return next(line for line in reversed(lines[:-1]) if line.split()[-1] == pile), lines[-1]
