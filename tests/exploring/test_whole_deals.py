"""Whole rounds of a 52-card deal, closed: what three seeds have, so that a change of rules or merging is noticed.

States and longest ways were found by `fairdeal explore`; nothing else has counted so far. Smaller rounds are compared
with the interpreter in `test_agreement`, and with SPIN in `test_spin`.
"""

from __future__ import annotations

import pytest

from fairdeal.checker.engines.native.compiling import can_compile
from fairdeal.checker.exploring.rounds import Round, explore
from fairdeal.checker.exploring.starting import from_seed
from fairdeal.checker.exploring.witnesses import names_of, witness

AUTO_OWN = {"flip": "auto", "respit": "own"}
CLOSED = [
    (1, 4_661_593, 14_394_790, {"finished-a": (23_915, 69), "finished-b": (14_891, 69), "blocked": (4, 70)}),
    (2, 3_142_976, 10_257_423, {"finished-a": (1_781, 70), "finished-b": (3_355, 69), "blocked": (1, 69)}),
    (3, 327_527, 860_540, {"finished-a": (1_853, 70), "finished-b": (3_068, 70), "blocked": (3, 69)}),
]
"""Seed, states, steps, and for each ending its states and the longest way."""
SAID = {
    "finished-a": "round end finished A",
    "finished-b": "round end finished B",
    "blocked": "round end blocked",
}
"""The line with which a witness of each ending ends, which is no event on the way there."""


@pytest.mark.verify
@pytest.mark.skipif(not can_compile(), reason="numba is not installed")
@pytest.mark.parametrize(("seed", "states", "steps", "endings"), CLOSED, ids=["1", "2", "3"])
def test_a_whole_round_is_closed(seed: int, states: int, steps: int, endings: dict[str, tuple[int, int]]) -> None:
    part = Round(from_seed("spit", seed, None, AUTO_OWN))
    result, search = explore(part)
    assert result.complete
    assert (result.states, result.arcs) == (states, steps)
    found = {one.name: (one.states, one.longest) for one in result.outcomes if one.final and one.states}
    assert found == endings
    for name in names_of(part.start.exploration):
        if name.split(":")[0] in endings:
            text = witness(part, search, name)
            *lines, last = text.strip().split("\n")
            assert last == SAID[name.split(":")[0]]
            events = len(lines) - len(part.start.lines)
            one = next(each for each in result.outcomes if each.name == name.split(":")[0])
            assert events == (one.longest if ":longest" in name else one.shortest)
