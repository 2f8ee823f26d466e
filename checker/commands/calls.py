"""What commands share: the options of a call, and how they are approved before anything is done."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairdeal.checker.reporting.refusal import Refusal, unknown
from fairdeal.checker.reporting.terminal import visible, wrap

if TYPE_CHECKING:
    from fairdeal.spec.language import Game, Option
    from fairdeal.spec.language.properties import Properties

Function = TypeVar("Function", bound=Callable[..., Any])


def chosen_options(ctx: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    """Reads ``NAME=VALUE`` pairs; the same name twice is a slip that nobody should have to find."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            raise click.BadParameter(f"{visible(pair)!r} is not of the form NAME=VALUE", ctx, parameter)
        if options.setdefault(name, value) != value:
            raise click.BadParameter(f"{visible(name)} is given two values", ctx, parameter)
    return options


class Given(click.ParamType[str]):
    """A word that a call gives, such as a file's name; an empty one is a slip: mostly a variable that is not set."""

    name = "text"

    def __init__(self, what: str = "a file") -> None:
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reads the word, which is never empty."""
        if not str(value).strip():
            self.fail(f"it is empty, and {self.what} is due. Is a variable not set?", param, ctx)
        return str(value)


rules_option = click.option("--rules", type=Given("a set of rules"), metavar="NAME", help="Named set of options.")
options_option = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=chosen_options,
    help="Choose a reading; repeatable.",
)
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto follows NO_COLOR and the terminal.",
)
suits_option = click.option(
    "--suits",
    type=click.Choice(["auto", "unicode", "ascii"]),
    default="auto",
    show_default=True,
    help="Suits on the table as signs or letters; auto follows the terminal and its encoding.",
)
output_option = click.option(
    "--output", "-o", "target", type=Given(), metavar="FILE", help="Write there, once complete."
)


class Whole(click.IntRange):
    """A whole number of a range; anything else is told so in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads a number."""
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]{1,18}", value.strip()):
            start = "" if self.min is None else f" from {self.min} on"
            self.fail(f"{visible(value)!r} is not a whole number{start}.", param, ctx)
        return super().convert(value, param, ctx)


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_size(ctx: click.Context, parameter: click.Parameter, text: str) -> int:
    """Reads a size such as ``512M`` or ``4G``."""
    number, unit = text.upper().removesuffix("B").rstrip("KMG"), text.upper().removesuffix("B").lstrip("0123456789.")
    try:
        size = int(float(number) * _UNITS[unit])
    except (KeyError, ValueError):
        raise click.BadParameter(f"{text!r} is no size; write 512M or 4G", ctx, parameter) from None
    if size < 1 << 20:
        raise click.BadParameter("less than 1M is not enough for anything", ctx, parameter)
    return size


class At(click.Option):
    """The option for a line of the log; a call without it is told how it is written."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Reads the value that a call gives, or says what one looks like."""
        try:
            return super().process_value(ctx, value)
        except click.MissingParameter as missing:
            missing.param_hint = "'--at', as in `--at 12`"
            raise


max_findings_option = click.option(
    "--max-findings",
    type=Whole(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Kept for each game.",
)
at_option = click.option("--at", cls=At, type=Whole(min=1), required=True, metavar="LINE", help="Line of the log.")


class WithNames(click.Command):
    """A command whose help ends with the names that each game has for it."""

    def names(self, declared: Properties) -> dict[str, list[str]]:
        """The names that a game has, by what they are names of."""
        raise NotImplementedError

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the names, game by game."""
        from fairdeal.spec.games import MODULES, properties_of

        for game in MODULES:
            formatter.write(f"\nNames of {game}:\n")
            for kind, names in self.names(properties_of(game)).items():  # not split at hyphens, as click would
                listed = [f"{name}," for name in names[:-1]] + names[-1:]
                formatter.write("\n".join(wrap(listed, formatter.width, f"  {kind}  ")) + "\n")


def with_options(*decorators: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in the order in which the help lists them."""
    return lambda function: reduce(lambda inner, decorate: decorate(inner), reversed(decorators), function)


def approve(rules: str | None, options: Mapping[str, str], games: Iterable[Game] | None = None) -> None:
    """Refuses a named set, an option or a value that none of the games has; all games if none is named.

    Raises:
        Refusal: none of the games has it; with the nearest name.
    """
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


def game_named(name: str) -> Game:
    """The rules of a game; a refusal with the nearest name where there are none."""
    from fairdeal.spec.games import UnknownGame, meant_game, model_named

    try:
        return model_named(name)
    except UnknownGame as failure:
        raise Refusal(unknown("game", name, failure.known, near=meant_game(name) or "")) from failure


def _all_games() -> list[Game]:
    from fairdeal.spec.games import MODULES, model_named

    return [model_named(name) for name in MODULES]
