"""What was proved: on a terminal a line for each property while it is answered, then a table; or one JSON document."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from fairdeal.checker.reporting.reporter import release
from fairdeal.checker.reporting.terminal import ColorChoice, is_terminal, terminal_width, wants_color

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from fairdeal.checker.proving.foundation import Foundation
    from fairdeal.checker.proving.prover import Result
    from fairdeal.spec.language.properties import Property

INDENT = "  "
COLOURS = {"proved": "green", "refuted": "yellow", "computed": "cyan", "bounded": "magenta", "unknown": "red"}
WIDEST = 120
"""Columns of a table at most, so that lines stay short enough to read."""


LOGS = "--logs DIR writes the games found, and those in which a premise was seen"
"""Said where somebody might want to see them."""


class Spent:
    """The time since it was made: by the clock, and of processor, that of processes which have ended among it."""

    def __init__(self) -> None:
        self._begun, self._used = time.monotonic(), _used()

    @property
    def clock(self) -> float:
        """Seconds that have passed."""
        return time.monotonic() - self._begun

    @property
    def processor(self) -> float:
        """Seconds of all processors together."""
        return _used() - self._used


def _used() -> float:
    return sum(os.times()[:4])


class ProofReporter:
    """Reports results as they come, in the order of the properties at the end, and the time that they share."""

    def __init__(
        self,
        out: TextIO,
        model: str,
        form: str,
        color: ColorChoice,
        wanted: Sequence[Property],
        foundation: Callable[[], Foundation],
        spent: Spent,
        *,
        logs: bool = False,
    ) -> None:
        self.out, self.model, self.form, self.wanted = out, model, form, wanted
        self.foundation, self.spent, self.logs = foundation, spent, logs
        self.results: list[Result] = []
        self.live: Live | None = None
        self.console: Console | None = None
        self._color = wants_color(color, out)
        self._whole = False

    @property
    def as_expected(self) -> bool:
        """Whether every part has the status that is declared for it."""
        return all(result.as_expected for result in self.results)

    def __enter__(self) -> ProofReporter:
        if self.form == "text":
            from rich.console import Console
            from rich.live import Live

            width = min(terminal_width(), WIDEST)
            self.console = Console(
                file=self.out,
                width=width,
                force_terminal=self._color or None,
                no_color=not self._color,
                highlight=False,
            )
            if is_terminal(self.out):
                self.live = Live(get_renderable=self._watched, console=self.console, refresh_per_second=2)
                self.live.start(refresh=True)
        return self

    def add(self, result: Result) -> None:
        """Take a result in, and show it where somebody watches."""
        self.results.append(result)
        if self.live is not None:
            self.live.refresh()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the whole."""
        if self.live is not None:
            self._whole = True
            self.live.stop()
        if kind is not None:
            return
        if self.console is None:
            self.out.write(json.dumps(self._document(), ensure_ascii=False, indent=1) + "\n")
            return
        if self.live is None:
            with self.console.capture() as printed:
                self.console.print(self._table())
            self.out.writelines(f"{line.rstrip()}\n" for line in printed.get().splitlines())
        if not self.logs and any(result.log or result.premise_log for result in self.results):
            self.console.print(LOGS, style="dim", soft_wrap=True)
        self.console.print(self._summary(), style=None if self.as_expected else "red", soft_wrap=True)

    def _ordered(self) -> list[Result]:
        places = {(one.id, id(part)): at for at, (one, part) in enumerate(_parts(self.wanted))}
        return sorted(self.results, key=lambda result: places[result.id, id(result.part)])

    def _empty(self) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True)
        table.add_column("property", no_wrap=True, min_width=max(map(len, COLOURS)) + len(INDENT))
        table.add_column("answer", ratio=1, overflow="fold")
        table.add_column("time", justify="right", no_wrap=True)
        return table

    def _watched(self) -> Table:
        """What a terminal shows at this moment."""
        return self._table() if self._whole else self._progress()

    def _progress(self) -> Table:
        """A line for each property: what is known of its parts, and how many are to come; and what they share."""
        table = self._empty()
        for one in self.wanted:
            results = [result for result in self.results if result.id == one.id]
            left = len(one.parts) - len(results)
            shown = [*map(_status, results), *([f"{left} to come"] if left else [])]
            table.add_row(one.id, ", ".join(shown), _seconds(results))
        self._add_shared(table)
        table.add_row("", "so far, by the clock", f"{self.spent.clock:.0f} s", style="dim")
        return table

    def _add_shared(self, table: Table) -> None:
        """A line for what is proved once for several parts, in whose time it is not."""
        shared = self.foundation()
        if not shared.obligations:
            return
        names = [name for name, there in (("conservation", shared.conservation),) if there]
        names = [f"{shared.invariants} of them", *names] if shared.invariants else names
        text = f"{', and '.join(names)}, shared by the properties"
        if shared.finished < shared.obligations:
            text += f": {shared.finished} of {shared.obligations} obligations answered"
        elif not shared.holds:
            text += ": not all proved"
        table.add_row("invariants" if shared.invariants else "shared", text, f"{shared.seconds:.1f} s")

    def _table(self) -> Table:
        """Each property with its statement, and each of its parts with all that is known of it."""
        table = self._empty()
        results = self._ordered()
        for one in self.wanted:
            parts = [result for result in results if result.id == one.id]
            if parts:
                table.add_row(f"[bold]{one.id}[/]", f"[bold]{escape(one.statement)}[/]", "")
            for result in parts:
                table.add_row(INDENT + _status(result), escape(_answer(result)), _seconds([result]))
            table.add_section()
        self._add_shared(table)
        return table

    def _summary(self) -> str:
        counts = {status: sum(result.status == status for result in self.results) for status in COLOURS}
        shown = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        wrong = [result.id for result in self.results if not result.as_expected]
        agreed = sum(result.agreed for result in self.results)
        also = (
            f"; cvc5 agrees on {agreed} of {sum(result.queries for result in self.results)} queries" if agreed else ""
        )
        time = f"; {self.spent.clock:.1f} s by the clock, {self.spent.processor:.1f} s of processor time"
        return f"{shown}{also}{time}" + (f"; not as declared: {', '.join(dict.fromkeys(wrong))}" if wrong else "")

    def _document(self) -> dict[str, Any]:
        shared = self.foundation()
        return {
            "version": 1,
            "fairdeal": release(),
            "model": self.model,
            "results": [_as_json(result) for result in self._ordered()],
            "shared": {
                "invariants": shared.invariants,
                "conservation": shared.conservation,
                "obligations": shared.finished,
                "seconds": round(shared.seconds, 3),
            },
            "seconds": round(self.spent.clock, 3),
            "processor_seconds": round(self.spent.processor, 3),
            "as_expected": self.as_expected,
        }


