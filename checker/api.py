"""fairdeal from Python: check logs and texts, and judge a live game event by event.

The names of this module can be imported from `fairdeal.checker`.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TypeAlias

from fairdeal.checker.judging.board import draw
from fairdeal.checker.judging.checking import Call, LogCheck, check_source
from fairdeal.checker.judging.inspection import LegalEvent, legal_in
from fairdeal.checker.judging.run import FAULT_LIMIT, Run
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.finding import find_logs
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.lines import blocks, line_of
from fairdeal.checker.reading.logs import Kind, classify, header_key
from fairdeal.checker.reading.source import SourceError
from fairdeal.checker.reading.writer import write_header
from fairdeal.checker.reporting.lookup import entry_of, model_of, statement_of
from fairdeal.checker.reporting.reporter import Settings
from fairdeal.checker.reporting.terminal import NARROWEST
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


Path: TypeAlias = str | os.PathLike[str]


def check(
    path: Path | Iterable[Path],
    *,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
    board: bool = False,
) -> Iterator[GameReport]:
    """Judge every game of a log, of a folder of logs, or of several of them; each report comes as its game ends.

    A file that several paths lead to is judged once. ``-`` is standard input; .gz and .zst are unpacked. ``rules`` and
    ``options`` win over those of the header. ``max_findings`` are kept for each game, ``more_findings`` counts others.
    ``board`` draws the table before each line at fault. Memory does not grow with the log. A log without a game yields
    a report too, and it is malformed.

    Raises:
        SourceError: a log cannot be read, or a folder holds none, perhaps after some reports.
        OptionError: an option or a value that the game does not have.
        TypeError: at once, if an argument is of another type.
        ValueError: at once, if there is no path, or an argument has a value that it cannot have.
    """
    paths = _paths(path)
    chosen = _approved(rules, options, max_findings, board=board)

    def reports() -> Iterator[GameReport]:
        for log in find_logs(paths):
            yield from check_source(log, rules=rules, options=chosen, max_findings=max_findings, board=board)

    return reports()


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
        TypeError: an argument is of another type.
        ValueError: an argument has a value that it cannot have.
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a log is a str, not {_type(text)}; a file is judged by its path, with `check`")
    if not isinstance(name, str):
        raise TypeError(f"name is a str that reports call the text by, not {_type(name)}")
    chosen = _approved(rules, options, max_findings, board=board)
    check = LogCheck(Call(name, rules, chosen, max_findings, board))
    found: list[GameReport] = []
    for lines in blocks(io.BytesIO(text.encode("utf-8", "surrogatepass"))):
        found += check.take(lines)
    return (*found, *check.finish())


def report_text(report: GameReport, *, width: int = 80, color: bool = False, show_all: bool = False) -> str:
    """What `fairdeal check` prints of a game: its findings, and a line with its verdict.

    ``width`` is how many columns the text may take; ``color`` marks it with ANSI escapes; ``show_all`` shows findings
    too that may only follow from earlier ones.

    Raises:
        TypeError: an argument is of another type.
        ValueError: ``width`` is less than 30, which leaves no room for the words.
    """
    if not isinstance(report, GameReport):
        raise TypeError(f"a report is a GameReport, as `check` yields them one by one, not {_type(report)}")
    _whole("width", width, NARROWEST)
    _flags(color=color, show_all=show_all)
    settings = Settings(
        color=color, width=width, show_all=show_all, statement=statement_of, model=model_of, entry=entry_of
    )
    return "\n".join(render_game(report, settings)).rstrip("\n")


class Session:
    """Judges one live game: feed it each event as it happens, and it says at once what the event breaks.

    An event that breaks a rule is carried out where the cards can do what it says, as in a log, so that the session
    goes on with the game as it is played. Used in a ``with`` block it ends itself; then ``report`` is the verdict.
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
            TypeError: an argument is of another type.
        """
        if not isinstance(game, str):
            raise TypeError(f"a game is named by a str such as 'spit', not {_type(game)}")
        if rules is None:
            raise TypeError("rules are named by a str such as 'scored', not None; the usual ones are 'standard'")
        chosen = _approved(rules, options, board=board)
        model_named(game).bind(rules, chosen)
        header = write_header(game, rules=rules, options=chosen, players=_two_names(players))
        self._check = LogCheck(Call("<session>", max_findings=FAULT_LIMIT, board=board))
        for _ in self._check.take(header):
            raise AssertionError("a header ends no game")
        run = self._check.begin()
        assert run is not None, "the header of a session is written here, for a game that there is"
        self._run: Run = run
        self._report: GameReport | None = None

    @property
    def report(self) -> GameReport:
        """The verdict and all findings of a session that has ended, by `end` or with its ``with`` block.

        Raises:
            ValueError: the session goes on; until then `findings`, `over` and `board` say how the game stands.
        """
        if self._report is None:
            raise ValueError("this session goes on: `end` ends it and gives the report; `findings` has those so far")
        return self._report

    def event(self, event: str | Mapping[str, object]) -> tuple[Finding, ...]:
        """Take one event, a line of the notation or the object of a JSON line; what is wrong with it, if anything.

        A finding's ``line`` counts the header's lines too. Its severity is that at this moment: where other readings of
        the rules make the whole game legal, `end` says so.

        Raises:
            ValueError: it is more than one line, or the header of a game; or the session has ended.
            TypeError: it is neither a line nor an object, or an object with keys or values that JSON does not have.
        """
        if self._report is not None:
            raise ValueError("this session has ended")
        line = event if isinstance(event, str) else _json(event)
        if "\n" in line or "\r" in line:
            raise ValueError(f"an event is one line, not {line!r}")
        if _begins(line):
            raise ValueError("a session is one game; begin another one for the next")
        outcome = self._run.outcome
        before, answered = len(outcome.findings), len(outcome.answers)
        for _ in self._check.take([line_of(line.encode("utf-8", "surrogatepass"))]):
            raise AssertionError("only a header ends a game")
        return (*outcome.answers[answered:], *outcome.findings[before:])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings so far; of an ended session, those of its report."""
        return tuple(self._run.outcome.findings) if self._report is None else self._report.findings

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
        if self._report is None:
            (self._report,) = self._check.finish()
        return self._report

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _paths(given: object) -> list[str]:
    """The paths that a caller gives, one or several.

    Raises:
        TypeError: something else is given.
    """
    several = [given] if isinstance(given, str | bytes | os.PathLike) else given
    if not isinstance(several, Iterable) or isinstance(several, Mapping):
        raise TypeError(f"a path is a str or an os.PathLike, and several are an iterable of them, not {_type(given)}")
    paths = [os.fspath(each) if isinstance(each, os.PathLike) else each for each in several]
    for each in paths:
        if not isinstance(each, str):
            raise TypeError(
                f"a path is a str or an os.PathLike, not {_type(each)}; `check_text` takes the text of a log"
            )
    if not paths:
        raise ValueError("there is no path to check: give one at least, for no log at all would pass unseen")
    return paths


