"""Names of files in reports: each file is told from every other, and found by those who read the report."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner

import fairdeal.checker.reporting.reporter as reporter_module
from fairdeal.checker.cli import cli

from tests.expectations import TRACES

REPORT = json.loads(Path(reporter_module.__file__).with_name("report.schema.json").read_text(encoding="utf-8"))
ILLEGAL = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_bytes()
NAMES = [
    b"plain.gamelog",
    b"n\xff.gamelog",
    b"n\xfe.gamelog",
    rb"n\xff.gamelog",
    b"a\nb.gamelog",
    rb"a\x0ab.gamelog",
    b"c\x85.gamelog",
    "c\x85.gamelog".encode(),
    b"t\t.gamelog",
    b"t    .gamelog",
    "s\xa0.gamelog".encode(),
    b"s\xa0.gamelog",
    b"\xff\xfe.gamelog",
    rb"\xff\xfe.gamelog",
    rb"\x5cxff\xfe.gamelog",
    rb"n\\xff.gamelog",
    b"n\\\xff.gamelog",
    rb"n\udcff.gamelog",
    rb"a\b.gamelog",
    "n\ufffd.gamelog".encode(),
    b"long/" + b"l" * 240 + b"1.gamelog",
    b"long/" + b"l" * 240 + b"2.gamelog",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long").mkdir()
    for name in NAMES:
        try:
            (tmp_path / os.fsdecode(name)).write_bytes(ILLEGAL)
        except OSError:  # the file system takes text alone
            pytest.skip("names that are no UTF-8")
    return tmp_path


def report(form: str, *words: str, paths: tuple[str, ...] = (".",)) -> str:
    call = ["check", *paths, "--format", form, "--exit-zero", *words]
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli, call)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_json_document_says_which_file_byte_by_byte(folder: Path) -> None:
    for words in ((), ("--summary",)):
        document = json.loads(report("json", *words))
        jsonschema.Draft202012Validator(REPORT).validate(document)
        rows = document["summary"]["files"] if words else document["games"]
        found = [unquote_to_bytes(row["uri"]) if "uri" in row else row["path"].encode() for row in rows]
        assert sorted(found) == sorted(NAMES)
        assert {row["path"]: had_back(row["path"]) for row in rows} == {
            row["path"]: unquote_to_bytes(row["uri"]) if "uri" in row else row["path"].encode() for row in rows
        }
        assert len({row["path"] for row in rows}) == len(NAMES)
    by_uri = {row["uri"]: row["path"] for row in rows if "uri" in row}
    assert by_uri["n%FF.gamelog"] == r"n\xff.gamelog"
    assert by_uri["n%5Cxff.gamelog"] == r"n\x5cxff.gamelog"
    assert r"a\b.gamelog" in {row["path"] for row in rows} - set(by_uri.values())


def had_back(path: str) -> bytes:
    """The name behind a path of a JSON report, as its README says."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), path.encode())


def test_what_is_not_checked_is_named_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [os.fsdecode(name) for name in NAMES]
    result = CliRunner().invoke(cli, ["check", *names, "--format", "json"])
    rows = json.loads(result.stdout)["unread"]
    jsonschema.Draft202012Validator(REPORT).validate(json.loads(result.stdout))
    assert [had_back(row["path"]) for row in rows] == NAMES
    assert len(set(result.stderr.replace("\n          ", " ").splitlines())) == len(NAMES)


def test_a_baseline_tells_each_file_from_every_other(folder: Path) -> None:
    report("text", "--write-baseline", "known.json")
    known = json.loads(Path("known.json").read_text(encoding="ascii"))["findings"]
    assert sorted(had_back(one["path"]) for one in known) == sorted(NAMES)
    for one in known:  # what is known of one file excuses no other
        document = {"version": 1, "findings": [one]}
        Path("one.json").write_text(json.dumps(document), encoding="ascii")
        rows = json.loads(report("json", "--baseline", "one.json"))["games"]
        assert [had_back(row["path"]) for row in rows if row["excused"]] == [had_back(one["path"])]


