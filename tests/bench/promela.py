"""A round of Spit in Promela, for SPIN: written by hand for the bench, from the rules and not from their record.

It serves as a yardstick for speed, and its number of states as a check from outside: it knows ranks alone, turns cards
up at once (``flip=auto``), leaves out moves of single cards, and has every other option as by default.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SLOTS = range(5)
FOREIGN = 16  # codes below: so many of the cards that lay in the slot first; from here on: one card of that rank
EMPTY_TOP = 13


def model(stocks: Sequence[Sequence[Sequence[int]]], spits: Sequence[Sequence[int]]) -> str:
    """The model of a deal: five stocks and a spit hand for each player, as ranks from 0, bottom to top."""
    lines = [
        "hidden byte top[320];",
        "hidden byte size[320];",
        "hidden byte less[320];",
        "hidden byte hand[128];",
        "hidden byte follows[256];",
        "hidden byte c;",
        "byte s[10]; byte left[2]; byte pile[2]; byte owes; bit running; byte finished;",
        "#define T(i) top[(i) * 32 + s[i]]",
        "#define Z(i) size[(i) * 32 + s[i]]",
        "#define FITS(i, k) (follows[T(i) * 16 + pile[k]])",
        f"#define CAN_PLAY ({' || '.join(f'FITS({i}, {k})' for i in range(10) for k in range(2))})",
        f"#define CAN_MOVE ({' || '.join(map(_can_move, range(2)))})",
        "#define IN_PLAY (running && !owes && !finished)",
        "active proctype round() {",
        "  d_step {",
        *_tables(stocks, spits),
        "  }",
        "  end:",
        "  do",
        *_plays(),
        *_moves(),
        *_spits(),
        "  od",
        "}",
        "",
    ]
    return "\n".join(lines)


def _can_move(player: int) -> str:
    own = [player * 5 + slot for slot in SLOTS]
    return f"(({' || '.join(f's[{i}] == 0' for i in own)}) && ({' || '.join(f'Z({i}) > 1' for i in own)}))"


def _tables(stocks: Sequence[Sequence[Sequence[int]]], spits: Sequence[Sequence[int]]) -> Iterator[str]:
    for card in range(13):
        for under in range(13):
            if (card - under) % 13 in (1, 12):
                yield f"    follows[{card * 16 + under}] = 1;"
    for player, each in enumerate(stocks):
        for slot, cards in enumerate(each):
            at = (player * 5 + slot) * 32
            yield f"    s[{player * 5 + slot}] = {len(cards)}; top[{at}] = {EMPTY_TOP};"
            for height, card in enumerate(cards, 1):
                yield f"    top[{at + height}] = {card}; size[{at + height}] = {height}; less[{at + height}] = {height - 1};"
            for rank in range(13):
                yield f"    top[{at + FOREIGN + rank}] = {rank}; size[{at + FOREIGN + rank}] = 1;"
        yield f"    left[{player}] = {len(spits[player])};"
        for height, card in enumerate(spits[player], 1):
            yield f"    hand[{player * 64 + height}] = {card};"
    yield f"    pile[0] = {EMPTY_TOP}; pile[1] = {EMPTY_TOP};"


def _plays() -> Iterator[str]:
    for i in range(10):
        player = i // 5
        own = range(player * 5, player * 5 + 5)
        none = " && ".join(f"s[{one}] == 0" for one in own)
        for k in range(2):
            yield f"  :: d_step {{ IN_PLAY && FITS({i}, {k}) -> pile[{k}] = T({i}); s[{i}] = less[{i * 32} + s[{i}]];"
            yield f"       if :: {none} -> finished = {player + 1} :: else fi }}"


def _moves() -> Iterator[str]:
    for player in range(2):
        own = range(player * 5, player * 5 + 5)
        for i in own:
            for j in own:
                if i != j:
                    # a card of the rank that lay lowest in the slot is told from it by nothing
                    put = f"if :: size[{j * 32 + 1}] == 1 && top[{j * 32 + 1}] == c -> s[{j}] = 1 :: else -> s[{j}] = {FOREIGN} + c fi"
                    yield f"  :: d_step {{ IN_PLAY && s[{j}] == 0 && Z({i}) > 1 ->"
                    yield f"       c = T({i}); s[{i}] = less[{i * 32} + s[{i}]]; {put} }}"


def _spits() -> Iterator[str]:
    for player in range(2):
        other = 1 - player
        turn = f"pile[{{k}}] = hand[{player * 64} + left[{player}]]; left[{player}]--"
        for k in range(2):
            put = turn.format(k=k)
            mine, theirs = player + 1, other + 1
            yield f"  :: d_step {{ !running && pile[{k}] == {EMPTY_TOP} && owes != {theirs} -> {put};"
            yield f"       if :: owes == {mine} -> owes = 0; running = 1 :: else -> owes = {theirs} fi }}"
            yield f"  :: d_step {{ running && owes == {mine} -> {put}; owes = 0 }}"
            yield f"  :: d_step {{ IN_PLAY && left[{player}] > 0 && !(CAN_PLAY) && !(CAN_MOVE) -> {put};"
            yield f"       if :: left[{other}] > 0 -> owes = {theirs} :: else fi }}"
