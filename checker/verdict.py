"""What judging a game yields: findings, each with its place, and one verdict a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Severity(Enum):
    """How much a finding weighs; ERROR, UNKNOWN and READING decide verdicts, the others do not."""

    ERROR = "error"
    """The line breaks a clause under every reading in reach."""
    READING = "reading"
    """The line breaks the readings in force; a named one would allow it."""
    UNKNOWN = "unknown"
    """Cards or lines that were not recorded leave it open."""
    WARNING = "warning"
    """Lawful, and yet worth a look."""
    NOTE = "note"
    """Said for the reader's sake."""


class Verdict(Enum):
    """The verdict on one game, from best to worst."""

    LEGAL = "legal"
    INCOMPLETE = "incomplete"
    READING_DEPENDENT = "reading-dependent"
    UNKNOWN = "unknown"
    VIOLATION = "violation"
    MALFORMED = "malformed"

    @property
    def badness(self) -> int:
        """Position from best (0) to worst."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Related:
    """A line elsewhere in the log that a finding clashes with."""

    line: int
    message: str
    source: str = ""
    column: int = 1
    end_column: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a log; lines and columns count from 1, ``end_column`` is exclusive."""

    code: str
    severity: Severity
    line: int
    column: int
    end_column: int
    message: str
    source: str = ""
    """The log's line as it stands, without its line end."""
    also: tuple[str, ...] = ()
    """Codes of further clauses that the same line breaks."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """Options and the values under which the line would be lawful."""
    hint: str = ""
    """What would help: a nearest word, a published reading that allows it."""
    follows_from: int | None = None
    """Line of the earlier finding that this one may only follow from."""
    related: tuple[Related, ...] = ()
    legal: tuple[str, ...] = ()
    """Events, as the notation writes them, that were lawful instead."""
    legal_total: int = 0
    """How many there were, where ``legal`` holds only the first of them."""
    board: str = ""
    """The table just before the line, drawn as text; empty unless asked for."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """The verdict on one game of a log, with what was found."""

    path: str
    line: int
    """Line on which the game begins."""
    id: str | None
    game: str | None
    rules: str | None
    options: Mapping[str, str]
    """Options that the log's header or the call chose, beyond the named set."""
    players: tuple[str, ...]
    events: int
    verdict: Verdict
    findings: tuple[Finding, ...]
    """At most as many as the call's limit."""
    more_findings: int = 0
    """Findings beyond that limit."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """Where the verdict is reading-dependent: the options that make the whole game legal."""
    known: int = 0
    """Findings that are left out because the call's baseline lists them."""
    excused: bool = False
    """The game passes whatever its verdict, since everything that decides it is known."""
