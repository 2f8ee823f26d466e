"""Archives: parts of a log yield what the whole does, in one process or several, killed and gone on with or not."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.checker.cli import cli
from fairdeal.checker.commands import resumable
from fairdeal.checker.commands.state import StateFile
from fairdeal.checker.generating import generate
from fairdeal.checker.judging.batch import Batch, Job
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.reading import segments as segments_module
from fairdeal.checker.reading import source
from fairdeal.checker.reading.segments import Place, segments
from fairdeal.checker.reading.source import SourceError
from fairdeal.checker.reporting.reporter import REPORTERS
from fairdeal.checker.verdict import GameReport

from .running import environment
from tests.expectations import TRACES, traces

SIZES = [(1, 1 << 24, 1 << 20), (200, 1 << 24, 64), (1500, 4000, 700), (8, 8, 11), (5000, 5001, 5000)]
"""Bytes of a segment, of the largest that is held, and of a read."""


def resize(monkeypatch: pytest.MonkeyPatch, size: int, largest: int, block: int) -> None:
    monkeypatch.setattr(segments_module, "SIZE", size)
    monkeypatch.setattr(segments_module, "LARGEST", largest)
    monkeypatch.setattr(source, "BLOCK", block)


def by_segments(path: Path, start: Place | None = None) -> tuple[list[GameReport], Exception | None, int]:
    """The reports of a log by its segments, what went wrong, and how many segments there were."""
    found: list[GameReport] = []
    failure, count = None, 0
    with Batch(Job()) as batch:
        for judged in batch.judge(segments(str(path), start)):
            assert failure is None
            found += judged.reports
            failure, count = judged.failure, count + 1
    return found, failure, count


def whole(path: Path) -> tuple[list[GameReport], Exception | None]:
    found: list[GameReport] = []
    try:
        found.extend(check_source(str(path)))
    except SourceError as error:
        return found, error
    return found, None


def mixed() -> bytes:
    """Logs of all kinds in one: traces, objects, stray lines, every line end, and lines that only look like headers."""
    plain = [log for log in traces(TRACES) if log.name.endswith((".gamelog", ".jsonl")) and "recorded" not in log.parts]
    texts = [log.read_bytes() for log in plain[:: len(plain) // 25]]
    looks = [
        b"gamelog: 1 \xff",
        b'{"gamelog": }',
        b'{"gamelog": 1, "gamelog": 2}',
        b"gamelog\t: 1",
        b" gamelog: 1",
        b"x gamelog: 1",
    ]
    looks += [
        b"gamelog: 1\0",
        b'{"x-a": 1, "gamelog": 1, "game": "spit"}',
        b'{ "gamelog": 1}',
        b"gamelog: " + b"1" * 300,
    ]
    parts = []
    for number, text in enumerate(texts):
        parts.append(text if number % 3 else text.replace(b"\n", b"\r\n" if number % 2 else b"\r"))
        parts.append(b"\n" + looks[number % len(looks)] + b"\n")
    return b"\xef\xbb\xbf# a word first\n" + b"".join(parts) + b"\ngamelog: 1\ngame: spit\nround 1\nA dea"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("logs")
    data = mixed()
    made = {
        "plain": (folder / "a.gamelog", data),
        "gz": (folder / "b.gamelog.gz", gzip.compress(data)),
        "zst": (folder / "c.gamelog.zst", zstandard.compress(data)),
        "cut": (folder / "d.gamelog.gz", gzip.compress(data)[: len(gzip.compress(data)) // 2]),
        "empty": (folder / "e.gamelog", b""),
        "binary": (folder / "f.gamelog", random.Random(5).randbytes(30_000)),
    }
    for path, content in made.values():
        path.write_bytes(content)
    return {name: path for name, (path, _) in made.items()}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("kind", ["plain", "gz", "zst", "cut", "empty", "binary"])
def test_segments_yield_what_the_whole_log_does(logs, kind, sizes, monkeypatch):
    wanted, error = whole(logs[kind])
    resize(monkeypatch, *sizes)
    found, failure, count = by_segments(logs[kind])
    assert found == wanted
    assert str(failure) == str(error)
    if kind == "plain" and sizes == (1, 1 << 24, 1 << 20):
        assert count > 15  # it has been cut, and not passed through whole


def test_every_place_between_segments_can_be_gone_on_from(logs, monkeypatch):
    wanted, _ = whole(logs["plain"])
    resize(monkeypatch, 1000, 6000, 400)
    ends, counts = [], []
    with Batch(Job()) as batch:
        for judged in batch.judge(segments(str(logs["plain"]))):
            counts.append(len(list(judged.reports)))
            if not judged.segment.is_last:
                ends.append(judged.segment.end)
    assert len(ends) >= 8
    for number in range(0, len(ends), 5):
        found, _, _ = by_segments(logs["plain"], ends[number])
        assert found == wanted[sum(counts[: number + 1]) :]


def test_a_log_that_has_shrunk_is_told(logs):
    with pytest.raises(SourceError, match="shorter than it was"):
        list(segments(str(logs["plain"]), Place(10**6, 10**9)))


PIECES = st.lists(
    st.sampled_from(
        [
            "gamelog: 1\n",
            "game: spit\n",
            "round 1\n",
            "\n",
            "\r",
            "\r\n",
            '{"gamelog": 1, "game": "spit"}\n',
            "gamelog",
            ": 1",
            "{",
            '"gamelog"',
            "A win\n",
            "# x\n",
            "\0",
            "\ufeff",
            " ",
            "é",
        ]
    ),
    max_size=60,
)


@given(pieces=PIECES, size=st.integers(1, 40), largest=st.integers(1, 80), block=st.integers(1, 40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_segments_of_any_text(tmp_path, pieces, size, largest, block):
    log = tmp_path / "a.gamelog"
    log.write_bytes("".join(pieces).encode())
    wanted, _ = whole(log)
    with pytest.MonkeyPatch.context() as monkeypatch:
        resize(monkeypatch, size, largest, block)
        assert by_segments(log)[0] == wanted


# ---------------------------------------------------------------- in several processes


def call(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["check", *map(str, words)])


@pytest.mark.parametrize("form", REPORTERS)
def test_the_order_is_kept_and_nothing_is_lost(logs, form, monkeypatch):
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    paths = [logs["plain"], "gone.gamelog", logs["cut"], logs["empty"], logs["zst"], TRACES / "open", "*.nothing"]
    one, two = call(*paths, "--format", form), call(*paths, "--format", form, "--jobs", "2")
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr
    assert (two.exit_code, one.exit_code) == (2, 2)


def test_counts_and_coverage_are_the_same_in_several_processes(logs, monkeypatch):
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    words = [logs["plain"], TRACES / "legal", "--summary", "--coverage", "--format", "json"]
    assert call(*words, "--jobs", "3").stdout == call(*words).stdout


def test_a_game_longer_than_can_be_held_is_judged_all_the_same(tmp_path, monkeypatch):
    log = tmp_path / "a.gamelog"
    log.write_text("".join(generate("spit", games=3, seed=2)) + "gamelog: 1\ngame: spit\nround 1\nA dael\n")
    wanted = call(log).stdout
    resize(monkeypatch, 2000, 8000, 3000)
    assert any(segment.is_long for segment in _read(segments(str(log))))
    assert call(log, "--jobs", "2").stdout == wanted


def _read(found: Iterator[segments_module.Segment]) -> Iterator[segments_module.Segment]:
    for segment in found:
        while segment.stream.read(1000) and segment.is_long:
            pass
        yield segment


def test_a_failure_in_a_process_is_a_sentence_and_the_rest_is_checked(tmp_path):
    spit, rum = tmp_path / "a.gamelog", tmp_path / "b.gamelog"
    spit.write_text("".join(generate("spit", games=2, seed=2)))
    rum.write_text("".join(generate("queen-city-rum", games=2, seed=2)))
    result = call(rum, spit, "--option", "ace=cycle", "--jobs", "2")  # rum has no such option
    assert result.exit_code == 2
    assert f"{rum}: there is no option ace" in " ".join(result.stderr.split())
    assert "2 games: 2 legal" in result.stdout


posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def start(*words: object, folder: Path, setup: str = "") -> subprocess.Popen[str]:
    """Starts `fairdeal check` in a process of its own, with lines of Python first."""
    code = f"import sys\n{setup}\nfrom fairdeal.checker.__main__ import main\nmain()"
    command = [sys.executable, "-c", code, "check", *map(str, words)]
    return subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


SLOW = "from fairdeal.checker.judging import batch\n_of = batch._part\ndef slow(*words):\n    import time; time.sleep(0.3)\n    return _of(*words)\nbatch._part = slow\nslow.__module__, slow.__qualname__ = batch.__name__, '_part'\n"


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A log of many segments."""
    path = tmp_path / "big.gamelog"
    path.write_text("".join(generate("spit", games=12, seed=9)) * 12)
    return path


