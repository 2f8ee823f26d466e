"""``fairdeal check --follow``: a log that a running server still writes, judged line by line as it grows."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

from fairdeal.checker.commands.runs import Check
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.reading.following import Followed, Turn
from fairdeal.checker.reading.lines import blocks
from fairdeal.checker.reading.source import SourceError
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.progress import Progress
from fairdeal.checker.reporting.refusal import Refusal, say, source_failure
from fairdeal.checker.reporting.reporter import LiveReporter
from fairdeal.checker.reporting.terminal import visible_path

if TYPE_CHECKING:
    from fairdeal.checker.commands.check import Wanted


class FollowingCheck(Check):
    """A check that goes on until it is asked to stop, by Ctrl-C or SIGTERM, and then ends as any other does."""

    __slots__ = ("_answered", "_followed", "_gone", "_log", "_out", "_reporter", "_shown")

    def run(self) -> None:
        """Judge the log as it grows; a finding is written when its line is there, a game when it ends."""
        (path,) = self.wanted.paths
        with output(self.wanted.target, self.wanted.paths) as out, _stopping() as stop:
            self._reporter, self._out = self.wanted.reporter(out), out
            self._reporter.begin()
            progress = Progress(out, silent=False)
            progress.watched = False
            try:
                while self._one(path, stop, progress) is Turn.REPLACED:
                    say(f"{visible_path(path)}: another log has begun in its place")
            except SourceError as failure:
                self.summary.unread.append((path, source_failure(failure)))
            self.end(self._reporter, out)

    def _one(self, path: str, stop: Event, progress: Progress) -> Turn | None:
        """Judge one log to its end, which comes when it is replaced or nobody wants more."""
        wanted = self.wanted
        self._followed = followed = Followed(path, stop, self._show)
        self._gone = False
        call = Call(path, wanted.rules, wanted.options, self.max_findings, wanted.board, self.summary.coverage)
        self._log, self._shown, self._answered = LogCheck(call), 0, 0
        try:
            for lines in blocks(followed):
                for report in self._log.take(lines):
                    self.take(report, self._reporter, progress)
                    self._shown = self._answered = 0
                self._show()
        except SourceError as failure:
            for report in self._log.finish(cut=failure.message):
                self.take(report, self._reporter, progress)
            raise
        finally:
            followed.close()
        for report in self._log.finish():
            self.take(report, self._reporter, progress)
        return followed.turn

    def _show(self) -> None:
        """Write what has been found in the game in hand so far."""
        game = self._log.game
        if isinstance(self._reporter, LiveReporter) and self.baseline is None and game is not None:
            found = game.so_far()
            answers = game.run.outcome.answers if game.run is not None else []
            if len(found.findings) > self._shown or len(answers) > self._answered:
                self._reporter.live(found, self._shown, answers[self._answered :])
                self._shown, self._answered = len(found.findings), len(answers)
        self._out.flush()
        if self._followed.gone and not self._gone:
            say(f"{visible_path(self._followed.path)}: is gone; should it come back, it is taken up anew")
        self._gone = self._followed.gone


@contextmanager
def _stopping() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set; a second one ends the process at once."""
    stop = Event()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, usual[signal.Signals(number)] or signal.SIG_DFL)

    for number in usual:
        signal.signal(number, ask)
    try:
        yield stop
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler or signal.SIG_DFL)


def refuse(wanted: Wanted) -> None:
    """Refuse what cannot be followed.

    Raises:
        Refusal: it is no single plain file, or the call asks for several processes or a state.
    """
    if len(wanted.paths) != 1 or wanted.paths[0] == "-":
        raise Refusal("--follow takes one file; standard input is judged as it comes without it")
    if wanted.paths[0].endswith((".gz", ".zst")) or os.path.isdir(wanted.paths[0]):
        raise Refusal("--follow takes a file of plain text")
    if wanted.jobs > 1 or wanted.state:
        raise Refusal("--follow goes with neither --jobs nor --state: one process judges each line as it comes")
