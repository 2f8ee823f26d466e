"""Numbers and times at the head of a line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.prefix import Prefix, read_time, split_prefix, write_time

from .examples import complaint

BODY = "A play 7D from 3 on 1"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", Prefix()),
        ("17 ", Prefix(17, start=3)),
        ("  0017\t", Prefix(17, start=7)),
        ("@0.000 ", Prefix(None, (0.0, 0.0), "seconds", 7)),
        ("17 @12.345 ", Prefix(17, (12.345, 12.345), "seconds", 11)),
        ("17\t@12.100-12.345\t ", Prefix(17, (12.1, 12.345), "seconds", 19)),
        ("@7 ", Prefix(None, (7.0, 7.0), "seconds", 3)),
        ("@3-2 ", Prefix(None, (3.0, 2.0), "seconds", 5)),  # whether it runs backwards is judged elsewhere
    ],
)
def test_heads(head: str, expected: Prefix) -> None:
    assert split_prefix(head + BODY) == expected


@pytest.mark.parametrize("line", ["17", "17 @3.5", "@3.5 # c"])
def test_a_head_alone(line: str) -> None:
    assert line[split_prefix(line).start :] in ("", "# c")


ZONE = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "moment", "unit"),
    [
        ("@2026-01-31T20:15:00Z", datetime(2026, 1, 31, 20, 15, tzinfo=UTC), "instant"),
        ("@2026-01-31T20:15Z", datetime(2026, 1, 31, 20, 15, tzinfo=UTC), "instant"),
        ("@2026-01-31T20:15:00.25+02:00", datetime(2026, 1, 31, 20, 15, 0, 250_000, ZONE), "instant"),
        ("@2026-01-31T20:15:00+0200", datetime(2026, 1, 31, 20, 15, tzinfo=ZONE), "instant"),
        ("@2026-01-31T20:15:00.123456789Z", datetime(2026, 1, 31, 20, 15, 0, 123_456, UTC), "instant"),
        ("@2026-01-31T20:15:00", datetime(2026, 1, 31, 20, 15, tzinfo=UTC), "local instant"),
    ],
)
def test_instants(text: str, moment: datetime, unit: str) -> None:
    prefix = split_prefix(f"{text} {BODY}")
    assert prefix.time == (moment.timestamp(), moment.timestamp())
    assert prefix.unit == unit


def test_a_span_of_instants() -> None:
    prefix = split_prefix("@2026-01-31T20:15:00Z/2026-01-31T22:15:01.5+02:00 A win")
    assert prefix.time is not None
    assert prefix.time[1] - prefix.time[0] == 1.5


@pytest.mark.parametrize(
    ("line", "fault", "message"),
    [
        ("12x A win", "12x", "`12x` is no line number"),
        ("99999999999999999999 A win", "9" * 20, f"`{'9' * 20}` has more than 18 digits: no line has such a number"),
        ("9" * 6000, "9" * 6000, f"`{'9' * 39}…` has more than 18 digits: no line has such a number"),
        ("3 @nan A win", "@nan", "`@nan` is no time"),
        ("@-1 A win", "@-1", "`@-1` is no time"),
        ("@1e5 A win", "@1e5", "`@1e5` is no time"),
        ("@1,5 A win", "@1,5", "`@1,5` is no time"),
        ("@ 12 A win", "@", "`@` is no time"),
        ("@1-2-3 A win", "@1-2-3", "`@1-2-3` is no time"),
        ("@" + "9" * 400 + " A win", "9" * 400, f"`{'9' * 39}…` seconds is too long a time"),
        ("@2026-13-45T99:99 A win", "2026-13-45T99:99", "`2026-13-45T99:99` is no date and time of day"),
        ("@0000-01-01T00:00Z A win", "0000-01-01T00:00Z", "`0000-01-01T00:00Z` is no date and time of day"),
        (
            "@2026-01-31T20:15:00+99:99 A",
            "2026-01-31T20:15:00+99:99",
            "`2026-01-31T20:15:00+99:99` is no date and time of day",
        ),
        (
            "@2026-01-31T20:15Z/2026-01-31T20:16 A win",
            "@2026-01-31T20:15Z/2026-01-31T20:16",
            "one end of this span has an offset from UTC and the other has none",
        ),
    ],
)
def test_messages(line: str, fault: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        split_prefix(line)
    assert caught.value.message == message
    assert line[caught.value.column : caught.value.end_column] == fault


def test_a_decimal_comma_gets_a_hint_of_its_own() -> None:
    with pytest.raises(NotationError) as caught:
        split_prefix("@1,5 A win")
    assert caught.value.hint == "a decimal point, not a comma: `@1.5`"


@given(st.tuples(st.integers(0, 10**12), st.integers(0, 10**12)))
def test_written_seconds_read_back(micros: tuple[int, int]) -> None:
    time = (micros[0] / 1e6, micros[1] / 1e6)
    assert read_time("@" + write_time(time)) == (time, "seconds")


@given(st.tuples(st.integers(0, 4 * 10**12), st.integers(0, 4 * 10**12)), st.sampled_from(["instant", "local instant"]))
def test_written_instants_read_back(millis: tuple[int, int], unit: str) -> None:
    time = (millis[0] / 1e3, millis[1] / 1e3)
    assert read_time("@" + write_time(time, unit)) == (time, unit)  # type: ignore[arg-type]


@given(st.text(alphabet="0123456789@.-/:TZ+ \tA#e", max_size=40))
def test_no_head_is_too_strange(text: str) -> None:
    error = complaint(split_prefix, text)
    if error is None:
        assert 0 <= split_prefix(text).start <= len(text)
    else:
        assert 0 <= error.column < error.end_column <= len(text)


def test_seconds_are_written_with_three_digits_at_least() -> None:
    assert write_time((0.0, 0.0)) == "0.000"
    assert write_time((12.1, 12.3456)) == "12.100-12.3456"
