"""What was proved: a table that fills as results come, or one JSON document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from fairdeal.checker.reporting.reporter import release
from fairdeal.checker.reporting.terminal import ColorChoice, is_terminal, terminal_width, wants_color

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from fairdeal.checker.proving.prover import Result
    from fairdeal.spec.language.properties import Property

COLOURS = {"proved": "green", "refuted": "yellow", "computed": "cyan", "bounded": "magenta", "unknown": "red"}
PIPED_WIDTH = 120


class ProofReporter:
    """Reports results as they come, in the order of the properties at the end."""

    def __init__(self, out: TextIO, model: str, form: str, color: ColorChoice, wanted: Sequence[Property]) -> None:
        self.out, self.model, self.form, self.wanted = out, model, form, wanted
        self.results: list[Result] = []
        self.live: Live | None = None
        self.console: Console | None = None
        self._color = wants_color(color, out)

    @property
    def as_expected(self) -> bool:
        """Whether every part has the status that is declared for it."""
        return all(result.as_expected for result in self.results)

    def __enter__(self) -> ProofReporter:
        if self.form == "text":
            from rich.console import Console
            from rich.live import Live

            live = is_terminal(self.out)
            width = terminal_width() if live else PIPED_WIDTH
            self.console = Console(file=self.out, width=width, no_color=not self._color, highlight=False)
            if live:
                self.live = Live(self._table(), console=self.console, refresh_per_second=2)
                self.live.start()
        return self

    def add(self, result: Result) -> None:
        """Take a result in, and show it where somebody watches."""
        self.results.append(result)
        if self.live is not None:
            self.live.update(self._table())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the whole."""
        if self.live is not None:
            self.live.update(self._table())
            self.live.stop()
        if kind is not None:
            return
        if self.console is None:
            self.out.write(json.dumps(self._document(), ensure_ascii=False, indent=1) + "\n")
            return
        if self.live is None:
            self.console.print(self._table())
        self.console.print(self._summary(), style=None if self.as_expected else "red", soft_wrap=True)

    def _ordered(self) -> list[Result]:
        places = {(one.id, id(part)): at for at, (one, part) in enumerate(_parts(self.wanted))}
        return sorted(self.results, key=lambda result: places[result.id, id(result.part)])

    def _table(self) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
        for name, ratio in (("property", None), ("status", None), ("how", 3), ("what was found", 5)):
            table.add_column(name, ratio=ratio, overflow="fold")
        table.add_column("time", justify="right")
        done = {(result.id, id(result.part)) for result in self.results}
        for result in self._ordered():
            mark = "" if result.as_expected else f", not {result.part.expected}"
            status = f"[{COLOURS[result.status]}]{result.status}{mark}[/]"
            title = f"{result.id}\n  {result.part.title}" if result.part.title else result.id
            table.add_row(title, status, _how(result), _found(result), f"{result.seconds:.1f} s")
        for one, part in _parts(self.wanted):
            if self.live is not None and (one.id, id(part)) not in done:
                table.add_row(one.id, "…", part.title, "", "")
        return table

    def _summary(self) -> str:
        counts = {status: sum(result.status == status for result in self.results) for status in COLOURS}
        shown = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        wrong = [result.id for result in self.results if not result.as_expected]
        agreed = sum(result.agreed for result in self.results)
        also = (
            f"; cvc5 agrees on {agreed} of {sum(result.queries for result in self.results)} queries" if agreed else ""
        )
        return f"{shown}{also}" + (f"; not as declared: {', '.join(dict.fromkeys(wrong))}" if wrong else "")

    def _document(self) -> dict[str, Any]:
        return {
            "version": 1,
            "fairdeal": release(),
            "model": self.model,
            "results": [_as_json(result) for result in self._ordered()],
            "as_expected": self.as_expected,
        }


def _parts(wanted: Sequence[Property]) -> list[tuple[Property, Any]]:
    return [(one, part) for one in wanted for part in one.parts]


def _how(result: Result) -> str:
    readings = ", ".join(f"{name}={'|'.join(values)}" for name, values in result.part.readings.items())
    return f"{result.method}\n{readings}".strip()


def _found(result: Result) -> str:
    premise = f"its premise: {result.premise}" if result.premise else ""
    return "\n".join(text for text in (result.reason, result.part.note, premise) if text)


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
        "log": result.log,
        "queries": result.queries,
        "agreed": result.agreed,
    }
