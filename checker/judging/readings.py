"""Readings: whether other options that the text allows make a whole game legal.

The search is driven by what goes wrong: under an assignment the game is judged up to its first fault, and only
options that this fault can hang on are changed next. An option can act through the guard that failed, or through an
effect of an earlier event on what that guard reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from fairdeal.checker.judging.findings import Fault, options_in
from fairdeal.checker.judging.referee import reading
from fairdeal.spec.language import terms
from fairdeal.spec.language.game import Game
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When

MOST_RUNS = 120
"""Assignments that are tried for one game before the search is given up."""

DEEPEST = 3
"""Most options that are changed at once."""

Assignment = tuple[tuple[str, str], ...]

Trial = Callable[[Mapping[str, str]], "Fault | None"]
"""Judges a whole game under changed options, up to its first fault; ``None`` where there is none."""


def open_options(game: Game, fault: Fault, chosen: frozenset[str]) -> list[str]:
    """Options, neither chosen by the log nor by the call, that a fault can hang on."""
    if fault.bound is None or fault.kind not in ("failed", "refused"):
        return []
    guards = fault.ruling.failed[:1] if fault.ruling and fault.ruling.failed else fault.bound.event.guards
    names: set[str] = set()
    for guard in guards:
        names |= options_in(guard.condition)
        for one in reading(guard.condition):
            names |= influence(game)[str(one.value)]
    return sorted(name for name in names - chosen if not game.options[name].fixed)


_known: dict[str, Mapping[str, frozenset[str]]] = {}


def influence(game: Game) -> Mapping[str, frozenset[str]]:
    """For each variable, the options that effects on it read, directly or through other variables."""
    found = _known.get(game.version)
    if found is None:
        direct: dict[str, set[str]] = {variable.name: set() for variable in game.variables}
        sources: dict[str, set[str]] = {variable.name: set() for variable in game.variables}
        for event in game.events.values():
            for written, read in _writes(event.effects, []):
                direct[written] |= {name for term in read for name in options_in(term)}
                sources[written] |= {
                    str(one.value) for term in read for one in terms.subterms(term) if one.op == "cell"
                }
        changed = True
        while changed:
            changed = False
            for name, others in sources.items():
                whole = direct[name].union(*(direct[other] for other in others))
                changed |= whole != direct[name]
                direct[name] = whole
        found = _known[game.version] = {name: frozenset(options) for name, options in direct.items()}
    return found


def _writes(effects: tuple[Effect, ...], conditions: list[terms.Term]) -> Iterator[tuple[str, list[terms.Term]]]:
    for effect in effects:
        match effect:
            case When():
                yield from _writes(effect.effects, [*conditions, effect.condition])
            case Assign():
                yield effect.cell, [*conditions, effect.value]
            case Move() | Pour() | Lay() | Part() | Pick() | TurnOver():
                yield effect.source, conditions
                yield effect.target, conditions


class Search:
    """Looks for the fewest changes of open options under which a trial finds no fault."""

    def __init__(self, game: Game, chosen: frozenset[str], trial: Trial) -> None:
        self.game, self.chosen, self.trial = game, chosen, trial
        self.runs = 0

    def find(self, first: Fault) -> Mapping[str, str] | None:
        """The assignment, or ``None`` where none was found.

        Only an assignment that carries the game beyond the first fault is built upon.
        """
        waiting: deque[tuple[Assignment, int]] = deque((one, first.line) for one in self._next((), first))
        seen: set[Assignment] = {one for one, _ in waiting}
        while waiting and self.runs < MOST_RUNS:
            assignment, reached = waiting.popleft()
            self.runs += 1
            fault = self.trial(dict(assignment))
            if fault is None:
                return dict(assignment)
            if len(assignment) < DEEPEST and fault.line > reached:
                for further in self._next(assignment, fault):
                    if further not in seen:
                        seen.add(further)
                        waiting.append((further, fault.line))
        return None

    def _next(self, assignment: Assignment, fault: Fault) -> Iterator[Assignment]:
        taken = {name for name, _ in assignment}
        for name in open_options(self.game, fault, self.chosen):
            option = self.game.options[name]
            if name in taken or option.numeric:
                continue
            for value in option.tried:
                if value != option.default:
                    yield tuple(sorted((*assignment, (name, value))))
