"""What exploring has shown, as text or as a JSON document, and its progress on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from fairdeal.checker.reporting.reporter import release
from fairdeal.checker.reporting.terminal import Paint, is_terminal, sentence, terminal_width, visible, wants_color, wrap
from fairdeal.spec.cards import card_name

if TYPE_CHECKING:
    from rich.status import Status

    from fairdeal.checker.engines.native import Search
    from fairdeal.checker.exploring.census import Rate, Summary
    from fairdeal.checker.exploring.counting import Level
    from fairdeal.checker.exploring.hands import Hand, Partition
    from fairdeal.checker.exploring.rounds import Outcome, Result

MOST_WIDE = 100
"""Columns of a line at most, however wide the terminal is."""
COLUMN = 26
"""Columns that a last column of prose has at least; with less room it stands below its row."""
MERGED_WAYS = "merged"
"""Heads the column of the shortest ways, where some events are made at once: no way is shorter so, others may be."""

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


class Page:
    """Lines for people, as wide as the terminal or 80 columns, in colour where somebody watches."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.width = min(terminal_width(), MOST_WIDE)
        self.paint = Paint(out is not None and wants_color("auto", out))

    def prose(self, text: str, rest: str = "", style: str = "") -> list[str]:
        """A text over as many lines as it needs."""
        lines = wrap(sentence(text), self.width, "", rest)
        return [self.paint(style, line) for line in lines] if style else lines

    def table(self, rows: Sequence[Sequence[str]], right: Iterable[int] = (), *, prose: bool = False) -> list[str]:
        """Rows under a head; with ``prose`` the last column is wrapped, below its row where it has no room beside."""
        wide = len(rows[0]) - prose
        widths = [max(len(row[at]) for row in rows) for at in range(wide)]
        indent = sum(widths) + 2 * wide
        lines = []
        for number, row in enumerate(rows):
            cells = [row[at].rjust(widths[at]) if at in right else row[at].ljust(widths[at]) for at in range(wide)]
            text = "  ".join(cells)
            if not prose or not row[-1]:
                found = [text.rstrip()]
            elif self.width - indent >= COLUMN:
                found = wrap(sentence(row[-1]), self.width, f"{text}  ", " " * indent)
            elif number == 0:
                found = [text.rstrip()]
            else:
                found = [text.rstrip(), *wrap(sentence(row[-1]), self.width, "    ")]
            lines += [self.paint("dim", line) for line in found] if number == 0 else found
        return lines


