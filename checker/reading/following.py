"""A log that somebody still writes: read to its end, and further as it grows."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum
from threading import Event

from fairdeal.checker.reading.source import LogStream, SourceError, open_log

PAUSE = 0.2
"""Seconds between two looks at a log that has nothing new."""

REMEMBERED = 1024
"""Bytes before the place that has been reached which are looked at again: where they differ, another log is there."""


class Turn(Enum):
    """Why a followed log is at its end."""

    STOPPED = "nobody wants to know more"
    REPLACED = "another file has taken its name, or it was cut to begin anew"


class Followed:
    """The bytes of a growing log; ``read`` waits at its end until there is more.

    ``waiting`` is called before each wait.
    """

    def __init__(self, path: str, stop: Event, waiting: Callable[[], None] = lambda: None) -> None:
        """Open a log.

        Raises:
            SourceError: it cannot be read.
        """
        self.path, self.stop, self.waiting = path, stop, waiting
        self._stream: LogStream = open_log(path)
        try:
            self._again = open(path, "rb", buffering=0)  # noqa: SIM115  (`close` closes it)
        except OSError as error:
            self.close()
            raise SourceError(path, error.strerror or "cannot be read") from error
        status = os.fstat(self._again.fileno())
        self._file = status.st_dev, status.st_ino
        self._taken, self._last = 0, b""
        self.gone = False
        """The path leads nowhere at the moment."""
        self.turn: Turn | None = None
        """Why there is no more, once ``read`` has said that there is none."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes; none when asked to stop, or where another log has taken the place."""
        replaced = False
        while not (data := self._stream.read(size)) or self._is_written_over():
            if data:
                self.turn = Turn.REPLACED
                return b""
            if self.stop.is_set() or replaced:
                self.turn = Turn.REPLACED if replaced else Turn.STOPPED
                return b""
            self.waiting()
            self.stop.wait(PAUSE)
            replaced = self._is_replaced()  # told before the next look: what came to the old one until then is read
        self._taken += len(data)
        self._last = (self._last + data)[-REMEMBERED:]
        return data

    def _is_replaced(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:  # it may come back, as when logs are rotated
            self.gone = True
            return False
        self.gone = False
        return (status.st_dev, status.st_ino) != self._file or status.st_size < self._taken or self._is_written_over()

    def _is_written_over(self) -> bool:
        """Whether the file was cut and has grown again: its size does not show it, what stands in it does."""
        try:
            self._again.seek(self._taken - len(self._last))
            return self._again.read(len(self._last)) != self._last
        except OSError as error:
            raise SourceError(self.path, error.strerror or "cannot be read") from error

    def close(self) -> None:
        """Close the file."""
        with self._stream:
            self._again.close()
