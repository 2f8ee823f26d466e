"""One wrong card in one deal: what it leads to in later rounds is said once, and the rest follows from there."""

from __future__ import annotations

from fairdeal.checker import Severity, check_text
from fairdeal.checker.generating import generate


def test_a_card_that_a_deal_leaves_out_is_missed_once() -> None:
    """Each later layout has one card fewer than its owner: the first of them is a finding, and the others follow."""
    (text,) = generate("spit", games=1, seed=9)
    wrong = text.replace("A deal 9H |", "A deal 5S |", 1)
    assert wrong != text
    (report,) = check_text(wrong)
    counts = [one for one in report.findings if one.code == "SPIT-COLLECT-2" and one.severity is Severity.ERROR]
    assert len(counts) > 2
    assert [one.line for one in counts if one.follows_from is None] == [counts[0].line]
    assert {one.follows_from for one in counts[1:]} == {counts[0].line}
