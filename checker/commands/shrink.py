"""``fairdeal shrink``: a short log with the same first finding."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import click

from fairdeal.checker.commands.calls import Given, approve, options_option, output_option, rules_option, with_options
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, refusing, say


@click.command()
@click.argument("log", type=Given(), metavar="LOG")
@with_options(rules_option, options_option, output_option)
def shrink(log: str, rules: str | None, options: dict[str, str], target: str | None) -> None:
    """Make the shortest log that still has the first finding of a log.

    Events and rounds are left out; what stays is lawful up to the line at fault, and is checked once more. Of a log
    with many games, the first one at fault is taken.
    """
    approve(rules, options)
    with refusing():
        from fairdeal.checker.judging.checking import Call
        from fairdeal.checker.judging.shrinking import MOST_RUNS, ShrinkError
        from fairdeal.checker.judging.shrinking import shrink as shrunk

        try:
            found = shrunk(Call(log, rules, options))
        except ShrinkError as error:
            raise Refusal(str(error)) from error
        with output(target, [log]) as out:
            out.writelines(f"{line}\n" for line in found.lines)
    limit = f"; stopped after {MOST_RUNS} tries" if found.gave_up else ""
    say(f"kept {found.events} of the {found.original} events up to the first {found.finding.code}{limit}")
