"""Broken logs: a few random changes to a log, of bytes, words, cards, numbers and lines."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Change = Callable[[list[bytes], random.Random], None]

_CARD = re.compile(rb"(?<![^ ])([A2-9TJQK])([SHDC])(?![^ ])")
_NUMBER = re.compile(rb"(?<![^ .])\d+(?![^ .])")
_ODD = (
    b"",
    b"-",
    b"??",
    b"!!",
    b"7?",
    b"A",
    b"B",
    b"refused",
    b"race",
    b"99999999999",
    b"@1",
    b"{}",
    b"|",
    b"/",
    b"10H",
    b"*",
    b"m1",
)
_SEEN = {
    b"spit": (
        b"see stock A 3: 7D of 2",
        b"see spit A: 9",
        b"see pile 1: 8H of 5",
        b"see pile 2: - of 0",
        b"stuck",
    ),
    b"queen-city-rum": (
        b"see hand A: 9",
        b"see hand B: 7D KH",
        b"see stock: 20",
        b"see discard: 8H of 5",
        b"see meld m1: 5H 6H 7H",
        b"A out",
        b"turn-over",
    ),
}


def _place(lines: list[bytes], chance: random.Random) -> int:
    return chance.randrange(len(lines))


def flip_bytes(lines: list[bytes], chance: random.Random) -> None:
    """Another byte in place of one."""
    at = _place(lines, chance)
    if lines[at]:
        line = bytearray(lines[at])
        line[chance.randrange(len(line))] = chance.choice((0, 10, 13, 27, 32, 35, 127, 255, chance.randrange(256)))
        lines[at] = bytes(line)


def drop(lines: list[bytes], chance: random.Random) -> None:
    """A line, or some, are missing."""
    at = _place(lines, chance)
    del lines[at : at + chance.choice((1, 1, 1, 5))]
    if not lines:
        lines.append(b"")


def duplicate(lines: list[bytes], chance: random.Random) -> None:
    """A line stands twice, the second time perhaps elsewhere."""
    at = _place(lines, chance)
    lines.insert(chance.choice((at, _place(lines, chance))), lines[at])


def swap(lines: list[bytes], chance: random.Random) -> None:
    """Two lines change places, often neighbours."""
    first = _place(lines, chance)
    second = chance.choice((max(first - 1, 0), _place(lines, chance)))
    lines[first], lines[second] = lines[second], lines[first]


def card(lines: list[bytes], chance: random.Random) -> None:
    """Another card in place of one."""
    new = bytes([chance.choice(b"A23456789TJQK"), chance.choice(b"SHDC")])
    _replace(lines, chance, _CARD, chance.choice((new, new, b"??", new[:1] + b"?", b"!!")))


def number(lines: list[bytes], chance: random.Random) -> None:
    """Another number in place of one."""
    _replace(lines, chance, _NUMBER, str(chance.choice((0, 1, 2, 3, 6, 99, 10**9, 10**25))).encode())


def _replace(lines: list[bytes], chance: random.Random, what: re.Pattern[bytes], new: bytes) -> None:
    for at in chance.sample(range(len(lines)), min(20, len(lines))):
        if found := list(what.finditer(lines[at])):
            one = chance.choice(found)
            lines[at] = lines[at][: one.start()] + new + lines[at][one.end() :]
            return


def word(lines: list[bytes], chance: random.Random) -> None:
    """A word is missing, doubled, out of place, or another."""
    at = _place(lines, chance)
    words = lines[at].split(b" ")
    place = chance.randrange(len(words))
    words[place] = chance.choice((*_ODD, words[place] * 2, chance.choice(words)))
    lines[at] = b" ".join(words)


def player(lines: list[bytes], chance: random.Random) -> None:
    """The other player acts."""
    at = _place(lines, chance)
    other = {b"A": b"B", b"B": b"A"}
    lines[at] = b" ".join(other.get(each, each) for each in lines[at].split(b" "))


def refusal(lines: list[bytes], chance: random.Random) -> None:
    """An act is said to have been refused, or a refusal is left out."""
    at = _place(lines, chance)
    bare = lines[at].partition(b" refused")[0]
    lines[at] = bare if bare != lines[at] else bare + chance.choice((b" refused", b" refused race", b" refused turn"))


def seen(lines: list[bytes], chance: random.Random) -> None:
    """Something is said to have been seen."""
    game = next((name for name in _SEEN if b"game: " + name in lines), b"spit")
    lines.insert(_place(lines, chance), chance.choice((*_SEEN[game], b"A win", b"tie")))


CHANGES: tuple[Change, ...] = (drop, duplicate, swap, card, card, number, word, player, refusal, seen)
BINARY: tuple[Change, ...] = (*CHANGES, flip_bytes, flip_bytes, flip_bytes)


def mutant(log: bytes, chance: random.Random, changes: int, *, binary: bool = True) -> bytes:
    """A log with some random changes; the same for the same chance."""
    lines = log.split(b"\n")
    for _ in range(changes):
        chance.choice(BINARY if binary else CHANGES)(lines, chance)
    return b"\n".join(lines)
