"""Source: a model's successors and endings as functions over packed words, in plain Python that numba can compile.

Conditions that all candidates of an event share are asked once, before the candidates part. Where an event may be taken
at once (see `fairdeal.spec.language.exploring.Eager`), nothing else is looked at while it is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.native.expressions import Expressions, Names, fused
from fairdeal.checker.engines.native.normal_form import NormalForm
from fairdeal.checker.engines.native.packing import WORD, Name, Packing
from fairdeal.checker.engines.native.search import HELPERS, Record, search_source
from fairdeal.checker.engines.native.slicing import Candidate, conjuncts, flat, key_of
from fairdeal.checker.engines.python_terms import known_filled
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, When
from fairdeal.spec.language.sorts import CARDS, INT
from fairdeal.spec.language.specialise import place
from fairdeal.spec.language.terms import NO_CARD, Term

LEAST_SHARED = 6
"""Terms in a condition from which on it is worth while to keep its value."""


class Source(Expressions):
    """Generates the source of an exploration."""

    def __init__(self, packing: Packing, record: Record, *, merge_tops: bool = False) -> None:
        super().__init__(packing)
        self.record = record
        self.normal_form = NormalForm(packing, merge_tops=merge_tops)
        self.words = [f"w{at}" for at in range(packing.words)]
        self.outs = [f"o{at}" for at in range(packing.words)]

    def whole(self) -> str:
        """The source of the module: successors of a state, its endings, normal forms and the search."""
        words, outs = ", ".join(self.words), ", ".join(self.outs)
        facts = self._facts()
        bits = {term: f"(s >> {bit} & 1 != 0)" for bit, term in enumerate(facts)}
        names = Names(dict(self.base), facts=bits)
        parts = [HELPERS, self._function(f"facts({words}, T)", self._stated(facts))]
        pools = [(f"eager_{at}", pool) for at, pool in enumerate(self.slice.eager)]
        events: dict[str, dict[int, Candidate]] = {}
        for number, one in enumerate(self.slice.candidates):
            events.setdefault(one.event.name, {})[number] = one
        calls = []
        for name, pool in [*pools, *events.items()]:
            if pool:
                body = self._tree(pool, list(pool), 0, names, 1, frozenset())
                parts.append(self._function(f"next_{name}({words}, T, s, {outs}, act, n)", [*body, "    return n"]))
                calls.append(f"    n = next_{name}({words}, T, s, {outs}, act, n)")
                if name not in events:
                    calls += ["    if n > k:", "        return k + 1"]
        parts += [f"def known_successors({words}, T, s, {outs}, act, k):", "    n = k", *calls, "    return n", ""]
        parts.append(f"def successors({words}, T, {outs}, act, k):")
        parts += [f"    return known_successors({words}, T, facts({words}, T), {outs}, act, k)", ""]
        body = ["    e = 0"]
        for bit, term in enumerate(self.slice.endings.values()):
            body += [f"    if {self.text(term, names)}:", f"        e = e | {1 << bit}"]
        parts.append(self._function(f"ending({words}, T, s)", [*body, "    return e"]))
        measure = self.text(self.slice.measure, names) if self.slice.measure else "0"
        parts.append(self._function(f"measure({words}, T)", [f"    return {measure}"]))
        tables = self.packing.tables
        tables.add("needs", [self.normal_form.needs(one, self._written(one)) for one in self.slice.candidates])
        parts += self.normal_form.source()
        normal = self.normal_form.calls(tables.at("needs", "a"), " " * 12)
        return "\n".join([*parts, search_source(self.record, len(self.slice.endings), normal)])

    def _function(self, head: str, body: list[str]) -> str:
        """A function of a state, whose fields are taken out of its words first."""
        return "\n".join([f"def {head}:", *self._unpacked(body), *body, ""])

    def _facts(self) -> list[Term]:
        """Conditions that several others ask for, each after those that it asks for itself."""
        askers: dict[Term, set[object]] = {}
        order: dict[Term, None] = {}
        for root in [*self.slice.endings.values(), *(one.condition for one in self.slice.candidates)]:
            for part in conjuncts(root):
                _gather(part, root, askers, order)
        many = [term for term in order if len(askers[term]) > 1 and len(list(terms.subterms(term))) >= LEAST_SHARED]
        return many[-WORD:]

    def _stated(self, facts: Sequence[Term]) -> list[str]:
        """Statements that find out facts, and return them as bits."""
        names = Names(dict(self.base))
        lines = []
        for bit, term in enumerate(facts):
            lines.append(f"    f{bit} = {self.text(term, names)}")
            names.facts[term] = f"f{bit}"
        return [
            *lines,
            "    return " + (" | ".join(f"(1 if f{bit} else 0) << {bit}" for bit in range(len(facts))) or "0"),
        ]

    def guard(self, candidate: Candidate, number: int) -> str:
        """The source of one guard by itself, for tests; it takes the tables from the global ``T``."""
        names = Names(dict(self.base), {name: [f"{name}{at}" for at in range(size)] for name, size in candidate.rows})
        cards = "".join(f", {card}" for row in names.rows.values() for card in row)
        body = [f"    return {self.text(candidate.guards[number].condition, names)}"]
        return "\n".join([HELPERS, f"def guard({', '.join(self.words)}{cards}):", *self._unpacked(body), *body, ""])

    def _unpacked(self, body: Iterable[str]) -> list[str]:
        whole = "\n".join(body)
        lines = []
        for name, one in self.packing.fields.items():
            if _mentions(whole, self.base[name]):
                lines.append(f"    {self.base[name]} = w{one.word} >> {one.shift} & {(1 << one.bits) - 1}")
        return lines

    def _tree(
        self,
        pool: Mapping[int, Candidate],
        numbers: list[int],
        at: int,
        names: Names,
        depth: int,
        asked: frozenset[Term],
    ) -> list[str]:
        """Nested conditions: what all candidates of a branch require is asked once, before they part."""
        parts = [conjuncts(pool[number].condition) for number in numbers]
        common = [one for one in parts[0] if one not in asked and all(one in other for other in parts[1:])]
        first = pool[numbers[0]]
        indent = "    " * depth
        lines: list[str] = []
        if len(numbers) == 1:
            return self._leaf(numbers[0], first, common, names, depth)
        common = [one for one in common if not _states_rows(one)]
        if common:
            lines.append(f"{indent}if {' and '.join(self.text(one, names) for one in fused('and', common))}:")
            depth += 1
        for value in first.event.choices[at].sort.values:
            branch = [number for number in numbers if pool[number].choices[at] == value]
            if branch:
                lines += self._tree(pool, branch, at + 1, names, depth, asked | frozenset(common))
        return lines

    def _leaf(self, number: int, one: Candidate, conditions: list[Term], names: Names, depth: int) -> list[str]:
        rows = {name: [f"{name}{at}" for at in range(size)] for name, size in one.rows}
        names = Names(names.fields, rows, names.facts)
        lines, card_filters = [], [term for term in conditions if _is_subset(term)]
        before = [self.text(term, names) for term in fused("and", (one for one in conditions if not _states_rows(one)))]
        before += self._first_of_its_like(one)
        if before:
            lines.append("    " * depth + f"if {' and '.join(before)}:")
            depth += 1
        for cards in names.rows.values():
            for at, card in enumerate(cards):
                lowest = f"{cards[at - 1]} + 1" if at else "0"
                lines.append("    " * depth + f"for {card} in range({lowest}, {NO_CARD}):")
                depth += 1
                for term in card_filters:
                    lines.append("    " * depth + f"if {self.text(term.args[0].args[0], names)} >> {card} & 1 == 0:")
                    lines.append("    " * (depth + 1) + "continue")
        after = [term for term in conditions if _states_rows(term) and term not in card_filters]
        if after:
            lines.append("    " * depth + f"if {' and '.join(self.text(term, names) for term in fused('and', after))}:")
            depth += 1
        lines += self._effects(one, names, depth)
        return [*lines, "    " * depth + f"act[n] = {number}", "    " * depth + "n = n + 1"]

    def _first_of_its_like(self, one: Candidate) -> list[str]:
        """Conditions that leave out an event whose namesake does the same: it goes to an empty place like another.

        Two empty places with equal cells can be swapped without changing the state, so what goes to the one leads to
        where it leads when it goes to the other, but for names.
        """
        lines = []
        for orbit in self.normal_form.orbits:
            places = [[name for name in row if name[0] == "perch"] for row in orbit.rows]
            for at, here in enumerate(places):
                if here and self._requires_empty(one, here[0]):
                    lines += [
                        f"(not ({self._alike(orbit.rows[other], orbit.rows[at])}))"
                        for other, there in enumerate(places[:at])
                        if there
                    ]
        return lines

    def _alike(self, row: Sequence[Name], empty: Sequence[Name]) -> str:
        parts = [f"{self.base[name]} == 0" for name in row if name[0] == "perch"]
        cells = zip(row, empty, strict=True)
        return " and ".join([*parts, *(f"{self.base[a]} == {self.base[b]}" for a, b in cells if a[0] == "cell")])

    def _requires_empty(self, one: Candidate, name: Name) -> bool:
        wanted = terms.const(0)
        return any(
            term.op == "eq" and term.args[0].op == "size" and term.args[1] is wanted and key_of(term.args[0]) == name[1]
            for term in conjuncts(one.condition)
        )

    def _effects(self, one: Candidate, names: Names, depth: int) -> list[str]:
        """Statements for a candidate's effects and the words that they lead to; reads follow the writes before."""
        written = self._written(one)
        inner = Names({**names.fields, **{name: f"n{self.base[name][1:]}" for name in written}}, names.rows)
        indent = "    " * depth
        lines = [f"{indent}{inner.fields[name]} = {self.base[name]}" for name in written]
        filled = frozenset[Term]().union(*(known_filled(part) for part in conjuncts(one.condition)))
        lines += self._statements(one.effects, inner, depth, filled)
        for word in range(self.packing.words):
            changed = [self.packing.fields[name] for name in written if self.packing.fields[name].word == word]
            text = f"w{word}"
            if changed:
                keep = ~sum(one.mask for one in changed) & ((1 << WORD) - 1)
                bits = [f"{inner.fields[one.aspect, one.key]} << {one.shift}" for one in changed]
                text = " | ".join([f"w{word} & {keep}", *bits])
            lines.append(f"{indent}o{word}[n] = {text}")
        return lines

    def _written(self, one: Candidate) -> list[Name]:
        """The fields that a candidate's effects may change."""
        return sorted({name for effect, _ in flat(one.effects) for name in self._writes(effect)})

    def _statements(self, effects: Iterable[Effect], names: Names, depth: int, filled: frozenset[Term]) -> list[str]:
        lines: list[str] = []
        indent = "    " * depth
        for effect in effects:
            if isinstance(effect, When):
                inner = self._statements(effect.effects, names, depth + 1, frozenset())
                if inner:
                    lines += [f"{indent}if {self.text(effect.condition, names)}:", *inner]
            elif self.slice.matters(effect):
                lines += [indent + line for line in self._one(effect, names, filled)]
        return lines

    def _writes(self, effect: Effect) -> list[Name]:
        found: list[Name] = []
        if self.slice.matters(effect):
            keys = []
            if isinstance(effect, Assign):
                keys = [(effect.cell, place(effect.index))]
            elif isinstance(effect, (Move, Lay)):
                keys = [
                    (effect.source, place(effect.source_index)),
                    (effect.target, place(effect.target_index)),
                ]
            found = [name for name in self.packing.fields if name[1] in keys]
        return found

    def _one(self, effect: Effect, names: Names, filled: frozenset[Term]) -> list[str]:
        if isinstance(effect, Assign):
            key = effect.cell, place(effect.index)
            one = self.packing.fields.get(("cell", key))
            if one is None:
                return []
            text = self.text(effect.value, names)
            if effect.value.sort.kind == "bool":
                text = str(terms.known(effect.value)) if terms.is_const(effect.value) else f"(1 if {text} else 0)"
            return [f"{names.fields['cell', key]} = {text}" + (f" - {one.low}" if one.low else "")]
        if isinstance(effect, Lay):
            source, target = effect.source, effect.target
            here = names.fields["cards", (source, place(effect.source_index))]
            there = names.fields.get(("cards", (target, place(effect.target_index))))
            laid = self.text(terms.node("named", (effect.row,), sort=CARDS), names)
            lines = [f"laid = {laid} & {here}", f"{here} = {here} & ~laid"]
            return [*lines, f"{there} = {there} | laid"] if there else lines
        assert isinstance(effect, Move)
        return self._move(effect, names, filled)

    def _move(self, effect: Move, names: Names, filled: frozenset[Term]) -> list[str]:
        source, target = (
            (effect.source, place(effect.source_index)),
            (effect.target, place(effect.target_index)),
        )
        size = terms.node("size", effect.source_index, effect.source, INT)
        one = self.packing.stack(source)
        if one is None:
            raise NotSupported(f"move from {source[0]}: it is no stack, or nothing is kept of it")
        name = names.fields[one.aspect, source]
        tables, table = self.packing.tables, self.packing.table
        lines = [f"card = {tables.at(table('top', source), name)}"]
        less = tables.at(table("less", source), name) if one.aspect == "perch" else f"{name} - 1"
        lines.append(f"{name} = {less}")
        goal = self.packing.stack(target)
        if goal:
            lines.append(f"{names.fields[goal.aspect, target]} = {tables.at(table('put', target), 'card')}")
        for aspect, text in (("top", "card"), ("size", "{0} + 1"), ("cards", "{0} | 1 << card")):
            if (aspect, target) in names.fields:
                there = names.fields[aspect, target]
                lines.append(f"{there} = {text.format(there)}")
        return lines if size in filled else [f"if {name} > 0:", *(f"    {line}" for line in lines)]


def _gather(term: Term, asker: object, askers: dict[Term, set[object]], order: dict[Term, None]) -> None:
    """Note who asks for the conditions in a term: the one around it, for a negation is asked for by nobody."""
    if term.sort.kind != "bool" or _states_rows(term):
        return
    known = term in askers
    askers.setdefault(term, set()).add(asker)
    if term.op in ("and", "or", "not", "ite") and (not known or term.op == "not"):
        for arg in term.args:
            _gather(arg, asker if term.op == "not" else term, askers, order)
    if term.op in ("and", "or"):
        order.setdefault(term)


_ROWS = ("row", "length", "repeated", "stranger", "named")


def _states_rows(term: Term) -> bool:
    return any(one.op in _ROWS for one in terms.subterms(term))


def _is_subset(term: Term) -> bool:
    return term.op == "eq" and term.args[0].op == "stranger" and term.args[1] is terms.card_value(NO_CARD)


def _mentions(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        if not text[at + len(name) : at + len(name) + 1].isdigit() and not text[at - 1 : at].isalnum():
            return True
        at = text.find(name, at + 1)
    return False
