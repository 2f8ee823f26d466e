"""Answering properties: obligations in processes of their own, premises seen in games, and a status for every part."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from fairdeal.checker.proving.asking import PATIENCE, Answer, Asker, Budget, Obligation, gave_up
from fairdeal.checker.proving.breach import breach
from fairdeal.checker.proving.figures import Found, cases, figure
from fairdeal.checker.proving.foundation import CONSERVATION, Foundation, is_proved
from fairdeal.checker.proving.obligations import invariant_obligations, obligations
from fairdeal.checker.proving.playing import Played, Player
from fairdeal.checker.proving.scripts import NoGameError, solve, together
from fairdeal.checker.proving.steps import Model
from fairdeal.checker.proving.witnesses import Witness, checked, written
from fairdeal.checker.proving.workers import Done, Task, run
from fairdeal.spec.language.expressions import Expr
from fairdeal.spec.language.properties import (
    COMPUTED,
    PROVED,
    REFUTED,
    UNKNOWN,
    Checked,
    Computed,
    Conserved,
    Invariant,
    Most,
    Part,
    Properties,
    Property,
    Ranking,
    Reached,
    Sooner,
    Steps,
)

METHODS = {
    Conserved: "induction, for one arbitrary card",
    Invariant: "induction",
    Steps: "every step from every table",
    Ranking: "ranking",
    Most: "a ranking that falls no further, and a game that reaches it",
    Reached: "a game, checked",
    Sooner: "every pair of events in either order",
}
GAMES, FEW_GAMES = 40, 3
"""Random games that are played to see a premise occur, or a claim fail; and how many where a proof may do."""

LOOKS = 0.15
"""How often every lawful event of a table is tried, and not only the one that is played."""


@dataclass(frozen=True)
class Result:
    """What is known of one part of a property."""

    id: str
    """The property's."""
    statement: str
    part: Part
    status: str
    method: str
    seconds: float
    reason: str = ""
    """Why it is unknown, or what was found."""
    premise: str = ""
    """Where a table was seen on which the claim says something."""
    log: str = ""
    premise_log: str = ""
    """The random game up to the event in which the premise was seen."""
    queries: int = 0
    agreed: int = 0

    @property
    def as_expected(self) -> bool:
        """Whether the status is the one that is declared."""
        return self.status == self.part.expected


@dataclass
class _Open:
    """A part whose tasks are not all done."""

    property: Property
    part: Part
    waiting: int
    rests_on: frozenset[Any]
    """What it takes as shown: it is proved only if that is."""
    done: list[Done] = field(default_factory=list)


