"""The exact probability of going out on the first turn, by counting hands rank by rank.

A hand is read from the ace up, one rank at a time. What matters of the cards read so far is which *readings* of them
are possible: how long the run is that each suit's last cards belong to, which aces are kept to lie above the king,
and how many cards are left over. All readings of a hand together are a state; hands that lead to the same state, or to
the same but for the names of suits, are counted together (the subset construction of automata, with counts).

A hand H of ten cards goes out with a card x if all of H + x can be laid, or all but one. If e(H) is how many of the 42
other cards do, then of the 42 * 41 ordered pairs of an upcard and a drawn card 42 * 41 - (42 - e)(41 - e) = 83 e - e²
go out with the one or the other. So the sums of e and of e² over all hands are enough: the first is the number of
hands of eleven cards that can be laid, eleven times over, and the second comes from pairs of them with ten in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb

from fairdeal.spec.cards import RANKS
from fairdeal.spec.queen_city_rum.deal import HAND
from fairdeal.spec.queen_city_rum.game import RUM

SUITS = 4
LONG = 3
"""Cards of a run that is long enough to be a meld; longer ones are not told apart."""

Reading = tuple[int, int, int, int, int, int]
"""For each suit the cards of its open run, 0 to 3; the aces that are kept, as a mask; and the cards left over."""
State = frozenset[Reading]

NOTHING: State = frozenset([(0, 0, 0, 0, 0, 0)])
SETS = [suits for suits in range(1 << SUITS) if suits.bit_count() >= LONG]
ORDERS = list(permutations(range(SUITS)))


def chance(hand: int = HAND, ranks: int = len(RANKS), spare: int = 1) -> Fraction:
    """The probability that a hand and one of two further cards can be laid, all but ``spare`` cards.

    The pack has four suits of so many ranks, the ace below the 2 and above the highest.
    """
    counting = _Counting(hand, ranks, spare)
    left = SUITS * ranks - hand
    ones = (hand + 1) * counting.hands()  # the sum of e(H)
    squares = 2 * counting.pairs() + ones  # the sum of e(H)²
    return Fraction((2 * left - 1) * ones - squares, comb(SUITS * ranks, hand) * left * (left - 1))


def hands_that_can_be_laid(size: int, spare: int) -> int:
    """How many hands of so many cards can be laid, all but the spare ones."""
    return _Counting(size - 1, len(RANKS), spare).hands()


@cache
def probability(spare: int) -> Fraction:
    """That of going out on the first turn, where so many cards may be left for the discard."""
    return chance(spare=spare)


def first_turn(options: Mapping[str, int]) -> str:
    """How probable it is that the first player can go out at once: with the upcard, or else with a drawn card.

    Where the last card may or must be discarded, ten cards of eleven in melds are enough; eleven in melds have one of
    four cards or more among them, from which a card can be kept.
    """
    share = probability(0 if options["out"] == RUM.encode("out", "none") else 1)
    return f"{share.numerator}/{share.denominator} = {float(share):.6g}"


@dataclass(frozen=True)
class _Counting:
    """Counts hands of a pack that can be laid."""

    hand: int
    ranks: int
    spare: int

    def hands(self) -> int:
        """How many hands of one card more than ``hand`` can be laid, all but the spare cards."""
        size = self.hand + 1
        counts: Counter[tuple[State, int]] = Counter({(NOTHING, 0): 1})
        for rank in range(self.ranks):
            read: Counter[tuple[State, int]] = Counter()
            for (state, cards), ways in counts.items():
                for held in range(1 << SUITS):
                    left = size - cards - held.bit_count()
                    if left >= 0 and (found := self._after(state, held, rank, left)):
                        read[_named(found), size - left] += ways
            counts = read
        return sum(ways for (state, cards), ways in counts.items() if cards == size and _laid(state))

    def pairs(self) -> int:
        """How many hands there are with two further cards, in no order, each of which makes one that can be laid.

        A state is then a pair: of the cards read so far with the one of the two, and with the other.
        """
        alone: Counter[tuple[State, int]] = Counter({(NOTHING, 0): 1})
        one: Counter[tuple[State, State, int]] = Counter()  # the first of the two cards has been read
        both: Counter[tuple[State, State, int]] = Counter()
        for rank in range(self.ranks):
            next_alone: Counter[tuple[State, int]] = Counter()
            next_one: Counter[tuple[State, State, int]] = Counter()
            next_both: Counter[tuple[State, State, int]] = Counter()
            for held in range(1 << SUITS):
                size = held.bit_count()
                free = [1 << suit for suit in range(SUITS) if not held >> suit & 1]
                for (state, cards), ways in alone.items():
                    left = self.hand - cards - size
                    if left < 0:
                        continue
                    same = self._after(state, held, rank, left + 1)
                    if same:
                        next_alone[_named(same), cards + size] += ways
                    more = [self._after(state, held | card, rank, left) for card in free]
                    for with_one in more:
                        if same and with_one:
                            next_one[*_both_named(with_one, same), cards + size] += ways
                    for with_one, with_other in combinations(more, 2):
                        if with_one and with_other:
                            next_both[*_unordered(with_one, with_other), cards + size] += ways
                for (first, second, cards), ways in one.items():
                    left = self.hand - cards - size
                    if left < 0 or not (with_one := self._after(first, held, rank, left)):
                        continue
                    if same := self._after(second, held, rank, left + 1):
                        next_one[*_both_named(with_one, same), cards + size] += ways
                    for card in free:
                        if with_other := self._after(second, held | card, rank, left):
                            next_both[*_unordered(with_one, with_other), cards + size] += ways
                for (first, second, cards), ways in both.items():
                    left = self.hand - cards - size
                    if left < 0 or not (with_one := self._after(first, held, rank, left)):
                        continue
                    if with_other := self._after(second, held, rank, left):
                        next_both[*_unordered(with_one, with_other), cards + size] += ways
            alone, one, both = next_alone, next_one, next_both
        return sum(
            ways
            for (first, second, cards), ways in both.items()
            if cards == self.hand and _laid(first) and _laid(second)
        )

    def _after(self, state: State, held: int, rank: int, left: int) -> State:
        """The state after some cards of a rank, if so many more come; none where they cannot all be laid any more."""
        return _in_time(_read(state, held, rank == 0, self.spare), left)


@cache
def _read(state: State, held: int, aces: bool, spare: int) -> State:
    """The readings of cards with those of one more rank, without such as another one makes superfluous."""
    found = {one for reading in state for one in _readings(reading, held, aces, spare)}
    return frozenset(one for one in found if not any(_serves(other, one) for other in found if other != one))


@cache
def _readings(reading: Reading, held: int, aces: bool, spare: int) -> frozenset[Reading]:
    """Each card of a rank goes on with its suit's run or begins one, is in a set, is kept if an ace, or left over."""
    found: set[Reading] = set()
    for in_set in [0, *(suits for suits in SETS if not suits & ~held)]:
        open_ones: list[tuple[tuple[int, ...], int, int]] = [((), reading[4], reading[5])]
        for suit in range(SUITS):
            run, single = reading[suit], held & ~in_set & 1 << suit
            ended = run in (0, LONG)
            further = []
            for runs, kept, over in open_ones:
                if single:
                    further.append(((*runs, min(LONG, run + 1)), kept, over))
                if single and ended and over < spare:
                    further.append(((*runs, 0), kept, over + 1))
                if single and ended and aces:
                    further.append(((*runs, 0), kept | single, over))
                if not single and ended:
                    further.append(((*runs, 0), kept, over))
            open_ones = further
        found |= {(runs[0], runs[1], runs[2], runs[3], kept, over) for runs, kept, over in open_ones}
    return frozenset(found)


