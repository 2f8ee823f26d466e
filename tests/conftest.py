"""What holds for all tests."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Give Ctrl-C its usual meaning: a shell has it ignored in what it starts with ``&``, and processes inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
