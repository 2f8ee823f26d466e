"""Finding logs: what paths, folders and patterns name."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile
from typing import Final

from fairdeal.checker.reading.source import STDIN, Unfit, reason_of

_ANY_FOLDERS: Final = "**"
ENDINGS: Final = tuple(
    name + packed for name in (".gamelog", ".gamelog.jsonl", ".jsonl") for packed in ("", ".gz", ".zst")
)
"""What the names of logs in a folder end in."""


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
            yield Unfit(str(failure.filename), reason_of(failure))
        failures.clear()
    for failure in failures:
        found = True
        yield Unfit(str(failure.filename), reason_of(failure))
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
        return Unfit(path, reason_of(error))
    if stat.S_ISDIR(mode):
        return Unfit(path, "is a link to a folder, which a search does not follow: name it itself")
    return path if stat.S_ISREG(mode) else Unfit(path, f"is {_KINDS.get(stat.S_IFMT(mode), 'no regular file')}")


_KINDS: Final = {
    stat.S_IFIFO: "a pipe, not a file",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}
