"""Terms: what simplification, substitution and generated source keep of their meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import Layout
from fairdeal.checker.engines.python_source import PythonSteps
from fairdeal.checker.engines.python_terms import Expression
from fairdeal.spec.language import (
    Rows,
    all_of,
    any_of,
    choose,
    each,
    implies,
    other,
    sum_of,
    terms,
)
from fairdeal.spec.language.sorts import INT
from fairdeal.spec.language.terms import FALSE, TRUE, Term

from .toy import House, Place, Side, T, toy

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


@example(  # a value that the cell cannot have leaves both others
    ("ite", CELLS[0], CELLS[0], ("not", ("eq", terms.const(-1), ("add", T.side.term, terms.const(0))))),
    ([False] * 6, 0, 1),
    dict.fromkeys(OPEN, 0),
)
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


@given(st.lists(st.sampled_from(CELLS), min_size=3, max_size=6, unique=True), st.lists(formulas, min_size=6), tables)
def test_alternatives_that_leave_out_what_they_rule_out_share_the_rest(
    cells: list[Term], extra: list[Any], table: Any
) -> None:
    """A card moves from a slot that is not empty into one that is: all slots can ask whether some slot is empty."""
    own = [("and", cell, more) for cell, more in zip(cells, extra, strict=False)]
    goals = [("or", *(("not", other) for other in cells if other is not cell)) for cell in cells]
    formula = ("or", *(("and", one, goal) for one, goal in zip(own, goals, strict=True)))
    binding = dict.fromkeys(OPEN, 0)
    assert value(simple(formula), table, binding) == value(plain(formula), table, binding)
    bare = simple(("or", *(("and", cell, goal) for cell, goal in zip(cells, goals, strict=True))))
    assert bare.op == "and"
    assert {frozenset(one.args) for one in bare.args} == {frozenset(cells), frozenset(map(terms.negate, cells))}


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
