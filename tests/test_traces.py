"""Every game in ``traces/`` yields what is written beside it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from fairdeal.checker.judging.checking import check_source
from fairdeal.checker.verdict import Finding, Severity
from tests.expectations import TRACES, beside, expected, traces, yielded
from tests.snapshots import difference, main

ALL = 1_000_000
LOGS = [pytest.param(log, id=log.relative_to(TRACES).as_posix()) for log in traces()]


@pytest.mark.parametrize("log", LOGS)
def test_verdict_lines_and_codes(log: Path) -> None:
    wanted = expected(log)
    reports = list(check_source(str(log), max_findings=ALL))
    found = [yielded(report, want) for report, want in zip(reports, wanted, strict=True)]
    assert "\n".join(each.text() for each in found) == "\n".join(each.text() for each in wanted)


@pytest.mark.parametrize("log", LOGS)
def test_the_whole_text(log: Path) -> None:
    assert difference(log) == "", "if the new text is right: python -m tests.snapshots --update"


@pytest.mark.parametrize("log", [log for log in LOGS if "recorded" not in str(log.values[0])])
def test_a_trace_opens_with_what_it_is_about(log: Path) -> None:
    if not log.name.endswith(".gamelog"):
        return
    text = log.read_bytes()
    assert text.lstrip(b"\xef\xbb\xbf").startswith(b"# "), "the first line is a comment: a sentence"


def test_every_log_has_an_expectation_and_none_is_left_over() -> None:
    logs = {log for log in TRACES.rglob("*.gamelog*") if log.suffix not in (".expect", ".out")}
    assert sorted(logs - set(traces())) == []
    assert main([str(TRACES / "README.md")][:0] or [str(next(traces()))]) in (0, 1)
