"""Sentences of findings: one card is not called cards."""

from __future__ import annotations

import re
from pathlib import Path

TRACES = Path(__file__).parents[2] / "traces"


def test_one_card_is_not_called_cards() -> None:
    """No message of any trace counts one of several."""
    messages = [
        line
        for path in TRACES.rglob("*.out")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"(error|warning|note|unknown|reading)\[", line)
    ]
    assert any(re.search(r"\b1 (\w+ )?card\b", line) for line in messages)
    assert not [line for line in messages if re.search(r"(?<![\w.-])1 (\w+ )?cards\b", line)]
