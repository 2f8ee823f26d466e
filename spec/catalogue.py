"""The catalogue of clauses, gaps and codes: what a finding's code means, in words.

It is kept as data in ``clauses/*.toml``, one file a game and ``log.toml`` for faults of a log itself.
A file is read when its game is first asked for: checking a lawful log never reads one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

FOLDER: Final = Path(__file__).parent / "clauses"
LOG: Final = "log"
"""Name of the file with the codes that every game shares."""
SEVERITIES: Final = frozenset({"error", "reading", "unknown", "warning", "note"})

Table: TypeAlias = Mapping[str, object]
T = TypeVar("T")


class CatalogueError(ValueError):
    """A catalogue file is malformed, or there is none for the game asked for."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a game's rules."""

    id: str
    title: str
    statement: str
    """The clause in our own words, a sentence or two."""
    seeds: tuple[str, ...]
    """Source documents that state it."""
    disagreement: str = ""
    """Where those documents differ or are garbled."""
    events: tuple[str, ...] = ()
    """Events of the notation that it concerns, in snake case: ``round_end``."""
    observable: bool = True
    """Whether a log can break it."""
    note: str = ""
    """Why it cannot be observed, or how it is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a gap."""

    value: str
    statement: str
    textual: bool
    """Whether the text allows it; other readings are known from published rules only and excuse nothing."""
    option: str | None = None
    """Option that chooses it; ``None`` where the gap is settled and leaves no choice."""
    published: tuple[str, ...] = ()
    """Short marks of published rules that play so."""
    only_in: str | None = None
    """The one named set of rules in which it can be chosen, where it is not free to all."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that the rules leave open, its readings, and the one that holds by default."""

    id: str
    title: str
    situation: str
    statement: str
    """What holds by default, in our own words."""
    readings: tuple[Reading, ...]
    default: Mapping[str, str]
    """Options of this gap, each with its default value; empty where the gap leaves no choice."""
    settled: str | None = None
    """Value of the reading that always holds, where the gap has no option of its own."""
    shares: tuple[str, ...] = ()
    """Options of other gaps that decide this one as well."""

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options that this gap owns."""
        return tuple(self.default)

    def values(self, option: str) -> tuple[Reading, ...]:
        """Readings that the option chooses from; none if it is not an option of this gap."""
        return tuple(reading for reading in self.readings if reading.option == option)

    def under(self, chosen: Mapping[str, str]) -> str:
        """What holds where some options have been chosen: the default's sentence, or those of the readings chosen."""
        changed = {name: chosen[name] for name, value in self.default.items() if chosen.get(name, value) != value}
        told = [
            f"{one.option}={one.value}: {one.statement}"
            for one in self.readings
            if one.option is not None and changed.get(one.option) == one.value
        ]
        return " ".join(told) or self.statement

    def holds(self, reading: Reading) -> bool:
        """Whether this reading is the one in force by default."""
        if reading.option is None:
            return reading.value == self.settled
        return self.default[reading.option] == reading.value


@dataclass(frozen=True, slots=True)
class Code:
    """A code for what is wrong with a log rather than with the game in it."""

    id: str
    title: str
    statement: str
    help: str
    """What to do about it."""
    severity: str
    """The usual severity: a value of ``SEVERITIES``."""


@dataclass(frozen=True)
class Catalogue:
    """Everything that a finding about one game can cite, by id and in the order of the files."""

    game: str
    title: str
    clauses: Mapping[str, Clause]
    gaps: Mapping[str, Gap]
    codes: Mapping[str, Code]

    def __contains__(self, code: object) -> bool:
        return code in self.clauses or code in self.gaps or code in self.codes

    def __iter__(self) -> Iterator[str]:
        yield from self.clauses
        yield from self.gaps
        yield from self.codes

    def entry(self, code: str) -> Clause | Gap | Code:
        """The clause, gap or code of that id; ``KeyError`` if there is none."""
        found = self.clauses.get(code) or self.gaps.get(code) or self.codes.get(code)
        if found is None:
            raise KeyError(code)
        return found

    def statement(self, code: str) -> str:
        """What the code stands for, as a sentence; for a gap, what holds by default."""
        return self.entry(code).statement

    @cached_property
    def options(self) -> Mapping[str, Gap]:
        """Every option of the game by name, with the gap that owns it."""
        return MappingProxyType({name: gap for gap in self.gaps.values() for name in gap.options})


