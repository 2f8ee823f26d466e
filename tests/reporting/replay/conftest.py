"""A browser for the tests of the page. Where there is none they are skipped, and fail where one is required."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, sync_playwright

from fairdeal.checker.cli import cli

from tests.reporting.replay.browsing import chromium, start


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    path = chromium()
    if path is None:
        reason = "NO BROWSER, SO THE REPLAY PAGE IS NOT TESTED: install Chromium, or name one in FAIRDEAL_CHROMIUM"
        if os.environ.get("FAIRDEAL_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        found = start(playwright, path)
        yield found
        found.close()


@pytest.fixture
def replay(tmp_path: Path) -> Callable[..., Path]:
    """Writes the page of a log, of its path or its text."""

    def write(log: Path | str, *words: str) -> Path:
        if isinstance(log, str):
            text, log = log, tmp_path / "game.gamelog"
            log.write_text(text, encoding="utf-8")
        page = tmp_path / "page.html"
        result = CliRunner().invoke(cli, ["replay", str(log), "--output", str(page), *words])
        assert result.exit_code == 0, result.output
        return page

    return write
