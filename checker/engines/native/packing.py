"""Packing: how the live part of a state lies in a few words of 63 bits.

- a stack that nothing is put on is a height over a table of its cards
- a stack that cards are put on only while it is empty is a height, or the one card that lies there
- a heap is its top; its size and set are kept where something reads them
- where cards are seen through their ranks alone, ranks are what is kept
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairdeal.checker.engines.layout import NotSupported, State
from fairdeal.checker.engines.native.slicing import Key, Slice
from fairdeal.spec.language.terms import NO_CARD

WORD = 63
"""Bits of a word: what a signed 64-bit integer holds without a sign."""
RANKS = 13
Words = tuple[int, ...]
Name = tuple[str, Key]
"""What a field keeps, and of which cell or zone."""


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of the packed state: what they stand for, and where they are."""

    key: Key
    aspect: str
    """``cell``, ``height`` or ``perch`` (stacks), ``top``, ``size`` or ``cards``."""
    bits: int
    low: int = 0
    word: int = 0
    shift: int = 0

    @property
    def mask(self) -> int:
        """The bits, in the word."""
        return ((1 << self.bits) - 1) << self.shift


class Tables:
    """Every table of the generated source, one after another in a single list; the source knows where each begins.

    What differs between two deals of one shape is in here, and not in the source.
    """

    def __init__(self) -> None:
        self.data: list[int] = []
        """All entries."""
        self.first: dict[str, int] = {}

    def add(self, name: str, table: Sequence[int]) -> None:
        """Append a table."""
        self.first[name] = len(self.data)
        self.data += table

    def dealt_anew(self, tables: Mapping[str, Sequence[int]]) -> Tables:
        """The same tables with the contents of some replaced by others of the same size."""
        found = Tables()
        found.first, found.data = self.first, list(self.data)
        for name, table in tables.items():
            found.data[self.first[name] : self.first[name] + len(table)] = table
        return found

    def at(self, name: str, index: str) -> str:
        """Source for an entry."""
        return f"T[{self.first[name]} + {index}]"


class Packing:
    """The fields of a packed state, and the way from the other engines' states to it."""

    def __init__(self, part: Slice) -> None:
        self.slice = part
        self.no_card = RANKS if part.by_rank else NO_CARD
        self.tables = Tables()
        self.fields: dict[Name, Field] = {}
        for key in part.layout.position:
            for one in self._fields(key):
                self._place(one)
        self.words = 1 + max((one.word for one in self.fields.values()), default=0)

    def view(self, card: int) -> int:
        """What is kept of a card."""
        return min(card // 4, RANKS) if self.slice.by_rank else card

    def project(self, state: State) -> Words:
        """The words for a state, as the other engines have it."""
        words = [0] * self.words
        for one in self.fields.values():
            part = state[self.slice.layout.position[one.key]]
            words[one.word] |= (self._encoded(one, part) - one.low) << one.shift
        return tuple(words)

    def stack(self, key: Key) -> Field | None:
        """The field of a stack."""
        return self.fields.get(("height", key)) or self.fields.get(("perch", key))

    def table(self, kind: str, key: Key) -> str:
        """The name of a table for a stack: ``top``, ``size``, ``less`` (one card taken), ``put``, ``content``."""
        return f"{kind}_{key[0]}_{'_'.join(map(str, key[1]))}"

    def _encoded(self, one: Field, part: Any) -> int:
        match one.aspect:
            case "cell":
                return int(part)
            case "height":
                return len(part)
            case "perch":
                shown, base = [self.view(card) for card in part], self._base(one.key)
                if shown == base[: len(shown)]:
                    return len(shown)
                return self.tables.data[self.tables.first[self.table("put", one.key)] + shown[0]]
            case "top":
                return self.view(part[-1] if part else NO_CARD)
            case "size":
                return len(part)
        return sum(1 << card for card in part) if isinstance(part, list) else int(part)

    def _base(self, key: Key) -> list[int]:
        return [self.view(card) for card in self.slice.start[self.slice.layout.position[key]]]

    def _fields(self, key: Key) -> Iterator[Field]:
        part = self.slice
        kind = part.layout.variables[key[0]].kind
        read = {aspect for aspect, one in part.live if one == key}
        if not read or (kind != "cell" and key not in part.touched):
            return
        if kind == "cell":
            values = part.values[key]
            if key in part.unbounded:
                raise NotSupported(f"{key[0]}{list(key[1])} is read, and no bound is known for its values")
            if len(values) > 1:
                yield Field(key, "cell", (max(values) - min(values)).bit_length(), min(values))
        elif kind == "bag":
            yield Field(key, "cards", NO_CARD)
        elif kind == "heap":
            bits = {"top": self.no_card.bit_length(), "size": NO_CARD.bit_length(), "cards": NO_CARD}
            for aspect in sorted(read):
                yield Field(key, aspect, bits[aspect])
        else:
            yield self._stack(key, read)

    def _stack(self, key: Key, read: set[str]) -> Field:
        base = self._base(key)
        height = len(base)
        if "cards" in read:
            raise NotSupported(f"{key[0]}{list(key[1])}: its set is read, and a packed stack has none")
        if key in self.slice.pushed and not self.slice.only_while_empty(key):
            raise NotSupported(f"{key[0]}{list(key[1])}: cards are put on it while others lie there")
        tables = self.stack_tables(key)
        for name, table in tables.items():
            self.tables.add(name, table)
        if key not in self.slice.pushed:
            return Field(key, "height", height.bit_length())
        return Field(key, "perch", (len(tables[self.table("top", key)]) - 1).bit_length())

    def stack_tables(self, key: Key) -> dict[str, list[int]]:
        """The tables of a stack, by their names; they are what differs between two deals of one shape."""
        base = self._base(key)
        if key not in self.slice.pushed:
            return {self.table("top", key): [self.no_card, *base]}
        # Codes: the heights of what lay here first, then one for each card of the deck's kinds, whether or not one of
        # them is the lowest that lay here, so that stacks of one height have tables of one size.
        height = len(base)
        tops, sizes, less, put = [self.no_card, *base], [*range(height + 1)], [0, *range(height)], []
        for card in range(self.no_card):
            put.append(1 if base and card == base[0] else len(tops))
            tops.append(card)
            sizes.append(1)
            less.append(0)
        put.append(0)
        content = [self._content(top, size) for top, size in zip(tops, sizes, strict=True)]
        tables = (("top", tops), ("size", sizes), ("less", less), ("put", put), ("content", content))
        return {self.table(kind, key): table for kind, table in tables}

    def _content(self, top: int, size: int) -> int:
        """What lies in a stack of at most one card, as `put` takes it; -1 for more cards, which stay where they are."""
        return top if size == 1 else self.no_card if size == 0 else -1

    def _place(self, one: Field) -> None:
        used: dict[int, int] = {}
        for other in self.fields.values():
            used[other.word] = max(used.get(other.word, 0), other.shift + other.bits)
        word = next(word for word in range(len(used) + 1) if used.get(word, 0) + one.bits <= WORD)
        self.fields[one.aspect, one.key] = replace(one, word=word, shift=used.get(word, 0))
