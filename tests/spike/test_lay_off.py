"""A lay-off in rum through every back end: a row of cards, sets of cards, and a finite table of melds."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import comb

import z3

from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State
from fairdeal.checker.engines.native import Native
from fairdeal.checker.engines.python_source import FAILED, PythonSteps
from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import number
from fairdeal.checker.engines.symbolic.search import Search
from fairdeal.checker.proving.asking import Asker, Budget
from fairdeal.checker.proving.obligations import conservation_obligations
from fairdeal.checker.proving.steps import Model

from tests.spike.closing import closure
from tests.spike.rum_lay_off import RANKS, RUM, SETS_AND_RUNS, SUITS, Meld, Player, lay_off, mask

CHOICES = list(product(Player, range(Meld.low, Meld.high + 1)))


def table(seed: int) -> State:
    """Hands of nine cards each, and two melds: the run 4 to 6 of spades and three queens; the third has no cards."""
    run, queens = mask([(rank, 0) for rank in (3, 4, 5)]), mask([(11, suit) for suit in (0, 1, 2)])
    fitting = [(2, 0), (6, 0), (7, 0), (11, 3)]
    others = [(rank, suit) for rank in range(RANKS) for suit in range(SUITS) if (rank, suit) not in fitting]
    others = [one for one in others if not mask([one]) & (run | queens)]
    random.Random(seed).shuffle(others)
    return [mask([*fitting[:3], *others[:6]]), mask([fitting[3], *others[6:14]]), run, queens, 0]


def test_the_table_of_melds() -> None:
    sets = 13 * (comb(4, 3) + 1)
    runs = 4 * (sum(14 - size + 1 for size in range(3, 13)) + 1)  # all thirteen of a suit are one set of cards
    assert len(SETS_AND_RUNS) == sets + runs
    assert mask([(12, 0), (0, 0), (1, 0)]) not in SETS_AND_RUNS


def test_interpreter_python_native_and_z3_agree() -> None:
    start = table(1)
    run, steps = Interpreter(RUM, {}), PythonSteps(RUM, {})
    native = Native(RUM, {}, start, [(lay_off, None)], {}, lengths={"cards": 2}, compiled=False)
    engine = Z3Terms(RUM, {})
    symbolic = engine.concrete(start)
    expected: list[tuple[tuple[int, ...], State]] = []
    for player, meld in CHOICES:
        step = steps.step(lay_off, (player, meld))
        for cards in combinations(range(52), 2):
            values = {"player": int(player), "meld": meld, "cards": cards}
            guards = run.guards(lay_off, start, values)
            after = list(start)
            refused = step(after, cards) == FAILED
            assert refused is not all(guards)
            if all(guards):
                wanted = list(start)
                run.apply(lay_off, wanted, values)
                assert after == wanted
                expected.append(((int(player), meld), wanted))
            if not refused or cards[0] % 13 == cards[1] % 7 == 0:
                said = engine.guards(lay_off, symbolic, values)
                assert [z3.is_true(z3.simplify(one.condition)) for one in said] == guards
                made = engine.apply(lay_off, symbolic, values)
                laid = list(start)
                run.apply(lay_off, laid, values)
                assert [z3.simplify(part).as_long() for part in made.values()] == laid
    found = [(one.choices, words) for one, words in native.successors(native.packing.project(start))]
    assert sorted(found) == sorted((made, native.packing.project(state)) for made, state in expected)
    assert len(expected) == 2  # 3S 7S and 7S 8S onto the run


def test_a_row_that_names_a_card_twice_or_a_stranger() -> None:
    start, run, steps = table(1), Interpreter(RUM, {}), PythonSteps(RUM, {})
    engine = Z3Terms(RUM, {})
    for cards in ((24, 24), (8, 30), (51, 8), (8, 24)):
        values = {"player": 0, "meld": 1, "cards": cards}
        guards = run.guards(lay_off, start, values)
        said = engine.guards(lay_off, engine.concrete(start), values)
        assert len(said) == len(guards)
        for one, expected in zip(said, guards, strict=True):  # the interpreter leaves open what a doubled card makes
            assert expected in (None, z3.is_true(z3.simplify(one.condition))), one.name
        assert (steps.probe(lay_off, (0, 1))(list(start), cards) == FAILED) is not all(guards)


def test_a_lay_off_conserves_the_cards() -> None:
    answers = [one.ask(Asker(one.name, Budget(30))).answer for one in conservation_obligations(Model(RUM), [], {})[1:]]
    assert answers == ["proved"]


def test_a_lay_off_of_two_cards_is_found() -> None:
    engine = Z3Terms(RUM, {})
    search = Search(engine, table(1))
    search.follow(lay_off, {"cards": 2})
    lowest = search._log[-1][1][0][1]["cards"][0]
    found = search.solve(lowest.bits == number(8).bits.as_long())
    assert found is not None
    ((event, values),) = found
    run, state = Interpreter(RUM, {}), table(1)
    assert run.holds(event, state, values)
    assert set(values["cards"]) == {8, 24}


def test_every_lay_off_of_one_and_the_same_row_is_reached_once() -> None:
    native = Native(RUM, {}, table(1), [(lay_off, None)], {}, lengths={"cards": 1}, compiled=False)
    found = closure(native)
    # 3S, 7S, 8S after 7S onto the run; QD onto the queens: (1 or 3S) times (none, 7S, 7S 8S) times (none, QD)
    assert found.states == 2 * 3 * 2
    assert found.endings == {"dead": 1}