class Prover:
    """Answers the properties of a game."""

    def __init__(self, model: Model, properties: Properties, budget: Budget, jobs: int = 1) -> None:
        self.model, self.properties, self.budget, self.jobs = model, properties, budget, jobs
        self.foundation = Foundation()
        """What the parts that are being answered share, as far as it is proved."""

    def answer(self, wanted: Sequence[Property]) -> Iterator[Result]:
        """The results of all parts of properties, each as soon as it is known."""
        tasks: list[Task] = []
        looks: list[Task] = []  # they come first: what a game breaks need not be proved
        open_parts: dict[Any, _Open] = {}
        for one in wanted:
            for number, part in enumerate(one.parts):
                key = (one.id, number)
                made = self._tasks(key, one, part)
                look = [] if isinstance(part.claim, (Reached, Computed, Checked, Most)) else [self._look(key, part)]
                open_parts[key] = _Open(one, part, len(made) + len(look), frozenset())
                tasks, looks = tasks + made, looks + look
        proofs = self._shared(open_parts.values())
        for ready in open_parts.values():
            ready.rests_on = frozenset(map(_within(proofs), self._needs(ready.part.claim)))
        states_it = any(isinstance(one.part.claim, Conserved) for one in open_parts.values())
        shared = self.foundation = Foundation(proofs, own=[CONSERVATION] if states_it else [])
        waiting = deque([*looks, *(task for made in proofs.values() for task in made), *tasks])

        def leave(keys: set[Any]) -> None:
            for task in [one for one in waiting if one.key in keys]:
                waiting.remove(task)
                shared.leave(task)

        for done in run(waiting, self.jobs, self.budget.memory):
            if done.key in proofs:
                shared.add(done)
                if not is_proved(done):
                    leave({done.key})  # the rest of it would show nothing any more
            elif done.key in open_parts:
                open_parts[done.key].waiting -= 1
                open_parts[done.key].done.append(done)
            for key, ready in list(open_parts.items()):
                if (ready.waiting == 0 and shared.is_done(ready.rests_on)) or _broken(ready.done):
                    del open_parts[key]
                    yield self._result(ready, shared.of(ready.rests_on))
            needed = {*open_parts, *(name for one in open_parts.values() for name in one.rests_on)}
            leave({one.key for one in waiting} - needed)

    def _needs(self, claim: Any) -> set[Any]:
        """What is shown beside a claim's own obligations: invariants, and conservation where sizes come from it."""
        using = getattr(claim, "using", ())
        found: set[Any] = {self.properties.carrying(using)} if using else set()
        counting = bool(using and (self.properties.counting or self.properties.counted))
        own = getattr(claim, "counting", False) or getattr(claim, "apart", False)
        if counting or own or isinstance(claim, Conserved):
            found.add(CONSERVATION)
            found |= {self.properties.carrying(one.using) for one in self._conserved() if one.using}
        return found

    def _conserved(self) -> list[Conserved]:
        claims = [part.claim for one in self.properties.properties for part in one.parts]
        return [claim for claim in claims if isinstance(claim, Conserved)]

    def _shared(self, parts: Iterable[_Open]) -> dict[Any, list[Task]]:
        """The proofs that parts need beside their own."""
        needed = {name for one in parts for name in self._needs(one.part.claim)}
        proofs: dict[Any, list[Task]] = {}
        if CONSERVATION in needed:
            found = [one for claim in self._conserved() for one in obligations(self.model, claim, self.properties, {})]
            assert found, "where sizes come from conservation, some property claims it"
            proofs[CONSERVATION] = self._proofs(CONSERVATION, CONSERVATION, found)
        for names in _largest(needed - {CONSERVATION}):
            title = next((title for title, one in self.properties.closed.items() if one == names), "")
            declared = {name: self.properties.invariants[name] for name in names}
            found = invariant_obligations(self.model, declared, {}, self.properties.counting)
            proofs[names] = self._proofs(names, title, found)
        return proofs

    def _tasks(self, key: Any, one: Property, part: Part) -> list[Task]:
        claim, name = part.claim, f"{one.id} {part.title}".strip()
        if isinstance(claim, Reached):
            return [Task(key, lambda: self._reach(claim, part), self.budget.seconds)]
        if isinstance(claim, Computed):
            return [Task(key, lambda: self._computed(claim, part), self.budget.seconds)]
        if isinstance(claim, Checked):
            return [Task(key, lambda: _found(claim, cases(claim)), self.budget.seconds)]
        found = [] if isinstance(claim, Conserved) else obligations(self.model, claim, self.properties, part.readings)
        if isinstance(claim, Most):
            game = Task(key, lambda: self._reach(Reached(claim.goal), part), self.budget.seconds)
            return [*self._proofs(key, name, found), game]
        return self._proofs(key, name, found)

    def _look(self, key: Any, part: Part, games: int = FEW_GAMES) -> Task:
        return Task(key, lambda: self._seen(part, games), self.budget.seconds)

    def _search(self, part: Part, every: Iterable[Done]) -> Task:
        """The search for a short game that breaks a part with one of the events where an induction fails."""
        answers = [done.result for done in every if _not_inductive(done.result)]
        last = {answer.event for answer in answers if answer.event}
        return Task(None, lambda: self._broken_soon(part, last), self.budget.seconds)

    def _proofs(self, key: Any, name: str, found: Sequence[Obligation]) -> list[Task]:
        def task(one: Obligation) -> Task:
            asker = Asker(f"{name} {one.name}".strip(), self.budget, one.about)
            return Task(key, lambda: asker.of(one.ask), PATIENCE * self.budget.seconds)

        return [task(one) for one in found]

    def _result(self, one: _Open, shared: Sequence[Done]) -> Result:
        every = [*one.done, *shared]
        own = [
            *one.done,
            *(done for done in shared if done.key == CONSERVATION and isinstance(one.part.claim, Conserved)),
        ]
        found = _verdict(one.part, every)
        if found.status == UNKNOWN and any(_not_inductive(done.result) for done in every):
            for task in (self._search(one.part, every), self._look(None, one.part, GAMES)):
                looked = list(run(deque([task]), memory=self.budget.memory))
                own, found = [*own, *looked], _verdict(one.part, [*looked, *every])
                if found.status == REFUTED:
                    break
        return Result(
            one.property.id,
            one.property.statement,
            one.part,
            found.status,
            found.method,
            sum(done.seconds for done in own),
            found.text,
            found.premise,
            found.log,
            found.premise_log,
            sum(done.result.queries for done in every if isinstance(done.result, Answer)),
            sum(done.result.agreed for done in every if isinstance(done.result, Answer)),
        )

    # ---------------------------------------------------------------- tasks

    def _reach(self, claim: Reached, part: Part) -> _Shown:
        """A game for each choice of the readings that are named; the first of them is shown."""
        named = [[(name, value) for value in values] for name, values in part.readings.items()]
        found = [self._reached(claim, {**claim.goal.readings, **dict(one)}) for one in product(*named)]
        return next((one for one in found if one.status == UNKNOWN), found[0])

    def _reached(self, claim: Reached, chosen: Mapping[str, str]) -> _Shown:
        goal, game = claim.goal, self.model.game
        under = ", ".join(f"{name}={value}" for name, value in chosen.items())
        try:
            options = game.bind(goal.rules, chosen)
            lines = solve(game, options, goal, whole=claim.whole, seconds=self.budget.seconds)
        except NoGameError as failure:
            return _Shown(UNKNOWN, METHODS[Reached], f"{failure}{f' (under {under})' if under else ''}")
        except TimeoutError as failure:
            return _Shown(UNKNOWN, METHODS[Reached], f"{gave_up(str(failure))} on this game")
        notes, timed = [f"{goal.name}: {goal.statement}"], together(goal.script(whole=claim.whole))
        witness: Witness = checked(game, lines, chosen, goal.rules, notes, timed)
        assumed = "" if claim.whole or goal.late is None else ", from a later round with a split that is assumed"
        text = f"{goal.statement}: a game of {witness.events} events{assumed}"
        return _Shown(claim.status, METHODS[Reached], text, witness.text)

    def _computed(self, claim: Computed, part: Part) -> _Shown:
        return _found(claim, figure(self.model.game, claim, part.readings))

    def _seen(self, part: Part, games: int = FEW_GAMES) -> _Seen:
        """Where the premise of a claim occurs in random games; or where the claim fails there.

        It is looked for in so many games at least, if time allows, and further on until a premise has been seen.
        """
        chosen = chosen_readings(part.readings)
        player = Player(self.model, self.model.game.bind(None, chosen))
        claim, where, shown, until = part.claim, "", "", time.process_time() + self.budget.seconds / 2
        for number in range(1, GAMES + 1):
            lines: list[Played] = []
            random = Random(f"looks {number}")
            for step in player.game_of(f"premise {number}"):
                lines.append(step)
                tried = [step, *(player.lawful(random, step.before) if random.random() < LOOKS else ())]
                for one in tried:
                    if not _holds(player, claim, one):
                        return self._broken([*lines[:-1], one], chosen, number)
                    if not where and _applies(player, claim, one):
                        where = f"event {len(lines)} of random game {number}"
                        shown = self._played([*lines[:-1], one], chosen, [f"the premise holds at {where}"])
            if where and (number >= games or time.process_time() > until):
                break
        return _Seen(where, shown=shown)

    def _broken_soon(self, part: Part, last: Collection[str]) -> _Seen:
        """A game of a few lines that breaks a part, found by the solver and played by the rules."""
        chosen = chosen_readings(part.readings)
        options = self.model.game.bind(None, chosen)
        player, lines = Player(self.model, options), list[Played]()
        state = player.interpreter.layout.initial()
        for event, values in breach(self.model, options, part.claim, last, self.budget.seconds / 2) or ():
            if not player.interpreter.holds(event, state, values):
                return _Seen("")
            lines.append(player.played(event, values, state))
            state = lines[-1].after
        if not lines or _holds(player, part.claim, lines[-1]):
            return _Seen("")
        where = f"event {len(lines)} of a game breaks it: {lines[-1].event.name}"
        return _Seen(where, self._played(lines, chosen, [where]), how="a game, searched")

    def _broken(self, lines: Sequence[Played], chosen: Mapping[str, str], number: int) -> _Seen:
        where = f"event {len(lines)} of random game {number} breaks it: {lines[-1].event.name}"
        return _Seen(where, self._played(lines, chosen, [where]))

    def _played(self, lines: Sequence[Played], chosen: Mapping[str, str], notes: Sequence[str]) -> str:
        return written(self.model.game, [(line.event, line.values) for line in lines], chosen, notes=notes)


