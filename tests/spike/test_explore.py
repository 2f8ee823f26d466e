"""Exploring packed states: the same reachable states and endings as an unreduced search by the interpreter."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.native import Native, Words
from fairdeal.spec.language import Expr
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.table import Player, Slot

from tests.spike.closing import closure
from tests.spike.games import ENDINGS, EXPLORED, ROUND, TABLE, E, apply, is_null, lawful, small

STARTS = [(3, (1, 1, 0, 0, 0), 2), (5, (1, 2, 0, 0, 0), 1), (1, (1, 1, 1, 2, 0), 1)]


def unreduced(run: Interpreter, native: Native, start: State) -> tuple[set[Words], Counter[str], int]:
    """Everything reachable by the interpreter, null moves aside: projected, with how it ends."""
    waiting, known = [start], {repr(start)}
    shown: dict[Words, str] = {}
    for state in waiting:
        names = [name for name, term in ENDINGS.items() if run.value(term, state, {})]
        events = [one for one in lawful(run, state, ROUND[:4]) if not is_null(run, one[0], state, one[1])]
        following = [apply(run, event, state, values) for event, values in events]
        ending = "+".join(names) or ("" if following else "dead")
        words = native.packing.project(state)
        assert shown.setdefault(words, ending) == ending
        for after in following:
            if repr(after) not in known:
                known.add(repr(after))
                waiting.append(after)
    return set(shown), Counter(ending for ending in shown.values() if ending), len(waiting)


@pytest.mark.parametrize(("seed", "heights", "spit"), STARTS)
def test_packed_and_unreduced_states_are_the_same(seed: int, heights: tuple[int, ...], spit: int) -> None:
    run = Interpreter(SPIT, SPIT.bind())
    compare(run, small(run, seed, heights, spit))


def test_a_card_of_equal_rank_in_a_slot_is_not_told_from_the_first_one() -> None:
    """A's 7S goes to a pile and 7H takes its slot, or 7H goes there from where it lies."""
    run = Interpreter(SPIT, SPIT.bind())
    start, at = small(run, 1, (1, 2, 0, 0, 0), 1), run.layout.position
    cards: dict[tuple[str, tuple[int, ...]], list[int]] = {
        ("stock", (0, 1)): [24],
        ("stock", (0, 2)): [0, 25],
        ("stock", (1, 1)): [1],
        ("stock", (1, 2)): [16, 2],
        ("pile", (1,)): [20],
        ("pile", (2,)): [44],
    }
    for key, zone in cards.items():
        start[at[key]] = zone
    compare(run, start)


def compare(run: Interpreter, start: State) -> None:
    options = run.options
    native = Native(SPIT, options, start, EXPLORED, ENDINGS, compiled=False)
    words, endings, whole = unreduced(run, native, start)
    found = closure(native)
    assert set(found.words) == words
    assert found.states == len(words) <= whole
    assert found.endings == endings
    assert found.states > 20


def moves_of_a(player: Expr[Player], slot: Expr[Slot], target: Expr[Slot]) -> Expr[bool]:
    """A's moves alone: half as much to compile."""
    return (TABLE.stock[player, slot].size > 1) & (player == Player.A)


def test_compiled_and_plain_source_explore_alike() -> None:
    pytest.importorskip("numba")
    options = SPIT.bind()
    start = small(Interpreter(SPIT, options), 2, (1, 2, 2, 1, 0), 4)
    events = [*EXPLORED[:2], EXPLORED[3], (E["move"], moves_of_a)]
    plain = Native(SPIT, options, start, events, ENDINGS, compiled=False)
    fast = Native(SPIT, options, start, events, ENDINGS)
    one, two = closure(plain, room=256), closure(fast, room=256)  # so small that the tables have to grow
    assert one == two
    assert one.states > 512
    other = Native(
        SPIT, options, small(Interpreter(SPIT, options), 1, (1, 2, 2, 1, 0), 4), events, ENDINGS, compiled=False
    )
    assert other.source == plain.source  # what differs between two deals of one shape is data


def test_only_what_is_read_is_kept() -> None:
    options: dict[str, Any] = SPIT.bind()
    start = small(Interpreter(SPIT, options), 1, (1, 2, 3, 4, 5), 10)
    native = Native(SPIT, options, start, EXPLORED, ENDINGS, compiled=False)
    kept = {(one.aspect, one.key[0]) for one in native.packing.fields.values()}
    assert native.slice.by_rank
    assert kept == {
        ("cell", "phase"),
        ("cell", "up"),
        ("cell", "owes"),
        ("cell", "finished"),
        ("perch", "stock"),
        ("height", "spit"),
        ("top", "pile"),
    }
    own = Native(SPIT, SPIT.bind(None, {"slot_reason": "played"}), start, EXPLORED, ENDINGS, compiled=False)
    assert any(one.key[0] == "played_out" for one in own.packing.fields.values())
