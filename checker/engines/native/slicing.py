"""What an exploration has to keep: the part of the rules that counts from one start under some events.

Cells that no event assigns, or that none reads, fall away; the values of the others are narrowed by a fixpoint. The
result is the same for all deals of one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fairdeal.checker.engines.layout import Layout, NotSupported, State
from fairdeal.checker.engines.native.symmetry import Renaming, Rule, renamings
from fairdeal.checker.engines.python_source import combinations
from fairdeal.spec.language import terms
from fairdeal.spec.language.exploring import Symmetry
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.game import Event, Game, reported
from fairdeal.spec.language.recording import Assign, Effect, Guard, Lay, Move, When
from fairdeal.spec.language.sorts import CARD, CARDS, INT
from fairdeal.spec.language.specialise import option_binding, place, specialise
from fairdeal.spec.language.state import Variable
from fairdeal.spec.language.terms import NO_CARD, NO_RANK, Term

Key = tuple[str, tuple[int, ...]]
Where = Callable[..., Expr[bool]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event with its choices made and the length of its rows given, folded for one start."""

    event: Event
    choices: tuple[int, ...]
    rows: tuple[tuple[str, int], ...]
    guards: tuple[Guard, ...]
    condition: Term
    effects: tuple[Effect, ...]


def key_of(term: Term) -> Key:
    """The cell or zone that a term reads."""
    return str(term.value), place(term.args)


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
        symmetries: Iterable[Symmetry] = (),
        eager: Iterable[tuple[Event, Where | None]] = (),
        measure: Term | None = None,
    ) -> None:
        self.layout, self.start = Layout(game), start
        self.options = option_binding(game, options)
        self._recorded = [one for event, where in events for one in self._candidates(event, where, lengths or {})]
        self._endings = {name: terms.substitute(term, self.options) for name, term in endings.items()}
        self._measure = terms.substitute(measure, self.options) if measure else None
        rules = [Rule(one.event, one.choices, one.condition, one.effects) for one in self._recorded]
        self.renamings: dict[Symmetry, tuple[Renaming, ...]] = {
            one: renamings(one, self.layout.variables, rules, self._endings.values()) for one in symmetries
        }
        """For each symmetry that the record was checked to have, what generates it."""
        self.silent = self._silent()
        """Cells that nothing reads, however the options and the start may be."""
        self.values: dict[Key, set[int]] = {}
        """The values that a cell can take from this start on."""
        self.unbounded: set[Key] = set()
        """Cells for which no bound is known; they must not be read."""
        self.touched: set[Key] = set()
        self.pushed: set[Key] = set()
        self.candidates: list[Candidate] = []
        for key, at in self.layout.position.items():
            if self._variable(key).kind == "cell":
                self.values[key] = {int(start[at])}
        while self._widen():
            pass
        binding = self._binding(self._asked())
        self.endings = {name: terms.replace(term, binding) for name, term in self._endings.items()}
        self.measure = terms.replace(self._measure, binding) if self._measure else None
        """What every event lowers, if the page has such a measure."""
        self.eager = [self._eager(event, where) for event, where in eager]
        """For each event that is taken at once, its candidates by number, with the condition for that."""
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
            raise NotSupported(
                f"a {event.name} can name any number of cards, and only events of a fixed number of cards are searched "
                "to the end"
            )
        extra = where(**{one.name: Expr(one.term) for one in event.choices}).term if where else terms.TRUE
        for choices in combinations(event):
            binding = dict(self.options)
            for parameter, value in zip(event.choices, choices, strict=True):
                binding[parameter.term] = terms.const(value, parameter.sort)
            binding.update(reported(event, binding))
            record = specialise(event, choices, binding)
            condition = terms.conjoin([record.condition, terms.substitute(extra, binding)])
            yield Candidate(event, choices, rows, record.guards, condition, record.effects)

    def _widen(self) -> bool:
        """Fold every candidate under what cells and zones can be so far; whether that has let them be more."""
        before = self._extent()
        self.candidates = []
        for one in self._recorded:
            binding = self._binding(all_terms(one))
            condition = terms.replace(one.condition, binding)
            if condition is terms.FALSE:
                continue
            effects = tuple(folded(one.effects, binding))
            guards = tuple(
                Guard(terms.replace(guard.condition, binding), guard.clause, guard.template, ()) for guard in one.guards
            )
            self.candidates.append(Candidate(one.event, one.choices, one.rows, guards, condition, effects))
            for effect, _ in flat(effects):
                self._allow(effect)
        self._close_under_renaming()
        return before != self._extent()

    def _extent(self) -> tuple[int, ...]:
        sets: tuple[set[Key], ...] = (self.unbounded, self.touched, self.pushed)
        return sum(map(len, self.values.values())), *map(len, sets)

    def _allow(self, effect: Effect) -> None:
        match effect:
            case Assign():
                key = effect.cell, place(effect.index)
                possible = self._possible(effect.value)
                if possible is None:
                    self.unbounded.add(key)
                else:
                    self.values[key] |= possible
            case Move() | Lay():
                target = effect.target, place(effect.target_index)
                self.touched |= {(effect.source, place(effect.source_index)), target}
                self.pushed.add(target)
            case _:
                raise NotSupported(f"explored rounds do not gather cards: {effect}")

    def _silent(self) -> set[Key]:
        read: set[Key] = set()
        terms_read = [term for one in self._recorded for term in all_terms(one)]
        for term in [*terms_read, *self._asked()]:
            if term.op == "cell":
                read.add(key_of(term))
        return {key for key in self.layout.position if self._variable(key).kind == "cell"} - read

    def _asked(self) -> list[Term]:
        """Every term of what is asked of each state."""
        whole = [*self._endings.values(), *([self._measure] if self._measure else [])]
        return [term for one in whole for term in terms.subterms(one)]

    def _eager(self, event: Event, where: Where | None) -> dict[int, Candidate]:
        found = {}
        for number, one in enumerate(self.candidates):
            if one.event is event:
                binding = dict(self.options)
                binding |= {
                    choice.term: terms.const(value, choice.sort)
                    for choice, value in zip(event.choices, one.choices, strict=True)
                }
                extra = (
                    where(**{choice.name: Expr(choice.term) for choice in event.choices}).term if where else terms.TRUE
                )
                extra = terms.substitute(extra, binding)
                extra = terms.replace(extra, self._binding(terms.subterms(extra)))
                condition = terms.conjoin([one.condition, extra])
                if condition is not terms.FALSE:
                    found[number] = replace(one, condition=condition)
        return found

    def _close_under_renaming(self) -> None:
        """What a cell or zone can be, its namesakes can be too; so the folded rules keep their symmetries."""
        for generators in self.renamings.values():
            for one in generators:
                for key in list(self.values):
                    self.values[one.key(key)] |= {
                        one.value(self._variable(key).sort, value) for value in self.values[key]
                    }
                for zones in (self.unbounded, self.touched, self.pushed):
                    zones |= {one.key(key) for key in zones}

    def _possible(self, term: Term) -> set[int] | None:
        """The values that a term can have; ``None`` where no bound is known."""
        if terms.is_const(term):
            return {terms.known(term)}
        if term.op == "ite":
            one, two = self._possible(term.args[1]), self._possible(term.args[2])
            return None if one is None or two is None else one | two
        if term.op == "cell":
            return None if key_of(term) in self.unbounded else set(self.values[key_of(term)])
        if term.sort is INT or term.sort.kind in ("card", "cards"):
            return None
        return set(term.sort.values)

    def _binding(self, read: Iterable[Term]) -> dict[Term, Term]:
        """What is known already: cells with one value, comparisons that no value meets, zones that nothing touches."""
        binding: dict[Term, Term] = {}
        for term in read:
            if term.op == "cell":
                values = self.values[key_of(term)]
                if len(values) == 1 and key_of(term) not in self.unbounded:
                    binding[term] = terms.const(min(values), term.sort)
            elif term.op in ("size", "top", "cards") and key_of(term) not in self.touched:
                binding[term] = self._constant(term)
            elif self._is_empty_heap(term):
                top = terms.node("top", term.args[0].args, term.args[0].value, CARD)
                binding[term] = terms.equal(terms.rank(top), terms.const(NO_RANK))
            elif term.op == "eq" and self._never(*term.args):
                binding[term] = terms.FALSE
        return binding

    def _is_empty_heap(self, term: Term) -> bool:
        """Whether a heap is asked for being empty: its top tells it too, and its size need not be kept for that."""
        if term.op != "eq" or term.args[0].op != "size" or term.args[1] is not terms.const(0):
            return False
        key = key_of(term.args[0])
        return key in self.touched and self._variable(key).kind == "heap"

    def _never(self, left: Term, right: Term) -> bool:
        if left.op != "cell" or not terms.is_const(right) or key_of(left) in self.unbounded:
            return False
        return terms.known(right) not in self.values[key_of(left)]

    def _constant(self, term: Term) -> Term:
        zone = self.start[self.layout.position[key_of(term)]]
        if term.op == "top":
            return terms.const(zone[-1] if zone else NO_CARD, CARD)
        if term.op == "size":
            return terms.const(len(zone) if isinstance(zone, list) else zone.bit_count())
        return terms.const(sum(1 << code for code in zone) if isinstance(zone, list) else zone, CARDS)

    def _find_live(self) -> None:
        at_once = [one.condition for each in self.eager for one in each.values()]
        measure = [self.measure] if self.measure else []
        for term in [*self.endings.values(), *measure, *at_once, *(one.condition for one in self.candidates)]:
            self._reads(term)
        size = -1
        while size != len(self.live):
            size = len(self.live)
            for one in self.candidates:
                for effect, conditions in flat(one.effects):
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
                for effect, _ in flat(one.effects)
                if isinstance(effect, (Move, Lay)) and (effect.target, place(effect.target_index)) == key
            ]
            if pushes and (len(pushes) > 1 or size not in conjuncts(one.condition)):
                return False
        return True

    def _index(self, key: Key) -> Iterator[tuple[int, Any]]:
        return zip(key[1], self._variable(key).indices, strict=True)


