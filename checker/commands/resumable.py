"""A check that can be killed at any moment and gone on with: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, TextIO

from fairdeal.checker.commands.runs import Check
from fairdeal.checker.commands.state import Sources, StateError, StateFile, digest, kept, restore, unresumable
from fairdeal.checker.reporting.baseline import Baseline, BaselineError
from fairdeal.checker.reporting.output import Resumable, finish, output
from fairdeal.checker.reporting.progress import Progress
from fairdeal.checker.reporting.refusal import Refusal, say
from fairdeal.checker.reporting.reporter import ResumableReporter, release
from fairdeal.spec.games import MODULES, model_named

if TYPE_CHECKING:
    from fairdeal.checker.commands.check import Wanted

_FREE = frozenset({"jobs", "state", "exit_zero"})
"""What a second call may ask for otherwise: it changes nothing of the report."""

CHECKPOINT = 1.0
"""Seconds between two states; what is judged between the last one and the end of the process is judged again."""


class ResumableCheck(Check):
    """A check whose state is kept in a file, after the report that it speaks of."""

    __slots__ = ("_file", "_next")

    def run(self) -> None:
        """Judge what is left to judge, and report on it.

        A run that is over already is not run again: its exit code, and with ``--summary`` its counts, are given anew.
        """
        name = self.wanted.state
        assert name is not None
        try:
            self._file = StateFile(name, _fingerprint(self.wanted, self.max_findings))
            if self._file.resumed:
                self._restore(self._reporter(io.StringIO()))
            if self._file.state.done:
                Sources(self.wanted.paths, self._file.state, str(self._file.path), self.again.add).recognise_all()
                self._again()
            else:
                self._go_on()
        except StateError as error:
            raise Refusal(str(error)) from error

    def _reporter(self, out: TextIO) -> ResumableReporter:
        reporter = self.wanted.reporter(out)
        assert isinstance(reporter, ResumableReporter)
        return reporter

    def _restore(self, reporter: ResumableReporter) -> None:
        """Take up what was counted, and see to it that a reporter can take up the rest, before any file is opened."""
        state = self._file.state
        try:
            restore(self.summary, state.summary)
            if self.baseline is not None:
                self.baseline = Baseline.parse(state.baseline, str(self._file.path))
            reporter.recall(state.reporter)
        except (BaselineError, KeyError, TypeError, ValueError) as error:
            raise StateError(f"{self._file.path}: holds nothing of this report; remove it to begin anew") from error

    def _again(self) -> None:
        if self.wanted.target is not None:
            finish(self.wanted.target, self._file.state.written)
            say(f"{self._file.path}: this check is complete, and its report is in {self.wanted.target}")
            return
        with output(None) as out:
            self.end(self.wanted.reporter(out), out)

    def _go_on(self) -> None:
        state = self._file.state
        with self._output(state.written) as (out, report):
            reporter = self._reporter(out)
            if self._file.resumed:
                reporter.recall(state.reporter)
            else:
                self._claim(report)
                reporter.begin()
            self._judge(reporter, out, report)
            self.end(reporter, out)
            state.done = True
            self._keep(reporter, report)
        if report is not None:
            report.finish()

    def _claim(self, report: Resumable | None) -> None:
        """Write a first state, so that a run that is killed before its next one knows its report for its own."""
        try:
            self._file.write()
        except StateError:
            if report is not None:
                report.discard()
            raise

    def _judge(self, reporter: ResumableReporter, out: TextIO, report: Resumable | None) -> None:
        sources = Sources(self.wanted.paths, self._file.state, str(self._file.path), self.again.add)
        progress = Progress(out, silent=self.wanted.quiet or self.wanted.summary)
        self._next = time.monotonic() + CHECKPOINT
        try:
            with self.batch() as batch:
                for judged in self.judged(batch, sources.segments()):
                    for each in judged.reports:
                        self.take(each, reporter, progress)
                    self.through(judged)
                    sources.advance(judged.segment, judged.segment.is_last or judged.failure is not None)
                    if time.monotonic() >= self._next:
                        self._keep(reporter, report)
        finally:
            progress.end()

    def _keep(self, reporter: ResumableReporter, report: Resumable | None) -> None:
        """Write the state, when the report is safe as far as the state says."""
        state = self._file.state
        state.written = report.keep() if report is not None else 0
        state.summary, state.reporter = kept(self.summary), reporter.kept()
        state.baseline = self.baseline.text() if self.baseline is not None else ""
        self._file.write()
        self._next = time.monotonic() + CHECKPOINT

    @contextmanager
    def _output(self, written: int) -> Iterator[tuple[TextIO, Resumable | None]]:
        if self.wanted.target is None:
            with output(None) as out:
                yield out, None
            return
        report = Resumable(self.wanted.target, self.wanted.paths, written, self._file.is_there)
        try:
            yield report.out, report
        finally:
            report.close()


def refuse(wanted: Wanted) -> None:
    """Refuse what cannot be gone on with."""
    if not isinstance(wanted.reporter(io.StringIO()), ResumableReporter):
        raise Refusal(f"--state does not go with the format {wanted.form}: it counts before it writes")
    once = unresumable(wanted.paths)
    if once is not None:
        raise Refusal(f"--state: {'standard input' if once == '-' else once} can be read only once")
    if wanted.target in (None, "-") and not wanted.summary:
        raise Refusal(
            "--state needs --output FILE, or --summary: what has been printed cannot be taken back after a kill"
        )
    if wanted.write_baseline:
        raise Refusal("--state and --write-baseline do not go together: write the baseline in one run")
    others = [os.path.abspath(path) for path in (wanted.target, *wanted.paths) if path]
    if wanted.state and os.path.abspath(wanted.state) in others:
        raise Refusal(f"--state: {wanted.state} is the report, or one of the logs to check")


def _fingerprint(wanted: Wanted, max_findings: int) -> str:
    """A digest of all that decides what a run writes, in this version of the rules."""
    decisive = [(one.name, getattr(wanted, one.name)) for one in fields(wanted) if one.name not in _FREE]
    versions = [model_named(game).version for game in MODULES]
    return digest(os.getcwd(), decisive, max_findings, release(), versions)
