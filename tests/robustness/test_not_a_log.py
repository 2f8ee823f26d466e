"""Files that are no gamelogs, and sources that cannot be read: a sentence, the right exit code, little memory."""

from __future__ import annotations

import gzip
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from fairdeal.checker.cli import cli

from .logs import BEGUN, HEAD, games, opening, shortest
from .running import MEMORY, Outcome, environment, sound

Call = Callable[..., Outcome]

posix = pytest.mark.skipif(os.name != "posix", reason="files and signals of POSIX")


def random_bytes(count: int) -> bytes:
    """The same bytes each time."""
    return random.Random(17).randbytes(count)


ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQ", 3, 62, 1, 4096, 64, 9000) + random_bytes(20_000)
NO_GAMES = {
    "empty": (b"", "the log is empty"),
    "blank": (b"\n \n\t\n\r\n", "the log is empty"),
    "comments": (b"# nothing\n  # here\n#", "the log is empty"),
    "a mark": (b"\xef\xbb\xbf", "the log is empty"),
    "a program": (ELF, "is this binary"),
    "random": (random_bytes(300_000), "not UTF-8"),
    "nuls": (bytes(3_000_000), "longer than 64 KiB"),
    "few nuls": (bytes(300), "is this binary"),
    "UTF-16": (shortest().decode().encode("utf-16"), "UTF-16?"),
    "prose": (b"It was a dark and stormy night.\n" * 50, "this line stands in no game"),
    "PGN": (b'[Event "x"]\n\n1. e4 e5 2. Nf3 *\n', "this line stands in no game"),
    "JSON": (b'{"games": [1, 2]}\n', "this line stands in no game"),
    "no header": (shortest().split(b"\n\n", 1)[1], "this line stands in no game"),
}


@pytest.mark.parametrize("name", NO_GAMES)
def test_files_without_a_game_fail_with_a_line_and_a_reason(name: str, call: Call, tmp_path: Path) -> None:
    data, reason = NO_GAMES[name]
    path = tmp_path / "a.gamelog"
    path.write_bytes(data)
    outcome = call("check", path)
    sound(outcome, 1)
    assert f"{path}:1" in outcome.out
    assert reason in " ".join(outcome.out.split())
    assert "1 game: 1 malformed; 0 events" in outcome.out
    assert outcome.seconds < 10


