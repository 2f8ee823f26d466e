"""What counts as exercised: small logs, and by hand the clauses that their lines are cases of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.coverage import Coverage
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import MODULES

from tests.expectations import TRACES

SHORT_WIN = """\
gamelog: 1
game: spit
round 3
A deal KH | - | - | - | - / -
B deal QS | AS 3D | 2S 3S 7D | 4S 5S 6S 9C | 7S 8S 9S TS TH / JS KS AH 2H 3H 4H 5H 6H 7H 8H 9H JH AD 2D 4D 5D 6D 8D 9D \
TD JD QD KD AC 2C 3C 4C 5C 6C 7C 8C TC JC QC KC QH
B spit QH on 1
A play KH from 1 on 1
round end finished A
A win
"""
"""Seven events: a later round of the standard game, one spit pile, one play, and the game is won."""

OPENING = """\
gamelog: 1
game: spit
round 1
A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS / 6S TC AC 8H 3D 7C 5S KD QS JD 2H
B deal 9S | 5C 7H | 8C KS AD | 3C 6H JC 4H | 2C 9D QD 5D QH / TS 3S KC TH 4S 8S JH 7D 6C AH 6D
A spit 2H on 1
B spit 6D on 2
"""

TURN = """\
gamelog: 1
game: queen-city-rum
round 1 first A
A deal AS QS KS 5S 6S 7S 9C TC JC KD
B deal 2C 2D 2H 3C 3D 3H 4C 4D 4H 5H
turn-up TH
A draw QC
A discard KD
"""


def covered(text: str, tmp_path: Path, *words: str) -> dict[str, dict[str, dict[str, int]]]:
    """By game and clause, the counts of ``--coverage``."""
    (tmp_path / "a.gamelog").write_text(text)
    call = ["check", str(tmp_path / "a.gamelog"), "--coverage", "--format", "json", "--exit-zero", *words]
    result = CliRunner().invoke(cli, call)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)["coverage"]
    return {game: counts["clauses"] for game, counts in found.items()}


def met(text: str, tmp_path: Path, column: str = "accepted") -> set[str]:
    """The clauses of the one game of a log that a column counts."""
    (clauses,) = covered(text, tmp_path).values()
    return {clause for clause, counts in clauses.items() if counts[column]}


def test_a_short_standard_game_claims_what_its_lines_are_cases_of_and_no_more(tmp_path: Path) -> None:
    assert met(SHORT_WIN, tmp_path) == {
        *("SPIT-EQUIP-2", "SPIT-SETUP-3"),  # both deals
        *("SPIT-SETUP-2", "SPIT-SETUP-4"),  # B's, of 51 cards
        *("SPIT-SHORT-1", "SPIT-SHORT-2", "GAP-SPIT-10"),  # A's, of one: one pile
        "SPIT-START-1",
        *("SPIT-PLAY-1", "SPIT-PLAY-3", "SPIT-PLAY-4", "SPIT-PLAY-5", "SPIT-FLIP-1"),  # from a top that is up
        *("SPIT-END-1", "SPIT-WIN-3", "SPIT-GOAL-1"),
    }


def test_an_opening_claims_no_round_that_ended_and_no_stuck_player(tmp_path: Path) -> None:
    assert met(OPENING, tmp_path) == {
        *("SPIT-EQUIP-2", "SPIT-SETUP-1", "SPIT-SETUP-2", "SPIT-SETUP-3", "SPIT-SETUP-4"),
        *("SPIT-START-1", "GAP-SPIT-26"),  # the second half of the spit is due
    }


def test_a_turn_of_rum_claims_no_meld_and_no_end(tmp_path: Path) -> None:
    assert met(TURN, tmp_path) == {
        *("QCR-SETUP-1", "QCR-SETUP-2", "QCR-SETUP-4", "QCR-EQUIP-1"),
        *("QCR-TURN-1", "QCR-TURN-2", "QCR-TURN-4"),
    }


FLOAT = """\
gamelog: 1
game: queen-city-rum
options: meldless_out=float
round 1 first A
A deal AS QS KS 5S 6S 7S 9C TC JC KD
B deal 2C 2D 2H 3C 3D 3H 4C 4D 4H 8S
turn-up TH
A draw QC
A meld QS KS AS as m1
A meld 5S 6S 7S as m2
A discard KD
B draw JD
B lay 8S on m2
"""


def test_a_gap_counts_where_its_readings_matter(tmp_path: Path) -> None:
    assert "GAP-QCR-2" not in met(FLOAT, tmp_path)  # Ben has no meld, and cards enough
    floating = (TRACES / "illegal" / "gap-qcr-2-floating-is-not-out.gamelog").read_text()
    assert "GAP-QCR-2" in met(floating, tmp_path)  # he parts with all his cards
    taken = "options: rediscard={}\n"
    text = TURN.replace("round 1", taken.format("forbid") + "round 1").replace("draw QC", "take TH")
    assert "GAP-QCR-4" not in met(text, tmp_path)  # another card goes, which every reading allows
    text = TURN.replace("round 1", taken.format("allow") + "round 1").replace("draw QC", "take TH")
    assert "GAP-QCR-4" in met(text.replace("discard KD", "discard TH"), tmp_path)
    moves = OPENING.replace("round 1", "options: null_move=forbid\nround 1")
    found = met(
        moves + "A play AS from 5 on 1\nA play 5H from 1 on 2\nA flip QC at 5\nA move QC from 5 to 1\n", tmp_path
    )
    assert "SPIT-MOVE-1" in found
    assert "GAP-SPIT-5" not in found  # there were cards beneath


@pytest.mark.parametrize(
    ("line", "clauses", "others"),
    [
        ("A play AS from 5 on 1", {"SPIT-PLAY-5", "GAP-SPIT-1"}, {"SPIT-PLAY-6", "SPIT-END-1"}),
        ("A flip QC at 5", set(), {"SPIT-FLIP-1"}),  # it is face up already
        ("A call spit", set(), {"SPIT-STUCK-1"}),  # four plays are possible
        ("A slap 1", {"GAP-SPIT-19"}, {"SPIT-END-2", "SPIT-SLAP-1"}),  # it is false: the round is on
    ],
)
def test_a_line_claims_only_what_it_is_a_case_of(
    tmp_path: Path, line: str, clauses: set[str], others: set[str]
) -> None:
    found = met(f"{OPENING}{line}\n", tmp_path)
    assert clauses <= found
    assert not others & found


def test_the_next_card_up_and_the_two_on_an_ace(tmp_path: Path) -> None:
    found = met(f"{OPENING}A play AS from 5 on 1\nA flip QC at 5\nA play KH from 4 on 1\n", tmp_path)
    assert {"SPIT-FLIP-1", "SPIT-PLAY-6"} <= found  # a king on an ace
    assert "SPIT-MOVE-2" not in found  # nothing was moved


def test_a_clause_counts_at_the_line_that_shows_it(tmp_path: Path) -> None:
    played = f"{OPENING}A play AS from 5 on 1\nA flip QC at 5\nA play 5H from 1 on 2\n"
    moved = f"{played}A move QC from 5 to 1\n"
    assert "SPIT-MOVE-2" not in met(moved, tmp_path)
    assert "SPIT-MOVE-2" not in met(f"{moved}B flip 4H at 4 refused\n", tmp_path)
    (clauses,) = covered(f"{moved}A flip TD at 5\n", tmp_path).values()
    assert clauses["SPIT-MOVE-2"]["accepted"] == 1
    melds = "A meld AS QS KS as m1\nA meld 5S 6S 7S as m2\nA meld 9C TC JC as m3\n"
    out = TURN.replace("A discard", f"{melds}A lay QC on m3\nA discard")
    assert "QCR-LAY-2" not in met(out, tmp_path)
    assert "QCR-LAY-2" not in met(f"{out}B score 0 total 0\n", tmp_path)  # it was not Ben who laid off
    (clauses,) = covered(f"{out}A score 149 total 149\nB score 0 total 0\n", tmp_path).values()
    assert clauses["QCR-LAY-2"]["accepted"] == 1


def test_a_meld_claims_the_kind_that_it_is(tmp_path: Path) -> None:
    kinds = {"QCR-MELD-1", "QCR-MELD-2", "QCR-MELD-3", "GAP-QCR-7", "QCR-OUT-1", "GAP-QCR-1", "QCR-LAY-1"}
    run = "A meld 5S 6S 7S as m1\n"
    assert met(TURN.replace("A discard", run + "A discard"), tmp_path) & kinds == {"QCR-MELD-2"}
    ace = run + "A meld AS QS KS as m2\n"
    assert met(TURN.replace("A discard", ace + "A discard"), tmp_path) & kinds == {"QCR-MELD-2", "QCR-MELD-3"}
    out = ace + "A meld 9C TC JC QC as m3\n"
    found = met(TURN.replace("A discard", out + "A discard"), tmp_path) & kinds
    assert found == {"QCR-MELD-2", "QCR-MELD-3", "QCR-OUT-1", "GAP-QCR-1"}  # out by the discard


def test_what_forbids_a_refused_attempt_is_exercised_by_it_and_nothing_else(tmp_path: Path) -> None:
    text = f"{OPENING}A play KH from 4 on 1 refused rank\n"
    assert met(text, tmp_path, "refused") == {"SPIT-PLAY-5"}
    assert met(text, tmp_path) == met(OPENING, tmp_path)


def test_a_lawful_attempt_that_was_refused_is_a_case_of_what_allows_it(tmp_path: Path) -> None:
    text = f"{OPENING}A play AS from 5 on 1 refused rank\n"
    assert "SPIT-PLAY-5" in met(text, tmp_path, "refused")
    assert "SPIT-PLAY-5" not in met(text, tmp_path)


def test_a_line_that_breaks_a_clause_counts_as_broken_alone(tmp_path: Path) -> None:
    text = f"{OPENING}A play KH from 4 on 1\n"
    assert met(text, tmp_path, "broken") == {"SPIT-PLAY-5"}
    assert met(text, tmp_path) == met(OPENING, tmp_path)
    result = CliRunner().invoke(cli, ["check", "-", "--coverage"], input=text)
    assert "SPIT-PLAY-5" not in result.stdout.partition("never met: ")[2].partition("  A lawful line")[0]


def test_readings_count_where_they_decide(tmp_path: Path) -> None:
    own = OPENING.replace("game: spit\n", "game: spit\noptions: ace=literal\n")
    played = f"{own}A play AS from 5 on 1\n"
    assert "GAP-SPIT-1" in met(played, tmp_path, "broken")
    assert "GAP-SPIT-1" not in met(own, tmp_path)


@pytest.mark.parametrize("game", MODULES)
def test_rows_are_in_the_order_of_the_catalogue(tmp_path: Path, game: str) -> None:
    (clauses,) = covered(f"gamelog: 1\ngame: {game}\nround 1{' first A' * (game != 'spit')}\n", tmp_path).values()
    order = list(catalogue(game))
    assert list(clauses) == sorted(clauses, key=order.index)
    assert not [clause for clause in clauses if clause.startswith("LOG-")]


def test_the_report_says_what_exercised_means(tmp_path: Path) -> None:
    (tmp_path / "a.gamelog").write_text(OPENING)
    text = " ".join(CliRunner().invoke(cli, ["check", str(tmp_path / "a.gamelog"), "--coverage"]).stdout.split())
    assert "lawful line exercises the clauses that it is a case of" in text
    assert "the line pass whatever it stated, counts for nothing." in text


@pytest.mark.parametrize("game", MODULES)
def test_counting_changes_no_verdict_and_no_finding(game: str) -> None:
    texts = [*generate(game, games=10, seed=5, format="text")]
    texts += [path.read_text() for path in sorted((TRACES / "illegal").glob("*.gamelog"))]
    for text in texts:
        counted = LogCheck(Call("<text>", coverage=Coverage()))
        found = [*counted.take(text.split("\n")), *counted.finish()]
        assert tuple(found) == check_text(text)