def _parts(wanted: Sequence[Property]) -> list[tuple[Property, Any]]:
    return [(one, part) for one in wanted for part in one.parts]


def escape(text: str) -> str:
    """A text that rich takes for what it is, and not for markup."""
    from rich.markup import escape as escaped

    return escaped(text)


def _status(result: Result) -> str:
    return f"[{COLOURS[result.status]}]{result.status}[/]"


def _seconds(results: Sequence[Result]) -> str:
    return f"{sum(result.seconds for result in results):.1f} s" if results else ""


def _answer(result: Result) -> str:
    """What a part says, what was found, by which method, under which readings."""
    part = result.part
    readings = ", ".join(f"{name}={'|'.join(values)}" for name, values in part.readings.items())
    premise = f"premise seen in {result.premise}" if result.premise else ""
    how = "; ".join(text for text in (result.method, premise) if text)
    unlike = "" if result.as_expected else f"declared: {part.expected}"
    found = "; ".join(text for text in (unlike, result.reason) if text)
    lines = (part.title, found, part.note, f"under {readings}" if readings else "", f"by {how}")
    return "\n".join(line for line in lines if line)


def _as_json(result: Result) -> dict[str, Any]:
    return {
        "property": result.id,
        "statement": result.statement,
        "part": result.part.title,
        "readings": {name: list(values) for name, values in result.part.readings.items()},
        "status": result.status,
        "expected": result.part.expected,
        "method": result.method,
        "seconds": round(result.seconds, 3),
        "found": result.reason,
        "note": result.part.note,
        "premise": result.premise,
        "premise_log": result.premise_log,
        "log": result.log,
        "queries": result.queries,
        "agreed": result.agreed,
    }
