"""Spit's lines as the notation fixes them, written down by hand: text, JSON twin, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairdeal.checker.reading.errors import NotationError
from fairdeal.spec.cards import NAMES


def complaint(read: Callable[..., object], *arguments: object) -> NotationError | None:
    """What reading something complains about; any other exception is let through."""
    try:
        read(*arguments)
    except NotationError as error:
        return error
    return None


def spoiled(text: str) -> set[str]:
    """A text with a character left out, or a mark put in, at any one place."""
    shorter = {text[:at] + text[at + 1 :] for at in range(len(text))}
    return shorter | {text[:at] + mark + text[at:] for at in range(len(text) + 1) for mark in " -|/:#"}


def reads_or_explains(read: Callable[[str], object], text: str) -> None:
    """Spoil a line at any place: it is read, or what is said names a place in it."""
    for each in spoiled(text):
        error = complaint(read, each)
        if error is not None:
            assert 0 <= error.column < error.end_column <= max(1, len(each)), each


def card(name: str) -> int:
    """Code of a card by its canonical name."""
    return NAMES.index(name)


def cards(names: str) -> tuple[int, ...]:
    """Codes of several cards."""
    return tuple(map(card, names.split()))


LAID = "5H | 9C 2D | JS 3H 8D | 4C 4D 7S KH | 2S 9H TD QC AS"
STOCKS = tuple(cards(part) for part in LAID.split("|"))

# text, verb, actor, arguments, JSON twin
LINES: list[tuple[str, str, int | None, dict[str, Any], dict[str, Any]]] = [
    ("round 1", "round", None, {"number": 1}, {"type": "round", "number": 1}),
    (
        f"A deal {LAID} / 6S TC 8H",
        "deal",
        0,
        {"stocks": STOCKS, "spit": cards("6S TC 8H")},
        {
            "type": "deal",
            "player": "A",
            "stocks": [part.split() for part in LAID.split("|")],
            "spit": ["6S", "TC", "8H"],
        },
    ),
    (
        "B deal 5H | - | ?? 7? | - | !! / -",
        "deal",
        1,
        {"stocks": (cards("5H"), (), cards("?? 7?"), (), cards("!!")), "spit": ()},
        {"type": "deal", "player": "B", "stocks": [["5H"], [], ["??", "7?"], [], ["!!"]], "spit": []},
    ),
    (
        "A spit 6S on 1",
        "spit",
        0,
        {"card": card("6S"), "pile": 1},
        {"type": "spit", "player": "A", "card": "6S", "on": 1},
    ),
    (
        "A play 7D from 3 on 1",
        "play",
        0,
        {"card": card("7D"), "slot": 3, "pile": 1},
        {"type": "play", "player": "A", "card": "7D", "from": 3, "on": 1},
    ),
    (
        "B play 7D from 6 on 0",  # a sixth stock, pile 0: read here, refused by the rules
        "play",
        1,
        {"card": card("7D"), "slot": 6, "pile": 0},
        {"type": "play", "player": "B", "card": "7D", "from": 6, "on": 0},
    ),
    (
        "A flip 2C at 3",
        "flip",
        0,
        {"card": card("2C"), "slot": 3},
        {"type": "flip", "player": "A", "card": "2C", "at": 3},
    ),
    (
        "A move 4C from 5 to 2",
        "move",
        0,
        {"card": card("4C"), "slot": 5, "target": 2},
        {"type": "move", "player": "A", "card": "4C", "from": 5, "to": 2},
    ),
    ("A call spit", "call", 0, {}, {"type": "call", "player": "A"}),
    ("stuck", "stuck", None, {}, {"type": "stuck"}),
    ("round end finished A", "round_finished", None, {"player": 0}, {"type": "round_finished", "player": "A"}),
    ("round end blocked", "round_blocked", None, {}, {"type": "round_blocked"}),
    ("A slap 1", "slap", 0, {"pile": 1}, {"type": "slap", "player": "A", "pile": 1}),
    (
        "A collect 1 total 24",
        "collect",
        0,
        {"pile": 1, "total": 24},
        {"type": "collect", "player": "A", "pile": 1, "total": 24},
    ),
    (
        "A collect - total 13",
        "collect",
        0,
        {"pile": 0, "total": 13},
        {"type": "collect", "player": "A", "pile": 0, "total": 13},
    ),
    (
        "A score 12 total 40",
        "score",
        0,
        {"points": 12, "total": 40},
        {"type": "score", "player": "A", "points": 12, "total": 40},
    ),
    ("B win", "win", 1, {}, {"type": "win", "player": "B"}),
    ("tie", "tie", None, {}, {"type": "tie"}),
    (
        "see stock A 3: 7D of 2",
        "see_stock",
        None,
        {"player": 0, "slot": 3, "face": "up", "card": card("7D"), "size": 2},
        {"type": "see_stock", "player": "A", "slot": 3, "face": "up", "card": "7D", "of": 2},
    ),
    (
        "see stock B 3: down of 2",
        "see_stock",
        None,
        {"player": 1, "slot": 3, "face": "down", "card": None, "size": 2},
        {"type": "see_stock", "player": "B", "slot": 3, "face": "down", "of": 2},
    ),
    (
        "see stock A 3: - of 0",
        "see_stock",
        None,
        {"player": 0, "slot": 3, "face": "empty", "card": None, "size": 0},
        {"type": "see_stock", "player": "A", "slot": 3, "face": "empty", "of": 0},
    ),
    ("see spit A: 9", "see_spit", None, {"player": 0, "size": 9}, {"type": "see_spit", "player": "A", "size": 9}),
    (
        "see pile 1: 8H of 5",
        "see_pile",
        None,
        {"pile": 1, "card": card("8H"), "size": 5},
        {"type": "see_pile", "pile": 1, "card": "8H", "of": 5},
    ),
    (
        "see pile 2: - of 0",
        "see_pile",
        None,
        {"pile": 2, "card": None, "size": 0},
        {"type": "see_pile", "pile": 2, "card": None, "of": 0},
    ),
]

BROKEN = [
    # text, the words at fault, message, hint
    ("A flip 10 of H at 3", "10 of H", "`10 of H` is no card", "did you mean TH?"),
    ("A flip ten of hearts at 3", "ten of hearts", "`ten of hearts` is no card", "did you mean TH?"),
    ("A flip 1H at 3", "1H", "`1H` is no card", "did you mean AH?"),
    ("A flip 12♠ at 3", "12♠", "`12♠` is no card", "did you mean QS?"),
    ("A flip 7X at 3", "7X", "`7X` is no card", "`X` is no suit: S, H, D or C"),
    ("A flip XH at 3", "XH", "`XH` is no card", "`X` is no rank: A, 2 to 9, T, J, Q or K"),
    ("A flip 🂬 at 3", "🂬", "`🂬` is no card", "the Knight is not a card of this pack"),
    ("A flip ??*2 at 3", "??*2", "`??*2` is no card", "an entry is repeated only in a list of cards, as in ??*11"),
    ("A flip 5H, at 3", "5H,", "`5H,` is no card", "cards are set apart by spaces alone: 5H"),
    ("A flip 5H,6H;7H at 3", "5H,6H;7H", "`5H,6H;7H` is no card", "cards are set apart by spaces alone: 5H 6H 7H"),
    ("A flip 5H10C at 3", "5H10C", "`5H10C` is no card", "cards are set apart by spaces alone: 5H TC"),
    ("A deal [5H, 9C] | - | - | - | - / 6H", "[5H,", "`[5H,` is no card", "cards are set apart by spaces alone: 5H"),
    ("A deal 5H 9C, | - | - | - | - / 6H", "9C,", "`9C,` is no card", "cards are set apart by spaces alone: 9C"),
    (
        "A flip Queen at 3",
        "Queen",
        "`Queen` is no card",
        "a suit is missing: QS, QH, QD or QC, and Q? if nobody saw which",
    ),
    ("A flip 10 at 3", "10", "`10` is no card", "a suit is missing: TS, TH, TD or TC, and T? if nobody saw which"),
    (
        "A flip joker at 3",
        "joker",
        "`joker` is no card",
        "a card is its rank and its suit, such as 7D or TH; the form is `A flip CARD at SLOT`",
    ),
    ("plya", "plya", "`plya` is no event", "did you mean `play`?"),
    ("B plya 7D from 3 on 1", "plya", "`plya` is no event", "did you mean `play`?"),
    ("a play 7D from 3 on 1", "a", "`a` is no player", "did you mean A?"),
    ("Ada play 7D from 3 on 1", "Ada", "`Ada` is no player", "events name the players A and B"),
    (
        "play 7D from 3 on 1",
        "play",
        "`play` needs a player before it",
        "the form is `A play CARD from SLOT on PILE`",
    ),
    ("A stuck", "A", "`stuck` takes no player before it", "the form is `stuck`"),
    (
        "A play 7D from3 on 1",
        "from3",
        "a space is missing after `from`",
        "the form is `A play CARD from SLOT on PILE`",
    ),
    ("see pile 1: -of 0", "of", "a space is missing before `of`", "the form is `see pile PILE: - of SIZE`"),
    (
        "A play 7D frm 3 on 1",
        "frm",
        "`frm` stands where `from` is due",
        "the form is `A play CARD from SLOT on PILE`",
    ),
    (
        "A play 7D from 3",
        "3",
        "the line ends where `on` is due",
        "the form is `A play CARD from SLOT on PILE`",
    ),
    (
        "A play 7D from 12 on 1",
        "12",
        "`12` stands where the slot, a digit, is due",
        "the form is `A play CARD from SLOT on PILE`",
    ),
    (
        "A play 7D from 3 on 1 refused rnk",
        "rnk",
        "`rnk` is no reason for refusing",
        "did you mean `rank`? reasons: race, rank, facedown, turn or other; or none",
    ),
    ("A win rfused", "rfused", "`rfused` is left over", "did you mean `refused`?"),
    ("A flip 7D at 3#c", "3#c", "`3#c` stands where the slot, a digit, is due", "a comment's # has a space before it"),
    (
        "A deal 5H | 9C | - | ?? / 6H",
        "/",
        "`/` stands where `|` is due",
        "the form is `A deal CARDS | CARDS | CARDS | CARDS | CARDS / SPIT`",
    ),
    (
        "A deal 5H | 9C | - | ??*30 | - / ??*30",
        "5H | 9C | - | ??*30 | - / ??*30",
        "more than 52 cards in one line: a pack has no more",
        "",
    ),
    (
        "A deal 5H | - | - | - | - / ??*1000000000",
        "??*1000000000",
        "more than 52 cards in one line: a pack has no more",
        "",
    ),
    ("round 1234567890", "1234567890", "a number of more than 9 digits", ""),
    (
        "see pile 1: 8H of 5 refused",
        "refused",
        "`refused` is left over at the end",
        "the form is `see pile PILE: CARD of SIZE`",
    ),
]
"""Lines that are not in the notation, and what is said of them."""