def _serves(one: Reading, other: Reading) -> bool:
    """Whether whatever may follow the other reading may follow this one: its runs are as long, or at an end."""
    runs = zip(one[:SUITS], other[:SUITS], strict=True)
    longer = all(mine in (theirs, LONG) or 0 < theirs < mine for mine, theirs in runs)
    return longer and one[4] == other[4] and one[5] <= other[5]


@cache
def _in_time(state: State, left: int) -> State:
    """The readings whose open runs so many cards can complete."""
    return frozenset(one for one in state if _missing(one) <= left)


@cache
def _missing(reading: Reading) -> int:
    """How many cards have to come at least: an ace above the king needs two below it, another run three in all."""
    needed = 0
    for suit in range(SUITS):
        run = reading[suit]
        if reading[4] >> suit & 1:
            needed += max(0, LONG - 1 - run)
        elif run:
            needed += LONG - run
    return needed


@cache
def _laid(state: State) -> bool:
    """Whether a reading of a hand has every card where it should be, after the last rank."""
    return any(_missing(one) == 0 for one in state)


@cache
def _ordered(state: State, order: tuple[int, ...]) -> tuple[Reading, ...]:
    """The readings with suits in another order, as a tuple to compare."""
    return tuple(
        sorted(
            (one[a], one[b], one[c], one[d], sum((one[4] >> suit & 1) << at for at, suit in enumerate(order)), one[5])
            for one in state
            for a, b, c, d in (order,)
        )
    )


@cache
def _named(state: State) -> State:
    """The state with its suits in the order that makes it the smallest: the same for all that differ in names alone."""
    return frozenset(min(_ordered(state, order) for order in ORDERS))


@cache
def _both_named(first: State, second: State) -> tuple[State, State]:
    """As `_named`, for two states with the same names."""
    one, two = min((_ordered(first, order), _ordered(second, order)) for order in ORDERS)
    return frozenset(one), frozenset(two)


@cache
def _unordered(first: State, second: State) -> tuple[State, State]:
    """As `_both_named`, where it does not matter which of the two is which."""
    pairs = [(_ordered(first, order), _ordered(second, order)) for order in ORDERS]
    one, two = min(*pairs, *((two, one) for one, two in pairs))
    return frozenset(one), frozenset(two)
