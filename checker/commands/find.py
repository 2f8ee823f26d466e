"""`fairdeal find`: a game that reaches a goal, as a log that `check` has judged."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairdeal.checker.commands.calls import (
    Given,
    Whole,
    WithNames,
    approve,
    game_named,
    options_option,
    output_option,
    with_options,
)
from fairdeal.checker.commands.prove import declared_for
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, nearest, refusing, say, unknown
from fairdeal.checker.reporting.terminal import WIDEST_PROSE, terminal_width

if TYPE_CHECKING:
    from fairdeal.checker.proving.witnesses import Witness
    from fairdeal.spec.language.properties import Properties


class _Find(WithNames):
    def names(self, declared: Properties) -> dict[str, list[str]]:
        from fairdeal.checker.reporting.declared_page import goal_names

        return goal_names(declared)


@click.command(cls=_Find)
@click.argument("game", metavar="GAME")
@click.argument("goal", metavar="[GOAL]", required=False)
@click.option(
    "--reading",
    "--rules",
    "rules",
    type=Given("a set of rules"),
    metavar="NAME",
    help="Named set of options, such as literal.",
)
@with_options(options_option)
@click.option("--whole", is_flag=True, help="Only games from the first round on.")
@click.option("--broken", is_flag=True, help="Of a clause: a log that breaks it, not one that keeps it.")
@click.option(
    "--deal",
    type=Given(),
    metavar="FILE",
    help="A log whose deals are kept, for any goal; in random play that of its first round.",
)
@click.option("--length", type=Whole(min=1), metavar="N", help="Events at most.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For the search, of the processor.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
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
    form: str,
    target: str | None,
) -> None:
    """Find a short game that reaches a goal.

    GOAL is one that the game declares, an event, a clause or gap, or a condition on the table such as
    'pile[1].size == 3 and not stuck'. Without GOAL, all goals of the game are listed, its events, and the fields that a
    condition is made of. Exits 0 if a game was found, 1 if there is none or none was found.
    """
    with refusing():
        approve(rules, options, [game_named(game)])
        declared = declared_for(game)
        if goal is None:
            if form == "json":
                raise Refusal("--format json is for a GOAL; without one, a list for people is written")
            _list(declared, target)
            return
        from fairdeal.checker.proving.dealing import DealsError
        from fairdeal.checker.proving.expressions import ExpressionError, UnknownNameError
        from fairdeal.checker.proving.wanted import BrokenError, Request, UnknownGoalError, wanted

        try:
            asked = wanted(declared, Request(goal, rules, options, whole, broken, deal, length, timeout))
        except (BrokenError, DealsError) as failure:
            raise Refusal(str(failure)) from failure
        except UnknownGoalError as failure:
            where = f"`fairdeal find {game}` lists all"
            known = [one.name for one in declared.goals]
            near = nearest(failure.name, failure.known) or ""
            raise Refusal(unknown("goal", failure.name, known, near=near, where=where)) from failure
        except UnknownNameError as failure:
            raise Refusal(unknown("field", failure.name, failure.known)) from failure
        except ExpressionError as failure:
            where = f"`fairdeal find {game}` lists what a condition is made of"
            raise Refusal(f"{failure}\n{where}") from failure
        from fairdeal.checker.proving.finding import NotFound, found  # loads Z3, which a slip need not wait for

        try:
            witness = found(asked)
        except NotFound as failure:
            if form == "json":
                _document(target, game, goal, reason=str(failure))
            else:
                say(str(failure))
            ctx.exit(1)
        if form == "json":
            _document(target, game, goal, witness)
        else:
            with output(target) as out:
                out.write(witness.text)
    ctx.exit(0)


def _document(target: str | None, game: str, goal: str, witness: Witness | None = None, reason: str = "") -> None:
    """Write what was found as one JSON document, or why nothing was; `find.schema.json` says what is in it."""
    import json

    from fairdeal.checker.reporting.reporter import release

    text = witness.text if witness else ""
    found = {
        "version": 1,
        "fairdeal": release(),
        "game": game,
        "goal": goal,
        "found": witness is not None,
        "verdict": witness.verdict if witness else None,
        "events": witness.events if witness else None,
        "notes": [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")],
        "log": text,
        "reason": reason,
    }
    with output(target) as out:
        out.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


def _list(declared: Properties, target: str | None) -> None:
    """Write what there is to look for."""
    from fairdeal.checker.reporting.declared_page import goal_lines

    with output(target) as out:
        out.writelines(f"{line}\n" for line in goal_lines(declared, min(terminal_width(), WIDEST_PROSE)))
