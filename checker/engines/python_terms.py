"""Terms as Python expressions over the flat state, with what is known to hold put to use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from fairdeal.checker.engines.layout import Layout
from fairdeal.spec.language import terms
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.specialise import place
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term

TABULATED = frozenset({"and", "or", "not", "eq"})
RANK_ONLY = frozenset({"const", "and", "or", "not", "ite", "eq", "lt", "add", "sub", "rank"})
CODES = NO_CARD + 1
NOBODY = terms.card_value(NO_CARD)
"""What a row has for a card that is repeated or a stranger, where there is none."""


class Tables:
    """Look-up tables for relations between the ranks of one or two cards, each made once.

    A boolean term that sees cards only through their ranks is a table of `CODES` rows; the generated source reads it
    instead of doing arithmetic. A table is named after its content, so that kept source can find it again.
    """

    def __init__(self) -> None:
        self.names: dict[Term, str] = {}
        self.constants: dict[tuple[str, tuple[int, ...]], str] = {}
        self.bytes: dict[str, Any] = {}

    def name(self, relation: Term, places: tuple[Term, ...]) -> str:
        """The name of the table for a relation over placeholder cards."""
        found = self.names.get(relation)
        if found is None:
            found = self.names[relation] = f"T_{terms.digest(relation, {})[:8]}"
            if found not in self.bytes:
                self.bytes[found] = tabulate(relation, places)
        return found

    def listing(self, masks: tuple[int, ...]) -> str:
        """The name of a finite table of sets of cards."""
        return self._constant("L", frozenset(masks), masks)

    def weights(self, worth: tuple[int, ...]) -> str:
        """The name of the pairs of a worth and the set of all cards that have it; what is worth nothing is left out."""
        pairs = tuple(
            (value, sum(15 << 4 * rank for rank, each in enumerate(worth) if each == value))
            for value in sorted(set(worth) - {0})
        )
        return self._constant("W", pairs, worth)

    def _constant(self, letter: str, content: Any, key: tuple[int, ...]) -> str:
        found = self.constants.get((letter, key))
        if found is None:
            digest = sha256(repr(key).encode()).hexdigest()[:8]
            found = self.constants[letter, key] = f"{letter}_{digest}"
            self.bytes[found] = content
        return found


def tabulate(relation: Term, places: tuple[Term, ...]) -> bytes:
    """Every value of a relation between the ranks of one or two cards, row by row of card codes."""
    ranks = [*range(13), NO_RANK]
    rank_terms = [terms.rank(place) for place in places]
    value: dict[tuple[int, ...], bool] = {}
    for one in ranks:
        for two in ranks if len(places) == 2 else [None]:
            binding = {rank_terms[0]: terms.const(one)}
            if two is not None:
                binding[rank_terms[1]] = terms.const(two)
            key = (one,) if two is None else (one, two)
            value[key] = terms.replace(relation, binding) is terms.TRUE
    code_rank = [code // 4 for code in range(NO_CARD)] + [NO_RANK]
    if len(places) == 1:
        return bytes(value[rank,] for rank in code_rank)
    return bytes(value[one, two] for one in code_rank for two in code_rank)


def ranked_cards(term: Term, found: dict[Term, None]) -> bool:
    """Whether a term sees only ranks; the cards whose ranks it sees are collected in ``found``."""
    if term.op == "rank":
        found[term.args[0]] = None
        return True
    return term.op in RANK_ONLY and all(ranked_cards(arg, found) for arg in term.args)


OFTEN = 3
"""Times that a condition must ask a part for the part to be asked once, before the rest."""

_CHEAP = frozenset({"const", "cell", "top", "and", "or", "not", "eq", "lt"})


def often_asked(term: Term) -> list[Term]:
    """Parts of a condition that are asked again and again and cheap to ask once, smaller ones first."""
    times: Counter[Term] = Counter()
    todo = [term]
    while todo:
        one = todo.pop()
        times[one] += 1
        seen: dict[Term, None] = {}
        if one.op in TABULATED and ranked_cards(one, seen) and seen:
            todo += seen
        elif one.op not in ("cell", "top"):
            todo += one.args
    chosen = [
        one
        for one, count in times.items()
        if count >= OFTEN and one.op != "const" and all(part.op in _CHEAP for part in terms.subterms(one))
    ]
    return sorted(chosen, key=lambda one: len(set(terms.subterms(one))))


class Expression:
    """Translates terms to Python source; ``names`` says how parameters are called there."""

    def __init__(
        self, layout: Layout, tables: Tables, names: dict[str, str], shared: Mapping[Term, str] | None = None
    ) -> None:
        self.layout, self.tables, self.names = layout, tables, names
        self.shared = dict(shared or {})
        """Conditions that are functions of the state in the generated source, with the text that asks them."""
        self.masks: dict[str, str] = {}
        """Rows whose cards are wanted as a set, with the names of the variables that hold it."""
        self.unions: dict[tuple[str, ...], str] = {}
        """Sets of the cards of several rows, by the sets of each, with the names of the variables that hold them."""
        self.sizes: dict[tuple[str, ...], str] = {}
        """Rows whose sizes are wanted together, with the names of the variables that hold the sum."""

    def text(self, term: Term, filled: frozenset[Term] = frozenset()) -> str:
        """Source for a term; ``filled`` holds the zones, by their size term, that are known not to be empty."""
        if term in self.shared:
            return self.shared[term]
        if term.op == "add" and all(one.op in ("add", "length") for one in terms.subterms(term) if one.op != "row"):
            return self._size(summed_rows(term))
        table = self._table(term, filled)
        if table:
            return table
        match term.op:
            case "const":
                return str(bool(terms.known(term)) if term.sort.kind == "bool" else term.value)
            case "param":
                return self.names[str(term.value)]
            case "and":
                return self._chain("and", term.args, filled)
            case "or":
                return self._chain("or", term.args, filled)
            case "not":
                return self._negation(term.args[0], filled)
            case "ite":
                condition, then, otherwise = (self.text(arg, filled) for arg in term.args)
                return f"({then} if {condition} else {otherwise})"
            case "eq":
                return self._equality(term, filled)
            case "lt" | "add" | "sub" | "union" | "common":
                sign = {"lt": "<", "add": "+", "sub": "-", "union": "|", "common": "&"}[term.op]
                return "(" + f" {sign} ".join(self.text(arg, filled) for arg in term.args) + ")"
            case "rank":
                card = self.text(term.args[0], filled)
                return f"RANK[{card}]"
            case "cell":
                return self._at(term)
            case "size":
                return f"{self._at(term)}.bit_count()" if self._is_bag(term) else f"len({self._at(term)})"
            case "top":
                return self._top(term, filled)
            case "cards":
                return self._at(term) if self._is_bag(term) else f"mask({self._at(term)})"
            case "member":
                card, among = (self.text(arg, filled) for arg in term.args)
                return f"({among} >> {card} & 1)"
            case "listed":
                assert isinstance(term.value, tuple)
                return f"({self.text(term.args[0], filled)} in {self.tables.listing(term.value)})"
            case "weight":
                assert isinstance(term.value, tuple)
                return f"weight({self.text(term.args[0], filled)}, {self.tables.weights(term.value)})"
            case "count":
                return f"{self.text(term.args[0], filled)}.bit_count()"
            case "length":
                return f"len({self.row(term.args[0])})"
            case "repeated":
                return f"({NO_CARD} if {self._orderly(term)} else repeated({self._rows(term.args)}))"
            case "stranger":
                among = self.text(term.args[0], filled)
                return f"({NO_CARD} if {self._orderly(term)} else stranger({among}, {self._rows(term.args[1:])}))"
            case "named":
                return self._union(term.args)
        raise NotImplementedError(f"no Python for {term.op}")

    def condition(self, name: str, term: Term) -> str:
        """The source of a function that asks a condition of the state; what it asks often, it asks once."""
        asked: dict[str, str] = {}
        for number, part in enumerate(often_asked(term)):
            if part not in self.shared:
                text = self.text(part)
                asked[f"o{number}"] = text
                self.shared[part] = f"o{number}"
        result = self.text(term)
        used, lines = set(re.findall(r"o\d+", result)), []
        for variable, text in reversed(asked.items()):
            if variable in used:
                used |= set(re.findall(r"o\d+", text))
                lines.append(f"    {variable} = {text}\n")
        return f"def {name}(s):\n{''.join(reversed(lines))}    return {result}\n"

    def value(self, term: Term) -> str:
        """Source for a term whose value is kept or compared: a truth is then True or False, and not a list of cards."""
        plain = term.sort.kind != "bool" or term.op in ("const", "cell", "param")
        return self.text(term) if plain else f"bool({self.text(term)})"

    def row(self, term: Term) -> str:
        """Source for a row of cards that a line states."""
        assert isinstance(term.value, tuple)
        name, part = term.value
        return self.names[name] if part is None else f"{self.names[name]}[{part}]"

    def before(self) -> list[str]:
        """Statements that set the variables which the texts made so far refer to."""
        masks = [f"    {name} = 1 << {row}[0] if len({row}) == 1 else mask({row})" for row, name in self.masks.items()]
        unions = [f"    {name} = {' | '.join(each)}" for each, name in self.unions.items()]
        sizes = [f"    {name} = {' + '.join(f'len({row})' for row in rows)}" for rows, name in self.sizes.items()]
        return masks + unions + sizes

    def row_mask(self, term: Term) -> str:
        """The variable that holds a row's cards as a set."""
        return self.masks.setdefault(self.row(term), f"m{len(self.masks)}")

    def _union(self, rows: Iterable[Term]) -> str:
        masks = tuple([self.row_mask(row) for row in rows])
        return masks[0] if len(masks) == 1 else self.unions.setdefault(masks, f"u{len(self.unions)}")

    def _size(self, rows: Iterable[Term]) -> str:
        texts = tuple(sorted(self.row(row) for row in rows))
        return self.sizes.setdefault(texts, f"n{len(self.sizes)}")

    def _orderly(self, term: Term) -> str:
        """Source for whether no card of some rows is repeated, or a stranger."""
        if term.op == "repeated":
            return f"{self._union(term.args)}.bit_count() == {self._size(term.args)}"
        return f"not {self._union(term.args[1:])} & ~({self.text(term.args[0])})"

    def _rows(self, rows: Iterable[Term]) -> str:
        return ", ".join(self.row(row) for row in rows)

    def _at(self, term: Term) -> str:
        return f"s[{self.layout.position[str(term.value), place(term.args)]}]"

    def _is_bag(self, term: Term) -> bool:
        return self.layout.variables[str(term.value)].kind == "bag"

    def _top(self, term: Term, filled: frozenset[Term]) -> str:
        zone = self._at(term)
        return f"{zone}[-1]" if size_of(term) in filled else f"({zone}[-1] if {zone} else {NO_CARD})"

    def _table(self, term: Term, filled: frozenset[Term]) -> str:
        cards: dict[Term, None] = {}
        if term.op not in TABULATED or not ranked_cards(term, cards) or not 1 <= len(cards) <= 2:
            return ""
        holders = tuple(terms.node("param", (), f"#{number}", card.sort) for number, card in enumerate(cards))
        binding = {terms.rank(card): terms.rank(holder) for card, holder in zip(cards, holders, strict=True)}
        name = self.tables.name(terms.replace(term, binding), holders)
        texts = [self.text(card, filled) for card in cards]
        return f"{name}[{texts[0]}]" if len(texts) == 1 else f"{name}[{texts[0]} * {CODES} + {texts[1]}]"

    def _negation(self, term: Term, filled: frozenset[Term]) -> str:
        if term.op == "eq" and term.args[0].op == "size" and term.args[1] is terms.const(0):
            return self._at(term.args[0])
        if term.op == "eq" and term.args[0].sort.kind != "bool":
            return self._equality(term, filled, "!=")
        if term.op == "lt":
            left, right = (self.text(arg, filled) for arg in term.args)
            return f"({left} >= {right})"
        return f"(not {self.text(term, filled)})"

    def _equality(self, term: Term, filled: frozenset[Term], sign: str = "==") -> str:
        left, right = term.args
        if sign == "==" and left.op in ("repeated", "stranger") and right is NOBODY:
            return f"({self._orderly(left)})"
        if sign == "==" and left.op == "size" and terms.is_const(right) and terms.known(right) == 0:
            return f"(not {self._at(left)})"
        if left.sort.kind == "bool":
            return f"({self.value(left)} {sign} {self.value(right)})"
        return f"({self.text(left, filled)} {sign} {self.text(right, filled)})"

    def _chain(self, word: str, parts: tuple[Term, ...], filled: frozenset[Term]) -> str:
        texts = []
        for part in narrowed(self._settled(parts)) if word == "and" else parts:
            texts.append(self.text(part, filled))
            if word == "and":
                filled = filled | known_filled(part)
        return "(" + f" {word} ".join(texts) + ")"

    def _settled(self, parts: tuple[Term, ...]) -> tuple[Term, ...]:
        """A conjunction in which what some parts say of a cell is put to use in the others.

        Parts that ask a condition by its function are left alone, for it is found there by what it is.
        """
        facts = [fact for fact in map(stated, parts) if fact is not None]
        known = {cell: value for cell, value, _ in facts}
        kept = {part for _, _, part in facts if known}
        if not known or len(known) < len(facts):
            return parts
        result, done = [], dict[Term, Term]()
        for part in parts:
            free = part not in kept and not any(one in self.shared for one in terms.subterms(part))
            rest = terms.replace(part, known, done) if free else part
            if rest is not terms.TRUE:
                result.append(rest)
        return tuple(result)


