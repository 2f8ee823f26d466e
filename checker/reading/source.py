"""Where logs come from: files, archives, folders and standard input, as blocks of lines in constant memory."""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from types import TracebackType

STDIN: Final = "-"
_ANY_FOLDERS: Final = "**"
BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""
LONGEST: Final = 1 << 16
"""Most bytes of a line; longer ones are skipped and reported."""
ENDINGS: Final = tuple(
    name + packed for name in (".gamelog", ".gamelog.jsonl", ".jsonl") for packed in ("", ".gz", ".zst")
)
"""What the names of logs in a folder end in."""

_ZSTD_FEED: Final = 256
"""Packed bytes unpacked at a time: it bounds what a hostile archive can make of them."""
_ZSTD_READ: Final = 1 << 13
_ARCHIVES: Final = {
    ".gz": ("gzip", re.compile(rb"\x1f\x8b(?:\x08|\Z)")),
    ".zst": ("Zstandard", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")),
}
"""How archives begin, by the endings that have them unpacked; no log begins so."""
_MARK: Final = "\ufeff".encode()
_SHOWN: Final = 200


class SourceError(Exception):
    """A path that cannot be read as a log, wholly or from some point on."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, str]]:
        """How it travels between processes."""
        return SourceError, (self.path, self.message)


class Unreadable(str):
    """A line that is no text: its own text is NUL and the reason, so it equals no line of any log."""

    reason: str
    shown: str
    """The beginning of the line, as far as it can be shown."""

    def __new__(cls, reason: str, shown: str = "") -> Unreadable:
        """Make one for a reason, with the beginning of the line."""
        made = super().__new__(cls, "\0" + reason)
        made.reason = reason
        made.shown = shown
        return made


class Unfit(str):
    """A path that stands for no log that can be read; `open_log` refuses it with the reason."""

    reason: str

    def __new__(cls, path: str, reason: str = "") -> Unfit:
        """Make one for a path, with the reason; a copy is given the reason afterwards."""
        made = super().__new__(cls, path)
        made.reason = reason
        return made


class Unended(str):
    """The last line of a log that has no line end: perhaps the log was cut within it."""

    __slots__ = ()


class Readable(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""


class LogStream:
    """The unpacked bytes of one log; every failure is a ``SourceError`` with its path."""

    def __init__(self, path: str, read: Callable[[int], bytes], close: Callable[[], object]) -> None:
        self.path = path
        self._read = read
        self._close = close

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""
        try:
            return self._read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise SourceError(self.path, _reason(error)) from error

    def __enter__(self) -> LogStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()


def open_log(path: str) -> LogStream:
    """Open one log by its path; ``-`` is standard input, endings .gz and .zst are unpacked.

    Raises:
        SourceError: there is no such file, or it cannot be read as its ending says.
    """
    if isinstance(path, Unfit):
        raise SourceError(str(path), path.reason)
    if not path:
        raise SourceError("''", "is no path: it is empty")
    if path == STDIN:
        if cast("IO[str] | None", sys.stdin) is None:
            raise SourceError("<stdin>", "standard input is closed")
        return LogStream("<stdin>", _read_some, lambda: None)
    try:
        file = open(path, "rb")  # noqa: SIM115  (the stream closes it)
    except (OSError, ValueError) as error:
        raise SourceError(path, _reason(error)) from error
    try:
        _suits(path, file)
    except BaseException:
        file.close()
        raise
    if path.endswith(".gz"):
        return _gzip(path, file)
    if path.endswith(".zst"):
        return LogStream(path, _Zstd(file).read, file.close)
    return LogStream(path, file.read, file.close)


def _suits(path: str, file: IO[bytes]) -> None:
    """Refuses an archive whose name does not say so, and a name that says so of what is none."""
    try:
        beginning: bytes = getattr(file, "peek", bytes)(4)
    except OSError as error:
        raise SourceError(path, _reason(error)) from error
    for ending, (name, mark) in _ARCHIVES.items():
        if path.endswith(ending) and beginning and not mark.match(beginning):
            raise SourceError(path, f"is not a {name} archive, or a damaged one")
        if mark.match(beginning) and not path.endswith(ending):
            raise SourceError(path, f"looks like a {name} archive: give it a name that ends in {ending}")


def _read_some(size: int) -> bytes:
    """What standard input has right now, so that a live log is judged as it comes."""
    data: bytes = getattr(sys.stdin.buffer, "read1", sys.stdin.buffer.read)(size)
    return data


def find_logs(paths: Iterable[str], again: Callable[[str, str], object] | None = None) -> Iterator[str]:
    """The logs that some paths name: files as they are, folders searched, patterns with ``*`` matched, in order.

    A name that there is stands for itself, whatever is in it; ``**`` matches any folders. Each file comes once, however
    many of the paths lead to it: ``again`` is called with each further path to it, and with the first one. Two hard
    links are two files. What cannot be a log comes as `Unfit`, in its place: a folder or a pattern without logs, a
    folder that cannot be listed, and in a folder what has the name of a log and is no file. Neither a search nor ``**``
    follows links to folders.
    """
    seen: dict[str, str] = {}
    for path in _named(paths):
        place = path if path == STDIN else _place(path)
        if place not in seen:
            seen[place] = path
            yield path
        elif again is not None:
            again(path, seen[place])


def _named(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if path != STDIN and os.path.isdir(path):
            yield from _search(path)
        elif path != STDIN and _is_pattern(path):
            yield from _matching(path)
        else:
            yield path


def _place(path: str) -> str:
    """What two paths to the same file have in common; a link that cannot be read stands for itself."""
    try:
        if isinstance(path, Unfit):
            return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _is_pattern(path: str) -> bool:
    return any(mark in path for mark in "*?[") and "\0" not in path and not os.path.lexists(path)


def _matching(pattern: str) -> Iterator[str]:
    found = sorted(set(_globbed(pattern)))
    if not found:
        yield Unfit(pattern, "there is no such file, and nothing matches it")
    for path in found:
        if os.path.isdir(path):
            yield from _search(path)
        else:
            yield _fit(os.path.join(os.curdir, path) if path == STDIN else path)


def _globbed(pattern: str) -> Iterator[str]:
    """What a pattern matches, perhaps more than once; unlike in `glob`, ``**`` follows no link: links can go round."""
    import glob

    parts = pattern.split(os.sep)
    if _ANY_FOLDERS not in parts:
        yield from glob.iglob(pattern)
        return
    number = parts.index(_ANY_FOLDERS)
    before = os.sep.join([*parts[:number], ""])
    after = [*dropwhile(_ANY_FOLDERS.__eq__, parts[number:])]
    for top in glob.iglob(before) if before else [""]:
        for place, folders, names in os.walk(top or os.curdir):
            folders[:] = [name for name in folders if not name.startswith(".")]
            here = "" if place == os.curdir else _beside(place)
            if after:
                yield from _globbed(os.path.join(glob.escape(here), os.sep.join(after)))
            else:
                yield from (os.path.join(here, name) for name in names if not name.startswith("."))


def blocks(stream: Readable) -> Iterator[list[str]]:
    """The lines of a stream, without line ends, some at a time; those that are no text are ``Unreadable``.

    A line end is LF, CRLF or CR. Where the stream fails, whole lines before that point have been yielded already.
    """
    rest = b""  # the line that has begun, at most LONGEST bytes of it
    dropped: bytes | None = None  # the beginning of a line that is too long, while the rest of it goes by
    begun = False
    for each in unix(stream):
        chunk = each
        if dropped is not None:
            end = chunk.find(b"\n")
            if end < 0:
                continue
            yield [_too_long(dropped)]
            chunk, dropped = chunk[end + 1 :], None
        end = chunk.rfind(b"\n")
        if end < 0:
            rest += chunk
        else:
            whole, rest = rest + chunk[:end], chunk[end + 1 :]
            yield _lines(whole if begun else whole.removeprefix(_MARK))
            begun = True
        if len(rest) > LONGEST:
            rest, dropped, begun = b"", rest[:_SHOWN], True
    if dropped is not None:
        yield [_too_long(dropped)]
    elif last := rest if begun else rest.removeprefix(_MARK):
        yield [each if isinstance(each, Unreadable) else Unended(each) for each in _lines(last)]


def unix(stream: Readable) -> Iterator[bytes]:
    """Chunks of a stream with every line end made LF; a CRLF may lie across two chunks."""
    after_return = False
    while chunk := stream.read(BLOCK):
        skip = after_return and chunk.startswith(b"\n")
        after_return = chunk.endswith(b"\r")
        if skip:
            chunk = chunk[1:]
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield chunk


def _lines(data: bytes) -> list[str]:
    """Lines of some bytes; all at once where there is nothing unusual among them."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [line_of(each) for each in data.split(b"\n")]
    if "\0" in text or _may_be_long(text):
        return [line_of(each) for each in data.split(b"\n")]
    return text.split("\n")


def _may_be_long(text: str) -> bool:
    """Whether some line may be longer than is read: it would fill one of these stretches, at four bytes a character."""
    stretch = LONGEST // 8
    return any(text.find("\n", start, start + stretch) < 0 for start in range(0, len(text) - stretch + 1, stretch))


def line_of(data: bytes) -> str:
    """One line from its bytes, without a line end; ``Unreadable`` where they are no text of a log."""
    if len(data) > LONGEST:
        return _too_long(data)
    before, nul, _ = data.partition(b"\0")
    if nul:  # said first: it is the better hint
        column = len(before.decode(errors="replace")) + 1
        return Unreadable(f"a NUL byte at column {column}: is this binary, or UTF-16?", _show(data))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        column = len(data[: error.start].decode()) + 1
        return Unreadable(f"byte 0x{data[error.start]:02X} at column {column} is not UTF-8", _show(data))


def _too_long(beginning: bytes) -> Unreadable:
    return Unreadable(f"the line is longer than {LONGEST // 1024} KiB", _show(beginning))


def _show(data: bytes) -> str:
    text = data[:_SHOWN].decode(errors="replace")
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def _search(folder: str) -> Iterator[str]:
    found = False
    failures: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=failures.append):
        links = [name for name in folders if name.endswith(ENDINGS) and os.path.islink(os.path.join(place, name))]
        folders.sort()
        for name in sorted([*names, *links]):
            if name.endswith(ENDINGS):
                found = True
                yield _fit(_beside(os.path.join(place, name)))
        for failure in failures:
            yield Unfit(str(failure.filename), _reason(failure))
        failures.clear()
    for failure in failures:
        found = True
        yield Unfit(str(failure.filename), _reason(failure))
    if not found:
        yield Unfit(folder, "holds no logs: files whose names end in .gamelog or .jsonl, also packed as .gz or .zst")


