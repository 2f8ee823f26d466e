"""The tally of ``--summary``: games by file, findings by code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fairdeal.checker.reporting.terminal import columns, visible, visible_path
from fairdeal.checker.verdict import GameReport, Verdict

MOST_FILES = 10_000
"""Files that are listed; the games of further ones are counted in the verdicts alone."""


@dataclass(slots=True)
class CodeTally:
    """How often a code was found, follow-ons left out."""

    findings: int = 0
    games: int = 0


@dataclass(slots=True)
class FileTally:
    """The games of one file."""

    games: int = 0
    failing: int = 0
    worst: Verdict = Verdict.LEGAL


@dataclass(slots=True)
class Tally:
    """Counts over all games so far."""

    codes: dict[str, CodeTally] = field(default_factory=dict)
    files: dict[str, FileTally] = field(default_factory=dict)
    more_files: int = 0
    _last: str = ""

    def add(self, report: GameReport, failing: bool) -> None:
        """Counts one more game."""
        own = [finding.code for finding in report.findings if finding.follows_from is None]
        for code in own:
            self.codes.setdefault(code, CodeTally()).findings += 1
        for code in set(own):
            self.codes[code].games += 1
        if report.path not in self.files and len(self.files) >= MOST_FILES:
            self.more_files += report.path != self._last
            self._last = report.path
            return
        file = self.files.setdefault(report.path, FileTally())
        file.games += 1
        file.failing += failing
        file.worst = max(file.worst, report.verdict, key=lambda verdict: verdict.badness)

    def lines(self, width: int = 80) -> Iterator[str]:
        """Yields the tally for people: codes by how many games have them, then the files with more than legal games.

        Where a file's path is too long to stand beside its counts, it stands below them: it is never broken.
        """
        if self.codes:
            yield ""
            yield f"{'code':24}{'games':>10}{'findings':>12}"
            for code, each in sorted(self.codes.items(), key=lambda pair: (-pair[1].games, pair[0])):
                yield f"{visible(code):24}{each.games:>10,}{each.findings:>12,}"
        listed = {path: file for path, file in self.files.items() if file.worst is not Verdict.LEGAL}
        yield ""
        if listed:
            yield f"{'worst verdict':18}{'games':>9}{'failing':>9}  file"
        for path, file in listed.items():
            counts, name = f"{file.worst.value:18}{file.games:>9,}{file.failing:>9,}", visible_path(path)
            if len(counts) + 2 + columns(name) <= width:
                yield f"{counts}  {name}"
            else:
                yield counts
                yield f"  {name}"
        legal = len(self.files) - len(listed)
        if legal:
            yield f"{legal:,} {'file' if legal == 1 else 'files'} of legal games alone"
        if self.more_files:
            yield f"{self.more_files:,} more files, whose games are counted above"
