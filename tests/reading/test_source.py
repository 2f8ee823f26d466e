"""Streams and paths: line ends, chopped streams, lines that are no text, archives, folders."""

from __future__ import annotations

import gzip
import io
import os
import socket
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reading import source
from fairdeal.checker.reading.finding import find_logs
from fairdeal.checker.reading.lines import LONGEST, Unreadable, blocks
from fairdeal.checker.reading.source import SourceError, open_log


class Chopped:
    """A stream that hands out given chunks."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = [chunk for chunk in chunks if chunk]

    def read(self, size: int, /) -> bytes:
        """The next chunk."""
        return self.chunks.pop(0) if self.chunks else b""


def lines(*chunks: bytes) -> list[str]:
    """All lines of a chopped stream."""
    return [line for block in blocks(Chopped(*chunks)) for line in block]


def chop(data: bytes, places: list[int]) -> list[bytes]:
    """Cut some bytes at some places."""
    cuts = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(cuts)]


TEXTS = ["", "A win", "B flip T♥ at 3", "🂺", "\u2028 \x85 \x0b", "# c"]


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(["\n", "\r\n", "\r"])), max_size=6),
    st.sampled_from(TEXTS),
    st.booleans(),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_line_ends_marks_and_borders_change_nothing(
    whole: list[tuple[str, str]], last: str, mark: bool, places: list[int]
) -> None:
    expected = [text for text, _ in whole]
    pairs: list[tuple[str, str]] = []
    for text, end in whole:  # after a CR, an empty line that ends in LF would be one CRLF with it
        merges = text == "" and end == "\n" and bool(pairs) and pairs[-1][1] == "\r"
        pairs.append((text, "\r" if merges else end))
    data = "".join(text + end for text, end in pairs) + last
    chunks = chop(("\ufeff" * mark + data).encode(), places)
    assert lines(*chunks) == expected + [last] * bool(last)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_border_of_a_text(end: bytes) -> None:
    data = "\ufeffA♥".encode() + end + end + "🂺B".encode() + end
    for place in range(len(data)):
        assert lines(data[:place], data[place:]) == ["A♥", "", "🂺B"]
    assert lines(*(bytes([each]) for each in data)) == ["A♥", "", "🂺B"]


def test_nothing_but_a_mark() -> None:
    assert lines() == []
    assert lines(b"\xef\xbb\xbf") == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"A fl\xe9p", "byte 0xE9 at column 5 is not UTF-8"),
        ("♥♥".encode() + b"\xff", "byte 0xFF at column 3 is not UTF-8"),
        (b"\xed\xa0\x80", "byte 0xED at column 1 is not UTF-8"),
        (b"A\0win", "a NUL byte at column 2: is this binary, or UTF-16?"),
        (b"x" * (LONGEST + 1), "the line is longer than 64 KiB"),
        ("♥".encode() * (LONGEST // 3 + 1), "the line is longer than 64 KiB"),
    ],
)
@pytest.mark.parametrize("size", [1 << 20, 50_000, 4096])
def test_lines_that_are_no_text(data: bytes, reason: str, size: int) -> None:
    whole = b"A win\n" + data + b"\nB win\n" + data
    found = lines(*(whole[start : start + size] for start in range(0, len(whole), size)))
    assert [line for line in found if not isinstance(line, Unreadable)] == ["A win", "B win"]
    assert [type(line) for line in found] == [str, Unreadable, str, Unreadable]
    for line in found[1::2]:
        assert isinstance(line, Unreadable)
        assert line.reason == reason
        assert line.startswith("\0")
        assert line.shown.isprintable()


def test_the_longest_line_there_may_be() -> None:
    for data in (b"x" * LONGEST, "♥".encode() * (LONGEST // 3)):
        assert lines(data + b"\nA") == [data.decode(), "A"]


def test_bad_lines_do_not_hide_good_ones() -> None:
    found = lines(b"a\nb\xff\nc\n\0\nd\n")
    assert [str(line) for line in found if not isinstance(line, Unreadable)] == ["a", "c", "d"]


# ---------------------------------------------------------------- archives

TEXT = b"gamelog: 1\ngame: spit\n" + b"".join(b"%d A win\n" % number for number in range(20_000))


def read_file(path: Path) -> list[str]:
    """All lines of a file."""
    with open_log(str(path)) as stream:
        return [line for block in blocks(stream) for line in block]


def pack(name: str, data: bytes) -> bytes:
    """Pack some bytes as a name's ending says."""
    return gzip.compress(data) if name.endswith(".gz") else zstandard.compress(data) if name.endswith(".zst") else data


@pytest.mark.parametrize("name", ["a.gamelog", "a.gamelog.gz", "a.gamelog.zst"])
def test_packed_or_not(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pack(name, TEXT))
    assert read_file(path) == TEXT.decode().splitlines()
    path.write_bytes(pack(name, TEXT[:10]) + pack(name, TEXT[10:]))
    assert read_file(path) == TEXT.decode().splitlines()


