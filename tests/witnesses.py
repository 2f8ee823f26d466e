"""Writes the games that `find` finds for every goal, and the page of the holes that they show.

``python -m tests.witnesses [GOAL...]`` looks for them anew and writes ``traces/witnesses/``; ``--page`` writes
``spec/GAPS.md`` alone, from the logs that are there. An ``.expect`` file is written by hand, as everywhere.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fairdeal.checker.proving.scripts import solve
from fairdeal.checker.proving.witnesses import checked
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import MODULES, properties_of
from fairdeal.spec.language.properties import Goal, Properties

from tests.expectations import TRACES

WITNESSES = TRACES / "witnesses"
PAGE = TRACES.parent / "spec" / "GAPS.md"

CLOSED_BY = {
    "GAP-SPIT-7": "`lone_spit=alone`",
    "GAP-SPIT-11": "`fifteen=single`",
    "SPIT-END-2": "`blocked=cards`",
}
"""For each hole in which a game cannot go on, the default that closes it: S-PROGRESS is proved with it."""


def path_of(declared: Properties, goal: Goal) -> Path:
    """Where the log of a goal is kept."""
    return WITNESSES / f"{declared.game.name}-{goal.name}.gamelog"


def every_goal() -> list[tuple[Properties, Goal]]:
    """All goals of all games."""
    return [(declared, goal) for declared in map(properties_of, MODULES) for goal in declared.goals]


def write(declared: Properties, goal: Goal, seconds: float) -> None:
    """Find a game for a goal and keep its log."""
    game, options = declared.game, declared.game.bind(goal.rules, goal.readings)
    lines = solve(game, options, goal, seconds=seconds)
    notes = [f"{goal.name}: {goal.statement}."]
    notes += [] if goal.late is None else ["Assumed: a round that begins with this split of the cards."]
    witness = checked(game, lines, goal.readings, goal.rules, notes)
    path_of(declared, goal).write_text(witness.text, encoding="utf-8")


def page() -> str:
    """The page of holes: what the text leaves open, the log that gets there, and what closes it."""
    lines = [
        "# Holes in the rules, each with a game that falls into it",
        "",
        "Made by `python -m tests.witnesses --page` from the goals in `spec/*/goals.py`. Each game was found by `fairdeal find`",
        "and is accepted by `fairdeal check`; where a round begins with a split of the cards that is assumed, its log says so.",
        "",
        "| game | hole | as it is read by default | log | lines | closed by |",
        "|---|---|---|---|---|---|",
    ]
    for declared, goal in every_goal():
        if goal.hole and path_of(declared, goal).is_file():
            lines.append(_row(declared, goal))
    lines += [
        "",
        "Whether anything else stops a game is asked by `fairdeal prove spit S-PROGRESS`, for every choice of options, scored game",
        "and all, but for the three readings above that stop one, and by `fairdeal prove queen-city-rum Q-PROGRESS`, for a round that is on.",
        "",
    ]
    return "\n".join(lines)


def _row(declared: Properties, goal: Goal) -> str:
    path = path_of(declared, goal)
    body = path.read_text(encoding="utf-8").split("\n\n", 1)[1]
    count = len([line for line in body.splitlines() if line.strip()])
    statement = catalogue(declared.game.name).statement(goal.hole).replace("|", "/")
    chosen = ", ".join(f"`{name}={value}`" for name, value in goal.readings.items())
    stops = goal.name.startswith("deadlock")
    closed = CLOSED_BY.get(goal.hole, "") if stops else "nothing: the game goes on"
    under = f" (under {chosen})" if chosen else ""
    link = f"[{goal.name}](../traces/witnesses/{path.name})"
    return f"| {declared.game.title} | `{goal.hole}`: {goal.statement}{under} | {statement} | {link} | {count} | {closed} |"


def main(words: Sequence[str] | None = None) -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(prog="python -m tests.witnesses", description=__doc__)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("goals", nargs="*")
    call = parser.parse_args(words)
    WITNESSES.mkdir(exist_ok=True)
    for declared, goal in every_goal():
        if not call.page and (not call.goals or goal.name in call.goals):
            try:
                write(declared, goal, call.seconds)
                print(f"written: {path_of(declared, goal).name}", flush=True)
            except TimeoutError as failure:
                print(f"not found in time: {goal.name} ({failure})", flush=True)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
