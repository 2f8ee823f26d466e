"""The coverage of ``--coverage`` for people: what the logs exercised, and what no line of them did."""

from __future__ import annotations

from collections.abc import Iterator

from fairdeal.checker.judging.coverage import Coverage, GameCoverage
from fairdeal.checker.reporting.terminal import WIDEST_PROSE, sentence, wrap

_COLUMNS = f"{'accepted':>12}{'refused':>10}{'broken':>9}"

_MEANING = (
    "A lawful line exercises the clauses that it is a case of, and those with a condition that judged what the line "
    "states, such as its card. An unlawful line exercises the clauses that forbid it. That a condition was read, and "
    "let the line pass whatever it stated, counts for nothing."
)


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """Yields a table of events and one of clauses for each game, what was never met, and what the counts mean."""
    if not coverage.games:
        yield ""
        yield "coverage: no line of any game was judged"
    for name, found in sorted(coverage.games.items()):
        yield ""
        yield f"coverage of {name}: {_share(found.all_events, found.idle_events)} events, " + (
            f"{_share(found.all_clauses, found.idle_clauses)} clauses and gaps"
        )
        yield from _events(found)
        yield from _clauses(found)
        yield from _never("no line of", [_words(event) for event in found.idle_events])
        yield from _never("never met", found.idle_clauses)
    if coverage.games:
        yield from wrap(_MEANING.split(), WIDEST_PROSE, "  ", "  ")


def _share(names: tuple[str, ...], idle: list[str]) -> str:
    return f"{len(names) - len(idle)} of {len(names)}"


def _events(found: GameCoverage) -> Iterator[str]:
    yield f"  {'event':22}{_COLUMNS[:22]}"
    for event in found.all_events:
        if event not in found.idle_events:
            yield f"  {_words(event):22}{found.events[event, False]:>12,}{found.events[event, True]:>10,}"


def _words(event: str) -> str:
    """An event in words, such as ``deal stock``."""
    return event.replace("_", " ")


def _clauses(found: GameCoverage) -> Iterator[str]:
    yield f"  {'clause':22}{_COLUMNS}"
    idle = set(found.idle_clauses)
    for clause in found.all_clauses:
        if clause not in idle:
            counts = f"{found.clauses[clause, False]:>12,}{found.clauses[clause, True]:>10,}{found.broken[clause]:>9,}"
            yield f"  {clause:22}{counts}"


def _never(label: str, names: list[str]) -> Iterator[str]:
    if names:
        yield from wrap(sentence(", ".join(names)), WIDEST_PROSE, f"  {label}: ", "    ")
