"""An engine of a few lines that judges "logs" by the words in them, so that the command line is tested alone.

Each line of a log is an order: a verdict gives a game of that verdict, `crash`, `unreadable`, `sleep`
and `many N` do what they say. Run as a program, it is `fairdeal` with this engine.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace

from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict
from fairdeal.spec import catalogue
from fairdeal.spec.language import Option, RuleSet
from fairdeal.spec.language.policy import Policy

CLAUSES = Path(__file__).with_name("clauses")
LINE = "A play 9H from 2 on 1"
SEVERITIES = {
    "violation": Severity.ERROR,
    "malformed": Severity.ERROR,
    "reading-dependent": Severity.READING,
    "unknown": Severity.UNKNOWN,
    "incomplete": Severity.NOTE,
}


class SourceError(Exception):
    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path, self.message = path, message


class PlaceError(Exception):
    pass


class UnknownGame(KeyError):  # noqa: N818 - as the model's module names it
    known = ("toy",)


@dataclass
class LegalEvent:
    text: str
    json: dict[str, str]
    idle: bool = False
    refusable: bool = False
    smaller: int = 0
    covered: bool = False


class Unfit(str):
    """A folder that holds no logs."""


def find_logs(paths: Iterable[str], again: object = None) -> Iterator[str]:
    for path in paths:
        logs = sorted(str(log) for log in Path(path).rglob("*.gamelog")) if Path(path).is_dir() else [path]
        yield from logs or [Unfit(path)]


def report(path: str, line: int, verdict: str) -> GameReport:
    severity = SEVERITIES.get(verdict)
    finding = Finding("TOY-PLAY-1", severity, line, 8, 10, "9H does not follow 5C", LINE) if severity else None
    return GameReport(path, line, None, "toy", "standard", {}, (), 7, Verdict(verdict), (finding,) if finding else ())


def check_source(
    path: str, *, rules: str | None, options: Mapping[str, str], max_findings: int, board: bool, coverage: object = None
) -> Iterator[GameReport]:
    if isinstance(path, Unfit):
        raise SourceError(path, "no gamelog in this folder")
    if path == "-":
        words = sys.stdin.read().splitlines()
    else:
        try:
            words = Path(path).read_text().splitlines()
        except OSError as error:
            raise SourceError(path, "no such file") from error
    for number, word in enumerate(words, 1):
        match word.split():
            case ["crash"]:
                raise ZeroDivisionError("seven\033[31m of nine")
            case ["unreadable"]:
                raise SourceError(path, "the archive is broken")
            case ["sleep"]:
                Path(os.environ["FAKE_READY"]).touch()
                time.sleep(30)
            case ["many", count]:
                for _ in range(int(count)):
                    yield report(path, number, "legal")
            case ["call"]:
                chosen = ",".join(f"{name}={value}" for name, value in options.items())
                call = f"{rules} {chosen} {max_findings} {board}"
                yield GameReport(path, 1, call, "toy", rules, {}, (), 0, Verdict.LEGAL, ())
            case [verdict]:
                yield report(path, number, verdict)


def board_at(path: str, line: int, rules: str | None, options: Mapping[str, str]) -> str:
    if line > 9:
        raise PlaceError(f"line {line} is beyond the end of the log")
    return f"table after {line}\npile 1: 5C \033[2J"


def legal_at(path: str, line: int, rules: str | None, options: Mapping[str, str]) -> list[LegalEvent]:
    if line == 9:
        return []
    if path == "gone":
        raise SourceError(path, "no such file")
    return [LegalEvent("A flip at 3", {"type": "flip"}), LegalEvent("A call spit", {"type": "call"}, True)]


def goal_at(path: str, line: int, rules: str | None, options: Mapping[str, str]) -> list[str]:
    return []


def generate(
    game: str,
    *,
    games: int,
    seed: int,
    rules: str | None,
    options: Mapping[str, str],
    format: str,  # noqa: A002
    policy: str | None,
) -> Iterator[str]:
    for number in range(games):
        yield f"gamelog: 1\nid: {format} {seed}-{number} {rules} {dict(options)} {policy}\n"


def model_named(game: str) -> SimpleNamespace:
    if game != "toy":
        raise UnknownGame(game)
    return SimpleNamespace(
        name="toy",
        version="toy 0123456789ab",
        options={
            "ace": Option("ace", ("cycle", "literal", "linear"), "cycle", ("cycle", "literal"), "GAP-TOY-1"),
            "target": Option("target", (), "101", (), "", (1, 1000)),
        },
        rule_sets={
            "standard": RuleSet("standard", {}, "As it is mostly played."),
            "strict": RuleSet("strict", {"ace": "literal"}, "As it is written."),
        },
        policies={
            "usual": Policy("Plays on.", (), {}),
            "odd": Policy("Plays what nobody would.", (), {}, readings={"ace": "linear"}),
        },
    )


MODULES: dict[str, dict[str, object]] = {
    "fairdeal.checker.reading.source": {"SourceError": SourceError},
    "fairdeal.checker.reading.finding": {"find_logs": find_logs, "ENDINGS": (".gamelog",)},
    "fairdeal.checker.judging.checking": {
        "check_source": check_source,
    },
    "fairdeal.checker.judging.inspection": {
        "board_at": board_at,
        "legal_at": legal_at,
        "goal_at": goal_at,
        "PlaceError": PlaceError,
    },
    "fairdeal.checker.generating": {"generate": generate},
    "fairdeal.spec.games": {
        "MODULES": {"toy": ()},
        "UnknownGame": UnknownGame,
        "model_named": model_named,
        "meant_game": {"Toy!": "toy"}.get,
    },
}


def modules() -> dict[str, ModuleType]:
    """The engine's modules as the command line imports them."""
    made = {}
    for name, content in MODULES.items():
        made[name] = ModuleType(name)
        vars(made[name]).update(content)
    return made


if __name__ == "__main__":
    sys.modules.update(modules())
    setattr(catalogue, "FOLDER", CLAUSES)  # noqa: B010 - it is final for everybody else
    from fairdeal.checker.__main__ import main

    main()
