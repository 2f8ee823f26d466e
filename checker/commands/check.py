"""``fairdeal check``: judges logs, reports on every game, and exits as the verdicts demand."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

import click

from fairdeal.checker.commands.calls import (
    approve,
    color_option,
    options_option,
    output_option,
    rules_option,
    with_options,
)
from fairdeal.checker.reporting.lookup import entry_of, model_of, statement_of
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import say, source_failure
from fairdeal.checker.reporting.reporter import REPORTERS, Settings, Summary
from fairdeal.checker.reporting.terminal import ColorChoice, is_terminal, terminal_width, wants_color
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@with_options(rules_option, options_option)
@click.option("--format", "form", type=click.Choice(list(REPORTERS)), default="text", show_default=True)
@output_option
@click.option("--strict", is_flag=True, help="Exit 1 for every game that is not legal.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing of legal games, and no summary.")
@click.option("--board", is_flag=True, help="Draw the table before each line at fault.")
@click.option("--all", "show_all", is_flag=True, help="Show findings that may only follow from others.")
@click.option(
    "--max-findings",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Kept for each game.",
)
@color_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    rules: str | None,
    options: dict[str, str],
    form: str,
    target: str | None,
    strict: bool,
    quiet: bool,
    board: bool,
    show_all: bool,
    max_findings: int,
    color: ColorChoice,
) -> None:
    """Check logs, folders of logs, or standard input (-).

    Every game gets a verdict and every finding a clause.
    """
    approve(rules, options)
    summary = Summary()
    started = time.perf_counter()
    with output(target, paths) as out:
        settings = Settings(
            color=wants_color(color, out),
            width=terminal_width(),
            quiet=quiet,
            show_all=show_all,
            strict=strict,
            statement=statement_of,
            model=model_of,
            entry=entry_of,
        )
        reporter = REPORTERS[form](out, settings)
        reporter.begin()
        for report in _judged(paths, rules, options, max_findings, board, summary):
            summary.add(report)
            reporter.game(report)
        if is_terminal(out):
            summary.seconds = time.perf_counter() - started
        reporter.end(summary)
    for path, message in summary.unread:
        say(f"{'<stdin>' if path == '-' else path}: {message}")
    ctx.exit(summary.exit_code(strict))


def _judged(
    paths: Iterable[str],
    rules: str | None,
    options: Mapping[str, str],
    max_findings: int,
    board: bool,
    summary: Summary,
) -> Iterator[GameReport]:
    """Yields the verdicts on all games of all paths; what cannot be checked goes to ``summary.unread``."""
    from fairdeal.checker.judging.checking import check_source

    for path in _sources(paths, summary):
        empty = True
        try:
            for report in check_source(path, rules=rules, options=options, max_findings=max_findings, board=board):
                empty = False
                yield report
        except Exception as failure:  # only the engine's: what the reporter raises never comes through here
            summary.unread.append((path, source_failure(failure)))
        else:
            if empty:
                yield _nothing_in(path)


def _sources(paths: Iterable[str], summary: Summary) -> Iterator[str]:
    """Yields the logs behind the call's paths, folders searched."""
    from fairdeal.checker.reading.source import find_logs

    for path in paths:
        try:
            yield from find_logs([path])
        except Exception as failure:
            summary.unread.append((path, source_failure(failure)))


def _nothing_in(path: str) -> GameReport:
    """The verdict on a log in which no game begins; without one it would pass unseen."""
    finding = Finding("LOG-HEADER", Severity.ERROR, 1, 1, 1, "there is no game in this log")
    return GameReport(path, 1, None, None, None, {}, (), 0, Verdict.MALFORMED, (finding,))
