"""What is measured, and how."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from statistics import median

from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.judging.inspection import run_up_to
from fairdeal.checker.judging.lawful import lawful_events
from fairdeal.checker.verdict import Verdict

from .yardstick import gin_rummy_actions_a_second, plies_a_second, random_games

MEASURED = Path(__file__).with_name("measured.py")
BARS: dict[str, dict[str, tuple[float, float | None]]] = {
    "spit": {"generate": (100_000, 200_000), "check": (500_000, 1_000_000)},
    "queen-city-rum": {"generate": (60_000, None), "check": (300_000, None)},
}
"""Bar and goal of each game in events a second."""
RUMMIES = frozenset({"queen-city-rum"})
"""Games whose `generate` is set beside OpenSpiel's nearest relative, gin rummy."""
NOMINAL = 60_000
"""Plies a second at which the design's bars, when they are read as ratios, were set."""


@dataclass(frozen=True)
class Figure:
    """One measured figure, with the design's bar and goal for it if it has any."""

    game: str
    what: str
    value: float
    unit: str
    bar: float | None = None
    goal: float | None = None
    ratio: float | None = None
    """For speeds: how many times that of python-chess reading PGN."""
    note: str = ""

    @property
    def more_is_better(self) -> bool:
        """Whether it is a speed or a gain, rather than a time or a size."""
        return self.unit.endswith("/s") or self.unit == "times"

    def reaches(self, mark: float | None) -> bool | None:
        """Whether the figure is as good as a mark."""
        if mark is None:
            return None
        return self.value >= mark if self.more_is_better else self.value <= mark

    def ratio_reaches(self, mark: float | None) -> bool | None:
        """Whether the ratio is as good as the mark's at the nominal speed of python-chess."""
        if mark is None or self.ratio is None:
            return None
        return self.ratio >= mark / NOMINAL


@dataclass(frozen=True)
class Call:
    """What one call took."""

    seconds: float
    """By the clock: what a person waits."""
    cpu: float
    """Of the processor: what the call costs, whatever else runs."""
    megabytes: float


