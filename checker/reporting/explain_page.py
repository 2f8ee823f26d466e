"""A code explained: what the rules say, the options that bear on it, and a log that breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import fairdeal
from fairdeal import spec
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.judging.findings import options_in
from fairdeal.checker.reporting.reporter import Settings
from fairdeal.checker.reporting.rules_page import RulesPage
from fairdeal.checker.reporting.terminal import Paint, sentence, visible, wrap
from fairdeal.checker.reporting.text import render_finding
from fairdeal.checker.verdict import GameReport
from fairdeal.spec.catalogue import Catalogue
from fairdeal.spec.language import Game

FOLDERS = ("illegal", "open")
"""Folders of traces that are searched for an example, in this order."""


@dataclass(frozen=True, slots=True)
class ExplainPage:
    """Writes what there is to say on one code of a game's catalogue, at a width."""

    game: Game
    book: Catalogue
    paint: Paint
    width: int

    def lines(self, code: str) -> Iterator[str]:
        """Yields the page; ``KeyError`` if the catalogue has no such code."""
        yield from RulesPage(self.game, self.book, self.paint, self.width).entry(code)
        yield from self._options(code)
        found = example(code)
        if found is None:
            yield ""
            yield from wrap(sentence("No example of it is at hand."), self.width, "  ")
            return
        log, report = found
        yield ""
        yield self.paint("gutter", "Example")
        yield from wrap(sentence(_about(log)), self.width, "  ")
        yield ""
        settings = Settings(self.paint.on, self.width - 2)
        shown = render_finding(report.findings[0], report, settings)
        yield from (f"  {line}".rstrip() for line in shown.split("\n"))

    def _options(self, code: str) -> Iterator[str]:
        """Yields the options that conditions of this code read, but for those of its own that stand above."""
        guards = [guard for event in self.game.events.values() for guard in event.guards if guard.clause == code]
        names = sorted({name for guard in guards for name in options_in(guard.condition)})
        others = [self.game.options[name] for name in names if self.game.options[name].gap != code]
        if others:
            yield ""
            yield from wrap(sentence("Options that bear on it, each with its gap:"), self.width, "  ")
        for option in others:
            values = option.values or (f"{option.default}",)
            words = [f"{option.name}={visible(value)}{' (default)' * (value == option.default)}" for value in values]
            gap = f"  {option.gap}" if option.gap in self.book else ""
            yield from wrap([word + "," * (word != words[-1]) for word in words], self.width, "    ")
            if gap:
                yield f"    {gap.strip()}"


def example(code: str) -> tuple[Path, GameReport] | None:
    """A trace named after a code, with its verdict: the shortest in which the code comes first, else any with findings.

    The report has the trace's name for its path. ``None`` where there is no such trace.
    """
    second = None
    for log in _candidates(code):
        for report in check_source(str(log), max_findings=3):
            if not report.findings:
                continue
            found = (log, replace(report, path=log.name))
            if report.findings[0].code == code:
                return found
            second = second or found
    return second


def _candidates(code: str) -> Iterator[Path]:
    for traces in _places():
        for folder in FOLDERS:
            logs = (traces / folder).glob(f"{code.lower()}-*.gamelog")
            yield from sorted(logs, key=lambda log: (b"?" in log.read_bytes(), log.stat().st_size, log.name))


def _places() -> Iterator[Path]:
    """Where traces may lie: installed beside the other packages, or in the checkout that is run from."""
    yield from (Path(place) / "traces" for place in fairdeal.__path__)
    yield Path(spec.__file__).resolve().parent.parent / "traces"


def _about(log: Path) -> str:
    """The sentence that a trace opens with."""
    first = log.read_text(encoding="utf-8-sig").splitlines()[0]
    return first.removeprefix("#").strip()
