"""A fault in the tables of the rules themselves is told by what is claimed of them: the part is refuted, and exit is 1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairdeal.checker.proving.asking import Budget
from fairdeal.checker.proving.prover import Prover, Result
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.cards import NAMES
from fairdeal.spec.language.properties import Checked, Computed, Part, Properties, Property, Reached
from fairdeal.spec.queen_city_rum import RUM, definition, points, properties
from fairdeal.spec.queen_city_rum.goals import GOAL
from fairdeal.spec.queen_city_rum.melds import CORNERS, RUNS, SETS, VALUE
from fairdeal.spec.queen_city_rum.scoring import MIN_WON

from tests.proving.altered import altered

MELDS = "queen_city_rum/melds.py"
VALUES = "VALUE = (15, 2, 3,"


def answer(claim: Any, expected: str, readings: dict[str, tuple[str, ...]] | None = None) -> Result:
    part = Part(claim, "some part", readings or {}, expected)
    declared = Properties(RUM, {}, (Property("Q-SOME", "Something.", (part,)),))
    (result,) = Prover(Model(RUM), declared, Budget(30)).answer(declared.properties)
    return result


def test_a_figure_is_compared_with_what_is_said_of_it() -> None:
    right = answer(Computed(lambda options: "three", "counting", "three"), "computed")
    assert (right.status, right.as_expected) == ("computed", True)
    wrong = answer(Computed(lambda options: "four", "counting", "three"), "computed")
    assert (wrong.status, wrong.as_expected) == ("refuted", False)
    assert wrong.reason == "it should come to three, and comes to four"


def test_a_figure_is_computed_under_every_reading_that_it_looks_at() -> None:
    """Also under those of an option that is looked at under some value of another one alone."""

    def told(options: Mapping[str, int]) -> str:
        return str(options["low_ace"] if options["bonus"] == RUM.encode("bonus", "game") else 0)

    wrong = answer(Computed(told, "reading", "0"), "computed")
    assert wrong.status == "refuted"
    assert wrong.reason == "it should come to 0, and comes to 1 under bonus=game, low_ace=1"
    assert answer(Computed(told, "reading", "0"), "computed", {"low_ace": ("15",)}).status == "computed"
    assert answer(Computed(told, "reading", "0"), "computed", {"bonus": ("round",)}).status == "computed"


def test_a_game_is_found_under_each_reading_that_is_named() -> None:
    """Where lay-offs count for who made the meld, the same cards bring fewer points."""
    claim = Reached(GOAL["fewest-points-low"], whole=True)
    assert answer(claim, "proved", {"layoff_credit": ("layer",)}).status == "proved"
    both = answer(claim, "proved", {"layoff_credit": ("layer", "owner")})
    assert (both.status, "layoff_credit=owner" in both.reason) == ("unknown", True)


def test_every_case_of_a_claim_is_tried() -> None:
    def odd(number: int) -> str:
        return "" if number % 2 else f"{number} is even"

    right = answer(Checked(lambda: [1, 3, 5], odd, "trying"), "proved")
    assert (right.status, right.reason) == ("proved", "all 3 cases are as they should be")
    wrong = answer(Checked(lambda: [1, 4, 5], odd, "trying"), "proved")
    assert (wrong.status, wrong.reason, wrong.as_expected) == ("refuted", "4 is even", False)
    assert answer(Checked(list, odd, "trying"), "proved").status == "unknown"


def test_the_definition_of_a_meld_is_none_of_the_tables() -> None:
    """Cards are named here as a person would, and the tables are those that the rules look melds up in."""
    names = {name: code for code, name in enumerate(NAMES)}

    def codes(cards: str) -> list[int]:
        return [names[name] for name in cards.split()]

    for cards in ("AS 2S 3S", "QS KS AS", "4H 5H 6H 7H", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"):
        assert definition.is_run(codes(cards)), cards
    for cards in ("KS AS 2S", "QS KS AS 2S", "4H 5H", "4H 5H 7H", "4H 5H 6S", "KS AS 2S 3S"):
        assert not definition.is_run(codes(cards)), cards
    assert definition.is_set(codes("AS AH AD AC"))
    assert not any(definition.is_set(codes(cards)) for cards in ("AS AH", "AS AH AD 2S", "AS 2S 3S"))
    assert (set(definition.sets()), set(definition.runs())) == (set(SETS), set(RUNS))
    assert not any(definition.is_run(definition.cards_of(mask)) for mask in CORNERS)


def test_a_table_of_melds_that_lists_too_much_or_too_little_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> list[str]:
        return [told for mask in properties.possible_melds() if (told := properties.unlike_the_definition(mask))]

    assert wrong() == []
    monkeypatch.setattr(properties, "RUNS", (*RUNS, CORNERS[0]))
    assert wrong() == [f"{definition.told(CORNERS[0])} is listed as a run, and is none"]
    monkeypatch.setattr(properties, "RUNS", RUNS[1:])
    assert wrong() == [f"{definition.told(RUNS[0])} is a run, and is not listed"]
    mixed = SETS[0] | 1 << 51
    monkeypatch.setattr(properties, "RUNS", RUNS)
    monkeypatch.setattr(properties, "SETS", (*SETS, mixed))
    assert wrong() == [f"{definition.told(mixed)} is listed as a set, and is none"]


def test_what_is_said_of_the_fewest_points_is_refuted_by_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures by themselves; each of them depends on what the cheapest cards are worth."""
    monkeypatch.setattr(points, "VALUE", (15, 1, 1, *VALUE[3:]))
    points.beside_a_floater.cache_clear()
    figures = [part for part in MIN_WON.parts if isinstance(part.claim, Computed)]
    refuted = {part.title: answer(part.claim, "computed", dict(part.readings)).status for part in figures[:6]}
    points.beside_a_floater.cache_clear()
    assert set(refuted.values()) == {"refuted"}, refuted


@pytest.mark.parametrize(
    ("old", "new", "names", "told"),
    [
        (VALUES, "VALUE = (25, 2, 3,", ["Q-MAX-ROUND"], "294 points at most"),
        pytest.param(VALUES, "VALUE = (15, 1, 3,", ["Q-MIN-WON"], "28 points at least", marks=pytest.mark.verify),
    ],
)
def test_a_fault_in_a_table_refutes_what_is_said_of_it(
    old: str, new: str, names: list[str], told: str, tmp_path: Path
) -> None:
    code, results = altered(tmp_path, MELDS, old, new).prove("queen-city-rum", *names)
    refuted = [one for one in results if one["status"] == "refuted" and one["expected"] != "refuted"]
    assert code == 1
    assert any(told in one["found"] for one in refuted), results
