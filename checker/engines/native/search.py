"""The search, as source to go with that of a model: breadth first over a flat table, then a pass in order of the graph.

States lie one after another, the words of one state side by side, in the order in which they were found, so that a
level of the search is a stretch of them. The table has open addressing: an entry is a state's number plus one,
under some bits of its hash, so that hardly a state is looked at that is not the one. All entries that a state's
successors ask for are read before any is used, so that the machine can wait for them together.

The second pass takes states in an order in which each comes after all that lead to it (Kahn 1962), and counts the
most and fewest events of each kind on a way. It can only end if there is no cycle, which is how that is known.
"""

from __future__ import annotations

MIX = (0x2545F4914F6CDD1D, 0x1B873593CC9E2D51, 0x38B34AE5A1E38B93, 0x4B1D0A7C2F9E8A6B)
"""Odd multipliers of the hash, with bits on both sides."""

TAG = 0x7FFFFFFF
"""Bits of the hash that an entry keeps, above the 32 bits for the state's number."""

MOST_COUNTED = 250
"""The longest way that the second pass counts; its counters have eight bits."""

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

_SEARCH = """\
def mixed({w}):
    h = ({mixed}) & 0x7FFFFFFFFFFFFFFF
    h = (h ^ h >> 32) * {last_mix} & 0x7FFFFFFFFFFFFFFF
    return h ^ h >> 29

def place(q, table, {w}, h):
    last = len(table) - 1
    tag = h >> 32 & {tag}
    at = h & last
    while True:
        entry = table[at]
        if entry == 0:
            return -1 - at
        if entry >> 32 == tag:
            j = (entry & 0xFFFFFFFF) - 1
            if {same}:
                return j
        at = (at + 1) & last

def add(q, table, count, {w}):
    h = mixed({w})
    at = place(q, table, {w}, h)
    if at >= 0:
        return at
    table[-1 - at] = (h >> 32 & {tag}) << 32 | count + 1
{store_count}
    return count

def following({w}, T, {o}, act, hashes, allowed):
    n = successors({w}, T, {o}, act)
    k = 0
    for i in range(n):
        a = act[i]
        if allowed[a] != 0:
{take}
{normal}
{put}
            act[k] = a
            hashes[k] = mixed({w})
            k = k + 1
    return k

def expand(q, table, parent, into, marks, T, allowed, stop, final, head, count, until, cap, {o}, act, hashes, entries):
    last = len(table) - 1
    arcs = 0
    counting = len(into) > 1
    while head < until and head < count and count < cap:
{load}
        e = ending({w}, T)
        k = 0
        if e & stop == 0:
            k = following({w}, T, {o}, act, hashes, allowed)
            if k == 0 and e & final == 0:
                e = e | {dead}
        marks[head] = e
        arcs = arcs + k
        for i in range(k):
            entries[i] = table[hashes[i] & last]
        for i in range(k):
            h = hashes[i]
            at = h & last
            tag = h >> 32 & {tag}
            entry = entries[i]
            if entry == 0:
                entry = table[at]
            j = -1
            while entry != 0:
                if entry >> 32 == tag:
                    j = (entry & 0xFFFFFFFF) - 1
                    if {same_out}:
                        break
                    j = -1
                at = (at + 1) & last
                entry = table[at]
            if j < 0:
                j = count
                table[at] = tag << 32 | count + 1
{store}
                parent[count] = head
                count = count + 1
            if counting:
                into[j] = into[j] + 1
        head = head + 1
    return head, count, arcs

def refill(q, table, first, count):
    last = len(table) - 1
    for j in range(first, count):
{reload}
        h = mixed({w})
        at = h & last
        while table[at]:
            at = (at + 1) & last
        table[at] = (h >> 32 & {tag}) << 32 | j + 1

def rank(q, table, into, marks, info, longest, T, allowed, stop, kind, kinds, loop, todo, most, {o}, act, hashes):
    wide = 2 + 2 * kinds
    done = 0
    while todo >= 0 and done < most:
        at = todo
        todo = -into[at] - 2
        done = done + 1
        here = at * wide
        if marks[at] & loop:
            info[here] = 1
        k = 0
        if marks[at] & stop == 0:
{load_at}
            k = following({w}, T, {o}, act, hashes, allowed)
        for i in range(k):
{take_i}
            j = place(q, table, {w}, hashes[i])
            there = j * wide
            length = info[here + 1] + 1
            if length > info[there + 1]:
                if length > {most_counted}:
                    return -3, done
                info[there + 1] = length
                longest[j] = at
            for c in range(kinds):
                more = 1 if kind[act[i]] == c else 0
                n = info[here + 2 + c] + more
                if n > info[there + 2 + c]:
                    info[there + 2 + c] = n
                n = info[here + 2 + kinds + c] + more
                if n < info[there + 2 + kinds + c]:
                    info[there + 2 + kinds + c] = n
            if info[here] != 0:
                info[there] = 1
            into[j] = into[j] - 1
            if into[j] == 0:
                into[j] = -(todo + 2)
                todo = j
    return todo, done
"""


def search_source(words: int, ends: int, normal: list[str]) -> str:
    """The source of the search for states of so many words and so many endings; ``normal`` puts words in normal form.

    What it defines is called in `running`.
    """

    def each(template: str, joint: str = ", ") -> str:
        return joint.join(template.format(at=at, words=words) for at in range(words))

    def lines(depth: int, template: str) -> str:
        return "\n".join("    " * depth + template.format(at=at, words=words) for at in range(words))

    return _SEARCH.format(
        w=each("w{at}"),
        o=each("o{at}"),
        mixed=" ^ ".join(f"w{at} * {MIX[at % (len(MIX) - 1)] + 2 * at}" for at in range(words)),
        last_mix=MIX[-1],
        tag=TAG,
        dead=1 << ends,
        same=each("q[j * {words} + {at}] == w{at}", " and "),
        same_out=each("q[j * {words} + {at}] == o{at}[i]", " and "),
        store_count=lines(1, "q[count * {words} + {at}] = w{at}"),
        take=lines(3, "w{at} = o{at}[i]"),
        take_i=lines(3, "w{at} = o{at}[i]"),
        put=lines(3, "o{at}[k] = w{at}"),
        normal="\n".join(normal),
        load=lines(2, "w{at} = q[head * {words} + {at}]"),
        load_at=lines(3, "w{at} = q[at * {words} + {at}]"),
        store=lines(4, "q[count * {words} + {at}] = o{at}[i]"),
        reload=lines(2, "w{at} = q[j * {words} + {at}]"),
        most_counted=MOST_COUNTED,
    )
