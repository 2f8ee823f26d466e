"""The most and the fewest points of a round, and how many rounds can be won before the target, by arithmetic.

The bounds rest on how many cards are laid and held (Q-ELEVEN), and on what cards are worth; that they are reached is
shown by games. What is asked of options goes by their names, so that a bound is asked under every reading it looks at.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations

from fairdeal.spec.queen_city_rum import definition
from fairdeal.spec.queen_city_rum.deal import HAND
from fairdeal.spec.queen_city_rum.ending import BONUS
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.melds import ACE, LOW_ACE, SUITS, TWO, VALUE

Options = Mapping[str, int]
PACK = len(VALUE) * SUITS
TARGET = 101
THREE = 2


def read_as(options: Options, name: str, value: str) -> bool:
    """Whether an option has a value."""
    return options[name] == RUM.encode(name, value)


def worth(low_aces: bool = False) -> list[int]:
    """What each card of the pack is worth at least on the table, where an ace can lie below a 2 or not."""
    return [LOW_ACE if low_aces and code // SUITS == ACE else VALUE[code // SUITS] for code in range(PACK)]


def dearest(options: Options) -> str:
    """The most that a player can get for one round: 25, and the dearest cards that can count for one player.

    A player lays eleven cards at most, for hand and laid cards are eleven in the own turn, and the opponent holds ten.
    """
    counting = sum(sorted(worth(), reverse=True)[: HAND + 1 + HAND]) + BONUS
    return f"{counting} points at most"


def cheapest(options: Options) -> str:
    """The least that going out can bring, beside the 25 where it is paid for going out."""
    return f"{least(options)} points at least, and {BONUS} where going out is paid"


def least(options: Options) -> int:
    """The fewest points for cards that who goes out can get, as a bound."""
    low = read_as(options, "low_ace", "1")
    none = read_as(options, "out", "none")
    laid = HAND + 1 if none else HAND  # the eleventh is discarded, but for out=none
    found = [_own_melds(options, low, held=not none)]
    if read_as(options, "layoff_credit", "layer"):
        found = [_laid(laid, card, low) for card in range(PACK)]
        found += [_laid(laid, None, low)] if none else []
    if read_as(options, "meldless_out", "float"):
        found.append(beside_a_floater(laid, low))
    return min(found)


def _own_melds(options: Options, low: bool, *, held: bool) -> int:
    """Where a lay-off counts for who owns the meld: one meld, if one is needed, and a card that the opponent holds."""
    needed = not read_as(options, "meldless_out", "out")
    return (min(_points(mask, low) for mask in _smallest()) if needed else 0) + (min(worth()) if held else 0)


def _points(meld: int, low: bool) -> int:
    """What a meld of three cards is worth; where ``low`` aces count less, that is one which lies below a 2."""
    cards = definition.cards_of(meld)
    below = low and definition.is_run(cards) and any(code // SUITS == TWO for code in cards)
    return sum(worth(below)[code] for code in cards)


def _laid(cards: int, held: int | None, low: bool) -> int:
    """Where cards count for who lays them: the cheapest of the pack, beside a card that the opponent holds.

    An ace lies low in a run that has the 2 and the 3 of its suit, so not where one of these is held.
    """
    points = worth(low)
    if held is not None and held // SUITS in (TWO, THREE):
        points[ACE * SUITS + held % SUITS] = VALUE[ACE]
    left = [points[code] for code in range(PACK) if code != held]
    return sum(sorted(left)[:cards]) + (VALUE[held // SUITS] if held is not None else 0)


@cache
def beside_a_floater(cards: int, low: bool) -> int:
    """Where the opponent has laid off every card, ten at least, without a meld (``meldless_out=float``).

    All melds are then of the one who goes out, three at most, with twenty cards on them: two of them are runs, for a
    run has thirteen cards at most and a set four. Each has three cards that were melded; the others are such as fit on.
    """
    points = worth(low)
    runs = [mask for mask in _smallest() if definition.is_run(definition.cards_of(mask))]
    best = sum(points)
    for one, two in combinations(runs, 2):
        for three in (0, *_smallest()):
            if one & two or (one | two) & three:
                continue
            base = one | two | three
            fitting = (_fitting(one) | _fitting(two) | (_fitting(three) if three else 0)) & ~base
            laid = sum(points[code] for code in definition.cards_of(base))
            if laid < best:
                more = sorted(points[code] for code in definition.cards_of(fitting))
                best = min(best, laid + sum(more[: cards - base.bit_count()]))
    return best


@cache
def _smallest() -> tuple[int, ...]:
    """The melds of three cards; every other one has such a one in it."""
    every = (*definition.sets(), *definition.runs())
    return tuple(mask for mask in every if mask.bit_count() == definition.SMALLEST)


@cache
def _fitting(meld: int) -> int:
    """The cards that can come to lie on a meld: of its rank, or of its suit."""
    rank_or_suit = definition.sets() if definition.is_set(definition.cards_of(meld)) else definition.runs()
    found = 0
    for mask in rank_or_suit:
        if mask & meld == meld:
            found |= mask
    return found & ~meld


def most_won(options: Options) -> str:
    """How many rounds can be won by going out while both totals stay below 101, by one player and by both together."""
    if read_as(options, "melds_score", "both"):
        return _told(*_where_both_score(options))
    points, once = least(options), read_as(options, "bonus", "game")
    later = points if once else points + BONUS
    first, other = _fitting_in(TARGET - 1 - points - BONUS, later, 1), _fitting_in(TARGET - 1, later)
    if first is None or other is None:
        return _told(None, None)
    return _told(max(first, other), first + other)


def _fitting_in(room: int, points: int, already: int = 0) -> int | None:
    """So many rounds of these points have room below the target; ``None`` for no end."""
    return already + room // points if points else None


def _where_both_score(options: Options) -> tuple[int, int]:
    """Where melds count for both, both together get at least the twenty cheapest cards for each round, and 25."""
    low = read_as(options, "low_ace", "1")
    each = sum(sorted(worth(low))[: 2 * HAND])
    once = read_as(options, "bonus", "game")
    won = (2 * (TARGET - 1) - BONUS * once) // (each + BONUS * (not once))
    return won, won


def _told(player: int | None, both: int | None) -> str:
    if player is None or both is None:
        return "any number, for it brings nothing"
    return f"{player} by one player at most, {both} by both together"
