"""`fairdeal explore`: everything that can happen from one deal on."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.core import ParameterSource

from fairdeal.checker.commands.calls import (
    Given,
    Whole,
    approve,
    game_named,
    options_option,
    output_option,
    read_size,
    rules_option,
    with_options,
)
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import INTERRUPTED, Refusal, refusing, say, unknown
from fairdeal.checker.reporting.terminal import visible

if TYPE_CHECKING:
    from fairdeal.checker.exploring.counting import Engine
    from fairdeal.checker.exploring.rounds import Result
    from fairdeal.checker.exploring.starting import Start

_ALWAYS = {"source", "rules", "options", "target"}
_START = {"seed", "at", "plain"}
_LIMITED = {"merge", "states", "memory"}
_TAKES = {
    "--hand": {"hand", "form"},
    "--deals": {"deals", "seed", "jobs", "keep", "plain", "form", *_LIMITED},
    "--depth": {"depth", "divide", "engine", "form", *_START},
    "--witness": {"witness", "plot", *_LIMITED, *_START},
    "": {"plot", "form", *_LIMITED, *_START},
}
"""What a call takes beside what every call does, by the option that says what is asked; without one, for a round."""
_ONLY = {"jobs": "--deals", "keep": "--deals", "divide": "--depth", "engine": "--depth"}
"""Options that say something only beside another."""


@click.command()
@click.argument("source", type=Given("a log or a game"), metavar="LOG|GAME")
@click.option(
    "--seed", type=Whole(min=0), metavar="S", help="Of a game: the deal that `generate` makes of it.  [default: 0]"
)
@click.option("--at", type=Whole(min=1), metavar="LINE", help="Of a log: begin after this line.")
@with_options(rules_option, options_option)
@click.option("--witness", metavar="CLASS", help="Write a gamelog that shows a class, instead of the table.")
@click.option(
    "--merge",
    type=click.Choice(["all", "alike", "none"]),
    default="all",
    show_default=True,
    help="What is merged: also what can be done at once; states that are alike; nothing.",
)
@click.option(
    "--states",
    type=Whole(min=1),
    default=1 << 31,
    metavar="N",
    help="Most states that a search finds; what players are kept from is asked by searches of their own.",
)
@click.option(
    "--memory",
    default="4G",
    show_default=True,
    callback=read_size,
    metavar="SIZE",
    help="Most memory for them, in each process; at least a sixteenth is left for what players are kept from.",
)
@click.option("--plot", type=Given(), metavar="FILE.svg", help="Draw states and endings by depth there too.")
@click.option("--depth", type=Whole(min=1), metavar="N", help="Count sequences of up to N events instead.")
@click.option("--divide", is_flag=True, help="With --depth: how many of them begin with each event.")
@click.option(
    "--engine",
    type=click.Choice(["native", "python", "interpreter"]),
    help="With --depth: who counts; native where it can, else python.",
)
@click.option("--hand", metavar="CARDS", help="Of a game: what a hand can do by itself, such as '7S 8S 9S KH'.")
@click.option("--deals", type=Whole(min=1), metavar="N", help="A census: explore N deals and sum up.")
@click.option("--jobs", type=Whole(min=1), default=1, show_default=True, metavar="J", help="Processes at once.")
@click.option(
    "--keep", type=Given(), metavar="FILE", help="With --deals: keep each deal there, and go on from what is there."
)
@click.option("--plain", is_flag=True, help="Run as plain Python, even where numba is installed.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@output_option
@click.pass_context
def explore(
    ctx: click.Context,
    source: str,
    seed: int | None,
    at: int | None,
    rules: str | None,
    options: dict[str, str],
    witness: str | None,
    merge: str,
    states: int,
    memory: int,
    plot: str | None,
    depth: int | None,
    divide: bool,
    engine: str | None,
    hand: str | None,
    deals: int | None,
    jobs: int,
    keep: str | None,
    plain: bool,
    form: str,
    target: str | None,
) -> None:
    """Explore everything that can happen from one deal on.

    From a log, or from the deal of a game and a seed. Reports how a round can end, how long the ways there are, and
    what was merged to find out; with --depth, --hand or --deals, something else instead. Exits 0 if all was seen, 1
    if a limit was met or there is no game of the --witness CLASS, 130 if interrupted.
    """
    from fairdeal.spec.games import MODULES

    approve(rules, options, [game_named(source)] if source in MODULES else None)
    with refusing():
        _refuse_idle(ctx)
        if hand is not None:
            _hand(source, hand, rules, options, form, target)
            return
        if deals:
            limits = {"merging": merge, "states": states, "memory": memory}
            complete = _census(
                ctx, source, (seed or 0, deals, jobs), (rules, options), limits, keep, form, target, plain
            )
            ctx.exit(0 if complete else 1)
        if plot and find_spec("matplotlib") is None:
            raise Refusal("--plot needs matplotlib: pip install 'fairdeal[plot]'")
        start = _start(source, seed, at, rules, options)
        if depth:
            with output(target, [source]) as out:
                _count(out, start, depth, engine, form, divided=divide, plain=plain)
            return
        try:
            result, text = _explored(start, witness, merge, (states, memory), plain=plain)
        except _NoSuchGame as none:
            say(str(none))
            ctx.exit(1)
    if plot:
        _draw(result, plot)
    with output(target, [source]) as out:
        from fairdeal.checker.reporting.exploration import Page, as_json, as_text

        out.write(text or (as_json(result) if form == "json" else as_text(result, Page(out))))
    if result.stopped == "interrupt":
        say("interrupted: what is shown is what was known by then")
        ctx.exit(INTERRUPTED)
    ctx.exit(0 if result.complete else 1)


class _NoSuchGame(Exception):  # noqa: N818 - it says what was found
    """There is no game that shows a class, or none was found; the message says which."""


def _refuse_idle(ctx: click.Context) -> None:
    """Refuse options that would not be looked at beside the one that says what is asked."""
    flags = {one.name: one.opts[0] for one in ctx.command.params}
    given = [
        name
        for name in ctx.params
        if ctx.get_parameter_source(name) not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    ]
    asked = next((flag for flag in _TAKES if flag and flag[2:] in given), "")
    for name in given:
        if name in _ALWAYS | _TAKES[asked]:
            continue
        flag, owner = flags[name], _ONLY.get(name)
        if owner:
            raise Refusal(f"{flag} goes with {owner}" + (f", and not with {asked}" if asked else ""))
        raise Refusal(f"{flag} does not go with {asked}, which does not look at it; leave out one of the two")


def _start(source: str, seed: int | None, at: int | None, rules: str | None, options: dict[str, str]) -> Start:
    from fairdeal.checker.exploring.starting import StartError, from_log, from_seed
    from fairdeal.spec.games import MODULES

    try:
        if source in MODULES:
            if at is not None:
                raise Refusal("--at is a line of a log; of a game it is --seed that is chosen")
            return from_seed(source, seed or 0, rules, options)
        if seed is not None:
            raise Refusal(unknown("game", source, list(MODULES)))
        return from_log(source, at, rules, options)
    except StartError as error:
        raise Refusal(str(error)) from error


def _hand(source: str, hand: str, rules: str | None, options: dict[str, str], form: str, target: str | None) -> None:
    """Writes what a hand can do."""
    from pathlib import Path

    from fairdeal.checker.exploring.hands import look_at
    from fairdeal.checker.exploring.starting import StartError
    from fairdeal.checker.reading.values import read_card
    from fairdeal.checker.reporting.exploration import Page, hand_json, hand_text
    from fairdeal.spec.games import MODULES

    if source not in MODULES and Path(source).exists():
        raise Refusal("--hand goes with the name of a game; of a log, --at LINE --depth N counts what can follow")
    model = game_named(source)
    cards = []
    for word in hand.split():
        try:
            cards.append(read_card(word))
        except (LookupError, ValueError):
            raise Refusal(
                f"--hand: {visible(word)} is no card; write 7S for the seven of spades, TH for the ten"
            ) from None
    try:
        found = look_at(model.name, cards, rules, options)
    except StartError as error:
        raise Refusal(str(error)) from error
    with output(target) as out:
        out.write(hand_json(found) if form == "json" else hand_text(found, Page(out)))


def _draw(result: Result, path: str) -> None:
    from pathlib import Path

    from fairdeal.checker.reporting.plot import plot

    try:
        plot(result, Path(path))
    except OSError as error:
        raise Refusal(f"{path}: {error.strerror or error}") from error


def _census(
    ctx: click.Context,
    source: str,
    numbers: tuple[int, int, int],
    rules: tuple[str | None, dict[str, str]],
    limits: dict[str, Any],
    keep: str | None,
    form: str,
    target: str | None,
    plain: bool,
) -> bool:
    """Explores many deals; whether all of them were seen to the end."""
    from pathlib import Path

    from fairdeal.checker.engines.native.compiling import can_compile
    from fairdeal.checker.exploring.census import CensusError, Plan, census
    from fairdeal.checker.reporting.exploration import Page, Progress, census_json, census_text

    model = game_named(source)
    seed, deals, jobs = numbers
    plan = Plan(model.name, seed, deals, rules[0], rules[1], compiled=can_compile() and not plain, **limits)
    try:
        with Progress() as progress:
            summary = census(plan, model.version, Path(keep) if keep else None, jobs, progress.done)
    except CensusError as error:
        raise Refusal(str(error)) from error
    except OSError as error:
        raise Refusal(f"{keep}: {error.strerror or error}") from error
    except KeyboardInterrupt:
        say("interrupted" + (f": the same call goes on from {keep}" if keep else "; nothing is kept without --keep"))
        ctx.exit(INTERRUPTED)
    with output(target) as out:
        out.write(census_json(summary) if form == "json" else census_text(summary, Page(out)))
    return summary.complete == summary.deals


def _count(out: TextIO, start: Start, depth: int, engine: str | None, form: str, *, divided: bool, plain: bool) -> None:
    """Writes how many sequences of events there are; each depth as soon as it is counted."""
    from fairdeal.checker.exploring.counting import classes_at, count, divide, lines_of
    from fairdeal.checker.reporting.exploration import CountReporter

    chosen = _engine(start, engine, plain=plain)
    reporter = CountReporter(out, start.place, chosen.name, form)
    classes = None if chosen.name == "native" else classes_at(start)
    for level in count(chosen, depth, classes):
        reporter.level(level)
    if divided:
        reporter.divide(divide(chosen, depth, lines_of(start) if chosen.name == "native" else None), depth)
        return
    reporter.end()


def _engine(start: Start, wanted: str | None, *, plain: bool) -> Engine:
    from fairdeal.checker.engines.layout import NotSupported
    from fairdeal.checker.engines.native.compiling import can_compile
    from fairdeal.checker.exploring.counting import ByInterpreter, ByNative, ByPython

    if wanted == "interpreter":
        return ByInterpreter(start)
    if wanted != "python":
        try:
            return ByNative(start, compiled=can_compile() and not plain)
        except NotSupported as error:
            if wanted:
                raise Refusal(f"the native engine cannot count here: {error}") from error
    return ByPython(start)


def _explored(
    start: Start, witness: str | None, merge: str, limits: tuple[int, int], *, plain: bool
) -> tuple[Result, str]:
    """What was found, and the text of the witness if one is asked for."""
    from fairdeal.checker.engines.layout import NotSupported
    from fairdeal.checker.engines.native.compiling import can_compile
    from fairdeal.checker.engines.native.searching import Limits
    from fairdeal.checker.engines.native.symmetry import NoSymmetry
    from fairdeal.checker.exploring.rounds import Round, explore
    from fairdeal.checker.exploring.starting import StartError
    from fairdeal.checker.exploring.witnesses import NoWitness, names_of
    from fairdeal.checker.exploring.witnesses import witness as shown
    from fairdeal.checker.reporting.exploration import Progress

    known = names_of(start.exploration)
    if witness and witness not in known:
        raise Refusal(unknown("class", witness, known))
    compiled = can_compile() and not plain
    try:
        with Progress() as progress:
            progress.say("compiling, which is kept for other deals of this shape" if compiled else "preparing")
            part = Round(start, merge, compiled, Limits(*limits))
    except StartError as error:
        raise Refusal(str(error)) from error
    except (NotSupported, NoSymmetry) as error:
        hand = "" if start.exploration.held is None else ", and --hand CARDS looks at a hand by itself"
        raise Refusal(
            f"{start.place} cannot be explored to the end under these options: {error}. --depth N counts what can "
            f"follow up to N events{hand}"
        ) from error
    with Progress() as progress:
        result, search = explore(part, progress.note)
    if not witness:
        return result, ""
    try:
        return result, shown(part, search, witness)
    except NoWitness as error:
        raise _NoSuchGame(f"{witness}: {error}") from error
