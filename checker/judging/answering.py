"""Answering: what lines that were left open turn out to be, put in the place of what was said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairdeal.checker.engines.layout import State, copy
from fairdeal.checker.judging.binding import Bound
from fairdeal.checker.judging.findings import Fault
from fairdeal.checker.judging.outcome import FirstFaultError
from fairdeal.checker.judging.questions import Answer, Question
from fairdeal.checker.judging.referee import Ruling
from fairdeal.checker.verdict import Finding, Related, Severity
from fairdeal.spec.cards import card_name

if TYPE_CHECKING:
    from fairdeal.checker.judging.run import Run


def show(run: Run, bound: Bound, ruling: Ruling, line: str) -> None:
    """Say what lines were whose cards this one shows, before it is carried out."""
    run.questions.forget(run.origins.doubts)
    if not ruling.lawful:
        run.questions.forget(run.referee.touched(bound))
        return
    for answer in run.questions.answers(bound, run.state):
        shown = Related(run.line, "this shows the cards", line, 1, len(line) + 1)
        if answer.ruling.lawful:
            _settle(run, answer.question, "lawful, though the cards are not recorded here", shown)
            continue
        finding = _turned_out(run, answer.question, Fault.ruled(answer.bound, answer.ruling), answer.before)
        if finding is not None:
            finding = replace(finding, message=_sentence(finding.message, answer), related=(shown,))
            run.outcome.answer(answer.question.finding, finding, Severity.ERROR)


def tell(run: Run, bound: Bound, line: str) -> None:
    """Say what lines were that hung on what nobody had told, where this one tells it."""
    for question, ruling in run.questions.told_by(bound):
        here = Related(run.line, "this tells it", line, 1, len(line) + 1)
        refused = question.bound.body.refused is not None
        if ruling.lawful is not refused:
            message = f"{'rightly refused' if refused else 'lawful'}, as a later line tells"
            _settle(run, question, message, here)
            continue
        fault = Fault.refused(question.bound, ruling) if refused else Fault.ruled(question.bound, ruling)
        finding = _turned_out(run, question, fault, question.table)
        if finding is not None:
            run.outcome.answer(question.finding, replace(finding, related=(here,)), Severity.ERROR)


def _settle(run: Run, question: Question, message: str, related: Related) -> None:
    """Say that a line which was left open was as it should be."""
    note = question.finding
    if note is not None:
        note = replace(
            note, severity=Severity.NOTE, message=message, related=(related,), legal=(), legal_total=0, readings={}
        )
    run.outcome.answer(question.finding, note, Severity.NOTE)


def _turned_out(run: Run, question: Question, fault: Fault, before: State) -> Finding | None:
    """The finding for a line that was left open and turns out to be at fault; none where that may only follow."""
    fault.line, fault.follows = question.fault.line, question.fault.follows
    run.origins.weigh(fault)
    if fault.severity is not Severity.ERROR:
        return None
    if run.trial:
        raise FirstFaultError(fault)
    after, run.state[:] = copy(run.state), before
    finding = run.explainer.explain(fault, run, question.text, question.offset)
    run.state[:] = after
    if run.outcome.first_fault is question.fault:
        run.outcome.first_fault = fault
    return finding


def _sentence(message: str, answer: Answer) -> str:
    """A sentence about a line that breaks a rule; where its cards are not known for sure, as it is for some of them."""
    if not answer.among:
        return message
    names = " ".join(map(card_name, answer.among))
    return f"whichever of {names} this is, it breaks the rule; for some of them: {message}"
