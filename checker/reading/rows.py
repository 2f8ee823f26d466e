"""Lines that state nothing but rows of cards, such as a deal, read at once where they are spelt as usual."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from fairdeal.checker.reading.forms import Argument, Form, Part
from fairdeal.checker.reading.matching import SHORT
from fairdeal.checker.reading.values import PLAIN_CODE, PLAYERS, Cards
from fairdeal.spec.cards import DECK

ROW: Final = "([2-9A-Z ]+|-)"
"""Cards in capital letters, or none; what is not a card in there is seen when its code is looked up."""


class RowReader:
    """Reads the lines of one form whose every argument is a row of cards, or several rows.

    Of a line that is spelt otherwise than the notation writes it, with a comment or an unknown card for instance,
    or with more cards than a pack has, it says nothing; of any other it says what the form's own expression does.
    """

    def __init__(self, form: Form) -> None:
        arguments = form.arguments
        self.names = tuple(argument.name for argument in arguments)
        self._pattern = re.compile(" ".join(_expression(part) for part in form.rest))
        ends = [sum(len(one.types) for one in arguments[:count]) for count in range(len(arguments) + 1)]
        self._places = [slice(*each) if each[1] - each[0] > 1 else each[0] for each in pairwise(ends)]

    def read(self, text: str) -> tuple[Cards | tuple[Cards, ...], ...] | None:
        """The value of each argument, in order, from what follows the first two words."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        try:
            rows = tuple([() if row == "-" else tuple(map(PLAIN_CODE, row.split(" "))) for row in match.groups()])
        except KeyError:
            return None
        if len(text) > SHORT and sum(map(len, rows)) > DECK:
            return None
        return tuple([rows[place] for place in self._places])


def states_rows(form: Form) -> bool:
    """Whether lines of a form have two words and then nothing but rows of cards, with marks between them."""
    between = (part for part in form.rest if not isinstance(part, Argument))
    return bool(
        form.arguments
        and len(form.verb) + form.has_actor == len(("who", "verb"))
        and all(set(argument.types) == {"CARDS"} for argument in form.arguments)
        and not any(part.text.isalnum() or not part.text for part in between)
    )


def beginnings(form: Form) -> dict[tuple[str, str], int | None]:
    """The two words that lines of a form can begin with, and who acts then."""
    verb = [word.text for word in form.verb]
    if form.has_actor:
        return {(name, verb[0]): player for name, player in PLAYERS.items()}
    return {(verb[0], verb[1]): None}


def _expression(part: Part) -> str:
    if not isinstance(part, Argument):
        return re.escape(part.text)
    return " ".join(re.escape(piece) if at % 2 else ROW for at, piece in enumerate(part.pieces))
