"""What the fuzzer feeds: broken logs, hostile JSON, splices, lines of random words, archives and bytes, by a number.

Most are short, for a short log is judged in a moment and a fault needs few lines; some are whole games.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from functools import cache

import zstandard

from fairdeal.checker.generating import generate
from fairdeal.spec.games import MODULES

from .logs import HEAD, TRACES, opening
from .mutants import mutant

Kind = Callable[[random.Random], tuple[str, bytes]]
KINDS: dict[str, Kind] = {}
"""Ways to make inputs, each by a name."""
CHANGES = (1, 1, 1, 2, 2, 5, 20)
"""How many changes a log gets."""

WORDS = [
    "A",
    "B",
    "round",
    "deal",
    "spit",
    "play",
    "flip",
    "move",
    "call",
    "slap",
    "collect",
    "score",
    "win",
    "tie",
    "stuck",
    "see",
    "pile",
    "stock",
    "end",
    "finished",
    "blocked",
    "on",
    "from",
    "at",
    "to",
    "of",
    "total",
    "refused",
    "race",
    "rank",
    "draw",
    "take",
    "meld",
    "lay",
    "discard",
    "as",
    "m1",
    "turn-up",
    "-",
    "?",
    "??",
    "!!",
    "7?",
    "TH",
    "10H",
    "th",
    "HT",
    "T♥",
    "🂱",
    "♥",
    "|",
    "/",
    ":",
    "??*3",
    "0",
    "1",
    "2",
    "3",
    "5",
    "9",
    "99",
    "@1",
    "@2.5",
    "@1-2",
    "@x",
    "#",
    "{}",
    "gamelog:",
    "1",
    "game:",
    "spit",
    "rules:",
    "scored",
    "options:",
    "flip=auto",
    "id:",
    "x-y:",
    "\x00",
    "\ufeff",
    "\u2028",
]
"""What lines of logs are made of, and what does not belong there."""

_VALUES = (
    *(
        "null",
        "true",
        "0",
        "-1",
        "1e999",
        "NaN",
        "1" * 30,
        "0.1",
        '""',
        '"\\ud800"',
        '"??"',
        '"!!"',
        '"A"',
        '"5H"',
        '"10H"',
    ),
    *(
        "[]",
        "{}",
        "[[]]",
        '["5H", "5H"]',
        '[["5H"], ["??*3"]]',
        '{"a": {"b": [1]}}',
        "[" * 9 + "]" * 9,
        '"\\u0000"',
        '"\\n"',
    ),
)
_KEYS = (
    "type",
    "player",
    "card",
    "cards",
    "from",
    "on",
    "to",
    "at",
    "seq",
    "t",
    "refused",
    "gamelog",
    "game",
    "options",
    "x-a",
    "of",
)


def kind(make: Kind) -> Kind:
    """Register a way to make inputs: the name of a file, and what is in it."""
    KINDS[make.__name__] = make
    return make


@cache
def bases() -> tuple[bytes, ...]:
    """Logs to begin with: all traces that are short, and the openings of random games."""
    short = [log.read_bytes() for log in sorted(TRACES.rglob("*.gamelog*")) if log.suffix in (".gamelog", ".jsonl")]
    openings = [opening(count, seed, game) for game in MODULES for seed in range(3) for count in (15, 60)]
    return (*(text for text in short if len(text) < 4000), *openings)


@cache
def objects() -> tuple[bytes, ...]:
    """Logs in JSON Lines."""
    whole = ["".join(generate(game, games=1, seed=seed, format="jsonl")) for game in MODULES for seed in range(3)]
    return tuple("\n".join(text.split("\n")[:60]).encode() for text in whole)


def _beginning(text: bytes, chance: random.Random) -> bytes:
    """The whole text, or more often so many lines of it."""
    lines = chance.choice((5, 6, 7, 8, 9, 10, 10, 12, 14, 18, 25, 40, 0))
    return b"\n".join(text.split(b"\n", lines)[:lines]) if lines else text


@kind
def mutated(chance: random.Random) -> tuple[str, bytes]:
    """A log with a few changes."""
    text = _beginning(chance.choice(bases()), chance)
    return "a.gamelog", mutant(text, chance, chance.choice(CHANGES))


@kind
def hostile_json(chance: random.Random) -> tuple[str, bytes]:
    """Objects with values, keys and brackets that do not belong there."""
    text = _beginning(chance.choice(objects()), chance)
    lines = [line for line in text.decode().split("\n") if line]
    for _ in range(chance.choice(CHANGES)):
        at = chance.randrange(len(lines))
        lines[at] = _spoiled(lines[at], chance)
    return "a.gamelog.jsonl", "\n".join(lines).encode("utf-8", "surrogatepass")


def _spoiled(line: str, chance: random.Random) -> str:
    value, key = chance.choice(_VALUES), chance.choice(_KEYS)
    match chance.randrange(6):
        case 0:
            return (
                line[: chance.randrange(len(line) + 1)]
                + chance.choice(("", "}", "]", '"', "\0", "{"))
                + line[chance.randrange(len(line) + 1) :]
            )
        case 1:
            return line.rstrip("} ") + f', "{key}": {value}}}'
        case 2:
            return f'{{"{key}": {value}}}'
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return value
    if not isinstance(fields, dict) or not fields:
        return value
    name = chance.choice(list(fields))
    parts = [f"{json.dumps(each)}: {value if each == name else json.dumps(fields[each])}" for each in fields]
    return f"{{{', '.join(parts)}}}"


@kind
def spliced(chance: random.Random) -> tuple[str, bytes]:
    """The beginning of one log and the end of another."""
    first, second = chance.choice(bases() + objects()), chance.choice(bases() + objects())
    head, tail = first[: chance.randrange(len(first))], second[chance.randrange(len(second)) :]
    return "a.gamelog", _beginning(head, chance) + _beginning(tail, chance)


@kind
def random_lines(chance: random.Random) -> tuple[str, bytes]:
    """Lines of random words among lines of logs, after a beginning or not."""
    before = chance.choice((b"", HEAD, HEAD + b"round 1\n", chance.choice(bases())[: chance.randrange(700)]))
    whole = chance.choice(bases()).decode(errors="replace").split("\n")
    lines = [
        " ".join(chance.choices(WORDS, k=chance.randrange(10))) if chance.randrange(3) else chance.choice(whole)
        for _ in range(chance.choice((1, 3, 6, 6, 10, 25)))
    ]
    return "a.gamelog", before + "\n".join(lines).encode("utf-8", "surrogatepass")


@kind
def random_bytes(chance: random.Random) -> tuple[str, bytes]:
    """Bytes, of all kinds or of those that logs have, after a header or not."""
    size = chance.choice((0, 1, 7, 80, 600))
    alphabet = chance.choice(
        (bytes(range(256)), b'AB deal play 0123456789THSDC|/?!*@.:"{}[],\n\n\r\t', b"\xf0\x9f\x82\xa1\xe2\x99\xa0 TH\n")
    )
    return "a.gamelog", chance.choice((b"", HEAD, HEAD + b"round 1\n")) + bytes(chance.choices(alphabet, k=size))


@kind
def packed(chance: random.Random) -> tuple[str, bytes]:
    """An archive, whole, cut or damaged."""
    _, text = mutated(chance)
    name, data = chance.choice(
        (("a.gamelog.gz", gzip.compress(text, 1, mtime=0)), ("a.gamelog.zst", zstandard.compress(text, 1)))
    )
    match chance.randrange(3):
        case 0:
            data = data[: chance.randrange(len(data))]
        case 1:
            spoiled = bytearray(data)
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
            data = bytes(spoiled)
    return name, data
