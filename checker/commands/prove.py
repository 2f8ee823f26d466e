"""`fairdeal prove`: the properties of a game, each with its status and how it was found."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeal.checker.commands.calls import Given, WithNames, color_option, output_option, read_size, with_options
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, refusing, unknown
from fairdeal.checker.reporting.terminal import WIDEST_PROSE, ColorChoice, terminal_width

if TYPE_CHECKING:
    from fairdeal.checker.proving.prover import Result
    from fairdeal.spec.language.properties import Properties, Property


class _Prove(WithNames):
    def names(self, declared: Properties) -> dict[str, list[str]]:
        from fairdeal.checker.reporting.declared_page import property_names

        return property_names(declared)


@click.command(cls=_Prove)
@click.argument("game", metavar="GAME")
@click.argument("properties", nargs=-1, metavar="[PROPERTY...]")
@click.option("--list", "listing", is_flag=True, help="List the properties and the status declared for each.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="For each query to the solver, of the processor; a proof that asks several, all together and then one by one, "
    "takes five times as long at most. What takes longer is unknown. Proofs that properties share obey it too.",
)
@click.option(
    "--memory",
    default="3G",
    show_default=True,
    callback=read_size,
    metavar="SIZE",
    help="Most memory for each process; a proof that needs more is unknown.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Processes at once."
)
@click.option("--smt2", type=Given("a folder"), metavar="DIR", help="Write each query there as SMT-LIB 2.")
@click.option("--cross-check", is_flag=True, help="Ask cvc5 too; the solvers have to agree.")
@click.option(
    "--logs",
    type=Given("a folder"),
    metavar="DIR",
    help="Write there each game that shows something, and each in which a premise was seen.",
)
@with_options(output_option, color_option)
@click.pass_context
def prove(
    ctx: click.Context,
    game: str,
    properties: tuple[str, ...],
    listing: bool,
    form: str,
    timeout: float,
    memory: int,
    jobs: int,
    smt2: str | None,
    cross_check: bool,
    logs: str | None,
    target: str | None,
    color: ColorChoice,
) -> None:
    """Prove, refute or compute the properties of a game.

    All of them are answered if none is named; --list says what each is. Exits 0 if each has the status that is declared
    for it, else 1.
    """
    from fairdeal.checker.reporting.proofs import ProofReporter, Spent

    spent = Spent()
    with refusing():
        declared = declared_for(game)
        wanted = _wanted(declared, properties)
        if listing:
            _list(replace(declared, properties=tuple(wanted)), target)
            return
        _ready(cross_check)
        for folder in (smt2, logs):
            if folder:
                Path(folder).mkdir(parents=True, exist_ok=True)
        from fairdeal.checker.proving.asking import Budget
        from fairdeal.checker.proving.prover import Prover
        from fairdeal.checker.proving.steps import Model

        prover = Prover(
            Model(declared.game, counted=declared.counted), declared, Budget(timeout, smt2, cross_check, memory), jobs
        )
        with output(target) as out:
            reporter = ProofReporter(
                out, declared.game.version, form, color, wanted, lambda: prover.foundation, spent, logs=bool(logs)
            )
            with reporter:
                for result in prover.answer(wanted):
                    reporter.add(result)
                    if logs:
                        _keep(Path(logs), result)
    ctx.exit(0 if reporter.as_expected else 1)


def _keep(folder: Path, result: Result) -> None:
    """Write the games of a part: the one that shows something, and the one in which its premise was seen."""
    name = re.sub(r"[^\w=.-]+", "-", f"{result.id} {result.part.title}".lower()).strip("-")
    for log, kind in ((result.log, ""), (result.premise_log, "-premise")):
        if log:
            (folder / f"{name}{kind}.gamelog").write_text(log, encoding="utf-8")


def declared_for(game: str) -> Properties:
    """The properties of a game; a game that there is not, or that has none, is refused."""
    from fairdeal.spec.games import UnknownGame, properties_of

    try:
        return properties_of(game)
    except UnknownGame as failure:
        raise Refusal(unknown("game", game, failure.known)) from failure


def _wanted(declared: Properties, names: tuple[str, ...]) -> list[Property]:
    ids = [one.id for one in declared.properties]
    for name in names:
        if name.upper() not in ids:
            raise Refusal(unknown("property", name, ids))
    asked = {name.upper() for name in names}
    return [one for one in declared.properties if not asked or one.id in asked]


def _list(declared: Properties, target: str | None) -> None:
    """Write what each property says, and the status that is declared for it."""
    from fairdeal.checker.reporting.declared_page import property_lines

    with output(target) as out:
        out.writelines(f"{line}\n" for line in property_lines(declared, min(terminal_width(), WIDEST_PROSE)))


def _ready(cross_check: bool) -> None:
    """Refuse what the installation cannot do."""
    if cross_check and find_spec("cvc5") is None:
        raise Refusal("--cross-check needs cvc5: pip install 'fairdeal[cross-check]'")
