"""The board of an event on a projector: letters that the back row reads, eight and the cut at once, and its age."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import open_event, show_scene
from people.models import User
from rules.challenge.book.rows import DEED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GM = Access(is_gm=True, name="gm")
PROJECTORS = ((1280, 720), (1920, 1080), (1024, 768))
NAMES = ("Rosalind the Younger", "Jo", "Maximilian", "Kim", "Ana", "Wei", "Oyelaran", "Bartholomew", "Li", "Sam")
SMALL_LETTERS = """
() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), around = walker.currentNode.parentElement;
    if (!text || around.closest('.visually-hidden, .skip, script, noscript') || !around.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(around).fontSize) < innerHeight / 20) found.push(text);
  }
  return found;
}
"""
BOTTOM_OF_CUT = "() => document.querySelector('.board-cut').getBoundingClientRect().bottom <= innerHeight"
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Ten pilots in two tables' event, six of them in the arena, awards behind them."""
    owner = User.objects.create_user("gm", "gm@example.org", "-")
    tables = [{"id": "Factory"}, {"id": "Jungle"}]
    event = open_event("Steel Night", {"tables": tables}, {"minimum_turns": 2}, owner)
    deeds: list[dict[str, Any]] = []
    for name in NAMES:
        deeds += [{"what": "new_pilot", "by": name}, {"do": "buy_mech", "pilot": name, "mech": "locust_lct_1v"}]
    deeds += [{"what": "enter", "by": name, "turn": 1} for name in NAMES[:6]]
    deeds += [
        {"what": "head_hit", "by": NAMES[0], "at": NAMES[2], "turn": 1, "phase": "fire"},
        {"what": "exit", "by": NAMES[4], "turn": 1, "overruled": "agreed"},
        {"what": "end_turn", "turn": 1},
    ]
    write(event.pk, GM, [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)])
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def page(browser: Browser, live_server: Any, event: Event) -> Iterator[Page]:
    """The board, whose clock only the test turns."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.clock.install()
    page.goto(f"{live_server.url}/challenge/{event.slug}/board/")
    yield page
    context.close()


def test_every_letter_is_a_twentieth_of_the_height_and_the_cut_is_seen(page: Page, event: Event) -> None:
    for scene in Event.Scene.values:
        show_scene(event, GM, scene)
        page.reload()
        for width, height in PROJECTORS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SMALL_LETTERS) == [], (scene, width)
            assert page.evaluate(WIDER) <= 0, (scene, width)
            if scene in ("live", "top"):
                assert page.evaluate(BOTTOM_OF_CUT), (scene, width)


def test_it_follows_the_gm_and_says_how_old_it_is(page: Page, event: Event) -> None:
    show_scene(event, GM, "queue")
    page.clock.run_for(4_000)
    expect(page.locator("#board-scene")).to_have_attribute("data-scene", "queue")
    expect(page.locator("#board-lost")).to_be_hidden()
    page.route("**/board/state/**", lambda route: route.abort())
    page.clock.run_for(4_000)
    expect(page.locator("#board-lost")).to_contain_text("No connection since")
    page.clock.run_for(20_000)
    expect(page.locator("#board-age")).to_contain_text("s ago")
    assert int(page.locator("#board-age").inner_text().split()[2]) >= 20
    page.unroute("**/board/state/**")
    page.clock.run_for(4_000)
    expect(page.locator("#board-lost")).to_be_hidden()


def test_the_minute_runs_in_the_final_and_hides_no_result(page: Page, event: Event) -> None:
    expect(page.locator("#minute")).to_be_hidden()
    show_scene(event, GM, "final")
    page.reload()
    page.get_by_role("button", name="Start the minute").click()
    page.clock.run_for(45_000)
    expect(page.get_by_role("timer")).to_have_text("15")
    page.clock.run_for(16_000)
    expect(page.locator("[data-over]")).to_be_visible()
    expect(page.locator(".board-standings")).to_be_visible()
