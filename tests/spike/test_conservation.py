"""S-CONSERVE by induction over one event: every card stays in exactly one place, whatever the options."""

from __future__ import annotations

import pytest
import z3

from fairdeal.checker.engines.z3_terms import (
    Effects,
    Key,
    Outcome,
    Stack,
    Symbolic,
    Z3Terms,
    arbitrary_step,
    conj,
    conservation,
    disj,
    neg,
    number,
    same,
)
from fairdeal.spec.language import Game, Row, Stacks, State, lay, move, require
from fairdeal.spec.language.specialise import specialise
from fairdeal.spec.language.state import Bag
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.table import Phase, Player, Slot

from tests.spike.games import E, choices

PROVED = Outcome("proved")
LAYOUT = {"stocks": (1, 2, 3, 4, 5), "spit": 11}


def made(name: str) -> list[tuple[int, ...]]:
    return [tuple(values.values()) for values in choices(E[name])]


@pytest.mark.parametrize("name", ["play", "flip", "move", "spit"])
def test_an_event_of_play_conserves_the_cards(name: str) -> None:
    engine = Z3Terms(SPIT)
    outcomes = {one: conservation(engine, arbitrary_step(engine, specialise(E[name], one, {}))) for one in made(name)}
    assert outcomes == dict.fromkeys(outcomes, PROVED)
    assert len(outcomes) == {"play": 2 * 5 * 2, "flip": 2 * 5, "move": 2 * 5 * 5, "spit": 2 * 2}[name]


class Copying(Effects):
    """A card that is moved also stays where it was."""

    def taken(self, stack: Stack) -> Stack:
        return stack


class Copier(Z3Terms):
    def run(self) -> type[Effects]:
        return Copying


@pytest.mark.parametrize(("name", "one"), [("play", (0, 1, 1)), ("play", (1, 5, 2)), ("spit", (1, 2))])
def test_a_copy_that_stays_behind_is_found(name: str, one: tuple[int, ...]) -> None:
    engine = Copier(SPIT)
    outcome = conservation(engine, arbitrary_step(engine, specialise(E[name], one, {})))
    assert outcome.answer == "refuted"
    assert "one place" in outcome.broken


def undealt(state: Symbolic) -> z3.BoolRef:
    """While cards are dealt, nothing lies before the player who has not dealt yet."""
    dealing = same(state["phase", ()], number(Phase.DEAL))
    places: list[tuple[Key, Player]] = [
        (("stock", (player, slot)), player) for player in Player for slot in range(Slot.low, Slot.high + 1)
    ]
    places += [(("spit", (player,)), player) for player in Player]
    empty = [
        disj([neg(dealing), state["dealt", (player,)], same(state[key].size, number(0))]) for key, player in places
    ]
    return conj(empty)


def test_dealing_conserves_only_onto_an_empty_side() -> None:
    engine = Z3Terms(SPIT)
    step = arbitrary_step(engine, specialise(E["deal"], (0,), {}), LAYOUT)
    assert conservation(engine, step, undealt) == PROVED
    assert conservation(engine, step) == Outcome("refuted", ("one place",))


class Table(State):
    deck = Bag(full=True)
    stock = Stacks(Slot, capacity=2)


TWO_STOCKS = Game(name="two stocks", title="", table=Table, options={}, rule_sets={})


@TWO_STOCKS.event("X")
def shift(t: Table) -> None:
    """Move a card onto the other stock."""
    move(t.stock[1], t.stock[2])


@TWO_STOCKS.event("X")
def shift_if_room(t: Table) -> None:
    """Move a card onto the other stock where it has room."""
    require(t.stock[2].size < 2, "X", "no room")

    move(t.stock[1], t.stock[2])


@TWO_STOCKS.event("X")
def overlay(t: Table, row: Row) -> None:
    """Lay a row where cards may lie already."""
    lay(row, t.deck, t.stock[1])


def test_the_guard_that_keeps_a_stock_within_its_capacity_is_needed() -> None:
    engine = Z3Terms(TWO_STOCKS, {})
    assert conservation(engine, arbitrary_step(engine, shift)).answer == "refuted"
    assert conservation(engine, arbitrary_step(engine, shift_if_room)) == PROVED
    assert conservation(engine, arbitrary_step(engine, overlay, {"row": 2})).answer == "refuted"
