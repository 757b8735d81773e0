"""From the front page to the first shot, and two friends without accounts on two phones."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from people.models import User

from .conftest import PHONE, Visit
from .playing import answer, click_commit, follow, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES, MOST_LOADS = 6, 2
MOST_BYTES_OF_A_FIRST_LOAD = 150_000
MOST_OWN_BYTES, MOST_OWN_BYTES_COMPRESSED = 90_000, 30_000
A_MINUTE_MS = 60_000
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

SEEN = """each => {
  const box = each.getBoundingClientRect(), room = each.closest(".asked").getBoundingClientRect();
  return box.height > 0 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1 && room.bottom <= innerHeight;
}"""


class Newcomer:
    """Taps and counts; the page counts what it loads."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses, self.loads = page, 0, 0
        page.on("request", self._count)

    def _count(self, request: Any) -> None:
        self.loads += request.is_navigation_request() and request.redirected_from is None

    def press(self, what: Locator) -> None:
        self.presses += 1
        what.tap()


@pytest.mark.parametrize("visit", [TOUCH], indirect=True)
def test_the_first_shot_is_six_presses_and_two_pages_from_the_front_page(visit: Visit, live_server: Any) -> None:
    page = visit.page
    page.goto(live_server.url)
    person = Newcomer(page)
    person.press(page.get_by_role("button", name="Fight now"))
    expect(page.locator("#play[data-mine]")).to_be_visible()
    version = str(page.locator("#play").get_attribute("data-version"))
    choice = page.locator(".aimed")
    while not page.locator("#commit").count():
        before = page.url
        person.press(choice.first)
        expect(page).not_to_have_url(before)
        expect(page.locator("#commit, .question .options a").first).to_be_visible()
        choice = page.locator(".question .options a")
    expect(page.locator("#commit")).to_have_text(re.compile("^Fire at "))
    person.press(page.locator("#commit"))
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)
    own = MatchAction.objects.filter(match=Match.objects.get(), side="red", cause="")
    assert [step.action["order"] for step in own] == ["ranged"]
    assert person.presses <= MOST_PRESSES
    assert person.loads <= MOST_LOADS
    assert visit.complaints == []


@pytest.mark.parametrize("visit", [TOUCH], indirect=True)
def test_the_first_load_of_a_match_is_light(visit: Visit, browser: Browser, live_server: Any) -> None:
    """As a browser has it that keeps nothing yet: page, styles, scripts, fonts and pictures, as they are sent."""
    page = visit.page
    page.goto(live_server.url)
    page.get_by_role("button", name="Fight now").click()
    expect(page.locator("#play[data-mine]")).to_be_visible()
    fresh = browser.new_context(**TOUCH, storage_state=page.context.storage_state())
    opened, requests = fresh.new_page(), list[Request]()
    opened.on("requestfinished", lambda request: requests.append(request))
    opened.goto(page.url, wait_until="networkidle")
    bodies = [each.response().body() for each in requests if re.search(r"\.(css|js)$", each.url)]  # type: ignore[union-attr]
    assert 0 < sum(map(len, bodies)) <= MOST_OWN_BYTES
    assert sum(len(gzip.compress(body, 6)) for body in bodies) <= MOST_OWN_BYTES_COMPRESSED
    assert sum(each.sizes()["responseBodySize"] for each in requests) <= MOST_BYTES_OF_A_FIRST_LOAD
    fresh.close()


def test_nothing_is_asked_of_the_site_at_ones_own_turn_against_the_ai(visit: Visit, live_server: Any) -> None:
    page, asked = visit.page, list[str]()
    page.clock.install(time=0)
    page.goto(live_server.url)
    follow(page.get_by_role("button", name="Fight now"))
    expect(page.locator("#play[data-mine]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(A_MINUTE_MS)
    page.evaluate("fetch('/healthz')")
    assert [address.removeprefix(live_server.url) for address in asked] == ["/healthz"]


def test_two_friends_fight_on_two_phones_without_an_account(browser: Browser, live_server: Any) -> None:
    contexts = [browser.new_context(**TOUCH) for _ in range(2)]
    host, friend = (context.new_page() for context in contexts)
    host.goto(live_server.url)
    follow(host.get_by_role("button", name="Fight a friend"))
    link = host.get_by_label("Address to send").input_value()
    expect(host.locator(".qr")).to_be_visible()
    friend.goto(link)
    assert User.objects.count() == 1
    follow(friend.get_by_role("button", name="Take the seat"))
    expect(friend.locator("#play")).to_be_visible()
    # The host's page sees by itself that the friend is there; then each decides in turn.
    expect(host.locator("#play .stage-board")).to_be_visible()
    match = Match.objects.get()
    for _ in range(4):
        match.refresh_from_db()
        decision = rebuild(match).decision
        assert decision is not None
        asked = host if decision.side == "red" else friend
        expect(asked.locator("#play[data-mine]")).to_be_visible()
        answer(asked, with_the_mouse, click_commit)
    assert set(MatchAction.objects.filter(match=match, cause="").values_list("side", flat=True)) >= {"red", "blue"}
    for context in contexts:
        context.close()


@pytest.mark.parametrize("visit", [TOUCH, {"viewport": {"width": 1280, "height": 640}}], indirect=True)
def test_the_tutorial_shows_its_step_and_outlines_what_it_is_about(visit: Visit, live_server: Any) -> None:
    page = visit.page
    page.goto(live_server.url)
    follow(page.get_by_role("button", name="Learn it in a match"))
    for where, outlined in (("board", ".stage-board"), ("wheel", ".question-facings"), ("commit", "#commit")):
        expect(page.locator("#play")).to_have_attribute("data-lesson", where)
        step = page.locator("#lesson")
        # The whole sentence is on the screen, and so is what it is about.
        assert step.evaluate(SEEN)
        expect(page.locator(outlined)).to_have_css("outline-style", "dashed")
        assert page.locator(outlined).evaluate("each => each.getBoundingClientRect().bottom <= innerHeight + 1")
        if where == "board":
            page.locator(".pick").nth(3).click()
        elif where == "wheel":
            page.locator(".question-facings a:not([aria-current])").first.click()
    version = str(page.locator("#play").get_attribute("data-version"))
    page.locator("#commit").click()
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)
    expect(page.locator("#tutorial-heading")).to_have_text("Learned: 3 of 12")
    page.locator("#skip-tutorial").click()
    expect(page.locator("#tutorial-heading")).to_have_count(0)
    expect(page.locator("#play")).not_to_have_attribute("data-lesson", re.compile("."))
    assert visit.complaints == []
