"""Where logs come from: files, archives and standard input, as bytes in constant memory."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from types import TracebackType

STDIN: Final = "-"
_ZSTD_FEED: Final = 256
"""Packed bytes unpacked at a time: it bounds what a hostile archive can make of them."""
_ZSTD_READ: Final = 1 << 13
_ARCHIVES: Final = {
    ".gz": ("gzip", re.compile(rb"\x1f\x8b(?:\x08|\Z)")),
    ".zst": ("Zstandard", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")),
}
"""How archives begin, by the endings that have them unpacked; no log begins so."""


class SourceError(Exception):
    """A path that cannot be read as a log, wholly or from some point on."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, str]]:
        """How it travels between processes."""
        return SourceError, (self.path, self.message)


class Unfit(str):
    """A path that stands for no log that can be read; `open_log` refuses it with the reason."""

    reason: str

    def __new__(cls, path: str, reason: str = "") -> Unfit:
        """Make one for a path, with the reason; a copy is given the reason afterwards."""
        made = super().__new__(cls, path)
        made.reason = reason
        return made


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
            raise SourceError(self.path, reason_of(error)) from error

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
        return LogStream("<stdin>", _StandardInput().read, lambda: None)
    try:
        file = open(path, "rb")  # noqa: SIM115  (the stream closes it)
    except (OSError, ValueError) as error:
        raise SourceError(path, reason_of(error)) from error
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
        raise SourceError(path, reason_of(error)) from error
    for ending, (name, mark) in _ARCHIVES.items():
        if path.endswith(ending) and beginning and not mark.match(beginning):
            raise SourceError(path, f"is not a {name} archive, or a damaged one")
        if mark.match(beginning) and not path.endswith(ending):
            raise SourceError(path, f"looks like a {name} archive: give it a name that ends in {ending}")


class _StandardInput:
    """What standard input has right now, so that a live log is judged as it comes; an archive is refused."""

    def __init__(self) -> None:
        self._begun = False

    def read(self, size: int) -> bytes:
        data: bytes = getattr(sys.stdin.buffer, "read1", sys.stdin.buffer.read)(size)
        if not self._begun:
            for name, mark in _ARCHIVES.values():
                if mark.match(data):
                    raise SourceError("<stdin>", f"looks like a {name} archive: standard input is not unpacked")
        self._begun = True
        return data


def reason_of(error: BaseException) -> str:
    """Why a file cannot be opened or read, in words that follow its path."""
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
