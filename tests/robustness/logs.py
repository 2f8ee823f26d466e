"""Logs to begin with: the header of a game, random legal games, and the shortest whole game in ``traces/``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fairdeal.checker.generating import generate
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.verdict import GameReport, Verdict

HEAD = b"gamelog: 1\ngame: spit\n"
BEGUN = HEAD + b"round 1\n"
TRACES = Path(__file__).resolve().parent.parent.parent / "traces"


@cache
def games(number: int = 1, seed: int = 1, game: str = "spit") -> bytes:
    """So many random legal games."""
    return "".join(generate(game, games=number, seed=seed)).encode()


def opening(lines: int, seed: int = 1, game: str = "spit") -> bytes:
    """The first lines of a random legal game."""
    return b"\n".join(games(1, seed, game).split(b"\n")[:lines]) + b"\n"


@cache
def shortest() -> bytes:
    """The shortest log in ``traces/`` of one whole legal game, with the players' names beyond ASCII."""
    for path in sorted((TRACES / "legal").glob("*.gamelog"), key=lambda each: (each.stat().st_size, each.name)):
        text = path.read_bytes()
        if [one.verdict for one in check_source(str(path))] == [Verdict.LEGAL] and b"players: Ada, Ben" in text:
            return text.replace(b"players: Ada, Ben", "players: Ada \u2660, B\u00e9n \U0001f0a1".encode())
    raise AssertionError("no legal game in traces/legal")


def judge(folder: Path, data: bytes, name: str = "a.gamelog") -> list[GameReport]:
    """The verdicts on a log that is made of some bytes."""
    path = folder / name
    path.write_bytes(data)
    return list(check_source(str(path)))
