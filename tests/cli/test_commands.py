"""The commands beside `check`, and the program's own words."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.reporting.refusal import nearest


def test_version(fairdeal):
    result = fairdeal("--version")
    assert result.exit_code == 0
    assert result.output.startswith("fairdeal ")


def test_help_names_every_command_and_fits(fairdeal):
    text = fairdeal("--help").output
    assert all(f"\n  {name} " in text for name in ("check", "show", "legal", "generate", "rules"))
    for name in ((), ("check",), ("show",), ("legal",), ("generate",), ("rules",)):
        result = fairdeal(*name, "-h")
        assert result.exit_code == 0
        assert max(map(len, result.output.splitlines())) <= 80


def test_an_unknown_command_exits_2(fairdeal):
    assert fairdeal("chek").exit_code == 2


def test_show(fairdeal):
    result = fairdeal("show", "a.gamelog", "--at", "3")
    assert (result.exit_code, result.output) == (0, "table after 3\npile 1: 5C \\x1b[2J\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "a", "--at", "12"], "fairdeal: line 12 is beyond the end of the log\n"),
        (["legal", "gone", "--at", "1"], "fairdeal: gone: no such file\n"),
        (["show", "a", "--at", "1", "--option", "aze=x"], "there is no option aze; did you mean ace?"),
        (["show", "a"], "Missing option '--at', as in `--at 12`."),
        (["show", "a", "12"], "Missing option '--at', as in `--at 12`."),
        (["show", "a", "--at", "x"], "Invalid value for '--at': 'x' is not a whole number from 1 on."),
        (["generate", "toy", "--games", "1.5"], "Invalid value for '--games': '1.5' is not a whole number from 1 on."),
        (["show", "a", "--at", "0"], "0 is not in the range"),
        (["generate", "toi"], "there is no game toi; did you mean toy?\nfairdeal: known: toy\n"),
        (
            ["generate", "toy", "--policy", "od"],
            "there is no policy od; did you mean odd?\nfairdeal: known: usual, odd\n",
        ),
        (["generate", "toy", "--option", "ace=up"], "the values of ace are cycle, literal, linear"),
        (["generate", "Toy!"], "there is no game Toy!; did you mean toy?\n"),
        (["rules", "whist"], "there is no game whist\nfairdeal: known: toy\n"),
        (["rules", "toy", "TOY-PLAY-2"], "there is no clause TOY-PLAY-2; did you mean TOY-PLAY-1?\n"),
        (["rules", "toy", "PLAY-1"], "there is no clause PLAY-1; did you mean TOY-PLAY-1?\n"),
        (["rules", "toy", "TOY-FOO"], "there is no clause TOY-FOO; `fairdeal rules toy` lists them\n"),
        (["explain", "TOY-FOO"], "there is no code TOY-FOO; `fairdeal rules GAME` lists them\n"),
    ],
)
def test_wrong_calls_exit_2_and_say_why(fairdeal, words, said):
    result = fairdeal(*words)
    assert result.exit_code == 2
    assert said in result.stderr.replace("\n          ", " ")
    assert result.stdout == ""


def test_legal_as_lines_and_as_json(fairdeal):
    assert fairdeal("legal", "a", "--at", "1").stdout == "A flip at 3\nA call spit  # changes nothing\n"
    result = fairdeal("legal", "a", "--at", "1", "--format", "json")
    assert json.loads(result.stdout) == [{"type": "flip"}, {"type": "call", "x-idle": True}]


def test_legal_with_nothing_to_do(fairdeal):
    result = fairdeal("legal", "a", "--at", "9", "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])
    assert result.stderr == "fairdeal: no event is allowed after line 9\n"


def test_generate(fairdeal, log, tmp_path):
    result = fairdeal("generate", "toy", "--games", "2", "--seed", "5", "--rules", "strict", "--option", "ace=linear")
    assert result.stdout == (
        "gamelog: 1\nid: text 5-0 strict {'ace': 'linear'} None\n"
        "gamelog: 1\nid: text 5-1 strict {'ace': 'linear'} None\n"
    )
    target = str(tmp_path / "games.jsonl")
    result = fairdeal("generate", "toy", "--format", "jsonl", "--output", target)
    assert (result.exit_code, result.output) == (0, "")
    assert Path(target).read_text() == "gamelog: 1\nid: jsonl 0-0 None {} None\n"
    assert fairdeal("generate", "toy", "--policy", "odd").stdout == "gamelog: 1\nid: text 0-0 None {} odd\n"


def test_rules_of_a_game(fairdeal):
    assert (
        fairdeal("rules", "toy").stdout
        == """\
