"""Code that is kept between calls: whatever an earlier call left there, or damaged, changes no verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .logs import games, opening
from .running import Outcome, fairdeal, sound

COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "generate": lambda log: ["generate", "spit", "--games", "2"],
    "check": lambda log: ["check", str(log)],
    "legal": lambda log: ["legal", str(log), "--at", "60"],
    "show": lambda log: ["show", str(log), "--at", "60"],
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two legal games."""
    path = tmp_path / "a.gamelog"
    path.write_bytes(games(2))
    return path


PAIRS = [*(("generate", each) for each in COMMANDS), ("check", "generate"), ("legal", "check"), ("show", "check")]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_one_command_after_another(first: str, second: str, log: Path, tmp_path: Path) -> None:
    alone = fairdeal(*COMMANDS[second](log), cache=tmp_path / "fresh")
    sound(alone, 0)
    sound(fairdeal(*COMMANDS[first](log), cache=tmp_path / "used"), 0)
    after = fairdeal(*COMMANDS[second](log), cache=tmp_path / "used")
    assert (after.code, after.out, after.err) == (0, alone.out, "")


def test_a_bad_game_first(log: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gamelog"
    bad.write_bytes(opening(60) + b"stuck\nround 7\n")
    sound(fairdeal("check", bad, cache=tmp_path / "used"), 1)
    sound(fairdeal("check", log, cache=tmp_path / "used"), 0)


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "number", "folder", "unwritable"])
def test_damaged_files(damage: str, log: Path, tmp_path: Path) -> None:
    cache = tmp_path / "used"
    sound(fairdeal("check", log, cache=cache), 0)
    files = [each for each in cache.rglob("*") if each.is_file()]
    assert files
    for file in files:
        data = file.read_bytes()
        if damage == "folder":
            file.unlink()
            file.mkdir()
        elif damage == "unwritable":
            file.chmod(0o400)
            file.parent.chmod(0o500)
        else:
            file.write_bytes(
                {"cut": data[: len(data) // 2], "empty": b"", "text": b"no code", "number": b"i\1\0\0\0"}[damage]
            )
    outcome: Outcome = fairdeal("check", log, cache=cache)
    sound(outcome, 0)
    assert outcome.err == ""


def test_a_cache_that_is_a_file(log: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    sound(fairdeal("check", log, cache=tmp_path / "file"), 0)


def test_nowhere_to_keep_it(log: Path) -> None:
    sound(fairdeal("check", log, cache=Path("/dev/null/none")), 0)
