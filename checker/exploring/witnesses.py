"""Witnesses: games that show what exploring found, replayed by the interpreter and accepted by `check`.

States of a search stand for all that differ from them by names alone. So a way through them is walked again with
the cards as they lie: at each step some event leads to a table that the next state stands for, and that event is
the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.engines.native import Native, Search, Words
from fairdeal.checker.engines.native.slicing import Candidate
from fairdeal.checker.exploring.counting import candidates
from fairdeal.checker.exploring.rounds import CAN, DEAD, LOOP, Round, kept_searches, left_beside
from fairdeal.checker.exploring.starting import Start
from fairdeal.checker.judging.checking import Call, LogCheck
from fairdeal.spec.language.exploring import Exploration
from fairdeal.spec.language.game import Event
from fairdeal.spec.language.terms import Term

LONGEST = ":longest"
LOOPED = "null-loop"


class NoWitness(Exception):  # noqa: N818 - it says what it is
    """There is no such game, or none was found; the message says which."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Events from the start on, with the tables between them."""

    events: tuple[tuple[Event, dict[str, Any]], ...]
    tables: tuple[State, ...]


def walk(part: Round, states: Sequence[Words]) -> Walk:
    """The events that lead from the start through tables that these packed states stand for.

    Raises:
        AssertionError: the interpreter does not allow one of them; the engines differ.
    """
    tables, taken = [copy(part.start.state)], []
    for wanted in states[1:]:
        event, values, after = _step(part, tables[-1], wanted)
        taken.append((event, values))
        tables.append(after)
    return Walk(tuple(taken), tuple(tables))


def _step(part: Round, table: State, wanted: Words) -> tuple[Event, dict[str, Any], State]:
    native, run = part.native, part.start.binder.interpreter
    for candidate, words in native.successors(native.packing.project(table)):
        if native.normal(words) == wanted:
            values = stated(part.start, candidate, table)
            assert run.holds(candidate.event, table, values), f"{candidate.event.name} {values} is not lawful"
            after = copy(table)
            run.apply(candidate.event, after, values)
            assert native.normal(native.packing.project(after)) == wanted, f"{candidate.event.name} leads elsewhere"
            return candidate.event, values, after
    raise AssertionError("no event leads to the next state of the way")


def stated(start: Start, candidate: Candidate, table: State) -> dict[str, Any]:
    """The values that a line of this event states here."""
    event = candidate.event
    values: dict[str, Any] = dict(zip((one.name for one in event.choices), candidate.choices, strict=True))
    for guard in event.guards:
        if guard.reports and guard.value is not None and guard.reports not in values:
            values[guard.reports] = start.binder.interpreter.value(guard.value, table, values)
    return values


def names_of(page: Exploration) -> list[str]:
    """What a witness can be asked for."""
    classes = [*page.classes, DEAD]
    kept = [name for _, name, _, _ in kept_searches(page)]
    return [*classes, *(name + LONGEST for name in classes), *kept, *([LOOPED] if page.null else [])]


def witness(part: Round, search: Search, name: str) -> str:
    """A gamelog that shows what is asked for; it was checked.

    Raises:
        NoWitness: there is none.
    """
    if name == LOOPED:
        found = _looped(part, search)
    elif name in [*part.start.exploration.classes, DEAD]:
        found = _to_class(part, search, name, longest=False)
    elif name.endswith(LONGEST):
        found = _to_class(part, search, name.removesuffix(LONGEST), longest=True)
    else:
        found = _kept_from(part, search, name)
    return _checked(part.start, _claimed(part, found))


def _claimed(part: Round, found: Walk) -> Walk:
    """The same, and where the part is over the line that states why, if the rules have one, for `check` to judge."""
    run, table = part.start.binder.interpreter, found.tables[-1]
    ends = [part.start.exploration.classes[name].condition.term for name in part.final]
    if not any(run.value(one, table, {}) for one in ends):
        return found
    for event in part.game.events.values():
        if not event.claim or event.observation:
            continue
        for values in candidates(part.start, event, table):
            if run.holds(event, table, values):
                after = copy(table)
                run.apply(event, after, values)
                return Walk((*found.events, (event, values)), (*found.tables, after))
    return found


def _to_class(part: Round, search: Search, name: str, *, longest: bool) -> Walk:
    mask = search.dead if name == DEAD else search.bits([name])
    first = search.nearest(mask)
    if first is None:
        raise NoWitness(f"no state of the class {name} " + ("exists" if search.closed else "was found so far"))
    if longest:
        if not search.closed or not search.counting:
            raise NoWitness("the longest way is known only where everything was seen, and ways were counted")
        first = search.farthest(mask)
        assert first is not None
    found = walk(part, [search.state(at) for at in search.path(first, longest=longest)])
    if name != DEAD:
        _holds(part, part.start.exploration.classes[name].condition.term, found.tables[-1], name)
    return found


