"""A hand by itself: its partitions against a search that knows nothing of the rules' record."""

from __future__ import annotations

import json
import random
from itertools import combinations

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.exploring.hands import look_at

VALUE = [15, *range(2, 11), 10, 10, 10]  # QCR-VALUE-1, ace first


def is_meld(cards: tuple[int, ...]) -> bool:
    """QCR-MELD-1 to 3: three or more of a rank, or of one suit in sequence with the ace at either end."""
    ranks, suits = [card // 4 for card in cards], {card % 4 for card in cards}
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return True
    if len(suits) > 1:
        return False
    return any(
        sorted(each) == list(range(min(each), min(each) + len(each))) for each in (ranks, [r or 13 for r in ranks])
    )


def partitions(cards: tuple[int, ...]) -> set[frozenset[tuple[int, ...]]]:
    """Every set of melds that share no card."""
    melds = [each for size in range(3, len(cards) + 1) for each in combinations(cards, size) if is_meld(each)]
    found = {frozenset[tuple[int, ...]]()}
    for meld in melds:
        found |= {each | {meld} for each in found if all(not set(meld) & set(other) for other in each)}
    return found


def hands() -> list[tuple[int, ...]]:
    chance = random.Random(5)
    plain = [tuple(sorted(chance.sample(range(52), 11))) for _ in range(6)]
    rich = [
        tuple(sorted(chance.sample([card for card in range(52) if card // 4 in (0, 1, 2, 10, 11, 12)], 9)))
        for _ in range(8)
    ]
    run = tuple(rank * 4 for rank in range(8))
    return [*plain, *rich, run, (0, 4, 48), (0, 44, 48), (40, 44, 48, 0, 1, 2)]


@pytest.mark.parametrize("cards", hands())
def test_all_partitions_are_found_and_worth_what_their_cards_are(cards: tuple[int, ...]) -> None:
    hand = look_at("queen-city-rum", cards, None, {})
    assert {frozenset(one.melds) for one in hand.partitions} == partitions(tuple(sorted(cards)))
    assert len(hand.partitions) == len(partitions(tuple(sorted(cards))))
    for one in hand.partitions:
        laid = [card for meld in one.melds for card in meld]
        assert sorted([*laid, *one.rest]) == sorted(cards)
        assert one.worth == sum(VALUE[card // 4] for card in laid)
        assert one.final == (not partitions(one.rest) - {frozenset()})
    assert hand.best.worth == max(one.worth for one in hand.partitions)
    whole = any(len(one.rest) <= 1 and one.melds for one in hand.partitions)
    assert bool(hand.way_out) >= whole


def test_what_partitions_cannot_see_lays_off() -> None:
    """With all cards but one in melds the player discards the last; two left over are laid off if they fit."""
    assert look_at("queen-city-rum", [24, 28, 32, 36, 40], None, {}).way_out  # 7S to JS, a run as a whole
    assert not look_at("queen-city-rum", [24, 28, 32, 1, 10], None, {}).way_out
    assert look_at("queen-city-rum", [24, 28, 32, 1], None, {}).way_out
    assert not look_at("queen-city-rum", [24, 28, 32], None, {"out": "required"}).way_out


def test_a_hand_is_a_command() -> None:
    words = ["explore", "queen-city-rum", "--hand", "7S 8S 9S TS 7H 7D KH KD KC 2C 3D"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0
    assert "7S 7H 7D | 8S 9S TS | KH KD KC" in result.output
    document = json.loads(CliRunner().invoke(cli, [*words, "--format", "json"]).output)
    assert document["partitions"][0]["worth"] == 3 * 7 + 8 + 9 + 10 + 3 * 10
    for more, said in (("XS", "XS is no card"), ("7S 7S", "7S is in this hand twice"), ("7?", "all known")):
        refused = CliRunner().invoke(cli, [*words[:-1], more])
        assert refused.exit_code == 2
        assert said in refused.output
    assert CliRunner().invoke(cli, ["explore", "spit", "--hand", "7S"]).exit_code == 2
