"""The types of the notation's arguments: how each is read from a word, written, and named to people.

The types are the terminals of ``common.lark``; a type that is not listed here is plain text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from fairdeal.checker.reading.errors import BadValueError
from fairdeal.spec.cards import DECK, NOT_A_CARD, RANK_ONLY, RANKS, SUITS, UNKNOWN, card_code, card_name

Cards: TypeAlias = tuple[int, ...]
Value: TypeAlias = int | str | Cards | tuple[Cards, ...] | None
Single: TypeAlias = int | str | Cards
"""Value of one word or one list, as it stands in a log."""

PLAYERS: Final = {"A": 0, "B": 1}
DIGITS: Final = 9
"""Most digits of a whole number among an event's arguments."""

_USUAL_CARD: Final = f"[{RANKS}][{SUITS}]"
_USUAL_CARDS: Final = rf"{_USUAL_CARD}(?: {_USUAL_CARD})*(?![^ \t|\/])"

_SUIT_SYMBOLS: Final = str.maketrans("♠♡♢♣♤♥♦♧", "SHDCSHDC", "\ufe0e\ufe0f")
_BLOCKS: Final = "SHDC"  # U+1F0A0, B0, C0, D0: sixteen code points a suit
_FIRST_BLOCK: Final = 0x1F0A0
_KNIGHT: Final = 12


def _card(text: str) -> int:
    """Code of a card in any spelling that the grammar accepts."""
    if text == "??":
        return UNKNOWN
    if text == "!!":
        return NOT_A_CARD
    if len(text) == 1:
        block, number = divmod(ord(text) - _FIRST_BLOCK, 16)
        return card_code(number - (2 if number > _KNIGHT else 1), SUITS.index(_BLOCKS[block]))
    plain = text.translate(_SUIT_SYMBOLS).upper().replace("10", "T")
    if plain[0] in SUITS:
        plain = plain[1] + plain[0]
    rank = RANKS.index(plain[0])
    return RANK_ONLY + rank if plain[1] == "?" else card_code(rank, SUITS.index(plain[1]))


class _Spellings(dict[str, int]):
    """Codes by spelling, worked out when a spelling is first met; there are few thousand of them."""

    def __missing__(self, text: str) -> int:
        if "*" in text or text == "-":
            raise KeyError(text)
        code = self[text] = _card(text)
        return code


_CODES: Final = _Spellings()
PLAIN_CODE: Final = {card_name(code): code for code in range(DECK)}.__getitem__
"""Code of a card in the spelling that most logs use."""


def read_card(text: str) -> int:
    """Code of one card."""
    return _CODES[text]


def read_cards(text: str) -> Cards:
    """Codes of a list of cards, repetitions written out; ``-`` is an empty list.

    Raises:
        BadValueError: an entry is no card, or they are more than a pack has.
    """
    words = text.split()
    try:
        cards = tuple(map(PLAIN_CODE, words))
    except KeyError:
        cards = _cards(words)
    if len(cards) > DECK:
        raise too_many()
    return cards


def _cards(words: list[str]) -> Cards:
    try:
        return tuple([_CODES[card] for card in words])
    except KeyError:
        return () if words == ["-"] else _repeated(words)


def too_many() -> BadValueError:
    """The error of a line that names more cards than a pack has."""
    return BadValueError(f"more than {DECK} cards in one line: a pack has no more")


def _repeated(entries: list[str]) -> Cards:
    cards: list[int] = []
    for entry in entries:
        card, star, count = entry.partition("*")
        if len(count.lstrip("0")) > DIGITS:
            raise too_many()
        times = int(count) if star else 1
        if times == 0:
            raise BadValueError("an entry repeated no times at all", "leave it out, or write `-` for no cards")
        if len(cards) + times > DECK:
            raise too_many()
        cards.extend([_CODES[card]] * times)
    return tuple(cards)


def read_whole(text: str) -> int:
    """A whole number of at most nine digits.

    Raises:
        BadValueError: it has more digits than any number of a game.
    """
    if len(text) > DIGITS and len(text.lstrip("0")) > DIGITS:
        raise BadValueError(f"a number of more than {DIGITS} digits")
    return int(text)


def _write_cards(value: Value) -> str:
    if not isinstance(value, tuple):
        raise TypeError(f"a list of cards was expected, not {value!r}")
    return " ".join(card_name(card) for card in value if isinstance(card, int)) or "-"


def _write_card(value: Value) -> str:
    return card_name(_whole(value))


def _write_player(value: Value) -> str:
    return "AB"[_whole(value)]


def _write_whole(value: Value) -> str:
    return str(_whole(value))


def read_signed(text: str) -> int:
    """A whole number of at most nine digits, which may be below nothing."""
    return -read_whole(text[1:]) if text[0] == "-" else read_whole(text)


def _write_signed(value: Value) -> str:
    if not isinstance(value, int):
        raise TypeError(f"a whole number was expected, not {value!r}")
    return str(value)


def _read_label(text: str) -> int:
    return read_whole(text[1:])


def _write_label(value: Value) -> str:
    return f"m{_whole(value)}"


def _whole(value: Value) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"a whole number was expected, not {value!r}")
    return value


@dataclass(frozen=True, slots=True)
class Kind:
    """One type of argument."""

    read: Callable[[str], Single]
    write: Callable[[Value], str]
    meaning: str
    """What people call it, with its article."""
    example: str
    """Such a thing in the notation."""
    number: bool = False
    """Whether JSON has it as a number."""
    many: bool = False
    """Whether JSON has it as a list."""
    usual: str = ""
    """Expression of the spelling that most logs use, which is tried first because it is quick; "" if there is none."""


KINDS: Final = {
    "PLAYER": Kind(PLAYERS.__getitem__, _write_player, "a player, A or B", "A"),
    "DIGIT": Kind(int, _write_whole, "a digit", "3", number=True),
    "WHOLE": Kind(read_whole, _write_whole, "a whole number", "12", number=True),
    "SIGNED": Kind(read_signed, _write_signed, "a whole number", "-12", number=True),
    "LABEL": Kind(_read_label, _write_label, "a label such as m1", "m1"),
    "CARD": Kind(read_card, _write_card, "a card", "7D"),
    "CARDS": Kind(read_cards, _write_cards, "cards, or `-` for none", "7D KH", many=True, usual=_USUAL_CARDS),
}


def kind(terminal: str) -> Kind:
    """The type that a terminal of the grammar stands for."""
    found = KINDS.get(terminal)
    return found or Kind(str, str, f"a {terminal.lower()}", terminal.lower())