@dataclass(frozen=True)
class _Shown:
    """What a game or a computation has shown."""

    status: str
    method: str
    text: str = ""
    log: str = ""
    premise: str = ""
    premise_log: str = ""


def _found(claim: Computed | Checked, found: Found) -> _Shown:
    status, text = found
    return _Shown(status, claim.method, text)


@dataclass(frozen=True)
class _Seen:
    """Where the premise of a claim was seen; and a log in which the claim fails, if one was played.

    ``shown`` is the game up to there.
    """

    where: str
    broken: str = ""
    shown: str = ""
    how: str = "a random game"


def _broken(every: Iterable[Done]) -> _Seen | None:
    """The game in which a claim fails, if one was played."""
    return next((done.result for done in every if isinstance(done.result, _Seen) and done.result.broken), None)


def _not_inductive(result: Any) -> bool:
    return isinstance(result, Answer) and result.answer == REFUTED


def _verdict(part: Part, every: Sequence[Done]) -> _Shown:
    """What the tasks of a part show together."""
    method = METHODS.get(type(part.claim), "")
    broken = _broken(every)
    if broken:
        return _Shown(REFUTED, broken.how, broken.where, broken.broken)
    failed = [done.failure for done in every if done.failure]
    if failed:
        return _Shown(UNKNOWN, method, failed[0])
    answers = [done.result for done in every if isinstance(done.result, Answer)]
    left_open = [answer for answer in answers if answer.answer != "proved"]
    shown = next((done.result for done in every if isinstance(done.result, _Shown)), None)
    if shown is not None and isinstance(part.claim, Most):
        if left_open or shown.status != PROVED:
            return _Shown(UNKNOWN, method, _why(left_open[0]) if left_open else shown.text, shown.log)
        return _Shown(COMPUTED, method, f"{part.claim.start - part.claim.floor}; {shown.text}", shown.log)
    if shown is not None:
        return shown
    seen = next(done.result for done in every if isinstance(done.result, _Seen))
    if left_open:
        return _Shown(UNKNOWN, method, _why(left_open[0]))
    if not seen.where:
        return _Shown(UNKNOWN, method, f"its premise was seen in none of {GAMES} games")
    return _Shown(PROVED, method, premise=seen.where, premise_log=seen.shown)


