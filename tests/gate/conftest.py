"""Logs that tests of archives share."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
import zstandard

from fairdeal.checker.generating import generate

from .archives import mixed


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("logs")
    data = mixed()
    made = {
        "plain": (folder / "a.gamelog", data),
        "gz": (folder / "b.gamelog.gz", gzip.compress(data)),
        "zst": (folder / "c.gamelog.zst", zstandard.compress(data)),
        "cut": (folder / "d.gamelog.gz", gzip.compress(data)[: len(gzip.compress(data)) // 2]),
        "empty": (folder / "e.gamelog", b""),
        "binary": (folder / "f.gamelog", random.Random(5).randbytes(30_000)),
    }
    for path, content in made.values():
        path.write_bytes(content)
    return {name: path for name, (path, _) in made.items()}


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A log of many segments."""
    path = tmp_path / "big.gamelog"
    path.write_text("".join(generate("spit", games=12, seed=9)) * 12)
    return path
