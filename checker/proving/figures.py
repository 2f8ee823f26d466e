"""Figures and cases: computed under every reading that is looked at, and compared with what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from fairdeal.spec.language.game import Game
from fairdeal.spec.language.properties import COMPUTED, PROVED, REFUTED, UNKNOWN, Checked, Computed

Found = tuple[str, str]
"""A status, and in words what was found."""

MOST = 4096
"""Choices of readings for which one figure is computed at most."""


class _Asked(Mapping[str, int]):
    """Options, with the names of those that somebody looked at."""

    def __init__(self, options: Mapping[str, int], seen: set[str]) -> None:
        self._options, self._seen = options, seen

    def __getitem__(self, name: str) -> int:
        self._seen.add(name)
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


def figure(game: Game, claim: Computed, readings: Mapping[str, tuple[str, ...]]) -> Found:
    """What a computation comes to.

    Where it is said what that should be, it is computed for each choice of the readings that are named, and of all
    values of other options that the computation looks at, but for numbers, of which the default is taken.
    """
    seen: set[str] = set()
    first = claim.compute(_Asked(_bound(game, readings, {}), seen))
    if not claim.expected:
        return COMPUTED, first
    tried: set[tuple[tuple[str, str], ...]] = set()
    while True:
        values = {name: readings.get(name) or game.options[name].values for name in sorted({*readings, *seen})}
        every = [tuple(zip(values, one, strict=True)) for one in product(*values.values())]
        left = [one for one in every if one not in tried]
        if not left:
            return COMPUTED, first
        if len(every) > MOST:
            return UNKNOWN, f"it looks at more than {MOST} choices of readings"
        for one in left:
            tried.add(one)
            found = claim.compute(_Asked(_bound(game, readings, dict(one)), seen))
            if found != claim.expected:
                under = ", ".join(f"{name}={value}" for name, value in one)
                told = f" under {under}" if under else ""
                return REFUTED, f"it should come to {claim.expected}, and comes to {found}{told}"


def _bound(game: Game, readings: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str]) -> dict[str, int]:
    return game.bind(None, {**{name: values[0] for name, values in readings.items()}, **chosen})


def cases(claim: Checked) -> Found:
    """Whether all cases of a claim are as they should be; else what is wrong with the first that is not."""
    tried = 0
    for case in claim.cases():
        wrong = claim.wrong(case)
        if wrong:
            return REFUTED, wrong
        tried += 1
    if not tried:
        return UNKNOWN, "there is no case to try"
    return PROVED, f"all {tried} cases are as they should be"