def test_standard_input_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where files have the names by which reports call it."""
    monkeypatch.chdir(tmp_path)
    for name in ("-", "stdin", "<stdin>"):
        Path(name).write_bytes(ILLEGAL)
    for form in ("text", "json", "jsonl", "junit", "sarif", "github"):
        call = ["check", "-", "./-", "stdin", "<stdin>", "--format", form]
        text = CliRunner().invoke(cli, call, input=ILLEGAL).stdout
        shapes = {
            "text": r"--> (.*):11:8",
            "junit": r"<testsuite name=(.*?) tests",
            "sarif": r'"locations": \[.*?"uri": "(.*?)"',
            "github": r"::error (.*?)line=",
        }
        found = re.findall(shapes.get(form, r'"path": "(.*?)"'), text)
        assert len(set(found)) == len(found) == 4, form
    baseline = ["check", "-", "./-", "--write-baseline", "known.json"]
    assert CliRunner().invoke(cli, baseline, input=ILLEGAL).exit_code == 0
    known = json.loads(Path("known.json").read_text(encoding="ascii"))["findings"]
    assert [one["path"] for one in known] == ["-", "./-"]


def test_a_path_through_a_link_is_the_file_that_it_leads_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "else" / "where").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for place in ("a.gamelog", "../else/a.gamelog"):
        Path(place).write_bytes(ILLEGAL)
    Path("link").symlink_to("../else/where")
    results = json.loads(report("sarif", paths=("a.gamelog", "link/../a.gamelog")))["runs"][0]["results"]
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results}
    assert len(uris) == 2


def test_a_file_that_is_named_twice_is_checked_once_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.gamelog").write_bytes(ILLEGAL)
    (tmp_path / "link").symlink_to("sub")
    (tmp_path / "hard.gamelog").hardlink_to("sub/a.gamelog")
    told = "link/a.gamelog is the same file as sub/a.gamelog, and checked once"
    for words in ((), ("--jobs", "2"), ("--summary", "--state", "state"), ("--summary", "--state", "state")):
        result = CliRunner().invoke(cli, ["check", "sub", "link", *words])
        assert ("1 game: 1 violation" in result.stdout, result.stderr) == (True, f"fairdeal: {told}\n"), words
    result = CliRunner().invoke(cli, ["check", "sub", "link", "./sub/a.gamelog", "**/*.gamelog"])
    assert "2 games: 2 violation" in result.stdout  # a hard link is a file of its own
    said = " ".join(result.stderr.split())
    assert "3 paths lead to files that are checked already, such as link/a.gamelog, which is sub/a.gamelog" in said
    assert CliRunner().invoke(cli, ["check", "sub", "link", "--quiet"]).stderr == ""


def test_sarif_says_which_file_byte_by_byte(folder: Path) -> None:
    results = json.loads(report("sarif"))["runs"][0]["results"]
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results}
    assert {unquote_to_bytes(uri) for uri in uris} == set(NAMES)


def test_no_two_names_look_the_same_in_text(folder: Path) -> None:
    assert len(set(re.findall("--> (.*):11:8$", report("text"), re.MULTILINE))) == len(NAMES)
    assert len(
        {line.split("  ")[-1] for line in report("text", "--summary").splitlines() if ".gamelog" in line}
    ) == len(NAMES)
    suites = ET.fromstring(report("junit")).findall("testsuite")
    assert len({suite.get("name") for suite in suites}) == len(suites) == len(NAMES)
    files = set(re.findall("file=([^,]*),", report("github")))
    assert len(files) == len(NAMES)
    assert {"plain.gamelog", "a%0Ab.gamelog"} <= files


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_services_get_paths_from_the_folder_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.gamelog").write_bytes(ILLEGAL)
    for way in (".", "./sub", str(tmp_path), f"{tmp_path}/sub/a.gamelog", "sub/../sub"):
        text = report(form, paths=(way,))
        found = set(re.findall("file=([^,]*)," if form == "github" else r'"uri": "(.*?)"', text))
        assert found == {"sub/a.gamelog"}, way


def test_what_is_found_here_needs_no_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.gamelog").write_bytes(ILLEGAL)
    assert "--> a.gamelog:11:8\n" in report("text")


def test_annotations_hold_what_follows_as_notices() -> None:
    log = str(TRACES / "illegal" / "log-end-said-after-the-win.gamelog")
    findings = [one for game in json.loads(report("json", paths=(log,)))["games"] for one in game["findings"]]
    follows = [one for one in findings if one["follows_from"]]
    text = report("github", paths=(log,))
    assert len(re.findall("^::.*,col=", text, re.MULTILINE)) == len(findings)
    assert len(re.findall("^::notice .*may only follow from line", text, re.MULTILINE)) == len(follows) > 0
    assert len(
        re.findall("^::error .*may only follow from line", report("github", "--all", paths=(log,)), re.MULTILINE)
    )


def test_annotations_say_how_much_more_was_lawful_as_the_text_does() -> None:
    log = str(TRACES / "illegal" / "spit-play-5-equal-rank.gamelog")
    (finding,) = json.loads(report("json", paths=(log,)))["games"][0]["findings"]
    more = f", and {finding['legal_total'] - 3} more"
    assert finding["legal_total"] > 3
    assert more in report("github", paths=(log,))
    assert more in " ".join(report("text", paths=(log,)).split())