def _beside(path: str) -> str:
    """A path without the ``./`` that a search of this folder puts before it."""
    return path.removeprefix(f".{os.sep}").lstrip(os.sep) if path.startswith(f".{os.sep}") else path


def _fit(path: str) -> str:
    """A path that a search has found; nobody has named it, so what is no file is not opened, lest it wait for ever."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return Unfit(path, "is a link that leads nowhere") if os.path.islink(path) else path
    except OSError as error:
        return Unfit(path, _reason(error))
    if stat.S_ISDIR(mode):
        return Unfit(path, "is a link to a folder, which a search does not follow: name it itself")
    return path if stat.S_ISREG(mode) else Unfit(path, f"is {_KINDS.get(stat.S_IFMT(mode), 'no regular file')}")


_KINDS: Final = {
    stat.S_IFIFO: "a pipe, not a file",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


def _reason(error: BaseException) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case PermissionError():
            return "no permission to read it"
        case IsADirectoryError():
            return "is a folder"
        case gzip.BadGzipFile():
            return "is not a gzip archive, or a damaged one"
        case EOFError():
            return "the archive is cut off"
        case zlib.error():
            return "the archive is damaged"
        case OSError(strerror=str() as text):
            return text
        case ValueError():  # a NUL in the path
            return "is no path"
    return str(error) or type(error).__name__


def _gzip(path: str, file: IO[bytes]) -> LogStream:
    archive = gzip.GzipFile(fileobj=file, mode="rb")
    begun = False

    def read(size: int) -> bytes:
        nonlocal begun
        data = archive.read1(size)
        if not data and not begun:
            file.seek(0)
            if not file.read(1):
                raise EOFError
        begun = True
        return data

    return LogStream(path, read, file.close)


class _Zstd:
    """Unpacks a Zstandard archive of any number of frames, little by little."""

    def __init__(self, file: IO[bytes]) -> None:
        import zstandard

        self._error = zstandard.ZstdError
        self._new_frame: Callable[[], Any] = zstandard.ZstdDecompressor().decompressobj
        self._file = file
        self._frame: Any = None
        self._packed = b""
        self._unpacked = b""
        self._begun = False

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, none at the end."""
        while not self._unpacked:
            if not self._packed:
                self._packed = self._file.read(_ZSTD_READ)
            if not self._packed:
                if self._frame is not None or not self._begun:
                    raise EOFError
                return b""
            self._unpacked = self._unpack()
        data, self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return data

    def _unpack(self) -> bytes:
        self._begun = True
        self._frame = self._frame or self._new_frame()
        feed, self._packed = self._packed[:_ZSTD_FEED], self._packed[_ZSTD_FEED:]
        try:
            data: bytes = self._frame.decompress(feed)
        except self._error as error:
            raise OSError(None, "is not a Zstandard archive, or a damaged one") from error
        if self._frame.eof:
            self._packed, self._frame = self._frame.unused_data + self._packed, None
        return data
