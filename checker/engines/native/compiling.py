"""Compiling: from generated source to functions, by numba where it is installed, and kept under the source's digest.

Compiling takes seconds, so the machine code is kept in the user's cache folder, beside the source that it was made of.
Where the folder cannot be written it is made anew each time.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from fairdeal.checker.reading.tables import cache_folder

MOST_KEPT = 40
"""Sources that are kept; the longest unused go first."""

CALLED = ("expand", "normal", "refill", "successors")
"""The functions that are called from outside of the source; others need no way in."""

INSIDE = ", no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True"
"""How the others are compiled: into their callers, since a call passes each array in seven parts."""

Functions = dict[str, Callable[..., Any]]


def can_compile() -> bool:
    """Whether numba is installed; it is not imported for that."""
    return find_spec("numba") is not None


def functions(source: str, *, compiled: bool) -> Functions:
    """The functions that a source defines, compiled to machine code or as plain Python."""
    if not compiled:
        space: dict[str, Any] = {}
        exec(compile(source, "<native>", "exec"), space)
        return space
    text = "from numba import njit\n\n" + "".join(map(_decorated, source.splitlines(keepends=True)))
    path = _kept(text.replace("KEPT", "True"))
    if path is None:
        space = {}
        exec(compile(text.replace("KEPT", "False"), "<native>", "exec"), space)
        return space
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return vars(module)


def _decorated(line: str) -> str:
    """A line of the source; a function's first one with what has it compiled, for callers outside or inside alone."""
    if not line.startswith("def "):
        return line
    outside = line[4:].split("(", 1)[0] in CALLED
    return f"@njit(cache=KEPT{'' if outside else INSIDE})\n{line}"


def _kept(text: str) -> Path | None:
    """Where the source lies in the cache folder; ``None`` where it cannot be written."""
    folder = cache_folder() / "native"
    path = folder / f"fairdeal_{sha256(text.encode()).hexdigest()[:20]}.py"
    try:
        if path.exists() and path.read_text("utf-8") == text:
            return path
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_room(folder)
        handle, scratch = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(scratch, path)
    except (OSError, ValueError):
        return None
    return path


def _make_room(folder: Path) -> None:
    kept = sorted(folder.glob("fairdeal_*.py"), key=lambda one: one.stat().st_mtime)
    for old in kept[: max(0, len(kept) - MOST_KEPT + 1)]:
        for one in [old, *(folder / "__pycache__").glob(f"{old.stem}*")]:
            with suppress(OSError):
                one.unlink()