def _holds(part: Round, condition: Term, table: State, name: str) -> None:
    if not part.start.binder.interpreter.value(condition, table, {}):
        raise AssertionError(f"the interpreter does not see {name} at the end of the way")


def _kept_from(part: Round, held: Search, name: str) -> Walk:
    player, how = next((player, how) for player, one, _, how in kept_searches(part.start.exploration) if one == name)
    search = part.search(left_beside(part, held), **how)
    mask = search.bits(part.final)

    def is_there(one: Search) -> bool:
        return one.number_of(mask, without=one.stop) > 0

    search.run(until=is_there)
    ends = [at for at in search.where(mask) if not int(search.marks[at]) & search.stop]
    if not ends:
        if search.stop and part.at_once:
            raise NoWitness("none was found with events made at once; --merge alike looks at all")
        raise NoWitness(f"there is no such {part.start.exploration.part}" if search.closed else "none was found so far")
    found = walk(part, [search.state(at) for at in search.path(ends[0])])
    if search.stop:
        can = part.start.exploration.can_act[player].term
        for table in found.tables:
            assert not part.start.binder.interpreter.value(can, table, {}), f"{CAN}{player} holds on the way"
    return found


def _looped(part: Round, search: Search) -> Walk:
    """The way to the first table at which a null event is possible, and a detour that leads back to it."""
    first = search.nearest(search.bits([LOOP]))
    if first is None:
        raise NoWitness("no null event is possible anywhere")
    found = walk(part, [search.state(at) for at in search.path(first)])
    events, tables = list(found.events), list(found.tables)
    here = part.native.packing.project(tables[-1])
    for _ in range(2):
        event, values = _null(part, tables[-1], events[-1] if len(events) > len(found.events) else None)
        after = copy(tables[-1])
        part.start.binder.interpreter.apply(event, after, values)
        events.append((event, values))
        tables.append(after)
    assert part.native.packing.project(tables[-1]) == here, "the detour does not lead back"
    return Walk(tuple(events), tuple(tables))


def _null(part: Round, table: State, before: tuple[Event, dict[str, Any]] | None) -> tuple[Event, dict[str, Any]]:
    """A null event that is lawful here; after one, that which takes it back."""
    from fairdeal.checker.engines.python_source import combinations

    run, (null,) = part.start.binder.interpreter, part.start.exploration.null
    event = part.game.events[null.event]
    for choices in combinations(event):
        named = dict(zip((one.name for one in event.choices), choices, strict=True))
        candidate = Candidate(event, choices, (), (), event.guards[0].condition, ())
        values = stated(part.start, candidate, table)
        if not run.holds(event, table, values):
            continue
        extra = null.where(**{one.name: _bound(one, named[one.name]) for one in event.choices}) if null.where else None
        if extra is not None and not run.value(extra.term, table, {}):
            continue
        if before is None or _reverses(values, before[1]):
            return event, values
    raise NoWitness("the null event cannot be taken back")


def _bound(parameter: Any, value: int) -> Any:
    from fairdeal.spec.language import Expr, terms

    return Expr(terms.const(value, parameter.sort))


def _reverses(values: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether two events of a kind state the same, but for two places that are exchanged."""
    moved = [name for name in values if values[name] != before[name]]
    return len(moved) == 2 and [values[one] for one in moved] == [before[one] for one in reversed(moved)]


def _checked(start: Start, found: Walk) -> str:
    binder = start.binder
    if start.is_json:
        import json

        body = [json.dumps(binder.json(event, values), ensure_ascii=False) for event, values in found.events]
    else:
        body = [binder.text(event, values) for event, values in found.events]
    text = "\n".join([*start.lines, *body, ""])
    check = LogCheck(Call("<witness>", start.rules, dict(start.chosen)))
    reports = [*check.take(text.split("\n")), *check.finish()]
    verdicts = [report.verdict.value for report in reports]
    if len(reports) != 1 or verdicts[0] not in ("legal", "incomplete"):
        found_wrong = "; ".join(f"line {one.line}: {one.code} {one.message}" for one in reports[-1].findings[:3])
        raise AssertionError(f"a witness is {', '.join(verdicts)}: {found_wrong}")
    return text


__all__ = ["LONGEST", "LOOPED", "Native", "NoWitness", "Walk", "names_of", "stated", "walk", "witness"]
