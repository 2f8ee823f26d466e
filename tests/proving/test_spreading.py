"""That a card can be moved off another as soon as there is room for every such card, up to the numbers of slots.

From any table on which such a move and another event are lawful, what that event leads to is met after the move too:
by the same event, or by one that goes from or to another slot, with the same table in the end but for the numbers of
two slots. So a course of a round is followed by one that begins with the move, step by step (a simulation: Milner
1971), and ends alike. Slots are alike, which is checked on the record of every deal that is explored: a move from slot
1 to slot 2 stands for all. ``played_out`` is left out: with ``slot_reason=any`` no rule looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import z3

from fairdeal.checker.engines.symbolic.model import Z3Terms
from fairdeal.checker.engines.symbolic.numbers import conj, disj, neg
from fairdeal.checker.engines.symbolic.reading import Key, Reading, Symbolic
from fairdeal.checker.exploring.rounds import Round
from fairdeal.checker.exploring.starting import from_seed
from fairdeal.checker.proving.asking import Asker, Budget
from fairdeal.checker.proving.commuting import Act, act_of, alike
from fairdeal.checker.proving.steps import under
from fairdeal.spec.games import properties_of
from fairdeal.spec.language.exploring import Explored, Where
from fairdeal.spec.language.properties import Sooner
from fairdeal.spec.spit import SPIT
from fairdeal.spec.spit.exploration import EXPLORATION, spreads, uncovers

SOURCE, TARGET = 1, 2
OTHERS = (3, 4, 5)
DECLARED = properties_of("spit")
(PART,) = next(one for one in DECLARED.properties if one.id == "S-SOONER").parts
assert isinstance(PART.claim, Sooner)
CLAIM: Sooner = PART.claim
MOVES = next(one for one in EXPLORATION.eager if one.event == "move")
UNSEEN = ("played_out",)
PLAYERS = [0, pytest.param(1, marks=pytest.mark.verify)]


class Tables:
    """An arbitrary table on which a player can move the top of slot 1 into slot 2, and what can be made of it."""

    def __init__(self, player: int, where: Where = spreads) -> None:
        self.engine, self.player, self.where = Z3Terms(SPIT), player, where
        self.table, ranges = self.engine.state("s")
        using = [DECLARED.invariants[name] for name in CLAIM.using]
        self.known = [ranges, under(self.engine, MOVES.holds_under), *self.engine.consistent(self.table).values()]
        self.known += [self.engine.value(one.term, self.table) for one in [*using, CLAIM.within]]
        self.move = self.act(Explored("move", where), (player, SOURCE, TARGET))
        self.known.append(self.move.lawful(self.engine, self.table))
        self.moved = self.move.after(self.engine, self.table)

    def act(self, one: Explored, choices: tuple[int, ...]) -> Act:
        found = act_of(self.engine, SPIT, one, choices, f"{one.event} {choices} ")
        assert found is not None
        return found

    def same(self, one: Symbolic, two: Symbolic, swapped: tuple[int, int] = (0, 0)) -> z3.BoolRef:
        """Whether two tables are the same but for the numbers of two of the player's slots."""
        numbers = dict(zip(swapped, reversed(swapped), strict=True))

        def renamed(key: Key) -> Key:
            name, index = key
            if len(index) == 2 and index[0] == self.player:
                return name, (index[0], numbers.get(index[1], index[1]))
            return key

        return conj(alike(self.engine, part, two[renamed(key)]) for key, part in one.items() if key[0] not in UNSEEN)

    def asked(self, table: Symbolic) -> list[z3.BoolRef]:
        reading = Reading(self.engine, table, {})
        return [reading.value(one.term) for one in [CLAIM.over, *CLAIM.asked]]

    def prove(self, act: Act | None, goals: dict[str, z3.BoolRef], name: str) -> None:
        lawful = [act.lawful(self.engine, self.table)] if act else []
        answer = Asker(name, Budget(60)).prove([*self.engine.facts, *self.known, *lawful], goals, name)
        assert answer.answer == "proved", (name, answer)

    def followed(self, one: Act, act: Act, swapped: tuple[int, int] = (0, 0)) -> z3.BoolRef:
        """That an event after the move leads to the table that another one leads to without it."""
        there = one.after(self.engine, self.moved)
        return conj(
            [one.lawful(self.engine, self.moved), self.same(there, act.after(self.engine, self.table), swapped)]
        )


def others(explored: Explored) -> Iterator[tuple[int, ...]]:
    yield from product(*(choice.sort.values for choice in SPIT.events[explored.event].choices))


