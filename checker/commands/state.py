"""The state of a run that may be killed: how far it is, kept so that a second run goes on and repeats nothing.

The file is replaced as a whole, after what it speaks of is on the disk. It is JSON, and tells nothing but counts,
places and names of logs.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from fairdeal.checker.judging.coverage import Coverage, GameCoverage
from fairdeal.checker.reading.finding import find_logs
from fairdeal.checker.reading.segments import Place, Segment, segments
from fairdeal.checker.reading.source import STDIN, SourceError, Unfit
from fairdeal.checker.reporting.reporter import Summary
from fairdeal.checker.reporting.tally import CodeTally, FileTally, Tally
from fairdeal.checker.verdict import Verdict

VERSION = 1


class StateError(Exception):
    """A state cannot be gone on from; the message says why and what to do."""


@dataclass(slots=True)
class State:
    """How far a run is."""

    call: str
    """A digest of what the run does; another call cannot go on from it."""
    done: bool = False
    source: int = 0
    """How many logs are through."""
    before: str = ""
    """A digest of those logs: their names, sizes and times."""
    stamp: list[int] = field(default_factory=list)
    """Size and time of the log in hand."""
    line: int = 1
    offset: int = 0
    """Where in it the next segment begins."""
    written: int = 0
    """Bytes of the report."""
    summary: dict[str, Any] = field(default_factory=dict)
    reporter: dict[str, Any] = field(default_factory=dict)
    baseline: str = ""


class StateFile:
    """A state and the file that it is kept in."""

    def __init__(self, path: str, call: str) -> None:
        """Read the file, if there is one.

        Raises:
            StateError: it is no state, or one of another call.
        """
        self.path = Path(path)
        self.state = State(call)
        self.is_there = False
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise StateError(f"{path}: cannot be read: {error}") from error
        self.state = _loaded(path, text)
        self.is_there = True
        if self.state.call != call:
            raise StateError(f"{path}: is the state of another call, or of another version; remove it to begin anew")

    @property
    def resumed(self) -> bool:
        """Whether there is anything to go on from: a run writes its first state before it has judged anything."""
        return bool(self.state.summary)

    def write(self) -> None:
        """Replace the file.

        Raises:
            StateError: it cannot be written.
        """
        part = self.path.with_name(f"{self.path.name}.new")
        try:
            with part.open("w", encoding="utf-8") as out:
                json.dump({"version": VERSION, **asdict(self.state)}, out)
                out.flush()
                os.fsync(out.fileno())
            part.replace(self.path)
        except OSError as error:
            raise StateError(f"{self.path}: cannot be written: {error.strerror}") from error


def _loaded(path: str, text: str) -> State:
    try:
        document = json.loads(text)
        if document.pop("version") != VERSION:
            raise StateError(f"{path}: is the state of another version; remove it to begin anew")
        state = State(**document)
        for each in fields(State):
            if type(getattr(state, each.name)).__name__ != str(each.type).partition("[")[0]:
                raise TypeError(each.name)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateError(f"{path}: is no state that `fairdeal check --state` has written") from error
    return state


def digest(*parts: object) -> str:
    """A digest of what makes up a call, or of logs."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


