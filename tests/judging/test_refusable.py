"""What `legal` says of an event and what judging says of its refusal are the same."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from fairdeal.checker.api import check_text
from fairdeal.checker.cli import cli
from fairdeal.checker.judging.inspection import legal_at
from fairdeal.checker.reading.logs import Kind, classify

from tests.expectations import TRACES

NAMES = [
    "gap-spit-14-slap-takes-the-pile",
    "gap-spit-19-false-slap",
    "gap-spit-19-false-slap-ignored",
    "gap-spit-19-false-slap-refused",
    "spit-slap-1-the-larger-pile",
    "qcr-lay-1-on-either-player-s-meld",
    "qcr-end-1-just-enough",
]


def is_fault(lines: list[str], event: str) -> bool:
    """Whether a program that refused this event after these lines is at fault."""
    (report,) = check_text("\n".join([*lines, f"{event} refused", ""]))
    return any((one.line, one.code) == (len(lines) + 1, "LOG-REFUSED") for one in report.findings)


@pytest.mark.parametrize("name", NAMES)
def test_to_refuse_a_lawful_event_is_a_fault_unless_it_is_marked(name: str) -> None:
    log = TRACES / "legal" / f"{name}.gamelog"
    lines = log.read_text(encoding="utf-8").splitlines()
    events = [number for number, line in enumerate(lines, 1) if classify(line) is Kind.EVENT]
    told = {True: 0, False: 0}
    for at in [*events[:3], *events[3:-3:9], *events[-3:]]:
        for event in legal_at(str(log), at):
            if "…" not in event.text:
                told[event.refusable] += 1
                assert is_fault(lines[:at], event.text) is not event.refusable, (at, event.text)
                assert event.idle or not event.refusable
    assert told[False]
    assert told[True] or "just-enough" not in name


def test_the_marks_are_in_both_forms_and_leave_the_lines_lines() -> None:
    log = TRACES / "legal" / "gap-spit-19-false-slap-ignored.gamelog"
    at = len(log.read_text(encoding="utf-8").splitlines())
    seen = set()
    for line in range(8, at, 5):
        call = ["legal", str(log), "--at", str(line)]
        listed = CliRunner().invoke(cli, call).stdout.splitlines()
        objects = json.loads(CliRunner().invoke(cli, [*call, "--format", "json"]).stdout)
        for event, text, found in zip(legal_at(str(log), line), listed, objects, strict=False):
            assert text.endswith("  # changes nothing, and may be refused") is event.refusable
            assert text.endswith("  # changes nothing") is (event.idle and not event.refusable)
            assert (found.pop("x-idle", False), found.pop("x-refusable", False)) == (event.idle, event.refusable)
            assert found == event.json
            seen.add((event.idle, event.refusable))
    assert {(False, False), (True, True)} <= seen