def slots_of(event: str, choices: tuple[int, ...]) -> tuple[int, ...]:
    """The slots that an event is about."""
    return {"play": choices[1:2], "flip": choices[1:2], "move": choices[1:3], "spit": ()}[event]


@pytest.mark.parametrize("player", PLAYERS)
def test_nothing_that_is_asked_holds_where_a_card_can_be_spread(player: int) -> None:
    tables = Tables(player)
    goals = {f"asked {at}": neg(one) for at, one in enumerate(tables.asked(tables.table))}
    tables.prove(None, goals, "not yet")


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("explored", EXPLORATION.events, ids=lambda one: one.event)
def test_what_another_event_leads_to_is_met_after_the_move(explored: Explored, player: int) -> None:
    tables = Tables(player)
    engine, seen, lawful = tables.engine, set(), 0
    for choices in others(explored):
        if act_of(engine, SPIT, explored, choices, "") is None or (explored.event, choices) == ("move", (player, 1, 2)):
            continue
        act, name = tables.act(explored, choices), f"{explored.event} {choices}"
        if not Asker(name, Budget(60)).satisfiable([*engine.facts, *tables.known, act.lawful(engine, tables.table)]):
            continue
        lawful += 1
        there, mine = act.after(engine, tables.table), choices[0] == player
        slots = slots_of(explored.event, choices)
        if not mine or not {SOURCE, TARGET} & set(slots):
            seen.add("apart")
            over, *asked = tables.asked(there)
            last = act.after(engine, tables.moved)
            is_over, *others_asked = tables.asked(last)
            again = tables.move.after(engine, there)
            ends = conj([is_over, *(one == two for one, two in zip(asked, others_asked, strict=True))])
            goals = {
                "still lawful": act.lawful(engine, tables.moved),
                "either order": disj([over, conj([tables.move.lawful(engine, there), tables.same(again, last)])]),
                "the same end": disj([neg(over), ends]),
            }
        elif explored.event == "play":
            seen.add("played")
            one = tables.act(explored, (player, TARGET, choices[2]))
            goals = {"from where it lies now": tables.followed(one.stating(act), act)}
        elif slots[0] == SOURCE:
            seen.add("elsewhere")
            goals = {"slots are alike": tables.same(tables.moved, there, (TARGET, slots[1]))}
        else:
            seen.add("room")
            goals = {"another slot": disj(_to_another_slot(tables, act, there, slots[0], free) for free in OTHERS)}
        tables.prove(act, goals, name)
    assert seen == {"play": {"apart", "played"}, "flip": {"apart"}, "move": {"apart", "elsewhere", "room"}}.get(
        explored.event, set()
    )
    assert bool(lawful) == bool(seen)


def test_without_room_for_every_such_card_a_move_takes_a_slot_away() -> None:
    """Two cards that lie on others, and one empty slot: the second card has nowhere to go once the first is there."""
    tables = Tables(0, uncovers)
    act = tables.act(Explored("move", uncovers), (0, 3, TARGET))
    there = act.after(tables.engine, tables.table)
    goals = {"another slot": disj(_to_another_slot(tables, act, there, 3, free) for free in OTHERS)}
    lawful = act.lawful(tables.engine, tables.table)
    assert Asker("room", Budget(60)).prove([*tables.engine.facts, *tables.known, lawful], goals).answer == "refuted"


@pytest.mark.parametrize("flip", MOVES.holds_under["flip"])
def test_what_is_left_out_of_a_table_is_looked_at_by_no_rule(flip: str) -> None:
    assert MOVES.holds_under["slot_reason"] == ("any",)
    live = Round(from_seed("spit", 1, None, {"flip": flip}), compiled=False).native.slice.live
    assert {name for _, (name, _) in live} >= {"stock", "up"}
    assert not {name for _, (name, _) in live} & set(UNSEEN)


def _to_another_slot(tables: Tables, act: Act, there: Symbolic, source: int, free: int) -> z3.BoolRef:
    """Another card wanted slot 2: it takes a free one, or the first card does where the other was first."""
    if free == source:
        return z3.BoolVal(False)
    engine = tables.engine
    one = tables.act(Explored("move"), (tables.player, source, free)).stating(act)
    late = tables.act(Explored("move", tables.where), (tables.player, SOURCE, free)).stating(tables.move)
    last = one.after(engine, tables.moved)
    met = tables.same(last, late.after(engine, there), (TARGET, free))
    return conj([one.lawful(engine, tables.moved), late.lawful(engine, there), met])
