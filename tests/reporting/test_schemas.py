"""The JSON documents of `prove`, `find` and `explore` are as their schemas, which come with the package, say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.generating import generate
from fairdeal.checker.reporting import proofs

FOLDER = Path(proofs.__file__).parent


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


def written(words: list[str], code: int) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [*words, "--format", "json"])
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["find", "spit", "fifteen"], 0),
        (["find", "spit", "pile[1].size == 60"], 1),
        (["prove", "spit", "S-END2", "S-STUCK-AT-START"], 0),
        (["explore", "spit", "--seed", "3", "--plain", "--states", "60"], 1),
    ],
)
def test_a_document_is_as_its_schema_says(words: list[str], code: int) -> None:
    document, known = written(words, code), schema(words[0])
    jsonschema.Draft202012Validator.check_schema(known)
    jsonschema.Draft202012Validator(known).validate(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(known).validate({**document, "version": 2})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(known).validate({**document, "more": 1})


def test_a_whole_round_is_as_its_schema_says(tmp_path: Path) -> None:
    path = tmp_path / "game.gamelog"
    path.write_text("".join(generate("spit", games=1, seed=5)), encoding="utf-8")
    document = written(["explore", str(path), "--at", "66", "--plain"], 0)
    jsonschema.Draft202012Validator(schema("explore")).validate(document)
    assert document["complete"]


def test_what_was_found_is_in_the_document() -> None:
    found, gone = written(["find", "spit", "fifteen"], 0), written(["find", "spit", "stuck", "--length", "3"], 1)
    assert (found["found"], found["verdict"], found["events"], found["reason"]) == (True, "incomplete", 3, "")
    assert any("no log of fewer reaches it" in note for note in found["notes"])
    assert (gone["found"], gone["log"], gone["verdict"]) == (False, "", None)
    assert "no log of 3 events or fewer" in gone["reason"]
