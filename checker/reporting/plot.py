"""A picture of what exploring found: states by depth, and how many of them are endings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairdeal.checker.exploring.rounds import Result

MARKERS = "osD^v"


def plot(result: Result, path: Path) -> None:
    """Draw states and endings by depth, as an SVG file; needs matplotlib (extra ``plot``).

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "fairdeal", "font.size": 10}):  # the same picture for the same result
        figure = Figure(figsize=(9, 5), layout="constrained")
        axes = figure.subplots()
        depths = range(len(result.levels))
        axes.bar(depths, result.levels, width=0.9, color="#c9d6e3", label=f"states ({result.states:,})")
        for marker, (name, counts) in zip(MARKERS, result.final_levels.items(), strict=False):
            points = [(depth, count) for depth, count in enumerate(counts) if count]
            if points:
                axes.plot(*zip(*points, strict=True), marker, markersize=4, label=f"{name} ({sum(counts):,})")
        axes.set_yscale("log")
        axes.set_xlabel("events from the start, at least")
        axes.set_ylabel("states first met there")
        options = ", ".join(f"{name}={value}" for name, value in result.options.items()) or "default options"
        bound = "" if result.complete else " - not complete, a lower bound"
        axes.set_title(f"{result.place}: one {result.part}, {options}{bound}", fontsize=11)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None})
