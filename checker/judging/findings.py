"""Findings: from what the rules say of a line to what a person reads about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from fairdeal.checker.engines.layout import State
from fairdeal.checker.judging.binding import Binder, Bound
from fairdeal.checker.judging.board import draw, lying
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.judging.lawful import lawful_texts
from fairdeal.checker.judging.referee import Referee, Ruling, reading
from fairdeal.checker.judging.wording import Wording, the_same_of, word
from fairdeal.checker.reading.errors import NotationError, shown
from fairdeal.checker.reading.values import PLAYERS, kind, read_card
from fairdeal.checker.verdict import Finding, Related, Severity
from fairdeal.spec.cards import NO_CARD, NOT_A_CARD, card_name
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Guard, Lay, Move, Pick

if TYPE_CHECKING:
    from fairdeal.checker.judging.run import Run

WORD = re.compile(r"[^ \t|/\",\[\]]+")
"""What stands between the marks of a line, in text and in JSON."""

_ROW = re.compile(r"\[[^\[\]]*\]|[^ \t|\[\],](?:[^|\[\]]*[^ \t|\[\],])?")
"""One of several rows of cards, in text and in JSON."""

SHOWN = 6
"""Lawful events that a finding names; further ones are counted."""

WIDEST_MARK = 60
"""Columns that rows of cards may take to be marked; of wider ones the verb is, so that the line's beginning is seen."""

LOOK_BACK = 5000
"""How many lines back the place that a finding clashes with is looked for."""


OUT_OF_PLACE = frozenset({"LOG-ROUND", "LOG-END"})
"""Codes of a line that stands where none of its kind belongs: in no round, or in none that is far enough."""


@dataclass(slots=True)
class Fault:
    """What is wrong with a line, before it is put into words."""

    code: str
    severity: Severity
    bound: Bound | None = None
    ruling: Ruling | None = None
    kind: str = "plain"
    line: int = 0
    follows: int | None = None

    @staticmethod
    def ruled(bound: Bound, ruling: Ruling) -> Fault:
        """A line that fails guards, or that unknown cards leave open."""
        if ruling.failed:
            return Fault(ruling.failed[0].clause, Severity.ERROR, bound, ruling, "failed")
        if ruling.conflict != NO_CARD:
            return Fault("", Severity.ERROR, bound, ruling, "conflict")
        return Fault(ruling.hanging or ruling.open[0].clause, Severity.UNKNOWN, bound, ruling, "open")

    @staticmethod
    def refused(bound: Bound, ruling: Ruling) -> Fault:
        """An attempt that was refused although nothing stands against it."""
        severity = Severity.UNKNOWN if ruling.open else Severity.ERROR
        return Fault("LOG-REFUSED", severity, bound, ruling, "refused")

    @staticmethod
    def beyond(bound: Bound) -> Fault:
        """A choice outside its range, such as a sixth stock."""
        assert bound.beyond is not None
        parameter = bound.beyond[0]
        code = bound.event.beyond.get(parameter.name, parameter.sort.beyond[0])
        return Fault(code or "LOG-SYNTAX", Severity.ERROR, bound, None, "beyond")

    @staticmethod
    def rubbish(bound: Bound) -> Fault:
        """An entry that is no card."""
        return Fault("LOG-CARD", Severity.ERROR, bound, None, "rubbish")


