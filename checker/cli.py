"""The command line: what a call asks for, and the exit code that it gets."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from fairdeal.checker.commands.calls import (
    Given,
    Whole,
    approve,
    at_option,
    color_option,
    game_named,
    options_option,
    output_option,
    rules_option,
    suits_option,
    with_options,
)
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, Shell, refusing, say, unknown
from fairdeal.checker.reporting.reporter import release
from fairdeal.checker.reporting.terminal import (
    WIDEST_PROSE,
    ColorChoice,
    Paint,
    SuitsChoice,
    terminal_width,
    visible,
    wants_color,
    wants_signs,
    wrap,
)

if TYPE_CHECKING:
    from fairdeal.checker.judging.inspection import LegalEvent

COMMANDS = ("check", "explain", "explore", "find", "prove", "replay", "shrink")
"""Commands with a module of their own in ``commands/``, which is loaded when one of them is called."""

_IDLE = "  # changes nothing"
_REFUSABLE = f"{_IDLE}, and may be refused"
"""A comment of the notation, so that what `legal` prints can be read as lines of a log."""

_GOAL = "# a way to the goal in this turn: "
"""How a way to the game's goal is announced."""


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"fairdeal {release()}")
        ctx.exit()


class Commands(Shell):
    """The commands of this module, and those of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names all commands."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Finds a command, and loads its module if need be."""
        if cmd_name in COMMANDS:
            module = import_module(f"fairdeal.checker.commands.{cmd_name}")
            command: click.Command = vars(module)[cmd_name]
            return command
        return super().get_command(ctx, cmd_name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def cli() -> None:
    """Check recorded card games against the rules, line by line.

    Exit codes: 0 all games pass, 1 a game does not, 2 the call is wrong or something was not checked,
    130 interrupted, 141 the reader of the output went away.
    """


@cli.command()
@click.argument("log", type=Given(), metavar="LOG")
@with_options(at_option, rules_option, options_option, suits_option, color_option)
def show(log: str, at: int, rules: str | None, options: dict[str, str], suits: SuitsChoice, color: ColorChoice) -> None:
    """Draw the table as it is after a line of a log."""
    approve(rules, options)
    with refusing(), output(None) as out:
        from fairdeal.checker.judging.inspection import board_at
        from fairdeal.checker.reporting.tabletop import tabletop

        drawing = board_at(log, at, rules, options)
        paint, width = Paint(wants_color(color, out)), min(terminal_width(), WIDEST_PROSE)
        out.writelines(f"{line}\n" for line in tabletop(drawing, paint, wants_signs(suits, out), width))


@cli.command()
@click.argument("log", type=Given(), metavar="LOG")
@with_options(at_option, rules_option, options_option)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def legal(log: str, at: int, rules: str | None, options: dict[str, str], form: str) -> None:
    """List every event that the rules allow after a line of a log.

    What changes nothing comes last. Of it, what claims nothing may be refused; to refuse any other event of the list
    is a fault. JSON says so as "x-idle" and "x-refusable".
    """
    approve(rules, options)
    with refusing(), output(None) as out:
        from fairdeal.checker.judging.inspection import goal_at, legal_at

        events = legal_at(log, at, rules, options)
        if form == "json":
            out.write(_json_list([_object(event) for event in events]))
        else:
            out.writelines(f"{visible(event.text)}{_note(event)}\n" for event in events if not event.covered)
            way = goal_at(log, at, rules, options)
            if way:
                told = [f"{line};" for line in way[:-1]] + way[-1:]
                out.write("\n".join(wrap(told, min(terminal_width(), WIDEST_PROSE), _GOAL, "#   ")) + "\n")
    if not events:
        say(f"no event is allowed after line {at}")


def _note(event: LegalEvent) -> str:
    """What stands behind a lawful event, as a comment of the notation."""
    if event.smaller:
        return f"  # or fewer of these cards, in {event.smaller} way{'s' * (event.smaller > 1)}"
    return _REFUSABLE if event.refusable else _IDLE if event.idle else ""


def _object(event: LegalEvent) -> dict[str, object]:
    """A lawful event as an object of a JSON line; what is said of it has a key that the notation passes over."""
    marks = {"x-idle": event.idle, "x-refusable": event.refusable}
    return {**event.json, **{key: True for key, holds in marks.items() if holds}}


def _json_list(objects: list[Any]) -> str:
    import json

    lines = ",\n ".join(json.dumps(each) for each in objects)
    return f"[{lines}]\n"


@cli.command()
@click.argument("game", metavar="GAME")
@click.option("--games", type=Whole(min=1), default=1, show_default=True, metavar="N", help="How many.")
@click.option(
    "--seed",
    type=Whole(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="Same seed, same games.",
)
@click.option(
    "--policy",
    type=Given("a way to play"),
    metavar="NAME",
    help="Way to play at random; `fairdeal rules GAME` lists them.",
)
@with_options(rules_option, options_option)
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True)
@output_option
def generate(
    game: str,
    games: int,
    seed: int,
    policy: str | None,
    rules: str | None,
    options: dict[str, str],
    form: str,
    target: str | None,
) -> None:
    """Make random complete legal games."""
    with refusing():
        from fairdeal.checker.generating import generate as chunks

        model = game_named(game)
        approve(rules, options, [model])
        if policy is not None and policy not in model.policies:
            raise Refusal(unknown("policy", policy, model.policies))
        made = chunks(game, games=games, seed=seed, rules=rules, options=options, format=form, policy=policy)
        with output(target) as out:
            for chunk in made:
                out.write(chunk)


@cli.command()
@click.argument("game", metavar="GAME")
@click.argument("clause", metavar="[CLAUSE]", required=False)
@color_option
def rules(game: str, clause: str | None, color: ColorChoice) -> None:
    """Print a game's clauses, gaps and options, or one clause in full.

    The name of an option, such as `ace`, stands for the gap that it decides.
    """
    from fairdeal.checker.reporting.rules_page import RulesPage
    from fairdeal.spec.catalogue import catalogue, games

    model, book = game_named(game), catalogue(game)
    option = model.options.get((clause or "").lower().partition("=")[0])
    if option is not None and option.gap in book:
        clause = option.gap
    if clause and clause.upper() not in book:
        owner = next((name for name in games() if clause.upper() in catalogue(name)), None)
        if owner:
            raise Refusal(f"{clause.upper()} is a clause of {owner}: `fairdeal rules {owner} {clause.upper()}`")
        where = f"`fairdeal rules {game}` lists them"
        raise Refusal(unknown("clause", clause, list(book), listed=False, where=where))
    with output(None) as out:
        page = RulesPage(model, book, Paint(wants_color(color, out)), min(terminal_width(), WIDEST_PROSE))
        out.writelines(f"{line}\n" for line in (page.entry(clause.upper()) if clause else page.whole()))


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    cli(prog_name="fairdeal")
