"""`fairdeal find`: a game that reaches a goal, as a log that `check` has judged."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairdeal.checker.commands.calls import Whole, approve, game_named, options_option, output_option, with_options
from fairdeal.checker.commands.prove import declared_for
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, refusing, say

if TYPE_CHECKING:
    from fairdeal.checker.proving.finding import Request


@click.command()
@click.argument("game", metavar="GAME")
@click.argument("goal", metavar="[GOAL]", required=False)
@click.option("--reading", "--rules", "rules", metavar="NAME", help="Named set of options, such as literal.")
@with_options(options_option)
@click.option("--whole", is_flag=True, help="Only games from the first round on.")
@click.option("--broken", is_flag=True, help="Of a clause: a log that breaks it, not one that keeps it.")
@click.option("--deal", metavar="FILE", help="A log whose deals are to be kept.")
@click.option("--length", type=Whole(min=1), metavar="N", help="Lines at most.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For the search.",
)
@output_option
@click.pass_context
def find(
    ctx: click.Context,
    game: str,
    goal: str | None,
    rules: str | None,
    options: dict[str, str],
    whole: bool,
    broken: bool,
    deal: str | None,
    length: int | None,
    timeout: float,
    target: str | None,
) -> None:
    """Find a short game that reaches a goal.

    GOAL is one that the game declares (none: they are listed), an event, a clause or gap, or a condition such as
    'pile[1].size == 3'. Exits 0 if a game was found, 1 if there is none or none was found.
    """
    with refusing():
        approve(rules, options, [game_named(game)])
        declared = declared_for(game)
        if goal is None:
            with output(target) as out:
                out.writelines(f"{one.name:20} {one.statement}\n" for one in declared.goals)
            return
        from fairdeal.checker.proving.finding import NotFound, Request, find_game

        request: Request = Request(goal, rules, options, whole, broken, deal, length, timeout)
        try:
            witness = find_game(declared, request)
        except NotFound as failure:
            say(str(failure))
            ctx.exit(1)
        except ValueError as failure:
            raise Refusal(str(failure)) from failure
        with output(target) as out:
            out.write(witness.text)
    ctx.exit(0)
