"""The project with one line of its rules changed: a copy of `spec/`, and `prove` run on it as anybody would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import fairdeal.checker
import fairdeal.grammar
import fairdeal.spec


@dataclass(frozen=True)
class Altered:
    """A folder from which the altered project is imported."""

    folder: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`fairdeal` with these words."""
        env = {**os.environ, "PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        call = [sys.executable, "-m", "fairdeal.checker", *words]
        return subprocess.run(call, cwd=self.folder, env=env, capture_output=True, text=True, check=False)

    def prove(self, game: str, *names: str) -> tuple[int, list[dict[str, Any]]]:
        """The exit code of `prove`, and its results."""
        done = self.run("prove", game, *names, "--format", "json")
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)["results"]


def altered(folder: Path, module: str, old: str, new: str) -> Altered:
    """The project with ``old``, which stands once in a module of `spec/`, replaced by ``new``."""
    package = folder / "fairdeal"
    package.mkdir(parents=True)
    copytree(_place(fairdeal.spec), package / "spec", ignore=lambda *_: ["__pycache__"])
    for part in (fairdeal.checker, fairdeal.grammar):
        (package / part.__name__.split(".")[-1]).symlink_to(_place(part))
    path = package / "spec" / module
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {module}"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return Altered(folder)


def _place(package: Any) -> Path:
    return Path(package.__path__[0]).resolve()