def as_text(result: Result, page: Page | None = None) -> str:
    """A table of classes, and what else was asked, for people."""
    page = page or Page()
    blocks = (_head, _outcomes, _most, _kept, _reservations)
    parts = ["\n".join(block(result, page)) for block in blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(result: Result, page: Page) -> list[str]:
    options = ", ".join(f"{name}={value}" for name, value in result.options.items()) or "as by default"
    how = "compiled" if result.compiled else "as plain Python, slower (numba is not installed, or not asked for)"
    lines = [
        *page.prose(f"{result.place}: one {result.part}, {result.rules} rules, options {options}", style="bold"),
        *page.prose(f"{result.states:,} states, {result.arcs:,} steps between them, depth {result.depth}"),
        *page.prose(
            f"searched in {result.closing_seconds:.1f} s of processor ({_rate_of(result)}), {_size(result.memory)}, "
            f"{how}; all that is asked took {result.cpu_seconds:.1f} s, {result.seconds:.1f} s by the clock; "
            f"compiling {result.compile_seconds:.1f} s"
        ),
    ]
    if result.complete:
        return [*lines, *page.prose(f"complete: this is all that can happen in the {result.part}", style="legal")]
    left = f"{result.waiting:,} states not looked at" if result.waiting else "states left out that are one step further"
    text = (
        f"NOT complete: {STOPPED[result.stopped]}, with {left}. What follows is a "
        "lower bound: what was found exists, and what was not found may exist all the same."
    )
    return [*lines, *page.prose(text, style="warning")]


def _outcomes(result: Result, page: Page) -> list[str]:
    none = "none" if result.complete else "none yet"
    shortest, longest = (MERGED_WAYS if result.at_once else "shortest") if result.complete else "so far", "longest"
    rows = [("class", "states", shortest, longest, "what it is")]
    for one in result.outcomes:
        states = f"{one.states:,}" if one.states else none
        rows.append((one.name, states, _number(one.shortest), _longest(one, result), one.meaning))
    lines = page.table(rows, right={1, 2, 3}, prose=True)
    ways = "the shortest way that was seen so far" if not result.complete else "the shortest and the longest way"
    if result.complete and result.at_once:
        ways = "the shortest of the ways on which some events are made at once (merged; others may be shorter, "
        ways += "--merge alike counts those), and the longest of all,"
    lines += page.prose(f"{ways} there, in events", "  ")
    if any(one.looped for one in result.outcomes):
        lines += page.prose("* or as long as one likes, with events that change nothing but a name (null-loop)", "  ")
    return lines


def _longest(one: Outcome, result: Result) -> str:
    if one.longest is None:
        return "not known" if one.states else _number(None)
    return f"{one.longest}{'*' if one.looped else ''}"


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _most(result: Result, page: Page) -> list[str]:
    if not result.most:
        return []
    finals = [one.name for one in result.outcomes if one.final and any(one.name in each.fewest for each in result.most)]
    so_far = "" if result.complete else " so far"
    rows = [("event", f"most{so_far}", "bound", *finals)]
    for one in result.most:
        fewest = [_number(one.fewest.get(name)) for name in finals]
        rows.append((one.event, str(one.most), _number(one.bound), *fewest))
    if result.complete:
        rows.append(("all", _number(result.longest), "", *("" for _ in finals)))
    said = f"the most in any {result.part}, what bounds them in a {result.part} of full stocks, and the fewest on a way"
    return [*page.table(rows, right=range(1, len(rows[0]))), *page.prose(f"{said} to each ending{so_far}", "  ")]


def _kept(result: Result, page: Page) -> list[str]:
    rows = []
    for one in result.kept:
        found = ", ".join(one.endings) if one.endings else "no" if one.complete else "not known"
        rows.append((one.name, found, one.meaning))
    if not rows:
        return []
    lines = page.table([(f"a {result.part} in which", "can end", ""), *rows], prose=True)
    if result.at_once and any(not one.endings and not one.complete for one in result.kept):
        text = "not known: what is made at once can bring what somebody need not have brought about (--merge alike)"
        lines += page.prose(text, "  ")
    if not result.complete and any(not one.endings and one.complete for one in result.kept):
        text = (
            f"no: settled all the same, for a search of its own has seen every {result.part} of that kind to the end, "
            "which are fewer"
        )
        lines += page.prose(text, "  ")
    return lines


def _reservations(result: Result, page: Page) -> list[str]:
    texts = [f"merged, as the rules were checked to allow: {one}" for one in result.merged]
    texts += [f"made at once: {one}" for one in result.at_once]
    texts += [f"left out: {one}" for one in result.left_out]
    if result.at_once:
        texts.append(
            "ways are counted with those events made at once: the longest are the longest of all, the shortest need "
            "not be the shortest (--merge alike counts those)"
        )
    return [line for text in texts for line in page.prose(text, "  ")]


class CountReporter:
    """How many sequences of events there are, by depth: a line each as it is counted, or one JSON document."""

    def __init__(self, out: TextIO, place: str, engine: str, form: str) -> None:
        self.out, self.form, self.page = out, form, Page(out)
        self.document: dict[str, Any] = {"version": 1, "fairdeal": release(), "place": place, "engine": engine}
        if form == "text":
            head = self.page.prose(f"{place}: sequences of events, counted by the {engine} engine")
            out.writelines(f"{line}\n" for line in [*head, ""])

    def level(self, level: Level) -> None:
        """Take in a depth."""
        if self.form == "json":
            self.document.setdefault("levels", []).append(asdict(level))
            return
        if level.depth == 1:
            self.out.write(f"{'depth':>5}  {'sequences':>20}  {'tables':>12}  by their last event\n")
        events = ", ".join(f"{name} {number:,}" for name, number in sorted(level.by_event.items()))
        classes = "".join(f"; {number:,} to {name}" for name, number in sorted(level.classes.items()))
        first = f"{level.depth:>5}  {level.sequences:>20,}  {level.tables:>12,}  "
        lines = wrap(sentence(f"{events}{classes}"), self.page.width, first, " " * len(first))
        self.out.writelines(f"{line}\n" for line in lines)
        self.out.flush()

    def divide(self, parts: Mapping[str, int], depth: int) -> None:
        """Take in the breakdown by the first event."""
        if self.form == "json":
            self.document |= {"depth": depth, "divide": dict(parts)}
            self.end()
            return
        self.out.write(f"\n{f'of depth {depth}':>27}  begin with\n")
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


def census_text(summary: Summary, page: Page | None = None) -> str:
    """A table of how often each class can be reached."""
    page = page or Page()
    plan = summary.plan
    options = ", ".join(f"{name}={value}" for name, value in plan.options.items()) or "as by default"
    rules = plan.rules or "standard"
    partly = summary.complete < summary.deals
    rest = (
        "; of the others, what was found exists, and what was not may exist all the same: not known" if partly else ""
    )
    head = [
        *page.prose(f"{plan.game}: {summary.deals:,} deals from seed {plan.seed}, {rules} rules, options {options}"),
        *page.prose(f"{summary.complete:,} of them explored to the end{rest}"),
    ]
    parts = [head]
    for title, rates in (("can be reached", summary.classes), ("there is one in which", summary.kept)):
        if rates:
            rows = [(title, "deals", "not known", "share of all deals, 95%"), *map(_rate, rates)]
            parts.append(page.table(rows, right={1, 2, 3}))
    if partly and summary.kept:
        text = (
            "each of these was asked by a search of its own, which leaves out what the player does not do; where that "
            "search has seen all, there is none, though not everything in the deal was seen"
        )
        parts[-1] += page.prose(text, "  ")
    if summary.most:
        so_far = " so far" if partly else ""
        rows = [("event", f"most{so_far}", "bound", "met by deals")]
        for event, (most, bound, met) in summary.most.items():
            rows.append((event, str(most), _number(bound), "-" if bound is None else f"{met:,}"))
        parts.append(page.table(rows, right={1, 2, 3}))
    if summary.complete:
        fewest, median, largest = summary.states
        text = f"a complete deal has {fewest:,} to {largest:,} states, median {median:,}; longest way {summary.longest}"
        parts.append(page.prose(text, "  "))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _rate(one: Rate) -> tuple[str, str, str, str]:
    low, high = one.interval
    return one.name, f"{one.found:,}", f"{one.unknown:,}", f"{low:.1%} to {high:.1%}"


def hand_json(hand: Hand) -> str:
    """One document, cards by their names."""
    document = {
        "version": 1,
        "fairdeal": release(),
        "game": hand.game,
        "options": dict(hand.options),
        "worth_means": hand.meaning,
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


def hand_text(hand: Hand, page: Page | None = None) -> str:
    """The partitions that nothing can be added to, the best first, and a way out if there is one."""
    page = page or Page()
    final = [one for one in hand.partitions if one.final]
    head = (
        f"{hand.game}: {len(hand.cards)} cards, {len(hand.partitions):,} ways to lay some of them down or none, "
        f"{len(final):,} to which no meld can be added"
    )
    out = "goes out: " + "; ".join(hand.way_out) if hand.way_out else "cannot go out in this turn by itself"
    table = page.table([("worth", "melds", "left"), *map(_partition, final)], right={0})
    worth = page.prose(f"worth: {hand.meaning}", "  ")
    return "\n".join([*page.prose(head), "", *table, *worth, "", *page.prose(out, "  ")]) + "\n"


def _partition(one: Partition) -> tuple[str, str, str]:
    melds = " | ".join(" ".join(map(card_name, meld)) for meld in one.melds)
    return str(one.worth), melds or "-", " ".join(map(card_name, one.rest)) or "-"
