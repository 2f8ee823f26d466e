"""Unlawful lines put into legal games whose program left them undone: each is a fault, and nothing that follows is one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from fairdeal.checker.api import check_text
from fairdeal.checker.generating import generate
from fairdeal.checker.verdict import Finding, Severity

ACT = re.compile(r"(?P<who>[AB]) (?P<verb>play|move|discard|lay) (?P<card>\w\w)(?: from (?P<slot>\d))?(?!.*refused)")


def game(name: str, rules: str | None, seed: int) -> list[str]:
    """The lines of a legal game, without times."""
    (text,) = generate(name, games=1, seed=seed, rules=rules)
    return [re.sub(r"^@\S+ ", "", line) for line in text.rstrip("\n").split("\n")]


def faults(lines: Sequence[str]) -> list[Finding]:
    (report,) = check_text("\n".join([*lines, ""]))
    return [one for one in report.findings if one.severity is Severity.ERROR]


def own(lines: Sequence[str]) -> list[int]:
    """The lines of faults that are not said to follow from others."""
    return [one.line for one in faults(lines) if one.follows_from is None]


def attempts(line: str, random: Random) -> Iterator[str]:
    """Other things that could be done with the card of a line, lawful or not."""
    act = ACT.match(line)
    if act is None:
        return
    who, card, slot = act["who"], act["card"], act["slot"]
    if slot is None:
        yield from (f"{who} lay {card} on m{random.randint(1, 3)}", f"{who} meld {card}")
    else:
        yield from (f"{who} play {card} from {slot} on {pile}" for pile in random.sample("12", 2))
        yield from (f"{who} move {card} from {slot} to {goal}" for goal in random.sample("12345", 5))


def wrong_lines(lines: Sequence[str], random: Random, count: int) -> list[tuple[int, str]]:
    """Places in a legal game, each with an unlawful line to put there, in order."""
    acts = [at for at, line in enumerate(lines) if ACT.match(line)]
    found: list[tuple[int, str]] = []
    for at in random.sample(acts, len(acts)):
        for wrong in attempts(lines[at], random):
            if at + 1 in own([*lines[:at], wrong])[:1]:
                found.append((at, wrong))
                break
        if len(found) == count:
            break
    return sorted(found)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "rules"), [("spit", "standard"), ("spit", "scored"), ("queen-city-rum", None)])
def test_what_was_not_done_is_the_one_fault(name: str, rules: str | None, seed: int) -> None:
    lines = game(name, rules, seed)
    for at, wrong in wrong_lines(lines, Random(seed), 3):
        assert own([*lines[:at], wrong, *lines[at:]]) == [at + 1], wrong


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "rules"), [("spit", "standard"), ("queen-city-rum", None)])
def test_each_of_several_is_a_fault(name: str, rules: str | None, seed: int) -> None:
    lines = game(name, rules, seed)
    several = wrong_lines(lines, Random(seed), 4)
    for before, (at, wrong) in enumerate(several):
        lines.insert(at + before, wrong)
    places = [at + before + 1 for before, (at, _) in enumerate(several)]
    assert set(own(lines)) <= set(places)
    assert set(places) <= {one.line for one in faults(lines)}


def test_of_a_program_that_does_what_it_must_not_every_fault_is_told() -> None:
    """It plays equal ranks, and each of them lies there: a card that does not follow it is no follow-on."""
    deal = [
        "A deal 7D | 8S 7S | KH 2H KD | 2C 4C 3S 5D | 4D 3D 9C 9D TC / AH",
        "B deal KC | 9S TH | JD 8D 2D | AS 9H 5C 6S | 8H 7H AC JS JH / 6D",
    ]
    start = ["gamelog: 1", "game: spit", "players: Ada, Ben", "", "round 3", *deal, "A spit AH on 1", "B spit 6D on 2"]
    plays = ["A play 7D from 1 on 2", "A play 7S from 2 on 2", "A flip 8S at 2", "A play 8S from 2 on 2"]
    more = [
        "B play 2D from 3 on 1",
        "B flip 8D at 3",
        "B play 8D from 3 on 2",
        "B flip JD at 3",
        "A play TC from 5 on 2",
    ]
    lines = [*start, *plays, *more]
    told = [lines.index(one) + 1 for one in ("A play 7S from 2 on 2", "B play 8D from 3 on 2", "A play TC from 5 on 2")]
    assert own(lines)[-3:] == told
