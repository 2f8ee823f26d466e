"""What is done with the rules and the notation: reading, judging, generating and reporting games.

From Python: `check`, `check_text`, `Session` and `report_text`, and the records that they give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairdeal.checker.api import (
        Finding,
        GameReport,
        LegalEvent,
        OptionError,
        Related,
        Session,
        Severity,
        SourceError,
        UnknownGame,
        Verdict,
        check,
        check_text,
        report_text,
    )

__all__ = [
    "check",
    "check_text",
    "Session",
    "report_text",
    "GameReport",
    "Finding",
    "Related",
    "LegalEvent",
    "Verdict",
    "Severity",
    "SourceError",
    "OptionError",
    "UnknownGame",
]


def __getattr__(name: str) -> object:
    # The command line imports this package too, and start-up counts.
    if name in __all__:
        from fairdeal.checker import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
