"""The pytest plugin: a fixture for games that a test plays, and logs collected as tests.

It is installed with fairdeal. `fairdeal` is the fixture. Logs are collected as tests, one a file, where the call names
them, and with ``--fairdeal`` or the setting ``fairdeal = true`` in all folders that pytest searches. Strict unless told
otherwise: a game that is not over fails too, for a crashed engine must not pass.
"""

# Imports wait inside functions: the plugin is loaded in every run of pytest where fairdeal is installed.

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairdeal.checker.api import GameReport, Session

_ENDINGS = tuple(
    name + packed for name in (".gamelog", ".gamelog.jsonl") for packed in ("", ".gz", ".zst")
)  # not every .jsonl in a project is a gamelog
_WIDTH = 100
_SHOWN = 20
"""Failing games of a log that are shown; the others are counted."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option and the settings."""
    group = parser.getgroup("fairdeal")
    group.addoption("--fairdeal", action="store_true", help="collect gamelogs as tests")
    parser.addini("fairdeal", "collect gamelogs as tests", type="bool", default=False)
    parser.addini("fairdeal_strict", "fail games that are not legal, incomplete ones too", type="bool", default=True)


class Checker:
    """What the fixture gives: judges the games of a test."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict

    def check(
        self,
        log: str | os.PathLike[str],
        *,
        rules: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> tuple[GameReport, ...]:
        """The verdicts on all games of a log: a path, or text, which has line breaks, or is empty.

        Raises:
            SourceError: the log cannot be read.
            OptionError: an option or a value that the game does not have.
            TypeError: the log is neither, or an argument is of another type.
        """
        from fairdeal.checker.api import check, check_text

        if isinstance(log, str) and ("\n" in log or not log):
            return check_text(log, rules=rules, options=options)
        return tuple(check(log, rules=rules, options=options))

    def assert_legal(
        self,
        log: str | os.PathLike[str] | Iterable[GameReport],
        *,
        rules: str | None = None,
        options: Mapping[str, str] | None = None,
        strict: bool | None = None,
    ) -> None:
        """Fail the test unless every game of a log passes; the log as in `check`, or reports that are there already.

        With ``strict``, from the setting ``fairdeal_strict`` where it is not given, only legal games pass; else
        incomplete, reading-dependent and unknown ones do too.
        """
        __tracebackhide__ = True
        from fairdeal.checker.api import GameReport, SourceError

        if isinstance(log, str | bytes | os.PathLike):
            try:
                found = self.check(log, rules=rules, options=options)
            except SourceError as error:
                pytest.fail(f"not checked: {error}", pytrace=False)
        else:
            found = tuple(log) if isinstance(log, Iterable) else (log,)
            if not all(isinstance(one, GameReport) for one in found):
                raise TypeError(f"a log is a path, its text, or the reports on its games, not {log!r:.80}")
            if rules is not None or options:
                raise ValueError("reports are there already: rules and options are for the call that made them")
        if not isinstance(strict, bool | None):
            raise TypeError(f"strict is True or False, not {strict!r}")
        told = complaint(found, self.strict if strict is None else strict)
        if told:
            pytest.fail(told, pytrace=False)

    def session(self, game: str, **how: Any) -> Session:
        """A live game to be judged event by event; arguments as of `fairdeal.checker.Session`."""
        from fairdeal.checker.api import Session

        return Session(game, **how)


@pytest.fixture
def fairdeal(request: pytest.FixtureRequest) -> Checker:
    """Judges the card games that a test plays: `assert_legal(log)`, `check(log)` and `session(game)`."""
    return Checker(bool(request.config.getini("fairdeal_strict")))


def complaint(reports: Iterable[GameReport], strict: bool) -> str:
    """What is wrong with the games that do not pass, as `fairdeal check` prints it; empty where all do."""
    from fairdeal.checker.api import report_text
    from fairdeal.checker.reporting.reporter import accepted

    games, failed, shown = 0, 0, []
    for report in reports:
        games += 1
        if report.verdict not in accepted(strict):
            failed += 1
            if failed <= _SHOWN:
                shown.append(report_text(report, width=_WIDTH))
    if not games:
        return "no game was checked"
    if not failed:
        return ""
    rest = f"; the first {_SHOWN} are shown" if failed > _SHOWN else ""
    return "\n\n".join([*shown, f"{failed} of {games} game{'s' * (games > 1)} failed{rest}"])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects a log where collecting is asked for, or where the call names it."""
    if not file_path.name.endswith(_ENDINGS):
        return None
    config = parent.config
    asked = config.getoption("--fairdeal") or config.getini("fairdeal") or parent.session.isinitpath(file_path)
    return GamelogFile.from_parent(parent, path=file_path) if asked else None


class GamelogFile(pytest.File):
    """A log as pytest collects it."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yields the one test of the log: that its games keep the rules."""
        yield GamelogItem.from_parent(self, name="rules")


class GamelogItem(pytest.Item):
    """The test that the games of a log keep the rules."""

    def runtest(self) -> None:
        """Judges the log; a big one as a stream."""
        from fairdeal.checker.api import check

        told = complaint(check(self.path), bool(self.config.getini("fairdeal_strict")))
        if told:
            raise GamelogError(told)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Shows the findings, or why the log cannot be read, in place of a traceback."""
        from fairdeal.checker.api import SourceError

        if isinstance(excinfo.value, GamelogError | SourceError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Names the log."""
        return self.path, None, f"gamelog {self.path.name}"


class GamelogError(AssertionError):
    """Games of a log do not pass; the message has their findings."""
