"""A log cut at every byte: never an exception, never ``legal`` while something is missing, the documented exit code."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.reading.json_lines import load_object

from .logs import shortest
from .same import json_twin

LENIENT = {"legal", "incomplete", "reading-dependent", "unknown"}


def cut_everywhere(data: bytes, folder: Path) -> dict[int, str]:
    """The verdict on a log of one game, cut at every byte."""
    path = folder / "a.gamelog"
    path.write_bytes(data)
    verdicts = {}
    with path.open("r+b") as file:
        for cut in range(len(data), -1, -1):
            file.truncate(cut)
            done = CliRunner().invoke(cli, ["check", "--format", "json", str(path)])
            assert done.exception is None or isinstance(done.exception, SystemExit), (cut, done.exception)
            games = json.loads(done.stdout)["games"]
            assert len(games) == 1, cut
            verdicts[cut] = verdict = games[0]["verdict"]
            assert done.exit_code == (0 if verdict in LENIENT else 1), cut
            errors = [one for one in games[0]["findings"] if one["severity"] == "error"]
            assert bool(errors) is (verdict in ("violation", "malformed")), cut
    return verdicts


def test_text(tmp_path: Path) -> None:
    data = shortest()
    verdicts = cut_everywhere(data, tmp_path)
    whole = len(data.rstrip())
    assert {cut for cut, verdict in verdicts.items() if verdict == "legal"} == set(range(whole, len(data) + 1))
    assert set(verdicts.values()) == {"legal", "incomplete", "malformed"} | set(verdicts.values()) & {"violation"}


def test_json(tmp_path: Path) -> None:
    data = json_twin(shortest().decode())[0].encode()
    load_object(data.splitlines()[-1].decode())
    verdicts = cut_everywhere(data, tmp_path)
    whole = len(data.rstrip())
    assert {cut for cut, verdict in verdicts.items() if verdict == "legal"} == set(range(whole, len(data) + 1))
