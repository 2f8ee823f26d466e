"""Every format on one mixed folder: valid by its schema, the same findings in each, exit codes as designed."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from click.testing import CliRunner, Result
from lxml import etree

import fairdeal.checker.reporting.reporter as reporter_module
from fairdeal.checker.api import check as reports
from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.reporting.reporter import REPORTERS, Settings, Summary
from fairdeal.checker.verdict import Finding, GameReport, Related, Severity, Verdict

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
    plain = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_text(encoding="utf-8")
    odd = {
        "crlf": plain.replace("\n", "\r\n").encode(),
        "mark": plain.encode("utf-8-sig"),
        "utf-16": plain.encode("utf-16"),
        "latin-1": plain.replace("A play 7S", "A pläy 7S").encode("latin-1"),
    }
    for name, data in odd.items():
        games += 1
        (place / f"odd-{name}.gamelog").write_bytes(data)
    wanted = {"violation": 24, "malformed": 7, "legal": 10, "incomplete": 5, "reading-dependent": 7, "unknown": 3}
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


def spelled(value: Any) -> Any:
    """A record as JSON, by the names and values of its own fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: spelled(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: spelled(each) for key, each in value.items()}
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in value)
    return [spelled(each) for each in value] if isinstance(value, tuple | list) else value


def test_the_documents_have_all_that_was_found(folder: Path) -> None:
    wanted = [spelled(report) for report in reports(folder)]
    games = of_json(check(folder, "json").stdout)
    for game in wanted:
        for one in game["findings"]:
            one["legal_total"] = max(one["legal_total"], len(one["legal"]))
            assert one.pop("board") == ""
    assert games == wanted
    findings = [one for game in games for one in game["findings"]]
    for key in ("also", "readings", "hint", "follows_from", "related", "legal"):  # of what is nowhere, nothing is shown
        assert any(one[key] for one in findings), key
    assert any(game["readings"] for game in games)
    few = of_json(check(folder, "json", "--max-findings", "1").stdout)
    assert [1 + game["more_findings"] for game in few if game["findings"]] == [
        len(game["findings"]) for game in games if game["findings"]
    ]


def test_places_are_the_same_to_the_column(folder: Path) -> None:
    games = of_json(check(folder, "json").stdout)
    pairs = [(game, one) for game in games for one in game["findings"]]
    results = json.loads(check(folder, "sarif").stdout)["runs"][0]["results"]
    annotations = re.findall(r"^::\w+ file=.*,col=.*$", check(folder, "github").stdout, re.MULTILINE)
    assert len(pairs) == len(results) == len(annotations)
    for (game, one), result, annotation in zip(pairs, results, annotations, strict=True):
        place = result["locations"][0]["physicalLocation"]
        region = {"startLine": one["line"], "startColumn": one["column"], "endColumn": one["end_column"]}
        assert place["region"] == region
        assert place.get("contextRegion", {}).get("snippet", {}).get("text", "") == one["source"]
        assert result["message"]["text"] == one["message"]
        others = [each["physicalLocation"]["region"]["startLine"] for each in result.get("relatedLocations", [])]
        assert others == [each["line"] for each in one["related"]]
        properties = result["properties"]
        assert properties["verdict"] == game["verdict"]
        assert (properties.get("followsFrom"), properties.get("legal", [])) == (one["follows_from"], one["legal"])
        lines = f"line={one['line']},endLine={one['line']},col={one['column']},endColumn={one['end_column']},"
        assert lines in annotation
    prints: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for (game, one), result in zip(pairs, results, strict=True):
        prints[result["partialFingerprints"]["fairdeal/v1"]].add((game["path"], one["code"]))
    assert all(len(keys) == 1 for keys in prints.values())  # a print is of one code in one log


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
    for suite in suites:
        cases = suite.findall("testcase")
        failures = [case.find("failure") for case in cases if case.find("failure") is not None]
        assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
            "tests": str(len(cases)),
            "failures": str(len(failures)),
            "errors": "0",
            "skipped": "0",
        }
        own = [game for game in games if game["path"] == suite.get("name")]
        assert [case.get("name").split(" at line ")[1].split()[0] for case in cases] == [
            str(one["line"]) for one in own
        ]
        codes = [[one["code"] for one in game["findings"]] for game in own if game["verdict"] != "legal"]
        assert all(failure.get("type") in found for failure, found in zip(failures, codes, strict=True))
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


@pytest.mark.parametrize("form", REPORTERS)
def test_no_text_of_a_finding_is_trusted(form: str) -> None:
    """Whatever a judge may put into a report, it comes out as text."""
    evil = "\x1b[31m\u202e\u2066]]>&\ufffe\U000e0041\x85\rx\n::error::x\udcff"
    related = Related(3, evil, evil, 1, 2)
    finding = Finding(evil, Severity.ERROR, 4, 1, 2, evil, evil, (evil,), {evil: evil}, evil, None, (related,), (evil,))
    report = GameReport(evil, 1, evil, None, evil, {evil: evil}, (evil, evil), 1, Verdict.VIOLATION, (finding,))
    out = io.StringIO()
    reporter = REPORTERS[form](out, Settings(statement=lambda *_: evil))
    reporter.begin()
    reporter.game(report)
    summary = Summary()
    summary.add(report)
    summary.unread.append((evil, evil))
    reporter.end(summary)
    text = out.getvalue()
    assert [letter for letter in text if letter != "\n" and not letter.isprintable()] == []
    assert not any(line.startswith("::error::x") for line in text.splitlines())
    match form:
        case "json":
            of_json(text)
        case "jsonl":
            of_jsonl(text)
        case "junit":
            JUNIT.assertValid(etree.fromstring(text.encode()))
        case "sarif":
            jsonschema.Draft4Validator(SARIF).validate(json.loads(text))
