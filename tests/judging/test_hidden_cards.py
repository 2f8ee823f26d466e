"""What nobody recorded is unknown and no violation: legal games of which cards, lines' order and hands are hidden or shown."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from fairdeal.checker.api import Session, check_text
from fairdeal.checker.generating import generate
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.verdict import GameReport, Severity, Verdict

from .hiding import hide, swap_scores, with_scores, with_snapshots
from tests.expectations import TRACES

PLAYED: list[tuple[str, str, dict[str, str]]] = [
    ("queen-city-rum", "standard", {}),
    ("queen-city-rum", "standard", {"low_ace": "1", "layoff_credit": "owner"}),
    ("queen-city-rum", "standard", {"test": "instant"}),
    ("queen-city-rum", "standard", {"deduct": "true", "bonus": "game"}),
    ("queen-city-rum", "standard", {"exhausted": "reshuffle", "rediscard": "forbid"}),
    ("queen-city-rum", "standard", {"meldless_out": "float", "out": "none"}),
    ("spit", "standard", {}),
    ("spit", "standard", {"flip": "auto", "false_slap": "ignore"}),
    ("spit", "standard", {"single_stuck": "void"}),
    ("spit", "scored", {}),
    ("spit", "scored", {"left": "owned", "variant_deal": "carry"}),
]
HIDDEN = [(0.02, ""), (0.3, ""), (1.0, ""), (1.0, "deal|draw|turn-up|spit"), (0.5, "deal|draw|spit")]
"""How much is hidden, and in which lines."""


def judge(log: str) -> GameReport:
    (report,) = check_text(log)
    return report


def wrong(report: GameReport) -> list[tuple[int, str, str]]:
    return [(one.line, one.code, one.message) for one in report.findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize(("game", "rules", "options"), PLAYED)
def test_a_legal_game_with_hidden_cards_is_no_violation(game: str, rules: str, options: dict[str, str]) -> None:
    for number, log in enumerate(generate(game, games=2, seed=7, rules=rules, options=options)):
        assert judge(swap_scores(log, Random(number))).verdict is Verdict.LEGAL
        for chance, only in HIDDEN:
            random = Random(f"{number} {chance} {only}")
            text = swap_scores(hide(log, random, chance, only), random)
            report = judge(text)
            assert report.verdict in (Verdict.LEGAL, Verdict.UNKNOWN), (wrong(report), text)


@pytest.mark.parametrize("name", ["", "-ada-spits", "-collected", "-finished-round"])
def test_a_round_that_counts_for_nothing_is_no_violation_with_hidden_cards(name: str) -> None:
    log = (TRACES / "legal" / f"gap-spit-14-void{name}.gamelog").read_text()
    for number, (chance, only) in enumerate(product((0.02, 0.1, 0.3, 1.0), ("", "A deal", "B deal", "deal|spit"))):
        text = hide(log, Random(number), chance, only, ranks=0.4)
        report = judge(text)
        assert report.verdict in (Verdict.LEGAL, Verdict.UNKNOWN), (wrong(report), text)


@pytest.mark.parametrize(("game", "rules", "options"), PLAYED)
def test_snapshots_of_a_legal_game_contradict_nothing(game: str, rules: str, options: dict[str, str]) -> None:
    for number, log in enumerate(generate(game, games=1, seed=11, rules=rules, options=options)):
        random = Random(number)
        seen = with_snapshots(log, random, 0.1)
        assert judge(seen).verdict is Verdict.LEGAL
        for chance in (0.05, 0.5):
            text = hide(seen, random, chance)
            report = judge(text)
            assert report.verdict in (Verdict.LEGAL, Verdict.UNKNOWN), (wrong(report), text)


@pytest.mark.parametrize("options", [options for game, _, options in PLAYED if game == "queen-city-rum"], ids=str)
def test_hands_that_are_seen_make_up_for_deals_and_draws_that_were_not_recorded(options: dict[str, Any]) -> None:
    unseen = set()
    for number, log in enumerate(map(with_scores, generate("queen-city-rum", games=3, seed=5, options=options))):
        seen = with_snapshots(log, Random(number), 0, " (meld|lay|discard|turn-up) ")
        hidden = hide(seen, Random(number), 1, "deal|draw", ranks=0)
        assert judge(hidden).verdict is Verdict.LEGAL
        unseen.add(judge("\n".join(line for line in hidden.split("\n") if not line.startswith("see hand"))).verdict)
    assert Verdict.UNKNOWN in unseen


def test_a_session_tells_what_a_later_line_answers() -> None:
    session = Session("queen-city-rum")
    for line in ("round 1 first A", "A deal ??*10", "B deal ??*10", "turn-up TH", "A draw ??"):
        assert session.event(line) == ()
    (asked,) = session.event("A meld ?? ?? ?? as m1")
    assert asked.severity is Severity.UNKNOWN
    (answered,) = session.event("see meld m1: 5S 5H 7D")
    assert (answered.code, answered.severity, answered.line) == ("QCR-MELD-1", Severity.ERROR, asked.line)
    assert session.findings == (answered,)


@pytest.mark.parametrize(("shown", "verdict"), [("5S 5H 7D", Verdict.VIOLATION), ("5S 5H 5D", Verdict.INCOMPLETE)])
def test_an_answer_counts_where_its_question_was_beyond_the_limit(shown: str, verdict: Verdict) -> None:
    log = "gamelog: 1\ngame: queen-city-rum\nround 1 first A\nA deal ??*10\nB deal ??*10\nturn-up TH\nA draw ??\n"
    check = LogCheck(Call("<log>", max_findings=0))
    lines = [*log.split("\n")[:-1], "A meld ?? ?? ?? as m1", f"see meld m1: {shown}"]
    (report,) = [*check.take(lines), *check.finish()]
    assert report.verdict is verdict
