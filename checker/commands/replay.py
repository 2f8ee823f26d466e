"""``fairdeal replay``: a log as a page to step through."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import click

from fairdeal.checker.commands.calls import (
    Given,
    Whole,
    approve,
    max_findings_option,
    options_option,
    rules_option,
    with_options,
)
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, refusing
from fairdeal.checker.reporting.terminal import is_terminal, visible_path


@click.command()
@click.argument("log", type=Given(), metavar="LOG")
@click.option("--output", "-o", "target", type=Given(), metavar="FILE", help="Write the page there, once complete.")
@click.option("--at", type=Whole(min=1), metavar="LINE", help="Only the game with this line, opened there.")
@with_options(rules_option, options_option)
@max_findings_option
def replay(
    log: str, target: str | None, at: int | None, rules: str | None, options: dict[str, str], max_findings: int
) -> None:
    """Write a log as a page to step through, findings marked.

    The page is one HTML file that needs no network. It holds logs of up to 20,000 lines; of a longer one, --at LINE
    shows one game. Exits 0 whatever is found.
    """
    approve(rules, options)
    with refusing(), output(target, [log]) as out:
        if is_terminal(out):
            raise Refusal("a page is nothing for a terminal: --output FILE says where to write it")
        from fairdeal.checker.reporting.replay.page import page
        from fairdeal.checker.reporting.replay.recording import TooLongError, record

        try:
            recorded = record(log, rules=rules, options=options, max_findings=max_findings, at=at)
        except TooLongError as error:
            raise Refusal(str(error)) from error
        if not recorded.games or not any(game["rows"] for game in recorded.games):
            raise Refusal(f"{visible_path(log)} is empty: there is nothing to replay")
        out.write(page(recorded, visible_path(log)))
