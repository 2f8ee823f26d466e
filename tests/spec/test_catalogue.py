"""The catalogue of clauses, gaps and codes: what must be true of its data, and of what reads it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from fairdeal.spec.catalogue import (
    FOLDER,
    SEVERITIES,
    Catalogue,
    CatalogueError,
    Gap,
    catalogue,
    games,
    parse,
    parse_codes,
)

SOURCES = {"spit": {"S0", "S1", "S2", "S4"}, "queen-city-rum": {"Q"}}
"""Short names of the source documents; the README beside the clauses says what they are."""
PREFIX = {"spit": "SPIT", "queen-city-rum": "QCR"}
EVENTS = {
    "spit": {
        *("round", "deal", "spit", "play", "flip", "move", "call", "stuck"),
        *("round_end", "slap", "collect", "score", "win", "tie"),
    },
    "queen-city-rum": {
        *("round", "deal", "turn_up", "draw", "take", "meld", "lay", "discard", "out"),
        *("turn_over", "reshuffle", "round_end", "score", "win", "tie"),
    },
}

every_game = pytest.mark.parametrize("game", games())


def gaps_with_options(game: str) -> list[Gap]:
    return [gap for gap in catalogue(game).gaps.values() if gap.options]


# ---------------------------------------------------------------- the data


def test_the_games_of_the_notation_are_there() -> None:
    assert set(games()) <= set(SOURCES)
    assert "spit" in games()


@every_game
def test_a_catalogue_is_named_as_its_file(game: str) -> None:
    assert catalogue(game).game == game


@every_game
def test_ids_are_spelled_as_their_kind_asks(game: str) -> None:
    found = catalogue(game)
    assert all(re.fullmatch(rf"{PREFIX[game]}-[A-Z]+-[1-9]\d*", clause) for clause in found.clauses)
    assert all(re.fullmatch(rf"GAP-{PREFIX[game]}-[1-9]\d*", gap) for gap in found.gaps)
    assert all(re.fullmatch(r"LOG-[A-Z]+", code) for code in found.codes)


@every_game
def test_numbers_run_on_without_holes(game: str) -> None:
    found = catalogue(game)
    series: dict[str, list[int]] = {}
    for code in [*found.clauses, *found.gaps]:
        stem, number = code.rsplit("-", 1)
        series.setdefault(stem, []).append(int(number))
    assert {stem: list(range(1, len(numbers) + 1)) for stem, numbers in series.items()} == series


@every_game
def test_statements_are_sentences(game: str) -> None:
    found = catalogue(game)
    texts = [found.statement(code) for code in found]
    texts += [gap.situation for gap in found.gaps.values()]
    texts += [reading.statement for gap in found.gaps.values() for reading in gap.readings]
    texts += [code.help for code in found.codes.values()]
    for text in texts:
        assert text[0].isupper() or text[0].isdigit(), text
        assert text.endswith((".", '."')), text
        assert "\n" not in text
        assert len(text) <= 250, text


@every_game
def test_titles_are_a_few_words(game: str) -> None:
    found = catalogue(game)
    titles = [found.entry(code).title for code in found]
    assert len(set(titles)) == len(titles)
    assert all(len(title) <= 50 and not title.endswith(".") for title in titles)


@every_game
def test_clauses_name_their_sources_and_events(game: str) -> None:
    for clause in catalogue(game).clauses.values():
        assert set(clause.seeds) <= SOURCES[game], clause.id
        assert set(clause.events) <= EVENTS[game], clause.id
        assert clause.events or not clause.observable, clause.id


@every_game
def test_clauses_that_not_all_sources_state_say_what_the_others_have(game: str) -> None:
    for clause in catalogue(game).clauses.values():
        missing = SOURCES[game] - set(clause.seeds)
        assert all(source in clause.disagreement for source in missing), clause.id


@every_game
def test_codes_have_a_known_severity(game: str) -> None:
    assert {code.severity for code in catalogue(game).codes.values()} <= SEVERITIES


# ---------------------------------------------------------------- gaps and their readings


@every_game
def test_options_have_a_choice(game: str) -> None:
    for gap in gaps_with_options(game):
        for option in gap.options:
            assert len(gap.values(option)) > 1, option


@every_game
def test_defaults_are_values_that_the_text_allows(game: str) -> None:
    for gap in gaps_with_options(game):
        for option, value in gap.default.items():
            (chosen,) = (reading for reading in gap.values(option) if reading.value == value)
            assert chosen.textual, option
            assert chosen.only_in is None, option
            assert gap.holds(chosen)


@every_game
def test_one_reading_holds_for_each_option_and_for_each_settled_gap(game: str) -> None:
    for gap in catalogue(game).gaps.values():
        holding = [reading for reading in gap.readings if gap.holds(reading)]
        assert len(holding) == max(1, len(gap.options)), gap.id


@every_game
def test_readings_that_the_text_does_not_allow_are_published(game: str) -> None:
    for gap in catalogue(game).gaps.values():
        for reading in gap.readings:
            assert reading.textual or reading.published, (gap.id, reading.value)


@every_game
def test_names_of_options_and_values_can_stand_in_a_header(game: str) -> None:
    found = catalogue(game)
    assert all(re.fullmatch(r"[a-z][a-z_]*", option) for option in found.options)
    for gap in found.gaps.values():
        for reading in gap.readings:
            assert re.fullmatch(r"[a-z0-9][a-z0-9_]*", reading.value), gap.id


@every_game
def test_ids_in_the_prose_exist(game: str) -> None:
    found = catalogue(game)
    prose = (FOLDER / f"{game}.toml").read_text(encoding="utf-8")
    cited = set(re.findall(r"\b(?:GAP-)?(?:SPIT|QCR)(?:-[A-Z]+)?-\d+|\bLOG-[A-Z]+", prose))
    assert {code for code in cited if code not in found} == set()


def test_spit_has_the_options_and_values_that_logs_may_name() -> None:
    found = catalogue("spit")
    values = {option: [reading.value for reading in gap.values(option)] for option, gap in found.options.items()}
    assert values == {
        "ace": ["cycle", "literal", "linear"],
        "stuck": ["exhaustive", "plays_only"],
        "compulsion": ["none", "forced", "consent_spit"],
        "flip": ["optional", "auto", "forced"],
        "null_move": ["allow", "forbid", "ignore"],
        "slot_reason": ["any", "played"],
        "lone_spit": ["alone", "end_round", "literal"],
        "lone_sticky": ["false", "true"],
        "respit": ["any", "own", "distinct"],
        "short_deal": ["any", "in_order", "rows", "robin"],
        "fifteen": ["single", "none"],
        "single_stuck": ["slap", "starter", "fewer", "void"],
        "win_scope": ["single", "any"],
        "tie": ["seq", "draw"],
        "false_slap": ["ignore", "fault"],
        "slapper": ["both", "finisher"],
        "left": ["unplayed", "stock", "owned"],
        "variant_deal": ["fresh", "carry"],
        "variant_tie": ["shared", "extra_round"],
    }


# ---------------------------------------------------------------- reading it


def test_every_kind_of_code_is_contained_and_stated() -> None:
    found = catalogue("spit")
    for code in ("SPIT-PLAY-5", "GAP-SPIT-1", "LOG-SYNTAX"):
        assert code in found
        assert found.statement(code) == found.entry(code).statement
    assert "SPIT-PLAY-99" not in found
    with pytest.raises(KeyError, match="SPIT-PLAY-99"):
        found.statement("SPIT-PLAY-99")


def test_a_catalogue_is_read_once() -> None:
    assert catalogue("spit") is catalogue("spit")


@pytest.mark.parametrize("name", ["whist", "log", "", "../clauses/spit"])
def test_an_unknown_game_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(CatalogueError, match=re.escape(repr(name)) + ".*spit"):
        catalogue(name)


def test_importing_the_module_reads_nothing() -> None:
    script = "import sys; import fairdeal.spec.catalogue; sys.exit('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


# ---------------------------------------------------------------- malformed data

HEAD = 'game = "g"\ntitle = "G"\n'
CLAUSE = '[[clause]]\nid = "G-1"\ntitle = "T"\nstatement = "S."\nseeds = ["S0"]\nevents = ["play"]\n'
GAP = '[[gap]]\nid = "GAP-G-1"\ntitle = "T"\nsituation = "S."\nstatement = "S."\n'
READING = '[[gap.reading]]\nvalue = "v"\nstatement = "S."\ntextual = true\n'
CHOICE = READING + 'option = "o"\n'


def test_the_smallest_good_file_is_read() -> None:
    found = parse(HEAD + CLAUSE + GAP + 'settled = "v"\n' + READING, "x.toml")
    assert isinstance(found, Catalogue)
    assert list(found) == ["G-1", "GAP-G-1"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("game =", r"x\.toml: "),
        ('title = "G"', "game is missing"),
        ('game = ""\ntitle = "G"', "game is empty"),
        ('game = 3\ntitle = "G"', "game is 3, not a str"),
        (HEAD + "clause = [3]", "clause 1 is not a table"),
        (HEAD + 'colour = "red"', "unknown key colour"),
        (HEAD + CLAUSE + 'staement = "S."', "G-1: unknown key staement"),
        (HEAD + CLAUSE.replace("S.", " "), "G-1: statement is empty"),
        (HEAD + CLAUSE.replace('["S0"]', "[]"), "G-1: no source states it"),
        (HEAD + CLAUSE.replace('["S0"]', "[0]"), "G-1: seeds holds 0"),
        (HEAD + CLAUSE + "observable = false", "G-1: a note must say why"),
        (HEAD + CLAUSE + CLAUSE, "G-1 is there twice"),
        (HEAD + GAP + READING, "either has options with defaults or is settled"),
        (HEAD + GAP + 'settled = "w"\n' + READING, "no reading 'w'"),
        (HEAD + GAP + 'settled = "v"\n' + READING + READING, "a value is there twice"),
        (HEAD + GAP + 'default = { o = "w" }\n' + CHOICE, "no reading 'w'"),
        (HEAD + GAP + 'default = { o = "v" }\n' + READING, "no reading 'v'"),
        (HEAD + GAP + 'default = { o = "v" }\n' + CHOICE + READING, "readings of None"),
        (HEAD + GAP + 'settled = "v"\nshares = ["p"]\n' + READING, "shares p, which no gap owns"),
        (HEAD + CLAUSE + (GAP + 'settled = "v"\n' + READING).replace("GAP-G-1", "G-1"), "at once"),
    ],
)
def test_malformed_data_is_refused_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(CatalogueError, match=complaint):
        parse(text, "x.toml")


def test_one_option_cannot_belong_to_two_gaps() -> None:
    gap = GAP + 'default = { o = "v" }\n' + CHOICE
    with pytest.raises(CatalogueError, match="one option belongs to two gaps"):
        parse(HEAD + gap + gap.replace("GAP-G-1", "GAP-G-2"), "x.toml")


def test_a_code_needs_a_known_severity() -> None:
    text = '[[code]]\nid = "LOG-X"\ntitle = "T"\nstatement = "S."\nhelp = "H."\nseverity = "dire"\n'
    with pytest.raises(CatalogueError, match="LOG-X: no severity 'dire'"):
        parse_codes(text, "x.toml")
