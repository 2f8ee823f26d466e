"""What a hostile log can do to the page, which is nothing, and what the page asks of the network, which is nothing."""

from __future__ import annotations

import pytest

from tests.reporting.replay.browsing import visiting
from tests.reporting.replay.games import DEALS, FAULTY

SCRIPT = "<script>window.hacked = 1</script>"
IMAGE = "<img src=http://127.0.0.1:9/x onerror=window.hacked=2>"
CLOSER = "</script><svg onload=window.hacked=3>"
TURNED = "\u202eneB"

HOSTILE = f"""\
# {CLOSER}
gamelog: 1
game: spit
id: {CLOSER}
source: {IMAGE}
players: {SCRIPT}, {IMAGE}
x-note: "]}}</script>{SCRIPT}

{DEALS.rstrip()} # {IMAGE}{CLOSER}
A play {SCRIPT} from {IMAGE}
A spit 2H on 1 refused {CLOSER}
{{"type": "play", "player": "{SCRIPT.replace('"', "")}"}}
"""


def test_what_a_log_says_is_text(browser, replay):
    with visiting(browser, replay(HOSTILE), address="#L1") as visit:
        heading = visit.page.locator("h1").inner_text()
        assert heading == f"Spit: {SCRIPT} and {IMAGE}"
        assert visit.page.locator(".plate .name").all_inner_texts() == [IMAGE, SCRIPT]
        rows = visit.page.locator("#log .text").all_inner_texts()
        assert rows[0] == f"# {CLOSER}"
        assert f"A play {SCRIPT} from {IMAGE}" in rows
        while visit.page.locator("#on").get_attribute("aria-disabled") == "false":
            visit.press("ArrowRight")
        assert visit.page.evaluate("window.hacked") is None
        assert visit.page.locator("img").count() == 0
        scripts = visit.page.locator("script").count()
        assert visit.page.locator("head script, #table script, #log script, #findings script").count() == 0
        assert visit.requests == [visit.page.url.partition("#")[0]]
        assert visit.complaints == []
    with visiting(browser, replay(FAULTY)) as visit:
        assert visit.page.locator("script").count() == scripts


def test_the_name_of_the_log_is_text(browser, replay, tmp_path):
    log = tmp_path / "<img src=x onerror=alert(1)>.gamelog"
    log.write_text(FAULTY)
    with visiting(browser, replay(log)) as visit:
        assert log.name in visit.page.title()
        assert log.name in visit.page.locator("#about").inner_text()
        assert visit.complaints == []


def test_what_turns_text_around_is_shown_as_an_escape(browser, replay):
    with visiting(browser, replay(FAULTY.replace("Ben", TURNED))) as visit:
        assert "\\u202eneB" in visit.page.locator("h1").inner_text()


def test_a_game_is_played_without_a_request(browser, replay):
    with visiting(browser, replay(FAULTY), address="#L1") as visit:
        visit.press("End", "Home", "Shift+ArrowRight")
        visit.page.wait_for_timeout(300)
        assert visit.requests == [visit.page.url.partition("#")[0]]
        assert visit.complaints == []


@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        (
            "const s = document.createElement('script'); s.append('window.hacked = 1'); document.body.append(s)",
            "script",
        ),
        ("document.body.insertAdjacentHTML('beforeend', '<i onclick=1>x</i>')", "TrustedHTML"),
        ("const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i)", "img-src"),
        ("fetch('http://127.0.0.1:9/').catch(() => 0)", "connect-src"),
        (
            "const s = document.createElement('style'); s.append('body { display: none }'); document.body.append(s)",
            "style",
        ),
    ],
)
def test_the_policy_is_in_force(browser, replay, attempt, directive):
    """Even if something slipped into the page, its policy would stop it."""
    with visiting(browser, replay(FAULTY)) as visit:
        visit.page.evaluate(f"() => {{ try {{ {attempt} }} catch (error) {{ console.error(error.message) }} }}")
        visit.page.wait_for_timeout(100)
        assert any(directive in complaint for complaint in visit.complaints), visit.complaints
        assert visit.page.evaluate("window.hacked") is None
        assert visit.page.locator("#table").is_visible()
        assert visit.answers == [visit.page.url.partition("#")[0]]
