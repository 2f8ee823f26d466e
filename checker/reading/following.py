"""A log that somebody still writes: read to its end, and further as it grows."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum
from threading import Event

from fairdeal.checker.reading.source import LogStream, SourceError, open_log

PAUSE = 0.2
"""Seconds between two looks at a log that has nothing new."""


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
        self._file = _identity(path)
        self._taken = 0
        self.turn: Turn | None = None
        """Why there is no more, once ``read`` has said that there is none."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes; none when asked to stop, or where another log has taken the place."""
        replaced = False
        while not (data := self._stream.read(size)):
            if self.stop.is_set() or replaced:
                self.turn = Turn.REPLACED if replaced else Turn.STOPPED
                return b""
            self.waiting()
            self.stop.wait(PAUSE)
            replaced = self._is_replaced()  # told before the next look: what came to the old one until then is read
        self._taken += len(data)
        return data

    def _is_replaced(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:  # it may come back, as when logs are rotated
            return False
        return (status.st_dev, status.st_ino) != self._file or status.st_size < self._taken

    def close(self) -> None:
        """Close the file."""
        with self._stream:
            pass


def _identity(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError as error:
        raise SourceError(path, error.strerror or "cannot be read") from error
    return status.st_dev, status.st_ino
