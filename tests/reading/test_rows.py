"""Rows of cards read at once: what the quick reader says is what the form's own expression says, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.judging.shelf import Shelf
from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.forms import Form
from fairdeal.checker.reading.notation import notation
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.rows import RowReader, beginnings, states_rows
from fairdeal.spec.cards import DECK, card_name
from fairdeal.spec.games import MODULES

FORMS = [(game, form) for game in MODULES for form in notation(game).table.forms if states_rows(form)]
IDS = [f"{game}-{form.name}" for game, form in FORMS]
TRACES = Path(__file__).parents[2] / "traces"

CARDS = st.lists(st.integers(0, DECK - 1).map(card_name), min_size=1, max_size=30).map(" ".join)
ROWS = st.one_of(
    CARDS, CARDS, CARDS, st.sampled_from(["-", "", "??", "5H*2", "5h", "5H  6H", "10H", "5H|6H", "X5", "5H 5"])
)


def test_forms_that_state_rows_are_found() -> None:
    """Deals of both games are among them, so that the other tests here are about something."""
    assert {"spit-deal", "queen-city-rum-deal", "queen-city-rum-deal_stock"} <= set(IDS)


@pytest.mark.parametrize(("game", "form"), FORMS, ids=IDS)
@given(data=st.data())
def test_reads_what_the_form_reads(game: str, form: Form, data: st.DataObject) -> None:
    """Whatever the spelling, rows are read as the notation reads them, or left to it."""
    (first, second), actor = data.draw(st.sampled_from(sorted(beginnings(form).items())))
    drawn = [[data.draw(ROWS) for _ in argument.types] for argument in form.arguments]
    text = " / ".join(" | ".join(rows) for rows in drawn) + data.draw(
        st.sampled_from(["", "", " ", " # more", " refused"])
    )
    reader = RowReader(form)
    values = reader.read(text)
    if values is None:
        return
    body = notation(game).parse(f"{first} {second} {text}")
    assert (body.verb, body.actor) == (form.name, actor)
    assert dict(zip(reader.names, values, strict=True)) == body.arguments
    assert body.refused is None


@pytest.mark.parametrize(("game", "form"), FORMS, ids=IDS)
@given(data=st.data())
def test_reads_the_usual_spelling(game: str, form: Form, data: st.DataObject) -> None:
    """Rows as the notation writes them, empty ones too, are read; more cards than a pack has are not."""
    cards = iter(data.draw(st.permutations([card_name(code) for code in range(DECK)])))
    rows = [[next(cards) for _ in range(data.draw(st.integers(0, 6)))] for one in form.arguments for _ in one.types]
    written = iter(" ".join(row) or "-" for row in rows)
    text = " / ".join(" | ".join(next(written) for _ in one.types) for one in form.arguments)
    reader = RowReader(form)
    assert reader.read(text) is not None
    assert reader.read(text + " 5H" * (DECK + 1)) is None


def test_a_brief_is_the_beginning_of_the_entry() -> None:
    """Of every line in the traces that has a brief, the step and the argument are those of its entry."""
    briefs = 0
    shelf = Shelf()
    for path in sorted(TRACES.rglob("*.gamelog")):
        text = path.read_text(encoding="utf-8", errors="replace")
        game = next((name for name in MODULES if f"game: {name}\n" in text), None)
        if game is None:
            continue
        model = shelf.game(game)
        binder = shelf.binder(model, model.bind(None, {}))
        for line in text.splitlines():
            try:
                body = line[split_prefix(line).start :]
            except NotationError:
                continue
            brief = binder.meet(body)
            if brief is not None and len(brief) == 2:
                briefs += 1
                assert brief == binder.entry(body)[:2]
    assert briefs > 100
