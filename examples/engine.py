"""A small engine that plays a round of Spit and prints its log: an example to gate, with a bug in it."""

from __future__ import annotations

import random
import sys

RANKS, SUITS = "A23456789TJQK", "SHDC"


def follows(card: str, top: str) -> bool:
    """Whether a card may be played on another: one rank up or down, and the ace is next to the king too."""
    distance = abs(RANKS.index(card[0]) - RANKS.index(top[0]))
    return distance in (0, 1, 12)


def play_round(seed: int) -> None:
    """Deal, spit once, and play in turns until nobody can play, or somebody has no stocks left."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    random.Random(seed).shuffle(deck)
    print(f"gamelog: 1\ngame: spit\nplayers: Ada, Ben\nid: seed {seed}\nsource: small-engine 1.0\n\nround 1")
    stocks, spit = {}, {"A": deck[:26], "B": deck[26:]}
    for player, cards in spit.items():
        stocks[player] = [[cards.pop() for _ in range(size)] for size in range(1, 6)]
        print(f"{player} deal {' | '.join(map(' '.join, stocks[player]))} / {' '.join(cards)}")
    piles = {1: spit["A"].pop(), 2: spit["B"].pop()}
    print(f"A spit {piles[1]} on 1\nB spit {piles[2]} on 2")
    moved = True
    while moved:
        moved = False
        for player in "AB":
            if all(map(any, stocks.values())):  # nobody has got rid of all stocks
                moved |= turn(player, stocks[player], piles)


def turn(player: str, stocks: list[list[str]], piles: dict[int, str]) -> bool:
    """Play the first card that follows a pile, and turn up the one below it; whether there was one."""
    for number, stock in enumerate(stocks, 1):
        for pile, top in piles.items():
            if stock and follows(stock[-1], top):
                piles[pile] = stock.pop()
                print(f"{player} play {piles[pile]} from {number} on {pile}")
                if stock:
                    print(f"{player} flip {stock[-1]} at {number}")
                return True
    return False


if __name__ == "__main__":
    if not sys.argv[1:2] or not sys.argv[1].isdecimal():
        sys.exit("usage: python engine.py ROUNDS")
    for seed in range(int(sys.argv[1])):
        play_round(seed)
        print()
