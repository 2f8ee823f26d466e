"""The two-way test: the rules cite nothing that the catalogue lacks, and leave nothing in it unclaimed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal.spec import language
from fairdeal.spec.catalogue import Clause, Gap, catalogue
from fairdeal.spec.games import MODULES, model_named
from fairdeal.spec.language.game import Event, Game

GAMES = list(MODULES)
ROOT = Path(__file__).resolve().parents[2]
every_game = pytest.mark.parametrize("game", GAMES)


def guarded(event: Event) -> Iterator[str]:
    """The codes that a line of this event can be reported under."""
    for guard in (*event.guards, *event.remarks):
        yield guard.clause
    yield from event.beyond.values()
    for parameter in event.parameters:
        if parameter.sort.beyond[0]:
            yield parameter.sort.beyond[0]


def reported(game: Game) -> set[str]:
    """The codes that a finding about this game can have, but for those of the log itself."""
    codes = {code for event in game.events.values() for code in guarded(event)}
    return codes | {code for code in (game.one_deck, game.overlap) if code}


def claimed(game: Game) -> set[str]:
    """Everything that the rules say they hold: what can be reported, what events cite, what options read."""
    cited = {code for event in game.events.values() for code in event.cites}
    read = {option.gap for option in game.options.values()}
    return reported(game) | cited | read | set(game.claims)


def entries(game: str) -> list[Clause | Gap]:
    return [*catalogue(game).clauses.values(), *catalogue(game).gaps.values()]


def params(game: str) -> list[object]:
    return [pytest.param(game, entry.id, id=entry.id) for entry in entries(game)]


# ---------------------------------------------------------------- from the rules to the catalogue


@every_game
def test_whatever_the_rules_cite_is_in_the_catalogue(game: str) -> None:
    model = model_named(game)
    cited = claimed(model) | set(model.reasons)
    assert {code for code in cited if code not in catalogue(game)} == set()


@every_game
def test_every_event_cites_a_clause_or_a_gap(game: str) -> None:
    known = catalogue(game)
    for event in model_named(game).events.values():
        assert event.cites, event.name
        of_log = [code for code in event.cites if code not in known.clauses and code not in known.gaps]
        assert not of_log or event.observation, f"{event.name}: {of_log}"


@every_game
def test_no_guard_states_a_clause_that_no_log_can_break(game: str) -> None:
    known = catalogue(game).clauses
    assert {code for code in reported(model_named(game)) if code in known and not known[code].observable} == set()


@every_game
def test_docstrings_and_messages_cite_what_there_is(game: str) -> None:
    folder, prefix = ROOT / "spec" / game.replace("-", "_"), {code.split("-")[0] for code in catalogue(game).clauses}
    spelled = re.compile(rf"\b(?:GAP-)?(?:{'|'.join(prefix)})-(?:[A-Z]+-)?\d+|\bLOG-[A-Z]+")
    for file in sorted(folder.glob("*.py")):
        for code in spelled.findall(file.read_text(encoding="utf-8")):
            assert code in catalogue(game), f"{file.name}: {code}"


def test_the_language_cites_no_clause_of_a_game() -> None:
    folder = Path(language.__file__).parent
    for file in sorted(folder.glob("*.py")):
        assert not re.findall(r"\b(?:SPIT|QCR)-[A-Z]+-\d", file.read_text(encoding="utf-8")), file.name


# ---------------------------------------------------------------- from the catalogue to the rules


@pytest.mark.parametrize(("game", "code"), [param for game in GAMES for param in params(game)])
def test_a_clause_or_gap_is_claimed_or_cannot_be_observed(game: str, code: str) -> None:
    found, model = catalogue(game).entry(code), model_named(game)
    if code in claimed(model):
        return
    if isinstance(found, Clause):
        assert not found.observable
        assert found.note
    elif isinstance(found, Gap):
        assert found.shares, "a gap that is settled is cited by an event, or named in `Game.claims` with the reason"
        assert set(found.shares) <= set(model.options)


@every_game
def test_a_clause_that_a_log_can_break_has_a_guard_of_its_own_or_is_named_with_the_reason(game: str) -> None:
    model = model_named(game)
    observable = {code: clause for code, clause in catalogue(game).clauses.items() if clause.observable}
    unguarded = observable.keys() - reported(model) - model.claims.keys()
    without = {code for code in unguarded if not observable[code].note}
    assert without == set(), "say in the clause's note or in `Game.claims` where it holds"


# ---------------------------------------------------------------- options


@every_game
def test_every_option_of_the_catalogue_is_one_of_the_model(game: str) -> None:
    options = model_named(game).options
    for name, gap in catalogue(game).options.items():
        assert name in options, name
        option, readings = options[name], gap.values(name)
        assert option.gap == gap.id, name
        assert option.default == gap.default[name], name
        if not option.numeric:
            assert set(option.values) == {reading.value for reading in readings}, name
            assert set(option.textual) == {reading.value for reading in readings if reading.textual}, name


@every_game
def test_an_option_that_the_catalogue_lacks_is_chosen_by_rules_or_reads_a_garbled_clause(game: str) -> None:
    known = catalogue(game)
    for name, option in model_named(game).options.items():
        if name not in known.options:
            clause = known.clauses[option.gap]
            assert option.fixed or option.numeric or clause.disagreement, name


@every_game
def test_rule_sets_choose_values_that_there_are(game: str) -> None:
    model = model_named(game)
    for rules in model.rule_sets:
        assert model.bind(rules).keys() == model.options.keys()


@every_game
def test_a_reading_of_one_rule_set_is_chosen_by_it(game: str) -> None:
    model, only = model_named(game), catalogue(game)
    for name, gap in only.options.items():
        for reading in gap.values(name):
            if reading.only_in:
                assert model.rule_sets[reading.only_in].options.get(name) == reading.value, name


@every_game
def test_events_of_a_clause_are_events_of_the_model_or_lines_that_stand_for_several(game: str) -> None:
    names = set(model_named(game).events)
    for clause in catalogue(game).clauses.values():
        for event in clause.events:
            several = event.removesuffix("_end")
            assert event in names or any(name.startswith(several) for name in names), (clause.id, event)


@every_game
def test_a_line_leads_to_one_that_cites_the_clause_and_has_these_choices(game: str) -> None:
    events = model_named(game).events
    for lead in (lead for event in events.values() for lead in event.leads):
        assert lead.clause in events[lead.event].cites
        assert {name for name, _ in lead.choices} <= {one.name for one in events[lead.event].choices}
