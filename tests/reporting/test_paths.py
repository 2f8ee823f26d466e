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
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
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
    (row,) = [row for row in rows if row.get("uri") == "n%FF.gamelog"]
    assert row["path"] == r"n\xff.gamelog"


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