def _two_names(players: object) -> tuple[str, str]:
    """The names of the players, in their order.

    Raises:
        TypeError: they are no sequence of str.
        ValueError: they are not two, or cannot stand in a header.
    """
    if not isinstance(players, Sequence) or isinstance(players, str | bytes | bytearray):
        raise TypeError(f"players are two names in their order, as in ('Ada', 'Ben'), not {_type(players)}")
    if not all(isinstance(name, str) for name in players):
        raise TypeError(f"players are two names, as in ('Ada', 'Ben'), not {players!r}")
    if len(players) != 2 or not all(name.strip() and name.isprintable() and "," not in name for name in players):
        raise ValueError(f"players are two names of one line without a comma, not {players!r}")
    return players[0], players[1]


def _approved(rules: object, options: object, max_findings: object = 1, *, board: object = False) -> dict[str, str]:
    """The options, when all that a call may say beside its log is of its type, before anything is done."""
    if not isinstance(rules, str | None):
        raise TypeError(f"rules are named by a str such as 'scored', not {_type(rules)}")
    if rules is not None and not rules.strip():
        raise ValueError("rules are named by a word such as 'scored', and this one is empty")
    if not isinstance(options, Mapping | None):
        raise TypeError(f"options are a mapping such as {{'ace': 'literal'}}, not {_type(options)}")
    if not all(isinstance(word, str) for pair in (options or {}).items() for word in pair):
        raise TypeError(f"an option's name and its value are str, as in {{'ace': 'literal'}}, not {options!r}")
    _whole("max_findings", max_findings, 1)
    _flags(board=board)
    return dict(options or {})


def _whole(name: str, given: object, least: int) -> None:
    """Refuse what is no whole number of at least so much."""
    if type(given) is not int:
        raise TypeError(f"{name} is a whole number from {least} on, not {given!r}")
    if given < least:
        raise ValueError(f"{name} is a whole number from {least} on, not {given!r}")


def _flags(**given: object) -> None:
    """Refuse what is neither true nor false: of a word it would not be clear which it stands for."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise TypeError(f"{name} is True or False, not {value!r}")


def _json(event: object) -> str:
    """An event's object as a line."""
    if not isinstance(event, Mapping):
        shapes = "a line such as 'A flip 2C at 3', or a mapping as in JSON Lines"
        raise TypeError(f"an event is {shapes}, not {_type(event)}")
    for key in event:
        if not isinstance(key, str):
            raise TypeError(f"the keys of an event's object are str, as in JSON, not {key!r}")
    try:
        return json.dumps(dict(event), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"an event's object has values that JSON does not have: {error}") from error


def _type(given: object) -> str:
    return "None" if given is None else type(given).__name__


def _begins(line: str) -> bool:
    """Whether a line begins a game, in text or as an object."""
    if classify(line) is not Kind.JSON:
        return header_key(line) == "gamelog"
    try:
        return "gamelog" in load_object(line)
    except NotationError:
        return False
