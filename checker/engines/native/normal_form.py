"""Normal forms: source that picks one packed state of each set of states that differ by a symmetry's renaming alone.

Two shapes are known. Where the names of several stacks can change, stacks of two or more cards stay where they are
(their cards lay there from the start, and nowhere else), and the rest (single cards and empty places) are put in
order. Where two names change places, the smaller of both states is taken. What a symmetry renames is in neither
shape: then it is not used, and its states are told apart, which is slower and never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fairdeal.checker.engines.native.packing import WORD, Field, Name, Packing
from fairdeal.checker.engines.native.slicing import Candidate, flat
from fairdeal.checker.engines.native.symmetry import Renaming
from fairdeal.checker.engines.native.tops import TopClasses, company
from fairdeal.spec.language.exploring import Symmetry

ALL = (1 << WORD) - 1


@dataclass(frozen=True, slots=True)
class Orbit:
    """The fields of a packed state that one symmetry, for one owner, renames."""

    symmetry: Symmetry
    owner: int | None
    rows: tuple[tuple[Name, ...], ...]
    """For each of the renamed values in order, its fields; the same fields for each."""
    holders: tuple[Name, ...]
    """Cells that hold one of the values."""

    @property
    def names(self) -> frozenset[Name]:
        """Every field that is renamed."""
        return frozenset((*(name for row in self.rows for name in row), *self.holders))


def orbits(packing: Packing) -> list[Orbit]:
    """The orbits of all symmetries that were checked, as far as they have one of the known shapes."""
    found = []
    for generators in packing.slice.renamings.values():
        for owner in dict.fromkeys(one.owner for one in generators):
            one = _orbit(packing, next(each for each in generators if each.owner == owner))
            if one is not None:
                found.append(one)
    return found


def _orbit(packing: Packing, renaming: Renaming) -> Orbit | None:
    symmetry = renaming.symmetry
    rows: dict[int, dict[tuple[object, ...], Name]] = {value: {} for value in symmetry.renamed.values}
    for name in packing.fields:
        sorts, index = packing.slice.layout.variables[name[1][0]].indices, name[1][1]
        value = _named(renaming, sorts, index)
        if value is not None:
            rest = tuple(None if sort is symmetry.renamed else one for sort, one in zip(sorts, index, strict=True))
            rows[value][name[0], name[1][0], rest] = name
    holders = [
        name
        for name in packing.fields
        if name[0] == "cell" and packing.slice.layout.variables[name[1][0]].sort in renaming.sorts
    ]
    kept = list(rows.values())
    if not kept[0] or any(one.keys() != kept[0].keys() for one in kept):
        return None
    orbit = Orbit(symmetry, renaming.owner, tuple(tuple(row[key] for key in kept[0]) for row in kept), tuple(holders))
    return orbit if _is_stacks(packing, orbit) or _is_pair(packing, orbit) else None


def _named(renaming: Renaming, sorts: Sequence[object], index: Sequence[int]) -> int | None:
    """The value by which an index is renamed, if it is."""
    pairs = list(zip(sorts, index, strict=True))
    if renaming.owner is not None and (renaming.symmetry.within, renaming.owner) not in pairs:
        return None
    return next((value for sort, value in pairs if sort is renaming.symmetry.renamed), None)


def _is_stacks(packing: Packing, orbit: Orbit) -> bool:
    if orbit.holders:
        return False
    return all(sorted(name[0] for name in row) == ["cell"] * (len(row) - 1) + ["perch"] for row in orbit.rows)


def _is_pair(packing: Packing, orbit: Orbit) -> bool:
    if len(orbit.rows) != 2 or any(name[0] in ("perch", "height") for row in orbit.rows for name in row):
        return False
    fields = [[packing.fields[name] for name in row] for row in orbit.rows]
    same = all((one.bits, one.low) == (two.bits, two.low) for one, two in zip(*fields, strict=True))
    return same and all(packing.fields[name].low == 0 for name in orbit.holders)


class NormalForm:
    """Generates the functions ``normal_0``, ``normal_1``, …, one for each orbit."""

    def __init__(self, packing: Packing, *, merge_tops: bool = False) -> None:
        self.packing, self.orbits = packing, orbits(packing)
        found = company(packing) if merge_tops else None
        self.tops = TopClasses(packing, found) if found else None
        self.orbits.sort(key=lambda one: not _is_stacks(packing, one))  # pairs last: tops are merged before
        self.words = [f"w{at}" for at in range(packing.words)]

    def source(self) -> list[str]:
        """The functions, as lines."""
        lines = self.tops.source() if self.tops else []
        for number, one in enumerate(self.orbits):
            lines.append(f"def normal_{number}({', '.join(self.words)}, T):")
            lines += self._stacks(one) if _is_stacks(self.packing, one) else self._pair(one)
            lines.append("")
        words = ", ".join(self.words)
        lines.append(f"def normal({words}, T):")
        lines += [f"    {words} = {name}({words}, T)" for name, _ in self._steps()]
        return [*lines, f"    return {words}", ""]

    def _steps(self) -> list[tuple[str, int]]:
        """The functions in the order in which they are called, each with its bit."""
        steps = [(f"normal_{number}", 1 << number) for number, _ in enumerate(self.orbits)]
        if self.tops:
            stacks = sum(_is_stacks(self.packing, one) for one in self.orbits)
            steps.insert(stacks, ("classed", 1 << len(self.orbits)))
        return steps

    def calls(self, candidate_needs: str, indent: str) -> list[str]:
        """Statements that put the words in normal form, as far as the candidate's effects make it needful."""
        words = ", ".join(self.words)
        steps = self._steps()
        lines = [f"{indent}need = {candidate_needs}"] if steps else []
        for name, bit in steps:
            lines += [f"{indent}if need & {bit}:", f"{indent}    {words} = {name}({words}, T)"]
        return lines

    def needs(self, candidate: Candidate, written: Iterable[Name]) -> int:
        """Which steps an event makes needful that writes these fields, as bits."""
        names = frozenset(written)
        bits = sum(1 << number for number, one in enumerate(self.orbits) if names & one.names)
        if self.tops and self.tops.concerns(flat(candidate.effects)):
            tops = frozenset(("top", key) for key in self.tops.company.heaps)
            bits |= 1 << len(self.orbits)
            bits |= sum(1 << number for number, one in enumerate(self.orbits) if tops & one.names)
        return bits

    def _read(self, one: Field) -> str:
        return f"w{one.word} >> {one.shift} & {(1 << one.bits) - 1}"

    def _written(self, fields: Iterable[tuple[Field, str]]) -> list[str]:
        """The words with fields at new values."""
        texts = []
        changed = list(fields)
        for word in range(self.packing.words):
            here = [(one, text) for one, text in changed if one.word == word]
            keep = ~sum(one.mask for one, _ in here) & ALL
            parts = [f"w{word} & {keep}", *(f"{text} << {one.shift}" for one, text in here)]
            texts.append(" | ".join(parts) if here else f"w{word}")
        return texts

    def _stacks(self, orbit: Orbit) -> list[str]:
        fields, tables, table = self.packing.fields, self.packing.tables, self.packing.table
        returned = f"    return {', '.join(self.words)}"
        perches = [next(name for name in row if name[0] == "perch") for row in orbit.rows]
        cells = [[fields[name] for name in row if name[0] == "cell"] for row in orbit.rows]
        bits = sum(one.bits for one in cells[0])
        lines = []
        for at, name in enumerate(perches):
            lines.append(f"    a{at} = {self._read(fields[name])}")
            lines.append(f"    k{at} = {tables.at(table('content', name[1]), f'a{at}')}")
        free = " + ".join(f"(1 if k{at} >= 0 else 0)" for at in range(len(perches)))
        lines += [f"    if {free} < 2:", f"    {returned}"]
        for at, row in enumerate(cells):
            shift, text = bits, f"k{at} << {bits}"
            for one in row:
                shift -= one.bits
                text += f" | ({self._read(one)}) << {shift}"
            lines += [f"    c{at} = k{at}", f"    if k{at} >= 0:", f"        k{at} = {text}", f"        c{at} = k{at}"]
        for left, right in combinations(range(len(perches)), 2):
            lines.append(f"    if k{right} >= 0 and k{left} > k{right}:")
            lines += [f"        t = k{left}", f"        k{left} = k{right}", f"        k{right} = t"]
        same = " and ".join(f"k{at} == c{at}" for at in range(len(perches)))
        lines += [f"    if {same}:", f"    {returned}"]
        changed: list[tuple[Field, str]] = []
        for at, name in enumerate(perches):
            parts = [(f"b{at}_{number}", one) for number, one in enumerate(cells[at])]
            lines += [f"    {text} = {self._read(one)}" for text, one in parts]
            lines.append(f"    if k{at} >= 0:")
            lines.append(f"        a{at} = {tables.at(table('put', name[1]), f'(k{at} >> {bits})')}")
            shift = bits
            for text, one in parts:
                shift -= one.bits
                lines.append(f"        {text} = k{at} >> {shift} & {(1 << one.bits) - 1}")
            changed += [(fields[name], f"a{at}"), *((one, text) for text, one in parts)]
        return [*lines, f"    return {', '.join(self._written(changed))}"]

    def _pair(self, orbit: Orbit) -> list[str]:
        fields = self.packing.fields
        low, high = orbit.symmetry.renamed.low, orbit.symmetry.renamed.high
        changed: list[tuple[Field, str]] = []
        for one, two in zip(*orbit.rows, strict=True):
            changed.append((fields[one], f"({self._read(fields[two])})"))
            changed.append((fields[two], f"({self._read(fields[one])})"))
        lines = []
        for number, name in enumerate(orbit.holders):
            lines.append(f"    h{number} = {self._read(fields[name])}")
            lines += [
                f"    if h{number} == {low} or h{number} == {high}:",
                f"        h{number} = {low + high} - h{number}",
            ]
            changed.append((fields[name], f"h{number}"))
        others = [f"x{at}" for at in range(self.packing.words)]
        lines += [f"    {other} = {text}" for other, text in zip(others, self._written(changed), strict=True)]
        smaller = [
            " and ".join([*(f"{others[each]} == {self.words[each]}" for each in range(at)), f"{others[at]} < {word}"])
            for at, word in enumerate(self.words)
        ]
        lines.append("    if " + " or ".join(f"({one})" for one in smaller) + ":")
        return [*lines, f"        return {', '.join(others)}", f"    return {', '.join(self.words)}"]
