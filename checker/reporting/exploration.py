"""What exploring has shown, as text or as a JSON document, and its progress on a terminal."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from fairdeal.checker.reporting.reporter import release
from fairdeal.checker.reporting.terminal import is_terminal, visible
from fairdeal.spec.cards import card_name

if TYPE_CHECKING:
    from rich.status import Status

    from fairdeal.checker.engines.native import Search
    from fairdeal.checker.exploring.census import Rate, Summary
    from fairdeal.checker.exploring.counting import Level
    from fairdeal.checker.exploring.hands import Hand, Partition
    from fairdeal.checker.exploring.rounds import Outcome, Result

WIDTH = 100
STOPPED = {
    "states": "the limit of --states was met",
    "memory": "the limit of --memory was met",
    "interrupt": "it was interrupted",
}


class Progress:
    """One line on a terminal that says how far a search is; nothing where nobody watches."""

    def __init__(self) -> None:
        self.status: Status | None = None

    def __enter__(self) -> Progress:
        if is_terminal(sys.stderr):
            from rich.console import Console

            self.status = Console(stderr=True).status("")
            self.status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self.status is not None:
            self.status.stop()

    def say(self, what: str) -> None:
        """Say what is being done."""
        if self.status is not None:
            self.status.update(what)

    def done(self, deals: int, of: int) -> None:
        """Say how many deals of a census are done."""
        if self.status is not None:
            self.status.update(f"{deals:,} of {of:,} deals")

    def note(self, what: str, search: Search) -> None:
        """Say how far the search is."""
        if self.status is not None:
            import time

            seconds = max(time.perf_counter() - search.began, 1e-6)
            self.status.update(
                f"{what}: {search.count:,} states, {search.count / seconds:,.0f}/s, {search.count - search.head:,} "
                f"to look at, depth {search.depth}, {_size(search.memory)}"
            )


def _rate_of(result: Result) -> str:
    return f"{result.states / max(result.closing_seconds, 1e-3):,.0f} states/s"


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GB" if number >= 1 << 30 else f"{number / (1 << 20):.1f} MB"


def as_json(result: Result) -> str:
    """One document; its numbers are lower bounds where ``complete`` is false."""
    return json.dumps({"version": 1, "fairdeal": release(), **asdict(result)}, ensure_ascii=False, indent=1) + "\n"


def as_text(result: Result) -> str:
    """A table of classes, and what else was asked, for people."""
    parts = [_head(result), _outcomes(result), _most(result), _kept(result), _reservations(result)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(result: Result) -> str:
    options = ", ".join(f"{name}={value}" for name, value in result.options.items()) or "as by default"
    how = "compiled" if result.compiled else "as plain Python, slower (numba is not installed, or not asked for)"
    lines = [
        f"{visible(result.place)}: one {result.part}, {result.rules} rules, options {options}",
        f"{result.states:,} states, {result.arcs:,} steps between them, depth {result.depth}",
        f"{result.closing_seconds:.1f} s of processor to search ({_rate_of(result)}), {_size(result.memory)}, {how}; "
        f"with all that is asked below {result.cpu_seconds:.1f} s, {result.seconds:.1f} s by the clock; compiling "
        f"{result.compile_seconds:.1f} s",
    ]
    if result.complete:
        lines.append(f"complete: this is all that can happen in the {result.part}")
    else:
        lines.append(
            f"NOT complete: {STOPPED[result.stopped]}, with {result.waiting:,} states not looked at. What follows is a "
            "lower bound: what was found exists, and what was not found may exist all the same."
        )
    return "\n".join(textwrap.fill(line, WIDTH) for line in lines)


def _outcomes(result: Result) -> str:
    none = "none" if result.complete else "none yet"
    shortest = "shortest way" if result.complete else "shortest so far"
    rows = [("class", "states", shortest, "longest way", "what it is")]
    for one in result.outcomes:
        states = f"{one.states:,}" if one.states else none
        rows.append((one.name, states, _number(one.shortest), _longest(one, result), one.meaning))
    lines = _table(rows, right={1, 2, 3})
    if any(one.looped for one in result.outcomes):
        lines.append("* with events that change nothing but a name, such a way can be as long as one likes (null-loop)")
    return "\n".join(lines)


def _longest(one: Outcome, result: Result) -> str:
    if one.longest is None:
        return "not known" if one.states and not result.complete else _number(None)
    return f"{one.longest}{'*' if one.looped else ''}"


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.rjust(widths[at]) if at in right else text.ljust(widths[at]) for at, text in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return lines


def _most(result: Result) -> str:
    if not result.most:
        return ""
    finals = [one.name for one in result.outcomes if one.final and any(one.name in each.fewest for each in result.most)]
    rows = [("event", f"most in one {result.part}", "bound", *(f"fewest to {name}" for name in finals))]
    for one in result.most:
        fewest = [_number(one.fewest.get(name)) for name in finals]
        rows.append((one.event, str(one.most), _number(one.bound), *fewest))
    rows.append(("all", _number(result.longest), "", *("" for _ in finals)))
    return "\n".join(_table(rows, right=range(1, len(rows[0]))))


def _kept(result: Result) -> str:
    rows = []
    for one in result.kept:
        found = ", ".join(one.endings) if one.endings else "no" if one.complete else "not known"
        rows.append((one.name, found, one.meaning))
    if not rows:
        return ""
    return "\n".join(_table([(f"a {result.part} in which", "can end", ""), *rows]))


def _reservations(result: Result) -> str:
    texts = [f"merged: {one}" for one in result.merged]
    texts += [f"made at once: {one}" for one in result.at_once]
    texts += [f"left out: {one}" for one in result.left_out]
    if result.at_once:
        texts.append(
            "ways are counted with those events made at once: the longest are the longest of all, the shortest need "
            "not be the shortest (--merge alike counts those)"
        )
    return "\n".join(textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for text in texts)


class CountReporter:
    """How many sequences of events there are, by depth: a line each as it is counted, or one JSON document."""

    def __init__(self, out: TextIO, place: str, engine: str, form: str) -> None:
        self.out, self.form = out, form
        self.document: dict[str, Any] = {"version": 1, "fairdeal": release(), "place": place, "engine": engine}
        if form == "text":
            out.write(f"{visible(place)}: sequences of events, counted by the {engine} engine\n\n")
            out.write(f"{'depth':>5}  {'sequences':>20}  {'tables':>12}  by their last event\n")

    def level(self, level: Level) -> None:
        """Take in a depth."""
        if self.form == "json":
            self.document.setdefault("levels", []).append(asdict(level))
            return
        events = ", ".join(f"{name} {number:,}" for name, number in sorted(level.by_event.items()))
        classes = "".join(f"; {number:,} to {name}" for name, number in sorted(level.classes.items()))
        self.out.write(f"{level.depth:>5}  {level.sequences:>20,}  {level.tables:>12,}  {events}{classes}\n")
        self.out.flush()

    def divide(self, parts: Mapping[str, int], depth: int) -> None:
        """Take in the breakdown by the first event."""
        if self.form == "json":
            self.document |= {"depth": depth, "divide": dict(parts)}
            self.end()
            return
        self.out.write(f"{depth:>5}  {sum(parts.values()):>20,}\n\n")
        self.out.writelines(f"{number:>27,}  {visible(text)}\n" for text, number in parts.items())

    def end(self) -> None:
        """Write the document, if it is one."""
        if self.form == "json":
            self.out.write(json.dumps(self.document, ensure_ascii=False, indent=1) + "\n")


def census_json(summary: Summary) -> str:
    """One document; rates with the ends of their 95% intervals."""
    document = {"version": 1, "fairdeal": release(), **asdict(summary)}
    for name in ("classes", "kept"):
        for fields, rate in zip(document[name], getattr(summary, name), strict=True):
            fields["interval"] = list(rate.interval)
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def census_text(summary: Summary) -> str:
    """A table of how often each class can be reached."""
    plan = summary.plan
    options = ", ".join(f"{name}={value}" for name, value in plan.options.items()) or "as by default"
    rules = plan.rules or "standard"
    head = [
        f"{plan.game}: {summary.deals:,} deals from seed {plan.seed}, {rules} rules, options {options}",
        f"{summary.complete:,} of them explored to the end"
        + ("" if summary.complete == summary.deals else "; of the others, what was found exists, and the rest is open"),
    ]
    rows = [("can be reached", "deals", "not known", "share of all deals, 95%")]
    rows += [_rate(one) for one in summary.classes]
    parts = ["\n".join(head), "\n".join(_table(rows, right={1, 2, 3}))]
    if summary.kept:
        kept = [("there is one in which", "deals", "not known", "share of all deals, 95%"), *map(_rate, summary.kept)]
        parts.append("\n".join(_table(kept, right={1, 2, 3})))
    if summary.complete:
        fewest, median, most = summary.states
        lines = [f"states of a complete deal: {fewest:,} to {most:,}, median {median:,}; longest way {summary.longest}"]
        lines += [_nearness(event, *values) for event, values in summary.most.items()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _rate(one: Rate) -> tuple[str, str, str, str]:
    low, high = one.interval
    return one.name, f"{one.found:,}", f"{one.unknown:,}", f"{low:.1%} to {high:.1%}"


def _nearness(event: str, most: int, bound: int | None, met: int) -> str:
    if bound is None:
        return f"most {event} events: {most}"
    return f"most {event} events: {most}, and no more than {bound} can be; met by {met:,} deals"


def hand_json(hand: Hand) -> str:
    """One document, cards by their names."""
    document = {
        "version": 1,
        "fairdeal": release(),
        "game": hand.game,
        "options": dict(hand.options),
        "hand": list(map(card_name, hand.cards)),
        "partitions": [
            {
                "melds": [list(map(card_name, meld)) for meld in one.melds],
                "rest": list(map(card_name, one.rest)),
                "worth": one.worth,
                "final": one.final,
            }
            for one in hand.partitions
        ],
        "way_out": list(hand.way_out),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def hand_text(hand: Hand) -> str:
    """The partitions that nothing can be added to, the best first, and a way out if there is one."""
    final = [one for one in hand.partitions if one.final]
    lines = [
        f"{hand.game}: {len(hand.cards)} cards, {len(hand.partitions):,} ways to lay some of them down or none, "
        f"{len(final):,} to which no meld can be added",
        "",
        *_table([("worth", "melds", "left"), *map(_partition, final)], right={0}),
        "",
        "goes out: " + "; ".join(hand.way_out) if hand.way_out else "cannot go out in this turn by itself",
    ]
    return "\n".join(lines) + "\n"


def _partition(one: Partition) -> tuple[str, str, str]:
    melds = " | ".join(" ".join(map(card_name, meld)) for meld in one.melds)
    return str(one.worth), melds or "-", " ".join(map(card_name, one.rest)) or "-"