def games() -> tuple[str, ...]:
    """Names of the games that have a catalogue."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml") if file.stem != LOG))


@cache
def catalogue(game: str) -> Catalogue:
    """The catalogue of a game, by the name that logs give it; ``CatalogueError`` if there is none."""
    known = games()
    if game not in known:
        raise CatalogueError(f"no catalogue for {game!r}; there is one for {', '.join(known)}")
    return parse(_read(game), f"{game}.toml", log_codes())


def parse(text: str, name: str, codes: Mapping[str, Code] | None = None) -> Catalogue:
    """Build a catalogue from TOML text; ``name`` is what errors call it."""
    root = _Fields(_toml(text, name), name)
    game, title = root.text("game"), root.text("title")
    clauses = _by_id([_clause(fields) for fields in root.tables("clause")], name)
    gaps = _by_id([_gap(fields) for fields in root.tables("gap")], name)
    root.done()
    found = Catalogue(game, title, clauses, gaps, codes if codes is not None else MappingProxyType({}))
    _check_across(found, name)
    return found


def parse_codes(text: str, name: str) -> Mapping[str, Code]:
    """Build the codes without a clause from TOML text; ``name`` is what errors call it."""
    root = _Fields(_toml(text, name), name)
    codes = _by_id([_code(fields) for fields in root.tables("code")], name)
    root.done()
    return codes


@cache
def log_codes() -> Mapping[str, Code]:
    """The codes of what can be wrong with a log itself, whatever its game."""
    return parse_codes(_read(LOG), f"{LOG}.toml")


def _read(stem: str) -> str:
    return (FOLDER / f"{stem}.toml").read_text(encoding="utf-8")


def _toml(text: str, name: str) -> Table:
    import tomllib  # only a process that prints a finding pays for it

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{name}: {error}") from error


# ---------------------------------------------------------------- from tables to records


class _Fields:
    """The keys of one TOML table, taken one by one so that what is left over can be reported."""

    def __init__(self, table: Table, place: str) -> None:
        self.place = place
        self._left = dict(table)

    def _take(self, key: str, kind: type[T], default: T | None = None) -> T:
        if key not in self._left and default is not None:
            return default
        if key not in self._left:
            raise CatalogueError(f"{self.place}: {key} is missing")
        value = self._left.pop(key)
        if not isinstance(value, kind):
            raise CatalogueError(f"{self.place}: {key} is {value!r}, not a {kind.__name__}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value = " ".join(self._take(key, str, default).split())
        if not value and default is None:
            raise CatalogueError(f"{self.place}: {key} is empty")
        return value

    def optional(self, key: str) -> str | None:
        return self.text(key) if key in self._left else None

    def flag(self, key: str, default: bool | None = None) -> bool:
        return self._take(key, bool, default)

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._take(key, list, [])
        return tuple(self._all_text(key, values))

    def mapping(self, key: str) -> Mapping[str, str]:
        table = self._take(key, dict, {})
        return MappingProxyType(dict(zip(table, self._all_text(key, list(table.values())), strict=True)))

    def tables(self, key: str) -> Iterator[_Fields]:
        for number, table in enumerate(self._take(key, list, []), 1):
            if not isinstance(table, dict):
                raise CatalogueError(f"{self.place}: {key} {number} is not a table")
            name = table.get("id") or table.get("value") or f"{key} {number}"
            yield _Fields(table, f"{self.place}: {name}")

    def done(self) -> None:
        if self._left:
            raise CatalogueError(f"{self.place}: unknown key {', '.join(self._left)}")

    def _all_text(self, key: str, values: list[object]) -> Iterator[str]:
        for value in values:
            if not isinstance(value, str) or not value:
                raise CatalogueError(f"{self.place}: {key} holds {value!r}, not a word")
            yield value


def _clause(fields: _Fields) -> Clause:
    clause = Clause(
        id=fields.text("id"),
        title=fields.text("title"),
        statement=fields.text("statement"),
        seeds=fields.texts("seeds"),
        disagreement=fields.text("disagreement", ""),
        events=fields.texts("events"),
        observable=fields.flag("observable", default=True),
        note=fields.text("note", ""),
    )
    fields.done()
    if not clause.seeds:
        raise CatalogueError(f"{fields.place}: no source states it")
    if not clause.observable and not clause.note:
        raise CatalogueError(f"{fields.place}: a note must say why it cannot be observed")
    return clause


def _gap(fields: _Fields) -> Gap:
    gap = Gap(
        id=fields.text("id"),
        title=fields.text("title"),
        situation=fields.text("situation"),
        statement=fields.text("statement"),
        readings=tuple(_reading(each) for each in fields.tables("reading")),
        default=fields.mapping("default"),
        settled=fields.optional("settled"),
        shares=fields.texts("shares"),
    )
    fields.done()
    _check_gap(gap, fields.place)
    return gap


def _reading(fields: _Fields) -> Reading:
    reading = Reading(
        value=fields.text("value"),
        statement=fields.text("statement"),
        textual=fields.flag("textual"),
        option=fields.optional("option"),
        published=fields.texts("published"),
        only_in=fields.optional("only_in"),
        note=fields.text("note", ""),
    )
    fields.done()
    return reading


def _code(fields: _Fields) -> Code:
    code = Code(
        id=fields.text("id"),
        title=fields.text("title"),
        statement=fields.text("statement"),
        help=fields.text("help"),
        severity=fields.text("severity"),
    )
    fields.done()
    if code.severity not in SEVERITIES:
        raise CatalogueError(f"{fields.place}: no severity {code.severity!r}")
    return code


# ---------------------------------------------------------------- what must hold between records

_Entry = TypeVar("_Entry", Clause, Gap, Code)


def _by_id(entries: list[_Entry], name: str) -> Mapping[str, _Entry]:
    found: dict[str, _Entry] = {}
    for entry in entries:
        if entry.id in found:
            raise CatalogueError(f"{name}: {entry.id} is there twice")
        found[entry.id] = entry
    return MappingProxyType(found)


def _check_gap(gap: Gap, place: str) -> None:
    if bool(gap.default) == (gap.settled is not None):
        raise CatalogueError(f"{place}: a gap either has options with defaults or is settled")
    chosen = [(reading.option, reading.value) for reading in gap.readings]
    if len(set(chosen)) != len(chosen):
        raise CatalogueError(f"{place}: a value is there twice")
    expected: list[tuple[str | None, str | None]] = [*gap.default.items()] or [(None, gap.settled)]
    for option, value in expected:
        if (option, value) not in chosen:
            raise CatalogueError(f"{place}: no reading {value!r}, which is to hold by default")
    stray = {option for option, _ in chosen} - {option for option, _ in expected}
    if stray:
        raise CatalogueError(f"{place}: readings of {', '.join(map(str, stray))}, which has no default here")


def _check_across(found: Catalogue, name: str) -> None:
    owned = [option for gap in found.gaps.values() for option in gap.options]
    if len(set(owned)) != len(owned):
        raise CatalogueError(f"{name}: one option belongs to two gaps")
    for gap in found.gaps.values():
        for option in gap.shares:
            if option not in owned:
                raise CatalogueError(f"{name}: {gap.id} shares {option}, which no gap owns")
    ids = [*found.clauses, *found.gaps, *found.codes]
    if len(set(ids)) != len(ids):
        raise CatalogueError(f"{name}: one id is a clause, a gap or a code at once")