def test_lines_in_no_game_beyond_the_first_are_counted_in_a_sentence(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    path.write_bytes(b"It was a dark and stormy night.\n" * 41)
    outcome = call("check", path)
    sound(outcome, 1)
    assert outcome.out.count("this line stands in no game") == 20
    assert "21 further lines stand in no game" in outcome.out
    assert f"{path}:21:1" in outcome.out
    assert "beyond --max-findings" not in outcome.out
    assert "1 beyond --max-findings" in " ".join(call("check", path, "--max-findings", "19").out.split())


def test_lines_that_are_no_utf8_do_not_hide_the_rest(call: Call) -> None:
    outcome = call("check", "-", feed=[opening(20), b"A play \xff\xfe\n", b"# \xe9\n"])
    sound(outcome, 1)
    assert "<stdin>:21:1" in outcome.out
    assert "byte 0xFF at column 8 is not UTF-8" in outcome.out
    assert "malformed, 14 events, 2 errors" in outcome.out


def test_a_line_of_100_megabytes(call: Call) -> None:
    outcome = call("check", "-", feed=[BEGUN, *[b"A play 7D from 3 " * 60_000] * 100, b"\nA cale\n"])
    sound(outcome, 1)
    assert "error[LOG-SYNTAX]: the line is longer than 64 KiB" in outcome.out
    assert "<stdin>:4:1" in outcome.out
    assert "<stdin>:5:3" in outcome.out
    assert outcome.seconds < 5


# ---------------------------------------------------------------- sources


@posix
def test_what_a_folder_has_of_logs_that_cannot_be_read_is_told(call: Call, tmp_path: Path) -> None:
    (tmp_path / "b.gamelog").write_bytes(games())
    os.mkfifo(tmp_path / "a.gamelog")
    (tmp_path / "broken.gamelog").symlink_to("nowhere")
    for words in ([], ["--jobs", "2"], ["--summary", "--state", str(tmp_path / "state")]):
        outcome = call("check", tmp_path, *words)
        sound(outcome, 2)
        assert f"{tmp_path / 'a.gamelog'}: is a pipe, not a file" in " ".join(outcome.told.split())
        assert f"{tmp_path / 'broken.gamelog'}: is a link that leads nowhere" in " ".join(outcome.told.split())
        assert "2 sources not checked" in outcome.out
        assert outcome.seconds < 10


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.gamelog.gz", b"\x1f\x8bjunk", "is not a gzip archive, or a damaged one"),
        ("a.gamelog.gz", gzip.compress(b"gamelog: 1\n", mtime=0)[:12], "the archive is cut off"),
        ("a.gamelog.zst", b"\x28\xb5\x2f\xfd" + b"\xff" * 40, "is not a Zstandard archive, or a damaged one"),
    ],
)
def test_of_an_archive_that_cannot_be_unpacked_nothing_else_is_said(
    name: str, data: bytes, reason: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    outcome = call("check", tmp_path / name)
    sound(outcome, 2)
    assert outcome.told == f"fairdeal: {tmp_path / name}: {reason}"
    assert "the log is empty" not in outcome.out


def test_a_log_that_is_named_twice_is_judged_once(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    path.write_bytes(games())
    once = call("check", path)
    for words in ([], ["--jobs", "2"]):
        assert call("check", path, path, tmp_path, f"{tmp_path}/../{tmp_path.name}/a.gamelog", *words).out == once.out


def test_a_missing_file(call: Call, tmp_path: Path) -> None:
    outcome = call("check", tmp_path / "none.gamelog")
    sound(outcome, 2)
    assert outcome.told == f"fairdeal: {tmp_path / 'none.gamelog'}: there is no such file"


def test_a_bad_source_does_not_hide_a_good_one(call: Call, tmp_path: Path) -> None:
    good = tmp_path / "good.gamelog"
    good.write_bytes(games())
    outcome = call("check", tmp_path / "none.gamelog", good)
    sound(outcome, 2)
    assert f"{good}:1 spit-1-1: legal" in " ".join(outcome.out.split())
    assert "1 source not checked" in outcome.out


@pytest.mark.parametrize("files", [[], ["notes.txt", "core"]])
def test_a_folder_without_logs(files: list[str], call: Call, tmp_path: Path) -> None:
    for name in files:
        (tmp_path / name).write_bytes(games())
    outcome = call("check", tmp_path)
    sound(outcome, 2)
    assert f"{tmp_path}: holds no logs" in outcome.told


@posix
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    path.write_bytes(games())
    path.chmod(0)
    with unprivileged():
        done = CliRunner().invoke(cli, ["check", str(path)])
    assert done.exit_code == 2
    assert " ".join(done.stderr.split()) == f"fairdeal: {path}: no permission to read it"


@contextmanager
def unprivileged() -> Iterator[None]:
    """Not as root, who may read everything; in the same process, for another user may not see these files."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@posix
@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc here")
def test_a_file_that_opens_and_cannot_be_read(call: Call) -> None:
    outcome = call("check", "/proc/self/mem")
    sound(outcome, 2)
    assert "fairdeal: /proc/self/mem: " in outcome.told


@posix
def test_a_socket(call: Call, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "s"))
        outcome = call("check", tmp_path / "s")
    sound(outcome, 2)
    assert "/s: " in outcome.told


@posix
def test_nothing_from_dev_null(call: Call) -> None:
    outcome = call("check", "/dev/null")
    sound(outcome, 1)
    assert "the log is empty" in outcome.out


@posix
@pytest.mark.parametrize("data", [games(), b""])
def test_a_fifo_is_read_to_its_end(data: bytes, call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(data,), daemon=True)
    writer.start()
    outcome = call("check", path, seconds=20)
    writer.join(10)
    sound(outcome, 0 if data else 1)


@posix
@pytest.mark.parametrize(("stream", "code"), [("<&-", 2), ("</dev/null", 1)])
def test_standard_input_that_is_closed_or_nothing(stream: str, code: int, cache: Path) -> None:
    line = f"'{sys.executable}' -m fairdeal.checker check - {stream}"
    done = subprocess.run(line, shell=True, env=environment(cache), capture_output=True, text=True, timeout=30)
    said = done.stdout + done.stderr
    assert done.returncode == code, said
    assert "Traceback" not in said
    assert "fault of fairdeal" not in said
    assert "<stdin>" in said


@posix
def test_a_reader_that_goes_away(cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    path.write_bytes((HEAD + b"A win\n") * 2000)
    line = f"('{sys.executable}' -m fairdeal.checker check '{path}'; echo $? >&2) | head -1"
    done = subprocess.run(line, shell=True, env=environment(cache), capture_output=True, text=True, timeout=60)
    assert done.stderr == "141\n"
    assert len(done.stdout.splitlines()) == 1


@posix
def test_ctrl_c_while_it_waits_for_input(cache: Path) -> None:
    command = [sys.executable, "-m", "fairdeal.checker", "check", "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment(cache), **pipes) as running:  # type: ignore[call-overload]
        running.stdin.write(games() + HEAD)
        running.stdin.flush()
        time.sleep(1.5)  # by then it has judged what there is
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
        assert running.stderr.read() == b"fairdeal: interrupted\n"


# ---------------------------------------------------------------- archives

PACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}


@pytest.fixture(params=PACK)
def kind(request: pytest.FixtureRequest) -> str:
    """The ending of an archive's name."""
    return str(request.param)


@pytest.mark.parametrize("data", [b"", games(), random_bytes(5000), b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
def test_an_archive_that_is_none(kind: str, data: bytes, call: Call, tmp_path: Path) -> None:
    path = tmp_path / f"a.gamelog{kind}"
    path.write_bytes(data)
    outcome = call("check", path)
    sound(outcome, 2)
    assert f"fairdeal: {path}: " in outcome.told
    assert "archive" in outcome.told


@pytest.mark.parametrize("share", [0.3, 0.7, 0.999])
def test_a_truncated_archive_is_not_checked_and_says_so(kind: str, share: float, call: Call, tmp_path: Path) -> None:
    packed = PACK[kind](games(30))
    path = tmp_path / f"a.gamelog{kind}"
    path.write_bytes(packed[: int(len(packed) * share)])
    outcome = call("check", path)
    sound(outcome, 2)
    assert "the archive is cut off" in outcome.told
    assert "1 source not checked" in outcome.out


def test_a_damaged_archive_never_passes(kind: str, call: Call, tmp_path: Path) -> None:
    packed = bytearray(PACK[kind](games(30)))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / f"a.gamelog{kind}"
    path.write_bytes(packed)
    assert call("check", path).code in (1, 2)


@pytest.mark.parametrize("content", [b"\0", b"A", b"\n", b"\r", b"# \n"])
def test_an_archive_that_unpacks_to_much(kind: str, content: bytes, call: Call, tmp_path: Path) -> None:
    bomb(kind, content, 2 << 20, call, tmp_path)


@pytest.mark.verify
@pytest.mark.parametrize("content", [b"\0", b"A", b"\n", b"\r", b"# \n"])
def test_an_archive_that_unpacks_to_a_gigabyte(kind: str, content: bytes, call: Call, tmp_path: Path) -> None:
    bomb(kind, content, 1 << 30, call, tmp_path)


def bomb(kind: str, content: bytes, size: int, call: Call, tmp_path: Path) -> None:
    """Check an archive of one content again and again; at most 1 µs a byte, some five times what it takes."""
    path = tmp_path / f"a.gamelog{kind}"
    piece = content * ((1 << 20) // len(content))
    with path.open("wb") as file, packing(kind, file) as packed:
        for _ in range(size >> 20):
            packed.write(piece)
    outcome = call("check", path, seconds=900)
    sound(outcome, 1)
    assert outcome.megabytes < MEMORY / 2
    assert outcome.seconds < 2 + 1000 * size / (1 << 30)


def packing(kind: str, file: object) -> gzip.GzipFile:
    """A stream that packs what is written to it."""
    if kind == ".gz":
        return gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1)  # type: ignore[call-overload,no-any-return]
    return zstandard.ZstdCompressor().stream_writer(file)  # type: ignore[arg-type,return-value]


@pytest.mark.verify
def test_an_archive_that_asks_for_a_huge_window(call: Call, tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=27)
    path = tmp_path / "a.gamelog.zst"
    packer = zstandard.ZstdCompressor(compression_params=parameters)
    with path.open("wb") as file, packer.stream_writer(file) as packed:
        for seed in range(40):
            packed.write(games(10, seed) * 20)  # more than the window, all of it kept by a reader
    outcome = call("check", "--quiet", path, seconds=900)
    sound(outcome, 0)
