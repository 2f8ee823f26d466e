"""How answers are shown: no wider than a terminal, with what is declared, all time told, and names that are there."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.proving.asking import Answer
from fairdeal.checker.proving.foundation import Foundation
from fairdeal.checker.proving.obligations import invariant_obligations
from fairdeal.checker.proving.steps import Model
from fairdeal.checker.proving.workers import Done, Task
from fairdeal.checker.reporting.proofs import ProofReporter, Spent
from fairdeal.spec.games import MODULES, properties_of

from tests.expectations import TRACES

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("color", ["never", "always"])
def test_a_table_fits_eighty_columns(color: str) -> None:
    done = CliRunner().invoke(cli, ["prove", "queen-city-rum", "Q-TIE", "Q-MAX-ROUND", "--color", color])
    lines = [ESCAPE.sub("", line) for line in done.output.splitlines()]
    assert done.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert (ESCAPE.search(done.output) is not None) is (color == "always")
    assert next(line for line in lines if line.startswith("Q-")).startswith("Q-MAX-ROUND")
    assert "a game of 9 events" in " ".join(" ".join(lines).split())  # as `check` counts them
    assert re.fullmatch(r"3 proved, 1 computed; \d+\.\d s by the clock, \d+\.\d s of processor time", lines[-1])


@pytest.mark.parametrize("game", list(MODULES))
def test_what_a_part_shows_is_more_than_a_catchword(game: str) -> None:
    """Words, once the readings are taken away: a title such as `rediscard=allow` or "as few" says nothing by itself."""
    titles = [part.title for one in properties_of(game).properties for part in one.parts if part.title]
    words = {title: re.sub(r"\w+=[\w|]+(, \w+=[\w|]+)*:?", "", title).split() for title in titles}
    assert [title for title, left in words.items() if len(left) < 4] == []


@pytest.mark.parametrize("game", list(MODULES))
def test_properties_are_listed(game: str) -> None:
    run, declared = CliRunner(), properties_of(game)
    listed = run.invoke(cli, ["prove", game, "--list"]).output
    assert all(len(line) <= 80 for line in listed.splitlines())
    text = " ".join(listed.split())
    for one in declared.properties:
        assert f"{one.id} {one.statement}" in text
        assert all(f"- {part.expected}" in text for part in one.parts)
    helped = run.invoke(cli, ["prove", "--help"]).output
    assert all(one.id in helped for one in declared.properties)
    page = (TRACES.parent / "checker" / "proving" / "README.md").read_text(encoding="utf-8")
    assert [one.id for one in declared.properties if f"`{one.id}`" not in page] == []
    (first, *_) = declared.properties
    only = run.invoke(cli, ["prove", game, first.id, "--list"]).output
    assert [line.split()[0] for line in only.splitlines() if line[2] != " "] == [first.id]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def half_proved() -> Foundation:
    tasks = [Task(("first", "second"), lambda: None, 1) for _ in range(3)]
    foundation = Foundation({tasks[0].key: tasks})
    foundation.add(Done(tasks[0].key, Answer("proved"), 4.2))
    return foundation


@pytest.mark.parametrize("out", [StringIO(), Terminal()], ids=["piped", "terminal"])
def test_what_is_shared_is_seen_while_it_is_proved_on_a_terminal_alone(out: StringIO) -> None:
    foundation = half_proved()
    reporter = ProofReporter(out, "", "text", "never", [], lambda: foundation, Spent())
    with reporter:
        seen = " ".join(ESCAPE.sub("", out.getvalue()).split())
        for _ in range(2):
            foundation.add(Done(("first", "second"), Answer("proved"), 1.0))
    row = "2 of them, shared by the properties"
    assert (f"{row}: 1 of 3 obligations" in seen) is out.isatty()
    assert ("so far, by the clock" in seen) is out.isatty()
    last = [ESCAPE.sub("", line).strip() for line in out.getvalue().splitlines()][-2:]
    assert last[0].startswith(f"invariants   {row}  ")
    assert last[0].endswith(" 6.2 s")
    assert " s by the clock, " in last[1]


def test_what_is_shared_and_not_proved_is_said() -> None:
    foundation, out = half_proved(), StringIO()
    for answer in ("unknown", "proved"):
        foundation.add(Done(("first", "second"), Answer(answer), 1.0))
    with ProofReporter(out, "", "text", "never", [], lambda: foundation, Spent()):
        pass
    assert "2 of them, shared by the properties: not all proved" in " ".join(out.getvalue().split())


def test_all_time_is_told() -> None:
    """The rows and what they share are all that is done, one after the other; conservation is a row of its own here."""
    done = CliRunner().invoke(cli, ["prove", "queen-city-rum", "Q-CONSERVE", "--format", "json"])
    told = json.loads(done.stdout)
    (row,), shared, declared = told["results"], told["shared"], properties_of("queen-city-rum")
    names = declared.carrying(["nothing is set aside"])
    assert (shared["invariants"], shared["conservation"]) == (len(names), False)
    invariants = {name: declared.invariants[name] for name in names}
    assert shared["obligations"] == len(invariant_obligations(Model(declared.game), invariants, {}))
    assert 0 < shared["seconds"] < row["seconds"] + shared["seconds"] <= told["seconds"]
    assert told["processor_seconds"] > 0


def test_the_game_in_which_a_premise_was_seen_can_be_followed_up(tmp_path: Path) -> None:
    """It ends with the event that the row names, and `check` accepts it."""
    said = CliRunner().invoke(cli, ["prove", "spit", "S-ADJACENT", "--format", "json"])
    results = json.loads(said.output)["results"]
    for result in results:
        (report,) = check_text(result["premise_log"])
        assert (report.verdict.value, f"event {report.events} of") == (
            "incomplete",
            result["premise"][: -len(" random game 1")],
        )
    shown = CliRunner().invoke(cli, ["prove", "spit", "S-ADJACENT", "--logs", str(tmp_path)])
    assert "--logs DIR" not in shown.output
    written = [path.read_text(encoding="utf-8") for path in tmp_path.glob("s-adjacent-*-premise.gamelog")]
    assert len(written) == 3
    assert sorted(written) == sorted(result["premise_log"] for result in results)
    assert "--logs DIR writes" in CliRunner().invoke(cli, ["prove", "spit", "S-ADJACENT"]).output
