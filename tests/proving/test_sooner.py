"""That an event can be made sooner: shown of flips, refuted where it is not so, and what exploring says of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairdeal.checker.proving.asking import Answer, Asker, Budget
from fairdeal.checker.proving.commuting import sooner_obligations
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.games import exploration_of, properties_of
from fairdeal.spec.language.exploring import Explored
from fairdeal.spec.language.properties import Part, Sooner
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.exploration import face_down

ROOT = Path(__file__).resolve().parent.parent.parent
DECLARED = properties_of("spit")
(PART,) = next(one for one in DECLARED.properties if one.id == "S-SOONER").parts
assert isinstance(PART.claim, Sooner)
FLIPS: Sooner = PART.claim


def first_slot(player: Any, slot: Any) -> Any:
    """Slots are alike (which is checked on the record of every deal that is explored), so one stands for all."""
    return (slot == 1) & face_down(player, slot)


def answers(claim: Sooner, readings: dict[str, tuple[str, ...]]) -> dict[str, Answer]:
    few = tuple(Explored("flip", first_slot) if one.event == "flip" else one for one in claim.events)
    using = [DECLARED.invariants[name].term for name in claim.using]
    found = sooner_obligations(Model(SPIT), replace(claim, events=few), using, readings)
    return {one.name: Asker(one.name, Budget(60)).of(one.ask) for one in found}


def test_a_flip_of_a_players_first_stock_can_be_made_before_anything_else() -> None:
    found = answers(FLIPS, dict(PART.readings))
    assert {name for name, answer in found.items() if answer.answer != "proved"} == set()
    assert len(found) == 1 + 2 * len(FLIPS.events)
    assert found["play in either order"].queries > 20


@pytest.mark.parametrize(
    ("event", "readings", "broken"),
    [
        ("flip", {"stuck": ("plays_only",)}, "nothing asked holds yet"),  # a spit may be forced while cards are hidden
        ("flip", {"compulsion": ("forced",)}, "flip in either order"),  # a card turned up has to be played first
        ("move", {}, "play in either order"),  # the card that is moved cannot be played from where it lay
        ("play", {}, "play in either order"),  # two plays on one pile
    ],
)
def test_what_cannot_be_made_sooner_is_refuted(event: str, readings: dict[str, tuple[str, ...]], broken: str) -> None:
    claim = replace(FLIPS, event=event)
    using = [DECLARED.invariants[name].term for name in claim.using]
    found = sooner_obligations(Model(SPIT), claim, using, {**PART.readings, **readings})
    (one,) = (each for each in found if each.name == broken)
    assert Asker(one.name, Budget(60)).of(one.ask).answer == "refuted"


@pytest.mark.parametrize("game", ["spit", "queen-city-rum"])
def test_a_proof_that_a_page_names_is_one_of_that_event_under_those_readings(game: str) -> None:
    page = exploration_of(game)
    parts: dict[str, list[Part]] = {one.id: list(one.parts) for one in properties_of(game).properties}
    for eager in page.eager:
        if "/" in eager.proof:
            assert (ROOT / eager.proof).is_file()
        elif eager.proof:
            (part,) = parts[eager.proof]
            claim = part.claim
            assert isinstance(claim, Sooner)
            assert (claim.event, eager.where) == (eager.event, None)
            assert claim.events == page.events
            assert [one.term for one in claim.asked] == [one.condition.term for one in page.classes.values()]
            assert all(set(eager.holds_under[name]) <= set(values) for name, values in part.readings.items())
    assert not page.eager or any(one.proof for one in page.eager)
