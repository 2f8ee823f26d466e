"""How a check is run: log by log, or in a batch of several processes."""

# Imports wait inside functions: a plain run loads nothing of the others, for start-up counts.

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.progress import Progress
from fairdeal.checker.reporting.refusal import say, source_failure
from fairdeal.checker.reporting.reporter import Reporter, Summary
from fairdeal.checker.reporting.terminal import is_terminal, visible_path
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict

if TYPE_CHECKING:
    from fairdeal.checker.commands.check import Wanted
    from fairdeal.checker.judging.batch import Batch, Judged
    from fairdeal.checker.reading.segments import Segment
    from fairdeal.checker.reporting.baseline import Baseline


@dataclass(slots=True)
class Again:
    """Paths that lead to files which earlier ones led to: each file is checked once."""

    paths: int = 0
    path: str = ""
    first: str = ""

    def add(self, path: str, first: str) -> None:
        """Count one, and remember the first of them."""
        if not self.paths:
            self.path, self.first = path, first
        self.paths += 1

    def told(self) -> str:
        """A sentence on them."""
        path, first = visible_path(self.path), visible_path(self.first)
        if self.paths > 1:
            named = f"{path}, named twice" if path == first else f"{path}, which is {first}"
            return f"{self.paths} paths lead to files that are checked already, such as {named}; each is checked once"
        return f"{path} is {'named twice' if path == first else f'the same file as {first}'}, and checked once"


@dataclass(slots=True)
class Check:
    """A check in progress: what is asked for, and what has been counted."""

    wanted: Wanted
    summary: Summary
    baseline: Baseline | None
    max_findings: int
    again: Again = field(default_factory=Again)
    began: float = field(default_factory=time.perf_counter)

    def run(self) -> None:
        """Judge all games and report on them."""
        with output(self.wanted.target, self.wanted.paths) as out:
            reporter = self.wanted.reporter(out)
            reporter.begin()
            self.report(self._batch() if self.wanted.jobs > 1 else self._plain(), reporter, out)
            self.end(reporter, out)

    def report(self, reports: Iterator[GameReport], reporter: Reporter, out: TextIO) -> None:
        """Take the reports: count each, and write it."""
        progress = Progress(out, silent=self.wanted.quiet or self.wanted.summary)
        try:
            for report in reports:
                self.take(report, reporter, progress)
        finally:
            progress.end()

    def take(self, report: GameReport, reporter: Reporter, progress: Progress) -> None:
        """Count one report and write it, without what the baseline knows."""
        if self.baseline is not None:
            report = self.baseline.apply(report) if self.wanted.baseline else self.baseline.add(report)
        self.summary.add(report, self.wanted.strict)
        progress.add(1, report.events)
        if report.verdict is not Verdict.LEGAL:
            progress.aside()
        reporter.game(report)

    def end(self, reporter: Reporter, out: TextIO) -> None:
        """Write what comes after the last game."""
        if is_terminal(out):
            self.summary.seconds = time.perf_counter() - self.began
        self.summary.unmet = self.baseline.left if self.baseline is not None and self.wanted.baseline else 0
        reporter.end(self.summary)

    def closing(self) -> int:
        """Say what was not checked, and what not twice; write the baseline, and give the exit code."""
        for path, message in self.summary.unread:
            say(f"{visible_path(path)}: {message}")
        if self.again.paths and not self.wanted.quiet:
            say(self.again.told())
        if self.baseline is not None and self.wanted.write_baseline:
            with output(self.wanted.write_baseline, self.wanted.paths) as out:
                out.write(self.baseline.text())
        code = self.summary.exit_code(self.wanted.strict)
        return 0 if code == 1 and self.wanted.exit_zero else code

    # -- log by log --------------------------------------------------------------------------------------------------

    def _plain(self) -> Iterator[GameReport]:
        """Yields the verdicts on all games of all paths; what cannot be checked goes to ``summary.unread``."""
        from fairdeal.checker.judging.checking import check_source

        for path in self._sources():
            empty = True
            try:
                for report in check_source(
                    path,
                    rules=self.wanted.rules,
                    options=self.wanted.options,
                    max_findings=self.max_findings,
                    board=self.wanted.board,
                    coverage=self.summary.coverage,
                ):
                    empty = False
                    yield report
            except Exception as failure:  # only the engine's: what the reporter raises never comes through here
                self.summary.unread.append((path, source_failure(failure)))
            else:
                if empty:
                    yield _nothing_in(path)

    def _sources(self) -> Iterator[str]:
        """Yields the logs behind the call's paths, folders searched."""
        from fairdeal.checker.reading.finding import find_logs

        yield from find_logs(self.wanted.paths, self.again.add)

    # -- in a batch --------------------------------------------------------------------------------------------------

    def _batch(self) -> Iterator[GameReport]:
        """Yields the verdicts in the same order, judged by several processes."""
        from fairdeal.checker.commands.state import Sources, State

        sources = Sources(self.wanted.paths, State(""), "", self.again.add)
        with self.batch() as batch:
            for judged in self.judged(batch, sources.segments()):
                yield from judged.reports
                self.through(judged)

    def judged(self, batch: Batch, segments: Iterator[Segment]) -> Iterator[Judged]:
        """Yields what comes of segments, but of none that follow a failure in the same log."""
        failed = -1
        for judged in batch.judge(segments):
            if judged.segment.source != failed:
                yield judged
            if judged.failure is not None:
                failed = judged.segment.source

    def batch(self) -> Batch:
        """What judges segments as the call wants it."""
        from fairdeal.checker.judging.batch import Batch, Job

        wanted = self.wanted
        job = Job(wanted.rules, wanted.options, self.max_findings, wanted.board, wanted.coverage)
        return Batch(job, wanted.jobs)

    def through(self, judged: Judged) -> None:
        """Count what a segment has left when its reports have been taken."""
        if judged.coverage is not None and self.summary.coverage is not None:
            self.summary.coverage.merge(judged.coverage)
        if judged.failure is not None:
            self.summary.unread.append((judged.segment.path, source_failure(judged.failure)))


def _nothing_in(path: str) -> GameReport:
    """The verdict on a log in which no game begins; without one it would pass unseen."""
    finding = Finding("LOG-HEADER", Severity.ERROR, 1, 1, 1, "there is no game in this log")
    return GameReport(path, 1, None, None, None, {}, (), 0, Verdict.MALFORMED, (finding,))
