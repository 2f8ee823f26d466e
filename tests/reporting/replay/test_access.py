"""The page for everybody: on a phone, in the dark, by keyboard alone, with a screen reader."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.reporting.replay.browsing import visiting
from tests.reporting.replay.games import FAULT_LINE, FAULTY, generated, two_games

HUGE = """\
gamelog: 1
game: queen-city-rum

round 1 first A
A deal AS AH AD AC 2S 2H 2D 2C 3S 3H 3D 3C 4S 4H 4C 6D 6C 7S 7H 7D 8S 8H 8D 8C 9S 9H 9D 9C TS TH TD JH JD JC QH QD QC KH KD
"""
LONG = FAULTY.replace("Ada, Ben", f"{'Anna' * 12}, {'Бен' * 12}").replace("@2.000", "@123456789.123")


@pytest.mark.parametrize("width", [320, 400])
@pytest.mark.parametrize("log", [FAULTY, LONG, HUGE, two_games(), generated("queen-city-rum", 5)])
def test_nothing_is_wider_than_a_phone(browser, replay, width, log):
    with visiting(browser, replay(log), width=width, height=700) as visit:
        assert visit.overflow() == 0
        for step in range(0, visit.steps() + 1, 9):
            visit.page.evaluate(f"go({step})")
            assert visit.overflow() == 0, visit.number()
            edges = visit.page.eval_on_selector_all(
                ".card", "all => all.map((one) => one.getBoundingClientRect().right)"
            )
            assert max(edges) <= width, visit.number()


@pytest.mark.parametrize("width", [320, 400])
def test_every_number_of_cards_stands_on_the_table(browser, replay, width):
    beyond = """() => {
        const right = (one) => one.getBoundingClientRect().right;
        const edges = [];
        for (let step = 0; step <= Number(document.querySelector("#place").max); step += 1) {
            go(step);
            edges.push(...[...document.querySelectorAll(".size")].map(right));
        }
        return Math.max(...edges) - right(document.querySelector("#table"));
    }"""
    with visiting(browser, replay(generated("spit", 3)), width=width, height=700) as visit:
        assert visit.page.evaluate(beyond) <= 0


def test_on_a_phone_the_table_and_the_steps_are_in_one_view(browser, replay):
    with visiting(browser, replay(FAULTY), width=400, height=800) as visit:
        for place in ("#table", "#now", "#on", "#finding-on"):
            box = visit.page.locator(place).bounding_box()
            assert box is not None
            assert box["y"] >= 0, place
            assert box["y"] + box["height"] <= 800, place


def test_buttons_are_large_enough_for_a_finger(browser, replay):
    with visiting(browser, replay(FAULTY), width=400, height=800) as visit:
        for button in visit.page.locator(".controls button").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44  # WCAG 2.5.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_axe_finds_nothing(browser, replay, dark, width):
    """Contrast, names, roles and landmarks, as axe-core judges them, at a finding and at a rum table."""
    log = two_games()
    with visiting(browser, replay(log), dark=dark, width=width) as visit:
        for line in (FAULT_LINE, len(log.splitlines()) - 40):
            visit.page.evaluate(f"visit({line})")
            found = Axe().run(visit.page)
            assert found.violations_count == 0, found.generate_report()


def test_it_is_dark_where_the_system_is(browser, replay):
    page = replay(FAULTY)

    def lightness(dark: bool) -> int:
        with visiting(browser, page, dark=dark) as visit:
            color = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
            return sum(int(part) for part in color[4:-1].split(","))

    assert lightness(dark=True) < 3 * 60 < 3 * 200 < lightness(dark=False)


def test_by_keyboard_alone(browser, replay):
    """From the top of the page: choose the first game, step in the log, go to a line that a finding speaks of."""
    with visiting(browser, replay(two_games())) as visit:
        focused = "document.activeElement.id || document.activeElement.className"
        visit.press("Tab")
        assert visit.page.evaluate(focused) == "game"
        visit.press("ArrowDown")
        assert visit.page.locator("h1").inner_text().startswith("Queen City Rum")
        visit.press("ArrowUp")
        assert visit.number() == FAULT_LINE
        order = []
        for _ in range(14):
            visit.press("Tab")
            order.append(visit.page.evaluate(focused))
            outline = visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", order
            if order[-1] == "log":
                break
        wanted = [
            "first",
            "back",
            "run",
            "on",
            "last",
            "place",
            "finding-back",
            "finding-on",
            "reveal",
            "link",
            "overview-title",
            "jump error",
            "log",
        ]
        assert order == wanted
        visit.press("ArrowUp", "ArrowUp", "ArrowDown")
        assert visit.number() == FAULT_LINE - 1
        visit.press("Shift+ArrowRight")
        assert visit.number() == FAULT_LINE
        visit.press("Shift+Tab", "Shift+Tab", "Shift+Tab")
        assert visit.page.evaluate(focused) == "link"
        visit.press("Enter")
        assert visit.line() == "@0.000 B spit 6D on 2"


def test_the_slider_steps_by_its_own_keys(browser, replay):
    with visiting(browser, replay(FAULTY)) as visit:
        visit.page.locator("#place").focus()
        visit.press("Home")
        assert visit.number() == 1
        visit.press("ArrowRight")
        assert visit.number() == 4
        assert visit.page.locator("#place").get_attribute("aria-valuetext") == "line 4: round 1"


def test_a_screen_reader_hears_the_line_and_what_is_wrong_with_it(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L13") as visit:
        status = visit.page.get_by_role("status")
        visit.press("ArrowRight")
        expect(status).to_contain_text("Line 14")
        said = status.inner_text()
        assert said.startswith("Line 14: @2.000 A play 8D from 3 on 2.")
        assert "error SPIT-PLAY-5: 8D does not follow 6D." in said
        assert visit.page.get_by_role("region", name="The table after line 14").count() == 1
        visit.page.locator("#log").focus()
        visit.press("ArrowDown")
        expect(status).to_be_empty()  # the list says its line itself
        assert visit.page.locator("#log").get_attribute("aria-activedescendant") == "line-15"


def test_steps_in_quick_succession_are_not_all_read_out(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L1") as visit:
        visit.page.evaluate(
            "window.heard = []; new MutationObserver(() => heard.push(said.textContent)).observe(said, {childList: true})"
        )
        visit.press(*["ArrowRight"] * 5)
        expect(visit.page.get_by_role("status")).to_contain_text("Line 8")
        assert len(visit.page.evaluate("window.heard")) <= 2
