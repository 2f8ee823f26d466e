"""What a gate counts: known findings, codes and files, and what the logs exercised."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

import fairdeal.checker.reporting.reporter as reporter_module
from fairdeal.checker.api import check
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.spec.games import MODULES, model_named

from tests.expectations import TRACES

REPORT = json.loads(Path(reporter_module.__file__).with_name("report.schema.json").read_text(encoding="utf-8"))
ILLEGAL = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_text()
LEGAL = (TRACES / "legal" / "spit-play-5-king-on-queen.gamelog").read_text()
OPEN = "gamelog: 1\ngame: spit\nround 1\n"


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["check", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


def document(*words: object, code: int = 0) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(run(*words, "--format", "json", code=code).stdout)
    jsonschema.Draft202012Validator(REPORT).validate(loaded)
    return loaded


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.gamelog").write_text(ILLEGAL + LEGAL + OPEN)
    return tmp_path


# ---------------------------------------------------------------- a baseline


def test_known_findings_fail_nothing_and_new_ones_do(folder: Path) -> None:
    run("a.gamelog", "--write-baseline", "known.json")
    found = run("a.gamelog", "--strict", "--baseline", "known.json")
    assert "error[" not in found.stdout
    assert "violation, 7 events, 1 known" in found.stdout
    assert "2 known findings" in found.stdout
    (folder / "a.gamelog").write_text(ILLEGAL + ILLEGAL + LEGAL + OPEN)
    assert run("a.gamelog", "--baseline", "known.json", code=1).stdout.count("error[SPIT-PLAY-5]") == 1
    (folder / "b.gamelog").write_text(ILLEGAL)
    run("b.gamelog", "--baseline", "known.json", code=1)


def test_a_finding_is_known_however_the_call_names_its_log(folder: Path, tmp_path: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.gamelog").write_text(ILLEGAL)
    run(".", "--write-baseline", "known.json", code=0)
    for ways in ((".",), ("a.gamelog", "./sub"), (folder / "a.gamelog", "sub/../sub/b.gamelog"), (folder,)):
        assert "0 of the baseline" not in run(*ways, "--baseline", "known.json").stdout
        assert "not met" not in run(*ways, "--baseline", "known.json").stdout
    outside = tmp_path.parent / f"{tmp_path.name}-outside.gamelog"
    outside.write_text(ILLEGAL)
    run(outside, "--write-baseline", "other.json")
    run(outside, "--baseline", "other.json")


def test_lines_and_times_may_move_but_the_line_may_not_change(folder: Path) -> None:
    run("a.gamelog", "--write-baseline", "known.json")
    moved = ILLEGAL.replace("A play 7D", "@1.000 A play 7D").replace("A play 7S", "@2.000 A  play 7S")
    (folder / "a.gamelog").write_text("# more lines\n\n" + moved)
    assert "1 of the baseline not met" in run("./a.gamelog", "--baseline", "known.json").stdout
    (folder / "a.gamelog").write_text(ILLEGAL.replace("A play 7S from 2 on 1", "A play 7S from 2 on 2"))
    run("a.gamelog", "--baseline", "known.json", code=1)


def test_every_format_lets_known_games_pass(folder: Path) -> None:
    run("a.gamelog", "--write-baseline", "known.json")
    for form in reporter_module.REPORTERS:
        text = run("a.gamelog", "--strict", "--baseline", "known.json", "--format", form).stdout
        assert "::error" not in text
        assert "<failure" not in text
    games = document("a.gamelog", "--strict", "--baseline", "known.json")["games"]
    assert [(game["verdict"], game["known"], game["excused"]) for game in games] == [
        ("violation", 1, True),
        ("legal", 0, False),
        ("incomplete", 1, True),
    ]


def test_the_baseline_is_in_order_and_the_same_for_the_same_findings(folder: Path) -> None:
    (folder / "b.gamelog").write_text(ILLEGAL)
    run("a.gamelog", "b.gamelog", "--write-baseline", "one.json")
    run("b.gamelog", "a.gamelog", "--write-baseline", "two.json")
    assert (folder / "one.json").read_text() == (folder / "two.json").read_text()
    rows = json.loads((folder / "one.json").read_text())["findings"]
    assert rows[0] == {"path": "a.gamelog", "code": "LOG-OPEN", "line": rows[0]["line"], "count": 1}
    assert rows[1] == {"path": "a.gamelog", "code": "SPIT-PLAY-5", "line": "A play 7S from 2 on 1", "count": 1}


def test_a_game_with_findings_that_were_not_kept_is_not_excused(folder: Path) -> None:
    bad = ILLEGAL + "A play 7S from 2 on 1\n" * 3
    (folder / "a.gamelog").write_text(bad)
    run("a.gamelog", "--write-baseline", "known.json")
    run("a.gamelog", "--baseline", "known.json")
    run("a.gamelog", "--baseline", "known.json", "--max-findings", "1", code=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 1, "findings": 7}',
        '{"version": 1, "findings": [1]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "line": "c", "count": -5}]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "line": "c", "count": "2"}]}',
        '{"version": 1, "findings": [{"path": "a", "code": null, "line": "c", "count": 2}]}',
        '{"version": 1, "findings": [{"path": ["a"], "code": "b", "line": "c", "count": 2}]}',
        "\ud800",
    ],
)
def test_what_is_no_baseline_is_refused(folder: Path, text: str) -> None:
    (folder / "known.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    result = run("a.gamelog", "--baseline", "known.json", code=2)
    assert result.stdout == ""
    assert "known.json: is no baseline" in result.stderr
    assert "no such baseline" in run("a.gamelog", "--baseline", "gone", code=2).stderr
    (folder / "known.json").write_text('{"version": 2, "findings": []}')
    assert "has version 2" in run("a.gamelog", "--baseline", "known.json", code=2).stderr
    assert "is a folder" in run("a.gamelog", "--baseline", ".", code=2).stderr


@pytest.mark.parametrize("option", ["--output", "--write-baseline"])
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_no_log_is_overwritten_however_the_call_names_it(folder: Path, option: str, form: str) -> None:
    (folder / "elsewhere").write_text("gamelog: 1\ngame: spit\nround 1\n")
    (folder / "link.gamelog").symlink_to("elsewhere")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for ways in ((".",), ("*.gamelog",), (str(folder),), ("bad*", "../*/*.gamelog")):
        for target in ("a.gamelog", "./a.gamelog", "link.gamelog", "elsewhere"):
            for words in ((), ("--state", "state", "--summary")):
                if option == "--output" or not words:
                    call = [*ways, option, target, "--format", form if not words else "json", *words]
                    assert f"{target}: is one of the logs to check" in run(*call, code=2).stderr, call
    for more in ((), ("--jobs", "2")):  # it would be one the next time
        result = run(".", option, "report.jsonl", *more, code=2)
        assert "report.jsonl: would be one of the logs to check" in " ".join(result.stderr.split())
    run("*.gamelog", option, "report.jsonl", "--exit-zero")
    (folder / "report.jsonl").unlink()
    run(".", option, "report.txt", "--exit-zero")
    (folder / "report.txt").unlink()
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_baseline_is_read_or_written(folder: Path) -> None:
    assert "do not go together" in run("a.gamelog", "--baseline", "x", "--write-baseline", "x", code=2).stderr
    assert "is one of the logs" in run("a.gamelog", "--write-baseline", "a.gamelog", code=2).stderr


# ---------------------------------------------------------------- exit codes and counts


def test_exit_zero_hides_failing_games_but_not_what_was_not_checked(folder: Path) -> None:
    assert "error[SPIT-PLAY-5]" in run("a.gamelog", "--exit-zero").stdout
    run("a.gamelog", "gone", "--exit-zero", code=2)


def test_the_summary_counts_by_verdict_code_and_file(folder: Path) -> None:
    (folder / "good.gamelog").write_text(LEGAL)
    text = run("a.gamelog", "good.gamelog", "--summary", code=1).stdout.splitlines()
    assert text[0] == "4 games: 2 legal, 1 incomplete, 1 violation; 22 events"
    assert [line.split() for line in text if line.startswith("SPIT")] == [["SPIT-PLAY-5", "1", "1"]]
    assert [line.split() for line in text if line.startswith("violation")] == [["violation", "3", "1", "a.gamelog"]]
    assert text[-1] == "1 file of legal games alone"
    summary = document("a.gamelog", "good.gamelog", "--summary", "--strict", code=1)["summary"]
    assert summary["codes"]["SPIT-PLAY-5"] == {"findings": 1, "games": 1}
    assert summary["files"] == [
        {"path": "a.gamelog", "games": 3, "failing": 2, "worst": "violation"},
        {"path": "good.gamelog", "games": 1, "failing": 0, "worst": "legal"},
    ]


def test_the_summary_agrees_with_the_games() -> None:
    counts = document(TRACES / "illegal", "--summary", "--max-findings", "1000", code=1)["summary"]["codes"]
    own = [
        {one.code: 0 for one in report.findings if one.follows_from is None}
        for report in check(TRACES / "illegal", max_findings=1000)
    ]
    assert Counter(code for game in own for code in game) == {code: each["games"] for code, each in counts.items()}


@pytest.mark.parametrize("form", sorted(set(reporter_module.REPORTERS) - set(reporter_module.COUNTERS)))
@pytest.mark.parametrize("asked", ["--summary", "--coverage"])
def test_formats_without_a_place_for_counts_refuse_them(folder: Path, form: str, asked: str) -> None:
    assert f"{asked} goes with" in run("a.gamelog", asked, "--format", form, code=2).stderr


# ---------------------------------------------------------------- coverage


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("game", MODULES)
def test_events_are_counted_line_by_line(tmp_path: Path, game: str, form: str) -> None:
    lines = "".join(generate(game, games=5, seed=3, format=form))
    log = tmp_path / "a.gamelog"
    log.write_text(lines)
    wanted = Counter[tuple[str, bool]]()
    for line in "".join(generate(game, games=5, seed=3, format="jsonl")).splitlines():
        event = json.loads(line) if line else {}
        if "type" in event:
            wanted[event["type"], "refused" in event] += 1
    found = document(log, "--coverage")["coverage"][game]["events"]
    assert {
        (name, refused): counts[("accepted", "refused")[refused]]
        for name, counts in found.items()
        for refused in (False, True)
        if counts[("accepted", "refused")[refused]]
    } == wanted
    assert set(found) == set(model_named(game).events)


def test_a_green_build_that_tested_nothing_is_seen(folder: Path) -> None:
    (folder / "a.gamelog").write_text(OPEN)
    text = run("a.gamelog", "--coverage").stdout
    assert "coverage of spit: 1 of " in text
    assert " deal, " in text.partition("no line of: ")[2].partition("never met")[0]
    assert "SPIT-PLAY-5" in text.partition("never met: ")[2]


def test_a_clause_is_met_only_where_the_options_let_it_fail(folder: Path) -> None:
    (folder / "a.gamelog").write_text(LEGAL)
    met = document("a.gamelog", "--coverage")["coverage"]["spit"]["clauses"]
    assert met["SPIT-PLAY-5"]["accepted"] == 2  # two plays
    assert met["SPIT-PLAY-5"]["broken"] == 0
    assert met["SPIT-VAR-2"] == {"accepted": 0, "refused": 0, "broken": 0}  # points: not in the standard game
    (folder / "a.gamelog").write_text(ILLEGAL)
    assert document("a.gamelog", "--coverage", code=1)["coverage"]["spit"]["clauses"]["SPIT-PLAY-5"]["broken"] == 1


def test_the_traces_exercise_every_clause_of_the_model() -> None:
    found = document(TRACES / "legal", TRACES / "illegal", TRACES / "open", "--coverage", code=1)["coverage"]
    for game in MODULES:
        idle = [name for name, counts in found[game]["clauses"].items() if not any(counts.values())]
        assert idle == []


def test_a_clause_that_a_note_speaks_of_was_met() -> None:
    log = TRACES / "legal" / "gap-spit-5-a-null-move-is-noted.gamelog"
    text = run(log, "--coverage").stdout
    assert "note[GAP-SPIT-5]" in text
    assert "GAP-SPIT-5" not in text.partition("never met: ")[2].replace(",", " ").split()


def test_events_are_called_by_words(folder: Path) -> None:
    (folder / "a.gamelog").write_text(OPEN)
    text = run("a.gamelog", "--coverage").stdout
    assert "round finished" in text
    assert "_" not in text.partition("coverage of spit")[2]
