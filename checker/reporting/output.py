"""Where a report goes: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO, cast


class OutputError(Exception):
    """The place that a report shall go to cannot be written."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


@contextmanager
def output(path: str | None, inputs: Iterable[str] = ()) -> Iterator[TextIO]:
    """Opens the place for a report; ``None`` and ``-`` are standard output.

    A regular file is replaced when the report is complete, so a failure leaves the old one, and a report never
    overwrites one of its ``inputs``, nor a log in a folder or behind a pattern among them.

    Raises:
        OutputError: it cannot be written.
    """
    if path is None or path == "-":
        with _standard() as out:
            yield out
    elif Path(path).exists() and not Path(path).is_file():
        with _device(path) as out:
            yield out
    else:
        spare(path, inputs)
        with _replaced(path) as out:
            yield out


class Resumable:
    """A report that is written bit by bit to ``FILE.part``, from a length on that is known to be right."""

    def __init__(self, path: str, inputs: Iterable[str], length: int, is_known: bool) -> None:
        """Go on after ``length`` bytes; what was written beyond them is written anew.

        ``is_known`` says that ``FILE.part``, if there is one, is of this run. That of another run, which may yet be
        gone on with, is left as it is.

        Raises:
            OutputError: it cannot be written, is no regular file, is of another run, or is shorter than it was.
        """
        if Path(path).exists() and not Path(path).is_file():
            raise OutputError(path, "is no regular file, so a run that writes it cannot be resumed")
        spare(path, inputs)
        self.path, self.part = Path(path), Path(f"{path}.part")
        if not is_known and _length(self.part):
            raise OutputError(
                str(self.part),
                "was left by a run that was broken off, and this --state knows nothing of it; "
                "go on with the --state of that run, or remove the file",
            )
        try:
            raw = self.part.open("r+b" if length else "w+b")
            if raw.seek(0, os.SEEK_END) < length:
                raw.close()
                raise OutputError(str(self.part), "is shorter than the state says; remove both to begin anew")
            raw.truncate(length)
            raw.seek(length)
        except OSError as error:
            raise OutputError(str(self.part), _reason(error)) from error
        self.out: TextIO = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="\n")

    def keep(self) -> int:
        """Make sure that all so far is on the disk; its length in bytes."""
        self.out.flush()
        os.fsync(self.out.fileno())
        return self.out.buffer.tell()

    def close(self) -> None:
        """Leave it as it is, to go on later."""
        self.out.close()

    def discard(self) -> None:
        """Leave nothing of it: the run has not begun."""
        self.out.close()
        self.part.unlink()

    def finish(self) -> None:
        """It is complete: give it its name."""
        self.out.close()
        self.part.replace(self.path)


def finish(path: str, length: int) -> None:
    """Give a complete ``FILE.part`` its name, unless that has been done; one of another length is another run's."""
    part = Path(f"{path}.part")
    if _length(part) == length:
        part.replace(path)


def spare(path: str, inputs: Iterable[str]) -> None:
    """Refuses to write a file that is one of the logs that some paths name, or would be one at the next call.

    Raises:
        OutputError: it is.
    """
    from fairdeal.checker.reading.finding import ENDINGS, find_logs

    named = list(inputs)
    if Path(path).exists():
        if any(_same(path, each) for each in named) or any(_same(path, each) for each in find_logs(named)):
            raise OutputError(path, "is one of the logs to check")
    elif path.endswith(ENDINGS) and any(_lies_in(path, each) for each in named):
        ending = max((each for each in ENDINGS if path.endswith(each)), key=len)
        raise OutputError(path, f"would be one of the logs to check, in a searched folder with a name in {ending}")


def _lies_in(path: str, folder: str) -> bool:
    with suppress(OSError, ValueError):
        return Path(folder).is_dir() and Path(path).resolve().is_relative_to(Path(folder).resolve())
    return False


def _length(path: Path) -> int | None:
    """Bytes of a file; ``None`` where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _same(path: str, other: str) -> bool:
    with suppress(OSError):
        return Path(path).samefile(other)
    return False


@contextmanager
def _standard() -> Iterator[TextIO]:
    out = cast("TextIO | None", sys.stdout)
    if out is None:  # the caller closed it
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            yield nowhere
        return
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    yield out
    out.flush()


@contextmanager
def _device(path: str) -> Iterator[TextIO]:
    try:
        out = Path(path).open("w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 - below
    except OSError as error:
        raise OutputError(path, _reason(error)) from error
    with out:
        yield out


@contextmanager
def _replaced(path: str) -> Iterator[TextIO]:
    target = Path(path).resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", dir=target.parent)
    except OSError as error:
        raise OutputError(path, _reason(error)) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
            yield out
        part.chmod(_mode(target))
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return "cannot be written: there is no such folder"
        case PermissionError():
            return "cannot be written: no permission"
        case IsADirectoryError():
            return "cannot be written: it is a folder"
    return error.strerror or type(error).__name__


def silence() -> None:
    """Points the standard streams nowhere, so that the interpreter's last flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def settle() -> None:
    """Writes out what standard output still holds, if anybody takes it."""
    try:
        if cast("TextIO | None", sys.stdout) is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        silence()
