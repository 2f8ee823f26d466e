"""Recording: the games of a log as what the page needs of them, each line with what it changes on the table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairdeal.checker.judging.binding import Binder
from fairdeal.checker.judging.history import Moment, moments
from fairdeal.checker.judging.inspection import PlaceError
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.reading.lines import Unreadable
from fairdeal.checker.reading.logs import Kind, classify
from fairdeal.checker.reporting.json_report import dump
from fairdeal.checker.reporting.lookup import statement_of
from fairdeal.checker.reporting.replay.tables import TableView, change
from fairdeal.checker.reporting.terminal import clipped, visible
from fairdeal.checker.verdict import Finding, GameReport
from fairdeal.spec.cards import DECK, card_name

MOST_LINES = 20_000
"""Lines of one page: some sixty games, with which a browser is still quick."""

MOST_CHARACTERS = 16_000_000
"""Characters of one page's games, as JSON."""

LONGEST_LINE = 2000
"""Characters of a line that are shown."""

FEW_CARDS = 6
"""Cards in a line beyond which none is marked on the table: it deals, or says what was seen."""


class TooLongError(Exception):
    """There is more to show than a page holds; the message says so, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What goes into a page: its games and their tables as JSON objects, and where it opens."""

    games: list[dict[str, Any]]
    tables: list[dict[str, Any]]
    at: int | None


def record(
    path: str,
    *,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
    at: int | None = None,
) -> Recorded:
    """Judge a log and keep what its page shows; with ``at``, only the game that this line is in.

    Raises:
        PlaceError: no game of the log has the line ``at``.
        SourceError: the log cannot be read, or not to its end.
        TooLongError: it is too long for a page.
    """
    recorder = _Recorder(path, at)
    for each in moments(path, rules=rules, options=options, max_findings=max_findings):
        if isinstance(each, GameReport):
            recorder.end(each)
            if recorder.found:
                break
        else:
            recorder.take(each)
    if recorder.games:
        recorder.games[-1]["rows"] += recorder.game.rows
    if at is not None and not recorder.found:
        raise PlaceError(f"{path} has {recorder.last} lines, so none is line {at}")
    return Recorded(recorder.games, recorder.tables, at)


@dataclass(slots=True)
class _Game:
    """One game as it is recorded."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    view: TableView | None = None
    table: int = 0
    first: list[str | int] = field(default_factory=list)
    values: list[str | int] = field(default_factory=list)
    size: int = 0
    overlong: bool = False
    """It has more than a page holds, and is not kept whole."""


class _Recorder:
    """Takes the moments of a log, and keeps the games that are wanted."""

    def __init__(self, path: str, at: int | None) -> None:
        self.path, self.at = path, at
        self.games: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.views: dict[int, TableView] = {}
        self.game = _Game()
        self.kept = _Size()
        self.last = 0
        self.found = False

    def take(self, moment: Moment) -> None:
        """Keep one line, with what it changes."""
        self.last = moment.line
        text = moment.text
        text = text.shown or text.reason if isinstance(text, Unreadable) else text
        if not text.strip():
            return
        game = self.game
        row: dict[str, Any] = {"line": moment.line, "text": visible(clipped(text, LONGEST_LINE))}
        if classify(moment.text) is Kind.BLANK:
            row["aside"] = True
        if moment.run is not None:
            changes = self._changes(game, moment)
            if changes:
                row["changes"] = changes
        if moment.bound is not None and moment.prefix is not None:
            row |= _event(moment)
        game.rows.append(row)
        game.size += len(row["text"]) + 24 * len(row.get("changes", ())) + 60
        self._bound(game)

    def end(self, report: GameReport) -> None:
        """A game is over: keep it with its report, if it is wanted.

        Comments after its last line may speak of the game after it, and go there, if there is one.
        """
        game, self.game = self.game, _Game()
        if self.at is not None:
            self.found = bool(game.rows) and game.rows[0]["line"] <= self.at <= self.last
            if not self.found:
                return
        else:
            while len(game.rows) > 1 and game.rows[-1].get("aside"):
                self.game.rows.insert(0, game.rows.pop())
        self.kept = self.kept.plus(game)
        self.games.append(_game(report, game))

    def _changes(self, game: _Game, moment: Moment) -> list[list[str | int]]:
        run = moment.run
        assert run is not None
        if game.view is None:
            game.view, game.table = self._view(run.binder)
            game.first = game.view.values(run.binder.layout.initial(), Labels(run.binder.game, run.binder.layout))
            game.values = game.first
        values = game.view.values(run.state, run.labels)
        found = []
        for slot, (before, after) in enumerate(zip(game.values, values, strict=True)):
            how = change(before, after)
            if how is not None:
                found.append([slot, *how])
        game.values = values
        return found

    def _view(self, binder: Binder) -> tuple[TableView, int]:
        """The view of a binder's tables, and its number on the page."""
        for number, view in self.views.items():
            if view.binder.game is binder.game:
                return view, number
        view = TableView(binder)
        number = len(self.tables)
        self.views[number] = view
        self.tables.append(view.layout)
        return view, number

    def _bound(self, game: _Game) -> None:
        """Refuse what is too long, unless it is a game that nobody has asked for so far."""
        game.overlong = game.overlong or not self.kept.plus(game).fits
        if not game.overlong:
            return
        if self.at is not None and self.at > self.last:
            del game.rows[1:]
            return
        if self.at is None:
            instead = "--at LINE makes a page of the one game that a line is in"
        else:
            instead = "the game with that line is longer"
        most = f"{MOST_LINES} lines and {MOST_CHARACTERS // 1_000_000} MB"
        raise TooLongError(f"{self.path} is too long for a page, which holds {most}: {instead}")


