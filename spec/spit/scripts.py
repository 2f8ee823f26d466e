"""Games of Spit told by their events alone: who does what, in which order, while the cards are open.

A teller keeps how many cards lie where, so that it can say when a card has to be turned up; which cards would make it
all lawful is for the solver to find.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairdeal.spec.cards import NAMES
from fairdeal.spec.language.properties import Act
from fairdeal.spec.spit.deal import begin_round, deal
from fairdeal.spec.spit.ending import collect, score, slap, tie, win
from fairdeal.spec.spit.play import flip, move_card, play, spit
from fairdeal.spec.spit.table import Player

FULL = (1, 2, 3, 4, 5)
A, B = Player.A, Player.B


class Teller:
    """Tells a game, line by line."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.stocks: dict[Player, list[int]] = {A: [0] * 5, B: [0] * 5}
        self.up: dict[Player, list[bool]] = {A: [False] * 5, B: [False] * 5}
        self.spits: dict[Player, int] = {A: 0, B: 0}
        self._cards: Iterator[int] = iter(())

    def with_cards(self, names: str) -> Teller:
        """The cards that are played and spat from here on, in their order: it spares the solver a long search."""
        self._cards = map(NAMES.index, names.split())
        return self

    def _next_card(self) -> dict[str, int]:
        card = next(self._cards, None)
        return {} if card is None else {"card": card}

    def round(self, number: int, a: int = 26, *, shape: tuple[int, ...] | None = None, again: bool = False) -> Teller:
        """Begin a round in which A owns so many cards, and B the others; a short A lays them out in some shape.

        With ``again`` both lay out the cards of the round before, each where it lay.
        """
        self.acts.append(Act(begin_round, {"number": number}))
        before = [at for at, act in enumerate(self.acts) if act.event is deal][-2:]
        for player, owned in ((A, a), (B, 52 - a)):
            stocks = FULL if owned >= 15 else shape if player is A else None
            assert stocks is not None, "say how a short layout is shaped"
            assert sum(stocks) == min(owned, 15), "a layout has as many cards as its player owns"
            self.stocks[player] = list(stocks)
            self.up[player] = [size > 0 for size in stocks]
            self.spits[player] = owned - sum(stocks)
            lengths = {"stocks": tuple(stocks), "spit": self.spits[player]}
            self.acts.append(Act(deal, {"player": int(player)}, lengths, before[player] if again else None))
        return self

    def spit(self, player: Player, pile: int) -> Teller:
        """Turn up a spit card onto a pile."""
        self.spits[player] -= 1
        self.acts.append(Act(spit, {"player": int(player), "pile": pile, **self._next_card()}))
        return self

    def joint(self, times: int = 1, a: int = 1, b: int = 2) -> Teller:
        """Spit together so many times: A onto one pile, B onto another or the same."""
        for _ in range(times):
            self.spit(A, a).spit(B, b)
        return self

    def play(self, player: Player, slot: int, pile: int = 1, *, together: bool = False) -> Teller:
        """Play the top of a stock, turned up before if need be; at the instant of the line before, if ``together``."""
        self.turn(player, slot)
        values = {"player": int(player), "slot": slot, "pile": pile, **self._next_card()}
        self.acts.append(Act(play, values, together=together))
        self.stocks[player][slot - 1] -= 1
        self.up[player][slot - 1] = False
        return self

    def turn(self, player: Player, slot: int) -> Teller:
        """Turn up the top of a stock if it is face down."""
        if self.stocks[player][slot - 1] and not self.up[player][slot - 1]:
            self.acts.append(Act(flip, {"player": int(player), "slot": slot}))
            self.up[player][slot - 1] = True
        return self

    def turn_all(self) -> Teller:
        """Turn up every face-down top."""
        for player in (A, B):
            for slot in FULL:
                self.turn(player, slot)
        return self

    def move(self, player: Player, slot: int, target: int) -> Teller:
        """Move the top of a stock into an empty slot."""
        self.turn(player, slot)
        self.acts.append(Act(move_card, {"player": int(player), "slot": slot, "target": target}))
        self.stocks[player][slot - 1] -= 1
        self.stocks[player][target - 1] = 1
        self.up[player][slot - 1], self.up[player][target - 1] = False, True
        return self

    def play_out(self, player: Player, leave: int = 0, pile: int = 1) -> Teller:
        """Play all stock cards of a player on one pile, the fullest stock first, down to so many."""
        while sum(self.stocks[player]) > leave:
            slot = max(FULL, key=lambda one: (self.stocks[player][one - 1], one))
            self.play(player, slot, pile)
        return self

    def slap(self, player: Player, pile: int) -> Teller:
        """Slap a pile."""
        self.acts.append(Act(slap, {"player": int(player), "pile": pile}))
        return self

    def collect(self, player: Player, pile: int) -> Teller:
        """Collect a pile."""
        self.acts.append(Act(collect, {"player": int(player), "pile": pile}))
        return self

    def win(self, player: Player) -> Teller:
        """Say that a player has won."""
        self.acts.append(Act(win, {"player": int(player)}))
        return self


def started(number: int = 1, a: int = 26, shape: tuple[int, ...] | None = None) -> Teller:
    """A round after its first spit: on both piles, or on the one that B starts because A has no spit card."""
    teller = Teller().round(number, a, shape=shape)
    return teller.joint() if a > 15 else teller.spit(B, 1)


def playless(plays: int = 0) -> Teller:
    """A first round in which nobody can play before all spit cards are out; A takes pile 2, which has one card.

    Then A plays so many cards, two at most, from stocks that have another beneath.
    """
    teller = started().joint(10, 1, 1)
    for slot in (2, 3)[:plays]:
        teller.play(A, slot)
    return teller.turn_all().slap(A, 2)


