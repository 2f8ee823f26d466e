"""However a log is written down, it gets the same verdict, with the same codes at the corresponding lines."""

from __future__ import annotations

import gzip
import io
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import zstandard

from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.verdict import GameReport
from fairdeal.spec.games import MODULES

from .logs import TRACES, games, judge, opening, shortest
from .mutants import mutant
from .same import WAYS

Outline = list[tuple[object, ...]]


def outline(reports: Sequence[GameReport], origin: Sequence[int] | None = None) -> Outline:
    """What must stay the same; lines are those of the original log."""

    def at(line: int | None) -> int | None:
        return line if line is None or origin is None else origin[line - 1] + 1

    return [
        (
            *(report.verdict, report.events, dict(report.readings), report.more_findings, dict(report.options)),
            [
                (
                    one.code,
                    one.severity,
                    at(one.line),
                    one.also,
                    dict(one.readings),
                    at(one.follows_from),
                    one.legal_total,
                )
                for one in report.findings
                if one.code not in ("LOG-OPEN", "LOG-CUT", "LOG-STALLED")  # where a log ends is another matter
            ],
        )
        for report in reports
    ]


def samples() -> dict[str, str]:
    """Logs good and bad: a whole game, openings, and mutants of them."""
    texts = {"shortest": shortest(), "opening": opening(60)}
    for game in MODULES:
        texts[f"game of {game}"] = games(1, 3, game)
        for seed in range(6):
            log = opening(80, seed % 3, game)
            texts[f"{game}, mutant {seed}"] = mutant(log, random.Random(seed), changes=1 + seed % 3, binary=False)
    return {name: text.decode() for name, text in texts.items()}


SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("way", WAYS)
def test_another_way_to_write_it(way: str, name: str, tmp_path: Path) -> None:
    unchanged(SAMPLES[name], way, random.Random(f"{way} {name}"), tmp_path)


@pytest.mark.verify
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", MODULES)
@pytest.mark.parametrize("seed", range(150))
def test_many_mutants_written_another_way(way: str, seed: int, game: str, tmp_path: Path) -> None:
    chance = random.Random(seed)
    log = mutant(opening(200, seed % 5, game), chance, chance.randint(1, 4), binary=False)
    unchanged(log.decode(), way, chance, tmp_path)


@pytest.mark.parametrize("game", MODULES)
def test_the_json_twin_of_a_game_is_json_but_for_its_blank_lines(game: str) -> None:
    other, _ = WAYS["json_twin"](games(1, 3, game).decode(), random.Random(1))
    written = [line for line in other.split("\n") if line]
    assert all(line.startswith("{") for line in written)
    assert len(written) == 1 + sum(line.startswith("@") for line in games(1, 3, game).decode().split("\n"))


@pytest.mark.parametrize("way", WAYS)
def test_some_traces_written_another_way(way: str, tmp_path: Path) -> None:
    traces_unchanged(way, tmp_path, 16)


@pytest.mark.verify
@pytest.mark.parametrize("way", WAYS)
def test_every_trace_written_another_way(way: str, tmp_path: Path) -> None:
    traces_unchanged(way, tmp_path, 1)


def traces_unchanged(way: str, folder: Path, step: int) -> None:
    """Judge every so many-th of the traces as it is and written another way."""
    paths = sorted(TRACES.rglob("*.gamelog"))[list(WAYS).index(way) % step :: step]
    assert paths
    for path in paths:
        unchanged(path.read_text(encoding="utf-8"), way, random.Random(path.name), folder)


def unchanged(text: str, way: str, chance: random.Random, folder: Path) -> None:
    """Judge a log as it is and written another way."""
    other, origin = WAYS[way](text, chance)
    assert outline(judge(folder, other.encode()), origin) == outline(judge(folder, text.encode())), other


@pytest.mark.parametrize("name", ["shortest", "spit, mutant 1", "queen-city-rum, mutant 2"])
def test_archives_and_standard_input(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = SAMPLES[name].encode()
    expected = outline(judge(tmp_path, data))
    assert outline(judge(tmp_path, gzip.compress(data), "a.gamelog.gz")) == expected
    assert outline(judge(tmp_path, gzip.compress(data[:99]) + gzip.compress(data[99:]), "a.gamelog.gz")) == expected
    assert outline(judge(tmp_path, zstandard.ZstdCompressor().compress(data), "a.gamelog.zst")) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert outline(list(check_source("-"))) == expected


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_pieces_in_which_a_log_arrives(size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = SAMPLES["spit, mutant 2"].encode()

    class Slow(io.BytesIO):
        def read1(self, size_: int | None = -1, /) -> bytes:
            return self.read(size)

    class Stdin:
        buffer = Slow(data)

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert outline(list(check_source("-"))) == outline(judge(tmp_path, data))
