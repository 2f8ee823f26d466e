"""Bags with cards that are not known: whatever is done to one, it goes on saying what is so of the true cards."""

from __future__ import annotations

from random import Random

import pytest

from fairdeal.checker.engines import bags
from fairdeal.spec.cards import RANK_ONLY, UNKNOWN, card_name


def blurred(card: int, random: Random) -> int:
    """A card as a log may state it: whole, without its suit, or not at all."""
    return random.choice([card, RANK_ONLY + card // 4, UNKNOWN])


def describes(bag: int, cards: set[int]) -> bool:
    """Whether what a bag says is so of some cards."""
    known = {code for code in range(52) if bag >> code & 1}
    rest = cards - known
    stated = list(bags.cards(bag))
    of_rank = [(stated.count(RANK_ONLY + rank), sum(card // 4 == rank for card in rest)) for rank in range(13)]
    return bags.size(bag) == len(cards) and known <= cards and all(said <= there for said, there in of_rank)


@pytest.mark.parametrize("seed", range(200))
def test_a_bag_says_what_is_so_whatever_is_taken_put_and_seen(seed: int) -> None:
    random = Random(seed)
    pack = random.sample(range(52), random.choice([8, 20, 52]))
    cards, others = set(pack[: len(pack) // 2]), pack[len(pack) // 2 :]
    bag = bags.put_all(0, [blurred(card, random) for card in sorted(cards)])
    for _ in range(40):
        done = random.choice(["take", "put", "see"])
        if done == "take" and cards:
            card = random.choice(sorted(cards))
            stated = blurred(card, random)
            assert bags.may_have(bag, stated)
            bag = bags.take(bag, stated)
            cards.remove(card)
            others.append(card)
        elif done == "put" and others:
            card = others.pop(random.randrange(len(others)))
            bag = bags.put(bag, blurred(card, random))
            cards.add(card)
        elif done == "see" and random.random() < 0.3:
            seen = [blurred(card, random) for card in sorted(cards)]
            before = bag
            bag = bags.refine(bag, seen)
            assert bags.unknown(bag) <= min(bags.unknown(before), bags.unknown(bags.put_all(0, seen)))
        assert describes(bag, cards), (done, [card_name(code) for code in bags.cards(bag)], cards)


def test_a_list_of_all_cards_makes_a_bag_known() -> None:
    bag = bags.put_all(0, [0, UNKNOWN, UNKNOWN, RANK_ONLY + 3])
    assert list(bags.cards(bags.refine(bag, [0, 7, 8, 13]))) == [0, 7, 8, 13]


def test_ranks_that_a_list_names_are_learned() -> None:
    bag = bags.put_all(0, [UNKNOWN, UNKNOWN])
    assert list(bags.cards(bags.refine(bag, [RANK_ONLY, RANK_ONLY]))) == [RANK_ONLY, RANK_ONLY]


@pytest.mark.parametrize("seed", range(200))
def test_a_bag_without_another_says_what_is_so_of_the_rest(seed: int) -> None:
    random = Random(seed)
    cards = random.sample(range(52), random.choice([4, 12, 30]))
    stated = {card: blurred(card, random) for card in cards}
    others = random.sample(cards, len(cards) // 2)
    held = [random.choice([stated[card], stated[card], card]) for card in others]
    left = bags.without(bags.put_all(0, stated.values()), bags.put_all(0, held))
    assert describes(left, set(cards) - set(others)), (stated, held)
    if all(code < 52 for code in stated.values()):
        assert left == bags.put_all(0, set(cards) - set(others))
