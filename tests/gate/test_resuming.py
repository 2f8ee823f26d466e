"""A run that is killed and gone on with ends as if it had not been; what cannot be gone on from is refused."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.checker.cli import cli
from fairdeal.checker.commands import resumable
from fairdeal.checker.commands.state import StateFile
from fairdeal.checker.reading import segments as segments_module
from fairdeal.checker.reporting.reporter import REPORTERS

from .archives import SLOW, call, posix, start
from tests.expectations import TRACES

RESUMABLE = [form for form in REPORTERS if form != "junit"]


class Killed(BaseException):
    """What no code catches: the run ends here."""


def killed_at(number: int, *words: object, before: bool = False) -> None:
    """Runs `fairdeal check`, which dies at its so-manieth state, before or after that is written."""
    write, count = StateFile.write, iter(range(1, 10**6))

    def dying(self: StateFile) -> None:
        now = next(count)
        if now == number and before:
            raise Killed
        write(self)
        if now == number:
            raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StateFile, "write", dying)
        with pytest.raises(Killed):
            CliRunner().invoke(cli, ["check", *map(str, words)], catch_exceptions=False)


@pytest.mark.parametrize(("form", "before"), [(form, n % 2 == 0) for n, form in enumerate([*RESUMABLE, "text"])])
def test_a_run_that_dies_anywhere_ends_as_if_it_had_not(logs, tmp_path, form, before, monkeypatch):
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    monkeypatch.chdir(tmp_path)
    paths = [logs["plain"], "gone", logs["cut"], logs["zst"], logs["empty"]]
    wanted = call(*paths, "--format", form, "--output", "wanted")
    words = [*paths, "--format", form, "--output", "found", "--state", "state"]
    for number in (1, 2, 5, 3, 4, 1):
        killed_at(number, *words, before=before)
        assert not Path("found").exists()
    result = call(*words)
    assert Path("found").read_text() == Path("wanted").read_text()
    assert (result.exit_code, result.stderr) == (wanted.exit_code, wanted.stderr)
    again = call(*words)
    assert "this check is complete" in again.stderr
    assert again.exit_code == wanted.exit_code
    assert Path("found").read_text() == Path("wanted").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["found", "state", "wanted"]


@posix
def test_a_run_that_is_killed_for_real_again_and_again(big, tmp_path):
    wanted = call(big, "--output", tmp_path / "wanted", "--coverage", "--summary")
    assert wanted.exit_code == 0
    words = (big, "--output", "found", "--state", "state", "--coverage", "--summary", "--jobs", "2")
    setup = "from fairdeal.checker.commands import resumable\nresumable.CHECKPOINT = 0\n" + SLOW.replace("0.3", "0.1")
    state = tmp_path / "state"
    for _ in range(3):
        before = state.read_bytes() if state.exists() else b""
        running = start(*words, folder=tmp_path, setup=setup)
        deadline = time.monotonic() + 60
        while not state.exists() or state.read_bytes() == before:
            assert time.monotonic() < deadline
            assert running.poll() is None, "it was through before it could be killed"
            time.sleep(0.01)
        running.kill()
        running.communicate(timeout=30)
        assert json.loads(state.read_bytes())["done"] is False
    running = start(*words, folder=tmp_path, setup=setup)
    assert (running.communicate(timeout=120)[1], running.returncode) == ("", 0)
    assert (tmp_path / "found").read_text() == (tmp_path / "wanted").read_text()


def test_counts_alone_may_go_to_standard_output(logs, tmp_path, monkeypatch):
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    words = [logs["plain"], logs["zst"], "--summary"]
    killed_at(3, *words, "--state", tmp_path / "state")
    wanted = call(*words)
    assert call(*words, "--state", tmp_path / "state").stdout == wanted.stdout
    assert call(*words, "--state", tmp_path / "state").stdout == wanted.stdout


def test_a_baseline_is_used_up_across_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    monkeypatch.setattr(segments_module, "SIZE", 1)
    illegal = (TRACES / "illegal" / "spit-play-5-equal-rank.gamelog").read_text()
    Path("a.gamelog").write_text(illegal * 2)
    assert call("a.gamelog", "--write-baseline", "known").exit_code == 0
    Path("a.gamelog").write_text(illegal * 3)
    words = ["a.gamelog", "--baseline", "known", "--state", "state", "--summary"]
    killed_at(2, *words)
    result = call(*words)
    assert (result.exit_code, "2 known findings" in result.stdout) == (1, True)


def test_what_cannot_be_gone_on_from_is_refused(logs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n" * 3)
    ok = ["a.gamelog", "--state", "state", "--summary"]

    def said(*words: object) -> str:
        result = call(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        return result.stderr

    assert "can be read only once" in said("-", *ok[1:])
    assert "needs --output FILE, or --summary" in said("a.gamelog", "--state", "state")
    assert "do not go together" in said(*ok, "--write-baseline", "x")
    assert "does not go with the format junit" in said(
        "a.gamelog", "--state", "state", "--output", "x", "--format", "junit"
    )
    assert "is the report, or one of the logs" in said("a.gamelog", "--state", "a.gamelog", "--summary")
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    monkeypatch.setattr(segments_module, "SIZE", 1)
    killed_at(2, *ok)
    state = Path("state").read_text()
    for other in ("--strict", "--coverage", "--max-findings=7", "--option=ace=cycle", "--color=always"):
        assert "of another call" in said(*ok, other)
    Path("a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n" * 4)
    assert "has changed since that run" in said(*ok)
    for text in ("", "{}", "[]", '{"version": 2}', state[:-9], state.replace('"line": 4', '"line": "4"'), "\udcff"):
        Path("state").write_bytes(text.encode("utf-8", "surrogateescape"))
        assert "state" in said(*ok)


REFUSED = {
    "junit": ("--format", "junit", "does not go with the format"),
    "follow": ("--follow", "--follow takes one file"),
    "options": ("--option", "ace=blue", "ace"),
    "no such option": ("--option", "aces=cycle", "aces"),
    "rules": ("--rules", "none", "none"),
    "counts": ("--summary", "--format", "sarif", "has no place for it"),
    "no baseline": ("--baseline", "gone", "gone"),
    "two baselines": ("--baseline", "known", "--write-baseline", "other", "do not go together"),
    "standard input": ("-", "can be read only once"),
    "another state": ("--state", "foreign", "another call"),
    "no state": ("--state", "a.gamelog", "is the report, or one of the logs"),
    "a state nowhere": ("--state", "gone/state", "cannot be written"),
    "a state that is a folder": ("--state", "folder", "cannot be read"),
}


@pytest.mark.parametrize("began", [False, True])
@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_a_call_that_is_refused_touches_nothing(tmp_path, monkeypatch, refused, began):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    Path("folder").mkdir()
    for name in "ab":
        Path(f"{name}.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    call("a.gamelog", "--write-baseline", "known")
    call("a.gamelog", "--summary", "--state", "foreign")
    words = ["a.gamelog", "b.gamelog", "--output", "found", "--format", "jsonl"]
    if began:
        killed_at(3, *words, "--state", "mine")
        assert Path("found.part").stat().st_size
    before = contents(tmp_path)
    result = call(*words, "--state", "state", *refused[:-1])
    assert (result.exit_code, result.stdout) == (2, "")
    said = " ".join(result.stderr.split())
    assert refused[-1] in said or (began and "was left by a run" in said)
    assert contents(tmp_path) == before
    assert call(*words, "--state", "mine").exit_code == 0
    assert call(*words[:2], "--output", "wanted", "--format", "jsonl").exit_code == 0
    assert Path("found").read_text() == Path("wanted").read_text()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_report_of_another_run_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    for name in "ab":
        Path(f"{name}.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    words = ["a.gamelog", "b.gamelog", "--output", "found"]
    assert call(*words, "--state", "first").exit_code == 0
    whole = Path("found").read_text()
    killed_at(3, *words, "--state", "second")
    part = Path("found.part").read_text()
    assert part
    third = call(*words, "--state", "third")
    assert (third.exit_code, "go on with the --state of that run" in third.stderr) == (2, True)
    again = call(*words, "--state", "first")
    assert "this check is complete" in again.stderr, "and takes no other run's part for its own"
    assert (Path("found").read_text(), Path("found.part").read_text(), Path("third").exists()) == (whole, part, False)
    assert call(*words, "--state", "second").exit_code == 0
    assert Path("found").read_text() == whole
    assert call(*words, "--state", "third").exit_code == 0


@pytest.mark.parametrize("before", [False, True])
def test_a_run_that_dies_before_it_has_judged_anything_is_just_called_again(tmp_path, monkeypatch, before):
    monkeypatch.chdir(tmp_path)
    Path("a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    words = ["a.gamelog", "--output", "found", "--state", "state"]
    killed_at(1, *words, before=before)
    if not before:
        Path("found.part").write_text("what the first second has written")
    assert call(*words).exit_code == 0
    assert "written" not in Path("found").read_text()
    assert sorted(contents(tmp_path)) == ["a.gamelog", "found", "state"]


def test_a_report_that_cannot_be_written_leaves_no_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    assert call("a.gamelog", "--output", "gone/found", "--state", "state").exit_code == 2
    assert sorted(contents(tmp_path)) == ["a.gamelog"]


def test_a_report_that_says_nothing_is_complete_all_the_same(logs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [
        TRACES / "legal" / "spit-collect-1-leftovers-count.gamelog",
        "--quiet",
        "--output",
        "found",
        "--state",
        "state",
    ]
    for _ in range(2):
        assert call(*words).exit_code == 0
        assert (Path("found").read_text(), Path("found.part").exists()) == ("", False)
    Path("found.part").touch()
    assert call(*words).exit_code == 0


@pytest.mark.parametrize("harm", [("reporter", {}), ("summary", {"verdicts": 1}), ("baseline", "{")])
def test_a_state_that_is_harmed_is_refused_before_the_report_is_opened(tmp_path, monkeypatch, harm):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    for name in "ab":
        Path(f"{name}.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    call("a.gamelog", "--write-baseline", "known")
    words = [
        "a.gamelog",
        "b.gamelog",
        "--output",
        "found",
        "--state",
        "state",
        "--format",
        "json",
        "--baseline",
        "known",
    ]
    killed_at(3, *words)
    Path("state").write_text(json.dumps({**json.loads(Path("state").read_text()), harm[0]: harm[1]}))
    with Path("found.part").open("a") as part:
        part.write("since then")
    before = contents(tmp_path)
    result = call(*words)
    assert (result.exit_code, "state" in result.stderr) == (2, True)
    assert contents(tmp_path) == before


def test_a_folder_with_other_logs_is_not_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    Path("logs").mkdir()
    for name in "bcd":
        Path(f"logs/{name}.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    words = ["logs", "--state", "state", "--summary"]
    killed_at(3, *words)
    Path("logs/a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    assert "are not those of that run" in call(*words).stderr
    Path("logs/a.gamelog").unlink()
    assert "3 games: 3 incomplete" in call(*words).stdout


def test_a_run_that_is_over_does_not_speak_for_logs_that_have_changed(logs, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    log = folder / "a.gamelog"
    log.write_bytes(logs["plain"].read_bytes())
    words = [folder, "--summary", "--state", tmp_path / "state"]
    first = call(*words)
    assert (call(*words).exit_code, call(*words).stdout) == (first.exit_code, first.stdout)
    for change in (lambda: log.write_text("gamelog: 1\n"), lambda: (folder / "b.gamelog").write_text("")):
        change()
        changed = call(*words)
        assert (changed.exit_code, changed.stdout) == (2, "")
        assert "logs have changed since that run" in changed.stderr
