"""Lines: the bytes of a log as blocks of lines in constant memory, with what is no text marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""
LONGEST: Final = 1 << 16
"""Most bytes of a line; longer ones are skipped and reported."""
_MARK: Final = "\ufeff".encode()
_SHOWN: Final = 200


class Readable(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""


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


class Unended(str):
    """The last line of a log that has no line end: perhaps the log was cut within it."""

    __slots__ = ()


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
