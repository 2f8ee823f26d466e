"""Why a line is not in the notation, in words, and what would help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fairdeal.checker.reading.errors import NotationError, nearest, shown
from fairdeal.checker.reading.forms import ACTOR, Argument, Form, Keyword, Part, Table, join_words
from fairdeal.checker.reading.matching import both_words, is_silent, piece_expression
from fairdeal.checker.reading.values import PLAYERS, kind

_WORD: Final = re.compile(r"[^ \t]+")
_ENTRY: Final = re.compile(r"[^ \t|/]+")
_RANKS: Final = (
    ("A", "ace", "1", "one", "a"),
    ("2", "two", "deuce"),
    ("3", "three"),
    ("4", "four"),
    ("5", "five"),
    ("6", "six"),
    ("7", "seven"),
    ("8", "eight"),
    ("9", "nine"),
    ("T", "ten", "10", "0"),
    ("J", "jack", "knave", "11"),
    ("Q", "queen", "12"),
    ("K", "king", "13"),
)
_SUITS: Final = (("S", "spade", "♠♤"), ("H", "heart", "♥♡"), ("D", "diamond", "♦♢"), ("C", "club", "♣♧"))
_MARKS: Final = re.compile(r"[,;:.+&()\[\]{}<>'\"\u2013\u2014-]+")
_RUN: Final = re.compile(r"(?:10|[2-9AJQKTajqkt])[SHDCshdc\u2660-\u2667]")
_RUNS: Final = re.compile(rf"(?:{_RUN.pattern}){{2,}}")
A_CARD: Final = "a card is its rank and its suit, such as 7D or TH"
_KNIGHTS: Final = "\U0001f0ac\U0001f0bc\U0001f0cc\U0001f0dc"


@dataclass(frozen=True, slots=True)
class _Stop:
    """How far a text follows a form: the part that failed (``None``: the form is complete), and where."""

    form: Form
    done: int
    part: Part | None
    column: int
    types: tuple[str, ...] = ()
    """What was expected within the part."""
    touching: bool = False
    """Whether what stands here has no space before it although one is due."""


def explain(text: str, forms: Sequence[Form], table: Table) -> NotationError:
    """Say what is wrong with a text that no form matches."""
    comment = re.search(table.terminals["COMMENT"], text)
    bare = (text[: comment.start()] if comment else text).rstrip(" \t")
    words = list(_WORD.finditer(bare))
    if not words:
        return NotationError("no event stands on this line", 0, max(1, len(text)))
    acting = words[0].group() in PLAYERS
    if acting and len(words) == 1:
        hint = f"events: {_list(_verbs(forms, True))}"
        return NotationError("what the player does is missing", *words[0].span(), hint)
    verb = words[1] if acting else words[0]
    same = [form for form in forms if form.verb[0].text == verb.group()]
    if not same:
        return _no_verb(words, acting, forms)
    fitting = [form for form in same if form.has_actor == acting]
    if not fitting:
        return _actor_error(words, acting, same[0])
    return _stopped(bare, max((_follow(bare, form, table) for form in fitting), key=_distance), table)


def usage(form: Form) -> str:
    """A form as a person would be shown it: ``A play CARD from SLOT on PILE``."""
    words: list[str] = []
    for part in form.parts:
        if isinstance(part, Argument):
            words += [part.name.upper()] if len(part.pieces) == 1 else part.pieces
            if part.types[0] == "PLAYER":
                words[-1] = "A" if part.name == ACTOR else "PLAYER"
        elif not is_silent(part):
            words.append(part.text)
    return join_words(words)


def _form(form: Form) -> str:
    """A form as a hint."""
    shape = usage(form)
    return f"the form is `{shape}`" + (", a PLAYER being A or B" if "PLAYER" in shape.split() else "")


def _distance(stop: _Stop) -> tuple[int, int]:
    return stop.column, stop.done


def _follow(text: str, form: Form, table: Table) -> _Stop:
    column = 0
    before: Part | None = None
    for done, part in enumerate(form.parts):
        if is_silent(part):
            continue
        end, column = column, _skip(text, column)
        match = re.compile(_bounded(part, table)).match(text, column)
        if match is None:
            inner, types = _inner(text, column, part, table)
            return _Stop(form, done, part, inner, types)
        if before is not None and column == end and both_words(before, part):
            return _Stop(form, done, part, column, touching=True)
        before = part
        column = match.end()
    end, column = column, _skip(text, column)
    return _Stop(form, len(form.parts), None, column, touching=column == end)


def _bounded(part: Part, table: Table) -> str:
    end = r"(?![^ \t:|/])" if isinstance(part, Keyword) and part.is_word else ""
    return piece_expression(part, table) + end


def _inner(text: str, column: int, part: Part, table: Table) -> tuple[int, tuple[str, ...]]:
    """Where, within an argument of several pieces, the text stops to follow, and what was expected there."""
    if not isinstance(part, Argument):
        return column, ()
    for index, piece in enumerate(part.pieces):
        column = _skip(text, column)
        expression = re.escape(piece) if index % 2 else table.terminals[piece]
        match = re.compile(expression).match(text, column)
        if match is None:
            return column, (piece,)
        column = match.end()
    return column, ()


def _skip(text: str, column: int) -> int:
    while column < len(text) and text[column] in " \t":
        column += 1
    return column


def _stopped(text: str, stop: _Stop, table: Table) -> NotationError:
    hint = _form(stop.form)
    found = _WORD.match(text, stop.column)
    if stop.touching and found:
        return NotationError(f"a space is missing before {shown(found.group())}", *found.span(), hint)
    if stop.part is None:
        return _left_over(text, stop, table, hint)
    wanted = _wanted(stop)
    if found is None:
        return NotationError(f"the line ends where {wanted} is due", *_last_word(text), hint)
    types = stop.types or (stop.part.types if isinstance(stop.part, Argument) else ())
    if types and types[0] in ("CARD", "CARDS"):
        return _no_card(text, stop.column, hint)
    if types and types[0] not in table.terminals:  # after a list of cards: a further card, or a mark
        return _after_cards(text, stop.column, wanted, hint)
    if isinstance(stop.part, Keyword) and not stop.part.is_word:
        return _after_cards(text, stop.column, wanted, hint)
    word = found.group()
    if isinstance(stop.part, Keyword) and word.startswith(stop.part.text):
        return NotationError(f"a space is missing after {wanted}", *found.span(), hint)
    if "#" in word[1:]:
        hint = "a comment's # has a space before it"
    return NotationError(f"{shown(word)} stands where {wanted} is due", *found.span(), hint)


def _wanted(stop: _Stop) -> str:
    if stop.types and not stop.types[0].isidentifier():
        return f"`{stop.types[0]}`"
    if isinstance(stop.part, Argument):
        name = stop.part.name.replace("_", " ")
        meaning = kind(stop.part.types[0]).meaning
        if stop.part.types[0] == "PLAYER":
            return f"{meaning},"
        return meaning if name in meaning else f"the {name}, {meaning},"
    return f"`{stop.part.text}`" if stop.part else ""


def _last_word(text: str) -> tuple[int, int]:
    words = list(_WORD.finditer(text))
    return words[-1].span() if words else (0, 1)


def _left_over(text: str, stop: _Stop, table: Table, hint: str) -> NotationError:
    words = list(_WORD.finditer(text, stop.column))
    first = words[0]
    rest = (first.start(), words[-1].end())
    if stop.form.observation:
        return NotationError(f"{shown(text[slice(*rest)])} is left over at the end", *rest, hint)
    if first.group() == "refused" and len(words) > 1:
        near = nearest(words[1].group(), table.reasons)
        if words[1].group() in table.reasons:
            return NotationError(f"{shown(words[2].group())} is left over after the reason", *words[2].span(), hint)
        guess = f"did you mean `{near}`? " if near else ""
        hint = f"{guess}reasons: {_list(table.reasons)}; or none"
        return NotationError(f"{shown(words[1].group())} is no reason for refusing", *words[1].span(), hint)
    if nearest(first.group(), ["refused"]):
        return NotationError(f"{shown(first.group())} is left over", *first.span(), "did you mean `refused`?")
    return NotationError(f"{shown(text[slice(*rest)])} is left over at the end", *rest, hint)


def _after_cards(text: str, column: int, wanted: str, hint: str) -> NotationError:
    if text[column] in "|/:":
        return NotationError(f"`{text[column]}` stands where {wanted} is due", column, column + 1, hint)
    word = _ENTRY.match(text, column)
    if word is None or _spoken(text, column) or card_hint(word.group()):
        return _no_card(text, column, hint)
    return NotationError(f"{shown(word.group())} is no card, and {wanted} is due", *word.span(), hint)


def _no_card(text: str, column: int, hint: str) -> NotationError:
    if spoken := _spoken(text, column):
        card = _guess(spoken[1].lower(), spoken[2].lower())
        return NotationError(f"{shown(spoken.group())} is no card", *spoken.span(), f"did you mean {card}?")
    word = _ENTRY.match(text, column)
    if word is None:
        return NotationError(f"`{text[column]}` stands where a card is due", column, column + 1, hint)
    guess = card_hint(word.group()) or _suitless(word.group()) or f"{A_CARD}; {hint}"
    return NotationError(f"{shown(word.group())} is no card", *word.span(), guess)


def _spoken(text: str, column: int) -> re.Match[str] | None:
    """A card in words, such as ``ten of hearts``, if one stands here."""
    spoken = re.compile(r"([^ \t|/]+)[ \t]+of[ \t]+([^ \t|/]+)").match(text, column)
    return spoken if spoken and _guess(spoken[1].lower(), spoken[2].lower()) else None


def _suitless(word: str) -> str:
    rank = next((names[0] for names in _RANKS if word.lower() in (names[0].lower(), *names[1:])), "")
    cards = [rank + suit[0] for suit in _SUITS]
    return f"a suit is missing: {_list(cards)}, and {rank}? if nobody saw which" if rank else ""


def entry_hint(entry: str) -> str:
    """What may have been meant by an entry of any words that is no card; empty where nobody can tell."""
    if spoken := _spoken(entry, 0):
        return f"did you mean {_guess(spoken[1].lower(), spoken[2].lower())}?"
    return card_hint(entry) or _suitless(entry)


def card_hint(word: str) -> str:
    """What may have been meant by a word that is no card; empty where nobody can tell."""
    if word[0] in _KNIGHTS:
        return "the Knight is not a card of this pack"
    if cards := joined(word):
        return f"cards are set apart by spaces alone: {' '.join(cards[:8])}{' …' * (len(cards) > 8)}"
    entry, star, _ = word.partition("*")
    if star and (entry == "??" or _guess_word(entry)):
        return "an entry is repeated only in a list of cards, as in ??*11"
    if card := _guess_word(entry):
        return f"did you mean {card}?"
    if re.fullmatch(r"(?:10|[2-9AJQKTajqkt])[^\W\d_]", entry):
        return f"{shown(entry[-1])} is no suit: S, H, D or C"
    if len(entry) == 2 and entry[1] in "SHDCshdc":
        return f"{shown(entry[0])} is no rank: A, 2 to 9, T, J, Q or K"
    return ""


def joined(word: str) -> list[str]:
    """Cards that a word of several holds, or one card with a comma or the like beside it."""
    pieces = [piece for piece in _MARKS.split(word) if piece]
    if len(pieces) == 1:
        pieces = _RUN.findall(pieces[0]) if _RUNS.fullmatch(pieces[0]) else pieces
    cards = [_guess_word(piece) for piece in pieces if piece not in ("and", "&")]
    good = [card for card in cards if card]
    marked = len(cards) > 1 or word not in pieces
    return good if marked and len(good) == len(cards) else []


def _guess_word(word: str) -> str | None:
    """The card that a word such as ``1H``, ``11♠`` or ``QueenH`` may mean."""
    for length in range(1, min(len(word), 9)):
        first, last = word[:length].lower(), word[length:].lower()
        if card := _guess(first, last) or _guess(last, first):
            return card
    return None


def _guess(rank: str, suit: str) -> str | None:
    ranks = [names[0] for names in _RANKS if rank in (names[0].lower(), *names[1:])]
    suits = [names[0] for names in _SUITS if suit in (names[0].lower(), names[1], names[1] + "s", *names[2])]
    return ranks[0] + suits[0] if ranks and suits else None


def _no_verb(words: Sequence[re.Match[str]], acting: bool, forms: Sequence[Form]) -> NotationError:
    word = words[1] if acting else words[0]
    text = word.group()
    known = list(dict.fromkeys((*_verbs(forms, True), *_verbs(forms, False))))
    second = words[1].group() if not acting and len(words) > 1 else ""
    if second in _verbs(forms, True):
        guess = f"did you mean {text.upper()}?" if text.upper() in PLAYERS else "events name the players A and B"
        return NotationError(f"{shown(text)} is no player", *word.span(), guess)
    near = nearest(text, known)
    hint = f"did you mean `{near}`?" if near else f"events: {_list(known)}"
    return NotationError(f"{shown(text)} is no event", *word.span(), hint)


def _actor_error(words: Sequence[re.Match[str]], acting: bool, form: Form) -> NotationError:
    verb = form.verb[0].text
    if acting:
        return NotationError(f"`{verb}` takes no player before it", *words[0].span(), _form(form))
    return NotationError(f"`{verb}` needs a player before it", *words[0].span(), _form(form))


def _verbs(forms: Sequence[Form], acting: bool) -> list[str]:
    return list(dict.fromkeys(form.verb[0].text for form in forms if form.has_actor == acting))


def _list(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