@pytest.mark.parametrize("name", ["a.gz", "a.zst"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-4], "the archive is cut off"),
        (lambda data: data[: len(data) // 2], "the archive is cut off"),
        (lambda data: b"", "the archive is cut off"),
        (lambda data: TEXT, "is not a"),
        (lambda data: data + b"junk", "is not a"),
        (lambda data: data[:40] + bytes(200) + data[240:], "the archive is damaged|is not a"),
    ],
    ids=["end", "half", "empty", "fake", "junk", "damage"],
)
def test_broken_archives_fail_after_what_could_be_read(tmp_path: Path, name: str, damage: object, message: str) -> None:
    assert callable(damage)
    path = tmp_path / name
    path.write_bytes(damage(pack(name, TEXT)))
    found: list[str] = []

    def read() -> None:
        with open_log(str(path)) as stream:
            for block in blocks(stream):
                found.extend(block)

    with pytest.raises(SourceError, match=message) as caught:
        read()
    assert caught.value.path == str(path)
    if message == "the archive is cut off" and name == "a.gz":
        assert found == TEXT.decode().splitlines()[: len(found)]


def packer(name: str, file: IO[bytes]) -> AbstractContextManager[Any]:
    """A stream that packs what is written to it as a name's ending says."""
    if name.endswith(".zst"):
        return zstandard.ZstdCompressor().stream_writer(file)
    return gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) if name.endswith(".gz") else nullcontext(file)


