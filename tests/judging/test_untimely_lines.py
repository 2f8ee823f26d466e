"""Lines whose time has not come, put into legal games: each is the one fault, whatever its program makes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from fairdeal.checker.api import check_text
from fairdeal.checker.generating import generate
from fairdeal.checker.verdict import Finding, Severity

ROUND = re.compile(r"(?:@\S+ )?round (\d+)")
PLAY = re.compile(r"(?:@\S+ )?[AB] (?:play|flip|move) (?!.*refused)")

FALSE = [
    "A win",
    "tie",
    "A score 3 total 3",
    "A collect 1 total 20",
    "B collect - total 9",
    "round end blocked",
    "round end finished B",
    "round {next}",
]


def game(rules: str = "standard") -> list[str]:
    """The lines of a legal game."""
    (text,) = generate("spit", games=1, seed=3, rules=rules)
    return text.rstrip("\n").split("\n")


def own(lines: Sequence[str]) -> list[Finding]:
    """The faults of a game that are not said to follow from others."""
    (report,) = check_text("\n".join([*lines, ""]))
    return [one for one in report.findings if one.severity is Severity.ERROR and one.follows_from is None]


def in_rounds(lines: Sequence[str]) -> list[int]:
    """Where a line follows a play, turned-up card or move and comes before another, so that a round is on."""
    acts = [bool(PLAY.match(line)) for line in lines]
    return [at for at in range(1, len(lines)) if acts[at - 1] and acts[at]]


def number_at(lines: Sequence[str], at: int) -> int:
    """The round in which a line stands."""
    return int([found[1] for line in lines[:at] if (found := ROUND.fullmatch(line))][-1])


@pytest.mark.parametrize("rules", ["standard", "scored"])
@pytest.mark.parametrize("false", FALSE)
def test_a_false_line_in_a_round_that_goes_on_is_the_one_fault(false: str, rules: str) -> None:
    lines = game(rules)
    for at in Random(false).sample(in_rounds(lines), 3):
        wrong = [*lines[:at], false.format(next=number_at(lines, at) + 1), *lines[at:]]
        assert [one.line for one in own(wrong)] == [at + 1], at


@pytest.mark.parametrize("false", FALSE[:-1])
def test_a_fault_after_a_false_line_is_told_all_the_same(false: str) -> None:
    lines = game()
    (at, *_) = Random(false).sample(in_rounds(lines), 1)
    wrong = [*lines[:at], false, "A flip 2C at 1", "B play 3D from 2 on 1", *lines[at:]]
    assert at + 1 in [one.line for one in own(wrong)]
    assert any(one.line in (at + 2, at + 3) for one in own(wrong))


@pytest.mark.parametrize("seed", range(12))
def test_a_round_that_begins_too_early_is_the_one_fault(seed: int) -> None:
    """Whatever was not logged of the round in hand, the layouts that follow are no faults of their own."""
    lines, random = game(), Random(seed)
    begins = [at for at, line in enumerate(lines) if ROUND.fullmatch(line)]
    here = random.randrange(len(begins) - 1)
    first, after = begins[here], begins[here + 1]
    stop = random.choice([at for at in in_rounds(lines) if first < at < after])
    assert [one.line for one in own([*lines[:stop], *lines[after:]])] == [stop + 1]


def test_an_early_round_that_follows_from_a_fault_is_no_fault_and_nor_are_its_layouts() -> None:
    lines = game()
    begins = [at for at, line in enumerate(lines) if ROUND.fullmatch(line)]
    stop = [at for at in in_rounds(lines) if at < begins[1]][-1]
    wrong = [*lines[:stop], "round end blocked", *lines[begins[1] :]]
    assert [one.line for one in own(wrong)] == [stop + 1]
