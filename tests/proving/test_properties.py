"""What is claimed of the games: proved, seen in games, and counted again in another way."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product
from math import comb
from pathlib import Path

import pytest
import z3
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.engines.interpreter import Interpreter
from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.inspection import legal_at
from fairdeal.checker.proving.asking import Answer, Asker, Budget
from fairdeal.checker.proving.obligations import conservation_obligations, invariant_obligations
from fairdeal.checker.proving.playing import Player
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.games import MODULES, properties_of
from fairdeal.spec.language import Expr, each
from fairdeal.spec.language.properties import ALWAYS, STATUSES, Goal, Properties
from fairdeal.spec.queen_city_rum.chances import chance, hands_that_can_be_laid
from fairdeal.spec.queen_city_rum.melds import RUNS, SETS
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.chances import may_lie, nobody_can_play
from fairdeal.spec.spit.conditions import bare_piles
from fairdeal.spec.spit.goals import can_deal, due
from fairdeal.spec.spit.table import Phase, Table
from fairdeal.spec.spit.table import Player as SpitPlayer

from tests.engines.walking import assignments
from tests.witnesses import CLOSED_BY, NONE_SHORTER, PAGE, STOPS, every_goal, page, path_of

TABLE, PLAYERS = Table(), list(each(SpitPlayer))
every_game = pytest.mark.parametrize("game", list(MODULES))


@every_game
def test_invariants_hold_in_random_games_under_many_readings(game: str) -> None:
    declared = properties_of(game)
    tables = 0
    for rules, options in random.Random(game).sample(assignments(declared.game), 6):
        player = Player(Model(declared.game), declared.game.bind(rules, dict(options)))
        for step in player.game_of(f"invariants {rules} {options}", 250):
            for name, condition in declared.invariants.items():
                assert player.interpreter.value(condition.term, step.after, {}), (name, rules, options)
            tables += 1
    assert tables > 200


@every_game
def test_what_is_declared_is_well_formed(game: str) -> None:
    declared = properties_of(game)
    parts = [(one.id, part) for one in declared.properties for part in one.parts]
    assert {part.expected for _, part in parts} <= set(STATUSES)
    assert len({one.id for one in declared.properties}) == len(declared.properties)
    for name, part in parts:
        unknown = set(getattr(part.claim, "using", ())) - set(declared.invariants)
        assert not unknown, name
        declared.game.bind(None, {option: values[0] for option, values in part.readings.items()})
        using = getattr(part.claim, "using", ())
        assert set(using) <= set(declared.carrying(using)), name
    for names in declared.closed.values():
        assert set(names) <= set(declared.invariants)


def test_goals_that_are_too_much_together_are_asked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def slow_together(self: Asker, assumed: object, goals: Mapping[str, z3.BoolRef], *rest: object) -> Answer:
        asked.append(list(goals))
        if len(goals) > 1:
            return Answer("unknown", ("timeout",))
        return Answer("refuted" if "wrong" in goals else "proved", tuple(goals))

    monkeypatch.setattr(Asker, "_ask", slow_together)
    x, y = z3.Bools("x y")
    asker = Asker("some", Budget(5))
    assert asker.prove([x, y], {"one": x, "two": y}).answer == "proved"
    assert asked == [["one", "two"], ["one"], ["two"]]
    assert asker.prove([x, y], {"one": x, "wrong": y}).broken == ("wrong",)


def test_what_is_proved_of_spit_says_on_which_tables_it_says_something() -> None:
    """The prover looks for one of them; a claim without a premise would be proved though it is about nothing."""
    claims = [(one.id, part.claim) for one in properties_of("spit").properties for part in one.parts]
    general = [name for name, claim in claims if getattr(claim, "premise", None) is ALWAYS]
    assert general == []


def shapes(size: int) -> dict[str, list[int]]:
    """How many cards lie on each of five stocks, as each reading of a short deal lays them out: card after card."""
    orders: dict[str, list[int]] = {
        "in_order": [slot for slot in range(5) for _ in range(slot + 1)],
        "rows": [slot for row in range(5) for slot in range(row, 5)],
        "robin": [slot for _ in range(5) for slot in range(5)],
    }
    return {name: [order[:size].count(slot) for slot in range(5)] for name, order in orders.items()}


@pytest.mark.parametrize("reading", ["in_order", "rows", "robin"])
def test_any_number_of_cards_that_are_due_can_be_laid_out(reading: str) -> None:
    """What progress says of a deal by sizes alone is true of cards: some layout of that many is lawful."""
    run = Interpreter(SPIT, SPIT.bind(None, {"short_deal": reading}))
    deal, begun = SPIT.events["deal"], run.layout.initial()
    run.apply(SPIT.events["round"], begun, {"number": 4})

    def dealt(state: State, player: SpitPlayer, cards: list[int]) -> State:
        sizes = shapes(len(cards))[reading] if len(cards) < 15 else [1, 2, 3, 4, 5]
        cuts = list(accumulate(sizes, initial=0))
        stocks = tuple(tuple(cards[start:stop]) for start, stop in pairwise(cuts))
        values = {"player": player, "stocks": stocks, "spit": tuple(cards[cuts[-1] :])}
        assert run.value(can_deal(PLAYERS[player]).term, state, {})
        assert run.holds(deal, state, values) is (0 < len(cards) < 52)
        after = copy(state)
        run.apply(deal, after, values)
        return after

    for size in range(1, 52):
        table = dealt(begun, SpitPlayer.A, list(range(size)))
        assert run.value(due(PLAYERS[SpitPlayer.B]).term, table, {}) == 52 - size
        table = dealt(table, SpitPlayer.B, list(range(size, 52)))
        assert run.value((TABLE.phase == Phase.READY).term, table, {})
    for size in (0, 52):
        dealt(begun, SpitPlayer.A, list(range(size)))


def test_an_invariant_that_does_not_hold_is_not_proved() -> None:
    """No card ever lies on a pile: the spit that puts one there is what does not keep it so."""
    wrong: dict[str, Expr[bool]] = {"no pile": bare_piles()}
    found = {
        one.name.split()[-1]: one.ask(Asker(one.name, Budget(30))).answer
        for one in invariant_obligations(Model(SPIT), wrong, {})
    }
    assert found.pop("spit") == "refuted"
    assert found["start"] == found["flip"] == "proved"


def test_queries_are_written_and_the_solvers_agree(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("smt2")
    flip = next(one for one in conservation_obligations(Model(SPIT), [], {}) if one.name == "flip")
    asker = Asker("flip", Budget(30, str(folder), cross_check=True))
    assert asker.of(flip.ask).agreed == asker.queries == 10
    texts = [path.read_text() for path in Path(folder).glob("*.smt2")]
    assert len(texts) == 10
    assert all("(set-logic QF_BV)" in text and "(check-sat)" in text for text in texts)


def test_the_command_refuses_what_there_is_not() -> None:
    run = CliRunner()
    assert run.invoke(cli, ["prove", "whist"]).exit_code == 2
    assert run.invoke(cli, ["prove", "spit", "S-NOTHING"]).exit_code == 2
    done = run.invoke(cli, ["prove", "spit", "S-STUCK-AT-START", "--format", "json"])
    assert done.exit_code == 0
    assert '"status": "computed"' in done.output


@pytest.mark.verify
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("spit", ["S-CONSERVE", "S-FIVE", "S-ADJACENT", "S-RACE", "S-TERMINATES", "S-SOONER", "S-END2", "S-PROGRESS"]),
        ("queen-city-rum", ["Q-CONSERVE", "Q-MELDS"]),
    ],
)
def test_the_core_is_proved_and_the_solvers_agree(game: str, names: list[str]) -> None:
    done = CliRunner().invoke(cli, ["prove", game, *names, "--cross-check"])
    assert done.exit_code == 0, done.output
    assert "cvc5 agrees" in done.output


# ---------------------------------------------------------------- figures, in another way


def test_the_chance_that_nobody_can_play_against_random_deals() -> None:
    options, chance = SPIT.bind(), random.Random("deals")
    follows = [[may_lie(card, top, options) for top in range(13)] for card in range(13)]
    deals, stuck = 20_000, 0
    for _ in range(deals):
        cards = [code // 4 for code in chance.sample(range(52), 12)]
        stuck += not any(follows[card][top] for card in cards[:10] for top in cards[10:])
    exact = nobody_can_play(options, 2)
    assert isinstance(exact, Fraction)
    assert abs(stuck / deals - exact) < 5 * float(exact * (1 - exact) / deals) ** 0.5


def laid(hand: int, melds: Sequence[int], spare: int) -> bool:
    """Whether all cards of a hand but so many are in melds, by trying every choice of them."""
    if hand.bit_count() <= spare:
        return True
    low = hand & -hand
    left = spare > 0 and laid(hand ^ low, melds, spare - 1)
    return left or any(laid(hand ^ mask, melds, spare) for mask in melds if mask & low and not mask & ~hand)


@pytest.mark.parametrize(("ranks", "hand", "spare"), [(4, 5, 0), (4, 5, 1), (5, 4, 0), (5, 5, 1), (6, 4, 1)])
def test_the_chance_of_going_out_at_once_against_every_deal_of_a_small_pack(ranks: int, hand: int, spare: int) -> None:
    pack = range(4 * ranks)
    row = [*range(ranks), 0]  # the ace below the 2 and above the highest
    rows = {
        frozenset(row[start:stop])
        for start in range(ranks)
        for stop in range(start + 3, min(start + ranks, ranks + 1) + 1)
    }
    melds = [sum(1 << 4 * rank + suit for rank in one) for one in rows for suit in range(4)]
    melds += [
        sum(1 << 4 * rank + suit for suit in suits)
        for rank in range(ranks)
        for size in (3, 4)
        for suits in combinations(range(4), size)
    ]
    eleven = {sum(1 << code for code in cards) for cards in combinations(pack, hand + 1)}
    good = {mask for mask in eleven if laid(mask, melds, spare)}
    went = 0
    for cards in combinations(pack, hand):
        mask = sum(1 << code for code in cards)
        those = sum(mask | 1 << code in good for code in pack if not mask >> code & 1)
        left = len(pack) - hand
        went += left * (left - 1) - (left - those) * (left - those - 1)
    assert good
    assert chance(hand, ranks, spare) == Fraction(went, comb(len(pack), hand) * left * (left - 1))


def test_the_hands_of_eleven_cards_that_are_all_melds_against_putting_melds_together() -> None:
    melds = [frozenset(code for code in range(52) if mask >> code & 1) for mask in (*SETS, *RUNS)]
    of_size = {size: [one for one in melds if len(one) == size] for size in range(3, 12)}
    hands = set(of_size[11])
    for sizes in ((3, 8), (4, 7), (5, 6), (3, 3, 5), (3, 4, 4)):
        for chosen in product(*(of_size[size] for size in sizes)):
            together = frozenset().union(*chosen)
            if len(together) == 11:
                hands.add(together)
    assert hands_that_can_be_laid(11, spare=0) == len(hands)


@pytest.mark.verify
def test_the_chance_of_going_out_at_once_against_random_deals() -> None:
    random_deals, melds, went, deals = random.Random("first turn"), (*SETS, *RUNS), 0, 100_000
    for _ in range(deals):
        cards = random_deals.sample(range(52), 12)
        hand = sum(1 << code for code in cards[:10])
        went += any(laid(hand | 1 << card, melds, 1) for card in cards[10:])
    exact = float(chance())
    assert abs(went / deals - exact) < 4 * (exact / deals) ** 0.5


# ---------------------------------------------------------------- witnesses


def test_every_goal_has_a_log_and_the_page_lists_the_holes() -> None:
    assert [goal.name for declared, goal in every_goal() if not path_of(declared, goal).is_file()] == []
    headers = {path_of(*one).read_text(encoding="utf-8").split("\n\n")[0]: one[1].rules for one in every_goal()}
    assert [text for text, rules in headers.items() if ("rules: scored" in text) is not (rules == "scored")] == []
    assert page() == PAGE.read_text(encoding="utf-8"), "python -m tests.witnesses --page"
    assert set(CLOSED_BY) | set(STOPS) | set(NONE_SHORTER) <= {goal.name for _, goal in every_goal()}
    known = {one.id for game in MODULES for one in properties_of(game).properties}
    assert {proof for _, proof in CLOSED_BY.values()} <= known


@pytest.mark.parametrize(
    ("declared", "goal"),
    [pytest.param(*one, id=one[1].name) for one in every_goal() if one[1].name.startswith("deadlock")],
)
def test_a_deadlock_is_one_for_the_list_of_legal_events_too(declared: Properties, goal: Goal) -> None:
    """What `legal` enumerates knows nothing of the condition that the solver was given."""
    path = path_of(declared, goal)
    last = len(path.read_text(encoding="utf-8").splitlines())
    assert [event.text for event in legal_at(str(path), last) if not event.idle] == []
    assert [event.text for event in legal_at(str(path), last - 1) if not event.idle]
