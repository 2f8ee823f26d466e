"""What reports look up as they are written: a code in the catalogue, the version of a game's model."""

# Imports wait inside functions: a report on legal games looks nothing up.

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairdeal.checker.verdict import GameReport
    from fairdeal.spec.catalogue import Clause, Code, Gap


def entry_of(game: str | None, code: str) -> Clause | Gap | Code | None:
    """What the catalogue has on a code; codes that no game owns are looked up in any."""
    from fairdeal.spec.catalogue import CatalogueError, catalogue, games

    try:
        return catalogue(game or games()[0]).entry(code)
    except (CatalogueError, LookupError):
        return None


def statement_of(report: GameReport, code: str) -> str:
    """The sentence of a clause, or of a gap as the game's options read it; empty where the catalogue has none."""
    from fairdeal.spec.catalogue import Gap
    from fairdeal.spec.games import model_named

    entry = entry_of(report.game, code)
    if isinstance(entry, Gap) and report.game and report.rules:
        return entry.under({**model_named(report.game).rule_set(report.rules).options, **report.options})
    return entry.statement if entry else ""


def model_of(game: str) -> str:
    """Name and version of a game's rules model; empty where there is none."""
    from fairdeal.spec.games import UnknownGame, model_named

    try:
        return model_named(game).version
    except UnknownGame:
        return ""
