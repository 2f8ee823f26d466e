"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("fairdeal", deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A machine that is slow for a moment, while other tests run beside, is no fault of what is tested."""


def pytest_configure() -> None:
    """Give Ctrl-C its usual meaning: a shell has it ignored in what it starts with ``&``, and processes inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("fairdeal")
