"""``fairdeal explain``: what a finding's code stands for, with an example."""

# Imports wait inside functions: a command loads only what it uses, for start-up counts.

from __future__ import annotations

import click

from fairdeal.checker.commands.calls import color_option
from fairdeal.checker.reporting.output import output
from fairdeal.checker.reporting.refusal import Refusal, unknown
from fairdeal.checker.reporting.terminal import WIDEST_PROSE, ColorChoice, Paint, terminal_width, wants_color


@click.command()
@click.argument("code", metavar="CODE")
@color_option
def explain(code: str, color: ColorChoice) -> None:
    """Explain a finding's code: the clause, its readings, an example.

    CODE is what stands in brackets in a report, such as SPIT-PLAY-5, GAP-SPIT-1 or LOG-REFUSED.
    """
    from fairdeal.checker.reporting.explain_page import ExplainPage
    from fairdeal.spec.catalogue import catalogue, games
    from fairdeal.spec.games import model_named

    code = code.upper()
    books = [catalogue(game) for game in games()]
    book = next((book for book in books if code in book), None)
    if book is None:
        names, where = [name for book in books for name in book], "`fairdeal rules GAME` lists them"
        raise Refusal(unknown("code", code, names, listed=False, where=where))
    with output(None) as out:
        page = ExplainPage(
            model_named(book.game), book, Paint(wants_color(color, out)), min(terminal_width(), WIDEST_PROSE)
        )
        out.writelines(f"{line}\n" for line in page.lines(code))