def _within(proofs: Iterable[Any]) -> Callable[[Any], Any]:
    """Finds what is proved for what is needed: conservation itself, or a set of invariants that has those in it."""
    sets = list(proofs)
    return lambda name: name if name in sets else next(one for one in sets if set(name) <= set(one))


def _largest(sets: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The sets of names that are part of no other one, smaller ones first."""
    every = sorted(dict.fromkeys(one for one in sets if one), key=len)
    return [one for one in every if not any(set(one) < set(other) for other in every)]


def chosen_readings(readings: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The readings under which a game is played for a part: the first value that is named of each."""
    return {name: values[0] for name, values in readings.items()}


def _holds(player: Player, claim: Any, step: Played) -> bool:
    match claim:
        case Conserved():
            return player.conserved(step.after)
        case Invariant():
            return bool(player.interpreter.value(claim.condition.term, step.after, {}))
        case Steps():
            concerned = not claim.events or step.event.name in claim.events
            return not concerned or bool(player.value(claim.condition.term, step))
        case Ranking():
            here, there = (sum(_parts(player, claim.parts, table)) for table in (step.before, step.after))
            exempt = claim.exempt.get(step.event.name)
            free = exempt is not None and player.value(exempt.term, step)
            return step.event.name not in claim.events or free or there < here
    return True


def _applies(player: Player, claim: Any, step: Played) -> bool:
    match claim:
        case Steps() | Ranking():
            concerned = not claim.events or step.event.name in claim.events
            return concerned and bool(player.value(claim.premise.term, step))
        case Invariant():
            return bool(player.interpreter.value(claim.premise.term, step.after, {}))
        case Sooner():
            return step.event.name == claim.event and bool(player.value(claim.within.term, step))
    return True


def _parts(player: Player, parts: Sequence[Expr[Any]], table: Any) -> list[int]:
    return [int(player.interpreter.value(part.term, table, {})) for part in parts]


def _why(answer: Answer) -> str:
    if answer.answer == "refuted":
        fails = f"{', '.join(answer.broken)} fails, from a table that may not be reachable"
        return f"the induction does not go through: {fails}"
    return answer.broken[0] if answer.broken else "the solver gave up"
