"""The native back end: integer states of a few words, and source that numba compiles, both made from the record.

For one start and a set of events it works out what later guards and endings can still read, and keeps no more:

- a cell that no event assigns, or that none reads, is no part of the state; the values of the others are narrowed
- a stack that nothing is put on is a height over a table of its cards
- a stack that cards are put on only while it is empty is a height, or the one card that lies there
- a heap is its top; its size and set are kept where something reads them
- where cards are seen through their ranks alone, ranks are what is kept

The generated source is plain Python over whole numbers below 2**63. Without numba it runs as it is, slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairdeal.checker.engines.layout import Layout, NotSupported, State
from fairdeal.checker.engines.python_source import combinations
from fairdeal.checker.engines.python_terms import known_filled, ranked_cards, tabulate
from fairdeal.spec.language import terms
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game, reported
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, When
from fairdeal.spec.language.sorts import CARD, CARDS, INT
from fairdeal.spec.language.specialise import bind, option_binding, place
from fairdeal.spec.language.state import Variable
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term

WORD = 63
"""Bits of a word: what a signed 64-bit integer holds without a sign."""
RANKS = 13
Key = tuple[str, tuple[int, ...]]
Where = Callable[..., Expr[bool]]
Words = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event with its choices made and the length of its rows given, folded for one start."""

    event: Event
    choices: tuple[int, ...]
    rows: tuple[tuple[str, int], ...]
    guards: tuple[Guard, ...]
    condition: Term
    effects: tuple[Effect, ...]


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


def key_of(term: Term) -> Key:
    """The cell or zone that a term reads."""
    return str(term.value), place(term.args)


# ---------------------------------------------------------------- what an exploration has to keep


