"""Compiled code that is kept between processes, so that a short check does not pay for compiling.

It lies in the user's cache folder, under the digest of the recorded rules and of the Python that compiled it. Where the
folder cannot be read or written, code is compiled anew and nobody is told: it is the same code.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

from fairdeal.checker.reading.tables import cache_folder
from fairdeal.spec.language.game import Game

MOST_KEPT = 500
"""Pieces of code that one file holds; logs with rare options do not make it grow without end."""

GENERATOR = 10
"""Goes up when the same rules are translated to other source."""


class CompiledCode:
    """The kept code of one game by key, with the tables that it reads; written back when the process ends."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.code: dict[str, CodeType] = {}
        self.tables: dict[str, Any] = {}
        self._grown = False
        if path is not None:
            self._load(path)
            atexit.register(self.save)

    @staticmethod
    def of(game: Game) -> CompiledCode:
        """The code kept for a game in this version, by this Python."""
        maker = sha256(f"{sys.version} {GENERATOR} {game.version}".encode()).hexdigest()[:16]
        return CompiledCode(cache_folder() / f"steps-{game.name}-{maker}.bin")

    def _load(self, path: Path) -> None:
        with suppress(OSError, ValueError, EOFError, TypeError, KeyError):
            kept = marshal.loads(path.read_bytes())
            code, tables = dict(kept["code"]), dict(kept["tables"])
            if all(isinstance(one, CodeType) for one in code.values()):
                self.code, self.tables = code, tables

    def add(self, key: str, code: CodeType, tables: Mapping[str, Any]) -> None:
        """Keep a piece of code."""
        if len(self.code) < MOST_KEPT:
            self.code[key] = code
            self.tables.update(tables)
            self._grown = True

    def lacks(self, key: str) -> bool:
        """Whether a piece of code is not kept, and there is room for it."""
        return key not in self.code and len(self.code) < MOST_KEPT

    def save(self) -> None:
        """Write what is new; a reader never sees half a file."""
        if not self._grown or self.path is None:
            return
        self._grown = False
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            content = marshal.dumps({"code": self.code, "tables": self.tables})
            handle, name = tempfile.mkstemp(dir=self.path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(name, self.path)
