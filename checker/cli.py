"""The command line: what a call asks for, and the exit code that it gets."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, Shell, refusing, say, source_failure, unknown
from fairdeal.checker.reporting.reporter import REPORTERS, Settings, Summary, release
from fairdeal.checker.reporting.terminal import (
    WIDEST_PROSE,
    ColorChoice,
    Paint,
    is_terminal,
    terminal_width,
    visible,
    wants_color,
)
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict

if TYPE_CHECKING:
    from fairdeal.checker.judging.checking import LegalEvent
    from fairdeal.spec.language import Game, Option

_IDLE = "  # changes nothing"
"""A comment of the notation, so that what `legal` prints can be read as lines of a log."""

_GOAL = "# a way to the goal in this turn: "
"""How a way to the game's goal is announced."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _chosen(ctx: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    """Reads ``NAME=VALUE`` pairs; the same name twice is a slip that nobody should have to find."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            raise click.BadParameter(f"{visible(pair)!r} is not of the form NAME=VALUE", ctx, parameter)
        if options.setdefault(name, value) != value:
            raise click.BadParameter(f"{visible(name)} is given two values", ctx, parameter)
    return options


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"fairdeal {release()}")
        ctx.exit()


_rules = click.option("--rules", metavar="NAME", help="Named set of options.")
_options = click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, callback=_chosen, help="Choose a reading; repeatable."
)
_color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto follows NO_COLOR and the terminal.",
)
_output = click.option("--output", "-o", "target", metavar="FILE", help="Write there, once complete.")
_at = click.option("--at", type=click.IntRange(min=1), required=True, metavar="LINE", help="Line of the log.")


def _with(*decorators: Callable[[Function], Function]) -> Callable[[Function], Function]:
    return lambda function: reduce(lambda inner, decorate: decorate(inner), reversed(decorators), function)


@click.group(cls=Shell, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def cli() -> None:
    """Check recorded card games against the rules, line by line.

    Exit codes: 0 all games pass, 1 a game does not, 2 the call is wrong or something was not checked,
    130 interrupted, 141 the reader of the output went away.
    """


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@_with(_rules, _options)
@click.option("--format", "form", type=click.Choice(list(REPORTERS)), default="text", show_default=True)
@_output
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
@_color
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
    _approve(rules, options)
    summary = Summary()
    started = time.perf_counter()
    with output(target, paths) as out:
        settings = Settings(
            color=wants_color(color, out),
            width=terminal_width(),
            quiet=quiet,
            show_all=show_all,
            statement=_statement,
            model=_model,
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


@cli.command()
@click.argument("log", metavar="LOG")
@_with(_at, _rules, _options)
def show(log: str, at: int, rules: str | None, options: dict[str, str]) -> None:
    """Draw the table as it is after a line of a log."""
    _approve(rules, options)
    with refusing(), output(None) as out:
        from fairdeal.checker.judging.checking import board_at

        drawing = board_at(log, at, rules, options)
        out.writelines(f"{visible(line)}\n" for line in drawing.rstrip("\n").split("\n"))


@cli.command()
@click.argument("log", metavar="LOG")
@_with(_at, _rules, _options)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def legal(log: str, at: int, rules: str | None, options: dict[str, str], form: str) -> None:
    """List every event that the rules allow after a line of a log."""
    _approve(rules, options)
    with refusing(), output(None) as out:
        from fairdeal.checker.judging.checking import goal_at, legal_at

        events = legal_at(log, at, rules, options)
        if form == "json":
            out.write(_json_list([event.json for event in events]))
        else:
            out.writelines(f"{visible(event.text)}{_note(event)}\n" for event in events if not event.covered)
            way = goal_at(log, at, rules, options)
            if way:
                out.write(f"{_GOAL}{visible('; '.join(way))}\n")
    if not events:
        say(f"no event is allowed after line {at}")


def _note(event: LegalEvent) -> str:
    """What stands behind a lawful event, as a comment of the notation."""
    if event.smaller:
        return f"  # or fewer of these cards, in {event.smaller} way{'s' * (event.smaller > 1)}"
    return _IDLE if event.idle else ""


def _json_list(objects: list[Any]) -> str:
    import json

    lines = ",\n ".join(json.dumps(each) for each in objects)
    return f"[{lines}]\n"


@cli.command()
@click.argument("game", metavar="GAME")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="Same seed, same games.",
)
@_with(_rules, _options)
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True)
@_output
def generate(
    game: str,
    games: int,
    seed: int,
    rules: str | None,
    options: dict[str, str],
    form: str,
    target: str | None,
) -> None:
    """Make random complete legal games."""
    with refusing():
        from fairdeal.checker.generating import generate as chunks

        _approve(rules, options, [_game(game)])
        with output(target) as out:
            for chunk in chunks(game, games=games, seed=seed, rules=rules, options=options, format=form):
                out.write(chunk)


@cli.command()
@click.argument("game", metavar="GAME")
@click.argument("clause", metavar="[CLAUSE]", required=False)
@_color
def rules(game: str, clause: str | None, color: ColorChoice) -> None:
    """Print a game's clauses, gaps and options, or one clause in full."""
    from fairdeal.checker.reporting.rules_page import RulesPage
    from fairdeal.spec.catalogue import catalogue

    model, book = _game(game), catalogue(game)
    if clause and clause.upper() not in book:
        raise Refusal(unknown("clause", clause, list(book), listed=False))
    with output(None) as out:
        page = RulesPage(model, book, Paint(wants_color(color, out)), min(terminal_width(), WIDEST_PROSE))
        out.writelines(f"{line}\n" for line in (page.entry(clause.upper()) if clause else page.whole()))


def _approve(rules: str | None, options: Mapping[str, str], games: Iterable[Game] | None = None) -> None:
    """Refuses a named set, an option or a value that none of the games has; all games if none is named."""
    if not rules and not options:
        return
    games = list(_all_games() if games is None else games)
    sets = [name for game in games for name in game.rule_sets]
    if rules and rules not in sets:
        raise Refusal(unknown("set of rules", rules, sets))
    for name, value in options.items():
        owners = [game.options[name] for game in games if name in game.options]
        if not owners:
            raise Refusal(unknown("option", name, [each for game in games for each in game.options]))
        _approve_value(owners, value)


def _approve_value(owners: list[Option], value: str) -> None:
    from fairdeal.spec.language import OptionError

    for number, option in enumerate(owners, 1):
        try:
            option.encode(value)
            return
        except OptionError as error:
            if number == len(owners):
                raise Refusal(str(error)) from error


def _game(name: str) -> Game:
    from fairdeal.spec.games import UnknownGame, model_named

    try:
        return model_named(name)
    except UnknownGame as failure:
        raise Refusal(unknown("game", name, failure.known)) from failure


def _all_games() -> list[Game]:
    from fairdeal.spec.games import MODULES, model_named

    return [model_named(name) for name in MODULES]


def _statement(game: str | None, code: str) -> str:
    """The sentence of a clause; findings that no game owns are looked up in any."""
    from fairdeal.spec.catalogue import CatalogueError, catalogue, games

    try:
        return catalogue(game or games()[0]).statement(code)
    except (CatalogueError, LookupError):
        return ""


def _model(game: str) -> str:
    from fairdeal.spec.games import UnknownGame, model_named

    try:
        return model_named(game).version
    except UnknownGame:
        return ""


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    cli(prog_name="fairdeal")