@dataclass(slots=True)
class Explainer:
    """Puts faults into words; ``chosen`` names the options that the log or the call has fixed."""

    binder: Binder
    chosen: frozenset[str]
    limit: int = 100
    """Findings of a game that are put into words."""
    board: bool = False
    """Whether each shows the table just before its line."""
    players: Sequence[str] = ()
    """What the header calls the players, A first."""

    def plain(
        self, code: str, severity: Severity, line: int, message: str, source: str, start: int, end: int, hint: str = ""
    ) -> Finding:
        """A finding that needs no rule to explain it; columns count from 0."""
        return Finding(code, severity, line, start + 1, max(end, start + 1) + 1, message, source, hint=hint)

    def remarked(self, bound: Bound, line: int, source: str, offset: int) -> Iterator[Finding]:
        """What is worth a word about a lawful line."""
        words = {
            one.name: word(one.sort, bound.values[one.name]) for one in bound.event.reports if one.role == "report"
        }
        words |= {one.name: word(one.sort, bound.values[one.name]) for one in bound.event.choices}
        start, end = bound.body.spans["verb"]
        for one in bound.event.remarks:
            message = one.template.format(**words)
            yield self.plain(one.clause, Severity.NOTE, line, message, source, offset + start, offset + end)

    def wrong_reason(self, bound: Bound, broken: Sequence[str], line: int, source: str, offset: int) -> Finding:
        """A refusal that is right, but not for the log's reason: ``broken`` clauses, or that nothing is done."""
        why = f"it breaks {', '.join(dict.fromkeys(broken))}" if broken else "it would change nothing"
        message = f"rightly refused, but not for the reason `{bound.body.refused}`: {why}"
        start, end = bound.body.spans["refused"]
        return self.plain("LOG-REASON", Severity.NOTE, line, message, source, offset + start, offset + end)

    def malformed(self, line: int, error: NotationError, source: str, code: str = "LOG-SYNTAX") -> Finding:
        """A line that is not in the notation."""
        hint = self._letter_meant(error, source) or error.hint
        return self.plain(code, Severity.ERROR, line, error.message, source, error.column, error.end_column, hint)

    def _letter_meant(self, error: NotationError, source: str) -> str:
        """The line with the player's letter, where it has the name that the header gives to the player."""
        before, said, after = (
            source[: error.column],
            source[error.column : error.end_column],
            source[error.end_column :].rstrip(),
        )
        for letter, name in zip(PLAYERS, self.players, strict=False):
            if name in PLAYERS or said.strip('"').rstrip(" :").casefold() != name.casefold():
                continue
            if not said.startswith('"'):
                return f"{letter} is {name}: did you mean {shown(f'{before}{letter}{after}')}?"
            if "player" in error.message:
                return f'{letter} is {name}: did you mean "{letter}"?'
        return ""

    def cut(self, line: int, source: str) -> Finding:
        """The log breaks off within its last line."""
        message = "the log breaks off within this line, which has no line end and is no event"
        return self.plain("LOG-CUT", Severity.NOTE, line, message, source, 0, len(source.rstrip()))

    def given_up(self, line: int, count: str) -> Finding:
        """So much is wrong that the rest of the game is not judged."""
        message = f"{count}: its remaining lines are not judged"
        return self.plain("LOG-LIMIT", Severity.NOTE, line, message, "", 0, 1)

    def explain(self, fault: Fault, run: Run, source: str, offset: int) -> Finding:
        """The finding for a fault of a line whose body begins ``offset`` columns in."""
        bound = fault.bound
        assert bound is not None
        code, message, part, also = self._words(fault, run.state, run.labels)
        start, end = bound.body.spans.get(part) or bound.body.spans.get("verb") or (0, 1)
        start, end = self._cards_at(fault, run.state, source[offset:], (start, end))
        finding = Finding(
            *(code, fault.severity, fault.line, offset + start + 1, offset + max(end, start + 1) + 1, message, source),
            also=also,
            follows_from=fault.follows,
        )
        if fault.follows is not None:
            return finding
        readings, hint = self._readings(fault, run.state)
        legal = [] if fault.kind in ("refused", "rubbish") or bound.event.observation else self._legal(fault, run)
        return replace(
            finding,
            readings=readings,
            hint=hint,
            related=tuple(self._related(fault, run)),
            legal=tuple(legal[:SHOWN]),
            legal_total=len(legal),
            board=draw(self.binder, run.state, run.labels) if self.board else "",
        )

    def _cards_at(self, fault: Fault, state: State, text: str, span: tuple[int, int]) -> tuple[int, int]:
        """Where a line has the cards that the fault speaks of, in its rows of cards; the span itself if nowhere."""
        bound, ruling = fault.bound, fault.ruling
        if bound is None or not bound.has_rows:
            return span
        wanted = NOT_A_CARD if fault.kind == "rubbish" else NO_CARD
        if fault.kind == "conflict" and ruling is not None:
            wanted = ruling.conflict
        elif fault.kind == "failed" and ruling is not None:
            guard = ruling.failed[0]
            cards = [term for _, term in guard.fields if term.sort.kind == "card"]
            wanted = self.binder.interpreter.value(cards[0], state, bound.values) if cards else NO_CARD
            if wanted == NO_CARD:
                rows = Referee(self.binder).rows_at_fault(guard, bound, state)
                start, end = rows_within(text, bound.body.spans, rows) or span
                return (start, end) if end - start <= WIDEST_MARK else span
        if wanted == NO_CARD:
            return span
        return last_naming(wanted, text, bound) or span

    def _words(self, fault: Fault, state: State, labels: Labels) -> tuple[str, str, str, tuple[str, ...]]:
        """Code, message, the part of the line at fault, further clauses."""
        bound, ruling, game = fault.bound, fault.ruling, self.binder.game
        assert bound is not None
        referee = Referee(self.binder)
        match fault.kind:
            case "beyond":
                assert bound.beyond is not None
                parameter, value = bound.beyond
                return fault.code, parameter.sort.beyond[1].format(value=value), parameter.name, ()
            case "rubbish":
                return fault.code, "`!!` is no card", _card_part(bound), ()
            case "refused":
                if fault.severity is Severity.UNKNOWN:
                    assert ruling is not None
                    cards = ", ".join(Wording(referee).undecided(ruling.open, bound, state))
                    return (
                        fault.code,
                        f"whether the refusal is right hangs on what was not recorded: {cards}",
                        "verb",
                        (),
                    )
                cites = ", ".join(self._cited(bound, state)[:2])
                return fault.code, f"this was refused, and the rules allow it ({cites})", "refused", ()
            case "conflict":
                assert ruling is not None
                others = [code for code in referee.crowded(bound, state) if code != ruling.conflict]
                place = self._lies(ruling.conflict, state, labels)
                where = f"it is in {place}" if place else "it is known to lie elsewhere"
                message = f"{card_name(ruling.conflict)} cannot be here: {where}"
                return game.one_deck, message + the_same_of(others), _card_part(bound), ()
            case "open":
                assert ruling is not None
                cards = ", ".join(Wording(referee).undecided(ruling.open, bound, state))
                return fault.code, f"not recorded, and it decides: {cards or 'cards'}", _card_part(bound), ()
        assert ruling is not None
        guard = ruling.failed[0]
        also = dict.fromkeys(_broken_besides(ruling.failed))
        message = Wording(referee).message(guard, bound, state, lambda card: self._lies(card, state, labels))
        return guard.clause, message, _part(guard, bound), tuple(also)

    def _cited(self, bound: Bound, state: State) -> list[str]:
        """The clauses of which a line is a case on this table, those that its event cites first."""
        event, holds = bound.event, self.binder.interpreter.value
        named = dict.fromkeys((*event.cites, *event.cases))
        found = [one for one in named if one not in event.cases or holds(event.cases[one], state, bound.values)]
        return found or list(event.cites)

    def _lies(self, card: int, state: State, labels: Labels) -> str:
        """Where a card is known to lie, as the game's board calls the place; empty where it is not on the table."""
        for line in self.binder.game.board.lines:
            for one in line.zones:
                if card not in lying(self.binder.layout, state, one):
                    continue
                if one.zone == self.binder.game.labelled:
                    return kind("LABEL").write(labels.label(one.index[0]))
                if line.player is None:
                    return one.label if one.index else f"the {one.label}"
                return f"{line.label}'s {f'{one.zone} {one.label}' if one.label.isdigit() else one.label}"
        return ""

    def _legal(self, fault: Fault, run: Run) -> list[str]:
        bound, spoken_of = fault.bound, set()
        assert bound is not None
        if fault.kind == "failed" and fault.ruling is not None:
            for _, term in fault.ruling.failed[0].fields:
                if term.sort.labels[:2] == tuple(PLAYERS):
                    spoken_of.add(self.binder.interpreter.value(term, run.state, bound.values))
        return list(lawful_texts(self.binder, run.state, bound.actor, bound.event.name, run.labels, spoken_of))

    def _readings(self, fault: Fault, state: State) -> tuple[Mapping[str, str], str]:
        """Single options under which the line would be as it should, given the table as it stands."""
        if fault.kind not in ("failed", "refused") or fault.bound is None:
            return {}, ""
        textual: dict[str, str] = {}
        published: list[str] = []
        for name, value, is_textual in self.alternatives(fault):
            if name in textual:
                continue
            if self._excused(fault, state, name, value):
                if is_textual:
                    textual[name] = value
                else:
                    published.append(f"{name}={value}")
        hint = f"other published rules allow it ({' or '.join(published)})" if published and not textual else ""
        return textual, hint

    def alternatives(self, fault: Fault) -> Iterator[tuple[str, str, bool]]:
        """Open options that the fault's guards read, with each other value and whether the text supports it."""
        bound = fault.bound
        assert bound is not None
        guards = fault.ruling.failed if fault.ruling and fault.ruling.failed else bound.event.guards
        for name in sorted({name for guard in guards for name in options_in(guard.condition)} - self.chosen):
            option = self.binder.game.options[name]
            if option.numeric or option.fixed:
                continue
            for value in option.values:
                if option.encode(value) != self.binder.options[name] and value not in option.literal:
                    yield name, value, value in option.textual

    def _excused(self, fault: Fault, state: State, name: str, value: str) -> bool:
        interpreter, bound = self.binder.interpreter, fault.bound
        assert bound is not None
        before = interpreter.options[name]
        interpreter.options[name] = self.binder.game.options[name].encode(value)
        try:
            lawful = interpreter.holds(bound.event, state, bound.values)
            if fault.kind == "refused":
                return lawful is False or (lawful is True and Referee(self.binder).idle(bound, state))
            return lawful is True
        finally:
            interpreter.options[name] = before

    def _related(self, fault: Fault, run: Run) -> Iterator[Related]:
        """The last line that put a card where the failed guard looks, or into the place whose cards it shows.

        For a card that lies elsewhere it is the last one that named it.
        """
        if fault.kind == "conflict" and fault.ruling is not None:
            yield from self._named_before(fault.ruling.conflict, fault, run)
        if fault.kind != "failed" or fault.ruling is None or fault.bound is None:
            return
        guard = fault.ruling.failed[0]
        strangers = (term for _, term in guard.fields if term.op == "stranger")
        for term in strangers:
            card = self.binder.interpreter.value(term, run.state, fault.bound.values)
            if self._lies(card, run.state, run.labels):
                yield from self._named_before(card, fault, run)
            return
        wanted = {at for term, at in run.referee.zones_read(_looked_at(guard), fault.bound) if term.op == "top"}
        for _, told in guard.fields:
            wanted |= {at for _, at in run.referee.zones_read(told, fault.bound)} if told.op == "cards" else set()
        if not wanted or len(wanted) > 2:
            return
        for number, text in _nearest(run, fault.line):
            entry = run.peek(text)
            entry = entry and _placed(entry, run)
            if entry is not None and not entry.beyond and entry.body.refused is None and wanted & _moved_to(entry, run):
                yield Related(number, "established here", text, 1, len(text) + 1)
                return

    def _named_before(self, card: int, fault: Fault, run: Run) -> Iterator[Related]:
        """The last line before that named a card and was not refused."""
        for number, text in _nearest(run, fault.line):
            read = run.read(text)
            if read is None or card not in read[1].cards or read[1].body.refused is not None:
                continue
            start = read[0].start
            span = last_naming(card, text[start:], read[1])
            if span is not None:
                yield Related(number, f"{card_name(card)} was here", text, start + span[0] + 1, start + span[1] + 1)
                return


