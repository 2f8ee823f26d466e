"""Whole renderings, as people see them."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.checker.reporting.reporter import Settings, Summary
from fairdeal.checker.reporting.tally import Tally
from fairdeal.checker.reporting.terminal import Paint
from fairdeal.checker.reporting.text import TextReporter, fold, render_finding, render_game, render_summary
from fairdeal.checker.verdict import Finding, GameReport, Related, Severity, Verdict

CLAUSES = {
    "SPIT-PLAY-5": "A card may be played only if its rank is one above or one below that of the card on top.",
    "SPIT-STUCK-1": "Only when neither player can play do both spit again.",
}
SETTINGS = Settings(statement=lambda _game, code: CLAUSES.get(code, ""))
GAME = GameReport("games/a.gamelog", 1, "g17", "spit", "standard", {}, ("Ada", "Ben"), 212, Verdict.VIOLATION, ())
PLAY = Finding(
    "SPIT-PLAY-5",
    Severity.ERROR,
    42,
    15,
    17,
    "9H does not follow 5C",
    "@1.204 A play 9H from 2 on 1",
    also=("SPIT-FLIP-1", "SPIT-MOVE-1"),
    hint="did you mean 6H?",
    related=(Related(38, "5C was put on pile 1 here", "@1.050 B play 5C from 3 on 1", 15, 17),),
    legal=("A play 4D from 4 on 1", "A play 6S from 2 on 1", "A flip at 3", "A move 4C from 5 to 2"),
    legal_total=7,
)
SPIT = Finding(
    "SPIT-STUCK-1",
    Severity.READING,
    60,
    8,
    12,
    "A spits although B could still turn up stock 3",
    "@2.000 A spit 2H on 1",
    readings={"stuck": "plays_only"},
)
READINGS = {f"option_{number}": "a_long_value" for number in range(6)}
HOSTILE = "\033]0;owned\007 \033[2J [bold red]x[/] \u202e\u05d0 \x9b31m \udcff"


def follow(line: int, source: int) -> Finding:
    return Finding("SPIT-PLAY-4", Severity.ERROR, line, 1, 2, "so it goes", "x", follows_from=source)


def rendered(report: GameReport, settings: Settings = SETTINGS) -> str:
    return "\n".join(render_game(report, settings))


def test_a_violation_with_everything():
    assert (
        render_finding(PLAY, GAME, SETTINGS)
        == """\
error[SPIT-PLAY-5]: 9H does not follow 5C
  --> games/a.gamelog:42:15
   |
38 | @1.050 B play 5C from 3 on 1
   |               -- 5C was put on pile 1 here
...
42 | @1.204 A play 9H from 2 on 1
   |               ^^
   |
   = clause: A card may be played only if its rank is one above or one below
             that of the card on top.
   = also breaks: SPIT-FLIP-1, SPIT-MOVE-1
   = legal instead: A play 4D from 4 on 1, A play 6S from 2 on 1, A flip at 3,
                    and 4 more
   = hint: did you mean 6H?"""
    )


def test_the_same_in_colour_is_the_same_without_the_colours():
    colored = render_finding(PLAY, GAME, replace(SETTINGS, color=True))
    assert colored.startswith(
        "\033[1;31merror[SPIT-PLAY-5]\033[0m\033[1m: 9H does not follow 5C\033[0m\n"
        "  \033[1;34m-->\033[0m games/a.gamelog:42:15\n"
    )
    assert re.sub(r"\033\[[0-9;]*m", "", colored) == render_finding(PLAY, GAME, SETTINGS)
    assert all(line.count("\033[") == 2 * line.count("\033[0m") for line in colored.split("\n"))


def test_a_narrow_terminal():
    assert (
        render_finding(PLAY, GAME, replace(SETTINGS, width=40))
        == """\
error[SPIT-PLAY-5]: 9H does not follow
    5C
  --> games/a.gamelog:42:15
   |
38 | @1.050 B play 5C from 3 on 1
   |               --
   | 5C was put on pile 1 here
...
42 | @1.204 A play 9H from 2 on 1
   |               ^^
   |
   = clause: A card may be played only
             if its rank is one above or
             one below that of the card
             on top.
   = also breaks: SPIT-FLIP-1,
             SPIT-MOVE-1
   = legal instead:
             A play 4D from 4 on 1,
             A play 6S from 2 on 1,
             A flip at 3, and 4 more
   = hint: did you mean 6H?"""
    )


def test_a_question_of_reading_and_the_game_that_it_would_save():
    report = replace(
        GAME, verdict=Verdict.READING_DEPENDENT, findings=(SPIT,), readings={"stuck": "plays_only", "ace": "linear"}
    )
    assert (
        rendered(report)
        == """\
