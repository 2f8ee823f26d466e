"""Logs with less in them: cards of a legal game that nobody recorded, and score lines in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from fairdeal.checker.engines import bags
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.checker.judging.inspection import legal_in
from fairdeal.checker.judging.run import Run
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language.game import Event

CARD = re.compile(r"\b([A2-9TJQK])[SHDC]\b")
STAMP = re.compile(r"(?P<stamp>(@\S+ )?)(?P<body>.*)")
UNSHOWN = re.compile(r"[a-z-]+:|#")
"""How lines begin that no card is hidden in: headers, comments."""


def hide(log: str, random: Random, chance: float, only: str = "", ranks: float = 0.2) -> str:
    """The log with each card hidden at a chance, some but for their rank; of lines that match ``only`` if it is given."""

    def blur(card: re.Match[str]) -> str:
        if random.random() >= chance:
            return card[0]
        return f"{card[1]}?" if random.random() < ranks else "??"

    def line(text: str) -> str:
        if UNSHOWN.match(text) or not re.search(only, text):
            return text
        return CARD.sub(blur, text)

    return "\n".join(map(line, log.split("\n")))


def swap_scores(log: str, random: Random) -> str:
    """The log with score lines that stand beside each other in a random order; times stay where they are."""
    lines = log.split("\n")
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and " score " in lines[end]:
            end += 1
        some = [STAMP.match(line) for line in lines[at:end]]
        bodies = [one["body"] for one in some if one]
        random.shuffle(bodies)
        lines[at:end] = [one["stamp"] + body for one, body in zip(some, bodies, strict=True) if one]
        at = end + 1
    return "\n".join(lines)


def with_snapshots(log: str, random: Random, chance: float, where: str = "") -> str:
    """The log of a legal game with `see` lines after its events at a chance, and after all that match ``where``."""
    found: list[str] = []
    check = LogCheck(Call("<log>"))
    for text in log.rstrip("\n").split("\n"):
        for _ in check.take([text]):
            pass
        found.append(text)
        run = check.game.run if check.game is not None and not check.in_header else None
        if run is not None and not UNSHOWN.match(text) and (random.random() < chance or re.search(where or "$^", text)):
            found += snapshots(run)
    return "\n".join([*found, ""])


def with_scores(log: str) -> str:
    """The log of a legal game that states the points of its last round."""
    *lines, last = log.rstrip("\n").split("\n")
    check = LogCheck(Call("<log>"))
    for _ in check.take(lines):
        pass
    assert check.game is not None
    assert check.game.run is not None
    lawful = (one.text for one in legal_in(check.game.run))
    return "\n".join([*lines, *(text for text in lawful if " score " in text), last, ""])


def snapshots(run: Run) -> Iterator[str]:
    """Every `see` line that is true of a run's table."""
    layout, state = run.binder.layout, run.state
    for event in run.binder.game.events.values():
        if not event.observation:
            continue
        for choices in product(*(one.sort.values for one in event.choices)):
            values: dict[str, Any] = dict(zip((one.name for one in event.choices), choices, strict=True))
            for guard in event.guards:
                if guard.reports and guard.value is not None:
                    value = run.binder.interpreter.value(guard.value, state, values)
                    row = guard.value.op == "cards"
                    values.setdefault(guard.reports, tuple(bags.cards(value)) if row else value)
            if run.binder.labelled.get(event.name):
                place = choices[0]
                if not state[layout.position[run.binder.game.labelled, (place,)]]:
                    continue
                values[run.binder.labelled[event.name]] = run.labels.label(place)
            yield run.binder.text(event, dict(_written(event, values)))


def _written(event: Event, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a snapshot as the notation writes them: a face in a word, and no card that is not seen."""
    up = values.get("face", 2) == 2
    for one in event.parameters:
        value = values[one.name]
        if one.sort.kind == "card" and (value == NO_CARD or not up):
            continue
        yield one.name, one.sort.label(value).lower() if one.name == "face" else value