Toy (toy 0123456789ab)

Clauses
  TOY-PLAY-1  A card may be played only next to its neighbour in rank.
  TOY-AIM-1   Whoever is rid of all cards first has won, and it does not matter
              how many the other still has.

Gaps: what the text leaves open, and how it can be read
  GAP-TOY-1  Around the corner: Ace and 2 are neighbours.
    ace=cycle (default, textual): Ranks form a ring, so that an ace may be
        played on a 2 and a 2 on an ace, whichever comes first.
    ace=literal (textual)
    ace=linear (published): Ranks form a line.
  GAP-TOY-2  Two at once: The log's order decides.
    order (always, textual): The line that comes first was first.

Faults of a log
  LOG-HEADER  A header line is missing.

Further options
    target=101 (default, any number from 1 to 1000)

Named sets of options (--rules)
  standard: As it is mostly played.
  strict: As it is written.
    ace=literal

How random games are played (generate --policy)
  usual (default): Plays on.
  odd: Plays what nobody would.
    ace=linear
"""
    )


def test_one_clause_in_full_in_any_case(fairdeal):
    assert (
        fairdeal("rules", "toy", "toy-play-1").stdout
        == """\
TOY-PLAY-1  Next in rank

  A card may be played only next to its neighbour in rank.

  sources: T0, T1

  where they differ: T1 speaks of neighbours in suit.

  events: play
"""
    )


def test_one_gap_in_full(fairdeal):
    text = fairdeal("rules", "toy", "GAP-TOY-1", "--color", "always").stdout
    assert text.startswith("\033[1mGAP-TOY-1\033[0m  Around the corner\n")
    assert "  situation: A 2 lies there and an ace is to be played.\n" in text
    assert "\033[1m    ace=cycle (default, textual):\033[0m Ranks form a ring" in text


def test_a_code_of_the_log_in_full(fairdeal):
    text = fairdeal("rules", "toy", "LOG-HEADER").stdout
    assert "usual severity: error" in text
    assert "what to do: Start a game with its header." in text


def test_a_clause_of_another_game_is_told_whose_it_is():
    result = CliRunner().invoke(cli, ["rules", "queen-city-rum", "spit-play-5"], prog_name="fairdeal")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "fairdeal: SPIT-PLAY-5 is a clause of spit: `fairdeal rules spit SPIT-PLAY-5`\n"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("nonsense", None),
        ("QCR-FOO", None),
        ("CONSERVE", "S-CONSERVE"),
        ("s-conserv", "S-CONSERVE"),
        ("QCR-OUT-1", "QCR-OUT-2"),
    ],
)
def test_a_name_is_near_by_its_letters_or_as_a_part(name, near):
    assert nearest(name, ["S-CONSERVE", "QCR-OUT-2", "QCR-LAY-3"]) == near


def test_a_long_refusal_is_broken_between_words(fairdeal):
    path = "a" * 90
    lines = fairdeal("legal", "gone", "--at", "1", "--option", f"ace={path}").stderr.splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 80 or path in line for line in lines)
    assert all(line.startswith(" " * 10) for line in lines[1:])
    said = " ".join(" ".join(lines).split())
    assert said == f"fairdeal: ace={path}: the values of ace are cycle, literal, linear"


NAMES_OF_FILES = ("LOG", "PATH...", "FILE", "FILE.svg", "DIR", "LOG|GAME")


def test_an_empty_file_name_is_the_call_s_fault_in_every_command() -> None:
    asked = 0
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for param in command.params:
            if param.metavar not in NAMES_OF_FILES:
                continue
            asked += 1
            words = [param.opts[0], ""] if isinstance(param, click.Option) else [""]
            rest = ["spit"] if isinstance(param, click.Option) else []
            done = CliRunner().invoke(cli, [name, *words, *rest, *["--at", "9"] * (name in ("show", "legal"))])
            assert done.exit_code == 2, (name, param.name, done.output)
            assert "it is empty, and" in " ".join(done.stderr.split()), (name, param.name, done.output)
    assert asked >= 15
