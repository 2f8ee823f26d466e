"""A census: many deals explored one after another or side by side, kept on disk as they are done, and summed up.

Each finished deal is a line of its own in the file that is kept, written and flushed at once. A run that was killed is
gone on with by the same call: what is in the file is not explored again, and half a line at its end is cut off.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from fairdeal.checker.engines.native import Limits
from fairdeal.checker.exploring.rounds import Result, Round, explore
from fairdeal.checker.exploring.starting import from_seed

VERSION = 2
Z = 1.959964
"""The 97.5% point of the normal distribution, for 95% intervals."""


class CensusError(Exception):
    """The file that is kept belongs to another census, or is none; the message says what differs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is explored: so many deals of a game from a seed, under the same rules and limits."""

    game: str
    seed: int
    deals: int
    rules: str | None
    options: Mapping[str, str]
    merging: str
    compiled: bool
    states: int
    memory: int

    def head(self, model: str) -> dict[str, Any]:
        """What has to be the same for kept deals to count; how many deals there are may grow."""
        fields = ("game", "seed", "rules", "merging", "states", "memory")
        found = {name: getattr(self, name) for name in fields}
        return {"census": VERSION, "model": model, **found, "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something is so: in how many deals it is, in how many it is not known, and a 95% interval.

    The interval is Wilson's, from its lower end with what is known to its upper end with all that may be.
    """

    name: str
    found: int
    unknown: int
    deals: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the rate among all deals lies."""
        return wilson(self.found, self.deals)[0], wilson(self.found + self.unknown, self.deals)[1]


def wilson(count: int, of: int) -> tuple[float, float]:
    """The 95% score interval of a proportion (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


class Kept:
    """The file of a census: a line that says what it is of, then a line for each deal."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self.path = path
        self.records: dict[int, dict[str, Any]] = {}
        if path.exists() and path.stat().st_size:
            self._read(head)
        else:
            self._append(head)

    def _read(self, head: Mapping[str, Any]) -> None:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        try:
            first, *rest = [json.loads(line) for line in whole.splitlines()] or [{}]
        except ValueError as error:
            raise CensusError(f"{self.path} is no file of a census: {error}") from error
        if not isinstance(first, dict) or "census" not in first:
            raise CensusError(f"{self.path} is no file of a census; name another one")
        for name, value in head.items():
            if first.get(name) != value:
                raise CensusError(f"{self.path} is of another census: {name} is {first.get(name)!r}, not {value!r}")
        if len(whole) < len(content):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        self.records = {int(one["deal"]): one for one in rest}

    def add(self, record: Mapping[str, Any]) -> None:
        """Keep a deal; when this returns it outlives the process."""
        self.records[int(record["deal"])] = dict(record)
        self._append(record)

    def _append(self, record: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def run(plan: Plan, missing: Sequence[int], jobs: int) -> Iterator[dict[str, Any]]:
    """The records of deals, as they are done."""
    explorer = Explorer(plan)
    if jobs == 1 or len(missing) < 2:
        for number in missing:
            yield explorer.record(number)
        return
    explorer.prepare(missing[0])  # compiled once, before the processes part
    _shared[:] = [explorer]
    with get_context("fork").Pool(jobs, initializer=_watch, initargs=(os.getpid(),)) as pool:
        yield from pool.imap_unordered(_record, missing)


_shared: list[Explorer] = []
"""The explorer that processes inherit when they part: compiled functions cannot be sent."""


def _record(number: int) -> dict[str, Any]:
    return _shared[0].record(number)


def _watch(parent: int) -> None:
    """End this process when the one that started it is gone: nobody would hear of what it finds."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Explorer:
    """Explores the deals of a plan; source is generated and compiled once for all deals of one shape."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.model: Round | None = None

    def prepare(self, number: int) -> Round:
        """A deal, ready to be explored."""
        plan = self.plan
        start = from_seed(plan.game, plan.seed, plan.rules, plan.options, number)
        limits = Limits(plan.states, plan.memory)
        part = self.model.dealt_anew(start) if self.model else None
        if part is None:
            part = self.model = Round(start, plan.merging, plan.compiled, limits)
        return part

    def record(self, number: int) -> dict[str, Any]:
        """What exploring a deal has shown, as plain data."""
        return as_record(number, explore(self.prepare(number))[0])


def as_record(number: int, result: Result) -> dict[str, Any]:
    """A deal's result, without what hangs on the machine, but for the seconds."""
    return {
        "deal": number,
        "complete": result.complete,
        "states": result.states,
        "longest": result.longest,
        "outcomes": {one.name: [one.states, one.shortest, one.longest] for one in result.outcomes},
        "most": {one.event: [one.most, one.bound] for one in result.most},
        "kept": {one.name: list(one.endings) if one.complete or one.endings else None for one in result.kept},
        "seconds": round(result.cpu_seconds, 2),
    }


@dataclass(frozen=True, slots=True)
class Summary:
    """The table of a census."""

    plan: Plan
    deals: int
    complete: int
    classes: tuple[Rate, ...]
    kept: tuple[Rate, ...]
    states: tuple[int, int, int]
    """Fewest, median and most states of the deals that are complete."""
    most: Mapping[str, tuple[int, int | None, int]]
    """By event, the most in what was seen of any deal, the bound, and in how many deals it is met."""
    longest: int | None


def summed_up(plan: Plan, records: Mapping[int, Mapping[str, Any]]) -> Summary:
    """The table; deals are taken in the order of their numbers, so it does not hang on which was done first."""
    chosen = [records[number] for number in range(1, plan.deals + 1) if number in records]
    complete = [one for one in chosen if one["complete"]]
    names = list(chosen[0]["outcomes"]) if chosen else []
    classes = []
    for name in names:
        found = sum(_met(one, name) for one in chosen)
        unknown = sum(not _met(one, name) and not one["complete"] for one in chosen)
        classes.append(Rate(name, found, unknown, len(chosen)))
    kept = []
    for name in list(chosen[0]["kept"]) if chosen else []:
        answers = [one["kept"].get(name) for one in chosen]
        kept.append(Rate(name, sum(bool(one) for one in answers), answers.count(None), len(chosen)))
    sizes = sorted(one["states"] for one in complete) or [0]
    most = {}
    for event in chosen[0]["most"] if chosen else []:
        bound = chosen[0]["most"][event][1]
        counts = [one["most"][event][0] for one in chosen]
        most[event] = (max(counts), bound, sum(count == bound for count in counts))
    return Summary(
        plan=plan,
        deals=len(chosen),
        complete=len(complete),
        classes=tuple(classes),
        kept=tuple(kept),
        states=(sizes[0], sizes[len(sizes) // 2], sizes[-1]),
        most=most,
        longest=max((one["longest"] for one in complete), default=None),
    )


def _met(record: Mapping[str, Any], name: str) -> bool:
    """Whether a deal has a state of the class: also by a search for what a player is kept from."""
    return bool(record["outcomes"][name][0]) or any(name in (endings or ()) for endings in record["kept"].values())


def census(
    plan: Plan, model: str, path: Path | None, jobs: int, note: Callable[[int, int], None] | None = None
) -> Summary:
    """Explore what is missing, keep it, and sum up all.

    Raises:
        CensusError: the file that is kept is of another census.
        KeyboardInterrupt: as it comes; what is done is kept.
    """
    kept = Kept(path, plan.head(model)) if path else None
    records: dict[int, dict[str, Any]] = dict(kept.records) if kept else {}
    missing = [number for number in range(1, plan.deals + 1) if number not in records]
    for record in run(plan, missing, jobs):
        records[record["deal"]] = record
        if kept:
            kept.add(record)
        if note:
            note(sum(number <= plan.deals for number in records), plan.deals)
    return summed_up(plan, records)


__all__ = ["CensusError", "Plan", "Rate", "Summary", "census", "summed_up", "wilson"]
