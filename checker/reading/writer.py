"""Writing the head of a gamelog, as text or as a JSON line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from fairdeal.checker.reading.header import STANDARD, VERSION


class Fields(TypedDict, total=False):
    """What a header may say beside the game; what is not given, or as usual, is not written."""

    rules: str
    options: Mapping[str, str]
    players: Sequence[str]
    id: str
    date: str
    source: str
    extra: Mapping[str, str]
    """Keys that begin with ``x-``."""


def write_header(game: str, **fields: Unpack[Fields]) -> list[str]:
    """The lines of a header, without the blank one that usually follows."""
    values = {
        **header_object(game, **fields),
        "options": ", ".join(f"{name}={value}" for name, value in fields.get("options", {}).items()),
        "players": ", ".join(fields.get("players", ())),
    }
    return [f"{key}: {_one_line(value)}" for key, value in values.items() if value]


def header_object(game: str, **fields: Unpack[Fields]) -> dict[str, object]:
    """The header as the object of a JSON line."""
    rules = fields.get("rules", STANDARD)
    values: dict[str, object] = {
        "gamelog": int(VERSION),
        "game": game,
        "rules": "" if rules == STANDARD else rules,
        "options": dict(fields.get("options", {})),
        "players": list(fields.get("players", ())),
        "id": fields.get("id"),
        "date": fields.get("date"),
        "source": fields.get("source"),
        **fields.get("extra", {}),
    }
    return {key: value for key, value in values.items() if value}


def _one_line(value: object) -> str:
    text = str(value)
    if not text.isprintable():
        raise ValueError(f"a header's value is one line of plain text, not {text!r}")
    return text
