"""The replay page in a real browser: stepping, findings, clocks, games, and what it says to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fairdeal.checker.judging.board import lying
from fairdeal.checker.judging.history import Moment, moments
from fairdeal.checker.judging.run import Run
from fairdeal.spec.cards import card_name
from fairdeal.spec.catalogue import catalogue

from tests.expectations import TRACES
from tests.reporting.replay.browsing import visiting
from tests.reporting.replay.games import DEALS, FAULT_LINE, FAULTY, HEADER, generated, two_games


def tables(log: Path, every: int) -> dict[int, list[tuple[str, str]]]:
    """The table after every so many lines, as judging has it: what lies in each place, and what of it can be seen."""
    found = {}
    for moment in moments(str(log)):
        if isinstance(moment, Moment) and moment.bound and moment.run and moment.line % every == 0:
            found[moment.line] = list(places(moment.run))
    return found


def places(run: Run) -> Iterator[tuple[str, str]]:
    layout, state = run.binder.layout, run.state
    for shown in (shown for line in run.binder.game.board.lines for shown in line.zones):
        cards = lying(layout, state, shown)
        names = [card_name(code) for code in cards]
        if shown.optional and not cards:
            continue
        up = not shown.faced or state[layout.position[shown.faced, shown.index]]
        if shown.hidden or (cards and not up):
            names = ["back"] if cards else []
        elif layout.variables[shown.zone].kind != "bag":
            names = names[-1:]
        yield shown.label, f"{len(cards)}: {' '.join(names)}"


LYING = """all => all.map((zone) => {
  const cards = [...zone.querySelectorAll('.card:not(.none)')].map((card) => card.dataset.card ?? 'back');
  const size = zone.querySelector('.size')?.textContent ?? cards.length;
  return [zone.querySelector('.caption span').textContent, `${size}: ${cards.join(' ')}`];
})"""


@pytest.mark.parametrize("game", ["spit", "queen-city-rum"])
def test_the_table_after_a_line_is_that_of_judging(browser, replay, tmp_path, game):
    log = tmp_path / "whole.gamelog"
    log.write_text(generated(game))
    wanted = tables(log, every=5)
    assert len(wanted) > 30
    with visiting(browser, replay(log)) as visit:
        for line, table in wanted.items():
            visit.page.evaluate(f"visit({line})")
            assert visit.number() == line
            assert [tuple(zone) for zone in visit.page.eval_on_selector_all(".zone", LYING)] == table, f"line {line}"


def test_stepping_forward_and_back_by_button_and_by_key(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L1") as visit:
        assert visit.line() == "gamelog: 1"
        visit.page.get_by_role("button", name="Step forward").click()
        assert visit.line() == "round 1"
        visit.press("ArrowRight", "ArrowRight", "ArrowRight")
        assert visit.line() == "@0.000 A spit 2H on 1"
        assert "pile 1: 2 of hearts" in visit.zones()
        visit.press("ArrowLeft")
        assert "pile 1: empty" in visit.zones()
        visit.page.get_by_role("button", name="Step back").click()
        assert visit.number() == 5
        visit.press("End")
        assert visit.number() == 15
        visit.press("Home")
        assert visit.number() == 1
        visit.press("ArrowLeft")
        assert visit.number() == 1


def test_it_opens_at_the_first_finding_that_counts_and_shows_it(browser, replay):
    with visiting(browser, replay(FAULTY)) as visit:
        assert visit.number() == FAULT_LINE
        finding = visit.page.locator("#findings article")
        assert finding.count() == 1
        text = finding.inner_text()
        statement = " ".join(catalogue("spit").entry("SPIT-PLAY-5").statement.split())
        for part in ("error", "SPIT-PLAY-5", "8D does not follow 6D", statement, "lawful instead", "line 8"):
            assert part in text
        assert visit.page.locator("#now mark").inner_text() == "8D"
        assert visit.page.locator(".card.named.fault").get_attribute("data-card") == "8D"
        row = visit.page.locator("#log [aria-selected=true]")
        assert row.locator("mark").inner_text() == "8D"
        assert "SPIT-PLAY-5" in row.inner_text()


def test_a_line_that_is_no_event_is_a_step_with_a_finding(browser, replay):
    with visiting(browser, replay(HEADER + "round 1\nA dael 5H\n")) as visit:
        assert visit.line() == "A dael 5H"
        assert "LOG-SYNTAX" in visit.page.locator("#findings").inner_text()


def test_jumping_to_findings(browser, replay):
    log = FAULTY + "@3.000 A move 3H from 3 to 1\n"
    with visiting(browser, replay(log), address="#L1") as visit:
        visit.press("Shift+ArrowRight")
        assert visit.number() == FAULT_LINE
        visit.page.get_by_role("button", name="Next finding").click()
        assert visit.number() == 16
        assert visit.page.get_by_role("button", name="Next finding").get_attribute("aria-disabled") == "true"
        visit.press("Shift+ArrowRight")
        assert visit.number() == 16
        visit.press("Shift+ArrowLeft")
        assert visit.number() == FAULT_LINE
        visit.page.get_by_role("button", name=re.compile("line 16 .*")).click()
        assert visit.number() == 16
        visit.page.locator("#log").get_by_text("A deal 5H").click()
        assert visit.number() == 5


def test_a_line_that_a_finding_speaks_of_is_a_click_away(browser, replay):
    with visiting(browser, replay(FAULTY)) as visit:
        visit.page.locator("#findings").get_by_role("button", name="line 8").click()
        assert visit.line() == "@0.000 B spit 6D on 2"


def test_both_clocks_where_times_are_recorded(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L13") as visit:
        ben, ada = (plate.inner_text().split() for plate in visit.page.locator(".plate").all())
        assert ada[0] == "Ada"
        assert ben[0] == "Ben"
        assert "1.050" in ada
        assert "1.052" in ben
        assert "+0.360" in ada  # since her flip at 0.690
        assert "+0.321" in ben  # since his attempt at 0.731
    with visiting(browser, replay(re.sub(r"@\S+ ", "", FAULTY))) as visit:
        assert visit.page.locator(".clock").count() == 0


def test_in_a_game_of_turns_each_turn_takes_its_players_time(browser, replay):
    log = (
        "gamelog: 1\ngame: queen-city-rum\n\nround 1 first A\nA deal ??*10\nB deal ??*10\nturn-up 6S\n"
        "@10.0 A draw 2H\n@12.5 A discard 2H\n@16.0 B draw 3H\n@17.0 B discard 3H\n@17.25 A draw 4H\n"
    )
    with visiting(browser, replay(log), address="#L12") as visit:
        ben, ada = visit.page.locator(".plate .main").all_inner_texts()
        assert (ada, ben) == ("2.750 s", "4.500 s")  # 10 to 12.5 and 17 to 17.25; 12.5 to 17


def test_instants_are_shown_as_times_of_day(browser, replay):
    log = HEADER + DEALS + "@2026-01-31T20:15:00.250Z A spit 2H on 1\n"
    with visiting(browser, replay(log), address="#L7") as visit:
        assert "20:15:00.250" in visit.page.locator(".plate").nth(1).inner_text()


def test_several_games_have_a_chooser(browser, replay):
    log = two_games()
    start = log.splitlines().index("game: queen-city-rum")
    with visiting(browser, replay(log)) as visit:
        choice = visit.page.get_by_label("Game", exact=True)
        assert choice.locator("option").count() == 2
        assert "violation, 1 finding" in choice.locator("option").first.inner_text()
        choice.select_option(index=1)
        assert visit.number() == start
        assert visit.page.locator("h1").inner_text().startswith("Queen City Rum")
        assert visit.page.locator("#verdict").inner_text() == "legal"
    with visiting(browser, replay(log), address=f"#L{start + 9}") as visit:
        assert choice_of(visit.page) == "1"
        visit.page.evaluate("location.hash = '#L8'")
        expect(visit.page.locator("#now .number")).to_have_text("line 8")
        assert choice_of(visit.page) == "0"
    with visiting(browser, replay(FAULTY)) as visit:
        assert visit.page.locator("#chooser").is_hidden()


def choice_of(page) -> str:
    value: str = page.locator("#game").input_value()
    return value


def test_of_a_long_log_the_one_game_with_a_line(browser, replay):
    log = two_games()
    line = log.splitlines().index("game: queen-city-rum") + 9
    with visiting(browser, replay(log, "--at", str(line))) as visit:
        assert visit.number() == line
        assert visit.page.locator("#chooser").is_hidden()
        assert visit.page.locator("h1").inner_text().startswith("Queen City Rum")


def test_playing_goes_at_the_pace_of_the_game_to_its_end(browser, replay):
    with visiting(browser, replay(FAULTY)) as visit:
        visit.page.clock.install(time=0)
        visit.page.clock.pause_at(1000)
        visit.page.goto(visit.page.url.partition("#")[0] + "#L12")
        visit.page.reload()
        visit.press(" ")
        assert visit.page.get_by_role("button", name="Stop").is_visible()
        visit.page.clock.run_for(100)  # line 13 comes 2 ms after line 12, which nobody could see
        assert visit.number() == 13
        visit.page.clock.run_for(900)  # line 14 comes 948 ms after it
        assert visit.number() == 13
        visit.page.clock.run_for(100)
        assert visit.number() == 14
        visit.page.clock.run_for(10_000)
        assert visit.number() == 15
        assert visit.page.get_by_role("button", name="Play", exact=True).get_attribute("aria-disabled") == "true"


def test_without_times_playing_has_a_pace_of_its_own_and_any_step_stops_it(browser, replay):
    with visiting(browser, replay(re.sub(r"@\S+ ", "", FAULTY))) as visit:
        visit.page.clock.install(time=0)
        visit.page.clock.pause_at(1000)
        visit.page.goto(visit.page.url.partition("#")[0] + "#L7")
        visit.page.reload()
        visit.page.get_by_role("button", name="Play", exact=True).click()
        visit.page.clock.run_for(1000)
        assert visit.number() == 8
        visit.press("ArrowRight")
        visit.page.clock.run_for(5000)
        assert visit.number() == 9
        assert visit.page.get_by_role("button", name="Play", exact=True).is_visible()


def test_cards_that_lie_face_down_can_be_revealed(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L8") as visit:
        backs = visit.page.locator(".card.back").count()
        assert backs > 0
        assert "Ada, spit: 10 cards, face down" in visit.zones()
        visit.page.get_by_role("button", name="Reveal").click()
        assert visit.page.locator(".card.back").count() == 0
        assert "Ada, spit: jack of diamonds, the top of 10 cards" in visit.zones()


def test_json_lines_replay_as_text_does(browser, replay, tmp_path):
    log = tmp_path / "game.gamelog.jsonl"
    log.write_text(
        '{"gamelog": 1, "game": "queen-city-rum", "players": ["Ada", "Ben"]}\n'
        '{"type": "round", "number": 1, "first": "A"}\n'
        '{"type": "deal", "player": "A", "cards": ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS"]}\n'
    )
    with visiting(browser, replay(log), address="#L3") as visit:
        assert any(zone.startswith("Ada, hand: 10 cards: 2 of spades") for zone in visit.zones())


def test_a_meld_lies_in_sequence_with_its_owner_and_the_label_of_the_log(browser, replay):
    log = (
        "gamelog: 1\ngame: queen-city-rum\nplayers: Ada, Ben\n\nround 1 first A\nA deal QH KH AH 2S 3S 4D 5D 6C 7C 8C\n"
        "B deal 2C 3C 4C 5C 9C TC JC QC KC AC\nturn-up 6S\nA draw 9D\nA meld QH KH AH as m40\n"
    )
    with visiting(browser, replay(log), address="#L10") as visit:
        assert "Ada, meld m40: 3 cards: queen of hearts, king of hearts, ace of hearts" in visit.zones()


@pytest.mark.parametrize("width", [400, 1400])
def test_what_is_wrong_is_said_beside_the_table_without_scrolling(browser, replay, width):
    with visiting(browser, replay(FAULTY), width=width, height=850) as visit:
        said = visit.page.locator("#wrong")
        assert said.inner_text() == "8D does not follow 6D"
        box = said.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 850
        height = box["height"]
        visit.press("ArrowLeft")
        assert said.inner_text() == ""
        box = said.bounding_box()
        assert box is not None
        assert box["height"] == height  # the buttons below stay where they are


def test_the_clause_is_in_view_on_a_laptop(browser, replay):
    with visiting(browser, replay(FAULTY), width=1400, height=900) as visit:
        for part in ("#findings .clause", "#findings dl div >> nth=0"):
            box = visit.page.locator(part).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 900


@pytest.mark.parametrize("width", [400, 1400])
def test_a_long_name_is_shown_whole(browser, replay, width):
    name = "Maximiliana Theodora von Hohenzollern-Sigmaringen the Third"
    log = f"gamelog: 1\ngame: spit\nplayers: {name}, Ben\n\nround 1\n"
    with visiting(browser, replay(log), width=width) as visit:
        shown = visit.page.locator("#table .name", has_text=name)
        assert shown.get_attribute("title") == name
        assert shown.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")
        assert visit.overflow() <= 0


def test_a_game_without_findings_has_no_room_for_one(browser, replay):
    with visiting(browser, replay(TRACES / "legal" / "spit-play-5-king-on-queen.gamelog")) as visit:
        assert not visit.page.locator("#wrong").is_visible()


def test_before_the_first_event_no_round_is_numbered(browser, replay):
    with visiting(browser, replay(FAULTY)) as visit:
        visit.press("Home")
        assert "before the first round" in visit.page.locator("#table").inner_text()
        assert "round 0" not in visit.page.locator("#table").inner_text()
        visit.press("ArrowRight")
        assert "before the first round" not in visit.page.locator("#table").inner_text()
