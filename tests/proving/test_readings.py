"""A gap by its id: a log whose last line is lawful under one reading of it and not under another, or why there is none."""

from __future__ import annotations

import re

import pytest

from fairdeal.checker.api import check_text
from fairdeal.checker.proving.finding import NotFound, found
from fairdeal.checker.proving.wanted import Request, wanted
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import properties_of

SPIT = properties_of("spit")


def text_for(gap: str) -> str:
    return found(wanted(SPIT, Request(gap, seconds=30))).text


@pytest.mark.parametrize("gap", ["GAP-SPIT-1", "GAP-SPIT-4", "GAP-SPIT-8", "GAP-SPIT-19"])
def test_a_gap_with_options_is_shown_by_a_line_on_which_its_readings_differ(gap: str) -> None:
    text = text_for(gap)
    told = re.search(r"lawful under (\w+)=(\w+), and not under (\w+)=(\w+)$", text.splitlines()[0])
    assert told is not None
    name, value, same, other = told.groups()
    assert name == same
    assert name in catalogue("spit").gaps[gap].options
    assert f"options: {name}={value}" in text
    (here,), (there,) = check_text(text), check_text(text.replace(f"{name}={value}\n", f"{name}={other}\n"))
    assert here.verdict.value in ("legal", "incomplete")
    assert max(one.line for one in there.findings) == len(text.splitlines())


def test_a_gap_that_is_settled_says_why_no_log_shows_it() -> None:
    with pytest.raises(NotFound, match="GAP-SPIT-21 is settled, and no option reads it otherwise"):
        text_for("GAP-SPIT-21")


def test_a_gap_of_the_scored_game_is_looked_for_there() -> None:
    assert "\nrules: scored\n" in text_for("GAP-SPIT-25")
