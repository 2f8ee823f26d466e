"""What `find` can look for in a game and `prove` can answer: goals, events, fields of the table, properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairdeal.checker.reporting.terminal import sentence, wrap

if TYPE_CHECKING:
    from fairdeal.spec.language.game import Game
    from fairdeal.spec.language.properties import Goal, Properties
    from fairdeal.spec.language.sorts import Sort
    from fairdeal.spec.language.state import Variable

GUTTER = 24
"""Columns of names; a longer one has a line of its own."""

FEW = 6
"""As many labels of an index are named one by one; of more, the first and the last."""


def goal_lines(declared: Properties, width: int) -> Iterator[str]:
    """The page of a game, each line as wide as it may be at most."""
    game = declared.game
    yield "Goals:"
    for goal in declared.goals:
        yield from _entry(goal.name, _about(goal), width)
    yield ""
    yield "Events, for a log that ends with one:"
    yield from wrap(_listed(list(game.events)), width, "  ")
    yield ""
    clauses = f"Clauses and gaps, for a log that keeps one or, with --broken, breaks it: `fairdeal rules {game.name}`."
    yield from wrap(sentence(clauses), width)
    yield ""
    yield from wrap(sentence(f"Conditions, such as {_example(game)}, made of"), width)
    for variable in game.variables:
        yield from _entry(_written(variable), _holds(variable), width)
    if game.derived:
        yield from _entry(", ".join(game.derived), "true or false, by the rules", width)
    yield from _entry("joined by", "and, or, not, ==, !=, <, <=, >, >=, +, -, and `in`, for a card and cards", width)


def goal_names(declared: Properties) -> dict[str, list[str]]:
    """The names of what there is to look for, by what they are names of."""
    fields = [_written(variable) for variable in declared.game.variables]
    return {"goals": [goal.name for goal in declared.goals], "fields": [*fields, *declared.game.derived]}


def property_names(declared: Properties) -> dict[str, list[str]]:
    """The ids of a game's properties, named as such."""
    return {"properties": [one.id for one in declared.properties]}


def property_lines(declared: Properties, width: int) -> Iterator[str]:
    """Each property of a game: what it says, and the status that is declared for each of its parts."""
    for one in declared.properties:
        yield from _entry(one.id, one.statement, width)
        for part in one.parts:
            title = f"{part.expected}: {part.title}" if part.title else part.expected
            yield from wrap(sentence(title), width, " " * GUTTER + "- ", " " * (GUTTER + 2))


def _entry(name: str, text: str, width: int) -> list[str]:
    first = f"  {name}".ljust(GUTTER)
    if len(first) <= GUTTER and first.endswith(" "):
        return wrap(sentence(text), width, first)
    return [*wrap(sentence(name), width, "  "), *wrap(sentence(text), width, " " * GUTTER)]


def _about(goal: Goal) -> str:
    chosen = ", ".join(f"{name}={value}" for name, value in goal.readings.items())
    rules = "" if goal.rules == "standard" else f"--rules {goal.rules}"
    under = " and ".join(one for one in (rules, chosen) if one)
    hole = f" [{goal.hole}]" if goal.hole else ""
    return f"{goal.statement}{f' (under {under})' if under else ''}{hole}"


def _listed(names: list[str]) -> list[str]:
    return [f"{name}," for name in names[:-1]] + names[-1:]


def _example(game: Game) -> str:
    """A condition on a zone that has an index, on a stack if there is one, and on the first of the game's cells."""
    zones = [one for one in game.variables if one.kind != "cell" and one.indices]
    zone = next((one for one in zones if one.kind == "stack"), zones[0])
    index = ", ".join(sort.label(sort.low) for sort in zone.indices)
    labels = game.variables[0].sort.labels
    return f"'{zone.name}[{index}].size == 3 and {game.variables[0].name} == {labels[len(labels) // 2]}'"


def _written(variable: Variable) -> str:
    """How a field is written: its name, and the sorts that index it."""
    indices = ", ".join(_span(sort) for sort in variable.indices)
    return f"{variable.name}[{indices}]" if indices else variable.name


def _span(sort: Sort) -> str:
    labels = [sort.label(value) for value in sort.values]
    return "|".join(labels) if len(labels) <= FEW else f"{labels[0]}..{labels[-1]}"


def _holds(variable: Variable) -> str:
    """What a field holds: values to compare it with, or what there is to know of a zone."""
    if variable.kind == "cell":
        return _values(variable.sort)
    known = (".size", ".empty", ".cards") if variable.kind == "bag" else (".size", ".empty", ".top", ".cards")
    return f"{variable.kind} of cards: {', '.join(known)}"


def _values(sort: Sort) -> str:
    if sort.kind != "bool" and sort.labels:
        return " | ".join(label if label.isidentifier() else f"'{label}'" for label in sort.labels)
    match sort.kind:
        case "bool":
            return "true or false"
        case "card":
            return "a card such as 7H, or none"
        case "cards":
            return "cards"
    return "a number"
