"""Every format on one mixed folder: valid by its schema, the same findings in each, exit codes as designed."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from click.testing import CliRunner, Result
from lxml import etree

import fairdeal.checker.reporting.reporter as reporter_module
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.reporting.reporter import REPORTERS

from tests.expectations import TRACES, expected, traces

SCHEMAS = Path(__file__).with_name("schemas")
SARIF = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
JUNIT = etree.XMLSchema(etree.parse(str(SCHEMAS / "junit-10.xsd")))
REPORT = json.loads(Path(reporter_module.__file__).with_name("report.schema.json").read_text(encoding="utf-8"))
GAMES = 100

Place = tuple[str, int, int, str]
"""Path, line, column and code of a finding."""

LEVEL = {"error": "error", "reading": "warning", "unknown": "warning", "warning": "warning", "note": "note"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred games in files of all kinds: traces of every verdict, and generated games, packed and not."""
    place = tmp_path_factory.mktemp("mixed")
    games = 0
    for text, name in ((spit, f"{game} äöü %41.{form}") for game, form, spit in _generated()):
        if name.endswith("gz"):
            (place / name).write_bytes(gzip.compress(text.encode()))
        else:
            (place / name).write_text(text, encoding="utf-8")
        games += 10
    wanted = {"violation": 25, "malformed": 10, "legal": 10, "incomplete": 5, "reading-dependent": 7, "unknown": 3}
    for log in traces(TRACES):
        verdicts = [each.verdict for each in expected(log)]
        if len(verdicts) == 1 and "recorded" not in log.parts and wanted[verdicts[0]]:
            wanted[verdicts[0]] -= 1
            games += 1
            (place / log.name).write_bytes(log.read_bytes())
    assert (games, sum(wanted.values())) == (GAMES, 0)
    return place


def _generated() -> Iterator[tuple[str, str, str]]:
    for game in ("spit", "queen-city-rum"):
        yield game, "gamelog.gz", "".join(generate(game, games=10, seed=5))
        yield game, "gamelog.jsonl", "".join(generate(game, games=10, seed=6, format="jsonl"))


@pytest.fixture(scope="module")
def incomplete() -> Path:
    return next(log for log in traces(TRACES / "open") if [one.verdict for one in expected(log)] == ["incomplete"])


def check(folder: Path, form: str, *words: str) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["check", str(folder), "--format", form, "--all", *words])


def of_json(text: str) -> list[dict[str, Any]]:
    document = json.loads(text)
    jsonschema.Draft202012Validator(REPORT).validate(document)
    games: list[dict[str, Any]] = document["games"]
    return games


def of_jsonl(text: str) -> list[dict[str, Any]]:
    games = [json.loads(line) for line in text.splitlines()]
    one = {"$defs": REPORT["$defs"], "$ref": "#/$defs/game"}
    for game in games:
        jsonschema.Draft202012Validator(one).validate(game)
    return games


def places(games: list[dict[str, Any]]) -> Counter[Place]:
    return Counter(
        (game["path"], one["line"], one["column"], one["code"]) for game in games for one in game["findings"]
    )


def of_text(text: str) -> Counter[Place]:
    """Findings as the text has them: the code in the headline, the place on the line below it."""
    found = re.findall(r"^\w+\[([A-Z0-9-]+)\]: (?:.*\n(?:    .*\n)*?) *--> (.*):(\d+):(\d+)$", text, re.MULTILINE)
    return Counter((path, int(line), int(column), code) for code, path, line, column in found)


def of_junit(text: str) -> Counter[Place]:
    document = etree.fromstring(text.encode())
    JUNIT.assertValid(document)
    bodies = [one.text for one in document.iter("failure", "system-out") if one.text]
    return of_text("".join(bodies))


def of_sarif(text: str) -> Counter[Place]:
    document = json.loads(text)
    jsonschema.Draft4Validator(SARIF).validate(document)
    (run,) = document["runs"]
    found: Counter[Place] = Counter()
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        path = unquote(place["artifactLocation"]["uri"]).removeprefix("file://")
        found[path, place["region"]["startLine"], place["region"]["startColumn"], result["ruleId"]] += 1
    return found


def of_github(text: str) -> Counter[Place]:
    found: Counter[Place] = Counter()
    for line in text.splitlines()[:-1]:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert match, line
        fields = {key: _unescaped(value) for key, value in (pair.split("=", 1) for pair in match[2].split(","))}
        if "col" in fields:
            found[fields["file"], int(fields["line"]), int(fields["col"]), fields["title"]] += 1
    return found


