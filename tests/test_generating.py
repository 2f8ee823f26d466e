"""Random games are legal, show what can happen, and end: read here line by line, without the model that made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fairdeal.checker.api import check_text
from fairdeal.checker.generating import generate
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.verdict import Verdict
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import OptionError

TARGET = 101
"""Points that end a game, where no option says otherwise (QCR-END-1)."""
POLICIES = [(game, policy) for game in MODULES for policy in model_named(game).policies]


def events(text: str) -> list[list[str]]:
    """The events of a log as words, without their times."""
    return [line.split()[1:] for line in text.splitlines() if line.startswith("@")]


class Round:
    """What is on the table in a round of Queen City Rum, as far as its lines tell."""

    def __init__(self) -> None:
        self.held = Counter({"A": 10, "B": 10})
        self.owner: dict[str, str] = {}
        self.meld: dict[str, set[str]] = {}

    def shows(self, words: list[str]) -> Iterable[str]:
        """What a line shows that not every game does."""
        player, verb, *rest = words
        if verb in ("draw", "take"):
            self.held[player] += 1
            yield verb
        elif verb == "discard":
            self.held[player] -= 1
            yield from ["out with a discard"] * (self.held[player] == 0)
        elif verb in ("meld", "lay"):
            *cards, _, label = rest
            yield from self._laid(player, verb, cards, label)

    def _laid(self, player: str, verb: str, cards: list[str], label: str) -> Iterable[str]:
        if verb == "lay":
            yield f"lay-off on {'an own' if self.owner[label] == player else 'the opponent’s'} meld"
        self.owner.setdefault(label, player)
        self.meld.setdefault(label, set()).update(cards)
        self.held[player] -= len(cards)
        ranks = {card[0] for card in self.meld[label]}
        yield from ["run with a low ace"] * ({"A", "2", "3"} <= ranks)
        yield from ["run with a high ace"] * ({"Q", "K", "A"} <= ranks)
        yield from ["out without a discard"] * (self.held[player] == 0)


def shown(text: str) -> Counter[str]:
    """What games of Queen City Rum show, with how many times."""
    found: Counter[str] = Counter()
    for game in text.split("gamelog: 1")[1:]:
        totals: dict[str, int] = {}
        table = Round()
        for words in events(game):
            if "refused" in words:
                continue
            if words[0] == "round" and words[1] != "end":
                level = len(set(totals.values())) == 1 and len(totals) == 2
                found["broken tie"] += level and totals["A"] >= TARGET
                found["further round"] += words[1] != "1"
                table = Round()
            elif words[0] == "turn-over":
                found["draw pile that ran out"] += 1
            elif words[1] == "score":
                totals[words[0]] = int(words[-1])
            elif words[0] in ("A", "B"):
                found.update(table.shows(words))
    return found


def verdicts(text: str, folder: Path) -> Counter[Verdict]:
    path = folder / "games.gamelog"
    path.write_text(text, encoding="utf-8")
    return Counter(report.verdict for report in check_source(str(path)))


def test_two_thousand_games_of_queen_city_rum(tmp_path: Path) -> None:
    text = "".join(generate("queen-city-rum", games=2000, seed=1))
    assert verdicts(text, tmp_path) == {Verdict.LEGAL: 2000}
    found = shown(text)
    for what in (
        "out with a discard",
        "out without a discard",
        "lay-off on an own meld",
        "lay-off on the opponent’s meld",
        "run with a low ace",
        "run with a high ace",
        "take",
        "draw pile that ran out",
        "further round",
    ):
        assert found[what] >= 20, found


def test_broken_ties_under_a_policy_for_them(tmp_path: Path) -> None:
    text = "".join(generate("queen-city-rum", games=300, seed=1, policy="level"))
    assert verdicts(text, tmp_path) == {Verdict.LEGAL: 300}
    assert shown(text)["broken tie"] >= 3
    assert shown(text)["out with a discard"] + shown(text)["out without a discard"] == 0


@pytest.mark.parametrize(("game", "policy"), POLICIES)
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_policy_is_named_in_the_header_unless_it_is_the_usual_one(
    game: str, policy: str, form: str, tmp_path: Path
) -> None:
    usual = next(iter(model_named(game).policies))
    text = "".join(generate(game, games=3, seed=2, policy=policy, format=form))
    assert verdicts(text, tmp_path) == {Verdict.LEGAL: 3}
    assert (model_named(game).policies[policy].meaning in text) is (policy != usual)
    assert ("x-policy" in text) is (policy != usual)
    assert policy != usual or text == "".join(generate(game, games=3, seed=2, format=form))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"games": "3"}, TypeError, "games is a whole number, not '3'"),
        ({"seed": None}, TypeError, "seed is a whole number, not None"),
        ({"games": -1}, ValueError, "games is a whole number from 0 on"),
        ({"format": "json"}, ValueError, "the format of a log is one of text, jsonl"),
        ({"policy": "best"}, ValueError, "the ways to play spit are "),
    ],
)
def test_a_wrong_call_is_told_what_is_due_at_once(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    call: dict[str, Any] = {"games": 1, "seed": 1, **wrong}
    with pytest.raises(error, match=message):
        generate("spit", **call)


def test_a_game_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairdeal.checker.generating.WASTED", 1)
    with pytest.raises(OptionError, match=r"no end: 5 games in a row .* exhausted=turn_over"):
        list(generate("queen-city-rum", games=1, seed=1, policy="level", options={"exhausted": "turn_over"}))


@pytest.mark.parametrize(("game", "rules"), [("queen-city-rum", "standard"), ("spit", "standard"), ("spit", "scored")])
def test_nothing_is_said_twice_in_a_row_and_no_score_twice_in_a_round(game: str, rules: str) -> None:
    scores = 0
    for log in generate(game, games=40, seed=7, rules=rules):
        scored: set[str] = set()
        before = ""
        for words in events(log):
            said = " ".join(words)
            if words[0] == "round":
                scored = set()
            if "refused" not in words:
                assert said != before, said
                before = said
            if words[1:2] == ["score"]:
                assert words[0] not in scored, log
                scored.add(words[0])
                scores += 1
    assert bool(scores) is ((game, rules) != ("spit", "standard"))


@pytest.mark.parametrize("reading", ["any", "in_order", "rows", "robin"])
def test_short_deals_are_of_the_shape_that_the_reading_asks_for(reading: str) -> None:
    (text,) = generate("spit", games=1, seed=11, options={"short_deal": reading})
    (report,) = check_text(text)
    assert report.verdict is Verdict.LEGAL
    assert any(line.endswith(" / -") for line in text.split("\n"))
