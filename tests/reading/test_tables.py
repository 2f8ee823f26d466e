"""The table derived from a grammar, and its cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeal import grammar
from fairdeal.checker.reading.forms import GrammarError, derive
from fairdeal.checker.reading.tables import cache_folder, table


@pytest.fixture
def _no_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    table.cache_clear()


def fresh(name: str = "spit") -> object:
    """The table, built or read anew."""
    table.cache_clear()
    return table(name)


@pytest.mark.usefixtures("_no_table")
@pytest.mark.parametrize("name", ["spit", "common"])
def test_what_is_kept_is_what_was_built(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built = fresh(name)
    monkeypatch.setattr(grammar, "load", None)  # from here on nothing can be built
    assert fresh(name) == built


@pytest.mark.usefixtures("_no_table")
@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", '{"built_from": 3}', "[" * 5000])
def test_a_broken_cache_is_built_anew(text: str) -> None:
    built = fresh()
    (path,) = cache_folder().iterdir()
    path.write_text(text)
    assert fresh() == built
    assert path.read_text() != text


@pytest.mark.usefixtures("_no_table")
def test_a_changed_grammar_is_built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh()
    old = grammar.source
    monkeypatch.setattr(grammar, "source", lambda name: old(name) + "\n// changed")
    calls: list[str] = []
    load = grammar.load

    def counted(name: str, *start: str) -> object:
        calls.append(name)
        return load(name, *start)

    monkeypatch.setattr(grammar, "load", counted)
    fresh()
    assert calls == ["spit"]


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "no"))
    assert fresh() == derive(grammar.load("spit"))


def test_a_second_start_needs_no_lark(tmp_path: Path) -> None:
    code = (
        "import sys; from fairdeal.checker.reading.notation import notation;"
        "from fairdeal.checker.reading.prefix import split_prefix; split_prefix('1 A win');"
        "notation('spit').parse('A win'); print('lark' in sys.modules)"
    )
    run = [sys.executable, "-c", code]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    printed = [subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout for _ in "ab"]
    assert printed == ["True\n", "False\n"]


def test_the_games() -> None:
    assert "spit" in grammar.games()
    assert grammar.COMMON not in grammar.games()
    with pytest.raises(LookupError):
        grammar.source("../spit")


def test_keys_of_an_object_are_distinct() -> None:
    for game in grammar.games():
        for form in table(game).forms:
            keys = [part.key for part in form.rest if hasattr(part, "key")]
            assert len(set(keys)) == len(keys), form
            assert not {"type", "seq", "t", "refused"} & set(keys)
            assert not (form.has_actor and "player" in keys)


def test_an_argument_has_one_meaning() -> None:
    from lark import Lark

    text = 'start: event\nevent: "go" way -> go\nway: A | B\nA: "a"\nB: "b"\n'
    with pytest.raises(GrammarError, match="more than one"):
        derive(Lark(text, parser="lalr"))
