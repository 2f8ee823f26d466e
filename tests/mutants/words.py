"""Terms and effects of the rules in words, for people who must write the game that a mutant lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairdeal.spec.cards import NO_CARD, card_name
from fairdeal.spec.language import terms
from fairdeal.spec.language.recording import Assign, Effect, Lay, Move, Part, Pick, Pour, TurnOver, When
from fairdeal.spec.language.terms import Term

Names = Mapping[Term, str]
"""Conditions that have a name of their own, and are called by it."""
SIGNS = {"eq": "==", "lt": "<", "add": "+", "sub": "-", "and": "and", "or": "or", "union": "with", "common": "within"}
OPPOSITE = {"eq": "!=", "lt": ">="}
LONGEST = 220


def words(term: Term, names: Names) -> str:
    """A term as a formula, without the brackets around it."""
    text = _text(term, names)
    return text[1:-1] if text.startswith("(") and _closes_last(text) else text


def shortened(text: str) -> str:
    """At most so much of a text as a line can hold."""
    return text if len(text) <= LONGEST else text[: LONGEST - 2] + " …"


def folded(term: Term, names: Iterable[Term]) -> tuple[Term, ...]:
    """The parts of a conjunction or disjunction, where some of them together are what has a name: that, in their stead.

    Recording flattens: a conjunction that is named loses itself in a longer one.
    """
    parts = term.args
    if term.op in ("and", "or"):
        for named in names:
            if named.op == term.op and len(named.args) < len(parts) and set(named.args) <= set(parts):
                first = parts.index(named.args[0])
                before, after = parts[:first], parts[first:]
                parts = (*before, named, *(part for part in after if part not in named.args))
    return parts


def _closes_last(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return at == len(text) - 1
    return False


def _text(term: Term, names: Names) -> str:
    if term in names:
        return names[term]
    match term.op:
        case "const":
            value = terms.known(term)
            if term.sort.kind == "card":
                return "no card" if value == NO_CARD else card_name(value)
            return term.sort.label(value)
        case "param":
            return str(term.value)
        case "option":
            return f"option {term.value}"
        case "cell":
            return _place(str(term.value), term.args, names)
        case "size" | "top" | "cards":
            return f"{term.op} of {_place(str(term.value), term.args, names)}"
        case "not":
            inner = term.args[0]
            if inner.op in OPPOSITE and inner not in names:
                left, right = _sides(inner, names)
                return f"({left} {OPPOSITE[inner.op]} {right})"
            return f"not {_text(inner, names)}"
        case "eq" | "lt":
            left, right = _sides(term, names)
            return f"({left} {SIGNS[term.op]} {right})"
        case "and" | "or" | "add" | "sub" | "union" | "common":
            return "(" + f" {SIGNS[term.op]} ".join(_text(arg, names) for arg in folded(term, names)) + ")"
        case "ite":
            condition, then, otherwise = (_text(arg, names) for arg in term.args)
            return f"({then} if {condition} else {otherwise})"
        case "member":
            return f"({_text(term.args[0], names)} in {_text(term.args[1], names)})"
        case "row":
            assert isinstance(term.value, tuple)
            name, part = term.value
            return str(name) if part is None else f"{name}[{part + 1}]"
    return f"{term.op}({', '.join(_text(arg, names) for arg in term.args)})"


def _sides(term: Term, names: Names) -> tuple[str, str]:
    left, right = term.args
    if right.op == "const" and left.op == "option" and right.sort is not left.sort:
        right = terms.const(terms.known(right), left.sort)
    return _text(left, names), _text(right, names)


def _place(name: str, index: tuple[Term, ...], names: Names) -> str:
    return f"{name}[{', '.join(words(term, names) for term in index)}]" if index else name


def effect_words(effect: Effect, names: Names) -> str:
    """An effect as a sentence's part."""

    def at(name: str, index: tuple[Term, ...]) -> str:
        return _place(name, index, names)

    match effect:
        case Assign():
            return f"{at(effect.cell, effect.index)} = {words(effect.value, names)}"
        case Move():
            return f"move {at(effect.source, effect.source_index)} to {at(effect.target, effect.target_index)}"
        case Pour():
            return f"pour {at(effect.source, effect.source_index)} into {at(effect.target, effect.target_index)}"
        case Part():
            places = at(effect.target, effect.target_index), at(effect.rest, effect.rest_index)
            cards = words(effect.cards, names)
            return f"part {at(effect.source, effect.source_index)}: {cards} to {places[0]}, others to {places[1]}"
        case Lay():
            places = at(effect.source, effect.source_index), at(effect.target, effect.target_index)
            return f"lay {words(effect.row, names)} from {places[0]} in {places[1]}"
        case Pick():
            places = at(effect.source, effect.source_index), at(effect.target, effect.target_index)
            return f"pick {words(effect.card, names)} from {places[0]} to {places[1]}"
        case TurnOver():
            return f"turn over {at(effect.source, effect.source_index)} to {at(effect.target, effect.target_index)}"
        case When():
            inner = "; ".join(effect_words(one, names) for one in effect.effects)
            return f"when {words(effect.condition, names)}: {inner}"
