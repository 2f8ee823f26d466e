"""Logs that the tests of the page replay."""

from __future__ import annotations

from functools import cache

from fairdeal.checker.generating import generate

HEADER = """\
gamelog: 1
game: spit
players: Ada, Ben
"""

DEALS = """\
round 1
A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS / 6S TC AC 8H 3D 7C 5S KD QS JD 2H
B deal 9S | 5C 7H | 8C KS AD | 3C 6H JC 4H | 2C 9D QD 5D QH / TS 3S KC TH 4S 8S JH 7D 6C AH 6D
"""

TIMED = """\
@0.000 A spit 2H on 1
@0.000 B spit 6D on 2
@0.412 A play AS from 5 on 1
@0.690 A flip QC at 5
@0.731 B play QH from 5 on 1 refused rank
@1.050 A play KH from 4 on 1
@1.052 B play QH from 5 on 1
"""

FAULTY = HEADER + DEALS + TIMED + "@2.000 A play 8D from 3 on 2\n@2.500 A flip 3H at 3\n"
"""Line 14 puts an eight on a six; line 15, the last, is lawful."""

FAULT_LINE = 14


@cache
def generated(game: str, seed: int = 3) -> str:
    """A whole legal game."""
    return "".join(generate(game, games=1, seed=seed))


def two_games() -> str:
    """A log of a faulty game of Spit and a legal one of rum."""
    return FAULTY + "\n" + generated("queen-city-rum")
