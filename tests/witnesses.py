"""Writes the games that `find` finds for every goal, and the page of the holes that they show.

``python -m tests.witnesses [GOAL...]`` looks for them anew and writes ``traces/witnesses/``; ``--page`` writes
``spec/GAPS.md`` alone, from the logs that are there. An ``.expect`` file is written by hand, as everywhere.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fairdeal.checker.proving.finding import NotFound, found
from fairdeal.checker.proving.wanted import Request, wanted
from fairdeal.spec.catalogue import catalogue
from fairdeal.spec.games import MODULES, properties_of
from fairdeal.spec.language.properties import Goal, Properties

from tests.expectations import TRACES

WITNESSES = TRACES / "witnesses"
PAGE = TRACES.parent / "spec" / "GAPS.md"

CLOSED_BY = {
    "deadlock": ("`fifteen=single`", "S-PROGRESS"),
    "deadlock-lone-spit": ("`lone_spit=alone`", "S-PROGRESS"),
    "deadlock-piles": ("`blocked=cards`", "S-PROGRESS"),
    "deadlock-rediscard": ("`rediscard=allow`", "Q-PROGRESS"),
    "deadlock-discard-use": ("`discard_use=false`", "Q-PROGRESS"),
    "nothing-discarded": ("`meldless_out=illegal`", "Q-DISCARD"),
}
"""For each hole that stops a game, or breaks a property: the default that closes it, and the property proved with it."""

STOPS = {
    "finished": "a player is out of stock cards",
    "stuck": "forced spit: both have to spit",
    "lone-spit": "lone spit: only one can",
    "blocked-one-pile": "blocked end with one pile: nobody has to slap first, so it stalls till somebody does",
    "blocked": "blocked end: none can, which ends the round",
    "stalled": "stalled by refusal: cards could be turned up or moved, and nobody has to",
    "deadlock": "truly stuck: no rule applies",
    "deadlock-lone-spit": "truly stuck: no rule applies",
    "deadlock-piles": "truly stuck: no rule applies",
    "out": "a player is out",
    "exhausted": "the draw pile is empty: the discard can be taken",
    "deadlock-rediscard": "truly stuck: no rule applies",
    "deadlock-discard-use": "truly stuck: no rule applies",
}
"""The ways in which play stops, by goal; what is truly stuck by default is refuted by the proofs in `CLOSED_BY`."""

NONE_SHORTER = {
    "livelock": "a table comes back after two moves at the earliest, and a first spit takes four events",
    "blocked-one-pile": "with one pile there are 22 spit cards at least, and each is an event",
    "both-on-one-pile": "a first spit takes five events with the deals, and another spit two",
    "draw": "16 cards at least are played, ten of them turned up before, and a round is begun by four events",
    "blocked": "two players with five whole stocks have 22 spit cards, and each is an event",
    "deadlock-piles": "two players with five whole stocks have 22 spit cards, and each is an event",
    "exhausted": "31 cards are drawn one by one (`Q-EXHAUST`), each with a discard",
    "handed-back": "two turns bring the table back, and one comes before: it begins with another card as the one last taken",
}
"""Why there is no shorter log, where it is longer than those for which `find` has searched all events."""


def path_of(declared: Properties, goal: Goal) -> Path:
    """Where the log of a goal is kept."""
    return WITNESSES / f"{declared.game.name}-{goal.name}.gamelog"


def every_goal() -> list[tuple[Properties, Goal]]:
    """All goals of all games."""
    return [(declared, goal) for declared in map(properties_of, MODULES) for goal in declared.goals]


def write(declared: Properties, goal: Goal, seconds: float) -> None:
    """Find a game for a goal and keep its log."""
    witness = found(wanted(declared, Request(goal.name, seconds=seconds)))
    path_of(declared, goal).write_text(witness.text, encoding="utf-8")


def page() -> str:
    """The page of holes: what the text leaves open, the log that gets there, and what closes it."""
    kept = [(declared, goal) for declared, goal in every_goal() if path_of(declared, goal).is_file()]
    return "\n".join(
        [
            "# Holes in the rules, each with a game that falls into it",
            "",
            "Made by `python -m tests.witnesses --page` from the goals in `spec/*/goals.py`. Each game was found by `fairdeal find`",
            "and is accepted by `fairdeal check`; where a round begins with a split of the cards that is assumed, its log says so.",
            "",
            "| game | hole | as it is read by default | log | events | none shorter | closed by |",
            "|---|---|---|---|---|---|---|",
            *(_row(declared, goal) for declared, goal in kept if goal.hole),
            "",
            "Whether anything else stops a game is asked by `fairdeal prove spit S-PROGRESS`, for every choice of options, scored game",
            "and all, but for the three readings above that stop one, and by `fairdeal prove queen-city-rum Q-PROGRESS`, for every",
            "reading but the two above that stop one.",
            "",
            "## Where play stops",
            "",
            "Every way in which a round comes to a stand, with a log that gets there.",
            "",
            "| game | way | log | events | none shorter |",
            "|---|---|---|---|---|",
            *(_stop(declared, goal) for declared, goal in kept if goal.name in STOPS),
            "",
            "Nothing is truly stuck by default: that is proved as `S-PROGRESS` and `Q-PROGRESS`.",
            "",
        ]
    )


def _row(declared: Properties, goal: Goal) -> str:
    statement = catalogue(declared.game.name).statement(goal.hole).replace("|", "/")
    default, proof = CLOSED_BY.get(goal.name, ("", ""))
    closed = f"{default}, with which `{proof}` is proved" if default else "nothing: the game goes on"
    hole = f"`{goal.hole}`: {goal.statement}{_under(goal)}"
    return f"| {declared.game.title} | {hole} | {statement} | {_log(declared, goal)} | {closed} |"


def _stop(declared: Properties, goal: Goal) -> str:
    return f"| {declared.game.title} | {STOPS[goal.name]}{_under(goal)} | {_log(declared, goal)} |"


def _under(goal: Goal) -> str:
    chosen = ", ".join(f"`{name}={value}`" for name, value in goal.readings.items())
    return f" (under {chosen})" if chosen else ""


def _log(declared: Properties, goal: Goal) -> str:
    """A link to a log, how many events it has, and whether a shorter one would do."""
    path = path_of(declared, goal)
    text = path.read_text(encoding="utf-8")
    count = len([line for line in text.split("\n\n", 1)[1].splitlines() if line.strip()])
    shown = "every event searched" if "no log of fewer reaches it" in text else NONE_SHORTER.get(goal.name, "not shown")
    return f"[{goal.name}](../traces/witnesses/{path.name}) | {count} | {shown}"


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
            except NotFound as failure:
                print(f"not found in time: {goal.name} ({failure})", flush=True)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
