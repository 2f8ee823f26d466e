"""Findings as a good compiler prints them, one closing line a game, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise
from typing import Any, TextIO

from fairdeal.checker.reporting.reporter import Settings, Summary
from fairdeal.checker.reporting.snippet import Mark, bar, underlined
from fairdeal.checker.reporting.terminal import (
    WIDEST_PROSE,
    Paint,
    clipped,
    columns,
    sentence,
    visible,
    visible_path,
    wrap,
)
from fairdeal.checker.verdict import Finding, GameReport, Related, Severity, Verdict

LEGAL_SHOWN = 3
_LONGEST_MESSAGE = 600
_LONGEST_ID = 40
_NAMES = {
    Severity.ERROR: ("error", "errors"),
    Severity.READING: ("reading", "readings"),
    Severity.UNKNOWN: ("unknown", "unknowns"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.NOTE: ("note", "notes"),
}


class TextReporter:
    """Writes for people: on a terminal, in a build's log, in a mail."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings
        self._dense = False
        self._written = 0
        """Findings of the game in hand that have been written before its end."""

    def begin(self) -> None:
        """Writes nothing: the first game is the first thing to read."""

    def game(self, report: GameReport) -> None:
        """Writes a game's findings and its closing line; under ``quiet`` legal games are passed over."""
        if self._settings.quiet and (report.verdict is Verdict.LEGAL or report.excused):
            return
        if self._dense and report.findings and not self._written:
            self._out.write("\n")
        lines = render_game(report, self._settings, self._written)
        self._out.writelines(f"{line}\n" for line in lines)
        self._dense, self._written = not report.findings, 0

    def live(self, report: GameReport, start: int, answers: Sequence[Finding] = ()) -> None:
        """Writes findings of a game that is not over; those that may only follow from others are counted at its end."""
        if self._dense:
            self._out.write("\n")
        self._dense, self._written = False, len(report.findings)
        page = _Page(report, self._settings, Paint(self._settings.color), _codes(report.findings[:start]))
        for finding in (*answers, *report.findings[start:]):
            if finding.follows_from is None or self._settings.show_all:
                self._out.writelines(f"{line}\n" for line in [*page.finding(finding, 0), ""])

    def end(self, summary: Summary) -> None:
        """Writes the summary, unless the call wants to be told of faults only."""
        if not self._settings.quiet:
            self._out.write(f"{_summary(summary, self._settings)}\n")
        self._out.writelines(f"{line}\n" for line in tables(summary, self._settings.width))

    def kept(self) -> dict[str, Any]:
        """Remembers whether the last game took one line."""
        return {"dense": self._dense}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""
        self._dense = bool(kept["dense"])


