"""Segments: a log in parts of whole games, so that several processes can judge it and a killed run can go on.

A part ends only where the line after it begins a game without any doubt, so that the parts of a log yield what the
whole log does. Line ends are LF in all of them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.json_lines import load_object
from fairdeal.checker.reading.lines import Readable, unix
from fairdeal.checker.reading.source import LogStream, SourceError, open_log

SIZE: Final = 1 << 18
"""Bytes from which on a segment ends before the next game."""
LARGEST: Final = 1 << 24
"""Bytes of a segment that are held; one with a longer game is handed on as it is read."""

_PERHAPS: Final = re.compile(rb'\n(?=gamelog[ \t]*:|\{[ \t]*"gamelog")')
_HEADER: Final = re.compile(rb"gamelog[ \t]*:[ -~\t]{0,200}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a log a segment begins: its line, from 1, and the bytes before it, unpacked and with LF ends."""

    line: int = 1
    offset: int = 0


class Segment:
    """Some whole games of a log; ``stream`` is read once, to its end, before the next segment is asked for."""

    def __init__(self, path: str, start: Place, data: bytes) -> None:
        self.path, self.start = path, start
        self.data = data
        """All of it, or nothing where it is long."""
        self.more: Iterator[bytes] | None = None
        """What makes up a long one, piece by piece."""
        self.end = Place(start.line + data.count(b"\n"), start.offset + len(data))
        """Where the next one begins; of a long one known once it has been read."""
        self.is_last = False
        self.source = 0
        """Which of several logs it is of, as who reads them counts."""
        self.error: Exception | None = None
        """Why the log cannot be read beyond this segment."""
        self.is_void = False
        """There is nothing to judge: the log cannot even be opened."""

    @property
    def is_long(self) -> bool:
        """Whether it is too long to be held."""
        return self.more is not None

    @property
    def stream(self) -> Readable:
        """The segment's bytes; at the end of a log that breaks off, a ``SourceError``."""
        return _Stream(self)


class _Stream:
    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._head = io.BytesIO(segment.data)

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end; a long segment's come as they are read."""
        segment = self._segment
        data = self._head.read(size)
        while not data and segment.more is not None:
            piece = next(segment.more, b"")
            if not piece:
                break
            self._head = io.BytesIO(piece)
            data = self._head.read(size)
        if not data and segment.error is not None:
            raise segment.error
        return data


def segments(path: str, start: Place | None = None) -> Iterator[Segment]:
    """The segments of a log, from a place on at which one begins; an empty log has one, which is empty.

    Where the log cannot be read further, the last segment has the error.

    Raises:
        SourceError: the log cannot be opened, or is shorter than ``start``.
    """
    start = start or Place()
    with open_log(path) as stream:
        splitter = _Splitter(stream, path, start)
        splitter.skip()
        yield from splitter.segments()


class _Splitter:
    """Cuts a stream; ``held`` is what has been read and not handed on, and begins at ``place``."""

    def __init__(self, stream: LogStream, path: str, start: Place) -> None:
        self.chunks = unix(stream)
        self.path, self.place = path, start
        self.held = bytearray()
        self.searched = 0
        """No game begins before this position of ``held``."""
        self.error: SourceError | None = None

    def skip(self) -> None:
        """Pass over what comes before the place to start at.

        Raises:
            SourceError: the log ends before that place.
        """
        left = self.place.offset
        while left > 0:
            chunk = next(self.chunks, None)
            if chunk is None:
                raise SourceError(self.path, "is shorter than it was")
            self.held += chunk[left:]
            left -= min(left, len(chunk))

    def segments(self) -> Iterator[Segment]:
        """Yields the segments; there is at least one."""
        segment = None
        while segment is None or not segment.is_last:
            end = self._boundary(SIZE)
            if end is not None:
                segment = self._cut(end)
                yield segment
            elif len(self.held) > LARGEST:
                segment = Segment(self.path, self.place, b"")
                segment.more = self._long(segment)
                yield segment
            elif not self._read():
                segment = self._cut(len(self.held))
                segment.is_last, segment.error = True, self.error
                yield segment

    def _read(self) -> bool:
        try:
            chunk = next(self.chunks, None)  # one that held but half of a line end is empty
        except SourceError as error:
            self.error = error
            return False
        self.held += chunk or b""
        return chunk is not None

    def _cut(self, end: int) -> Segment:
        segment = Segment(self.path, self.place, bytes(self.held[:end]))
        del self.held[:end]
        self.place, self.searched = segment.end, 0
        return segment

    def _boundary(self, least: int) -> int | None:
        """Where the first game begins whose line starts at ``least`` or later, if that line is there to its end."""
        position = max(least, self.searched) - 1
        while match := _PERHAPS.search(self.held, max(position, 0)):
            position = match.start()
            begin = match.end()
            end = self.held.find(b"\n", begin)
            if end < 0:
                self.searched = begin
                return None
            if _begins(bytes(self.held[begin:end])):
                return begin
            position = begin
        self.searched = max(self.searched, self.held.rfind(b"\n") + 1)  # what has begun there may yet begin a game
        return None

    def _long(self, segment: Segment) -> Iterator[bytes]:
        """A long game as it is read; what follows it stays held. A line that has begun may begin a game, and waits."""
        while (end := self._boundary(1)) is None:
            whole = self.held.rfind(b"\n")
            if whole > 0:
                yield self._cut(whole).data
            elif whole < 0 or len(self.held) > SIZE:
                yield self._cut(len(self.held)).data
            if not self._read():
                end = len(self.held)
                segment.is_last, segment.error = True, self.error
                break
        last = self._cut(end)
        segment.end = last.end
        yield last.data


def _begins(line: bytes) -> bool:
    """Whether a line begins a game, whatever stands before it."""
    if not line.startswith(b"{"):
        return _HEADER.fullmatch(line) is not None
    try:
        return len(line) < SIZE // 8 and b"\0" not in line and "gamelog" in load_object(line.decode())
    except (NotationError, UnicodeDecodeError):
        return False
