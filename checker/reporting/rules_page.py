"""A game's rules as a page to read: clauses, what the text leaves open, options and their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from fairdeal.checker.reporting.terminal import Paint, columns, sentence, visible, wrap
from fairdeal.spec.catalogue import Catalogue, Clause, Code, Gap, Reading
from fairdeal.spec.language import Option, RuleSet
from fairdeal.spec.language.policy import Policy

Entry = Clause | Gap | Code


class Rules(Protocol):
    """What the page needs of a game's model."""

    @property
    def version(self) -> str:
        """Name and digest."""

    @property
    def options(self) -> Mapping[str, Option]:
        """The options by name."""

    @property
    def rule_sets(self) -> Mapping[str, RuleSet]:
        """The named sets of options."""

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The ways to play at random; the first is the usual one."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Writes what a game's model and its catalogue say, at a width."""

    rules: Rules
    book: Catalogue
    paint: Paint
    width: int

    def whole(self) -> Iterator[str]:
        """Yields every clause, gap and code with a sentence each, the options' values, named sets, and policies."""
        yield f"{self.paint('bold', self.book.title)} ({visible(self.rules.version)})"
        yield from self._section("Clauses", self.book.clauses.values())
        yield from self._section("Gaps: what the text leaves open, and how it can be read", self.book.gaps.values())
        yield from self._section("Faults of a log", self.book.codes.values())
        yield from self._loose()
        yield from self._sets()
        yield from self._policies()

    def entry(self, code: str) -> Iterator[str]:
        """Yields one clause, gap or code in full; ``KeyError`` if there is none of that name."""
        entry = self.book.entry(code)
        yield f"{self.paint('bold', entry.id)}  {visible(entry.title)}"
        yield ""
        yield from wrap(sentence(entry.statement), self.width, "  ")
        remarks = [wrap(sentence(text), self.width, f"  {name}: ") for name, text in _remarks(entry) if text]
        for block in (*remarks, list(self._readings(entry))):
            if block:
                yield ""
                yield from block

    def _section(self, title: str, entries: Iterable[Entry]) -> Iterator[str]:
        entries = list(entries)
        if not entries:
            return
        yield ""
        yield self.paint("gutter", title)
        margin = max(columns(entry.id) for entry in entries) + 4
        for entry in entries:
            label = f"  {entry.id}".ljust(margin)
            topic = f"{entry.title}: " if isinstance(entry, Gap) else ""
            lines = wrap(sentence(topic + entry.statement), self.width, label)
            yield self.paint("bold", label) + lines[0][len(label) :]
            yield from lines[1:]
            yield from self._readings(entry)

    def _readings(self, entry: Entry) -> Iterator[str]:
        readings = entry.readings if isinstance(entry, Gap) else ()
        for option in self.rules.options.values():
            if option.gap == entry.id:
                yield from self._option(option, readings)
        for reading in readings:
            if reading.option is None and isinstance(entry, Gap):
                support = _support(reading.textual)
                yield from self._value(reading.value, entry.holds(reading), "always", support, reading.statement)

    def _option(self, option: Option, readings: Iterable[Reading]) -> Iterator[str]:
        if option.numeric:
            low, high = option.numeric
            yield from self._value(
                f"{option.name}={option.default}", True, "default", f"any number from {low} to {high}", ""
            )
            return
        meanings = {reading.value: reading.statement for reading in readings if reading.option == option.name}
        for value in option.values:
            support = _support(value in option.textual)
            meaning = meanings.get(value, "")
            yield from self._value(f"{option.name}={value}", value == option.default, "default", support, meaning)

    def _value(self, value: str, holds: bool, mark: str, support: str, meaning: str) -> Iterator[str]:
        note = f"({mark}, {support})" if holds else f"({support})"
        label = f"    {visible(value)} {note}{':' if meaning else ''}"
        lines = wrap(sentence(meaning), self.width, f"{label} ", " " * 8) if meaning else [label]
        yield self.paint("bold" if holds else "aside", label) + lines[0][len(label) :]
        yield from lines[1:]

    def _loose(self) -> Iterator[str]:
        loose = [option for option in self.rules.options.values() if option.gap not in self.book]
        if loose:
            yield ""
            yield self.paint("gutter", "Further options")
        for option in loose:
            yield from self._option(option, ())

    def _sets(self) -> Iterator[str]:
        if self.rules.rule_sets:
            yield ""
            yield self.paint("gutter", "Named sets of options (--rules)")
        for name, chosen in self.rules.rule_sets.items():
            yield from self._named(visible(name), chosen.statement, chosen.options)

    def _policies(self) -> Iterator[str]:
        if self.rules.policies:
            yield ""
            yield self.paint("gutter", "How random games are played (generate --policy)")
        for number, (name, policy) in enumerate(self.rules.policies.items()):
            default = " (default)" if number == 0 else ""
            yield from self._named(f"{visible(name)}{default}", policy.meaning, policy.readings)

    def _named(self, name: str, meaning: str, options: Mapping[str, str]) -> Iterator[str]:
        """A name, what it stands for, and the values of options that it chooses."""
        label = f"  {name}:"
        lines = wrap(sentence(meaning), self.width, f"{label} ", "    ")
        yield self.paint("bold", label) + lines[0][len(label) :]
        yield from lines[1:]
        if options:
            yield from wrap([f"{option}={value}" for option, value in options.items()], self.width, "    ")


def _support(textual: bool) -> str:
    return "textual" if textual else "published"


def _remarks(entry: Entry) -> list[tuple[str, str]]:
    """What a clause, gap or code says beyond its statement, each with a name; some are empty."""
    match entry:
        case Clause():
            return [
                ("sources", ", ".join(entry.seeds)),
                ("where they differ", entry.disagreement),
                ("events", ", ".join(entry.events)),
                ("note" if entry.observable else "not seen in a log", entry.note),
            ]
        case Gap():
            shares = f"decided by {', '.join(entry.shares)} too" if entry.shares else ""
            return [("situation", entry.situation), ("options", shares)]
        case Code():
            return [("usual severity", entry.severity), ("what to do", entry.help)]
