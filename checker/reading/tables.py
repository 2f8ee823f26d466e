"""Tables of forms, built from the grammars once and kept in the user's cache folder.

The cache holds plain JSON and, beside each table, the grammars that it was built from: it is used only while they are
the same, and a second start needs no Lark. Where it cannot be read or written, the table is built anew and nothing is
said.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Final

from fairdeal import grammar
from fairdeal.checker.reading.forms import Argument, Constant, Form, Keyword, Part, Table, derive

FORMAT: Final = 1
"""Number of the cache file's format; to be raised when forms change."""


@cache
def table(name: str) -> Table:
    """The table of a game's grammar, or of ``common``: header lines, numbers and times."""
    path = cache_folder() / f"notation-{name}.json"
    built_from = [str(FORMAT), grammar.source(grammar.COMMON), grammar.source(name)]
    kept = _read(path, built_from)
    if kept is None:
        kept = derive(grammar.load(name, *(("prefix", "header") if name == grammar.COMMON else ())))
        _write(path, kept, built_from)
    return kept


def cache_folder() -> Path:
    """Where caches are kept: ``fairdeal`` in ``XDG_CACHE_HOME`` or ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base if base else os.path.expanduser("~/.cache")) / "fairdeal"


def _read(path: Path, built_from: list[str]) -> Table | None:
    try:
        plain = json.loads(path.read_text("utf-8"))
        return _from_plain(plain) if plain["built_from"] == built_from else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _write(path: Path, kept: Table, built_from: list[str]) -> None:
    import tempfile  # slow to import, and needed once

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent)
        with open(handle, "w", encoding="utf-8") as file:
            json.dump({"built_from": built_from, **_to_plain(kept)}, file)
        os.replace(scratch, path)
    except OSError:
        return


def _to_plain(kept: Table) -> dict[str, Any]:
    return {
        "terminals": dict(kept.terminals),
        "reasons": kept.reasons,
        "forms": [[form.name, form.origin, list(map(_plain_part, form.parts))] for form in kept.forms],
    }


def _plain_part(part: Part) -> list[Any]:
    match part:
        case Keyword(text):
            return ["keyword", text]
        case Argument(name, key, pieces):
            return ["argument", name, key, pieces]
        case Constant(name, key, value, text):
            return ["constant", name, key, value, text]


def _from_plain(plain: dict[str, Any]) -> Table:
    forms = (Form(name, origin, tuple(map(_part, parts))) for name, origin, parts in plain["forms"])
    return Table(tuple(forms), dict(plain["terminals"]), tuple(plain["reasons"]))


def _part(plain: list[Any]) -> Part:
    match plain:
        case ["keyword", text]:
            return Keyword(text)
        case ["argument", name, key, pieces]:
            return Argument(name, key, tuple(pieces))
        case ["constant", name, key, value, text]:
            return Constant(name, key, value, text)
    raise ValueError(f"no part of a form: {plain!r}")
