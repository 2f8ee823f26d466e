"""Games: named events over a table, with the options and rule sets under which they are read."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from string import Formatter
from typing import Any, get_args, get_origin, get_type_hints

from fairdeal.spec.language import recording, terms
from fairdeal.spec.language.board import Board
from fairdeal.spec.language.expressions import Expr, Row, Rows, RulesError
from fairdeal.spec.language.options import Option, OptionError
from fairdeal.spec.language.policy import Policy
from fairdeal.spec.language.sorts import INT, SEQUENCE, Sort, sort_of
from fairdeal.spec.language.state import State, Variable


@dataclass(frozen=True, slots=True)
class Parameter:
    """What an event's line states: a ``choice``, a ``report`` of what the state has, or ``rows`` of cards."""

    name: str
    sort: Sort
    role: str

    @property
    def term(self) -> terms.Term:
        """The parameter as it stands in recorded terms."""
        return terms.node("param", (), self.name, self.sort)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One kind of line, recorded: what it requires, in order, and what it does."""

    name: str
    parameters: tuple[Parameter, ...]
    guards: tuple[recording.Guard, ...]
    effects: tuple[recording.Effect, ...]
    cites: tuple[str, ...]
    meaning: str
    observation: bool = False
    """It says what was seen and changes nothing."""
    claim: bool = False
    """It says what follows from lines before, so that a false one is not carried out."""
    remarks: tuple[recording.Guard, ...] = ()
    """What is lawful and yet worth a word, where the condition holds before the event."""
    cases: Mapping[str, terms.Term] = field(default_factory=dict)
    """By clause, where a line is a case of it, if that is not so of every line of an event that cites it."""
    leads: tuple[recording.Lead, ...] = ()
    """Of what clauses later lines of other events will be cases."""
    beyond: Mapping[str, str] = field(default_factory=dict)
    """By parameter, the clause that a value outside its sort breaks, where it is not the sort's own."""

    choices: tuple[Parameter, ...] = field(init=False)
    """The parameters that a player chooses."""
    reports: tuple[Parameter, ...] = field(init=False)
    """The parameters that a log states and back ends receive when they run."""
    has_rows: bool = field(init=False)
    """A line of it states rows of cards."""

    def __post_init__(self) -> None:
        """Sort the parameters by what they are for."""
        choices = tuple(parameter for parameter in self.parameters if parameter.role == "choice")
        object.__setattr__(self, "choices", choices)
        reports = tuple(parameter for parameter in self.parameters if parameter.role != "choice")
        object.__setattr__(self, "reports", reports)
        object.__setattr__(self, "has_rows", any(parameter.role == "rows" for parameter in self.parameters))


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A named assignment of options, such as the scored game."""

    name: str
    options: Mapping[str, str]
    statement: str


@dataclass(slots=True, eq=False)
class Game:
    """A game's rules, recorded: the table, the events and observations, the options and rule sets.

    ``derived`` holds named conditions; the one called ``complete`` says when the game is over. ``overlap`` names the
    clause that two overlapping acts of one player break.
    """

    name: str
    title: str
    table: type[State]
    options: Mapping[str, Option]
    rule_sets: Mapping[str, RuleSet]
    events: dict[str, Event] = field(default_factory=dict)
    derived: dict[str, terms.Term] = field(default_factory=dict)
    board: Board = field(default_factory=lambda: Board(()))
    policies: dict[str, Policy] = field(default_factory=dict)
    """Ways in which random games are played, by name; the first is the usual one."""
    final: frozenset[str] = frozenset()
    """Events that can end the game."""
    entry: str = ""
    """The event with which a log may begin in the middle of a game."""
    one_deck: str = ""
    """The clause that a card breaks which lies in two places."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By clause, the reason that a log gives for refusing what breaks it, where there is a word for it."""
    idle: frozenset[str] = frozenset()
    """Events that change nothing and are always possible."""
    same_instant: str = ""
    """The cell, if the rules look at it, that says whether a line has the time of the one before."""
    goal: str = ""
    """The derived condition that a player strives for within a turn, if the game has one, such as being out."""
    labelled: str = ""
    """The zones that a log names by labels of its own, such as melds; lawful play needs no more than there are."""
    overlap: str = ""
    claims: dict[str, str] = field(default_factory=dict)
    """Clauses that no single guard states, with where they hold or why a log cannot show them."""
    _digest: str = ""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What the table declares."""
        return self.table.variables()

    @property
    def version(self) -> str:
        """The game's name and a digest of everything recorded: two equal versions judge alike."""
        if not self._digest:
            known: dict[terms.Term, str] = {}
            marks = (self.entry, self.one_deck, self.same_instant, self.overlap)
            named = (sorted(self.final), sorted(self.idle), dict(self.reasons))
            parts = [repr((self.variables, self.options, self.rule_sets, marks, named))]
            parts += [f"{name} {terms.digest(term, known)}" for name, term in self.derived.items()]
            parts += [_digest(event, known) for event in self.events.values()]
            self._digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
        return f"{self.name} {self._digest}"

    def event(
        self, *cites: str, name: str = "", claim: bool = False, beyond: Mapping[str, str] | None = None
    ) -> Callable[[Callable[..., None]], Event]:
        """Record the decorated function as an event; ``cites`` are the clauses that allow it.

        The event has the function's name unless ``name`` gives it another. ``claim`` and ``beyond`` as in `Event`.
        """

        def add(function: Callable[..., None]) -> Event:
            event = record(function, self.table, cites, name=name)
            return self._add(replace(event, claim=claim, beyond=dict(beyond or {})))

        return add

    def observation(
        self, *cites: str, beyond: Mapping[str, str] | None = None
    ) -> Callable[[Callable[..., None]], Event]:
        """Record the decorated function as an observation: guards only, nothing changes. ``beyond`` as in `Event`."""

        def add(function: Callable[..., None]) -> Event:
            event = record(function, self.table, cites, observation=True)
            return self._add(replace(event, beyond=dict(beyond or {})))

        return add

    def define(self, name: str, condition: Expr[bool]) -> Expr[bool]:
        """Name a derived condition, so that commands, goals and properties can refer to it."""
        self.derived[name] = condition.term
        return condition

    def _add(self, event: Event) -> Event:
        if event.name in self.events:
            raise RulesError(f"{self.name} has an event {event.name} already")
        self.events[event.name] = event
        return event

    def rule_set(self, name: str) -> RuleSet:
        """The rule set of that name.

        Raises:
            OptionError: there is none; the message names those that there are.
        """
        if name not in self.rule_sets:
            near = get_close_matches(name, self.rule_sets, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise OptionError(f"rules {name}: {hint}the rule sets of {self.name} are {', '.join(self.rule_sets)}")
        return self.rule_sets[name]

    def bind(self, rules: str | None = None, chosen: Mapping[str, str] | None = None) -> dict[str, int]:
        """The value of every option, as terms encode it: defaults, then a rule set, then what was chosen.

        Raises:
            OptionError: a name or a value that the game does not have.
        """
        words = {name: option.default for name, option in self.options.items()}
        words.update(self.rule_set(rules or "standard").options)
        words.update(chosen or {})
        return {name: self.encode(name, value) for name, value in words.items()}

    def encode(self, name: str, value: str) -> int:
        """The number that stands for an option's value in terms.

        Raises:
            OptionError: the game has no such option, or the option no such value.
        """
        if name not in self.options:
            near = get_close_matches(name, self.options, n=1)
            if near:
                raise OptionError(f"{self.name} has no option {name}; did you mean {self.options[near[0]].described}?")
            known = ", ".join(self.options)
            raise OptionError(f"{self.name} has no option {name}; its options are {known}")
        return self.options[name].encode(value)


def _digest(event: Event, known: dict[terms.Term, str]) -> str:
    marks = (event.observation, event.claim, dict(event.beyond))
    parts = [repr((event.name, event.parameters, event.cites, marks))]
    parts += [recording.digest(item, known) for item in (*event.guards, *event.remarks, *event.effects)]
    return "\n".join(parts)


def _parameter(name: str, hint: Any) -> tuple[Sort, Any]:
    if hint is Rows:
        return SEQUENCE, Rows(name)
    if hint is Row:
        return SEQUENCE, Row(terms.node("row", (), (name, None), SEQUENCE))
    if get_origin(hint) is Expr:
        (kind,) = get_args(hint)
        sort = sort_of(kind)
        return sort, Expr(terms.node("param", (), name, sort))
    raise RulesError(f"parameter {name}: annotate it with Expr[...], Row or Rows, not with {hint!r}")


def record(
    function: Callable[..., None],
    table: type[State],
    cites: tuple[str, ...],
    *,
    name: str = "",
    observation: bool = False,
) -> Event:
    """Run an event's function once over terms and keep what it states.

    Raises:
        RulesError: a parameter is neither a finite choice nor a report, or an observation has effects.
    """
    hints = get_type_hints(function)
    names = list(inspect.signature(function).parameters)[1:]
    declared = {one: _parameter(one, hints[one]) for one in names}
    with recording.recorded() as taken:
        function(table(), **{one: handle for one, (_, handle) in declared.items()})
    for guard in (*taken.guards, *taken.remarks):
        _complete(guard, function.__name__, set(declared))
    reported = {guard.reports for guard in taken.guards if guard.reports}
    parameters = []
    for one, (sort, _) in declared.items():
        role = "rows" if sort is SEQUENCE else "report" if one in reported else "choice"
        if role == "choice" and (sort.kind not in ("bool", "int", "enum") or sort is INT):
            raise RulesError(f"{function.__name__}: {one} is neither a finite choice nor a report; see report()")
        parameters.append(Parameter(one, sort, role))
    if observation and taken.effects:
        raise RulesError(f"{function.__name__}: an observation changes nothing, and this one has effects")
    meaning = inspect.cleandoc(function.__doc__ or "").split("\n", 1)[0]
    return Event(
        name or function.__name__,
        tuple(parameters),
        tuple(taken.guards),
        tuple(taken.effects),
        cites,
        meaning,
        observation,
        remarks=tuple(taken.remarks),
        cases=taken.cases,
        leads=tuple(taken.leads),
    )


def _complete(guard: recording.Guard, event: str, names: set[str]) -> None:
    """Refuse a guard that reads a parameter of another event, or whose message cannot be filled in."""
    foreign = {str(one.value) for one in guard.condition.open if one.op == "param"} - names
    if foreign:
        raise RulesError(f"{event}: {guard.clause} reads {', '.join(sorted(foreign))}, no parameter of this event")
    words = {field for _, field, _, _ in Formatter().parse(guard.template) if field}
    missing = words - names - {name for name, _ in guard.fields}
    if missing:
        raise RulesError(f"{event}: the message of {guard.clause} names {', '.join(sorted(missing))}; pass it by name")


def enabled(event: Event, where: Callable[..., Expr[bool]] | None = None, **fixed: Expr[Any]) -> Expr[bool]:
    """Whether some choice makes the event lawful; ``fixed`` pins parameters, ``where`` restricts the choices.

    Reports are taken at their value. Choices are nested in their order, so that what does not depend on the inner
    ones is asked once. ``where`` is called with each choice by its name.

    Raises:
        RulesError: a fixed choice speaks of a parameter that is to be chosen.
    """
    pinned = {parameter.term: fixed[parameter.name].term for parameter in event.choices if parameter.name in fixed}
    open_choices = [one for one in event.choices if one.name not in fixed]
    taken = {str(one.term.value) for one in open_choices if any(one.term in term.open for term in pinned.values())}
    if taken:
        raise RulesError(f"{event}: a fixed choice speaks of {', '.join(sorted(taken))}, which is to be chosen")
    return Expr(_some(_bound(_guards(event), pinned), open_choices, pinned, event, where))


def _some(
    guards: list[terms.Term],
    choices: list[Parameter],
    chosen: dict[terms.Term, terms.Term],
    event: Event,
    where: Callable[..., Expr[bool]] | None,
) -> terms.Term:
    """Choice by choice: what depends on the outer ones alone is bound once for all values of the inner ones."""
    if not choices:
        restriction = where(**{one.name: Expr(chosen[one.term]) for one in event.choices}).term if where else terms.TRUE
        return terms.conjoin([*guards, restriction])
    first, rest = choices[0], choices[1:]
    alternatives = []
    for value in first.sort.values:
        binding = {first.term: terms.const(value, first.sort)}
        alternatives.append(_some(_bound(guards, binding), rest, {**chosen, **binding}, event, where))
    return terms.disjoin(alternatives)


def _bound(guards: Sequence[terms.Term], binding: Mapping[terms.Term, terms.Term]) -> list[terms.Term]:
    done: dict[terms.Term, terms.Term] = {}
    return [terms.substitute(guard, binding, done) for guard in guards]


def _guards(event: Event) -> list[terms.Term]:
    """The guards of an event, with reports at their value."""
    return _bound([guard.condition for guard in event.guards], reported(event, {}))


def reported(event: Event, binding: Mapping[terms.Term, terms.Term]) -> dict[terms.Term, terms.Term]:
    """The value of each parameter that merely reports, as a binding; ``binding`` is applied to the values first."""
    values: dict[terms.Term, terms.Term] = {}
    parameters = {parameter.name: parameter.term for parameter in event.parameters}
    for guard in event.guards:
        if guard.reports and guard.value is not None and parameters[guard.reports] not in values:
            values[parameters[guard.reports]] = terms.substitute(guard.value, {**binding, **values})
    return values


def lawful(event: Event, binding: Mapping[terms.Term, terms.Term]) -> terms.Term:
    """The conjunction of an event's guards, with reports at their value."""
    return terms.conjoin(_bound(_guards(event), binding))