class Bench:
    """Makes the logs in a folder and measures one figure after another."""

    def __init__(self, folder: Path, game: str, events: int, megabytes: int, runs: int) -> None:
        self.folder, self.game, self.wanted, self.megabytes, self.runs = folder, game, events, megabytes, runs
        self.pgn, self.plies = random_games(max(events // 5000, 4))
        self.speeds: list[float] = []
        """What the yardstick gave before each speed."""
        self.big, self.short = folder / "big.gamelog", folder / "short.gamelog"
        self.events = 0

    def figures(self) -> Iterator[Figure]:
        """Every figure, as it is measured."""
        yield from self._generate()
        yield from self._check()
        yield from self._distinct()
        yield from self._start()
        yield from self._legal()
        yield self._memory()
        yield self._archive()

    # -- the yardstick -----------------------------------------------------------------------------------------------

    def yardstick(self) -> Figure:
        """The speed that all others are set beside."""
        self._chess()
        return Figure(
            "", "python-chess, reading PGN", self.speeds[-1], "plies/s", note=f"{self.plies} plies, median of 3"
        )

    def _chess(self) -> float:
        self.speeds.append(plies_a_second(self.pgn, self.plies))
        return self.speeds[-1]

    def _speed(
        self,
        what: str,
        events: int,
        seconds: float,
        bar: float | None = None,
        goal: float | None = None,
        note: str = "",
    ) -> Figure:
        """A speed beside that of python-chess measured just now."""
        value = events / seconds
        return Figure(self.game, what, value, "events/s", bar, goal, value / self._chess(), note)

    # -- what is measured --------------------------------------------------------------------------------------------

    def _generate(self) -> Iterator[Figure]:
        first = self.folder / "first.gamelog"
        few = min(max(self.wanted // 1000, 1), 50)
        some = self._call("generate", self.game, "--games", str(few), "--output", first)
        apiece = max(_events(first) // few, 1)
        games = max(self.wanted // apiece, 1)
        all_games = self._call("generate", self.game, "--games", str(games), "--seed", "1", "--output", self.big)
        self.events = _events(self.big)
        self.short.write_bytes(_first_game(first.read_bytes()))
        note = f"{self.events} events, {games} games; whole process ({some.cpu:.2f} s for {few})"
        made = self._speed("generate", self.events, all_games.cpu, *BARS[self.game]["generate"], note)
        if self.game not in RUMMIES:
            yield made
            return
        rummy = gin_rummy_actions_a_second()
        if rummy is None:
            yield replace(made, note=f"{note}; OpenSpiel is not installed, so there is no ratio to its gin rummy")
            return
        yield replace(made, note=f"{note}; {made.value / rummy:.2f} times OpenSpiel's gin rummy")
        yield Figure(
            "", "OpenSpiel, gin rummy", rummy, "actions/s", note="players' actions in random games, from Python"
        )

    def _check(self) -> Iterator[Figure]:
        call = self._call("check", "--quiet", self.big)
        size = self.big.stat().st_size / 1e6
        note = f"{self.events} events, {size:.0f} MB; whole process with start-up"
        yield self._speed("check, one core", self.events, call.cpu, *BARS[self.game]["check"], note)
        yield self._speed("check, without start-up", *self._judged(self.big), note="the same log, in a warm process")
        numbered = self.folder / "numbered.gamelog"
        _write(numbered, (f"{n} {line}" for n, line in _numbered(self.big)))
        yield self._speed("check, lines numbered too", *self._judged(numbered), note="number and time on every line")
        plain = self.folder / "plain.gamelog"
        _write(plain, (line.split(" ", 1)[-1] if line[:1] == "@" else line for line in _lines(self.big)))
        yield self._speed("check, lines without time", *self._judged(plain), note="the body alone")

    def _judged(self, path: Path) -> tuple[int, float]:
        """Events of a log and the processor's seconds that judging them takes in this process, all of them legal."""
        list(check_source(str(self.short)))
        started = time.process_time()
        events = 0
        for report in check_source(str(path)):
            if report.verdict is not Verdict.LEGAL:
                raise AssertionError(f"{report.path}:{report.line} is {report.verdict.value}: {report.findings[:1]}")
            events += report.events
        return events, time.process_time() - started

    def _distinct(self) -> Iterator[Figure]:
        path = self.folder / "distinct.gamelog"
        most = max(self.wanted // 5, 1)
        _write(path, _apart(self.big, most))
        figure = self._speed("check, every body different", *self._judged(path), 25_000, 40_000)
        yield Figure(**{**vars(figure), "note": "spelling, spacing and a comment of its own on every line"})

    def _start(self) -> Iterator[Figure]:
        events = _events(self.short)
        cold = [self._call("check", self.short, cache=self.folder / f"cold{run}").seconds for run in range(self.runs)]
        note = f"{events} events, whole process, median of {self.runs}"
        yield Figure(self.game, "check of one log, cold cache", median(cold), "s", 0.35, 0.2, note=note)
        warm = self.folder / "warm"
        self._call("check", self.short, cache=warm)
        times = [self._call("check", self.short, cache=warm).seconds for _ in range(self.runs)]
        yield Figure(self.game, "check of one log, warm cache", median(times), "s", 0.35, 0.2, note=note)

    def _legal(self) -> Iterator[Figure]:
        at = str(self.short.read_bytes().count(b"\n") // 2)
        times = [self._call("legal", self.short, "--at", at).seconds for _ in range(self.runs)]
        yield Figure(
            self.game, "legal, at half of one log", median(times), "s", note=f"whole process, median of {self.runs}"
        )
        run = run_up_to(str(self.short), int(at), None, {})
        rounds = 200
        started = time.process_time()
        found = [len(list(lawful_events(run.binder, run.state))) for _ in range(rounds)]
        speed = rounds / (time.process_time() - started)
        yield Figure(
            self.game, "legal, one state", speed, "states/s", note=f"{found[0]} lawful events, in a warm process"
        )

    def _memory(self) -> Figure:
        path = self.folder / "large.gamelog"
        games = self.big.read_bytes()
        with path.open("wb") as file:
            while file.tell() < self.megabytes * 1_000_000:
                file.write(games)
        call = self._call("check", "--quiet", path)
        size = path.stat().st_size / 1e6
        path.unlink()
        return Figure(
            self.game, "memory", call.megabytes, "MB", 200, 100, note=f"most held at once, a log of {size:.0f} MB"
        )

    def _archive(self) -> Figure:
        path = self.folder / "archive.gamelog.gz"
        games, size = self.big.read_bytes(), 0
        with gzip.open(path, "wb", 1) as file:
            while size < self.megabytes * 1_000_000:
                size += file.write(games)
        one, two = (self._call("check", "--quiet", path, "--jobs", jobs) for jobs in ("1", "2"))
        path.unlink()
        note = f"by the clock, a log of {size / 1e6:.0f} MB in a .gz; {two.megabytes:.0f} MB the largest process"
        return Figure(self.game, "check, 2 jobs to 1", one.seconds / two.seconds, "times", 1.7, note=note)

    # -- calls -------------------------------------------------------------------------------------------------------

    def _call(self, *words: str | Path, cache: Path | None = None) -> Call:
        """Calls `fairdeal`, which must be content, and measures it."""
        figures, paths = self.folder / "figures.json", os.pathsep.join(path for path in sys.path if path)
        env = {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(cache or self.folder / f"cache-{words[0]}")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode beside it
        command = [sys.executable, "-m", "fairdeal.checker", *words]
        measuring = [sys.executable, "-S", "-E", str(MEASURED), str(figures), "3600", "16384"]
        subprocess.run([*measuring, *command], env=env, stdout=subprocess.DEVNULL, check=True)
        found = json.loads(figures.read_text())
        if found["code"] != 0:
            raise AssertionError(f"{words[0]} exits {found['code']}")
        return Call(found["seconds"], found["cpu"], found["megabytes"])


# -- logs ------------------------------------------------------------------------------------------------------------


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def _write(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def _events(path: Path) -> int:
    return sum(line.startswith("@") for line in _lines(path))


def _numbered(path: Path) -> Iterator[tuple[object, str]]:
    """Every line with its number in its game; for lines that are no events, no number."""
    number = 0
    for line in _lines(path):
        if line.startswith("gamelog:"):
            number = 0
        if line.startswith("@"):
            number += 1
            yield number, line
        else:
            yield "", line


def _first_game(data: bytes) -> bytes:
    return data[: data.find(b"gamelog:", 1)]


def _apart(path: Path, most: int) -> Iterator[str]:
    """Whole games of about so many events, in which no body has the text of another."""
    gaps = cycle((" ", "  ", "\t", " \t"))
    marks: Iterator[Callable[[str], str]] = cycle((str.lower, str, "{0:s}".format))
    count = 0
    for line in _lines(path):
        if line.startswith("gamelog:") and count >= most:
            return
        if not line.startswith("@"):
            yield line
            continue
        count += 1
        time, *words = line.split(" ")
        spelled = next(marks)
        words = [spelled(word) if len(word) == 2 and word[0] in "A23456789TJQK" else word for word in words]
        yield f"{time} {words[0]}{next(gaps)}{' '.join(words[1:])} # {count}"