class Slice:
    """The part of the rules that counts from one start under some events: candidates folded, live cells and zones."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int],
        start: State,
        events: Iterable[tuple[Event, Where | None]],
        endings: Mapping[str, Term],
        lengths: Mapping[str, int] | None = None,
    ) -> None:
        self.layout, self.start = Layout(game), start
        self.options = option_binding(game, options)
        self._recorded = [one for event, where in events for one in self._candidates(event, where, lengths or {})]
        self._endings = {name: terms.substitute(term, self.options) for name, term in endings.items()}
        self.values: dict[Key, set[int]] = {}
        """The values that a cell can take from this start on."""
        self.touched: set[Key] = set()
        self.pushed: set[Key] = set()
        self.candidates: list[Candidate] = []
        for key, at in self.layout.position.items():
            if self._variable(key).kind == "cell":
                self.values[key] = {int(start[at])}
        while self._widen():
            pass
        binding = self._binding([term for ending in self._endings.values() for term in terms.subterms(ending)])
        self.endings = {name: terms.replace(term, binding) for name, term in self._endings.items()}
        self.live: set[tuple[str, Key]] = set()
        """What is read: ``cell``, ``size``, ``top`` or ``cards``, and of what."""
        self._read: list[Term] = []
        self._find_live()
        self.by_rank = all(sees_ranks_only(term) for term in self._read)
        """Whether no guard tells two cards of one rank apart."""

    def _variable(self, key: Key) -> Variable:
        return self.layout.variables[key[0]]

    def _candidates(self, event: Event, where: Where | None, lengths: Mapping[str, int]) -> Iterator[Candidate]:
        rows = tuple(
            (one.name, lengths[one.name]) for one in event.reports if one.role == "rows" and one.name in lengths
        )
        if len(rows) != sum(one.role == "rows" for one in event.parameters):
            raise NotSupported(f"{event.name}: rows need a given length")
        extra = where(**{one.name: Expr(one.term) for one in event.choices}).term if where else terms.TRUE
        for choices in combinations(event):
            binding = dict(self.options)
            for parameter, value in zip(event.choices, choices, strict=True):
                binding[parameter.term] = terms.const(value, parameter.sort)
            binding.update(reported(event, binding))
            record = bind(event, choices, binding)
            condition = terms.conjoin([record.condition, terms.substitute(extra, binding)])
            yield Candidate(event, choices, rows, record.guards, condition, record.effects)

    def _widen(self) -> bool:
        """Fold every candidate under what cells and zones can be so far; whether that has let them be more."""
        before = sum(map(len, self.values.values())), len(self.touched), len(self.pushed)
        self.candidates = []
        for one in self._recorded:
            binding = self._binding(_all_terms(one))
            condition = terms.replace(one.condition, binding)
            if condition is terms.FALSE:
                continue
            effects = tuple(_folded(one.effects, binding))
            guards = tuple(
                Guard(terms.replace(guard.condition, binding), guard.clause, guard.template, ()) for guard in one.guards
            )
            self.candidates.append(Candidate(one.event, one.choices, one.rows, guards, condition, effects))
            for effect, _ in _flat(effects):
                self._allow(effect)
        return before != (sum(map(len, self.values.values())), len(self.touched), len(self.pushed))

    def _allow(self, effect: Effect) -> None:
        match effect:
            case Assign():
                self.values[effect.cell, place(effect.index)] |= self._possible(effect.value)
            case Move() | Lay():
                target = effect.target, place(effect.target_index)
                self.touched |= {(effect.source, place(effect.source_index)), target}
                self.pushed.add(target)
            case _:
                raise NotSupported(f"explored rounds do not gather cards: {effect}")

    def _possible(self, term: Term) -> set[int]:
        if terms.is_const(term):
            return {terms.known(term)}
        if term.op == "ite":
            return self._possible(term.args[1]) | self._possible(term.args[2])
        if term.op == "cell":
            return set(self.values[key_of(term)])
        if term.sort is INT or term.sort.kind in ("card", "cards"):
            raise NotSupported(f"no bound is known for {term!r}")
        return set(term.sort.values)

    def _binding(self, read: Iterable[Term]) -> dict[Term, Term]:
        """What is known already: cells with one value, comparisons that no value meets, zones that nothing touches."""
        binding: dict[Term, Term] = {}
        for term in read:
            if term.op == "cell":
                values = self.values[key_of(term)]
                if len(values) == 1:
                    binding[term] = terms.const(min(values), term.sort)
            elif term.op in ("size", "top", "cards") and key_of(term) not in self.touched:
                binding[term] = self._constant(term)
            elif term.op == "eq" and self._never(*term.args):
                binding[term] = terms.FALSE
        return binding

    def _never(self, left: Term, right: Term) -> bool:
        return left.op == "cell" and terms.is_const(right) and terms.known(right) not in self.values[key_of(left)]

    def _constant(self, term: Term) -> Term:
        zone = self.start[self.layout.position[key_of(term)]]
        if term.op == "top":
            return terms.const(zone[-1] if zone else NO_CARD, CARD)
        if term.op == "size":
            return terms.const(len(zone) if isinstance(zone, list) else zone.bit_count())
        return terms.const(sum(1 << code for code in zone) if isinstance(zone, list) else zone, CARDS)

    def _find_live(self) -> None:
        for term in [*self.endings.values(), *(one.condition for one in self.candidates)]:
            self._reads(term)
        size = -1
        while size != len(self.live):
            size = len(self.live)
            for one in self.candidates:
                for effect, conditions in _flat(one.effects):
                    if self.matters(effect):
                        for condition in conditions:
                            self._reads(condition)
                        self._needs(effect)

    def matters(self, effect: Effect) -> bool:
        """Whether an effect changes anything that is read."""
        match effect:
            case Assign():
                return ("cell", (effect.cell, place(effect.index))) in self.live
            case Move() | Lay():
                zones = (
                    (effect.source, place(effect.source_index)),
                    (effect.target, place(effect.target_index)),
                )
                return any((aspect, zone) in self.live for zone in zones for aspect in ("size", "top", "cards"))
        return False

    def _needs(self, effect: Effect) -> None:
        match effect:
            case Assign():
                self._reads(effect.value)
            case Move():
                if ("top", (effect.target, place(effect.target_index))) in self.live:
                    self.live.add(("top", (effect.source, place(effect.source_index))))
            case Lay():
                self.live.add(("cards", (effect.source, place(effect.source_index))))

    def _reads(self, term: Term) -> None:
        self._read.append(term)
        for one in terms.subterms(term):
            if one.op in ("cell", "size", "top", "cards"):
                self.live.add((one.op, key_of(one)))

    def only_while_empty(self, key: Key) -> bool:
        """Whether every event that puts a card on this stack requires it to be empty, and puts one."""
        size = terms.equal(
            terms.node("size", [terms.const(at, sort) for at, sort in self._index(key)], key[0], INT),
            terms.const(0),
        )
        for one in self.candidates:
            pushes = [
                effect
                for effect, _ in _flat(one.effects)
                if isinstance(effect, (Move, Lay)) and (effect.target, place(effect.target_index)) == key
            ]
            if pushes and (len(pushes) > 1 or size not in _conjuncts(one.condition)):
                return False
        return True

    def _index(self, key: Key) -> Iterator[tuple[int, Any]]:
        return zip(key[1], self._variable(key).indices, strict=True)


def sees_ranks_only(term: Term) -> bool:
    """Whether a term reads tops through their ranks alone, and no sets."""
    if term.op in ("top", "cards", "listed"):
        return False
    return term.op == "rank" or all(map(sees_ranks_only, term.args))


def _conjuncts(term: Term) -> tuple[Term, ...]:
    return term.args if term.op == "and" else () if term is terms.TRUE else (term,)


def _all_terms(one: Candidate) -> Iterator[Term]:
    seen: set[Term] = set()
    for term in (one.condition, *(guard.condition for guard in one.guards)):
        yield from terms.subterms(term, seen)
    for effect, conditions in _flat(one.effects):
        for term in (*conditions, *([effect.value] if isinstance(effect, Assign) else [])):
            yield from terms.subterms(term, seen)


def _flat(effects: Iterable[Effect], conditions: tuple[Term, ...] = ()) -> Iterator[tuple[Effect, tuple[Term, ...]]]:
    for effect in effects:
        if isinstance(effect, When):
            yield from _flat(effect.effects, (*conditions, effect.condition))
        else:
            yield effect, conditions


def _folded(effects: Iterable[Effect], binding: Mapping[Term, Term]) -> Iterator[Effect]:
    for effect in effects:
        if isinstance(effect, When):
            condition = terms.replace(effect.condition, binding)
            inner = tuple(_folded(effect.effects, binding)) if condition is not terms.FALSE else ()
            if condition is terms.TRUE:
                yield from inner
            elif inner:
                yield When(condition, inner)
        elif isinstance(effect, Assign):
            yield Assign(effect.cell, effect.index, terms.replace(effect.value, binding))
        else:
            yield effect


# ---------------------------------------------------------------- packing


class Packing:
    """How the live part of a state lies in words."""

    def __init__(self, part: Slice) -> None:
        self.slice = part
        self.no_card = RANKS if part.by_rank else NO_CARD
        self.tables: dict[str, list[int]] = {}
        self.fields: dict[tuple[str, Key], Field] = {}
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
        """The name of a table for a stack."""
        return f"{kind}_{key[0]}_{'_'.join(map(str, key[1]))}"

    def _encoded(self, one: Field, part: Any) -> int:
        match one.aspect:
            case "cell":
                return int(part)
            case "height":
                return len(part)
            case "perch":
                shown, base = [self.view(card) for card in part], self._base(one.key)
                return len(shown) if shown == base[: len(shown)] else self.tables[self.table("put", one.key)][shown[0]]
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
        if key not in self.slice.pushed:
            self.tables[self.table("top", key)] = [self.no_card, *base]
            return Field(key, "height", height.bit_length())
        if not self.slice.only_while_empty(key):
            raise NotSupported(f"{key[0]}{list(key[1])}: cards are put on it while others lie there")
        tops, sizes, less, put = [self.no_card, *base], [*range(height + 1)], [0, *range(height)], []
        for card in range(self.no_card):
            if base and card == base[0]:
                put.append(1)
                continue
            put.append(len(tops))
            tops.append(card)
            sizes.append(1)
            less.append(0)
        for kind, table in (("top", tops), ("size", sizes), ("less", less), ("put", put)):
            self.tables[self.table(kind, key)] = table
        return Field(key, "perch", (len(tops) - 1).bit_length())

    def _place(self, one: Field) -> None:
        used: dict[int, int] = {}
        for other in self.fields.values():
            used[other.word] = max(used.get(other.word, 0), other.shift + other.bits)
        word = next(word for word in range(len(used) + 1) if used.get(word, 0) + one.bits <= WORD)
        self.fields[one.aspect, one.key] = Field(one.key, one.aspect, one.bits, one.low, word, used.get(word, 0))


# ---------------------------------------------------------------- source


@dataclass(slots=True)
class Names:
    """How the source calls fields, and the cards of rows, at one point of it."""

    fields: dict[tuple[str, Key], str]
    rows: dict[str, list[str]] = field(default_factory=dict)


class Source:
    """Generates the source of an exploration."""

    def __init__(self, packing: Packing) -> None:
        self.packing, self.slice = packing, packing.slice
        self.tables: dict[str, list[int]] = dict(packing.tables)
        self._relations: dict[Term, str] = {}
        self.base = {name: f"v{at}" for at, name in enumerate(packing.fields)}

    # ------------------------------------------------------------ terms

    def text(self, term: Term, names: Names) -> str:
        """Source for a term; one that holds or not is a comparison."""
        relation = self._relation(term, names)
        if relation:
            return relation
        args = term.args
        match term.op:
            case "const":
                return str(bool(term.value)) if term.sort.kind == "bool" else str(term.value)
            case "and" | "or":
                return "(" + f" {term.op} ".join(self.text(arg, names) for arg in args) + ")"
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
                name = self._table("listed", list(term.value))
                return f"found({name}, {len(term.value)}, {self.text(args[0], names)})"
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
            return f"{self.packing.table(term.op, key)}[{name}]"
        if (term.op, key) in names.fields:
            return names.fields[term.op, key]
        return f"popcount({names.fields['cards', key]})"

    def _relation(self, term: Term, names: Names) -> str:
        cards: dict[Term, None] = {}
        if term.op not in ("and", "or", "not", "eq") or not ranked_cards(term, cards) or len(cards) != 2:
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
        return f"({self._relations[relation]}[{one} * {size} + {two}] != 0)"

    def _table(self, kind: str, table: list[int]) -> str:
        for name, known in self.tables.items():
            if name.startswith(kind) and known == table:
                return name
        name = f"{kind}_{len(self.tables)}"
        self.tables[name] = table
        return name

    # ------------------------------------------------------------ statements

    def effects(self, one: Candidate, names: Names, depth: int) -> list[str]:
        """Statements for a candidate's effects and the words that they lead to; reads follow the writes before."""
        written = sorted({name for effect, _ in _flat(one.effects) for name in self._writes(effect)})
        inner = Names({**names.fields, **{name: f"n{self.base[name][1:]}" for name in written}}, names.rows)
        indent = "    " * depth
        lines = [f"{indent}{inner.fields[name]} = {self.base[name]}" for name in written]
        filled = frozenset[Term]().union(*(known_filled(part) for part in _conjuncts(one.condition)))
        lines += self._effects(one.effects, inner, depth, filled)
        for word in range(self.packing.words):
            changed = [self.packing.fields[name] for name in written if self.packing.fields[name].word == word]
            text = f"w{word}"
            if changed:
                keep = ~sum(one.mask for one in changed) & ((1 << WORD) - 1)
                bits = [f"{inner.fields[one.aspect, one.key]} << {one.shift}" for one in changed]
                text = " | ".join([f"w{word} & {keep}", *bits])
            lines.append(f"{indent}o{word}[n] = {text}")
        return lines

    def _effects(self, effects: Iterable[Effect], names: Names, depth: int, filled: frozenset[Term]) -> list[str]:
        lines: list[str] = []
        indent = "    " * depth
        for effect in effects:
            if isinstance(effect, When):
                inner = self._effects(effect.effects, names, depth + 1, frozenset())
                if inner:
                    lines += [f"{indent}if {self.text(effect.condition, names)}:", *inner]
            elif self.slice.matters(effect):
                lines += [indent + line for line in self._one(effect, names, filled)]
        return lines

    def _writes(self, effect: Effect) -> list[tuple[str, Key]]:
        found: list[tuple[str, Key]] = []
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
        lines = [f"card = {self.packing.table('top', source)}[{name}]"]
        less = f"{self.packing.table('less', source)}[{name}]" if one.aspect == "perch" else f"{name} - 1"
        lines.append(f"{name} = {less}")
        goal = self.packing.stack(target)
        if goal:
            lines.append(f"{names.fields[goal.aspect, target]} = {self.packing.table('put', target)}[card]")
        for aspect, text in (("top", "card"), ("size", "{0} + 1"), ("cards", "{0} | 1 << card")):
            if (aspect, target) in names.fields:
                there = names.fields[aspect, target]
                lines.append(f"{there} = {text.format(there)}")
        return lines if size in filled else [f"if {name} > 0:", *(f"    {line}" for line in lines)]

    # ------------------------------------------------------------ functions

    def whole(self) -> str:
        """The source of the module: successors of a state, its endings, and the search."""
        words = ", ".join(f"w{at}" for at in range(self.packing.words))
        outs = ", ".join(f"o{at}" for at in range(self.packing.words))
        parts = [_HELPERS]
        names = Names(dict(self.base))
        events: list[tuple[str, list[int]]] = []
        for number, one in enumerate(self.slice.candidates):
            if not events or events[-1][0] != one.event.name:
                events.append((one.event.name, []))
            events[-1][1].append(number)
        for name, numbers in events:
            body = self._tree(numbers, 0, names, 1, frozenset())
            parts.append(f"def next_{name}({words}, {outs}, act, n):")
            parts += [*self._unpacked(body), *body, "    return n", ""]
        calls = [f"    n = next_{name}({words}, {outs}, act, n)" for name, _ in events]
        parts += [f"def successors({words}, {outs}, act):", "    n = 0", *calls, "    return n", ""]
        body = ["    e = 0"]
        for bit, term in enumerate(self.slice.endings.values()):
            body += [f"    if {self.text(term, names)}:", f"        e = e | {1 << bit}"]
        parts += [f"def ending({words}):", *self._unpacked(body), *body, "    return e", ""]
        return "\n".join([*parts, self._search()])

    def guard(self, candidate: Candidate, number: int) -> str:
        """The source of one guard by itself, for tests."""
        words = ", ".join(f"w{at}" for at in range(self.packing.words))
        names = Names(dict(self.base), {name: [f"{name}{at}" for at in range(size)] for name, size in candidate.rows})
        cards = "".join(f", {card}" for row in names.rows.values() for card in row)
        body = [f"    return {self.text(candidate.guards[number].condition, names)}"]
        return "\n".join([_HELPERS, f"def guard({words}{cards}):", *self._unpacked(body), *body, ""])

    def _unpacked(self, body: Iterable[str]) -> list[str]:
        whole = "\n".join(body)
        lines = []
        for name, one in self.packing.fields.items():
            if _mentions(whole, self.base[name]):
                lines.append(f"    {self.base[name]} = w{one.word} >> {one.shift} & {(1 << one.bits) - 1}")
        return lines

    def _tree(self, numbers: list[int], at: int, names: Names, depth: int, asked: frozenset[Term]) -> list[str]:
        """Nested conditions: what all candidates of a branch require is asked once, before they part."""
        parts = [_conjuncts(self.slice.candidates[number].condition) for number in numbers]
        common = [one for one in parts[0] if one not in asked and all(one in other for other in parts[1:])]
        first = self.slice.candidates[numbers[0]]
        indent = "    " * depth
        lines: list[str] = []
        if len(numbers) == 1:
            return self._leaf(numbers[0], common, names, depth)
        common = [one for one in common if not _states_rows(one)]
        if common:
            lines.append(f"{indent}if {' and '.join(self.text(one, names) for one in common)}:")
            depth += 1
        for value in first.event.choices[at].sort.values:
            branch = [number for number in numbers if self.slice.candidates[number].choices[at] == value]
            if branch:
                lines += self._tree(branch, at + 1, names, depth, asked | frozenset(common))
        return lines

    def _leaf(self, number: int, conditions: list[Term], names: Names, depth: int) -> list[str]:
        one = self.slice.candidates[number]
        names = Names(names.fields, {name: [f"{name}{at}" for at in range(size)] for name, size in one.rows})
        lines, card_filters = [], [term for term in conditions if _is_subset(term)]
        before = [term for term in conditions if not _states_rows(term)]
        if before:
            lines.append("    " * depth + f"if {' and '.join(self.text(term, names) for term in before)}:")
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
            lines.append("    " * depth + f"if {' and '.join(self.text(term, names) for term in after)}:")
            depth += 1
        lines += self.effects(one, names, depth)
        return [*lines, "    " * depth + f"act[n] = {number}", "    " * depth + "n = n + 1"]

    def _search(self) -> str:
        words = range(self.packing.words)

        def each(template: str, joint: str = ", ") -> str:
            return joint.join(template.format(at) for at in words)

        mixed = " ^ ".join(f"w{at} * {_MIX[at % len(_MIX)] + 2 * at}" for at in words)
        return _SEARCH.format(
            w=each("w{0}"),
            q=each("q{0}"),
            o=each("o{0}"),
            mixed=mixed,
            load=each("        w{0} = q{0}[head]", "\n"),
            take=each("            w{0} = o{0}[i]", "\n"),
            same=each("q{0}[j] == w{0}", " and "),
            store=each("                    q{0}[count] = w{0}", "\n"),
            reload=each("        w{0} = q{0}[at]", "\n"),
            dead=1 << len(self.slice.endings),
        )


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


