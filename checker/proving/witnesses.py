"""Games that show something: written as logs, and checked before anybody sees them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.shelf import binder_for
from fairdeal.checker.reading.writer import write_header
from fairdeal.checker.verdict import GameReport
from fairdeal.spec.language.game import Event, Game

Line = tuple[Event, Mapping[str, Any]]


class NotAccepted(Exception):  # noqa: N818 - it says what happened
    """A game that was found and that `check` does not accept; the message holds its verdict."""


@dataclass(frozen=True)
class Witness:
    """A log, the verdict that `check` gave on it, and how many events it has."""

    text: str
    verdict: str
    events: int


def written(
    game: Game,
    lines: Sequence[Line],
    chosen: Mapping[str, str],
    rules: str = "standard",
    notes: Sequence[str] = (),
    together: Container[int] = (),
) -> str:
    """A game as the text of a log, with notes as comments.

    The lines whose numbers are ``together`` have the time of the one before; other lines have none.
    """
    binder = binder_for(game, game.bind(rules, chosen))
    header = write_header(game.name, rules=rules, options=chosen, players=("Ada", "Ben"), source="fairdeal find")
    body = [
        f"@{at if at not in together else at - 1}.000 {text}" if at in together or at + 1 in together else text
        for at, text in enumerate(binder.text(event, values) for event, values in lines)
    ]
    return "\n".join([*(f"# {note}" for note in notes), *header, "", *body, ""])


def report_on(text: str) -> GameReport:
    """The verdict of `check` on a log of one game."""
    check = LogCheck(Call("<found>"))
    (report,) = [*check.take(text.splitlines()), *check.finish()]
    return report


def checked(
    game: Game,
    lines: Sequence[Line],
    chosen: Mapping[str, str],
    rules: str = "standard",
    notes: Sequence[str] = (),
    together: Container[int] = (),
) -> Witness:
    """A game as a log that `check` accepts as far as it goes.

    Raises:
        NotAccepted: it does not.
    """
    text = written(game, lines, chosen, rules, notes, together)
    report = report_on(text)
    if report.verdict.value not in ("legal", "incomplete"):
        found = "; ".join(f"line {one.line}: {one.code} {one.message}" for one in report.findings[:3])
        raise NotAccepted(f"the game that was found is {report.verdict.value}: {found}")
    return Witness(text, report.verdict.value, len(lines))
