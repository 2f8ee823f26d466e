"""What the tests of hostile input share: a way to call the command line, and a folder for its compiled rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from .running import Outcome, fairdeal


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of every call of a session."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def call(cache: Path) -> Callable[..., Outcome]:
    """Calls `fairdeal` in a process of its own."""
    return partial(fairdeal, cache=cache)
