"""Policies: how a game is played at random so that what is rare still happens, for whoever generates games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairdeal.spec.language.expressions import Expr

Where = Callable[..., Expr[bool]]
Look = Callable[[Expr[Any]], Any]
"""Reads a term's value on the table at hand: numbers as they are, sets of cards as masks."""


@dataclass(frozen=True, slots=True)
class Preference:
    """How gladly an event is chosen: its weight among those that are lawful, where its choices satisfy a condition."""

    event: str
    weight: float
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """A random way to play; ``meaning`` says in a sentence how.

    ``readings`` are options that the policy keeps to, beyond what the rules in force demand. ``attempts`` names events
    that are sometimes tried where they are not lawful, with the chance of that before each event. ``layouts`` gives for
    an event with rows what makes up its rows, from the random source, a `Look` and the event's choices; ``None`` if
    nothing does. ``pause`` is the mean time between two events, in seconds. A game that is not over after ``longest``
    events, or in which the policy knows no further line, is dealt anew.
    """

    meaning: str
    preferences: tuple[Preference, ...]
    layouts: Mapping[str, Callable[..., tuple[Any, ...] | None]]
    readings: Mapping[str, str] = field(default_factory=dict)
    attempts: Mapping[str, float] = field(default_factory=dict)
    pause: float = 0.4
    longest: int = 100_000