_MIX = (0x2545F4914F6CDD1D, 0x1B873593CC9E2D51, 0x38B34AE5A1E38B93)

_HELPERS = """\
def popcount(x):
    n = 0
    while x:
        x = x & (x - 1)
        n = n + 1
    return n

def found(table, size, x):
    low = 0
    high = size
    while low < high:
        middle = (low + high) >> 1
        if table[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low < size and table[low] == x
"""

_SEARCH = """\
def mixed({w}):
    h = ({mixed}) & 0x7FFFFFFFFFFFFFFF
    return h ^ h >> 31

def expand({q}, table, head, count, limit, ends, {o}, act):
    last = len(table) - 1
    arcs = 0
    while head < count and count < limit:
{load}
        e = ending({w})
        k = successors({w}, {o}, act)
        if k == 0 and e == 0:
            e = {dead}
        ends[e] = ends[e] + 1
        arcs = arcs + k
        for i in range(k):
{take}
            h = mixed({w}) & last
            while True:
                j = table[h] - 1
                if j < 0:
                    table[h] = count + 1
{store}
                    count = count + 1
                    break
                if {same}:
                    break
                h = (h + 1) & last
        head = head + 1
    return head, count, arcs

def refill({q}, table, count):
    last = len(table) - 1
    for at in range(count):
{reload}
        h = mixed({w}) & last
        while table[h]:
            h = (h + 1) & last
        table[h] = at + 1
"""


