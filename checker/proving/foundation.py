"""What parts of properties rest on together: sets of invariants, and conservation, each proved once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairdeal.checker.proving.asking import Answer
from fairdeal.checker.proving.workers import Done, Task

CONSERVATION = "conservation"
"""What several properties rest on, and is proved once for all of them; invariants go by the tuple of their names."""


class Foundation:
    """The proofs that parts share: what is done of them, and the time that no part's row counts.

    ``own`` are those that a property states itself, so that its row counts them.
    """

    def __init__(self, proofs: Mapping[Any, list[Task]] | None = None, own: Iterable[Any] = ()) -> None:
        self.left = {name: len(tasks) for name, tasks in (proofs or {}).items()}
        self.done: dict[Any, list[Done]] = {name: [] for name in self.left}
        self._own = frozenset(own)

    def add(self, done: Done) -> None:
        """Take in what became of an obligation."""
        self.left[done.key] -= 1
        self.done[done.key].append(done)

    def leave(self, task: Task) -> None:
        """Take in that an obligation is not asked, since nothing that is still open needs it."""
        if task.key in self.left:
            self.left[task.key] -= 1

    def is_done(self, names: Iterable[Any]) -> bool:
        """Whether nothing is left to ask of these proofs."""
        return all(self.left[name] == 0 for name in names)

    def of(self, names: Iterable[Any]) -> list[Done]:
        """What became of the obligations of these proofs, in the order of all."""
        wanted = set(names)
        return [one for name, every in self.done.items() if name in wanted for one in every]

    @property
    def _shown(self) -> list[Any]:
        return [name for name in self.left if name not in self._own and (self.left[name] or self.done[name])]

    @property
    def invariants(self) -> int:
        """How many invariants there are in the sets that are proved."""
        return len({one for name in self._shown if name != CONSERVATION for one in name})

    @property
    def conservation(self) -> bool:
        """Whether conservation is proved, and is not the property of a row."""
        return CONSERVATION in self._shown

    @property
    def finished(self) -> int:
        """How many obligations have been answered."""
        return sum(len(self.done[name]) for name in self._shown)

    @property
    def obligations(self) -> int:
        """How many there are, those to come among them."""
        return self.finished + sum(self.left[name] for name in self._shown)

    @property
    def seconds(self) -> float:
        """How long the answers took, by the clock, one after the other."""
        return sum(one.seconds for one in self.of(self._shown))

    @property
    def holds(self) -> bool:
        """Whether all that was answered is proved."""
        return all(is_proved(one) for one in self.of(self._shown))


def is_proved(done: Done) -> bool:
    """Whether an obligation was answered, and holds."""
    return isinstance(done.result, Answer) and done.result.answer == "proved"
