"""Games of Queen City Rum told by their events: who draws, melds and discards; cards are named, or left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from fairdeal.spec.cards import NAMES
from fairdeal.spec.language.properties import Act
from fairdeal.spec.queen_city_rum.deal import HAND, begin_round, deal, turn_up
from fairdeal.spec.queen_city_rum.ending import win
from fairdeal.spec.queen_city_rum.table import Player
from fairdeal.spec.queen_city_rum.turn import discard, draw, lay_off, meld, take

A, B = Player.A, Player.B
Cards = str | int
"""Cards by their names, with blanks between them; or how many there are, where they are open."""


def _row(cards: Cards) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a line states of a row, and how long the row is where that is all."""
    if isinstance(cards, int):
        return {}, {"cards": cards}
    return {"cards": tuple(NAMES.index(name) for name in cards.split())}, {}


def _other(player: Player) -> Player:
    return B if player is A else A


def _one(card: str) -> dict[str, Any]:
    return {"card": NAMES.index(card)} if card else {}


class Teller:
    """Tells rounds, line by line; A has the first turn unless another is named."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.melds = self.round = 0

    def dealt(self, a: Cards = HAND, b: Cards = HAND, up: str | None = "", *, first: Player = A) -> Teller:
        """Begin a round and deal it: to who has the first turn, then to the other.

        With ``None`` for the first discard, the first turn shows what it is.
        """
        self.round, self.melds = self.round + 1, 0
        self.acts.append(Act(begin_round, {"number": self.round, "first": int(first)}))
        for player, cards in ((first, a), (_other(first), b)):
            values, lengths = _row(cards)
            self.acts.append(Act(deal, {"player": int(player), **values}, lengths))
        if up is not None:
            self.acts.append(Act(turn_up, _one(up)))
        return self

    def draw(self, player: Player, card: str = "") -> Teller:
        """Draw from the draw pile."""
        self.acts.append(Act(draw, {"player": int(player), **_one(card)}))
        return self

    def take(self, player: Player) -> Teller:
        """Take the top discard."""
        self.acts.append(Act(take, {"player": int(player)}))
        return self

    def meld(self, player: Player, *melds: Cards) -> Teller:
        """Make melds, in new places."""
        for cards in melds:
            self.melds += 1
            values, lengths = _row(cards)
            self.acts.append(Act(meld, {"player": int(player), "meld": self.melds, **values}, lengths))
        return self

    def lay(self, player: Player, place: int, cards: Cards = 1) -> Teller:
        """Lay cards off on a meld."""
        values, lengths = _row(cards)
        self.acts.append(Act(lay_off, {"player": int(player), "meld": place, **values}, lengths))
        return self

    def discard(self, player: Player, cards: Cards = 1) -> Teller:
        """Discard a card."""
        values, lengths = _row(cards)
        self.acts.append(Act(discard, {"player": int(player), **values}, lengths))
        return self

    def turn(self, player: Player, *melds: Cards, card: str = "", away: Cards = 1) -> Teller:
        """A whole turn: a draw, melds, a discard."""
        return self.draw(player, card).meld(player, *melds).discard(player, away)

    def win(self, player: Player) -> Teller:
        """Say that a player has won."""
        self.acts.append(Act(win, {"player": int(player)}))
        return self


def out_at_once() -> Teller:
    """A takes the first discard and melds all eleven cards in one run."""
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    return Teller().dealt(run, up=None).take(A).meld(A, f"{run} QS")


def most_points() -> Teller:
    """A melds four aces, four kings and three queens at once; B holds the dearest cards that are left."""
    kings, aces = "KS KH KD KC", "AS AH AD AC"
    teller = Teller().dealt(f"{aces} {kings} QS QH", "QC JS JH JD JC TS TH TD TC 9S", "9H")
    return teller.draw(A, "QD").meld(A, aces, kings, "QS QH QD").win(A)


@dataclass(frozen=True)
class Frugal:
    """A round in which cheap cards are laid: the one draws twice and goes out, the other makes melds in between.

    ``hand`` is what the one who goes out is dealt, and a king; that is discarded first, for the card ``drawn``. The
    last card, ``last``, is discarded unless it is named in a meld or lay-off.
    """

    hand: str
    drawn: str
    other: tuple[str, ...]
    """The other player's melds, in the places from 1."""
    kept: str = ""
    """What the other player keeps in hand."""
    melds: tuple[str, ...] = ()
    lays: tuple[tuple[int, str], ...] = ()
    last: str = "KC"

    def told(self, teller: Teller, goer: Player = A) -> Teller:
        """A round of a game so."""
        other = _other(goer)
        teller.dealt(f"{self.hand} KH", " ".join((*self.other, self.kept)), "QH", first=goer)
        teller.turn(goer, card=self.drawn, away="KH").turn(other, *self.other, card="KD", away="KD")
        teller.draw(goer, self.last).meld(goer, *self.melds)
        for place, cards in self.lays:
            teller.lay(goer, place, cards)
        used = any(self.last in cards.split() for cards in (*self.melds, *(cards for _, cards in self.lays)))
        return teller if used else teller.discard(goer, self.last)


