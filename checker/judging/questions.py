"""Questions: lines that cards which were not recorded left open, and what later lines that show these cards answer.

`A meld ?? ?? ??` may be a meld. When `see meld m1: 5S 5H 7D` shows what it was, it is judged again, on the table as it
was then, with each choice of the cards shown that its own cards may have been.

What hangs on numbers that no line has told yet, such as the win of a log that begins at a later round, is judged again
as soon as later lines have told them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple

from fairdeal.checker.engines import bags
from fairdeal.checker.engines.interpreter import is_partial, same_card
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.findings import Fault
from fairdeal.checker.judging.referee import Referee, Ruling
from fairdeal.checker.verdict import Finding
from fairdeal.spec.cards import NO_CARD
from fairdeal.spec.language.recording import Lay, Move

MOST_KEPT = 200
"""Questions of a game that are kept; of more, the latest."""

MOST_CHOICES = 2_000
"""Choices of cards for which a line is judged again; if there are more it stays open."""


@dataclass(slots=True)
class Question:
    """A line that is open, with what is needed to judge it again."""

    fault: Fault
    bound: Bound
    table: State
    """The table that it is judged on again: as it was before the line, but for what later lines tell."""
    text: str
    offset: int
    finding: Finding | None
    """What was said of it, if it was put into words."""


@dataclass(slots=True)
class Unshown(Question):
    """A line whose cards were not recorded and now lie where a later line may show them."""

    parameter: str
    """What names these cards: a row, or a card."""
    source: int
    """Position of the place that they came from."""
    target: int
    """Position of the place that they went to."""


class Answer(NamedTuple):
    """What a line turns out to be: as its cards have it, on the table as it was."""

    question: Unshown
    bound: Bound
    before: State
    ruling: Ruling
    among: tuple[int, ...] = ()
    """The cards of which its own may be any, where the line that shows them does not tell which."""


class Questions:
    """The open lines of one game whose cards still lie where the line has put them."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.waiting: list[Unshown] = []
        self.untold: list[Question] = []

    def ask(self, fault: Fault, before: State, text: str, offset: int, finding: Finding | None) -> None:
        """Note a line that is open, if it puts cards that were not recorded where a later line can show them."""
        bound, ruling = fault.bound, fault.ruling
        if bound is None:
            return
        if ruling is not None and any(guard.unrecorded for guard in ruling.open):
            self.untold.append(Question(fault, bound, copy(before), text, offset, finding))
            del self.untold[:-MOST_KEPT]
            return
        moves = list(self._moves(bound))
        if len(moves) == 1:
            self.waiting.append(Unshown(fault, bound, copy(before), text, offset, finding, *moves[0]))
            del self.waiting[:-MOST_KEPT]

    def _moves(self, bound: Bound) -> Iterator[tuple[str, int, int]]:
        """The parameters that name cards which were not recorded and are moved, each with from where and to where."""
        at = self.referee.interpreter.position
        for effect in bound.event.effects:
            if not isinstance(effect, Lay | Move):
                continue
            source = at(effect.source, effect.source_index, [], bound.values)
            target = at(effect.target, effect.target_index, [], bound.values)
            names = self._rows(effect) if isinstance(effect, Lay) else self.referee.names_of_top(bound, source)
            for name in names:
                if any(map(is_partial, self._codes(bound, name))):
                    yield name, source, target

    def _rows(self, effect: Lay) -> list[str]:
        """The parameter that is the row; none for one of several rows, as of a deal, which is not judged again."""
        assert isinstance(effect.row.value, tuple)
        name, number = effect.row.value
        return [name] if number is None else []

    def _codes(self, bound: Bound, name: str) -> tuple[int, ...]:
        value = bound.values[name]
        return value if isinstance(value, tuple) else (value,)

    def forget(self, positions: Collection[int]) -> None:
        """What lies at these positions is not what the lines have put there."""
        self.waiting = [one for one in self.waiting if one.target not in positions]

    def told_by(self, bound: Bound) -> list[tuple[Question, Ruling]]:
        """The lines that hung on what a further line now tells, each with what the rules say of it; then it is settled.

        Another round tells nothing more of them.
        """
        game = self.referee.binder.game
        found: list[tuple[Question, Ruling]] = []
        if bound.event.name == game.entry:
            self.untold.clear()
        if bound.event.observation or bound.body.refused is not None:
            return found
        for one in list(self.untold):
            here = self.referee.rule(bound, one.table)
            if not here.lawful or here.open:
                continue
            self.referee.apply(bound, one.table)
            ruling = self.referee.rule(one.bound, one.table)
            if ruling.failed or not ruling.open:
                self.untold.remove(one)
                found.append((one, ruling))
        return found

    def answers(self, bound: Bound, state: State) -> list[Answer]:
        """What a line that may be so answers, before it is carried out; what then can be told no more is forgotten."""
        shown = copy(state)
        self.referee.learn(bound, shown)
        found, left = [], []
        taken = self.referee.taken_from(bound)
        for question in self.waiting:
            answer = self._answer(question, shown)
            if answer is not None:
                found.append(answer)
            elif question.target not in taken:
                left.append(question)
        self.waiting = left
        return found

    def _answer(self, question: Unshown, shown: State) -> Answer | None:
        """The answer, where it is the same for each choice: lawful, or broken by the same guards."""
        first: Answer | None = None
        for number, (bound, before) in enumerate(self._choices(question, shown)):
            ruling = self.referee.rule(bound, before)
            if first is None:
                first = Answer(question, bound, before, ruling)
            common = tuple(guard for guard in first.ruling.failed if guard in ruling.failed)
            if ruling.conflict != NO_CARD or number == MOST_CHOICES or bool(common) is ruling.lawful:
                return None
            if ruling.lawful and (ruling.open or first.ruling.failed):
                return None
            stated = self._codes(bound, question.parameter)
            among = (*first.among, *(card for card in stated if card not in first.among))
            first = first._replace(ruling=replace(first.ruling, failed=common), among=among)
        if first is not None and len(first.among) == len(self._codes(first.bound, question.parameter)):
            return first._replace(among=())
        return first

    def _choices(self, question: Unshown, shown: State) -> Iterator[tuple[Bound, State]]:
        """The line with each choice of cards that it may have had, and the table before it as that has it."""
        bound, target = question.bound, question.target
        codes = self._codes(bound, question.parameter)
        before, after = question.table[target], shown[target]
        if isinstance(after, list):
            cards = tuple(after[len(before) : len(before) + len(codes)])
            if len(cards) == len(codes) and not any(map(is_partial, cards)):
                yield self._filled(question, cards, None)
            return
        if bags.unknown(after):
            return
        new = [card for card in bags.cards(after) if not before >> card & 1]
        for cards in _fitting(codes, new):
            rest = [card for card in new if card not in cards]
            for earlier in combinations(rest, bags.unknown(before)):
                yield self._filled(question, cards, bags.put_all(before & bags.KNOWN, earlier))

    def _filled(self, question: Unshown, cards: tuple[int, ...], target: int | None) -> tuple[Bound, State]:
        bound, table = question.bound, copy(question.table)
        is_row = isinstance(bound.values[question.parameter], tuple)
        source = table[question.source]
        if isinstance(source, list) and source and is_partial(source[-1]):
            source[-1] = cards[0]
        if target is not None:
            table[question.target] = target
        values = {**bound.values, question.parameter: cards if is_row else cards[0]}
        named = [*cards, *(code for code in bound.cards if not is_partial(code))]
        return bound._replace(values=values, partial=False, cards=tuple(dict.fromkeys(named))), table


def _fitting(codes: Sequence[int], among: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The choices of different cards that a row's codes may stand for; only one order of each set of cards."""
    known = [code for code in codes if not is_partial(code)]
    hidden = [code for code in codes if is_partial(code)]
    if any(code not in among for code in known):
        return
    free = [card for card in among if card not in known]
    seen: set[frozenset[int]] = set()
    if len(set(hidden)) <= 1:  # as nearly always: what is not known of them is the same for all
        fitting = [card for card in free if not hidden or same_card(hidden[0], card) is None]
        yield from ((*known, *some) for some in combinations(fitting, len(hidden)))
        return
    for some in product(*([card for card in free if same_card(code, card) is None] for code in hidden)):
        if len(set(some)) == len(some) and frozenset(some) not in seen:
            seen.add(frozenset(some))
            yield (*known, *some)
