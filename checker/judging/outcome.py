"""The outcome of a game so far: its findings up to a limit, the first fault, and the verdict that they amount to."""

from __future__ import annotations

from fairdeal.checker.judging.findings import Fault
from fairdeal.checker.verdict import Finding, Severity, Verdict


class FirstFaultError(Exception):
    """Raised by a trial run at the first line that breaks a rule."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class Outcome:
    """Takes findings as they come; beyond ``limit`` they are only counted."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.findings: list[Finding] = []
        self.more = 0
        """Findings beyond the limit."""
        self.worst = Verdict.LEGAL
        self.unknown = 0
        """Findings that leave the verdict open."""
        self.answers: list[Finding] = []
        """Findings that have taken the place of earlier ones."""
        self.first_fault: Fault | None = None
        self.faults = 0

    @property
    def full(self) -> bool:
        """Whether further findings are only counted, so that none need be put into words."""
        return len(self.findings) >= self.limit

    def keep(self, finding: Finding) -> None:
        """Keep a finding, or count it beyond the limit; the verdict stays as it is."""
        if self.full:
            self.more += 1
        else:
            self.findings.append(finding)

    def weigh(self, severity: Severity) -> None:
        """Let the verdict be no better than a finding of this severity has it."""
        verdict = {Severity.ERROR: Verdict.VIOLATION, Severity.UNKNOWN: Verdict.UNKNOWN}.get(severity, Verdict.LEGAL)
        self.unknown += severity is Severity.UNKNOWN
        if verdict.badness > self.worst.badness:
            self.worst = verdict

    def answer(self, old: Finding | None, new: Finding | None, severity: Severity) -> None:
        """Put a finding in the place of one that left the verdict open; of one not kept, the verdict alone counts."""
        self.unknown -= 1
        if self.worst is Verdict.UNKNOWN and not self.unknown:
            self.worst = Verdict.LEGAL
        self.weigh(severity)
        at = next((at for at, one in enumerate(self.findings) if one is old), None)
        if at is not None and new is not None:
            self.findings[at] = new
            self.answers.append(new)

    def count(self, fault: Fault) -> None:
        """Count a fault; only the first is kept, for each holds its whole line."""
        self.first_fault = self.first_fault or fault
        self.faults += 1