LOW_CLUBS, FIVES, SIXES = "4C 5C 6C", "5S 5H 5D", "6S 6H 6D"
TWOS, THREES, FOURS = "2S 2H 2D 2C", "3S 3H 3D", "4S 4H 4D"
FRUGAL = Frugal(f"{TWOS} {THREES} 4S 4H", "4D", (LOW_CLUBS, FIVES, SIXES), "3C", (TWOS, THREES, FOURS))
"""A lays ten cards of 29 points, and B nine of 48 and keeps a three: of the cheapest twenty in the pack."""
ALL_LAID = Frugal(
    f"{TWOS} 3S 3H 3D 3C 4S", "4H", ("4C 5C 6C 7C", FIVES, SIXES), "", (TWOS, "3S 3H 3D 3C", FOURS), last="4D"
)
"""A lays eleven cards of 32 points, and B ten of 55 and none is left."""
ALL_FOURS = Frugal(
    f"{TWOS} {THREES} 4S 4H", "4D", ("5S 5H 5D 5C", "6S 6H 6D 6C"), "3C 7S", (TWOS, THREES, "4S 4H 4D 4C"), last="4C"
)
"""A lays eleven cards of 33 points, and B eight of 44 and keeps a three and a seven."""
LOW_ACES = Frugal(
    "AS 2S 3S AH 2H 3H AD 2D AC",
    "2C",
    ("3D 4D 5D 6D", "3C 4C 5C 6C 7C"),
    "4S",
    ("AS 2S 3S", "AH 2H 3H"),
    ((1, "2D AD"), (2, "2C AC")),
)
"""A lays ten cards of 18 points, four low aces among them, and B nine of 43 and keeps a four."""
LOW_ACES_ALL_LAID = Frugal(
    "AS 2S 3S AH 2H 3H AD 2D 3D",
    "AC",
    ("3C 4C 5C 6C", FOURS, FIVES),
    "",
    ("AS 2S 3S", "AH 2H 3H", "AD 2D 3D"),
    ((1, "2C AC"),),
    last="2C",
)
"""A lays eleven cards of 21 points, four low aces among them, and B ten of 45 and none is left."""
LAID_OFF = Frugal(
    "2S 2H 2D 8S 9S TS 8H 9H TH",
    "8D",
    ("5S 6S 7S", "5H 6H 7H", "5D 6D 7D"),
    "2C",
    ("2S 2H 2D",),
    ((1, "8S 9S TS"), (2, "8H 9H TH"), (3, "8D")),
)
"""A melds three twos and lays seven cards off on B's melds; B keeps a two."""
ALL_LAID_OFF = Frugal(
    "2S 2H 2D 8S 9S TS 8H 9H TH",
    "8D",
    ("5S 6S 7S", "5H 6H 7H", "4D 5D 6D 7D"),
    "",
    ("2S 2H 2D",),
    ((1, "8S 9S TS"), (2, "8H 9H TH"), (3, "8D 9D")),
    last="9D",
)
"""A melds three twos and lays eight cards off on B's melds; B keeps no card."""
WITHOUT_A_MELD = Frugal(
    "8S 9S TS JS 8H 9H TH 8D 9D",
    "TD",
    ("5S 6S 7S", "5H 6H 7H", "5D 6D 7D"),
    "2C",
    lays=((1, "8S 9S TS JS"), (2, "8H 9H TH"), (3, "8D 9D TD")),
)
"""A lays ten cards off on B's melds, and makes none; B keeps a two."""
ALL_WITHOUT_A_MELD = Frugal(
    "8S 9S TS JS 8H 9H TH 8D 9D",
    "TD",
    ("5S 6S 7S", "5H 6H 7H", "4D 5D 6D 7D"),
    "",
    lays=((1, "8S 9S TS JS"), (2, "8H 9H TH"), (3, "8D 9D TD JD")),
    last="JD",
)
"""A lays eleven cards off on B's melds, and makes none; B keeps no card."""


