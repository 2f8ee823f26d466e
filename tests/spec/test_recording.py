"""Events as they are recorded: what the rules language refuses, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter

import pytest

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language import (
    Expr,
    Number,
    RulesError,
    applies,
    enabled,
    move,
    part,
    pour,
    report,
    require,
    when,
)
from fairdeal.spec.language.specialise import place, specialise

from .toy import House, Side, T, Toy, recorded, toy

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


def test_where_a_clause_applies_is_said_before_effects() -> None:
    def event(t: Toy) -> None:
        t.on = True
        applies(t.on, "TOY-1")

    with pytest.raises(RulesError, match="TOY-1: where a clause applies is said before effects"):
        recorded(event)


def test_a_clause_applies_where_either_condition_holds() -> None:
    def event(t: Toy) -> None:
        applies(t.on, "TOY-1", "TOY-2")
        applies(t.number > 1, "TOY-1")

    cases = recorded(event).cases
    assert cases == {"TOY-1": (T.on | (T.number > 1)).term, "TOY-2": T.on.term}


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
