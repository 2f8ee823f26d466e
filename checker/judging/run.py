"""A run: one game of a log, judged line by line as the lines come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.python_source import FAILED, REMARKED
from fairdeal.checker.judging import answering
from fairdeal.checker.judging.aftermath import Aftermath, only_says
from fairdeal.checker.judging.binding import Binder, Bound, Entry, Malformed
from fairdeal.checker.judging.clock import Clock
from fairdeal.checker.judging.fast_path import FastPath
from fairdeal.checker.judging.findings import Explainer, Fault
from fairdeal.checker.judging.labels import Labels
from fairdeal.checker.judging.memory import Memory
from fairdeal.checker.judging.origins import Origins
from fairdeal.checker.judging.outcome import FirstFaultError, Outcome
from fairdeal.checker.judging.questions import Questions
from fairdeal.checker.judging.referee import Referee, Ruling
from fairdeal.checker.judging.setting_up import SetUp
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.lines import Unended, Unreadable
from fairdeal.checker.reading.logs import Kind, begins_game, classify, colon_after_player
from fairdeal.checker.reading.prefix import Prefix, split_prefix
from fairdeal.checker.verdict import Finding, Severity, Verdict
from fairdeal.spec.cards import NO_CARD

MALFORMED_LIMIT = 1000
"""Malformed lines after which the rest of a game is not read: it is no gamelog."""

FAULT_LIMIT = 10_000
"""Findings after which the rest of a game is not judged: nobody reads them."""


class Run:
    """Judges the lines of one game after its header; feed it lines, then ask for its verdict.

    ``trial`` runs keep no findings and stop at the first line that breaks a rule.
    """

    def __init__(self, binder: Binder, explainer: Explainer, first_line: int, *, trial: bool = False) -> None:
        self.binder, self.explainer, self.trial = binder, explainer, trial
        self.referee = Referee(binder)
        self.setting_up = SetUp(self.referee)
        self.labels = Labels(binder.game, binder.layout)
        self.state: State = binder.layout.initial()
        self.clock = Clock()
        self.fast = FastPath(binder, self.state, self.clock)
        self.line = first_line - 1
        self.last = self.line
        """Line of the last event."""
        self.base = 0
        """Number of the first line of the block in hand."""
        self.memory = Memory(first_line)
        self.outcome = Outcome(explainer.limit)
        self.events = 0
        self.malformed = 0
        self.remarks: Counter[str] = Counter()
        """By event, how many lines were lawful and yet worth a word; only the first of them is noted."""
        self.careful = binder.minds_instants
        self.watch: Callable[[Run, Bound], None] | None = None
        """Told of each line before it is judged; then no line takes the fast path, which would pass it by."""
        self.origins = Origins(self.referee, self.setting_up)
        self.questions = Questions(self.referee)
        self.aftermath = Aftermath(self.referee)
        self.given_up = False
        self.cut = ""
        """The line without an end in which the log breaks off."""
        self._current: Sequence[str] = ()
        self._fed = (0, 0)

    # -- taking lines ------------------------------------------------------------------------------------------------

    def feed(self, lines: Sequence[str], start: int = 0) -> int:
        """Judge lines from ``start`` on; returns where the next game begins, or the number of lines."""
        self._current, position = lines, start
        base = self.base = self.line - start + 1
        while position < len(lines):
            if not (self.careful or self.given_up or self.watch or self._minding):
                stop = self.fast.take(lines, position, self._remarked)
                if stop > position:
                    self.events += stop - position
                    self.last = base + stop - 1
                position = stop
                if position >= len(lines):
                    break
            self.line = base + position
            self._fed = (start, position)
            if not self._slow(lines[position]):
                self.line -= 1
                break
            position += 1
        self.line = base + position - 1
        self.memory.keep(lines, start, position)
        return position

    def pass_over(self, count: int) -> None:
        """Note that so many empty lines came."""
        self.line += count
        self.memory.keep([""] * count, 0, count)

    def _slow(self, line: str) -> bool:
        """Take one line, whatever it is; false where it begins another game, and is not this one's to take."""
        if isinstance(line, Unreadable):
            self._malformed(line, NotationError(line.reason, 0, 1), quote="")
            self.clock.forget_number()
            return True
        if self.given_up and "gamelog" not in line:
            return True
        kind = classify(line)
        if kind is Kind.BLANK:
            return True
        if kind is Kind.HEADER and begins_game(line):
            return False
        if kind is Kind.HEADER and (error := colon_after_player(line, self.explainer.players)) is not None:
            self._malformed(line, error)
            return True
        if kind is Kind.HEADER:
            hint = "header lines stand before the first event of a game"
            error = NotationError("a header line amid the events", 0, line.find(":") + 1, hint)
            self._malformed(line, error, code="LOG-HEADER")
            return True
        try:
            found = self._entry(line, kind)
        except NotationError as error:
            self._malformed(line, error)
            self.clock.forget_number()
            return True
        if found is None:
            return False
        if not self.given_up:
            self._event(line, *found)
        return True

    def _event(self, line: str, prefix: Prefix, entry: Entry) -> None:
        if isinstance(entry[3], Malformed):
            self._malformed(line, entry[3].error.moved(prefix.start))
            if prefix.seq is None:
                self.clock.forget_number()
            self._take_time(line, prefix, entry)
            return
        self.events += 1
        self.last = self.line
        barred = self._times(line, prefix, entry)
        self._judge(line, prefix.start, entry, barred)

    def _entry(self, line: str, kind: Kind) -> tuple[Prefix, Entry] | None:
        """The line's prefix and entry; ``None`` where it is the header of another game."""
        if kind is Kind.JSON:
            fields = load_object(line)
            if "gamelog" in fields:
                return None
            prefix, body = self.binder.notation.from_json(fields, line)
            return prefix, self.binder.of(self.binder.bind(body))
        prefix = split_prefix(line)
        return prefix, self.binder.entry(line[prefix.start :])

    def peek(self, line: str) -> Bound | None:
        """What an earlier line of this game states; ``None`` where it is no event."""
        found = self.read(line)
        return found[1] if found is not None else None

    def read(self, line: str) -> tuple[Prefix, Bound] | None:
        """The number, the time and the event of a line of this game, unjudged; ``None`` where it is no event."""
        try:
            found = self._entry(line, classify(line)) if classify(line) in (Kind.EVENT, Kind.JSON) else None
        except NotationError:
            return None
        if found is None or not isinstance(found[1][3], Bound):
            return None
        return found[0], found[1][3]

    # -- sequence and time -------------------------------------------------------------------------------------------

    def _times(self, line: str, prefix: Prefix, entry: Entry) -> str:
        barred = self._take_time(line, prefix, entry)
        if self.binder.instant is not None:
            self.state[self.binder.instant] = self.clock.same_instant
        return barred

    def _take_time(self, line: str, prefix: Prefix, entry: Entry) -> str:
        """Note a line's number and time; gives the clause by which a refused attempt could not be made at its time.

        That is no fault: the program did refuse it.
        """
        barred, bound = "", entry[3]
        refused = isinstance(bound, Bound) and bound.body.refused is not None
        for problem in self.clock.take(prefix, entry[2], self.binder.game.overlap, refused=refused):
            if refused and problem.act:
                barred = problem.code
                continue
            finding = self.explainer.plain(
                *(problem.code, problem.severity, self.line, problem.message, line),
                *(0, max(prefix.start - 1, 1)),
            )
            self._add(finding, None)
            if problem.loses_track:
                self._lose(self.line)
        return barred

    # -- judging -----------------------------------------------------------------------------------------------------

    def _judge(self, line: str, offset: int, entry: Entry, barred: str) -> None:
        bound = entry[3]
        assert isinstance(bound, Bound)
        if bound.label is not None and (bound.beyond or self.labels.mapped):
            place = self.labels.place(bound.label, self.state)
            if place is not None:
                bound = self.binder.placed(bound, place)
                entry = self.binder.of(bound)
        if not (bound.beyond or bound.rubbish or barred):
            apart = self.origins.disputes.apart
            self.origins.disputes.choose(bound, self.state)
            self.careful = self.careful or (apart and not self.referee.sound(self.state))
            self.origins.undone.weigh(bound, self.state)
        if self.watch is not None:
            self.watch(self, bound)
        if bound.rubbish:
            self._fault(Fault.rubbish(bound), line, offset)
            if not bound.has_rows:
                return
        if bound.partial:
            self.careful = True
        if bound.beyond:
            if bound.body.refused is None:
                self._fault(Fault.beyond(bound), line, offset)
                self._doubt(self.aftermath.sources(bound))
            return
        if not (self.careful or self.setting_up.early or self._disputed or barred):
            outcome = entry[0](self.state, entry[1])
            if outcome == REMARKED:
                self._remark(bound, self.line, line, offset)
            if outcome != FAILED:
                if bound.event.name == self.binder.game.entry:
                    self.origins.repeats.clear()
                    self.labels.forget()
                    self.origins.entered(bound, self.state, lawful=True)
                return
        if self.origins.lost is not None and bound.event.name == self.binder.game.entry and bound.body.refused is None:
            self.state[:] = self.binder.layout.initial()
            self.origins.recover()
        if bound.event.name == self.binder.game.entry:
            self.origins.repeats.clear()
            self.labels.forget()
        if bound.partial:
            bound = self.referee.filled(bound, self.state)
        ruling = self.referee.rule(bound, self.state)
        if not self.trial:
            self.setting_up.take(bound, self.state, self.line)
        if self.questions.waiting and bound.body.refused is None:
            answering.show(self, bound, ruling, line)
        if self.questions.untold:
            answering.tell(self, bound, line)
        if bound.body.refused is not None:
            self._refused(bound, ruling, line, offset, barred)
        elif ruling.lawful and not ruling.open:
            if any(
                self.binder.interpreter.value(one.condition, self.state, bound.values) for one in bound.event.remarks
            ):
                self._remark(bound, self.line, line, offset)
            self._apply(bound)
        else:
            self._broken(bound, ruling, line, offset)
        if bound.event.name == self.binder.game.entry:
            self.setting_up.unset = None
            self.origins.entered(bound, self.state, lawful=ruling.lawful)
        other = self.origins.undone.follow(bound, self.state)
        if other is not None:
            self.origins.disputes.end()
            self.origins.forget_after(other)

    def _apply(self, bound: Bound) -> None:
        if bound.event.observation:
            self.referee.learn(bound, self.state)
            self.origins.disputes.follow(bound, self.state)
            return
        if bound.event.name in self.setting_up.deals:
            self.setting_up.unset = None
        if bound.event.name != self.binder.game.entry or self.setting_up.put_right(bound, self.state) is None:
            self._carry_out(bound)
        self.origins.disputes.follow(bound, self.state)
        if self.origins.doubts and self.referee.deals(bound.event):
            self.origins.settle(self.referee.touched(bound))

    def _carry_out(self, bound: Bound, deeper: Sequence[tuple[int, int]] = ()) -> None:
        """Do what a line says; where unknown cards leave open which cards that moves, they are in doubt."""
        carried = self.aftermath.carried(bound, self.state, self.origins.doubts)
        open_zones = self.referee.apply_beneath(bound, self.state, deeper)
        for at, line in carried.items():
            self.origins.doubt((at,), line)
        if open_zones:
            self.origins.unsure.add(self.line)
            self.origins.doubt(open_zones, self.line)

    def _refused(self, bound: Bound, ruling: Ruling, line: str, offset: int, barred: str) -> None:
        """Judge a refusal: right where a rule or the player's own time forbids the attempt, or it does nothing."""
        if ruling.lawful and not barred and not self.referee.idle(bound, self.state):
            fault = Fault.refused(bound, ruling)
            finding = self._fault(fault, line, offset)
            if any(guard.unrecorded for guard in ruling.open):
                self._ask(fault, line, offset, finding)
        elif not self.trial and bound.body.refused in self.binder.game.reasons.values():
            broken = [guard.clause for guard in ruling.failed] + [barred] * bool(barred)
            if bound.body.refused not in map(self.binder.game.reasons.get, broken) and ruling.conflict == NO_CARD:
                self.outcome.keep(self.explainer.wrong_reason(bound, broken, self.line, line, offset))

    def _broken(self, bound: Bound, ruling: Ruling, line: str, offset: int) -> None:
        if bound.event.name == self.binder.game.entry and self._late(bound, ruling, line, offset):
            return
        missing: set[int] = set()
        if ruling.failed and not self.trial and not self.outcome.full:
            missing = self.setting_up.missing(bound.event, self.state, self.labels)
        if missing:  # that comes first: the rest may follow from it
            failed = sorted(ruling.failed, key=lambda guard: self.referee.standing(guard, bound, self.state) is None)
            ruling = replace(ruling, failed=tuple(failed))
        fault = Fault.ruled(bound, ruling)
        finding = self._fault(fault, line, offset)
        if fault.kind == "open":
            self._ask(fault, line, offset, finding)
        if missing:
            self._doubt(missing)
            self.setting_up.unset = self.setting_up.unset or self.line
        if bound.event.observation:
            for guard in ruling.failed:
                self._doubt(self.referee.seen_by(guard, bound))
            if ruling.lawful:
                self.referee.learn(bound, self.state)
            return
        if ruling.failed and (bound.event.claim or only_says(bound.event)):
            self.origins.beliefs.claimed(bound, ruling, self.state, fault.follows or self.line)
        if bound.event.claim and not ruling.lawful:
            self._doubt(self.referee.touched(bound) | self.aftermath.claimed(bound, ruling))
            self._doubt(set() if ruling.possible else self.referee.in_question(bound, ruling))
            return
        deeper = self.referee.deeper(bound, self.state)
        if deeper or (ruling.possible and ruling.conflict == NO_CARD):
            origin, before = fault.follows or self.line, copy(self.state)
            self.origins.doubt(self.aftermath.spoiled(bound, ruling), origin)
            self.origins.doubt(self.aftermath.doubtful(bound, ruling, self.state), origin)
            self.careful = self.careful or bool(self.origins.doubts)
            if self.aftermath.disputed(bound, ruling) and not self.outcome.full:
                self.origins.disputes.part(bound, self.state, origin, counts=self.aftermath.counts(bound))
                return
            deals = self.referee.deals(bound.event)
            if deals:
                self.aftermath.bring(bound, self.state, self.origins.doubts)
            self._carry_out(bound, deeper)
            if deals and fault.follows is not None:
                self.origins.settle(self.aftermath.settled(bound, self.state))
            if self.aftermath.out_of_turn(bound, ruling):
                self.origins.disputes.begin(bound, before, self.state, self.line)
            else:
                self.origins.disputes.follow(bound, self.state)
            undone = self.origins.undone
            if self.outcome.full:  # nothing is told any more, so nothing has to be said to follow
                undone.forget()
            elif not (undone.origin or self.setting_up.early) and self.aftermath.may_be_undone(bound, ruling):
                undone.begin(before, self.line, fault.code)
            zones = (at for _, _, at in self.binder.layout.zones())
            self._doubt({at for at in zones if before[at] != self.state[at]} if deeper else set())
            self.careful = self.careful or not self.referee.sound(self.state)
        else:
            self._doubt(self.referee.touched(bound))
        if not ruling.possible or ruling.conflict != NO_CARD:
            self._doubt(self.referee.in_question(bound, ruling))

    def _ask(self, fault: Fault, line: str, offset: int, finding: Finding | None) -> None:
        """Note a line that is open, so that later lines may answer what it is."""
        self.questions.ask(fault, self.state, line, offset, finding)
        self.careful = self.careful or bool(self.questions.untold)

    def _late(self, bound: Bound, ruling: Ruling, line: str, offset: int) -> bool:
        """Take the line that begins a round whose cards have been dealt already; whether it is one."""
        fault = Fault.ruled(bound, ruling)
        before = copy(self.state)
        first = fault.follows = self.setting_up.put_right(bound, self.state)
        if first is None:
            return False
        self.origins.disputes.end()
        self.origins.undone.forget()
        after, self.state[:] = copy(self.state), before
        self._fault(fault, line, offset)
        self.state[:] = after
        self.origins.forget_after(first)
        self.careful = self.careful or not self.referee.sound(self.state)
        return True

    def _doubt(self, positions: set[int]) -> None:
        """From here on, what stands at these positions is in doubt."""
        self.careful = True
        self.origins.doubt(positions, self.line)

    @property
    def _disputed(self) -> bool:
        """Whether another table than the one in hand may be the right one."""
        return bool(self.origins.disputes.others or self.origins.undone.tables)

    @property
    def _minding(self) -> bool:
        """Whether something has to be kept in mind until a round begins, so that no line goes by unseen."""
        return bool(self.origins.pending or self.labels.mapped or self.setting_up.early)

    def _lose(self, line: int) -> None:
        self.careful = True
        self.origins.lose(line)
        self.questions.waiting.clear()
        self.questions.untold.clear()

    def _remarked(self, entry: Entry, position: int, line: str) -> None:
        """Note what the rules have to say of a lawful line that the fast path has taken."""
        bound = entry[3]
        if isinstance(bound, Bound) and bound.event.name not in self.remarks:
            self._remark(bound, self.base + position, line, split_prefix(line).start)
        elif isinstance(bound, Bound):
            self.remarks[bound.event.name] += 1

    def _remark(self, bound: Bound, number: int, line: str, offset: int) -> None:
        self.remarks[bound.event.name] += 1
        if not self.trial and self.remarks[bound.event.name] == 1:
            for finding in self.explainer.remarked(bound, number, line, offset):
                self.outcome.keep(finding)

    # -- findings ----------------------------------------------------------------------------------------------------

    def _malformed(self, line: str, error: NotationError, quote: str | None = None, code: str = "LOG-SYNTAX") -> None:
        if self.given_up:
            return
        if isinstance(line, Unended) and self.events:
            self.cut = line
            self.outcome.keep(self.explainer.cut(self.line, line))
            return
        self.malformed += 1
        finding = self.explainer.malformed(self.line, error, line if quote is None else quote, code)
        if self.trial:
            raise FirstFaultError(Fault(finding.code, Severity.ERROR))
        self.outcome.worst = Verdict.MALFORMED
        self.outcome.keep(finding)
        self._lose(self.line)
        if self.malformed == MALFORMED_LIMIT:
            self._give_up(f"{MALFORMED_LIMIT} malformed lines in this game")

    def _fault(self, fault: Fault, line: str, offset: int) -> Finding | None:
        """Count a fault; gives what is said of it, unless there is enough already."""
        fault.line = self.line
        origins, outcome = self.origins, self.outcome
        if not outcome.full or origins.lost is not None or origins.unsure:
            origins.trace(fault, self.state)
        origins.weigh(fault)
        if self.trial:
            if fault.severity is Severity.ERROR:
                raise FirstFaultError(fault)
            return None
        outcome.weigh(fault.severity)
        self._count(fault)
        if outcome.full:
            outcome.more += 1
            return None
        finding = self.explainer.explain(fault, self, line, offset)
        outcome.keep(finding)
        return finding

    def _count(self, fault: Fault) -> None:
        self.outcome.count(fault)
        if self.outcome.faults == FAULT_LIMIT:
            self._give_up(f"{FAULT_LIMIT} findings in this game")

    def _give_up(self, why: str) -> None:
        """Judge no further; that is said beyond any limit, for it is no finding about a line."""
        self.given_up = True
        self.outcome.findings.append(self.explainer.given_up(self.line, why))

    def _add(self, finding: Finding, fault: Fault | None) -> None:
        if self.trial:
            if finding.severity is Severity.ERROR:
                raise FirstFaultError(fault or Fault(finding.code, finding.severity))
            return
        self.outcome.weigh(finding.severity)
        if finding.severity is Severity.ERROR:
            self._count(fault or Fault(finding.code, finding.severity, line=self.line))
        self.outcome.keep(finding)

    # -- the verdict -------------------------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether the game has come to its end."""
        condition = self.binder.game.derived["complete"]
        return bool(self.binder.interpreter.value(condition, self.state, {}))

    def before(self, number: int) -> Iterator[tuple[int, str]]:
        """Lines of this game before one, nearest first, as far as they are remembered."""
        start, stop = self._fed
        for at in range(stop - 1, start - 1, -1):
            yield number - (stop - at), self._current[at]
        yield from self.memory.before(number - (stop - start))
