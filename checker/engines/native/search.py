"""The search, as source to go with that of a model: over a flat table, in one pass that also counts the ways.

A state is a record of words in one long array, in the order in which states were found: what is packed, the states
that it was first and last reached from, and, where ways are counted, counters. The table has open addressing: an
entry is a state's number plus one, under some bits of its hash, so that hardly a record is looked at that is not the
one. States are expanded some at a time: all entries that their successors ask for are read before any is used, and
then all records, so that the machine can wait for them together.

Without a measure, states are taken in the order in which they were found, which is breadth first. With one, which
every event lowers, they are taken from the highest down. Then each comes after all that lead to it, and what is
counted on the ways to it (the longest and the shortest, the most and the fewest events of each kind) is final when it
is expanded. The measure is not believed: a step to a state that was expanded already is counted, and none may be.

A new state that would be one too many is dropped, and that it was is told, so that there are never more than asked.

Counters have eight bits and lie side by side in words, with a bit between them, so that a word of them is added to,
and the greater or smaller of each taken, at once (Lamport 1975, "Multiple byte processing with
full-word instructions").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

MIX = (0x2545F4914F6CDD1D, 0x1B873593CC9E2D51, 0x38B34AE5A1E38B93, 0x4B1D0A7C2F9E8A6B)
"""Odd multipliers of the hash, with bits on both sides."""

TAG = 0x7FFFFFFF
"""Bits of the hash that an entry keeps, above the 32 bits for the state's number."""

BATCH = 64
"""Successors that are looked up together, at least."""

MOST_COUNTED = 250
"""The longest way that the counters hold."""

EXPANDED = 1 << 15
"""Set in a state's mark once it was expanded; its endings are below. Before that the mark is its measure."""

_BEFORE = 31
"""Bits of each of the two states that a record names as coming before it; the bit above both says: expanded."""

_STEP = 9
_EACH = 7
_WHOLE = sum(1 << _STEP * at for at in range(_EACH))

HELPERS = """\
def popcount(x):
    n = 0
    while x:
        x = x & (x - 1)
        n = n + 1
    return n

def found(T, first, last, x):
    low = first
    high = last
    while low < high:
        middle = (low + high) >> 1
        if T[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low < last and T[low] == x
"""