class CountsReporter:
    """Writes nothing of the games but what they add up to."""

    def __init__(self, out: TextIO, settings: Settings) -> None:
        self._out = out
        self._settings = settings

    def begin(self) -> None:
        """Writes nothing."""

    def game(self, report: GameReport) -> None:
        """Writes nothing."""

    def end(self, summary: Summary) -> None:
        """Writes the counts."""
        self._out.write(f"{_summary(summary, self._settings)}\n")
        self._out.writelines(f"{line}\n" for line in tables(summary, self._settings.width))

    def kept(self) -> dict[str, Any]:
        """Remembers nothing."""
        return {}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Goes on."""


def _summary(summary: Summary, settings: Settings) -> str:
    return render_summary(summary, Paint(settings.color), min(settings.width, WIDEST_PROSE))


def tables(summary: Summary, width: int) -> Iterator[str]:
    """Yields the tally and the coverage, as far as the call asked for them."""
    if summary.tally is not None:
        yield from summary.tally.lines(width)
    if summary.coverage is not None:
        from fairdeal.checker.reporting.coverage_page import coverage_lines

        yield from coverage_lines(summary.coverage)


def render_game(report: GameReport, settings: Settings, written: int = 0) -> Iterator[str]:
    """Yields the lines of one game: its findings, an empty line after each, and the closing line.

    So many of its findings, ``written``, stand above already.
    """
    page = _Page(report, settings, Paint(settings.color), _codes(report.findings[:written]))
    shown, folded = (report.findings, {}) if settings.show_all else fold(report.findings)
    above = report.findings[:written]
    shown = [finding for finding in shown if finding not in above] if written else shown
    last = {finding.line: number for number, finding in enumerate(shown)}
    for number, finding in enumerate(shown):
        hidden = folded.get(finding.line, 0) if last[finding.line] == number else 0
        yield from page.finding(finding, hidden)
        yield ""
    yield from page.closing()
    if shown:
        yield ""


def render_finding(finding: Finding, report: GameReport, settings: Settings) -> str:
    """Renders one finding of a game by itself."""
    page = _Page(report, settings, Paint(settings.color))
    return "\n".join(page.finding(finding, 0))


def _codes(findings: Iterable[Finding]) -> set[str]:
    return {finding.code for finding in findings if finding.follows_from is None}


def fold(findings: Iterable[Finding]) -> tuple[list[Finding], dict[int, int]]:
    """Parts the findings that stand for themselves from those that follow, counted by their source's line.

    A finding that follows from one that itself follows counts for the first in the chain. One whose
    source is not among the findings stands for itself.
    """
    all_findings = list(findings)
    roots = {finding.line for finding in all_findings if finding.follows_from is None}
    sources = {finding.line: finding.follows_from for finding in all_findings if finding.line not in roots}
    shown, folded = [], Counter[int]()
    for finding in all_findings:
        root = _root(finding.follows_from, sources)
        if root in roots:
            folded[root] += 1
        else:
            shown.append(finding)
    return shown, dict(folded)


def _root(line: int | None, sources: Mapping[int, int | None]) -> int:
    while line is not None and (earlier := sources.get(line)) is not None and earlier < line:
        line = earlier
    return line or 0


def render_summary(summary: Summary, paint: Paint, width: int | None = None) -> str:
    """Renders the closing summary: games by verdict, events, and what could not be read; in lines of that width."""
    verdicts = [(f"{summary.verdicts[one]} {one.value}", one.value) for one in Verdict if summary.verdicts[one]]
    games = _count(summary.games, "game", "games") if summary.games else "no games"
    parts = [[(games, "bold"), *verdicts]]
    if summary.games:
        parts.append([(_count(summary.events, "event", "events"), "")])
    if summary.known:
        parts.append([(_count(summary.known, "known finding", "known findings"), "")])
    if summary.unmet:
        parts.append([(f"{summary.unmet} of the baseline not met", "")])
    if summary.unread:
        parts.append([(f"{_count(len(summary.unread), 'source', 'sources')} not checked", "error")])
    words = [f"{text}{':,'[number > 0]}" for part in parts for number, (text, _) in enumerate(part)]
    ends = list(accumulate(map(len, parts)))
    for end in ends:
        words[end - 1] = words[end - 1][:-1] + ";" * (end < ends[-1])
    if summary.seconds is not None:
        words.append(f"in {summary.seconds:.2f} s")
    text = "\n".join(wrap(words, width, "", "  ")) if width is not None else " ".join(words)
    shown, end = "", 0
    for word, style in (each for part in parts for each in part):
        start = text.index(word, end)
        shown += text[end:start] + (paint(style, word) if style else word)
        end = start + len(word)
    return shown + text[end:]


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


@dataclass(frozen=True, slots=True)
class _Page:
    """Renders what belongs to one game."""

    report: GameReport
    settings: Settings
    paint: Paint
    explained: set[str] = field(default_factory=set)
    """Codes whose clause has been said: a game that breaks one clause thirty times need not hear it as often."""

    @property
    def prose(self) -> int:
        """Columns that sentences may take; lines of the log may take the whole terminal."""
        return min(self.settings.width, WIDEST_PROSE)

    def finding(self, finding: Finding, folded: int) -> Iterator[str]:
        """Yields the lines of one finding and of those that are folded into it."""
        gutter = len(str(max([finding.line, *(each.line for each in finding.related)])))
        yield from self.headline(finding)
        place = f"{self.path}:{finding.line}:{finding.column}"
        yield f"{' ' * gutter}{self.paint('gutter', '-->')} {place}"
        yield from self.snippets(finding, gutter)
        yield from self.remarks(finding, folded, gutter)
        if finding.board:
            yield from self.board(finding, gutter)

    @property
    def path(self) -> str:
        """The log's path, safe to show."""
        return visible_path(self.report.path)

    def headline(self, finding: Finding) -> Iterator[str]:
        """Yields the severity, the code and the sentence."""
        severity = finding.severity.value
        label = f"{severity}[{visible(finding.code)}]"
        lines = wrap(sentence(clipped(finding.message, _LONGEST_MESSAGE)), self.prose, f"{label}: ", "    ")
        yield self.paint(severity, label) + self.paint("bold", lines[0].removeprefix(label))
        for line in lines[1:]:
            yield self.paint("bold", line)

    def snippets(self, finding: Finding, gutter: int) -> Iterator[str]:
        """Yields the lines of the log that have to do with a finding, in their order, marked."""
        lines = _marked_lines(finding)
        if not lines:
            return
        yield bar(gutter, self.paint)
        numbers = sorted(lines)
        for number, following in pairwise([*numbers, None]):
            assert number is not None
            source, marks = lines[number]
            yield from underlined(number, source, marks, gutter, self.settings.width, self.paint)
            if following is not None and following > number + 1:
                yield self.paint("gutter", "...")
        yield bar(gutter, self.paint)

    def remarks(self, finding: Finding, folded: int, gutter: int) -> Iterator[str]:
        """Yields what there is to say beside the lines, one remark after another."""
        statement = self.settings.statement(self.report, finding.code)
        if statement not in self.explained:
            self.explained.add(statement)
            yield from self.remark("clause", sentence(statement), gutter)
        yield from self.remark("also breaks", _listed(finding.also), gutter)
        for related in finding.related:
            if not _source(finding, related):
                yield from self.remark(f"line {related.line}", sentence(related.message), gutter)
        yield from self.remark("legal instead", _legal(finding), gutter)
        yield from self.remark("reading", _reading(finding), gutter)
        yield from self.remark("hint", sentence(clipped(finding.hint, _LONGEST_MESSAGE)), gutter)
        yield from self.remark("", _follows(finding, folded), gutter)

    def remark(self, name: str, words: list[str], gutter: int) -> Iterator[str]:
        """Yields one remark, or nothing if it has no words."""
        if not any(words):
            return
        label = f"{' ' * gutter} = {name}:" if name else f"{' ' * gutter} ="
        lines = wrap(words, self.prose, f"{label} ", " " * min(len(label) + 1, self.prose // 3))
        edge = gutter + len(" =")
        yield self.paint("gutter", label[:edge]) + self.paint("bold", label[edge:]) + lines[0][len(label) :]
        yield from lines[1:]

    def board(self, finding: Finding, gutter: int) -> Iterator[str]:
        """Yields the drawing of the table just before the line at fault."""
        from fairdeal.checker.reporting.tabletop import tabletop  # of a report without boards, nothing to load

        yield from self.remark("board", sentence(f"just before line {finding.line}"), gutter)
        for line in tabletop(finding.board, self.paint, self.settings.signs, self.prose - gutter - len(" | ")):
            yield f"{bar(gutter, self.paint)} {line}".rstrip()

    def closing(self) -> Iterator[str]:
        """Yields the game's last line, and the readings that would make all of it legal.

        A path is never broken, so that it can be copied: where it leaves no room, the verdict stands below it.
        """
        report = self.report
        place = f"{self.path}:{report.line}"
        if report.id:
            place += f" {visible(clipped(report.id, _LONGEST_ID))}"
        verdict = report.verdict.value
        told = _listed([verdict, _count(report.events, "event", "events"), *_kinds(report)])
        line = f"{place}: {' '.join(told)}"
        if columns(line) <= self.settings.width:
            below: list[str] = []
            beside = line.removeprefix(place)
        else:
            beside, *below = [":", *wrap(told, self.settings.width, "    ")]
        colored = self.paint(verdict, verdict)
        yield self.paint("bold", place) + (beside if below else beside.replace(verdict, colored, 1))
        yield from (each.replace(verdict, colored, not number) for number, each in enumerate(below))
        if report.readings:
            words = [*sentence("legal as a whole under"), *_listed(_assignments(report.readings))]
            yield from wrap(words, self.prose, "  ")


def _marked_lines(finding: Finding) -> dict[int, tuple[str, list[Mark]]]:
    lines: dict[int, tuple[str, list[Mark]]] = {}
    if finding.source:
        mark = Mark(finding.column, finding.end_column, finding.severity.value)
        lines[finding.line] = (finding.source, [mark])
    for related in finding.related:
        if source := _source(finding, related):
            lines.setdefault(related.line, (source, []))[1].append(_aside(related, source))
    return lines


def _source(finding: Finding, related: Related) -> str:
    return related.source or (finding.source if related.line == finding.line else "")


def _aside(related: Related, source: str) -> Mark:
    column, end_column = related.column, related.end_column
    if end_column <= column:  # no place in the line was given: all of it
        column, end_column = len(source) - len(source.lstrip()) + 1, len(source.rstrip()) + 1
    return Mark(column, end_column, "aside", "-", clipped(related.message, _LONGEST_MESSAGE))


def _listed(items: Iterable[str]) -> list[str]:
    """Words for a list whose items are not broken at the end of a line."""
    kept = list(items)
    return [f"{item}," for item in kept[:-1]] + kept[-1:]


def legal_instead(finding: Finding) -> list[str]:
    """Some of the events that were lawful in place of the line, and how many more there are."""
    events = list(finding.legal[:LEGAL_SHOWN])
    more = max(finding.legal_total, len(finding.legal)) - len(events)
    return [*events, f"and {more} more"] if events and more else events


def _legal(finding: Finding) -> list[str]:
    return list(chain.from_iterable(_unbroken(each) for each in _listed(legal_instead(finding))))


def _unbroken(event: str) -> list[str]:
    """An event as one word; a long one, such as a deal, may be broken."""
    return [event] if len(event) <= WIDEST_PROSE // 2 else event.split()


def _assignments(readings: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in readings.items()]


def _reading(finding: Finding) -> list[str]:
    if not finding.readings:
        return []
    return [
        *_listed(_assignments(finding.readings)),
        *sentence("would make the refusal right" if finding.code == "LOG-REFUSED" else "would allow it"),
    ]


def _follows(finding: Finding, folded: int) -> list[str]:
    if finding.follows_from is not None:
        return sentence(f"may only follow from line {finding.follows_from}")
    if not folded:
        return []
    findings = _count(folded, "more finding", "more findings")
    return sentence(f"{findings} that may only follow from line {finding.line}; --all shows them")


def _kinds(report: GameReport) -> list[str]:
    own = Counter(each.severity for each in report.findings if each.follows_from is None)
    follow = sum(each.follows_from is not None for each in report.findings)
    kinds = [_count(own[severity], *names) for severity, names in _NAMES.items() if own[severity]]
    if follow:
        kinds.append(_count(follow, "follow-on", "follow-ons"))
    if report.known:
        kinds.append(f"{report.known} known")
    if report.more_findings:
        kinds.append(f"{report.more_findings} beyond --max-findings")
    return kinds
