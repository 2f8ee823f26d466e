"""Everything that can be reached from a start, held at once: for starts with few states."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeal.checker.engines.native import Limits, Native, Search, Words
from fairdeal.checker.engines.native.searching import SMALLEST

STATES = 1 << 26


@dataclass(frozen=True, slots=True)
class Closure:
    """Everything reachable from a start."""

    states: int
    arcs: int
    endings: dict[str, int]
    """How many states end in which way; ways that hold together are joined by ``+``, and ``dead`` is none of them."""
    words: list[Words]


def closure(native: Native, *, room: int = SMALLEST) -> Closure:
    """Every state that can be reached."""
    search = Search(native, limits=Limits(STATES), room=room).run()
    assert search.closed, f"more than {STATES} states"
    endings = {}
    for code, number in search.endings().items():
        if code:
            held = [name for bit, name in enumerate(search.names) if code >> bit & 1]
            endings["+".join(held) or "dead"] = number
    return Closure(search.count, search.arcs, endings, [search.state(at) for at in range(search.count)])
