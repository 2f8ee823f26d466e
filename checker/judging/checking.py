"""Checking: every game of a log, from the bytes to the verdict, as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fairdeal.checker.judging.findings import Explainer, Fault
from fairdeal.checker.judging.outcome import FirstFaultError, Outcome
from fairdeal.checker.judging.readings import Search
from fairdeal.checker.judging.run import Run
from fairdeal.checker.judging.shelf import SHELF, Shelf, options_of
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.header import Header, HeaderBuilder
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.lines import Unreadable, blocks
from fairdeal.checker.reading.logs import Kind, begins_game, classify
from fairdeal.checker.reading.source import SourceError, open_log
from fairdeal.checker.verdict import Finding, GameReport, Severity, Verdict
from fairdeal.spec.games import UnknownGame
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.options import OptionError

if TYPE_CHECKING:
    from fairdeal.checker.judging.coverage import Coverage

HEADER_LINES = 200
"""Lines of one header that are read; no program writes more, and they are held until the first event."""

STRAY_LINES = 20
"""Lines outside any game that are each reported; further ones are counted."""


@dataclass(slots=True)
class Call:
    """What the caller asked for."""

    path: str
    rules: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    max_findings: int = 100
    board: bool = False
    coverage: Coverage | None = None
    """Counts what the lines exercise, where it is asked for."""
    shelf: Shelf = field(default_factory=lambda: SHELF)


class GameUnderCheck:
    """One game of a log: its header, then its run, then its report."""

    def __init__(self, call: Call, first_line: int) -> None:
        self.call, self.first_line = call, first_line
        self.builder = HeaderBuilder()
        self.header: Header | None = None
        self.outcome = Outcome(call.max_findings)
        """What is wrong with the header, and with lines that stand in no game."""
        self.run: Run | None = None
        self.chosen: dict[str, str] = {}
        self.rules = call.rules
        self.stray = 0
        self.beyond = 0
        """Line of the first stray line that is only counted."""
        self.crowded = False
        """The header has more lines than are read."""

    def take_header(self, number: int, line: str) -> None:
        """Take one header line."""
        self.builder.feed(number, line)

    def open(self, number: int) -> None:
        """The header is over: find the rules, and begin to judge with line ``number``."""
        self.header = header = self.builder.finish()
        for problem in header.problems:
            place = problem.place
            self._problem(place.line, place.column, place.end_column, problem.message, problem.hint)
        if header.game is None:
            return
        try:
            game = self.call.shelf.game(header.game)
        except UnknownGame as error:
            self._at("game", str(error))
            return
        self._open(game, header, number)

    def _open(self, game: Game, header: Header, number: int) -> None:
        rules = self.call.rules or header.rules
        chosen: dict[str, str] = {}
        try:
            game.rule_set(rules)
        except OptionError as error:
            if self.call.rules:  # the call is wrong, not the log
                raise
            self._at("rules", str(error))
            rules = "standard"
        for name, choice in header.options.items():
            try:
                game.encode(name, choice.value)
                chosen[name] = choice.value
            except OptionError as error:
                place = choice.place
                self._problem(place.line, place.column, place.end_column, str(error), "")
        chosen.update(self.call.options)
        self.chosen, self.rules = chosen, rules
        binder = self.call.shelf.binder(game, options_of(game, rules, tuple(chosen.items())))
        settled = frozenset(chosen) | frozenset(game.rule_set(rules).options)
        explainer = Explainer(binder, settled, self.call.max_findings, self.call.board, header.players)
        self.run = Run(binder, explainer, number)
        if self.call.coverage is not None:
            self.run.watch = self.call.coverage.count

    def _at(self, key: str, message: str) -> None:
        assert self.header is not None
        place = self.header.places.get(key)
        where = (place.line, place.column, place.end_column) if place else (self.first_line, 1, 2)
        self._problem(*where, message, "")

    def _problem(self, line: int, column: int, end: int, message: str, hint: str) -> None:
        self.outcome.keep(Finding("LOG-HEADER", Severity.ERROR, line, column, end, message, hint=hint))

    def _uncounted(self) -> Finding:
        """What is said of the stray lines that are not told one by one."""
        count = self.stray - STRAY_LINES
        message = f"{count:,} further line{'s stand' if count > 1 else ' stands'} in no game"
        return Finding("LOG-HEADER", Severity.ERROR, self.beyond, 1, 2, message)

    def source_of(self, line: int, text: str) -> None:
        """Quote a header line in the findings that speak of it."""
        self.outcome.findings = [
            replace(one, source=text) if one.line == line and not one.source else one for one in self.outcome.findings
        ]

    def report(self, cut: str | None = None) -> GameReport:
        """The verdict, with the findings."""
        run, header = self.run, self.header
        findings, more, verdict, readings = list(self.outcome.findings), self.outcome.more, Verdict.LEGAL, {}
        if self.beyond:
            findings.append(self._uncounted())
        if findings or header is None or run is None:
            verdict = Verdict.MALFORMED
        if run is not None:
            findings += run.outcome.findings
            more += run.outcome.more
            readings = dict(self._excuse(run) or {}) if verdict is Verdict.LEGAL else {}
            judged = Verdict.READING_DEPENDENT if readings else run.outcome.worst
            if judged is Verdict.LEGAL and (not run.complete or cut or run.cut):
                judged = Verdict.INCOMPLETE
                if not run.cut:
                    findings.append(self._unfinished(run, cut))
            verdict = max(verdict, judged, key=lambda one: one.badness)
        if readings:
            findings = [_excused(finding, readings) for finding in findings]
        return replace(self.so_far(), verdict=verdict, findings=tuple(findings), more_findings=more, readings=readings)

    def so_far(self) -> GameReport:
        """What there is to say before the game is over; how findings weigh may change by its end."""
        run, header = self.run, self.header
        return GameReport(
            path=self.call.path,
            line=self.first_line,
            id=header.id if header else None,
            game=header.game if header else None,
            rules=self.rules if run else None,
            options=self.chosen,
            players=header.players if header else (),
            events=run.events if run else 0,
            verdict=run.outcome.worst if run else Verdict.INCOMPLETE,
            findings=tuple(self.outcome.findings + (run.outcome.findings if run else [])),
        )

    def _unfinished(self, run: Run, cut: str | None) -> Finding:
        line = max(run.last, self.first_line)
        if cut:
            return Finding("LOG-CUT", Severity.NOTE, line, 1, 2, f"the log is cut here: {cut}")
        stalled = run.binder.game.derived.get("stalled")
        if stalled is not None and run.binder.interpreter.value(stalled, run.state, {}):
            message = "the log stops where nobody need act: lawful so far, and stalled or only broken off"
            return Finding("LOG-STALLED", Severity.NOTE, line, 1, 2, message)
        return Finding("LOG-OPEN", Severity.NOTE, line, 1, 2, "the log stops before the game has come to its end")

    def _excuse(self, run: Run) -> Mapping[str, str] | None:
        """Options under which the whole game is legal, where it is not under those in force."""
        fault = run.outcome.first_fault
        if run.outcome.worst is not Verdict.VIOLATION or not run.memory.complete or fault is None:
            return None
        game, rules = run.binder.game, self.rules

        def trial(changes: Mapping[str, str]) -> Fault | None:
            binder = self.call.shelf.binder(game, game.bind(rules, {**self.chosen, **changes}))
            attempt = Run(binder, run.explainer, run.memory.first, trial=True)
            try:
                for lines, start, stop in run.memory.pieces:
                    attempt.feed(lines[start:stop])
            except FirstFaultError as found:
                return found.fault
            return None

        return Search(game, run.explainer.chosen, trial).find(fault)


def _excused(finding: Finding, readings: Mapping[str, str]) -> Finding:
    if finding.severity is not Severity.ERROR:
        return finding
    return replace(finding, severity=Severity.READING, readings=readings, hint="")


class LogCheck:
    """Checks the games of one log from its lines; reports come as games end."""

    def __init__(self, call: Call, first_line: int = 1) -> None:
        self.call = call
        self.number = first_line - 1
        self.game: GameUnderCheck | None = None
        self.in_header = False
        self.any = False
        self.headers: dict[int, str] = {}

    def take(self, lines: Sequence[str]) -> Iterator[GameReport]:
        """Take a block of lines; yields the reports of games that end in it."""
        position = 0
        if not any(lines):
            self.blank(len(lines))
            return
        while position < len(lines):
            if self.game is not None and not self.in_header and self.game.run is not None:
                next_position = self.game.run.feed(lines, position)
                self.number += next_position - position
                position = next_position
                if position >= len(lines):
                    return
            yield from self._one(lines[position])
            position += 1

    def blank(self, count: int) -> None:
        """Pass over so many empty lines."""
        self.number += count
        if self.game is not None and self.game.run is not None:
            self.game.run.pass_over(count)

    def _one(self, line: str) -> Iterator[GameReport]:
        """Take one line that is no event of the game in hand."""
        kind = Kind.UNREADABLE if isinstance(line, Unreadable) else classify(line)
        fields, error = None, None
        if kind is Kind.JSON:
            try:
                fields = load_object(line)
            except NotationError as found:
                fields, error = {}, found
        begins = (kind is Kind.HEADER and begins_game(line)) or (fields is not None and "gamelog" in fields)
        if begins:
            yield from self._close()
            self.game = GameUnderCheck(self.call, self.number + 1)
            self.in_header, self.headers = True, {}
        self.number += 1
        if kind is Kind.BLANK:
            return
        if kind is Kind.HEADER and (self.in_header or self.game is None):
            if self.game is None:
                self.game, self.in_header = GameUnderCheck(self.call, self.number), True
            self._header_line(line)
        elif fields is not None and begins:
            assert self.game is not None
            self.headers[self.number] = line
            self.game.builder.feed_object(self.number, line, fields)
        elif self.in_header:
            yield from self._first_event(line, error)
        else:
            self._stray(line, error)

    def _header_line(self, line: str) -> None:
        assert self.game is not None
        if len(self.headers) < HEADER_LINES:
            self.headers[self.number] = line
            self.game.take_header(self.number, line)
        elif not self.game.crowded:
            self.game.crowded = True
            message = f"a header has at most {HEADER_LINES} lines; what follows of this one is not read"
            self.game.outcome.findings.append(Finding("LOG-HEADER", Severity.ERROR, self.number, 1, 2, message))

    def _first_event(self, line: str, error: NotationError | None) -> Iterator[GameReport]:
        assert self.game is not None
        self._open(self.number)
        if self.game.run is not None:
            self.number -= 1
            yield from self.take([line])
        else:
            self._stray(line, error)

    def _open(self, number: int) -> None:
        assert self.game is not None
        self.in_header = False
        self.game.open(number)
        for line, text in self.headers.items():
            self.game.source_of(line, text)

    def _stray(self, line: str, error: NotationError | None) -> None:
        """Note a line outside any game that can be judged; ``error`` says why it is not the object it was to be."""
        if self.game is None:
            self.game = GameUnderCheck(self.call, self.number)
        game = self.game
        game.stray += 1
        if game.header is not None:
            return
        if game.stray > STRAY_LINES:
            game.beyond = game.beyond or self.number
            return
        if game.outcome.full:
            game.outcome.more += 1
            return
        place = (self.number, 1, max(len(line.rstrip()), 1) + 1)
        code, message, text, hint = (
            "LOG-HEADER",
            "this line stands in no game",
            line,
            "a game begins with `gamelog: 1` and `game: NAME`",
        )
        if isinstance(line, Unreadable):
            code, message, text, hint, place = "LOG-SYNTAX", line.reason, "", "", (self.number, 1, 2)
        elif error is not None:
            message, hint = error.message, error.hint
            place = (self.number, error.column + 1, error.end_column + 1)
        game.outcome.keep(Finding(code, Severity.ERROR, *place, message, text, hint=hint))

    def _close(self, cut: str | None = None) -> Iterator[GameReport]:
        if self.game is None:
            return
        if self.in_header:
            self._open(self.number + 1)
        self.any = True
        yield self.game.report(cut)
        self.game, self.in_header = None, False

    def begin(self) -> Run | None:
        """The header of the game in hand is over, though no event may have come; its run, where it can be judged."""
        if self.in_header:
            self._open(self.number + 1)
        return self.game.run if self.game is not None else None

    def finish(self, cut: str | None = None) -> Iterator[GameReport]:
        """The log ends here; ``cut`` says why, where it was cut off."""
        yield from self._close(cut)
        if not self.any and not cut:  # of a log that could not be read nothing is known
            finding = Finding("LOG-HEADER", Severity.ERROR, 1, 1, 2, "the log is empty: it holds no game")
            yield GameReport(
                *(self.call.path, 1, None, None, None, {}, (), 0, Verdict.MALFORMED, (finding,)),
            )


def check_source(
    path: str,
    *,
    rules: str | None = None,
    options: Mapping[str, str] | None = None,
    max_findings: int = 100,
    board: bool = False,
    coverage: Coverage | None = None,
) -> Iterator[GameReport]:
    """Judge every game of a log; reports come as games end, in their order. ``coverage`` counts what lines exercise.

    Raises:
        SourceError: the log cannot be read, perhaps after some reports.
    """
    check = LogCheck(Call(path, rules, dict(options or {}), max_findings, board, coverage))
    with open_log(path) as stream:
        try:
            for lines in blocks(stream):
                yield from check.take(lines)
        except SourceError as error:
            yield from check.finish(cut=error.message)
            raise
    yield from check.finish()
