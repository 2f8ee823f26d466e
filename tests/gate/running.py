"""Other people's surroundings: pytest in a project of its own, and the blocks of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that imports what this one does."""
    path = os.pathsep.join(each for each in sys.path if each)
    env = {**os.environ, "PYTHONPATH": path, "COLUMNS": "72", **more}
    for name in [one for one in env if one.startswith("PYTEST_") or one in ("FORCE_COLOR", "NO_COLOR")]:
        del env[name]
    return env


def python(*words: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest in a folder as a project that has only fairdeal's plugin would."""
    command = [sys.executable, "-m", "pytest", "-p", "fairdeal.checker.pytest_plugin", "-p", "no:cacheprovider", *words]
    env = environment() | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def blocks(language: str, chapter: str) -> list[str]:
    """The code blocks of one language in a chapter of the README."""
    text = re.split(r"^## ", README, flags=re.MULTILINE)
    (found,) = [part for part in text if part.startswith(f"{chapter}\n")]
    pairs = re.findall(r"^```(\w*)\n(.*?)^```$", found, re.DOTALL | re.MULTILINE)
    return [block for name, block in pairs if name == language]
