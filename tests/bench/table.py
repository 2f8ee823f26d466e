"""The figures as a table, and as JSON."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from statistics import median

from .figures import NOMINAL, Bench, Figure

WORDS = {True: "met", False: "NOT MET", None: ""}


def render(figures: Sequence[Figure], benches: Sequence[Bench]) -> str:
    """A table with one line for each figure."""
    head = ("game", "what", "measured", "x chess", "bar", "", "by ratio", "goal", "", "how")
    rows = [head, *(_row(one) for one in figures)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    right = {2, 3, 4, 7}
    lines = [
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    lines.insert(1, "-" * max(map(len, lines)))
    speeds = [speed for bench in benches for speed in bench.speeds]
    spread = f"{min(speeds):,.0f} to {max(speeds):,.0f}"
    lines += [
        "",
        f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}.",
        "Speeds are by the processor's time on one core, whole processes of one log by the clock.",
        f"x chess: times python-chess reading PGN just afterwards ({spread} plies/s in this run).",
        f"by ratio: the bar divided by {NOMINAL:,} plies/s, the speed of python-chess where the bars were set.",
    ]
    return "\n".join(line.rstrip() for line in lines)


def _row(figure: Figure) -> tuple[str, ...]:
    return (
        figure.game,
        figure.what,
        f"{_number(figure.value)} {figure.unit}",
        "" if figure.ratio is None else f"{figure.ratio:.2f}",
        "" if figure.bar is None else _number(figure.bar),
        WORDS[figure.reaches(figure.bar)],
        WORDS[figure.ratio_reaches(figure.bar)],
        "" if figure.goal is None else _number(figure.goal),
        WORDS[figure.reaches(figure.goal)],
        figure.note,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3f}".rstrip("0")


def as_json(figures: Sequence[Figure], benches: Sequence[Bench]) -> dict[str, object]:
    """The same for a program; ``met`` is null where there is no such mark."""
    speeds = [speed for bench in benches for speed in bench.speeds]
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "events": {bench.game: bench.events for bench in benches},
        "plies_per_second": {"median": median(speeds), "all": speeds},
        "figures": [
            {
                **vars(one),
                "bar_met": one.reaches(one.bar),
                "bar_met_by_ratio": one.ratio_reaches(one.bar),
                "goal_met": one.reaches(one.goal),
            }
            for one in figures
        ],
    }
