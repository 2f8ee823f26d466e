"""What a log looks like: the gamelog notation as Lark grammars, one file a game beside ``common.lark``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lark import Lark

COMMON: Final = "common"
"""Name of the grammar that all games import."""
SUFFIX: Final = ".lark"
FOLDER: Final = Path(__file__).parent


@cache
def games() -> tuple[str, ...]:
    """Names of the games that have a grammar, as a log's header writes them."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*" + SUFFIX) if path.stem != COMMON))


def source(name: str) -> str:
    """Text of one grammar: a game's, or ``common``.

    Raises:
        LookupError: there is no grammar of that name.
    """
    if name != COMMON and name not in games():
        raise LookupError(f"there is no grammar for {name!r}; there is one for {', '.join(games())}")
    return (FOLDER / (name + SUFFIX)).read_text("utf-8")


def load(name: str, *start: str) -> Lark:
    """Build Lark's LALR parser of one grammar; a game's begins at ``start``, unless told otherwise.

    Raises:
        LookupError: there is no grammar of that name.
    """
    from lark import Lark

    source(name)  # an unknown game is told by name
    path = str(FOLDER / (name + SUFFIX))
    return Lark.open(path, parser="lalr", maybe_placeholders=False, start=list(start or ("start",)))
