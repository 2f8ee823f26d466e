"""Chromium for tests: where it is, how it is started, and pages of logs opened in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Playwright, Request

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

SETTINGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""The browser itself asks the network for nothing, so that whatever is asked for is asked for by the page."""


def chromium() -> str | None:
    """Path of a Chromium: of FAIRDEAL_CHROMIUM, or an installed one."""
    return os.environ.get("FAIRDEAL_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def start(playwright: Playwright, path: str) -> Browser:
    """A browser without a window. Its sandbox needs somebody who is not root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(executable_path=path, args=[*SETTINGS, *(["--no-sandbox"] if root else [])])


@dataclass
class Visit:
    """A page that is open, and what it has asked for and complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """Of these, what was let through and answered."""
    complaints: list[str] = field(default_factory=list)

    def line(self) -> str:
        """The line of the log that is shown."""
        return self.page.locator("#now .text").inner_text()

    def number(self) -> int:
        """The number of that line."""
        return int(self.page.locator("#now .number").inner_text().removeprefix("line "))

    def press(self, *keys: str) -> None:
        """Presses keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def steps(self) -> int:
        """The number of the last step."""
        return int(self.page.locator("#place").get_attribute("max") or 0)

    def zones(self) -> list[str]:
        """Every zone of the table in words, as a screen reader has them."""
        found: list[str] = self.page.eval_on_selector_all(".zone", "all => all.map(one => one.ariaLabel)")
        return found

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        found: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return found


@contextmanager
def visiting(
    browser: Browser, path: Path, *, width: int = 1400, height: int = 900, dark: bool = False, address: str = ""
) -> Iterator[Visit]:
    """Opens a page in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    visit = Visit(page)

    def asked(request: Request) -> None:
        visit.requests.append(request.url)

    def said(message: ConsoleMessage) -> None:
        visit.complaints.append(message.text)

    def failed(error: Error) -> None:
        visit.complaints.append(str(error))

    page.on("request", asked)
    page.on("response", lambda response: visit.answers.append(response.url))
    page.on("console", said)
    page.on("pageerror", failed)
    page.goto(path.as_uri() + address)
    try:
        yield visit
    finally:
        context.close()