SCRIPT = """
import re, sys
from fairdeal.checker.reading.lines import blocks
from fairdeal.checker.reading.source import open_log
lines = 0
with open_log(sys.argv[1]) as stream:
    for block in blocks(stream):
        lines += len(block)
with open("/proc/self/status") as status:  # unlike ru_maxrss this does not count what the starting process held
    print(lines, int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells what a process held at most")
@pytest.mark.parametrize("name", ["a.gamelog", "a.gz", "a.zst"])
@pytest.mark.parametrize("unit", [b"x", b"A win\n"], ids=["one long line", "many lines"])
def test_memory_stays_flat(tmp_path: Path, name: str, unit: bytes) -> None:
    path = tmp_path / name
    piece = unit * (1_000_000 // len(unit))
    pieces = 100
    with path.open("wb") as file, packer(name, file) as out:
        for _ in range(pieces):
            out.write(piece)
    run = subprocess.run([sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, check=True)
    count, megabytes = map(int, run.stdout.split())
    assert count == 1 if unit == b"x" else count == pieces * len(piece) // len(unit)
    assert megabytes < 80  # of 100 MB; an empty Python takes some 15


# ---------------------------------------------------------------- paths


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    names = ["b.gamelog", "a.gamelog.gz", "sub/c.gamelog.zst", "sub/d.gamelog.jsonl", "sub/deep/e.jsonl"]
    for name in [*names, "README.md", "sub/gamelog", "a.expect"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = [os.path.relpath(path, tmp_path) for path in find_logs([str(tmp_path)])]
    assert found == ["a.gamelog.gz", "b.gamelog", "sub/c.gamelog.zst", "sub/d.gamelog.jsonl", "sub/deep/e.jsonl"]
    assert list(find_logs(["-", str(tmp_path / "README.md")])) == ["-", str(tmp_path / "README.md")]


def test_a_folder_without_logs(tmp_path: Path) -> None:
    (found,) = find_logs([str(tmp_path)])
    with pytest.raises(SourceError, match=r"holds no logs: files whose names end in \.gamelog or \.jsonl"):
        open_log(found)


def test_what_has_a_log_s_name_and_is_none_is_found_too_and_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.gamelog")
    (tmp_path / "b.gamelog").touch()
    for name in "ch":
        (tmp_path / f"{name}.gamelog").symlink_to("nowhere")
    (tmp_path / "x").mkdir()
    (tmp_path / "d.gamelog").symlink_to("x")
    (tmp_path / "e.gamelog").symlink_to("e.gamelog")
    (tmp_path / "f").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(tmp_path / "g.gamelog"))
        for search in (str(tmp_path), f"{tmp_path}/*.gamelog"):
            told = {}
            for path in find_logs([search]):
                try:
                    open_log(path).__exit__(None, None, None)
                except SourceError as error:
                    told[os.path.basename(error.path)] = error.message
            if search == str(tmp_path):
                assert "is a link to a folder" in told.pop("d.gamelog")
            else:  # the pattern names the folder, which is searched
                assert "holds no logs" in told.pop("d.gamelog")
            assert list(told) == ["a.gamelog", "c.gamelog", "e.gamelog", "g.gamelog", "h.gamelog"]
            assert told["a.gamelog"] == "is a pipe, not a file"
            assert told["c.gamelog"] == "is a link that leads nowhere"
            assert told["g.gamelog"] == "is a socket, not a file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may list anything")
def test_a_folder_that_cannot_be_listed_hides_no_other(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.gamelog").touch()
    (tmp_path / "b").chmod(0)
    try:
        found = list(find_logs([str(tmp_path)]))
    finally:
        (tmp_path / "b").chmod(0o700)
    assert [os.path.relpath(path, tmp_path) for path in found] == ["a/x.gamelog", "b", "c/x.gamelog"]
    with pytest.raises(SourceError, match="no permission"):
        open_log(found[1])


def test_each_file_comes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("a.gamelog", "sub/b.gamelog"):
        (tmp_path / name).touch()
    (tmp_path / "c.gamelog").symlink_to("a.gamelog")
    ways = ["sub/b.gamelog", ".", "a.gamelog", "./sub", str(tmp_path), "**/*.gamelog", "-", "-"]
    again: list[tuple[str, str]] = []
    assert list(find_logs(ways, lambda *pair: again.append(pair))) == ["sub/b.gamelog", "a.gamelog", "-"]
    assert ("c.gamelog", "a.gamelog") in again  # a link to a file is that file
    assert (str(tmp_path / "sub" / "b.gamelog"), "sub/b.gamelog") in again
    assert ("-", "-") in again
    assert {first for _, first in again} == {"sub/b.gamelog", "a.gamelog", "-"}


def test_two_hard_links_are_two_files(tmp_path: Path) -> None:
    (tmp_path / "a.gamelog").touch()
    (tmp_path / "b.gamelog").hardlink_to(tmp_path / "a.gamelog")
    assert len(list(find_logs([str(tmp_path)]))) == 2


def test_a_pattern_follows_no_links_round_and_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for name in ("a.gamelog", "sub/b.gamelog", "sub/deep/c.gamelog"):
        (tmp_path / name).touch()
    for number in range(3):  # followed, these are 3 ** 40 ways
        (tmp_path / "sub" / f"up{number}").symlink_to("..")
    for pattern in ("**/*.gamelog", "./**/*.gamelog", f"{tmp_path}/**/**/*.gamelog", "**", "s*/**"):
        found = [os.path.relpath(path) for path in find_logs([pattern])]
        everything = ["a.gamelog", "sub/b.gamelog", "sub/deep/c.gamelog"]
        assert sorted(found) == (everything[1:] if "s" in pattern[:5] else everything), pattern
    assert list(find_logs(["**/deep/**/c*"])) == ["sub/deep/c.gamelog"]


def test_a_pattern_is_never_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").touch()
    assert list(find_logs(["*"])) == ["./-"]


def test_paths_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, message in [
        (str(tmp_path / "no"), "there is no such file"),
        (str(tmp_path), "is a folder"),
        ("a\0b", "is no path"),
    ]:
        with pytest.raises(SourceError, match=message) as caught:
            open_log(path)
        assert caught.value.path == path


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.gamelog"
    path.touch(0o000)
    with pytest.raises(SourceError, match="no permission"):
        open_log(str(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A win\r\nB win")))
    with open_log("-") as stream:
        assert [line for block in blocks(stream) for line in block] == ["A win", "B win"]
        assert stream.path == "<stdin>"


def test_errors_while_reading_name_the_path() -> None:
    def fail(size: int) -> bytes:
        raise OSError(5, "Input/output error")

    with pytest.raises(SourceError, match=r"x\.gamelog: Input/output error"):
        list(blocks(source.LogStream("x.gamelog", fail, lambda: None)))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "a.gamelog",
            gzip.compress(b"gamelog: 1\n", mtime=0),
            "looks like a gzip archive: give it a name that ends in .gz",
        ),
        (
            "a.gamelog",
            zstandard.compress(b"gamelog: 1\n"),
            "looks like a Zstandard archive: give it a name that ends in .zst",
        ),
        ("a.gz", zstandard.compress(b"gamelog: 1\n"), "is not a gzip archive, or a damaged one"),
        ("a.gz", b"gamelog: 1\n", "is not a gzip archive, or a damaged one"),
        ("a.gz", b"\x1f\x8bjunk", "is not a gzip archive, or a damaged one"),
        ("a.zst", b"gamelog: 1\n", "is not a Zstandard archive, or a damaged one"),
    ],
)
def test_an_archive_and_its_name_go_together_before_a_line_is_read(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        open_log(str(path))
    assert caught.value.message == message


def test_a_zstandard_archive_may_begin_with_a_frame_to_skip(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x50\x2a\x4d\x18\x02\x00\x00\x00xx" + zstandard.compress(b"gamelog: 1\n"))
    with open_log(str(path)) as stream:
        assert [line for block in blocks(stream) for line in block] == ["gamelog: 1"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(gzip.compress(b"gamelog: 1\n", mtime=0), "gzip"), (zstandard.compress(b"gamelog: 1\n"), "Zstandard")],
)
def test_an_archive_on_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch, data: bytes, kind: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    with open_log("-") as stream, pytest.raises(SourceError) as caught:
        list(blocks(stream))
    assert caught.value.message == f"looks like a {kind} archive: standard input is not unpacked"
