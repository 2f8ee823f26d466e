"""Other ways to write the same log: each yields the new text, and where its lines stood in the old one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.header import Header, HeaderBuilder
from fairdeal.checker.reading.logs import Kind, classify
from fairdeal.checker.reading.notation import Notation, notation
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.writer import Fields, header_object
from fairdeal.spec.games import MODULES, UnknownGame, model_named
from fairdeal.spec.language import OptionError

Written = tuple[str, list[int]]
"""A text, and for each of its lines, from 0, the line of the original that it comes from."""

NOTATIONS = {game: notation(game) for game in MODULES}
_CARD = re.compile(r"(?<![^ ])(10|[A2-9TJQK])([SHDC])(?![^ ])")
_SYMBOLS = {"S": "♠♤", "H": "♥♡", "D": "♦♢", "C": "♣♧"}


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _straight(lines: list[str]) -> Written:
    return "\n".join(lines), list(range(len(lines)))


def _is_event(line: str) -> bool:
    return classify(line) is Kind.EVENT


def crlf(text: str, chance: random.Random) -> Written:
    """Line ends as Windows writes them."""
    return text.replace("\n", "\r\n"), list(range(text.count("\n") + 1))


def cr(text: str, chance: random.Random) -> Written:
    """Line ends of old machines."""
    return text.replace("\n", "\r"), list(range(text.count("\n") + 1))


def mixed_ends(text: str, chance: random.Random) -> Written:
    """Any line end after any line; a CR is not followed by an empty line's LF."""
    lines = _lines(text)
    new = "".join(line + chance.choice(("\n", "\r\n")) for line in lines[:-1]) + lines[-1]
    return "\ufeff" + new, list(range(len(lines)))


def tabs(text: str, chance: random.Random) -> Written:
    """Tabs and runs of spaces between words, before and after."""

    def space(line: str) -> str:
        gaps = ("\t", "  ", " \t ", " ")
        return "".join(chance.choice(gaps) if each == " " else each for each in line) + chance.choice(("", "\t", "  "))

    return _straight([space(line) if _is_event(line) else line for line in _lines(text)])


def comments(text: str, chance: random.Random) -> Written:
    """Comments behind events, and lines of nothing else between them."""
    lines: list[str] = []
    origin: list[int] = []
    for number, line in enumerate(_lines(text)):
        for extra in chance.choices(("# see", "", "   # A win", "\t"), k=chance.choice((0, 0, 1, 3))):
            lines.append(extra)
            origin.append(number)
        lines.append(line + chance.choice(("", " # A win", "\t#", " ## gamelog: 1")) if _is_event(line) else line)
        origin.append(number)
    return "\n".join(lines), origin


def spellings(text: str, chance: random.Random) -> Written:
    """Cards as other programs write them."""

    def spell(match: re.Match[str]) -> str:
        rank, suit = match.groups()
        rank = chance.choice((rank, rank.lower(), "10" if rank == "T" else rank))
        symbol = chance.choice(_SYMBOLS[suit]) + chance.choice(("", "\ufe0e", "\ufe0f"))
        suit_text = chance.choice((suit, suit.lower(), symbol))
        code = 0x1F0A0 + 16 * "SHDC".index(suit) + " A23456789TJ QK".index(rank.upper().replace("10", "T"))
        return chance.choice((rank + suit_text, suit_text + rank, chr(code)))

    return _straight([_CARD.sub(spell, line) if _is_event(line) else line for line in _lines(text)])


def slow_lines(text: str, chance: random.Random) -> Written:
    """A comment of its own behind every event, so that no line is like another."""
    return _straight([f"{line} # {n}" if _is_event(line) else line for n, line in enumerate(_lines(text))])


def json_twin(text: str, chance: random.Random | None = None) -> Written:
    """JSON Lines; a line that is no event, a header with a fault, and games without a notation stay as they are."""
    lines: list[str] = []
    origin: list[int] = []
    header: list[tuple[int, str]] = []
    spoken: Notation | None = None
    for number, line in [*enumerate(_lines(text)), (-1, "")]:
        kind = classify(line)
        if header and (kind is Kind.EVENT or number < 0):
            stated = [one for one in header if classify(one[1]) is Kind.HEADER]
            made, spoken = _header(stated), NOTATIONS.get(_read(stated).game or "")
            written = [(header[0][0], made)] if made else header
            lines += [one for _, one in written]
            origin += [at for at, _ in written]
            header = []
        if number >= 0 and (kind is Kind.HEADER or header):
            header.append((number, line))
        elif number >= 0:
            lines.append(_event(line, spoken) if kind is Kind.EVENT and spoken else line)
            origin.append(number)
    return "\n".join(lines), origin


def _read(lines: list[tuple[int, str]]) -> Header:
    builder = HeaderBuilder()
    for number, line in lines:
        builder.feed(number, line)
    return builder.finish()


def _header(lines: list[tuple[int, str]]) -> str:
    """A header as an object; empty where something is wrong with it, or it holds more than one."""
    header = _read(lines)
    options = {name: one.value for name, one in header.options.items()}
    try:
        model_named(str(header.game)).bind(header.rules, options)
    except (UnknownGame, OptionError):
        return ""
    if header.problems:
        return ""
    fields: Fields = {"rules": header.rules, "options": options}
    fields["players"] = header.players
    if header.id:
        fields["id"] = header.id
    return json.dumps(header_object(str(header.game), **fields))


def _event(line: str, spoken: Notation) -> str:
    try:
        prefix = split_prefix(line)
        body = spoken.parse(line[prefix.start :])
        unit = prefix.unit or "seconds"
        given = (body.verb, body.actor, body.arguments, prefix.seq, prefix.time, body.refused, unit)
        return json.dumps(spoken.json(*given))
    except NotationError:
        return line


WAYS: dict[str, Callable[[str, random.Random], Written]] = {
    one.__name__: one for one in (crlf, cr, mixed_ends, tabs, comments, spellings, slow_lines, json_twin)
}
