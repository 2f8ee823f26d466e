"""Input without end: memory stays below 200 MB, and the processor's time grows no faster than the input.

Each flood is a stream of lines that one kind of harm would send. Its bound is a number of microseconds of the
processor's time that a line, a game or a byte may cost, some times what was measured when it was written, so that a
slow machine passes and anything that grows faster than its input does not. `make test` sends thousands of lines,
`make verify` ten million.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import pytest

from fairdeal.spec.games import model_named

from .logs import BEGUN, HEAD, games, opening
from .running import Bytes, Outcome, batches, sound

SLACK = 4
"""How many times a bound may be overstepped: a machine may be slow and busy, and a hang is told all the same."""
START = 1.5 * SLACK
"""Processor seconds that any call may take before its input counts."""
LONG = "x" * 60_000
SPIT = model_named("spit")
Call = Callable[..., Outcome]


@dataclass(frozen=True)
class Flood:
    """A kind of endless input: how to make so much of it, what comes of it, what each piece may cost."""

    made: Callable[[int], Bytes]
    code: int
    microseconds: float
    """Most processor time for each."""
    few: int = 60_000
    many: int = 10_000_000
    says: str = ""


def after(start: bytes, line: Callable[[int], str], size: int = 10_000) -> Callable[[int], Bytes]:
    """A start, and lines made by their number."""
    return lambda count: chain([start], batches(count, line, size))


def same(start: bytes, piece: bytes) -> Callable[[int], Bytes]:
    """A start, and the same lines again and again."""
    lines = piece.count(b"\n")
    return lambda count: chain([start], repeat(piece, max(count // lines, 1)))


def legal_games(count: int) -> Iterator[bytes]:
    """Legal games, again and again, of about so many lines."""
    some = games(10)
    return repeat(some, max(count // some.count(b"\n"), 1))


def begun(number: int) -> str:
    """The beginning of a game under an assignment of options that no other has."""
    chance = random.Random(number)
    values = {name: chance.choice(tuple(one.values)) for name, one in SPIT.options.items() if one.values}
    listed = ", ".join(f"{name}={value}" for name, value in values.items())
    return f"gamelog: 1\ngame: spit\noptions: {listed}\nround 1"


def options(number: int) -> str:
    """A game under options of its own that breaks a rule."""
    return f"{begun(number)}\nA play 7D from 3 on 1\n"


def many_kinds(number: int) -> str:
    """A line, unlike all others, of games of which each is under options of its own."""
    return f"A call spit # {number}" if number % 9000 else begun(number)


DEAL = "A deal 5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS / -"
JSON_HEAD = b'{"gamelog": 1, "game": "spit"}\n'
FLOODS = {
    "legal games": Flood(legal_games, 0, 10, few=200_000, says="legal"),
    "a game that never ends": Flood(same(opening(20), b"@99 A call spit\n" * 1000), 0, 10, says="1 incomplete"),
    "malformed lines": Flood(after(BEGUN, lambda n: f"A plya {n} frm"), 1, 10, says="1 malformed"),
    "malformed lines far from each other": Flood(
        after(b"", lambda n: f"gamelog: 1\ngame: spit\nround 1\nA plya {n} frm\n# {LONG}", 100),
        1,
        2000,
        few=4500,
        many=20_000,
    ),
    "lines unlike each other under many options": Flood(after(b"", many_kinds), 0, 100, few=200_000, many=2_000_000),
    "malformed lines without a header": Flood(after(b"", lambda n: f"A plya {n} frm"), 1, 10, says="1 malformed"),
    "malformed objects": Flood(after(JSON_HEAD, lambda n: f'{{"type": "pla{n}"}}'), 1, 10, says="1 malformed"),
    "lines that are no text": Flood(same(BEGUN, b"\xff\0\xfe\n" * 1000), 1, 15, says="1 malformed"),
    "blank lines": Flood(same(b"", b"\n" * 1000), 1, 0.5, few=1_000_000, says="1 malformed"),
    "blank lines in a header": Flood(same(HEAD, b"\n" * 1000), 0, 0.5, few=1_000_000),
    "blank lines in a game": Flood(same(games(), b"\n" * 1000), 0, 0.5, few=1_000_000, says="1 legal"),
    "carriage returns": Flood(same(BEGUN, b"\r" * 1001 + b"\n"), 0, 500, few=1000, many=10_000),
    "comments in a game": Flood(same(games(), b"# c\n" * 1000), 0, 5, says="1 legal"),
    "one line that breaks a rule": Flood(same(BEGUN, b"A play 7D from 3 on 1\n" * 1000), 1, 60, says="1 violation"),
    "lines that break a rule": Flood(after(BEGUN, lambda n: f"A play 7D from 3 on 1 # {n}"), 1, 80, says="1 violation"),
    "objects that break a rule": Flood(
        after(JSON_HEAD, lambda n: f'{{"type": "play", "player": "A", "card": "7D", "from": 3, "on": 1, "x-n": {n}}}'),
        1,
        80,
    ),
    "deals": Flood(after(BEGUN, lambda n: f"{DEAL} # {n}"), 1, 200, few=3000),
    "scores": Flood(after(BEGUN, lambda n: f"A score {n} total {n}"), 1, 300, few=2500),
    "rounds": Flood(after(HEAD, lambda n: f"round {n}"), 1, 150, few=3000),
    "lines that were seen": Flood(after(BEGUN, lambda n: f"see pile {1 + n % 2}: 8H of {n}"), 1, 60),
    "false slaps": Flood(after(opening(30), lambda n: f"A slap {1 + n % 2} # {n}"), 0, 60, many=1_000_000, few=30_000),
    "refusals": Flood(
        after(BEGUN, lambda n: f"A play 7D from 3 on 1 refused rank # {n}"), 0, 60, many=1_000_000, few=30_000
    ),
    "gaps and clocks running backwards": Flood(
        after(HEAD, lambda n: f"{2 * n} @{10**9 - n} A play 7D from 3 on 1"), 1, 150, few=8000, many=1_000_000
    ),
    "stale numbers": Flood(same(BEGUN, b"1 A call spit\n" * 1000), 1, 100, many=1_000_000),
    "cards that were not recorded": Flood(
        after(BEGUN, lambda n: f"A play ?? from {1 + n % 5} on 1 # {n}"), 1, 150, few=8000
    ),
    "headers": Flood(after(b"", lambda n: "gamelog: 1\ngame: spit\n"), 0, 500, few=5000, many=100_000),
    "headers of unknown games": Flood(
        after(b"", lambda n: f"gamelog: 1\ngame: spit{n}\n"), 1, 1000, few=3000, many=100_000
    ),
    "games of one bad line": Flood(
        after(b"", lambda n: "gamelog: 1\ngame: spit\nround 1\nA play 7D from 3 on 1\n"),
        1,
        10_000,
        few=300,
        many=20_000,
    ),
    "games with a bad last line": Flood(lambda n: repeat(games() + b"round 7\n", n), 1, 100_000, few=12, many=1000),
    "keys of a header": Flood(after(HEAD, lambda n: f"x-{n}: 1"), 1, 30, few=200_000, many=2_000_000),
    "unknown keys of a header": Flood(after(HEAD, lambda n: f"y{n}: 1"), 1, 100),
    "objects as headers": Flood(
        after(b"", lambda n: f'{{"gamelog": 1, "game": "spit", "id": "{n}"}}'), 0, 500, few=5000, many=100_000
    ),
    "options": Flood(after(b"", options), 1, 50_000, few=80, many=5000),
    "long comments": Flood(after(BEGUN, lambda n: f"A call spit # {n} {LONG}", 100), 0, 2000, few=4500, many=20_000),
    "long malformed lines": Flood(
        after(BEGUN, lambda n: f"A cale spit {n} {LONG}", 100), 1, 4000, few=1000, many=20_000
    ),
    "long lines that break a rule": Flood(
        after(BEGUN, lambda n: f"A play 7D from 3 on 1 # {n} {LONG}", 100), 1, 2000, few=3500, many=20_000
    ),
    "long deals": Flood(
        after(BEGUN, lambda n: f"A deal {'5H ' * 20_000}| - | - | - | - / - # {n}", 100), 1, 50_000, few=40, many=2000
    ),
    "long keys of a header": Flood(after(HEAD, lambda n: f"x-{n}: {LONG}", 100), 1, 3000, few=4000, many=20_000),
    "long ids": Flood(
        after(b"", lambda n: f"gamelog: 1\ngame: spit\nid: {n} {LONG}", 100), 0, 4000, few=500, many=20_000
    ),
    "long objects": Flood(
        after(
            JSON_HEAD + b'{"type": "round", "number": 1}\n', lambda n: f'{{"type": "stuck", "x-{n}": "{LONG}"}}', 100
        ),
        1,
        4000,
        few=2000,
        many=20_000,
    ),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood(name: str, call: Call) -> None:
    stands(FLOODS[name], FLOODS[name].few, call)


@pytest.mark.verify
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_ten_millions(name: str, call: Call) -> None:
    stands(FLOODS[name], FLOODS[name].many, call)


def stands(flood: Flood, count: int, call: Call) -> None:
    """Check so much of a flood."""
    allowed = START + SLACK * flood.microseconds * count / 1e6
    outcome = call("check", "-", feed=flood.made(count), seconds=int(60 + 10 * allowed))
    sound(outcome, flood.code)
    assert outcome.seconds < allowed
    assert flood.says in outcome.out.splitlines()[-1]


def late_fault(calls: int) -> Iterator[bytes]:
    """A game that breaks a rule in its last line, after so many words that change nothing."""
    lines = b"\n".join(line.split(b" ", 1)[-1] if line[:1] == b"@" else line for line in opening(60).split(b"\n"))
    slow = after(lines, lambda n: "@2026-01-31T20:15:00Z A call spit")
    return chain(slow(calls), [b"stuck\nA play 7D from 3 on 1\n"])


def test_a_late_fault_under_many_readings(call: Call) -> None:
    """A game whose last line breaks a rule is judged again under other readings; that is bounded, too."""
    outcome = call("check", "-", feed=late_fault(6000), seconds=200)
    sound(outcome, 1)
    assert outcome.seconds < START + SLACK * 6000 * 300 / 1e6


@pytest.mark.verify
def test_a_late_fault_after_as_many_lines_as_are_kept(call: Call) -> None:
    outcome = call("check", "-", feed=late_fault(190_000), seconds=900)
    sound(outcome, 1)
    assert outcome.seconds < START + SLACK * 190_000 * 100 / 1e6


def test_findings_do_not_grow_with_the_limit_that_was_asked_for(call: Call) -> None:
    flood = after(BEGUN, lambda n: f"A play 7D from 3 on 1 # {n}")
    outcome = call("check", "--format", "json", "--max-findings", "1000000000", "-", feed=flood(60_000), seconds=200)
    sound(outcome, 1)


def test_memory_does_not_grow_with_the_log(call: Call) -> None:
    """A log ten times as long takes no more memory, but for what the first blocks of a megabyte each need."""
    some = games(100)
    short, long = (call("check", "--quiet", "-", feed=repeat(some, times)).megabytes for times in (2, 20))
    assert long < short + 15
