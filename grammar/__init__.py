"""What a log looks like: the gamelog notation as Lark grammars, one file a game beside ``common.lark``."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lark import Lark

COMMON: Final = "common"
"""Name of the grammar that all games import."""
SUFFIX: Final = ".lark"


def games() -> tuple[str, ...]:
    """Names of the games that have a grammar, as a log's header writes them."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX) and name != COMMON + SUFFIX))


def source(name: str) -> str:
    """Text of one grammar: a game's, or ``common``."""
    if name != COMMON and name not in games():
        raise LookupError(f"there is no grammar for {name!r}; there is one for {', '.join(games())}")
    return files(__name__).joinpath(name + SUFFIX).read_text("utf-8")


def load(name: str, start: str = "start") -> Lark:
    """Build Lark's LALR parser of one grammar, without its number-keyed tables being cached."""
    from lark import Lark

    source(name)  # an unknown game is told by name
    return Lark.open_from_package(__name__, name + SUFFIX, start=start, parser="lalr", maybe_placeholders=False)