def _unescaped(text: str) -> str:
    return re.sub("%([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), text)


def test_the_same_findings_in_every_format(folder: Path) -> None:
    games = of_json(check(folder, "json").stdout)
    assert len(games) == GAMES
    wanted = places(games)
    assert wanted.total() > 60
    assert of_jsonl(check(folder, "jsonl").stdout) == games
    for form, read in (("text", of_text), ("junit", of_junit), ("sarif", of_sarif), ("github", of_github)):
        assert read(check(folder, form).stdout) == wanted, form


def test_levels(folder: Path) -> None:
    games = of_json(check(folder, "json").stdout)
    wanted = Counter(LEVEL[one["severity"]] for game in games for one in game["findings"])
    results = json.loads(check(folder, "sarif").stdout)["runs"][0]["results"]
    assert Counter(one["level"] for one in results) == wanted
    github = re.findall(r"^::(\w+) .*col=", check(folder, "github").stdout, re.MULTILINE)
    assert Counter({"notice": "note"}.get(one, one) for one in github) == wanted


@pytest.mark.parametrize("form", REPORTERS)
def test_exit_codes(folder: Path, incomplete: Path, form: str) -> None:
    assert check(folder, form).exit_code == 1
    assert check(folder / "spit äöü %41.gamelog.gz", form, "--strict").exit_code == 0
    assert check(incomplete, form).exit_code == 0
    assert check(incomplete, form, "--strict").exit_code == 1
    assert check(folder / "gone", form).exit_code == 2


def test_every_sarif_rule_says_what_it_is(folder: Path) -> None:
    rules = json.loads(check(folder, "sarif").stdout)["runs"][0]["tool"]["driver"]["rules"]
    assert len(rules) > 20
    for rule in rules:
        assert rule["help"]["text"].startswith(rule["fullDescription"]["text"])
        assert rule["shortDescription"]["text"]


def test_what_cannot_be_read_is_in_every_format(tmp_path: Path) -> None:
    gone = tmp_path / "gone: 5%, of all"
    assert "gone" in check(gone, "json").stdout
    (run,) = json.loads(check(gone, "sarif").stdout)["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "there is no such file"
    junit = etree.fromstring(check(gone, "junit").stdout.encode())
    JUNIT.assertValid(junit)
    assert junit.find("testsuite").get("failures") == "1"
    assert "gone%3A 5%25%2C of all,title=not checked::there is no such file" in check(gone, "github").stdout


def test_junit_counts_and_names(folder: Path) -> None:
    games = of_json(check(folder, "json").stdout)
    suites = etree.fromstring(check(folder, "junit", "--strict").stdout.encode()).findall("testsuite")
    assert [suite.get("name") for suite in suites] == list(dict.fromkeys(game["path"] for game in games))
    assert sum(int(suite.get("tests")) for suite in suites) == GAMES
    failing = sum(game["verdict"] != "legal" for game in games)
    assert sum(int(suite.get("failures")) for suite in suites) == failing
    assert sum(len(suite.findall("testcase/failure")) for suite in suites) == failing


def test_a_strict_failure_is_said_where_no_finding_is_an_error(incomplete: Path) -> None:
    assert "::error" not in check(incomplete, "github").stdout
    assert "title=incomplete::this game is incomplete" in check(incomplete, "github", "--strict").stdout


@pytest.mark.parametrize("form", REPORTERS)
def test_a_hostile_log_cannot_break_out(tmp_path: Path, form: str) -> None:
    log = tmp_path / "a.gamelog"
    hostile = "]]></failure>&<script>%0A::error::\x1b[31m\u202e\ufffe\U000e0041"
    log.write_text(f"gamelog: 1\ngame: spit\nid: {hostile}\nround 1\n::error file=x::{hostile}\n::set-output\n")
    result = check(log, form)
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    lines = result.stdout.splitlines()
    match form:
        case "json":
            of_json(result.stdout)
        case "jsonl":
            of_jsonl(result.stdout)
        case "junit":
            of_junit(result.stdout)
        case "sarif":
            of_sarif(result.stdout)
        case "github":
            assert [line for line in lines[:-1] if not line.startswith("::error file=")] == []
            assert len(lines) == 3  # two lines at fault, and the counts
        case "text":
            assert not any(line.startswith("::") for line in lines)