@dataclass(frozen=True, slots=True)
class _Size:
    """How much there is to show."""

    lines: int = 0
    characters: int = 0

    def plus(self, game: _Game) -> _Size:
        """With one more game."""
        return _Size(self.lines + len(game.rows), self.characters + game.size)

    @property
    def fits(self) -> bool:
        """Whether a page holds it."""
        return self.lines <= MOST_LINES and self.characters <= MOST_CHARACTERS


def _event(moment: Moment) -> dict[str, Any]:
    """What the page needs to know of an event's line."""
    bound, prefix = moment.bound, moment.prefix
    assert bound is not None
    assert prefix is not None
    found: dict[str, Any] = {"event": True}
    if bound.actor is not None:
        found["player"] = bound.actor
    if bound.body.refused is not None:
        found["refused"] = True
    if prefix.time is not None:
        found["time"] = [*prefix.time]
        found["unit"] = prefix.unit
    known = [code for code in bound.cards if code < DECK]
    if known and len(bound.cards) <= FEW_CARDS:
        found["cards"] = "".join(card_name(code) for code in known)
    return found


def _game(report: GameReport, game: _Game) -> dict[str, Any]:
    lines = [row["line"] for row in game.rows]
    return {
        "title": game.view.binder.game.title if game.view else report.game,
        "line": report.line,
        "id": visible(clipped(report.id, 200)) if report.id else None,
        "rules": visible(report.rules) if report.rules else None,
        "options": [visible(f"{name}={value}") for name, value in report.options.items()],
        "players": [visible(clipped(name, 100)) for name in report.players],
        "verdict": report.verdict.value,
        "readings": [f"{name}={value}" for name, value in report.readings.items()],
        "events": report.events,
        "table": game.table if game.view else None,
        "first": game.first,
        "rows": game.rows,
        "findings": [_finding(one, report, lines) for one in report.findings] if lines else [],
        "more": report.more_findings,
    }


def _finding(finding: Finding, report: GameReport, lines: list[int]) -> dict[str, Any]:
    """A finding as the page shows it; where its line is blank, at the line before."""
    line = lines[max(bisect_right(lines, finding.line) - 1, 0)]
    source = clipped(finding.source, LONGEST_LINE)
    marked = [len(visible(source[: column - 1])) for column in (finding.column, finding.end_column)]
    return {
        "code": visible(finding.code),
        "severity": finding.severity.value,
        "line": line,
        "mark": marked if finding.source and line == finding.line else None,
        "message": visible(finding.message),
        "clause": " ".join(statement_of(report, finding.code).split()),
        "also": list(finding.also),
        "readings": [f"{name}={value}" for name, value in finding.readings.items()],
        "hint": visible(finding.hint),
        "follows": finding.follows_from,
        "related": [{"line": one.line, "message": visible(one.message)} for one in finding.related],
        "legal": [visible(each) for each in finding.legal],
        "legal_total": max(finding.legal_total, len(finding.legal)),
    }


def as_json(recorded: Recorded, **more: object) -> str:
    """The page's data in JSON that can stand within a page: ASCII, and without ``<``, which could end a script."""
    data = {"version": 1, **more, "at": recorded.at, "tables": recorded.tables, "games": recorded.games}
    return dump(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