def sees_ranks_only(term: Term) -> bool:
    """Whether a term reads tops through their ranks alone, and no sets."""
    if term.op in ("top", "cards", "listed"):
        return False
    return term.op == "rank" or all(map(sees_ranks_only, term.args))


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; none of what always holds."""
    return term.args if term.op == "and" else () if term is terms.TRUE else (term,)


def all_terms(one: Candidate) -> Iterator[Term]:
    """Every term of a candidate, each once."""
    seen: set[Term] = set()
    for term in (one.condition, *(guard.condition for guard in one.guards)):
        yield from terms.subterms(term, seen)
    for effect, conditions in flat(one.effects):
        for term in (*conditions, *([effect.value] if isinstance(effect, Assign) else [])):
            yield from terms.subterms(term, seen)


def flat(effects: Iterable[Effect], conditions: tuple[Term, ...] = ()) -> Iterator[tuple[Effect, tuple[Term, ...]]]:
    """Every effect that is no `when`, with the conditions around it."""
    for effect in effects:
        if isinstance(effect, When):
            yield from flat(effect.effects, (*conditions, effect.condition))
        else:
            yield effect, conditions


def folded(effects: Iterable[Effect], binding: Mapping[Term, Term]) -> Iterator[Effect]:
    """Effects with parts of their terms replaced; what cannot happen is gone."""
    for effect in effects:
        if isinstance(effect, When):
            condition = terms.replace(effect.condition, binding)
            inner = tuple(folded(effect.effects, binding)) if condition is not terms.FALSE else ()
            if condition is terms.TRUE:
                yield from inner
            elif inner:
                yield When(condition, inner)
        elif isinstance(effect, Assign):
            yield Assign(effect.cell, effect.index, terms.replace(effect.value, binding))
        else:
            yield effect