@posix
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_the_one_that_reads(big, number):
    running = start(big, "--jobs", "2", folder=big.parent, setup=SLOW)
    while len(found := children(running.pid)) < 2 and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(number)
    err = running.communicate(timeout=30)[1]
    assert running.returncode == {signal.SIGINT: 130}.get(number, -number)
    assert err == {signal.SIGINT: "fairdeal: interrupted\n"}.get(number, "")
    deadline = time.monotonic() + 20
    while any(
        Path(f"/proc/{each}").exists() and "Z" not in Path(f"/proc/{each}/stat").read_text().split()[2]
        for each in found
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)


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


@posix
def test_an_interrupt_while_processes_are_started_is_not_lost(big):
    amid = "import os, signal\nos.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))\n"
    running = start(big, "--jobs", "2", folder=big.parent, setup=amid)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, "", "fairdeal: interrupted\n")


HESITANT = """from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
import time
_close, _terminate = Connection._close, BaseProcess.terminate
Connection._close = lambda self: (_close(self), time.sleep(1))
BaseProcess.terminate = lambda self: (time.sleep(0.3), _terminate(self))
"""
"""Who ends a process and closes a pipe takes a while: another that closes it meanwhile makes both fail, each time."""


@posix
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
@pytest.mark.parametrize("setup", [SLOW, HESITANT + SLOW], ids=["usual", "hesitant"])
def test_a_process_that_is_killed_is_told_and_nothing_hangs(big, setup):
    running = start(big, "--jobs", "2", folder=big.parent, setup=setup)
    while len(found := children(running.pid)) < 2 and running.poll() is None:
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert "not checked to its end" in err
    assert "Traceback" not in err + out


