"""Rounds that a log sets up out of order: one finding for one cause, and what comes after is judged as it should be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fairdeal.checker.api import Finding, Severity, check_text
from fairdeal.checker.generating import generate

GAMES = ("spit", "queen-city-rum")
SEEDS = range(6)


def events(game: str, seed: int) -> list[str]:
    """The lines of a random legal game, without times."""
    text = "".join(generate(game, games=1, seed=seed))
    return [re.sub(r"^@\S+ ", "", line) for line in text.splitlines()]


def errors(lines: list[str]) -> list[Finding]:
    """Errors that are not said to follow from others."""
    (report,) = check_text("\n".join(lines) + "\n", max_findings=100_000)
    return [one for one in report.findings if one.severity is Severity.ERROR and one.follows_from is None]


def dealing(line: str) -> bool:
    return " deal " in f" {line} "


def before(line: str) -> bool:
    """Whether a line belongs to what comes before play."""
    return dealing(line) or line.startswith("turn-up")


def announced_late(lines: list[str], setting_up: Callable[[str], bool]) -> tuple[list[str], int]:
    """The same, but each round is announced after so much of its beginning; and how many are."""
    found, waiting, late = list[str](), "", 0
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if waiting and not setting_up(line):
            found.append(waiting)
            waiting, late = "", late + 1
        if line.startswith("round ") and setting_up(after):
            waiting = line
        else:
            found.append(line)
    return found, late


@pytest.mark.parametrize("setting_up", [dealing, before], ids=["after the deals", "after the first card"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_that_is_announced_late_is_one_finding_a_round(
    game: str, seed: int, setting_up: Callable[[str], bool]
) -> None:
    lines, late = announced_late(events(game, seed), setting_up)
    found = errors(lines)
    assert [one.code for one in found] == ["LOG-ROUND"] * late
    assert late
    assert all(dealing(one.source) for one in found)


def test_a_late_announcement_of_another_round_is_a_finding_of_its_own() -> None:
    lines = [line.replace("round 2", "round 7") for line in announced_late(events("spit", 0), dealing)[0]]
    wrong = [one for one in errors(lines) if one.source == "round 7"]
    assert [one.code for one in wrong] == ["LOG-ROUND"]


@pytest.mark.parametrize("whose", ["", "A", "B"])
@pytest.mark.parametrize("seed", SEEDS)
def test_deals_that_were_not_logged_are_one_finding(seed: int, whose: str) -> None:
    first = events("spit", seed)
    end = next((at for at, line in enumerate(first) if line.startswith("round 2")), len(first))
    lines = [line for line in first[:end] if not line.startswith(f"{whose} deal " if whose else ("A deal", "B deal"))]
    (found,) = errors(lines)
    assert found.code == "SPIT-START-1"


def test_a_round_after_one_without_deals_is_judged_again() -> None:
    lines = events("spit", 1)
    second = lines.index("round 2")
    lines[:second] = [line for line in lines[:second] if not dealing(line)]
    second = lines.index("round 2")
    play = next(at for at in range(second, len(lines)) if " play " in lines[at])
    lines.insert(play, f"{lines[play]} refused rank")
    assert [one.code for one in errors(lines)] == ["SPIT-START-1", "LOG-REFUSED"]
