"""fairdeal from Python: check logs and texts, and judge a live game event by event.

The names of this module can be imported from `fairdeal.checker`.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from fairdeal.checker.judging.board import draw
from fairdeal.checker.judging.checking import Call, LogCheck, check_source
from fairdeal.checker.judging.inspection import LegalEvent, legal_in
from fairdeal.checker.judging.run import FAULT_LIMIT, Run
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.logs import Kind, classify, header_key
from fairdeal.checker.reading.source import SourceError, blocks, find_logs
from fairdeal.checker.reading.writer import write_header
from fairdeal.checker.reporting.lookup import entry_of, model_of, statement_of
from fairdeal.checker.reporting.reporter import Settings
from fairdeal.checker.reporting.text import render_game
from fairdeal.checker.verdict import Finding, GameReport, Related, Severity, Verdict
from fairdeal.spec.games import UnknownGame, model_named
from fairdeal.spec.language.options import OptionError

__all__ = [
    "check",
    "check_text",
    "Session",
    "report_text",
    "GameReport",
    "Finding",
    "Related",
    "LegalEvent",
    "Verdict",
    "Severity",
    "SourceError",
    "OptionError",
    "UnknownGame",
]


def check(
    path: str | os.PathLike[str],
    *,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
    board: bool = False,
) -> Iterator[GameReport]:
    """Judge every game of a log or a folder of logs; each report comes as its game ends.

    ``-`` is standard input; .gz and .zst are unpacked. ``rules`` and ``options`` win over those of the header.
    ``max_findings`` are kept for each game, ``more_findings`` counts the rest. ``board`` draws the table before each
    line at fault. Memory does not grow with the log. A log without a game yields a report too, and it is malformed.

    Raises:
        SourceError: a log cannot be read, or a folder holds none, perhaps after some reports.
        OptionError: an option or a value that the game does not have.
    """
    for log in find_logs([os.fspath(path)]):
        yield from check_source(log, rules=rules, options=options, max_findings=max_findings, board=board)


def check_text(
    text: str,
    *,
    name: str = "<text>",
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
    board: bool = False,
) -> tuple[GameReport, ...]:
    """Judge every game of a log that is at hand as text; ``name`` stands for the path. Otherwise as `check`.

    Raises:
        OptionError: an option or a value that the game does not have.
    """
    check = LogCheck(Call(name, rules, dict(options or {}), max_findings, board))
    found: list[GameReport] = []
    for lines in blocks(io.BytesIO(text.encode("utf-8", "surrogatepass"))):
        found += check.take(lines)
    return (*found, *check.finish())


def report_text(report: GameReport, *, width: int = 80, color: bool = False, show_all: bool = False) -> str:
    """What `fairdeal check` prints of a game: its findings, and a line with its verdict.

    ``show_all`` shows findings too that may only follow from earlier ones.
    """
    settings = Settings(
        color=color, width=width, show_all=show_all, statement=statement_of, model=model_of, entry=entry_of
    )
    return "\n".join(render_game(report, settings)).rstrip("\n")


class Session:
    """Judges one live game: feed it each event as it happens, and it says at once what the event breaks.

    An event that breaks a rule is carried out where the cards can do what it says, as in a log, so that the session
    goes on with the game as it is played. Used in a ``with`` block it ends itself; ``report`` then has the verdict.
    """

    def __init__(
        self,
        game: str,
        *,
        rules: str = "standard",
        options: Mapping[str, str] | None = None,
        players: Sequence[str] = ("A", "B"),
        board: bool = False,
    ) -> None:
        """Begin a game by its name in logs, such as ``spit``; ``players`` are two names to show.

        Raises:
            UnknownGame: there are no rules for it.
            OptionError: a set of rules, an option or a value that it does not have.
            ValueError: ``players`` are not two names of one line without a comma.
        """
        model_named(game).bind(rules, options)
        if len(players) != 2 or any("," in name or not name.strip() for name in players):
            raise ValueError(f"players are two names without a comma, not {players!r}")
        header = write_header(game, rules=rules, options=options or {}, players=players)
        self._check = LogCheck(Call("<session>", max_findings=FAULT_LIMIT, board=board))
        for _ in self._check.take(header):
            raise AssertionError("a header ends no game")
        run = self._check.begin()
        assert run is not None, "the header of a session is written here, for a game that there is"
        self._run: Run = run
        self.report: GameReport | None = None
        """The verdict, once the session has ended."""

    def event(self, event: str | Mapping[str, object]) -> tuple[Finding, ...]:
        """Take one event, a line of the notation or the object of a JSON line; what is wrong with it, if anything.

        A finding's ``line`` counts the header's lines too. Its severity is that at this moment: where other readings of
        the rules make the whole game legal, `end` says so.

        Raises:
            ValueError: it is more than one line, or the header of a game; or the session has ended.
        """
        if self.report is not None:
            raise ValueError("this session has ended")
        line = event if isinstance(event, str) else json.dumps(dict(event))
        if "\n" in line or "\r" in line:
            raise ValueError(f"an event is one line, not {line!r}")
        if _begins(line):
            raise ValueError("a session is one game; begin another one for the next")
        before = len(self._run.outcome.findings)
        for _ in self._check.take([line]):
            raise AssertionError("only a header ends a game")
        return tuple(self._run.outcome.findings[before:])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings so far; of an ended session, those of its report."""
        return tuple(self._run.outcome.findings) if self.report is None else self.report.findings

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return self._run.complete

    def legal(self) -> list[LegalEvent]:
        """Every event that the rules allow next; those that change nothing come last."""
        return legal_in(self._run)

    def board(self) -> str:
        """The table as it is now, drawn as text."""
        return draw(self._run.binder, self._run.state, self._run.labels)

    def end(self) -> GameReport:
        """End the session and give the verdict on the whole game: ``incomplete`` where it has not come to its end."""
        if self.report is None:
            (self.report,) = self._check.finish()
        return self.report

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _begins(line: str) -> bool:
    """Whether a line begins a game, in text or as an object."""
    if classify(line) is not Kind.JSON:
        return header_key(line) == "gamelog"
    try:
        return "gamelog" in load_object(line)
    except NotationError:
        return False