# ---------------------------------------------------------------- killed and gone on with

RESUMABLE = [form for form in REPORTERS if form != "junit"]


class Killed(BaseException):
    """What no code catches: the run ends here."""


def dies_at(monkeypatch: pytest.MonkeyPatch, number: int, before: bool) -> Callable[[], None]:
    """Lets a run die at its so-manieth state, before or after that is written; gives what undoes it."""
    write, count = StateFile.write, iter(range(1, 10**6))

    def dying(self: StateFile) -> None:
        now = next(count)
        if now == number and before:
            raise Killed
        write(self)
        if now == number:
            raise Killed

    monkeypatch.setattr(StateFile, "write", dying)
    return lambda: monkeypatch.setattr(StateFile, "write", write)


@pytest.mark.parametrize(("form", "before"), [(form, n % 2 == 0) for n, form in enumerate([*RESUMABLE, "text"])])
def test_a_run_that_dies_anywhere_ends_as_if_it_had_not(logs, tmp_path, form, before, monkeypatch):
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    monkeypatch.setattr(segments_module, "SIZE", 2000)
    monkeypatch.chdir(tmp_path)
    paths = [logs["plain"], "gone", logs["cut"], logs["zst"], logs["empty"]]
    wanted = call(*paths, "--format", form, "--output", "wanted")
    words = [*paths, "--format", form, "--output", "found", "--state", "state"]
    deaths = 0
    for number in (1, 2, 5, 3, 4, 1):
        undo = dies_at(monkeypatch, number, before)
        try:
            CliRunner().invoke(cli, ["check", *map(str, words)], catch_exceptions=False)
        except Killed:
            deaths += 1
        undo()
        assert not Path("found").exists()
    assert deaths == 6
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
    undo = dies_at(monkeypatch, 3, before=False)
    with pytest.raises(Killed):
        CliRunner().invoke(cli, ["check", *map(str, words), "--state", str(tmp_path / "state")], catch_exceptions=False)
    undo()
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
    undo = dies_at(monkeypatch, 1, before=False)
    words = ["check", "a.gamelog", "--baseline", "known", "--state", "state", "--summary"]
    with pytest.raises(Killed):
        CliRunner().invoke(cli, words, catch_exceptions=False)
    undo()
    result = CliRunner().invoke(cli, words)
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
    undo = dies_at(monkeypatch, 1, before=False)
    with pytest.raises(Killed):
        CliRunner().invoke(cli, ["check", *ok], catch_exceptions=False)
    undo()
    state = Path("state").read_text()
    for other in ("--strict", "--coverage", "--max-findings=7", "--option=ace=cycle", "--color=always"):
        assert "of another call" in said(*ok, other)
    Path("a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n" * 4)
    assert "has changed since that run" in said(*ok)
    for text in ("", "{}", "[]", '{"version": 2}', state[:-9], state.replace('"line": 4', '"line": "4"'), "\udcff"):
        Path("state").write_bytes(text.encode("utf-8", "surrogateescape"))
        assert "state" in said(*ok)


def test_a_folder_with_other_logs_is_not_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resumable, "CHECKPOINT", 0.0)
    Path("logs").mkdir()
    for name in "bcd":
        Path(f"logs/{name}.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    words = ["logs", "--state", "state", "--summary"]
    undo = dies_at(monkeypatch, 2, before=False)
    with pytest.raises(Killed):
        CliRunner().invoke(cli, ["check", *words], catch_exceptions=False)
    undo()
    Path("logs/a.gamelog").write_text("gamelog: 1\ngame: spit\nround 1\n")
    assert "are not those of that run" in call(*words).stderr
    Path("logs/a.gamelog").unlink()
    assert "3 games: 3 incomplete" in call(*words).stdout


# ---------------------------------------------------------------- patterns


def test_patterns_are_matched_in_order_and_names_stand_for_themselves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.gamelog", "a.gamelog", "deep/er/c.gamelog", "[a].gamelog"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("gamelog: 1\ngame: spit\nround 1\n")

    def paths(*words: str) -> list[str]:
        return [game["path"] for game in json.loads(call(*words, "--format", "json").stdout)["games"]]

    assert paths("?.gamelog") == ["a.gamelog", "b.gamelog"]
    assert paths("**/c.gamelog") == ["deep/er/c.gamelog"]
    assert paths("[a].gamelog") == ["[a].gamelog"]
    assert paths("d*") == ["deep/er/c.gamelog"]
    assert "nothing matches it" in call("x*.gamelog").stderr
