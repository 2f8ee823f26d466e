"""Cards as small whole numbers, the same everywhere: in logs, in the rules and in every engine.

- 0 to 51: the pack, ``rank * 4 + suit``, ace first, spades first: ``AS`` is 0, ``KC`` is 51
- 52: no card, the top of an empty pile; never read from a log
- 53: ``??``, a card that nobody recorded
- 54 to 66: ``A?`` to ``K?``, a card of known rank and unknown suit
- 67: ``!!``, an entry that is no card at all
"""

from __future__ import annotations

from typing import Final

RANKS: Final = "A23456789TJQK"
"""The ranks as they are written, in the order of their numbers."""
SUITS: Final = "SHDC"
"""The suits as they are written, in the order of their numbers: spades, hearts, diamonds, clubs."""
DECK: Final = len(RANKS) * len(SUITS)
"""How many cards a pack has; the codes below this number are its cards."""

NO_CARD: Final = DECK
"""Stands for the top of an empty pile."""
UNKNOWN: Final = 53
"""A card that nobody recorded, ``??``."""
RANK_ONLY: Final = 54
"""Code of ``A?``; the rank's number is added to it."""
NOT_A_CARD: Final = RANK_ONLY + len(RANKS)
"""An entry that is no card, ``!!``."""

NAMES: Final = (
    *(rank + suit for rank in RANKS for suit in SUITS),
    "-",
    "??",
    *(rank + "?" for rank in RANKS),
    "!!",
)
"""How each code is written, indexed by the code."""


def card_name(code: int) -> str:
    """Write a card the canonical way: rank then suit, ``TH``.

    Raises:
        ValueError: the code stands for nothing that a log can state.
    """
    if 0 <= code < len(NAMES):
        return NAMES[code]
    raise ValueError(f"{code} is no card's code")


def card_code(rank: int, suit: int) -> int:
    """Number of the card with this rank (0, the ace, to 12) and suit (0 to 3)."""
    return rank * len(SUITS) + suit


def rank_of(code: int) -> int | None:
    """Rank of a card, 0 (ace) to 12 (king); ``None`` where the code names none."""
    if 0 <= code < DECK:
        return code // len(SUITS)
    return code - RANK_ONLY if RANK_ONLY <= code < NOT_A_CARD else None