reading[SPIT-STUCK-1]: A spits although B could still turn up stock 3
  --> games/a.gamelog:60:8
   |
60 | @2.000 A spit 2H on 1
   |        ^^^^
   |
   = clause: Only when neither player can play do both spit again.
   = reading: stuck=plays_only would allow it

games/a.gamelog:1 g17: reading-dependent, 212 events, 1 reading
  legal as a whole under stuck=plays_only, ace=linear
"""
    )


def test_the_board_on_request():
    board = "A  5H | 9C ..\n\npile 1: 5C \033[2J"
    assert render_finding(replace(SPIT, board=board), GAME, SETTINGS).endswith("""\
   = board: just before line 60
   | A  5H | 9C ..
   |
   | pile 1: 5C \\x1b[2J""")


def test_a_finding_without_a_line_of_its_own():
    cut = Finding("LOG-CUT", Severity.NOTE, 90, 1, 1, "the file ends in the middle of a line")
    assert (
        render_finding(cut, GAME, SETTINGS)
        == """\
note[LOG-CUT]: the file ends in the middle of a line
  --> games/a.gamelog:90:1"""
    )


def test_related_lines_without_text_without_place_and_on_the_line_itself():
    related = (
        Related(7, "the deal is here"),
        Related(41, "the line before", "  A flip 9H at 2 "),
        Related(42, "this stock", column=23, end_column=24),
    )
    lines = render_finding(replace(PLAY, related=related), GAME, SETTINGS).split("\n")
    assert lines[2:12] == [
        "   |",
        "41 |   A flip 9H at 2",
        "   |   -------------- the line before",
        "42 | @1.204 A play 9H from 2 on 1",
        "   |               ^^",
        "   |                       - this stock",
        "   |",
        "   = clause: A card may be played only if its rank is one above or one below",
        "             that of the card on top.",
        "   = also breaks: SPIT-FLIP-1, SPIT-MOVE-1",
    ]
    assert "   = line 7: the deal is here" in lines


def test_follow_ons_are_folded_into_their_source():
    findings = (PLAY, follow(50, 42), follow(51, 50), SPIT, follow(70, 60))
    text = rendered(replace(GAME, findings=findings))
    assert "   = 2 more findings that may only follow from line 42; --all shows them\n" in text
    assert "   = 1 more finding that may only follow from line 60; --all shows them\n" in text
    assert "so it goes" not in text
    assert text.endswith("games/a.gamelog:1 g17: violation, 212 events, 1 error, 1 reading, 3 follow-ons\n")


def test_a_clause_is_said_once_a_game():
    twice = replace(GAME, findings=(PLAY, SPIT, replace(PLAY, line=50)))
    assert rendered(twice).count("= clause: A card may be played") == 1
    assert rendered(twice).count("= clause:") == 2


def test_all_shows_them():
    text = rendered(replace(GAME, findings=(PLAY, follow(50, 42))), replace(SETTINGS, show_all=True))
    assert text.count("so it goes") == 1
    assert "   = may only follow from line 42\n" in text
    assert "--all" not in text


def test_a_follow_on_whose_source_was_not_kept_stands_for_itself():
    orphan = follow(50, 42)
    assert fold((orphan,)) == ([orphan], {})


def test_the_fold_is_said_once_where_a_line_has_two_findings():
    text = rendered(replace(GAME, findings=(PLAY, replace(PLAY, code="SPIT-FLIP-1"), follow(50, 42))))
    assert text.count("--all shows them") == 1


LINES = st.integers(1, 12)


@given(st.lists(st.tuples(LINES, st.none() | LINES), max_size=12))
def test_folding_ends_and_loses_nothing(places):
    findings = [replace(SPIT, line=line, follows_from=source) for line, source in places]
    shown, folded = fold(findings)
    assert len(shown) + sum(folded.values()) == len(findings)
    assert set(folded) <= {finding.line for finding in shown}
    assert all(finding in shown for finding in findings if finding.follows_from is None)


def test_hostile_text_is_shown_and_not_obeyed():
    finding = replace(PLAY, message=HOSTILE, source=HOSTILE, hint=HOSTILE, legal=(HOSTILE,), board=HOSTILE, column=1)
    related = (Related(3, HOSTILE), Related(4, HOSTILE, HOSTILE, 2, 9))
    report = replace(
        GAME,
        path=HOSTILE,
        id=HOSTILE,
        findings=(replace(finding, related=related, code=HOSTILE, readings={HOSTILE: HOSTILE}, also=(HOSTILE,)),),
        readings={HOSTILE: HOSTILE},
    )
    text = rendered(report)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)
    assert text.count("[bold red]x[/]") >= 8
    text.encode()


def test_a_message_as_long_as_a_line_may_be_is_cut():
    text = render_finding(replace(PLAY, message="x " * 40_000, hint="y" * 40_000), GAME, SETTINGS)
    assert len(text) < 4000
    assert max(map(len, text.split("\n"))) <= 80


@pytest.mark.parametrize("width", [30, 40, 80, 200])
def test_nothing_is_wider_than_the_terminal(width):
    source = "A deal " + "5H " * 60
    finding = replace(PLAY, source=source, column=100, end_column=102, message="word " * 60, readings={"a": "b" * 300})
    text = render_finding(finding, GAME, replace(SETTINGS, width=width))
    assert max(map(len, text.split("\n"))) <= width


def test_closing_lines_count_by_kind():
    findings = (*(replace(SPIT, severity=severity) for severity in Severity), PLAY)
    report = replace(GAME, id=None, events=1, findings=findings, more_findings=9)
    told = "violation, 1 event, 2 errors, 1 reading, 1 unknown, 1 warning, 1 note, 9 beyond --max-findings"
    assert rendered(report, replace(SETTINGS, width=120)).split("\n")[-2] == f"games/a.gamelog:1: {told}"
    *_, place, first, second, _ = rendered(report).split("\n")
    assert place == "games/a.gamelog:1:"
    assert (first + second[3:], first[:4]) == (f"    {told}", "    ")


@pytest.mark.parametrize("width", [30, 40, 80])
def test_a_path_alone_may_be_wider_than_the_terminal(width):
    """It is never broken, so that it can be copied; nothing stands beside it that would fit below."""
    path = "/".join(["folder"] * 12) + "/a.gamelog"
    kinds = tuple(replace(SPIT, severity=severity) for severity in Severity)
    for verdict in Verdict:
        summary = Summary(tally=Tally() if width == 80 else None, known=3, unmet=7, unread=[("x", "gone")], seconds=1.5)
        for each in Verdict:
            summary.verdicts[each] += 1000
        report = replace(GAME, path=path, verdict=verdict, findings=kinds, known=3, more_findings=5, readings=READINGS)
        summary.add(report)
        out = io.StringIO()
        reporter = TextReporter(out, replace(SETTINGS, width=width))
        reporter.game(report)
        reporter.end(summary)
        lines = out.getvalue().splitlines()
        wide = [line for line in lines if len(line) > width]
        assert [line for line in wide if not re.fullmatch(f" *(--> )?{path}(:60:8|:1 g17:)?", line)] == []
        assert any(line.strip().startswith(f"{verdict.value},") for line in lines)
        colored = io.StringIO()
        reporter = TextReporter(colored, replace(SETTINGS, width=width, color=True))
        reporter.game(report)
        reporter.end(summary)
        assert re.sub("\033\\[[0-9;]*m", "", colored.getvalue()) == out.getvalue()


def test_a_long_id_is_cut():
    last = rendered(replace(GAME, id="i" * 500, verdict=Verdict.LEGAL))
    assert last == f"games/a.gamelog:1 {'i' * 37}...: legal, 212 events"


def test_summaries():
    summary = Summary()
    assert render_summary(summary, Paint()) == render_summary(summary, Paint(), 30) == "no games"
    for verdict in (Verdict.LEGAL, Verdict.MALFORMED, Verdict.LEGAL):
        summary.add(replace(GAME, verdict=verdict, events=500))
    assert render_summary(summary, Paint()) == "3 games: 2 legal, 1 malformed; 1500 events"
    summary.unread.append(("x", "no such file"))
    summary.seconds = 0.1234
    assert render_summary(summary, Paint()) == (
        "3 games: 2 legal, 1 malformed; 1500 events; 1 source not checked in 0.12 s"
    )


def test_games_are_written_as_they_come():
    out = io.StringIO()
    reporter = TextReporter(out, SETTINGS)
    reporter.begin()
    assert out.getvalue() == ""
    reporter.game(replace(GAME, verdict=Verdict.LEGAL))
    assert out.getvalue() == "games/a.gamelog:1 g17: legal, 212 events\n"


EXITS = {
    Verdict.LEGAL: (0, 0),
    Verdict.INCOMPLETE: (0, 1),
    Verdict.READING_DEPENDENT: (0, 1),
    Verdict.UNKNOWN: (0, 1),
    Verdict.VIOLATION: (1, 1),
    Verdict.MALFORMED: (1, 1),
}


@given(st.lists(st.sampled_from(list(Verdict)), min_size=1, max_size=5), st.booleans())
def test_the_worst_game_decides_the_exit_code(verdicts, strict):
    summary = Summary(Counter(verdicts))
    assert summary.exit_code(strict) == max(EXITS[verdict][strict] for verdict in verdicts)
    summary.unread.append(("x", "no such file"))
    assert summary.exit_code(strict) == 2


def test_nothing_checked_is_no_success():
    assert Summary().exit_code(strict=False) == 1
