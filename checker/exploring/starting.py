"""Starting: the table that an exploration begins with, from a log or from a seed, and the lines that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.generating import Generator
from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.reading.lines import Unreadable, blocks
from fairdeal.checker.reading.source import open_log
from fairdeal.checker.verdict import Verdict
from fairdeal.spec.games import UnknownGame, exploration_of, model_named
from fairdeal.spec.language.exploring import Exploration
from fairdeal.spec.language.game import Game


class StartError(Exception):
    """There is nothing to begin with; the message says why and what instead."""


@dataclass(frozen=True, slots=True)
class Start:
    """A table, with the rules in force and the log that leads to it."""

    binder: Binder
    exploration: Exploration
    state: State
    labels: Labels
    rules: str
    chosen: Mapping[str, str]
    lines: tuple[str, ...]
    """The game's lines from its header to the one after which the table looks so."""
    place: str
    """Where that is, for the reader."""

    @property
    def game(self) -> Game:
        """The rules."""
        return self.binder.game

    @property
    def is_json(self) -> bool:
        """Whether the log is one of JSON lines."""
        return bool(self.lines) and self.lines[0].lstrip().startswith("{")


def from_log(path: str, at: int | None, rules: str | None, options: Mapping[str, str]) -> Start:
    """The table after a line of a log; without one, where the first part that can be explored begins.

    Raises:
        SourceError: the log cannot be read.
        StartError: no such table is in the log, or what is known of it is not enough.
    """
    with open_log(path) as stream:
        lines = (line for block in blocks(stream) for line in block)
        return _from_lines(lines, Call(path, rules, dict(options)), at)


def from_seed(game: str, seed: int, rules: str | None, options: Mapping[str, str], number: int = 1) -> Start:
    """The table of the first deal of the game that ``fairdeal generate GAME --seed SEED`` makes, or a later one's.

    Raises:
        UnknownGame, OptionError: as `generate` does.
        StartError: nothing of the game can be explored.
    """
    text = _generator(game, rules or "standard", tuple(sorted(options.items()))).one_game(seed, number)
    lines = [line for line in text.split("\n") if not line.startswith("source:")]
    found = _from_lines(lines, Call(f"{game}, seed {seed}"), None)
    bare = tuple(line.split(" ", 1)[1] if line.startswith("@") else line for line in found.lines)
    place = f"{game}, seed {seed}"
    return Start(found.binder, found.exploration, found.state, found.labels, found.rules, found.chosen, bare, place)


@lru_cache(maxsize=4)
def _generator(game: str, rules: str, options: tuple[tuple[str, str], ...]) -> Generator:
    return Generator(model_named(game), rules, dict(options), "text")


def _from_lines(lines: Iterable[str], call: Call, at: int | None) -> Start:
    check = LogCheck(call)
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        if at is None and isinstance(line, Unreadable):
            raise StartError(f"line {number} of {call.path} cannot be read, before anything begins there")
        before = check.game
        for _ in check.take([line]):
            pass
        if check.game is not before:
            kept = []
        kept.append(line)
        if number == at or (at is None and _begins(check)):
            return _start(check, kept, call, number)
    wanted = "where a part begins that can be explored" if at is None else f"as line {at}"
    raise StartError(f"{call.path} has no line {wanted}; --at LINE says after which line to begin")


def _begins(check: LogCheck) -> bool:
    run = check.game.run if check.game else None
    if run is None or not run.events:
        return False
    try:
        exploration = exploration_of(run.binder.game.name)
    except UnknownGame:
        return False
    return bool(run.binder.interpreter.value(exploration.begins.term, run.state, {}))


def _start(check: LogCheck, lines: Sequence[str], call: Call, number: int) -> Start:
    game = check.game
    if game is not None and check.in_header:
        raise StartError(f"line {number} of {call.path} is in a header")
    run = game.run if game else None
    if game is None or run is None:
        raise StartError(f"line {number} of {call.path} is in no game that can be judged")
    if run.outcome.worst is not Verdict.LEGAL or game.outcome.findings:
        raise StartError(f"what leads to line {number} of {call.path} is not legal; `fairdeal check` says why")
    state = copy(run.state)
    if any(_unknown(state)):
        raise StartError(f"not all cards are known after line {number} of {call.path}, and exploring needs them all")
    try:
        exploration = exploration_of(run.binder.game.name)
    except UnknownGame as error:
        raise StartError(f"nothing says how {run.binder.game.title} is explored") from error
    place = f"{call.path}:{number}"
    return Start(run.binder, exploration, state, run.labels, game.rules or "standard", game.chosen, tuple(lines), place)


def _unknown(state: State) -> Iterator[bool]:
    for part in state:
        if isinstance(part, list):
            yield any(code >= 52 for code in part)
        elif isinstance(part, int) and part > bags.KNOWN:
            yield True
