"""One wrong card in one deal: what it leads to in later rounds follows from where it is first missed."""

from __future__ import annotations

from fairdeal.checker import Severity, check_text
from fairdeal.checker.generating import generate


def test_a_card_that_a_deal_leaves_out_is_missed_once() -> None:
    """The card is played though another was dealt, which is a finding; each later layout has one too few, and follows."""
    (text,) = generate("spit", games=1, seed=9)
    wrong = text.replace("A deal 9H |", "A deal 5S |", 1)
    assert wrong != text
    (report,) = check_text(wrong)
    counts = [one for one in report.findings if one.code == "SPIT-COLLECT-2" and one.severity is Severity.ERROR]
    assert len(counts) > 2
    (missed,) = [one for one in report.findings if one.message == "the top of stock 1 is 5S, not 9H"]
    assert missed.follows_from is None
    assert {one.follows_from for one in counts} == {missed.line}
