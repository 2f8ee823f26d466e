"""Runs the command line on the fake engine, in this process or in one of its own."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairdeal.checker.cli import cli
from fairdeal.spec import catalogue

FAKE = Path(__file__).with_name("fake_engine.py")


@pytest.fixture
def fairdeal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    """Calls `fairdeal` with words and perhaps standard input."""
    fake = runpy.run_path(str(FAKE))
    for name, module in fake["modules"]().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(catalogue, "FOLDER", fake["CLAUSES"])
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "FAIRDEAL_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    catalogue.catalogue.cache_clear()
    catalogue.log_codes.cache_clear()

    def call(*words: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(cli, words, input=stdin, prog_name="fairdeal")

    yield call
    catalogue.catalogue.cache_clear()
    catalogue.log_codes.cache_clear()


@pytest.fixture
def process() -> tuple[list[str], dict[str, str]]:
    """The words and the environment that start `fairdeal` on the fake engine in a process of its own."""
    paths = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "80"}
    for name in ("PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "FAIRDEAL_DEBUG"):
        env.pop(name, None)
    return [sys.executable, str(FAKE)], env


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a log of orders to the fake engine, in a folder of its own that is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, *orders: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{order}\n" for order in orders))
        return name

    return write