def _broken_besides(failed: Sequence[Guard]) -> Iterator[str]:
    """Clauses that a line breaks besides the first one.

    What a line does in no round is not judged by how things stand in one, so beside such a fault there is nothing; and
    where a rule of the game has a word to say of a line, its place in the log is no fault of its own. What the
    game that is played does not have at all, such as points, is not judged by the rules of another.
    """
    first = failed[0].clause
    if first not in OUT_OF_PLACE and not _by_options_alone(failed[0].condition):
        yield from (one.clause for one in failed[1:] if one.clause != first and one.clause not in OUT_OF_PLACE)


@cache
def _by_options_alone(term: terms.Term) -> bool:
    """Whether a term reads neither the table nor the line, but only which game is played."""
    return not reading(term) and not any(one.op in ("param", "row") for one in terms.subterms(term))


def last_naming(card: int, text: str, bound: Bound) -> tuple[int, int] | None:
    """Where the text of a line's body last names a card, in whatever spelling."""
    found = None
    for one in bound.event.parameters:
        if one.name not in bound.body.spans or not (one.role == "rows" or one.sort.kind == "card"):
            continue
        for match in WORD.finditer(text, *bound.body.spans[one.name]):
            try:
                code = read_card(match[0].partition("*")[0])
            except (LookupError, ValueError):
                continue
            found = match.span() if code == card else found
    return found