class Sources:
    """The logs of a call as segments, from where a state is; it notes what the next state has to say of each log."""

    def __init__(
        self, paths: Iterable[str], state: State, name: str, again: Callable[[str, str], object] | None = None
    ) -> None:
        self.paths, self.state, self.name, self.again = paths, state, name, again
        self._noted: dict[int, tuple[str, list[int], str]] = {}
        """Of each log in hand: the digest of those before it, its stamp, and the digest with it."""

    def segments(self) -> Iterator[Segment]:
        """Yields the segments that are left; a log that cannot be opened is one that is void.

        Raises:
            StateError: the logs are not those that the state speaks of.
        """
        before = ""
        for source, (path, stamp, after) in enumerate(self._stamped()):
            if source >= self.state.source:
                if source == self.state.source:
                    self._recognise(path, before, stamp)
                self._noted[source] = (before, stamp, after)
                yield from self._of(source, path)
            before = after

    def _stamped(self) -> Iterator[tuple[str, list[int], str]]:
        """Each log with its stamp, and the digest of it and those before it."""
        through = ""
        for path in find_logs(self.paths, self.again):
            stamp = _stamp(path)
            through = digest(through, path, stamp, path.reason if isinstance(path, Unfit) else "")
            yield path, stamp, through

    def recognise_all(self) -> None:
        """See to it that the logs of a run that is over are still those that it read.

        Raises:
            StateError: one has changed, or is not there any more, or there is another one.
        """
        digests = ["", *(through for *_, through in self._stamped())]
        if digests[-1] != self.state.before:
            raise StateError(f"{self.name}: logs have changed since that run; remove it to begin anew")

    def _recognise(self, path: str, before: str, stamp: list[int]) -> None:
        state = self.state
        if state.source and before != state.before:
            raise StateError(f"{self.name}: logs before {path} are not those of that run; remove it to begin anew")
        if state.offset and stamp != state.stamp:
            raise StateError(f"{self.name}: {path} has changed since that run; remove the state to begin anew")

    def _of(self, source: int, path: str) -> Iterator[Segment]:
        start = Place(self.state.line, self.state.offset) if source == self.state.source else Place()
        try:
            for segment in segments(path, start):
                segment.source = source
                yield segment
        except SourceError as failure:
            void = Segment(path, start, b"")
            void.source, void.error, void.is_void, void.is_last = source, failure, True, True
            yield void

    def advance(self, segment: Segment, is_last: bool) -> None:
        """Note in the state that a segment is through, and its log too if it is the last one."""
        state = self.state
        before, stamp, after = self._noted[segment.source]
        if is_last:
            state.source, state.before, state.stamp, state.line, state.offset = segment.source + 1, after, [], 1, 0
        else:
            state.source, state.before, state.stamp = segment.source, before, stamp
            state.line, state.offset = segment.end.line, segment.end.offset
        for source in [one for one in self._noted if one < segment.source]:
            del self._noted[source]


def _stamp(path: str) -> list[int]:
    """Size and time of a log; nothing of one that is not there."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return []
    return [status.st_size, status.st_mtime_ns]


def unresumable(paths: Iterable[str]) -> str | None:
    """A path among some that can be read only once, if there is one."""
    return next((path for path in paths if path == STDIN or (os.path.exists(path) and not _is_kept(path))), None)


def _is_kept(path: str) -> bool:
    return os.path.isfile(path) or os.path.isdir(path)


# ---------------------------------------------------------------- counts, as the file has them


def kept(summary: Summary) -> dict[str, Any]:
    """A summary as JSON."""
    found: dict[str, Any] = {
        "verdicts": {verdict.value: count for verdict, count in summary.verdicts.items()},
        "excused": {verdict.value: count for verdict, count in summary.excused.items()},
        "events": summary.events,
        "known": summary.known,
        "unread": summary.unread,
    }
    if summary.tally is not None:
        found["codes"] = {code: [one.findings, one.games] for code, one in summary.tally.codes.items()}
        files = summary.tally.files.items()
        found["files"] = {path: [one.games, one.failing, one.worst.value] for path, one in files}
        found["more_files"] = summary.tally.more_files
    if summary.coverage is not None:
        found["coverage"] = {
            name: {
                "events": [[event, refused, count] for (event, refused), count in one.events.items()],
                "clauses": [[clause, refused, count] for (clause, refused), count in one.clauses.items()],
                "broken": dict(one.broken),
                "all_events": list(one.all_events),
                "all_clauses": list(one.all_clauses),
            }
            for name, one in summary.coverage.games.items()
        }
    return found


def restore(summary: Summary, found: dict[str, Any]) -> None:
    """Fill an empty summary with what was kept of another one.

    Raises:
        StateError: what was kept is no summary of this kind.
    """
    try:
        summary.verdicts = Counter({Verdict(name): count for name, count in found["verdicts"].items()})
        summary.excused = Counter({Verdict(name): count for name, count in found["excused"].items()})
        summary.events, summary.known = found["events"], found["known"]
        summary.unread = [(path, message) for path, message in found["unread"]]
        if summary.tally is not None:
            summary.tally = Tally(
                {code: CodeTally(*counts) for code, counts in found["codes"].items()},
                {path: FileTally(games, bad, Verdict(worst)) for path, (games, bad, worst) in found["files"].items()},
                found["more_files"],
            )
        if summary.coverage is not None:
            summary.coverage = _coverage(found["coverage"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StateError("the state holds no counts of this kind; remove it to begin anew") from error


def _coverage(found: dict[str, Any]) -> Coverage:
    coverage = Coverage()
    for name, one in found.items():
        game = coverage.games[name] = GameCoverage(tuple(one["all_events"]), tuple(one["all_clauses"]))
        game.events.update({(event, refused): count for event, refused, count in one["events"]})
        game.clauses.update({(clause, refused): count for clause, refused, count in one["clauses"]})
        game.broken.update(one["broken"])
    return coverage
