"""`fairdeal explain` on the real rules: the clause, its readings, and an example that is judged as it is shown."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from fairdeal.checker.cli import cli
from fairdeal.checker.reporting.explain_page import example
from fairdeal.spec.catalogue import Clause, catalogue, games

CODES = sorted({code for game in games() for code in catalogue(game)})


def explain(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["explain", *words])


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_that_fits(code):
    result = explain(code)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{code}  ")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_page_has_the_clause_and_an_example_of_it():
    text = explain("spit-play-5").stdout
    assert "A card may be played only if its rank is one above or one below" in text
    assert "error[SPIT-PLAY-5]: " in text
    assert "-play-5-" in text.partition("--> ")[2].splitlines()[0]


def test_a_gap_has_its_readings_and_an_option_its_gap():
    text = explain("GAP-QCR-3").stdout
    assert "exhausted=turn_over (published):" in text
    assert "No example" not in text


@pytest.mark.parametrize("game", games())
def test_most_clauses_that_a_log_can_break_have_an_example(game):
    seen = [entry.id for entry in catalogue(game).clauses.values() if isinstance(entry, Clause) and entry.observable]
    with_one = [code for code in seen if (found := example(code)) and found[1].findings[0].code == code]
    assert len(with_one) >= 0.85 * len(seen)


def test_an_unknown_code_exits_2_with_the_nearest():
    result = explain("SPIT-PLAY-55")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "fairdeal: there is no code SPIT-PLAY-55; did you mean SPIT-PLAY-5?\n"


def test_colour_on_request_only():
    assert "\033[" not in explain("SPIT-PLAY-5").stdout
    assert "\033[" in explain("SPIT-PLAY-5", "--color", "always").stdout