def frugal(*rounds: Frugal, goers: Sequence[Player] = ()) -> Teller:
    """Rounds one after the other, won by A unless others are named."""
    teller = Teller()
    for one, goer in zip_longest(rounds, goers, fillvalue=A):
        assert isinstance(one, Frugal)
        assert isinstance(goer, Player)
        one.told(teller, goer)
    return teller


def exhausted() -> Teller:
    """The draw pile is drawn empty, one card a turn."""
    teller = Teller().dealt()
    for number in range(31):
        teller.turn((A, B)[number % 2])
    return teller


def handed_back(turns: int) -> Teller:
    """Each takes the discard and puts a card back, so many turns long."""
    teller = Teller().dealt(up=None)
    for number in range(turns):
        player = (A, B)[number % 2]
        teller.take(player).discard(player)
    return teller


def one_card(*, discards: bool) -> Teller:
    """A has one card at the beginning of a turn, draws another, and lays off both, or one, and discards the other."""
    melds = "4S 5S 6S", "8H 9H TH", "KS KH KD"
    teller = Teller().dealt(" ".join((*melds, "7S"))).turn(A, *melds, card="2D", away="2D").turn(B)
    teller.draw(A, "JH").lay(A, 1, "7S")
    return teller.discard(A, "JH") if discards else teller.lay(A, 2, "JH")


def meldless() -> Teller:
    """B makes three melds, and A lays off on them until the hand is empty."""
    runs = "2S 3S 4S", "2H 3H 4H", "2D 3D 4D"
    teller = Teller().dealt("5S 6S 7S 8S 5H 6H 7H 8H 5D 6D", " ".join((*runs, "KC"))).turn(A, card="QC", away="QC")
    teller.turn(B, *runs, card="JC", away="JC").draw(A, "7D")
    return teller.lay(A, 1, "5S 6S 7S 8S").lay(A, 2, "5H 6H 7H 8H").lay(A, 3, "5D 6D 7D")


def _dear(a: str) -> Teller:
    """B melds 105 points and keeps an ace; it is A's turn."""
    melds = "AS AH AD", "KS KH KD", "QS QH QD"
    teller = Teller().dealt(a, " ".join((*melds, "AC"))).turn(A, card="3S", away="3S")
    return teller.turn(B, *melds, card="2S", away="2S")


def both_over() -> Teller:
    """After B's 105 points A goes out with 107 of cards, 25, and the ace that B holds."""
    teller = _dear("JS JH JD JC TS TH TD TC 9S 9H")
    return teller.draw(A, "9D").meld(A, "JS JH JD JC", "TS TH TD TC", "9S 9H 9D").win(A)


def level() -> Teller:
    """After B's 105 points A goes out with 65 of cards, 25, and the ace that B holds."""
    teller = _dear("8S 8H 8D 8C 6S 6H 6D 5S 5H 5D").draw(A, "2H")
    return teller.meld(A, "8S 8H 8D 8C", "6S 6H 6D", "5S 5H 5D").discard(A, "2H")


def nothing_discarded() -> Teller:
    """B takes the only discard and lays off every card on A's melds, so that no card is left to discard."""
    runs = "2S 3S 4S", "2H 3H 4H", "2D 3D 4D"
    teller = Teller().dealt(" ".join((*runs, "7D")), "5S 6S 7S 8S 5H 6H 7H 8H 5D 6D", up="KC")
    teller.take(A).meld(A, *runs).discard(A, "7D").take(B)
    return teller.lay(B, 1, "5S 6S 7S 8S").lay(B, 2, "5H 6H 7H 8H").lay(B, 3, "5D 6D 7D")


def last_card_taken() -> Teller:
    """A takes the first discard and melds ten cards in one run, so that the card which was taken is the last one."""
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    return Teller().dealt(run, up=None).take(A).meld(A, run)
