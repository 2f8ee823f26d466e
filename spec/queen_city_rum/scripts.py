"""Games of Queen City Rum told by their events: who draws, melds and discards; cards are named, or left open."""

from __future__ import annotations

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


def _one(card: str) -> dict[str, Any]:
    return {"card": NAMES.index(card)} if card else {}


class Teller:
    """Tells a round, line by line; A has the first turn."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.melds = 0

    def dealt(self, a: Cards = HAND, b: Cards = HAND, up: str | None = "") -> Teller:
        """Begin a round and deal it; with ``None`` for the first discard, the first turn shows what it is."""
        self.acts.append(Act(begin_round, {"number": 1, "first": int(A)}))
        for player, cards in ((A, a), (B, b)):
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


def fewest_points() -> Teller:
    """B lays nine cards and keeps a four; A goes out with twos, threes and two fours, which are laid off."""
    spades, hearts = "5S 6S 7S 8S 9S", "5H 6H 7H 8H"
    teller = Teller().dealt("2S 2H 2D 2C 3S 3H 3D 3C 4S KH", f"{spades} {hearts} 4D", "QH")
    teller.turn(A, card="4H", away="KH").turn(B, spades, hearts, card="KD", away="KD").draw(A, "KC")
    return teller.meld(A, "2S 2H 2D 2C", "3S 3H 3D 3C").lay(A, 1, "4S").lay(A, 2, "4H").discard(A, "KC")


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
