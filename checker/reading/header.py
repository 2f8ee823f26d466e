"""A game's header: which game it is, by which rules, and who played it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from fairdeal import grammar
from fairdeal.checker.reading.errors import nearest, shown
from fairdeal.checker.reading.forms import Argument, Keyword
from fairdeal.checker.reading.json_lines import LazySpans
from fairdeal.checker.reading.logs import without_colon
from fairdeal.checker.reading.tables import table
from fairdeal.spec.games import meant_game

STANDARD: Final = "standard"
"""The set of rules that a header without ``rules`` names."""
VERSION: Final = "1"
"""The version of the notation that is read."""
_LINE: Final = re.compile(r"[ \t]*([^ \t:]+)[ \t]*:[ \t]*(.*?)[ \t]*", re.DOTALL)
_LONGEST_LIST: Final = 200
"""Most options in one header, and most problems kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of one line; line and columns count from 1, the end is exclusive."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True, slots=True)
class HeaderProblem:
    """One thing wrong with a header."""

    place: Place
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The value that a header gives to an option."""

    value: str
    place: Place


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of one game says; where a value is bad, it is as if it were not given."""

    line: int
    """Line on which the game begins."""
    version: int | None = None
    game: str | None = None
    rules: str = STANDARD
    options: Mapping[str, Choice] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    id: str | None = None
    date: str | None = None
    source: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    """The ``x-`` keys."""
    problems: tuple[HeaderProblem, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where each key's value stands."""


@cache
def _types() -> Mapping[str, str]:
    """Type of each key's value, by key; the key ``""`` stands for the extra ones."""
    found = {}
    for form in table(grammar.COMMON).forms:
        key = form.parts[0].text if isinstance(form.parts[0], Keyword) else ""
        for part in form.parts[1:]:
            if isinstance(part, Argument):
                found[key] = part.types[0]
    return found


@cache
def _pattern(terminal: str) -> re.Pattern[str]:
    return re.compile(table(grammar.COMMON).terminals[terminal])


class HeaderBuilder:
    """Takes the lines of one header, in order; ``finish`` says what they add up to."""

    def __init__(self) -> None:
        self._first = 0
        self._began = ""
        """The key that the header begins with, as it was meant."""
        self._meant: dict[str, tuple[str, Place]] = {}
        self._values: dict[str, str] = {}
        self._places: dict[str, Place] = {}
        self._options: dict[str, Choice] = {}
        self._problems: list[HeaderProblem] = []

    def feed(self, number: int, line: str) -> None:
        """Take one header line, with its number in the file from 1."""
        if missing := without_colon(line):
            self._without_colon(number, line, *missing)
            return
        match = _LINE.fullmatch(line)
        if match is None:
            self._problem(Place(number, 1, len(line) + 1), "this is no header line", "write `key: value`")
            return
        place = Place(number, match.start(2) + 1, max(match.end(2), match.start(2) + 1) + 1)
        self._take(match[1], match[2], Place(number, match.start(1) + 1, match.end(1) + 1), place)

    def _without_colon(self, number: int, line: str, key: str, start: int, end: int) -> None:
        """Take a line whose colon is missing for what it means, and say so."""
        value = line[end:].strip(" \t")
        begin = len(line) - len(line[end:].lstrip(" \t")) + 1
        place = Place(number, begin, begin + max(len(value), 1))
        gap = Place(number, start + 1, max(end, start + 1) + 1 if line[end - 1] in " \t" else end + 1)
        self._problem(gap, f"a colon is missing after {shown(key)}", f"write {shown(f'{key}: {value}')}")
        self._mean(key, value, place)

    def _mean(self, key: str, value: str, place: Place) -> None:
        """Note what a faulty line says, which holds unless a good one says it too."""
        self._first, self._began = self._first or place.line, self._began or key
        self._meant.setdefault(key, (value, place))

    def _adopt(self) -> None:
        """Take what faulty lines mean where no good line says it; they have been complained of already."""
        problems = self._problems
        for key, (value, place) in self._meant.items():
            if key not in self._places:
                self._places[key] = place
                self._problems = []
                self._value(key, meant_game(value) or value if key == "game" else value, _types()[key], place)
        self._problems = problems

    def feed_object(self, number: int, line: str, obj: Mapping[str, object]) -> None:
        """Take a header that is one JSON object."""
        spans = LazySpans(line)
        for key, value in obj.items():
            start, end = spans.of(key)
            place = Place(number, start + 1, end + 1)
            if key == "options" and isinstance(value, dict):
                self._start(number, key, place, place)
                for name, choice in value.items():
                    self._choose(f"{name}={_plain(choice)}", place)
                continue
            self._take(key, _plain(value), place, place)

    def finish(self) -> Header:
        """The header, with what is wrong with it."""
        start = Place(self._first, 1, 2)
        self._adopt()
        if self._first and self._began != "gamelog":
            self._problem(start, "a game begins with another line", f"write `gamelog: {VERSION}` first")
        if "game" not in self._places:
            hint = f"write `game: NAME`; games: {', '.join(grammar.games())}"
            self._problem(start, "the header does not name the game", hint)
        values = self._values
        return Header(
            self._first,
            int(values["gamelog"]) if "gamelog" in values else None,
            values.get("game"),
            values.get("rules", STANDARD),
            MappingProxyType(self._options),
            tuple(name.strip(" \t") for name in values["players"].split(",")) if "players" in values else (),
            values.get("id"),
            values.get("date"),
            values.get("source"),
            MappingProxyType({key: value for key, value in values.items() if key.startswith("x-")}),
            tuple(self._problems),
            MappingProxyType(self._places),
        )

    def _start(self, number: int, key: str, key_place: Place, place: Place) -> bool:
        self._first, self._began = self._first or number, self._began or key
        if key in self._places:
            first = self._places[key].line
            self._problem(key_place, f"the key {shown(key)} is given twice", f"it stands on line {first} already")
            return False
        self._places[key] = place
        return True

    def _take(self, key: str, value: str, key_place: Place, place: Place) -> None:
        terminal = _types().get(key)
        if terminal is None and _pattern("EXTRA").fullmatch(key):
            terminal = _types()[""]
        if terminal is None:
            self._first = self._first or place.line
            near = nearest(key, [known for known in _types() if known])
            hint = f"did you mean `{near}`?" if near else "keys of your own begin with `x-`"
            if near == "game" and value not in grammar.games() and (game := meant_game(value)):
                hint = f"did you mean `game: {game}`?"
            self._problem(key_place, f"{shown(key)} is no key of a header", hint)
            if near:
                self._mean(near, value, place)
        elif self._start(place.line, key, key_place, place):
            self._value(key, value, terminal, place)

    def _value(self, key: str, value: str, terminal: str, place: Place) -> None:
        if key == "options":
            for piece in _pieces(value, place):
                self._choose(*piece)
        elif key == "game" and value and value not in grammar.games():
            near = meant_game(value)
            hint = f"did you mean `{near}`?" if near else f"games: {', '.join(grammar.games())}"
            self._problem(place, f"{shown(value)} is no game known here", hint)
        elif not _pattern(terminal).fullmatch(value) and (value or key in ("gamelog", "game", "rules", "players")):
            self._problem(place, *_bad(key, value))
        else:
            self._values[key] = value

    def _choose(self, text: str, place: Place) -> None:
        name, _, value = (part.strip(" \t") for part in text.partition("="))
        if not _pattern("CHOICES").fullmatch(text) or len(self._options) >= _LONGEST_LIST:
            self._problem(place, f"{shown(text)} is no option", "write `name=value, name=value`")
        elif name in self._options:
            self._problem(place, f"the option {shown(name)} is given twice")
        else:
            self._options[name] = Choice(value, place)

    def _problem(self, place: Place, message: str, hint: str = "") -> None:
        if len(self._problems) < _LONGEST_LIST:
            self._problems.append(HeaderProblem(place, message, hint))


def _pieces(value: str, place: Place) -> Iterator[tuple[str, Place]]:
    column = place.column
    for piece in value.split(",") if value else ():
        text = piece.strip(" \t")
        start = column + len(piece) - len(piece.lstrip(" \t"))
        yield text, Place(place.line, start, max(start + len(text), start + 1))
        column += len(piece) + 1


def _bad(key: str, value: str) -> tuple[str, str]:
    match key:
        case "gamelog":
            return f"{shown(value)} is no version of the notation that can be read", f"write `gamelog: {VERSION}`"
        case "players":
            commas = value.count(",") > 1
            hint = "write two names with a comma between: `Ada, Ben`"
            return f"{shown(value)} does not name two players", hint + "; no name has one in it, nor in JSON" * commas
        case "game":
            return f"{shown(value)} is no game known here", f"games: {', '.join(grammar.games())}"
        case "rules":
            return f"{shown(value)} is no set of rules", "write a name in lower case, such as `standard`"
    return f"{shown(value)} is no value for `{key}`", "write one line of text"


def _plain(value: object) -> str:
    """A JSON value as the text of a header writes it."""
    if isinstance(value, str):
        return value.strip(" \t").encode(errors="replace").decode()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(map(_plain, value))
    return json.dumps(value)