@dataclass(frozen=True)
class Record:
    """How a state lies in the array: so many words of its own, then the states before it, then counters.

    The first counters are at their most, those behind them at their fewest: the length of a way, whether a loop is on
    it (at the most alone), and the events of each kind.
    """

    words: int
    kinds: tuple[str, ...]

    @property
    def plain(self) -> int:
        """Words of a record where ways are not counted."""
        return self.words + 1

    @cached_property
    def most(self) -> range:
        """The words that hold the most."""
        return range(self.plain, self.plain + -(-(2 + len(self.kinds)) // _EACH))

    @cached_property
    def fewest(self) -> range:
        """The words that hold the fewest."""
        return range(self.most.stop, self.most.stop + -(-(1 + len(self.kinds)) // _EACH))

    @property
    def counters(self) -> list[int]:
        """The words that hold counters."""
        return [*self.most, *self.fewest]

    @property
    def whole(self) -> int:
        """Words of a record where ways are counted."""
        return self.fewest.stop

    @property
    def length(self) -> tuple[int, int]:
        """Where the longest way is: its word and its shift."""
        return self.most.start, 0

    @property
    def loop(self) -> tuple[int, int]:
        """Where it is kept that a loop is on some way."""
        return self.most.start, _STEP

    def most_of(self, kind: int) -> tuple[int, int]:
        """Where the most events of a kind are."""
        return self.most.start + (2 + kind) // _EACH, (2 + kind) % _EACH * _STEP

    @property
    def shortest(self) -> tuple[int, int]:
        """Where the shortest way is."""
        return self.fewest.start, 0

    def fewest_of(self, kind: int) -> tuple[int, int]:
        """Where the fewest events of a kind are."""
        return self.fewest.start + (1 + kind) // _EACH, (1 + kind) % _EACH * _STEP

    def steps(self, name: str) -> list[int]:
        """What an event of this name adds to each word of counters."""
        kind = self.kinds.index(name)
        places = [self.length, self.most_of(kind), self.shortest, self.fewest_of(kind)]
        return [sum(1 << shift for at, shift in places if at == word) for word in self.counters]


_SEARCH = """\
def mixed({w}):
    h = ({mixed}) & 0x7FFFFFFFFFFFFFFF
    h = (h ^ h >> 32) * {last_mix} & 0x7FFFFFFFFFFFFFFF
    return h ^ h >> 29

def following({w}, T, s, {o}, act, hashes, allowed, k):
    n = known_successors({w}, T, s, {o}, act, k)
    for i in range(k, n):
        a = act[i]
        if allowed[a] != 0:
{take}
{normal}
{put}
            act[k] = a
            hashes[k] = mixed({w})
            k = k + 1
    return k

def expand(
    q, wide, table, marks, order, T, steps, allowed, stop, final, loop, head, count, until, cap, most,
    {o}, act, hashes, entries, sources, heads,
):
    last = len(table) - 1
    arcs = 0
    wrong = 0
    dropped = 0
    counting = wide > {plain}
    while head < until and count < cap:
        k = 0
        while head < until and k < {batch}:
            at = order[head] if counting else head
            here = at * wide
{load}
            s = facts({w}, T)
            e = ending({w}, T, s)
            n = k
            if e & stop == 0:
                n = following({w}, T, s, {o}, act, hashes, allowed, k)
                if n == k and e & final == 0:
                    e = e | {dead}
            marks[at] = e | {expanded}
            if counting:
                q[here + {words}] = q[here + {words}] | {expanded_before}
                if e & loop:
                    q[here + {loop_word}] = q[here + {loop_word}] | {loop_bit}
                if q[here + {plain}] & 255 > {most_counted}:
                    return head, count, arcs, -1, dropped
            for i in range(k, n):
                sources[i] = at
            k = n
            head = head + 1
        arcs = arcs + k
        for i in range(k):
            entries[i] = table[hashes[i] & last]
        for i in range(k):
            if entries[i]:
                heads[i] = q[((entries[i] & 0xFFFFFFFF) - 1) * wide]
        for i in range(k):
            h = hashes[i]
            at = h & last
            tag = h >> 32 & {tag}
            entry = entries[i]
            if entry == 0:
                entry = table[at]
            there = -1
            while entry != 0:
                if entry >> 32 == tag:
                    there = ((entry & 0xFFFFFFFF) - 1) * wide
                    if {same}:
                        break
                    there = -1
                at = (at + 1) & last
                entry = table[at]
            s = sources[i]
            if there < 0 and count >= most:
                dropped = dropped + 1
            elif there < 0:
                there = count * wide
                table[at] = tag << 32 | count + 1
{store}
                q[there + {words}] = s << {before} | s
                marks[count] = 0
                if counting:
{take_here}
                    marks[count] = measure({w}, T)
                    here = s * wide
                    a = act[i] * {counters}
{first_ways}
                count = count + 1
            elif counting:
                here = s * wide
                a = act[i] * {counters}
                both = q[there + {words}]
                wrong = wrong + (both >> {both_before})
{more_ways}
    return head, count, arcs - dropped, wrong, dropped

def refill(q, wide, table, first, count):
    last = len(table) - 1
    for j in range(first, count):
{reload}
        h = mixed({w})
        at = h & last
        while table[at]:
            at = (at + 1) & last
        table[at] = (h >> 32 & {tag}) << 32 | j + 1
"""


def search_source(record: Record, ends: int, normal: list[str]) -> str:
    """The source of the search for such records and so many endings; ``normal`` puts words in normal form.

    What is defined here is called in `searching`.
    """
    words = record.words
    steps = [f"steps[a + {number}]" for number in range(len(record.counters))]

    def each(template: str, joint: str = ", ") -> str:
        return joint.join(template.format(at=at) for at in range(words))

    def lines(depth: int, template: str) -> str:
        return "\n".join("    " * depth + template.format(at=at) for at in range(words))

    first_ways = [f"q[there + {at}] = q[here + {at}] + {step}" for at, step in zip(record.counters, steps, strict=True)]
    more_ways: list[str] = []
    for at, step in zip(record.counters, steps, strict=True):
        more_ways += [f"x = q[here + {at}] + {step}", f"y = q[there + {at}]"]
        if at == record.most.start:
            more_ways += ["if x & 255 > y & 255:", f"    both = both & {_LONGEST} | s << {_BEFORE}"]
        if at == record.fewest.start:
            more_ways += ["if x & 255 < y & 255:", f"    both = both & {_SHORTEST} | s"]
        greater, lesser = ("x", "y") if at in record.most else ("y", "x")
        more_ways += [
            f"m = (x | {_WHOLE << 8}) - y & {_WHOLE << 8}",
            "m = m - (m >> 8)",
            f"q[there + {at}] = {greater} & m | {lesser} & ~m",
        ]
    more_ways.append(f"q[there + {words}] = both")

    def indented(depth: int, body: list[str]) -> str:
        return "\n".join("    " * depth + line for line in body)

    return _SEARCH.format(
        w=each("w{at}"),
        o=each("o{at}"),
        words=words,
        plain=record.plain,
        counters=len(record.counters),
        mixed=" ^ ".join(f"w{at} * {MIX[at % (len(MIX) - 1)] + 2 * at}" for at in range(words)),
        last_mix=MIX[-1],
        tag=TAG,
        dead=1 << ends,
        batch=BATCH,
        before=_BEFORE,
        both_before=2 * _BEFORE,
        expanded=EXPANDED,
        expanded_before=1 << 2 * _BEFORE,
        loop_word=record.loop[0],
        loop_bit=1 << record.loop[1],
        most_counted=MOST_COUNTED,
        same=" and ".join(f"q[there + {at}] == o{at}[i]" for at in range(words)),
        take=lines(3, "w{at} = o{at}[i]"),
        take_here=lines(5, "w{at} = o{at}[i]"),
        put=lines(3, "o{at}[k] = w{at}"),
        normal="\n".join(normal),
        load=lines(3, "w{at} = q[here + {at}]"),
        store=lines(4, "q[there + {at}] = o{at}[i]"),
        reload=lines(2, "w{at} = q[j * wide + {at}]"),
        first_ways=indented(5, first_ways),
        more_ways=indented(4, more_ways),
    )


_SHORTEST = (1 << 2 * _BEFORE + 1) - (1 << _BEFORE)
"""All of a record's states before, but for that of the shortest way."""
_LONGEST = _SHORTEST ^ ((1 << 2 * _BEFORE + 1) - 1) | 1 << 2 * _BEFORE
"""All but for that of the longest."""


def before(both: int, *, longest: bool) -> int:
    """The state before another, on its longest or its shortest way, from that word of its record."""
    return both >> (_BEFORE if longest else 0) & (1 << _BEFORE) - 1
