"""Progress on a terminal: games, events and rate, for runs that take more than a moment."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO, cast

from fairdeal.checker.reporting.terminal import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0
"""Seconds before anything is shown."""
INTERVAL = 0.2


class Progress:
    """A line on standard error that tells how far a run is; nothing where nobody watches it.

    A report that goes to a terminal shows by itself how far the run is, unless it is ``silent`` but for faults.
    """

    def __init__(self, out: TextIO, silent: bool) -> None:
        self.games = self.events = 0
        stderr = cast("TextIO | None", sys.stderr)
        self.watched = stderr is not None and is_terminal(stderr) and (silent or not is_terminal(out))
        self._shares = is_terminal(out)
        self._began = time.monotonic()
        self._next = self._began + PATIENCE
        self._bar: Bar | None = None

    def add(self, games: int, events: int) -> None:
        """Count, and show it now and then."""
        self.games += games
        self.events += events
        if self.watched and time.monotonic() >= self._next:
            self._show()

    def _show(self) -> None:
        now = time.monotonic()
        self._next = now + INTERVAL
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar
            from rich.progress import SpinnerColumn, TextColumn

            console = Console(stderr=True)
            self._bar = Bar(SpinnerColumn(), TextColumn("{task.description}"), console=console, transient=True)
            self._bar.add_task("")
            self._bar.start()
        rate = self.events / max(now - self._began, 0.001)
        told = f"{self.games:,} games, {self.events:,} events, {rate:,.0f} events/s"
        self._bar.update(self._bar.task_ids[0], description=told)

    def aside(self) -> None:
        """Make way for what is about to be written to the same terminal."""
        if self._shares:
            self.end()

    def end(self) -> None:
        """Take the line away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._next = time.monotonic() + PATIENCE
