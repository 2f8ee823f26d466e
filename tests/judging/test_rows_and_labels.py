"""What is lawful next where lines state cards, ways to go out, and labels that do not count from one."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.judging.inspection import LegalEvent, goal_at, legal_at
from fairdeal.checker.verdict import Verdict

TRACES = Path(__file__).parents[2] / "traces"
HAND = ["5S", "5H", "5D", "5C", "6S", "7S", "9S", "9H", "9D", "KD"]
DRAWN = "9C"
BEN = ["2S", "2H", "2D", "JS", "QS", "KS", "8C", "TC", "6H", "4D"]
PACK = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


def opening(*lines: str) -> str:
    rest = [card for card in PACK if card not in (*HAND, *BEN, DRAWN, "6D")]
    return "\n".join(
        [
            "gamelog: 1",
            "game: queen-city-rum",
            "round 1 first A",
            f"A deal {' '.join(HAND)}",
            f"B deal {' '.join(BEN)}",
            f"deal stock {' '.join(rest)} {DRAWN}",
            "turn-up 6D",
            f"A draw {DRAWN}",
            *lines,
            "",
        ]
    )


def legal(tmp_path: Path, *lines: str) -> list[LegalEvent]:
    log = tmp_path / "a.gamelog"
    log.write_text(opening(*lines))
    return legal_at(str(log), opening(*lines).count("\n"))


def test_melds_are_listed_completely_and_the_largest_first(tmp_path: Path) -> None:
    found = [one for one in legal(tmp_path) if one.json["type"] == "meld"]
    sets = [set(part) for rank in "59" for n in (3, 4) for part in combinations([rank + suit for suit in "SHDC"], n)]
    listed = [frozenset(map(str, cards)) for one in found if isinstance(cards := one.json["cards"], list)]
    assert len(listed) == len(found)
    assert set(listed) == {frozenset(one) for one in [*sets, {"5S", "6S", "7S"}]}
    assert len(set(listed)) == len(listed)
    assert {one.json["as"] for one in found} == {"m1"}
    assert [one.smaller for one in found if not one.covered] == [4, 4, 0]
    assert [one.covered for one in found].count(True) == 8


def test_discards_are_the_cards_in_hand(tmp_path: Path) -> None:
    found = [one.text for one in legal(tmp_path) if one.json["type"] == "discard"]
    assert sorted(found) == sorted(f"A discard {card}" for card in [*HAND, DRAWN])


def test_a_way_out_is_found_against_the_obvious_set(tmp_path: Path) -> None:
    log = tmp_path / "a.gamelog"
    log.write_text(opening())
    way = goal_at(str(log), 8)
    assert way
    (tmp_path / "b.gamelog").write_text(opening(*way, "A out"))
    (report,) = check_source(str(tmp_path / "b.gamelog"))
    assert report.verdict is Verdict.INCOMPLETE
    assert way[-1] == "A discard KD" or len(way) == 4


def test_no_way_out_where_the_set_has_been_melded(tmp_path: Path) -> None:
    log = tmp_path / "a.gamelog"
    log.write_text(opening("A meld 5S 5H 5D 5C as m1"))
    assert goal_at(str(log), 9) == []


@pytest.mark.parametrize("offset", [0, 5, 16, 17, 40, 123_456])
def test_labels_may_begin_anywhere(offset: int, tmp_path: Path) -> None:
    text = (TRACES / "legal" / "qcr-lay-1-on-either-player-s-meld.gamelog").read_text()
    text = re.sub(r"\bm(\d)\b", lambda found: f"m{int(found[1]) + offset}", text)
    (tmp_path / "a.gamelog").write_text(text)
    (report,) = check_source(str(tmp_path / "a.gamelog"))
    assert report.verdict is Verdict.LEGAL


def test_a_message_calls_a_meld_as_the_log_does(tmp_path: Path) -> None:
    log = tmp_path / "a.gamelog"
    log.write_text(opening("A meld 5H 5D 5C as m90", "A lay KD on m90", "A lay 9C on m91"))
    (report,) = check_source(str(log))
    told = {one.line: one.message for one in report.findings if one.code.startswith("QCR-LAY")}
    assert "m90" in told[10]
    assert "m91" in told[11]


ADA_DEALS = "A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | AS 2S 3S 4S 5S / 6S 7D 8S 9S TS QS KS AH 2H 4H 6H"


def test_a_deal_that_is_due_is_lawful_and_what_a_line_before_it_is_told(tmp_path):
    path = tmp_path / "a.gamelog"
    path.write_text(f"gamelog: 1\ngame: spit\nround 1\n{ADA_DEALS}\nA spit 6H on 1\n")
    assert [event.text for event in legal_at(str(path), 3) if not event.idle] == ["A deal …", "B deal …"]
    assert [event.text for event in legal_at(str(path), 4) if not event.idle] == ["B deal …"]
    (report,) = check_source(str(path))
    assert report.findings[0].code == "SPIT-START-1"
    assert report.findings[0].legal == ("B deal …",)


def test_a_deal_that_is_wrong_is_not_told_to_be_a_deal(tmp_path):
    path = tmp_path / "a.gamelog"
    path.write_text(f"gamelog: 1\ngame: spit\nround 1\n{ADA_DEALS.removesuffix(' 6H')}\n")
    (report,) = check_source(str(path))
    assert report.findings[0].code == "SPIT-SETUP-1"
    assert report.findings[0].legal == ()