def one_card_each() -> Teller:
    """A blocked round in which each player has one stock card left; all spit cards are out before the first play."""
    return started().joint(10, 1, 1).play_out(A, 1).play_out(B, 1).turn_all()


def shortest_game() -> Teller:
    """A game of two rounds: A wins the first with one card on the own pile, and plays that card in the second."""
    teller = started().joint(10, 1, 1).play_out(A).slap(A, 2)
    return teller.round(2, 1, shape=(1, 0, 0, 0, 0)).spit(B, 1).play(A, 1).win(A)


def two_rounds() -> Teller:
    """A game of two rounds, one spit in each: A plays 15 cards, takes the one on pile 2, and plays eleven."""
    first, second = "6S 2D 5S 4S 3S 2S AS 2H 3H 4H 5H 6H 7S 8S 9S TS JS", "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD"
    teller = Teller().with_cards(f"{first} {second}").round(1).joint().play_out(A).slap(A, 2)
    return teller.round(2, 11, shape=(1, 2, 2, 3, 3)).spit(B, 1).play_out(A).win(A)


def fewest_plays() -> Teller:
    """A game of two rounds: B plays no card in the first, 15 in the second, and is out of spit cards before the last.

    A, who has finished the first round, has eleven cards in the second, and no spit card. The same run of cards is
    played in both rounds; then lie high cards where the last stocks are low.
    """
    run, last = "5S 4S 3S 2S AS 2H 3H 4H 5H 6H 7S 8S 9S TS", "5D 4D"
    high = "6D 6C 7H 7D 7C 8H 8D 8C 9H 9D 9C TH TD TC JS JH JD JC QS QH QD QC KS KH"
    teller = Teller().with_cards(f"6S KC {run} JS 6S {run} {high} {last}").round(1).joint().play_out(A).slap(A, 2)
    teller.round(2, 11, shape=(1, 2, 2, 3, 3)).spit(B, 1).play_out(B, 1).turn_all()
    while teller.spits[B]:
        teller.spit(B, 1)
    return teller.play_out(B).win(B)


def blocked_rounds(rounds: int) -> Teller:
    """Rounds in which nobody can play, each player keeps to an own pile, and takes it: nobody gains or loses a card."""
    teller = Teller()
    for number in range(1, rounds + 1):
        teller.round(number, again=number > 1).joint(11).slap(A, 1)
    return teller


def unslapped_rounds(rounds: int) -> Teller:
    """The same with fresh deals, for which nobody has to slap."""
    teller = Teller()
    for number in range(1, rounds + 1):
        teller.round(number, again=number > 1).joint(11)
    return teller


def single_spits(a: int, shape: tuple[int, ...], cards: str = "") -> Teller:
    """A round with one pile in which B turns up every spit card, one after another, and nobody plays."""
    teller = Teller().with_cards(cards).round(2, a, shape=shape)
    while teller.spits[B]:
        teller.spit(B, 1)
    return teller


def level_at_115() -> Teller:
    """A later round of the scored game, blocked with 15 stock cards each, after which both have 115 points; a tie."""
    teller = started(7).joint(10, 1, 1)
    for player in (A, B):
        teller.acts.append(Act(score, {"player": int(player), "points": 15, "total": 115}))
    teller.acts.append(Act(tie))
    return teller


def draw() -> Teller:
    """A round with one pile: B plays all stock cards, and A the only one at the instant of B's last."""
    return started(2, 1, (1, 0, 0, 0, 0)).play_out(B).play(A, 1, together=True)


def drawn_rounds() -> Teller:
    """A round with a fresh deal in which both play all stock cards, the last ones at one instant; and the next deal."""
    teller = Teller().round(1).joint().play_out(A, 1).play_out(B, 1, 2).turn_all()
    last = {player: 1 + teller.stocks[player].index(1) for player in (A, B)}
    return teller.play(A, last[A]).play(B, last[B], 2, together=True).round(2, again=True)


def all_thirty() -> Teller:
    """A round with one pile in which A has 15 cards, and both play all of them, the last at one instant."""
    teller = started(2, 15).play_out(B, 1).turn_all()
    return teller.play_out(A).play(B, 1 + teller.stocks[B].index(1), together=True)


def longest(number: int = 1, a: int = 26, shape: tuple[int, ...] | None = None, *, together: bool = False) -> Teller:
    """A round with as many events as the ranking allows: each card is uncovered by a move, and turned up.

    With ``together`` both play their last card, at one instant.
    """
    teller = started(number, a, shape)
    for player in (A, B):  # a slot that is empty from the start is filled first: nobody may spit while a move is left
        while 0 in teller.stocks[player] and max(teller.stocks[player]) > 1:
            _uncover(teller, player)
    teller.turn_all()
    if a > 15:
        teller.joint(10, 1, 1)
    else:
        while teller.spits[B]:
            teller.spit(B, 1)
    for player, leave in ((B, 1), (A, 0)):
        while sum(teller.stocks[player]) > leave:
            single = min((one for one in FULL if teller.stocks[player][one - 1] == 1), default=0)
            teller.play(player, single)
            if max(teller.stocks[player]) > 1:
                _uncover(teller, player)
        teller.turn_all()
    if together:
        teller.play(B, 1 + teller.stocks[B].index(1), together=True)
    return teller


def _uncover(teller: Teller, player: Player) -> None:
    fullest = max(FULL, key=lambda one: teller.stocks[player][one - 1])
    empty = teller.stocks[player].index(0) + 1
    teller.move(player, fullest, empty).turn(player, fullest)
