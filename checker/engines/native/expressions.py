"""Expressions: terms of the rules as source over the fields of a packed state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fairdeal.checker.engines.layout import NotSupported
from fairdeal.checker.engines.native.packing import RANKS, Name, Packing
from fairdeal.checker.engines.native.slicing import key_of
from fairdeal.checker.engines.python_terms import ranked_cards, tabulate
from fairdeal.spec.language import terms
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term


@dataclass(slots=True)
class Names:
    """How the source calls fields, and the cards of rows, at one point of it."""

    fields: dict[Name, str]
    rows: dict[str, list[str]] = field(default_factory=dict)
    facts: dict[Term, str] = field(default_factory=dict)
    """Conditions whose value is known by a name; of the state before, so not among effects."""


def related(term: Term) -> dict[Term, None]:
    """The two cards of which a term says something through their ranks alone; none if it says something else."""
    cards: dict[Term, None] = {}
    is_relation = term.op in ("and", "or", "not", "eq") and ranked_cards(term, cards) and len(cards) == 2
    return cards if is_relation else {}


def fused(op: str, parts: Iterable[Term]) -> list[Term]:
    """Parts of a conjunction or an alternative, with what they say of the same two cards made one: one look-up."""
    groups: dict[object, list[Term]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(frozenset(related(part)) or number, []).append(part)
    join = terms.conjoin if op == "and" else terms.disjoin
    return [join(group) if len(group) > 1 else group[0] for group in groups.values()]


class Expressions:
    """Translates terms to source over the fields of a packed state."""

    def __init__(self, packing: Packing) -> None:
        self.packing, self.slice = packing, packing.slice
        self._relations: dict[Term, str] = {}
        self.base = {name: f"v{at}" for at, name in enumerate(packing.fields)}

    def text(self, term: Term, names: Names) -> str:
        """Source for a term; one that holds or not is a comparison."""
        if term in names.facts:
            return names.facts[term]
        relation = self._relation(term, names)
        if relation:
            return relation
        args = term.args
        match term.op:
            case "const":
                return str(bool(term.value)) if term.sort.kind == "bool" else str(term.value)
            case "and" | "or":
                return "(" + f" {term.op} ".join(self.text(arg, names) for arg in fused(term.op, args)) + ")"
            case "not":
                return f"(not {self.text(args[0], names)})"
            case "ite":
                condition, then, otherwise = (self.text(arg, names) for arg in args)
                return f"({then} if {condition} else {otherwise})"
            case "eq" | "lt" | "add" | "sub" | "union":
                if term.op == "eq" and args[0].op == "size" and args[1] is terms.const(0):
                    return self._bare(args[0], names)
                sign = {"eq": "==", "lt": "<", "add": "+", "sub": "-", "union": "|"}[term.op]
                return f"({self.text(args[0], names)} {sign} {self.text(args[1], names)})"
            case "cell":
                one = self.packing.fields["cell", key_of(term)]
                name = names.fields["cell", key_of(term)]
                if term.sort.kind == "bool":
                    return f"({name} != 0)"
                return f"({name} + {one.low})" if one.low else name
            case "rank":
                card = self.text(args[0], names)
                if self.slice.by_rank:
                    return f"({card} if {card} < {RANKS} else {NO_RANK})"
                return f"({card} >> 2 if {card} < {NO_CARD} else {NO_RANK})"
            case "top" | "size" | "cards":
                return self._zone(term, names)
            case "member":
                return f"(({self.text(args[1], names)} >> {self.text(args[0], names)} & 1) != 0)"
            case "count":
                return f"popcount({self.text(args[0], names)})"
            case "listed":
                assert isinstance(term.value, tuple)
                first = self.packing.tables.first[self._table("listed", term.value)]
                return f"found(T, {first}, {first + len(term.value)}, {self.text(args[0], names)})"
        return self._rows(term, names)

    def _rows(self, term: Term, names: Names) -> str:
        match term.op:
            case "length":
                return str(len(self._cards(term.args, names)))
            case "named":
                return "(" + " | ".join(f"1 << {card}" for card in self._cards(term.args, names)) + ")"
            case "stranger":
                among, result = self.text(term.args[0], names), str(NO_CARD)
                for card in reversed(self._cards(term.args[1:], names)):
                    result = f"({result} if {among} >> {card} & 1 else {card})"
                return result
            case "repeated":
                return str(NO_CARD)  # the loops over a row's cards ascend
        raise NotSupported(f"no native source for {term.op}: {term!r}")

    def _cards(self, rows: Iterable[Term], names: Names) -> list[str]:
        return [card for row in rows for card in names.rows[str(row.value[0])]]  # type: ignore[index]

    def _bare(self, term: Term, names: Names) -> str:
        one = self.packing.stack(key_of(term))
        return f"({names.fields[one.aspect, one.key]} == 0)" if one else f"({self._zone(term, names)} == 0)"

    def _zone(self, term: Term, names: Names) -> str:
        key = key_of(term)
        one = self.packing.stack(key)
        if one:
            name = names.fields[one.aspect, key]
            if term.op == "size" and one.aspect == "height":
                return name
            return self.packing.tables.at(self.packing.table(term.op, key), name)
        if (term.op, key) in names.fields:
            return names.fields[term.op, key]
        return f"popcount({names.fields['cards', key]})"

    def _relation(self, term: Term, names: Names) -> str:
        cards = related(term)
        if not cards:
            return ""
        holders = tuple(terms.node("param", (), f"#{number}", card.sort) for number, card in enumerate(cards))
        ranks = {terms.rank(card): terms.rank(holder) for card, holder in zip(cards, holders, strict=True)}
        relation = terms.replace(term, ranks)
        size = self.packing.no_card + 1
        if relation not in self._relations:
            whole, step = tabulate(relation, holders), 4 if self.slice.by_rank else 1
            codes = [min(code * step, NO_CARD) for code in range(size)]
            table = [whole[one * (NO_CARD + 1) + two] for one in codes for two in codes]
            self._relations[relation] = self._table("follows", table)
        one, two = (self.text(card, names) for card in cards)
        entry = self.packing.tables.at(self._relations[relation], f"{one} * {size} + {two}")
        return f"({entry} != 0)"

    def _table(self, kind: str, table: Sequence[int]) -> str:
        name = f"{kind}_{len(self.packing.tables.first)}"
        self.packing.tables.add(name, table)
        return name
