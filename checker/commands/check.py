"""``fairdeal check``: judges logs, reports on every game, and exits as the verdicts demand."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.core import ParameterSource

from fairdeal.checker.commands.calls import (
    Given,
    Whole,
    approve,
    color_option,
    max_findings_option,
    options_option,
    output_option,
    rules_option,
    suits_option,
    with_options,
)
from fairdeal.checker.commands.runs import Check
from fairdeal.checker.reporting.lookup import entry_of, model_of, statement_of
from fairdeal.checker.reporting.refusal import Refusal
from fairdeal.checker.reporting.reporter import COUNTERS, REPORTERS, Reporter, Settings, Summary
from fairdeal.checker.reporting.terminal import (
    ColorChoice,
    SuitsChoice,
    terminal_width,
    wants_color,
    wants_signs,
)

if TYPE_CHECKING:
    from fairdeal.checker.reporting.baseline import Baseline


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call asks for; the fields are named as the command's parameters are."""

    paths: tuple[str, ...]
    rules: str | None
    options: dict[str, str]
    form: str
    target: str | None
    strict: bool
    quiet: bool
    board: bool
    show_all: bool
    summary: bool
    coverage: bool
    max_findings: int
    jobs: int
    state: str | None
    follow: bool
    baseline: str | None
    write_baseline: str | None
    exit_zero: bool
    color: ColorChoice
    suits: SuitsChoice

    def refuse(self) -> None:
        """Refuses what does not go together, before anything is done."""
        approve(self.rules, self.options)
        for name, asked in (("--summary", self.summary), ("--coverage", self.coverage)):
            if asked and self.form not in COUNTERS:
                formats = " and ".join(COUNTERS)
                raise Refusal(f"{name} goes with the formats {formats}: {self.form} has no place for it")
        if self.baseline and self.write_baseline:
            raise Refusal("--baseline and --write-baseline do not go together: the one reads what the other writes")
        if self.write_baseline:
            from fairdeal.checker.reporting.output import spare

            spare(self.write_baseline, self.paths)
        if self.follow:
            from fairdeal.checker.commands import following

            following.refuse(self)
        if self.state:
            from fairdeal.checker.commands import resumable

            resumable.refuse(self)

    def reporter(self, out: TextIO) -> Reporter:
        """What writes the report."""
        settings = Settings(
            color=wants_color(self.color, out),
            signs=wants_signs(self.suits, out),
            width=terminal_width(),
            quiet=self.quiet,
            show_all=self.show_all,
            strict=self.strict,
            statement=statement_of,
            model=model_of,
            entry=entry_of,
        )
        return (COUNTERS if self.summary else REPORTERS)[self.form](out, settings)

    def counts(self) -> Summary:
        """An empty summary that counts what is asked for."""
        summary = Summary()
        if self.summary:
            from fairdeal.checker.reporting.tally import Tally

            summary.tally = Tally()
        if self.coverage:
            from fairdeal.checker.judging.coverage import Coverage

            summary.coverage = Coverage()
        return summary

    def known(self) -> Baseline | None:
        """The baseline of the call, an empty one where it is to be written."""
        if not self.baseline and not self.write_baseline:
            return None
        from fairdeal.checker.reporting.baseline import Baseline, BaselineError

        try:
            return Baseline.read(self.baseline) if self.baseline else Baseline()
        except BaselineError as error:
            raise Refusal(str(error)) from error

    def check(self, baseline: Baseline | None, max_findings: int) -> Check:
        """The check, to be run."""
        if self.follow:
            from fairdeal.checker.commands.following import FollowingCheck

            return FollowingCheck(self, self.counts(), baseline, max_findings)
        if self.state:
            from fairdeal.checker.commands.resumable import ResumableCheck

            return ResumableCheck(self, self.counts(), baseline, max_findings)
        return Check(self, self.counts(), baseline, max_findings)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=Given("a log or a folder"), metavar="PATH...")
@with_options(rules_option, options_option)
@click.option("--format", "form", type=click.Choice(list(REPORTERS)), default="text", show_default=True)
@output_option
@click.option("--strict", is_flag=True, help="Exit 1 for every game that is not legal.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing of legal games, and no summary.")
@click.option("--board", is_flag=True, help="Draw the table before each line at fault.")
@click.option("--all", "show_all", is_flag=True, help="Show findings that may only follow from others.")
@click.option("--summary", is_flag=True, help="Only count: by verdict, by code, by file.")
@click.option("--coverage", is_flag=True, help="Say which events and clauses the logs exercised.")
@max_findings_option
@click.option(
    "--jobs", "-j", type=Whole(min=1), default=1, show_default=True, metavar="N", help="Processes that judge."
)
@click.option("--state", type=Given(), metavar="FILE", help="Keep there how far the run is; a second run goes on.")
@click.option("--follow", is_flag=True, help="Go on as the log grows, until Ctrl-C or SIGTERM.")
@click.option("--baseline", type=Given(), metavar="FILE", help="Known findings, which fail nothing.")
@click.option("--write-baseline", type=Given(), metavar="FILE", help="Make all findings known, and write them there.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if games fail.")
@suits_option
@color_option
@click.pass_context
def check(ctx: click.Context, /, **words: Any) -> None:
    """Check logs, folders of logs, or standard input (-).

    Every game gets a verdict and every finding a clause. Folders are searched for names that end in .gamelog or
    .jsonl, also packed as .gz or .zst; links to folders are not followed. A file that several paths lead to is checked
    once; two hard links are two files.
    """
    wanted = Wanted(**words)
    wanted.refuse()
    baseline, limit = wanted.known(), wanted.max_findings
    if baseline is not None and ctx.get_parameter_source("max_findings") is ParameterSource.DEFAULT:
        from fairdeal.checker.reporting.baseline import MOST_FINDINGS

        limit = MOST_FINDINGS
    run = wanted.check(baseline, limit)
    run.run()
    ctx.exit(run.closing())