def rows_within(
    text: str, spans: Mapping[str, tuple[int, int]], rows: Iterable[tuple[str, int | None]]
) -> tuple[int, int] | None:
    """From where to where a line states some of its rows: each by its parameter, and its number where that has several.

    Rows stand between ``|`` in text, and in brackets of their own in JSON.
    """
    found = []
    for name, part in rows:
        if name not in spans:
            continue
        start, end = spans[name]
        if part is not None:
            each = [one.span() for one in _ROW.finditer(text, start, end)]
            start, end = each[part] if part < len(each) else (start, end)
        found.append((start, end))
    return (min(start for start, _ in found), max(end for _, end in found)) if found else None


def _nearest(run: Run, line: int) -> Iterator[tuple[int, str]]:
    for count, item in enumerate(run.before(line)):
        if count > LOOK_BACK:
            return
        yield item


def _placed(bound: Bound, run: Run) -> Bound:
    """An earlier line of this round, its label standing for the place that it has now."""
    place = run.labels.places.get(bound.label) if bound.label is not None else None
    return bound if place is None else run.binder.placed(bound, place)


def _moved_to(bound: Bound, run: Run) -> set[int]:
    """Positions of the places that a line puts single cards on, or cards into; not of those that it lays out whole."""
    kinds, at = run.binder.layout.variables, run.referee.interpreter.position
    return {
        at(one.target, one.target_index, [], bound.values)
        for one in bound.event.effects
        if isinstance(one, Move | Pick) or (isinstance(one, Lay) and (one.on_top or kinds[one.target].kind == "bag"))
    }


def _looked_at(guard: Guard) -> terms.Term:
    if guard.reports and guard.value is not None:
        return guard.value
    return guard.condition


@cache
def options_in(term: terms.Term) -> frozenset[str]:
    """Names of the options that a term reads."""
    return frozenset(str(one.value) for one in terms.subterms(term) if one.op == "option")


def _part(guard: Guard, bound: Bound) -> str:
    """The part of the line that a failed guard speaks of."""
    if guard.reports:
        return guard.reports
    for parameter in bound.event.parameters:
        if "{" + parameter.name + "}" in guard.template and parameter.name in bound.body.spans:
            return parameter.name
    return "verb"


def _card_part(bound: Bound) -> str:
    return next((one.name for one in bound.event.parameters if one.sort.kind == "card" or one.role == "rows"), "verb")