def stated(part: Term) -> tuple[Term, Term, Term] | None:
    """What a condition says of a cell, if it says that and nothing else: the cell, its value, and the condition."""
    if part.op == "cell":
        return part, terms.TRUE, part
    if part.op == "not" and part.args[0].op == "cell":
        return part.args[0], terms.FALSE, part
    if part.op == "eq" and part.args[0].op == "cell" and terms.is_const(part.args[1]):
        return part.args[0], part.args[1], part
    return None


def size_of(term: Term) -> Term:
    """The size of the zone that a ``top`` or ``cards`` term reads."""
    return terms.node("size", term.args, term.value, INT)


def known_filled(term: Term) -> frozenset[Term]:
    """The zones, by their size term, that cannot be empty where the term is true."""
    if term.op == "not" and term.args[0].op == "eq":
        left, right = term.args[0].args
        if left.op == "size" and terms.is_const(right) and terms.known(right) == 0:
            return frozenset({left})
    return frozenset()


def summed_rows(term: Term) -> list[Term]:
    """The rows whose lengths a term adds up."""
    return [term.args[0]] if term.op == "length" else [row for arg in term.args for row in summed_rows(arg)]


def narrowed(parts: tuple[Term, ...]) -> list[Term]:
    """A conjunction in which a cell that all but one value is ruled out for is asked for that one value."""
    excluded: dict[Term, set[int]] = {}
    for part in parts:
        if part.op == "not" and part.args[0].op == "eq":
            cell, value = part.args[0].args
            ruled_out = terms.is_const(value) and cell.sort.kind == "enum" and terms.known(value) in cell.sort.values
            if cell.op == "cell" and ruled_out:
                excluded.setdefault(cell, set()).add(terms.known(value))
    single = {
        cell: (set(cell.sort.values) - values).pop()
        for cell, values in excluded.items()
        if len(values) == len(cell.sort.values) - 1
    }
    result: list[Term] = []
    for part in parts:
        asked = part.args[0].args[0] if part.op == "not" and part.args[0].op == "eq" else None
        if asked is not None and asked in single and terms.is_const(part.args[0].args[1]):
            sole = terms.equal(asked, terms.const(single[asked], asked.sort))
            if sole not in result:
                result.append(sole)
        else:
            result.append(part)
    return result