# ---------------------------------------------------------------- running it


@dataclass(frozen=True, slots=True)
class Closure:
    """Everything reachable from a start."""

    states: int
    arcs: int
    endings: dict[str, int]
    """How many states end in which way; ways that hold together are joined by ``+``, and ``dead`` is none of them."""
    words: list[Words]


class Native:
    """The explorer of one start under some events."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int],
        start: State,
        events: Iterable[tuple[Event, Where | None]],
        endings: Mapping[str, Term],
        *,
        lengths: Mapping[str, int] | None = None,
        compiled: bool = True,
    ) -> None:
        self.slice = Slice(game, options, start, events, endings, lengths)
        self.packing = Packing(self.slice)
        self.generator = Source(self.packing)
        self.source = self.generator.whole()
        self.compiled = compiled
        self._names = self._load(self.source)
        self._room = 2 + sum(1326 if one.rows else 1 for one in self.slice.candidates)

    def successors(self, words: Words) -> list[tuple[Candidate, Words]]:
        """What can follow."""
        outs = [self._zeros(self._room) for _ in words]
        act = self._zeros(self._room)
        count = self._names["successors"](*words, *outs, act)
        return [(self.slice.candidates[int(act[at])], tuple(int(out[at]) for out in outs)) for at in range(int(count))]

    def guard(self, candidate: Candidate, number: int) -> Callable[..., bool]:
        """One guard by itself, over words and the cards of rows; never compiled."""
        source = self.generator.guard(candidate, number)
        space: dict[str, Any] = dict(self.generator.tables)
        exec(compile(source, "<guard>", "exec"), space)
        guard: Callable[..., bool] = space["guard"]
        return guard

    def closure(self, start: Words | None = None, most: int = 1 << 26, room: int = 1 << 12) -> Closure:
        """Every state that can be reached.

        Raises:
            MemoryError: there are more than ``most``.
        """
        first = self.packing.project(self.slice.start) if start is None else start
        size, head, count, arcs = room, 0, 1, 0
        queue = [self._zeros(size) for _ in first]
        for row, word in zip(queue, first, strict=True):
            row[0] = word
        table = self._zeros(2 * size)
        outs, act = [self._zeros(self._room) for _ in first], self._zeros(self._room)
        ends = self._zeros(2 << len(self.slice.endings))
        while True:
            self._names["refill"](*queue, table, count)
            head, count, more = map(
                int, self._names["expand"](*queue, table, head, count, size - self._room, ends, *outs, act)
            )
            arcs += more
            if head == count:
                break
            if size >= most:
                raise MemoryError(f"more than {most} states")
            size *= 4
            queue = [self._grown(row, size) for row in queue]
            table = self._zeros(2 * size)
        names = list(self.slice.endings)
        endings = {}
        for code, number in enumerate(ends):
            if code and number:
                held = [name for bit, name in enumerate(names) if code >> bit & 1]
                endings["+".join(held) or "dead"] = int(number)
        return Closure(
            count,
            arcs,
            endings,
            [tuple(map(int, one)) for one in zip(*(row[:count] for row in queue), strict=True)],
        )

    def _zeros(self, size: int) -> Any:
        if not self.compiled:
            return [0] * size
        import numpy as np

        return np.zeros(size, np.int64)

    def _grown(self, row: Any, size: int) -> Any:
        new = self._zeros(size)
        new[: len(row)] = row
        return new if self.compiled else row + [0] * (size - len(row))

    def _load(self, source: str) -> dict[str, Any]:
        space: dict[str, Any] = dict(self.generator.tables)
        if self.compiled:
            import numba
            import numpy as np

            space = {name: np.array(table, np.int64) for name, table in space.items()}
            source = source.replace("\ndef ", "\n@njit\ndef ")
            space["njit"] = numba.njit
            source = source.replace("def popcount", "@njit\ndef popcount", 1)
        exec(compile(source, "<native>", "exec"), space)
        return space
