"""The segments of a log yield what the whole log does, and each end of one can be gone on from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.checker.judging.batch import Batch, Job
from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.reading.segments import Place, segments
from fairdeal.checker.reading.source import SourceError
from fairdeal.checker.verdict import GameReport

from .archives import resize

SIZES = [(1, 1 << 24, 1 << 20), (200, 1 << 24, 64), (1500, 4000, 700), (8, 8, 11), (5000, 5001, 5000)]
"""Bytes of a segment, of the largest that is held, and of a read."""


def by_segments(path: Path, start: Place | None = None) -> tuple[list[GameReport], Exception | None, int]:
    """The reports of a log by its segments, what went wrong, and how many segments there were."""
    found: list[GameReport] = []
    failure, count = None, 0
    with Batch(Job()) as batch:
        for judged in batch.judge(segments(str(path), start)):
            assert failure is None
            found += judged.reports
            failure, count = judged.failure, count + 1
    return found, failure, count


def whole(path: Path) -> tuple[list[GameReport], Exception | None]:
    found: list[GameReport] = []
    try:
        found.extend(check_source(str(path)))
    except SourceError as error:
        return found, error
    return found, None


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("kind", ["plain", "gz", "zst", "cut", "empty", "binary"])
def test_segments_yield_what_the_whole_log_does(logs, kind, sizes, monkeypatch):
    wanted, error = whole(logs[kind])
    resize(monkeypatch, *sizes)
    found, failure, count = by_segments(logs[kind])
    assert found == wanted
    assert str(failure) == str(error)
    if kind == "plain" and sizes == (1, 1 << 24, 1 << 20):
        assert count > 15  # it has been cut, and not passed through whole


def test_every_place_between_segments_can_be_gone_on_from(logs, monkeypatch):
    wanted, _ = whole(logs["plain"])
    resize(monkeypatch, 1000, 6000, 400)
    ends, counts = [], []
    with Batch(Job()) as batch:
        for judged in batch.judge(segments(str(logs["plain"]))):
            counts.append(len(list(judged.reports)))
            if not judged.segment.is_last:
                ends.append(judged.segment.end)
    assert len(ends) >= 8
    for number in range(0, len(ends), 5):
        found, _, _ = by_segments(logs["plain"], ends[number])
        assert found == wanted[sum(counts[: number + 1]) :]


def test_a_log_that_has_shrunk_is_told(logs):
    with pytest.raises(SourceError, match="shorter than it was"):
        list(segments(str(logs["plain"]), Place(10**6, 10**9)))


PIECES = st.lists(
    st.sampled_from(
        [
            "gamelog: 1\n",
            "game: spit\n",
            "round 1\n",
            "\n",
            "\r",
            "\r\n",
            '{"gamelog": 1, "game": "spit"}\n',
            "gamelog",
            ": 1",
            "{",
            '"gamelog"',
            "A win\n",
            "# x\n",
            "\0",
            "\ufeff",
            " ",
            "é",
        ]
    ),
    max_size=60,
)


@given(pieces=PIECES, size=st.integers(1, 40), largest=st.integers(1, 80), block=st.integers(1, 40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_segments_of_any_text(tmp_path, pieces, size, largest, block):
    log = tmp_path / "a.gamelog"
    log.write_bytes("".join(pieces).encode())
    wanted, _ = whole(log)
    with pytest.MonkeyPatch.context() as monkeypatch:
        resize(monkeypatch, size, largest, block)
        assert by_segments(log)[0] == wanted
