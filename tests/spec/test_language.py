"""The rules language itself: what it refuses, what its simplifications keep, and when two games are the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import Layout
from fairdeal.checker.engines.python_source import PythonSteps
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import (
    Bag,
    Bags,
    Cards,
    Cell,
    Cells,
    Expr,
    Game,
    Heaps,
    Number,
    OptionError,
    Options,
    OptionTerm,
    Range,
    Rows,
    RulesError,
    RuleSet,
    Stacks,
    State,
    all_of,
    any_of,
    choose,
    each,
    enabled,
    implies,
    move,
    other,
    part,
    pour,
    report,
    require,
    sum_of,
    terms,
    when,
)
from fairdeal.spec.language.game import record
from fairdeal.spec.language.options import Option
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.specialise import place, specialise
from fairdeal.spec.language.terms import FALSE, TRUE, Term


class Side(IntEnum):
    LEFT = 0
    RIGHT = 1


class Place(Range, low=1, high=3):
    pass


class Toy(State):
    on = Cell(bool)
    number = Cell(Number)
    side = Cell(Side)
    flags = Cells(bool, Side, Place)
    begun = Cells(Cards, Side)
    stock = Stacks(Side, capacity=4)
    middle = Heaps(Place)
    hand = Bags(Side)
    deck = Bag(full=True)


class House(Options):
    colour = OptionTerm("red", "green", "blue", gap="GAP-TOY-1", published=("blue",))
    strict = OptionTerm("false", "true", gap="GAP-TOY-2")


def toy() -> Game:
    rules = {"standard": RuleSet("standard", {}, ""), "bright": RuleSet("bright", {"colour": "green"}, "")}
    return Game("toy", "Toy", Toy, House.declared(), rules)


def recorded(function: Callable[..., None]) -> Any:
    return record(function, Toy, ("TOY-1",))


T = Toy()

# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "use",
    [
        lambda: 1 if T.on else 0,
        lambda: T.on and T.flags[0, 1],  # type: ignore[unreachable]
        lambda: T.on or T.flags[0, 1],  # type: ignore[unreachable]
        lambda: not T.on,
        lambda: T.number in (1, 2),
        lambda: 0 < T.number < 3,
        lambda: max(T.number, T.number + 1),
    ],
)
def test_a_term_has_no_truth_value_and_the_message_says_what_to_write(use: Callable[[], object]) -> None:
    with pytest.raises(
        RulesError, match=r"with when\(\.\.\.\).*choose\(\.\.\.\), &, \| or ~ instead of if, and, or, not"
    ):
        use()


def test_a_term_is_no_key() -> None:
    with pytest.raises(TypeError):
        hash(T.on)


def test_guards_after_effects_are_refused() -> None:
    def event(t: Toy) -> None:
        t.on = True
        require(t.on, "TOY-1", "off")

    with pytest.raises(RulesError, match="TOY-1: guards come before effects"):
        recorded(event)


def test_guards_inside_when_are_refused() -> None:
    def event(t: Toy) -> None:
        with when(t.on):
            require(t.on, "TOY-1", "off")

    with pytest.raises(RulesError, match=r"outside of `when`; use implies"):
        recorded(event)


def test_reports_after_effects_are_refused() -> None:
    def event(t: Toy, number: Expr[Number]) -> None:
        t.on = True
        report(number, t.number, "TOY-1", "{number}")

    with pytest.raises(RulesError, match="guards come before effects"):
        recorded(event)


@pytest.mark.parametrize(
    "statement",
    [
        lambda: require(T.on, "TOY-1", "off"),
        lambda: setattr(T, "on", True),
        lambda: move(T.stock[0], T.stock[1]),
        lambda: when(T.on).__enter__(),
    ],
)
def test_outside_of_an_event_nothing_can_be_stated(statement: Callable[[], object]) -> None:
    with pytest.raises(RulesError, match="only inside a function that is recorded as an event"):
        statement()


def test_a_failed_recording_leaves_nothing_behind() -> None:
    def failing(t: Toy) -> None:
        require(t.on, "TOY-1", "off")
        raise ZeroDivisionError

    def empty(t: Toy) -> None:
        pass

    with pytest.raises(ZeroDivisionError):
        recorded(failing)
    assert recorded(empty).guards == ()


def test_an_observation_has_no_effects() -> None:
    def seen(t: Toy) -> None:
        t.on = True

    with pytest.raises(RulesError, match="an observation changes nothing"):
        toy().observation("TOY-1")(seen)


def test_two_events_of_one_name_are_refused() -> None:
    def event(t: Toy) -> None:
        pass

    game = toy()
    game.event("TOY-1")(event)
    with pytest.raises(RulesError, match="toy has an event event already"):
        game.event("TOY-1")(event)


def test_a_parameter_is_a_finite_choice_or_a_report() -> None:
    def event(t: Toy, number: Expr[Number]) -> None:
        require(t.number == number, "TOY-1", "no")

    with pytest.raises(RulesError, match=r"event: number is neither a finite choice nor a report; see report\(\)"):
        recorded(event)


def test_a_parameter_is_annotated_as_a_term() -> None:
    def event(t: Toy, number: int) -> None:
        pass

    with pytest.raises(RulesError, match=r"parameter number: annotate it with Expr\[...\], Row or Rows"):
        recorded(event)


def test_only_a_parameter_can_be_a_report() -> None:
    def event(t: Toy) -> None:
        report(t.number, t.number + 1, "TOY-1", "no")

    with pytest.raises(RulesError, match="TOY-1: only a parameter of the event can be a report"):
        recorded(event)


def test_a_parameter_of_another_event_is_refused() -> None:
    kept: list[Expr[Side]] = []

    def first(t: Toy, player: Expr[Side]) -> None:
        kept.append(player)

    def second(t: Toy) -> None:
        require(kept[0] == Side.LEFT, "TOY-1", "no")

    recorded(first)
    try:
        recorded(second)
    except RulesError:
        return
    raise AssertionError("a stale parameter was taken")


def test_a_message_that_names_what_is_not_there_is_refused() -> None:
    def event(t: Toy) -> None:
        require(t.on, "TOY-1", "{nobody} is off")

    try:
        recorded(event)
    except RulesError:
        return
    raise AssertionError("a message that cannot be written was taken")


@pytest.mark.parametrize("game", list(MODULES))
def test_every_message_of_the_games_can_be_filled_in(game: str) -> None:
    for event in model_named(game).events.values():
        names = {one.name for one in event.parameters if one.role != "rows"}
        for guard in (*event.guards, *event.remarks):
            asked = {name for _, name, _, _ in Formatter().parse(guard.template) if name}
            assert asked <= names | {name for name, _ in guard.fields}, guard.template


@pytest.mark.parametrize("game", list(MODULES))
def test_every_term_of_the_games_holds_parameters_of_its_own_event(game: str) -> None:
    for event in model_named(game).events.values():
        own = {one.term for one in event.parameters}
        for guard in (*event.guards, *event.remarks):
            inside = {one for term in (guard.condition, *(term for _, term in guard.fields)) for one in term.open}
            assert {one for one in inside if one.op == "param"} <= own, f"{event.name}: {guard.template}"


@pytest.mark.parametrize("game", list(MODULES))
def test_derived_conditions_ask_for_no_parameter(game: str) -> None:
    for name, term in model_named(game).derived.items():
        assert not [one for one in term.open if one.op == "param"], name


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: T.flags[0], r"flags is indexed by \[Side, Place\], not by 1 value"),
        (lambda: House().colour == "pink", "'pink' is no value of colour: it has red, green, blue"),
        (lambda: T.side == 1.5, "1.5 can stand for no term of sort Side"),
        (lambda: T.hand[0].top, "hand has no order, and so no top"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_is_written(use: Callable[[], object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        use()


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        (lambda t: move(t.middle[1], t.stock[0]), "middle is no stack"),
        (lambda t: move(t.hand[0], t.stock[0]), "hand is no stack"),
        (lambda t: pour(t.stock[0], t.stock[1]), "stock is no bag"),
        (lambda t: pour(t.hand[0], t.hand[0]), "cannot go where they are"),
        (lambda t: part(t.hand[0], t.begun[0], t.hand[0], t.hand[1]), "cannot go where they are"),
    ],
)
def test_cards_go_only_where_they_can(effect: Callable[[Toy], None], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        recorded(_event(effect))


def _event(effect: Callable[[Toy], None]) -> Callable[..., None]:
    def event(t: Toy) -> None:
        effect(t)

    return event


def test_an_index_that_depends_on_the_state_is_refused_when_it_is_bound() -> None:
    def event(t: Toy) -> None:
        t.flags[t.side, 1] = True

    effect = specialise(recorded(event), (), {}).effects[0]
    with pytest.raises(RulesError, match=r"an index depends on the state.*each\(\.\.\.\) and when\(\.\.\.\)"):
        place(effect.index)  # type: ignore[union-attr]


# ---------------------------------------------------------------- what recording keeps


def test_guards_and_effects_keep_their_order() -> None:
    def event(t: Toy, player: Expr[Side], number: Expr[Number]) -> None:
        """Do it.

        And more.
        """
        require(t.on, "TOY-1", "off")
        report(number, t.number, "TOY-2", "no", given=t.on)
        t.on = False
        with when(t.side == player):
            t.number = number

    one = recorded(event)
    assert [guard.clause for guard in one.guards] == ["TOY-1", "TOY-2"]
    assert [parameter.role for parameter in one.parameters] == ["choice", "report"]
    assert [type(effect).__name__ for effect in one.effects] == ["Assign", "When"]
    assert one.meaning == "Do it."


def test_a_when_that_is_known_leaves_no_condition() -> None:
    def event(t: Toy) -> None:
        with when(False):
            t.on = True
        with when(True):
            t.number = 1
        with when(t.on):
            pass

    assert [type(effect).__name__ for effect in recorded(event).effects] == ["Assign"]


def test_enabled_takes_reports_at_their_value() -> None:
    def event(t: Toy, player: Expr[Side], number: Expr[Number]) -> None:
        require(t.side == player, "TOY-1", "no")
        report(number, t.number, "TOY-2", "no")
        require(number > 3, "TOY-3", "no")

    interpreter = Interpreter(toy(), toy().bind())
    condition = enabled(recorded(event)).term
    state = interpreter.layout.initial()
    values = []
    for number in (3, 4):
        state[interpreter.layout.position["number", ()]] = number
        values.append(interpreter.value(condition, state, {}))
    assert values == [False, True]
    assert not [one for one in condition.open if one.op == "param"]


# ---------------------------------------------------------------- simplification keeps the meaning

CELLS = [T.flags[side, number].term for side in (0, 1) for number in (1, 2, 3)]
NUMBERS = [T.number.term, T.side.term]
PARAMETER = terms.node("param", (), "player", T.side.term.sort)
COLOUR, STRICT = House().colour.term, House().strict.term
OPEN = {PARAMETER: 2, COLOUR: 3, STRICT: 2}
"""What `substitute` binds, each with the number of its values."""

numbers = st.recursive(
    st.sampled_from([*NUMBERS, PARAMETER, COLOUR]) | st.integers(-2, 3).map(terms.const),
    lambda inner: (
        st.tuples(st.sampled_from(["add", "sub"]), inner, inner)
        | st.tuples(st.just("ite"), st.sampled_from(CELLS), inner, inner)
    ),
    max_leaves=4,
)
"""Integers as nested tuples, not yet terms."""
atoms = st.sampled_from([*CELLS, TRUE, FALSE]) | st.tuples(st.sampled_from(["eq", "lt"]), numbers, numbers)
formulas = st.recursive(
    atoms,
    lambda inner: (
        st.tuples(st.just("not"), inner)
        | st.lists(inner, min_size=1, max_size=4).map(lambda parts: ("and", *parts))
        | st.lists(inner, min_size=1, max_size=4).map(lambda parts: ("or", *parts))
        | st.tuples(st.just("ite"), inner, inner, inner)
        | st.tuples(st.just("eq"), inner, inner)
    ),
    max_leaves=12,
)
tables = st.tuples(st.lists(st.booleans(), min_size=6, max_size=6), st.integers(-1, 3), st.integers(0, 1))
bindings = st.fixed_dictionaries({term: st.integers(0, count - 1) for term, count in OPEN.items()})

SIMPLE: dict[str, Callable[..., Term]] = {
    "not": terms.negate,
    "and": lambda *parts: terms.conjoin(parts),
    "or": lambda *parts: terms.disjoin(parts),
    "ite": terms.choose,
    "eq": terms.equal,
    "lt": terms.less,
    "add": terms.add,
    "sub": terms.subtract,
}


def plain(formula: Any) -> Term:
    """The formula as it is written, without any simplification."""
    if isinstance(formula, Term):
        return formula
    op, *parts = formula
    inner = [plain(one) for one in parts]
    number = op in ("add", "sub") or (op == "ite" and inner[1].sort.kind != "bool")
    return terms.node(op, inner, sort=INT) if number else terms.node(op, inner)


def simple(formula: Any) -> Term:
    """The formula as the language builds it."""
    return formula if isinstance(formula, Term) else SIMPLE[formula[0]](*map(simple, formula[1:]))


def value(term: Term, table: tuple[list[bool], int, int], binding: dict[Term, int]) -> Any:
    game = toy()
    interpreter = Interpreter(game, {"colour": binding[COLOUR], "strict": binding[STRICT]})
    return interpreter.value(term, _state(interpreter.layout, table), {"player": binding[PARAMETER]})


def _state(layout: Layout, table: tuple[list[bool], int, int]) -> list[Any]:
    state = layout.initial()
    flags, number, side = table
    for key, flag in zip((("flags", (a, b)) for a in (0, 1) for b in (1, 2, 3)), flags, strict=True):
        state[layout.position[key]] = flag
    state[layout.position["number", ()]], state[layout.position["side", ()]] = number, side
    return state


@given(formulas, tables, bindings)
def test_building_keeps_the_meaning(formula: Any, table: Any, binding: dict[Term, int]) -> None:
    assert value(simple(formula), table, binding) == value(plain(formula), table, binding)


@given(formulas, tables, bindings, st.sets(st.sampled_from(list(OPEN))))
def test_substituting_keeps_the_meaning(formula: Any, table: Any, binding: dict[Term, int], some: set[Term]) -> None:
    constants = {term: terms.const(binding[term], term.sort) for term in some}
    bound = terms.substitute(simple(formula), constants)
    assert value(bound, table, binding) == value(plain(formula), table, binding)
    assert not bound.open & some
    assert terms.substitute(bound, constants) is bound
    assert terms.replace(simple(formula), constants) is bound


@given(formulas, tables, bindings)
def test_generated_source_keeps_the_meaning(formula: Any, table: Any, binding: dict[Term, int]) -> None:
    game = toy()
    steps = PythonSteps(game, {"colour": binding[COLOUR], "strict": binding[STRICT]})
    bound = terms.substitute(simple(formula), {term: terms.const(one, term.sort) for term, one in binding.items()})
    text = Expression(steps.layout, steps.tables, {}).text(bound)
    function = steps.compile(f"def asked(s):\n    return {text}\n", "asked")
    assert bool(function(_state(steps.layout, table))) == value(plain(formula), table, binding)


@given(formulas)
def test_negation_and_double_negation(formula: Any) -> None:
    term = simple(formula)
    assert terms.negate(terms.negate(term)) is term
    if "and" not in (term.op, terms.negate(term).op):
        assert terms.conjoin([term, terms.negate(term)]) is FALSE
    if "or" not in (term.op, terms.negate(term).op):
        assert terms.disjoin([term, terms.negate(term)]) is TRUE
    assert terms.conjoin([term, term]) is term
    assert terms.disjoin([term, term]) is term
    assert terms.conjoin([]) is TRUE
    assert terms.disjoin([]) is FALSE


@given(st.lists(formulas, max_size=5))
def test_what_all_alternatives_share_is_hoisted(parts: list[Any]) -> None:
    inner = [simple(part) for part in parts]
    shared = CELLS[0]
    whole = terms.disjoin([terms.conjoin([shared, part]) for part in inner])
    assert whole is FALSE or whole is shared or (whole.op == "and" and shared in whole.args)


@given(formulas, formulas)
def test_equal_terms_are_one_object_and_have_one_digest(one: Any, other_one: Any) -> None:
    assert simple(one) is simple(one)
    same = simple(one) is simple(other_one)
    assert (terms.digest(simple(one), {}) == terms.digest(simple(other_one), {})) is same


def test_loops_are_unrolled_over_finite_sorts() -> None:
    state = Layout(toy()).initial()
    interpreter = Interpreter(toy(), toy().bind())
    at = interpreter.layout.position["flags", (0, 2)]

    def asked() -> list[object]:
        conditions = [
            any_of(Place, lambda one: T.flags[0, one]).term,
            all_of(Place, lambda one: T.flags[0, one]).term,
            sum_of(Place, lambda one: choose(T.flags[0, one], one, 0)).term,
            implies(T.flags[0, 2], T.flags[0, 1]).term,
        ]
        return [interpreter.value(one, state, {}) for one in conditions]

    assert asked() == [False, False, 0, True]
    state[at] = True
    assert asked() == [True, False, 2, False]


def test_the_other_of_two() -> None:
    left, right = each(Side)
    assert other(left).term is right.term
    assert other(right).term is left.term


def test_rows_are_numbered_by_their_sort() -> None:
    first, *_, last = each(Place)
    assert Rows("rows")[first].term.value == ("rows", 0)
    assert Rows("rows")[last].term.value == ("rows", 2)


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"colour": "gren"}, "colour=gren: the values of colour are red, green, blue; did you mean green?"),
        ({"colour": "7"}, "colour=7: the values of colour are red, green, blue"),
        ({"color": "red"}, "there is no option color; did you mean colour=red|green|blue?"),
        ({"zzz": "red"}, "there is no option zzz; the options of toy are colour, strict"),
    ],
)
def test_an_option_that_is_not_there_is_told_with_those_that_are(chosen: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as error:
        toy().bind(None, chosen)
    assert str(error.value) == message


def test_rules_that_are_not_there_are_told_with_those_that_are() -> None:
    with pytest.raises(OptionError, match="rules dull: the rule sets of toy are standard, bright"):
        toy().bind("dull")


@pytest.mark.parametrize("value", ["0", "101", "-1", "1.5", "٣", "", "1" * 400, "a"])
def test_a_number_is_a_whole_number_within_its_bounds(value: str) -> None:
    option = Option("target", (), "100", ("100",), "GAP-TOY-3", (1, 100))
    with pytest.raises(OptionError, match=f"target={re.escape(value)}: target is a whole number from 1 to 100"):
        option.encode(value)


def test_numbers_within_bounds_stand_for_themselves() -> None:
    option = Option("target", (), "100", ("100",), "GAP-TOY-3", (1, 100))
    assert [option.encode(value) for value in ("1", "42", "100")] == [1, 42, 100]


def test_what_is_chosen_goes_before_the_rule_set_and_that_before_defaults() -> None:
    assert toy().bind() == {"colour": 0, "strict": 0}
    assert toy().bind("bright") == {"colour": 1, "strict": 0}
    assert toy().bind("bright", {"colour": "blue", "strict": "true"}) == {"colour": 2, "strict": 1}


def test_published_values_are_not_textual() -> None:
    assert House.declared()["colour"].textual == ("red", "green")
    assert House.declared()["colour"].default == "red"


# ---------------------------------------------------------------- versions


def _printed_version(game: str, seed: str) -> str:
    code = f"from fairdeal.spec.games import model_named; print(model_named({game!r}).version)"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("game", list(MODULES))
def test_a_version_is_the_same_in_every_process(game: str) -> None:
    versions = {_printed_version(game, seed) for seed in ("0", "1", "4711")}
    assert versions == {model_named(game).version}
    assert re.fullmatch(rf"{game} [0-9a-f]{{12}}", versions.pop())


def _game(**changes: Any) -> Game:
    """A game with one event; ``changes`` replace parts of its guard, of the event or of the game."""
    game = toy()

    def event(t: Toy, player: Expr[Side]) -> None:
        require(t.side == player, "TOY-1", "not {player}")
        with when(t.on):
            t.number = t.number + 1

    game.event("TOY-1")(event)
    game.define("complete", T.on)
    return changes["change"](game) if changes else game


def _changed_guard(game: Game, **parts: Any) -> Game:
    return _changed_event(game, guards=(replace(game.events["event"].guards[0], **parts),))


def _changed_event(game: Game, **parts: Any) -> Game:
    game.events["event"] = replace(game.events["event"], **parts)
    return game


@pytest.mark.parametrize(
    "change",
    [
        lambda game: _changed_guard(game, condition=TRUE),
        lambda game: _changed_guard(game, clause="TOY-2"),
        lambda game: _changed_guard(game, template="no"),
        lambda game: _changed_guard(game, physical=True),
        lambda game: _changed_event(game, effects=()),
        lambda game: _changed_event(game, effects=(replace(game.events["event"].effects[0], condition=FALSE),)),
        lambda game: _changed_event(game, cites=("TOY-2",)),
        lambda game: _changed_event(game, observation=True),
        lambda game: _changed_event(game, guards=game.events["event"].guards * 2),
        lambda game: replace(game, derived={"complete": T.flags[0, 1].term}),
        lambda game: replace(game, options={**game.options, "strict": replace(game.options["strict"], default="true")}),
        lambda game: replace(game, options={**game.options, "strict": replace(game.options["strict"], textual=())}),
        lambda game: replace(game, rule_sets={"standard": game.rule_sets["standard"]}),
        lambda game: _changed_event(game, claim=True),
        lambda game: _changed_event(game, beyond={"player": "TOY-2"}),
        lambda game: replace(game, one_deck="TOY-2"),
        lambda game: replace(game, overlap="TOY-2"),
        lambda game: replace(game, entry="event"),
        lambda game: replace(game, reasons={"TOY-1": "late"}),
    ],
)
def test_a_changed_rule_changes_the_version(change: Callable[[Game], Game]) -> None:
    assert _game().version == _game().version
    assert _game(change=change).version != _game().version
