"""From the front page to the first shot, and two friends without accounts on two phones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from matches.models import Match, MatchAction
from people.models import User

from .conftest import PHONE, Visit
from .playing import answer, click_commit, follow, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES, MOST_LOADS = 6, 2
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


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
        asked = host if host.locator("#play[data-mine]").count() else friend
        expect(asked.locator("#play[data-mine]")).to_be_visible()
        answer(asked, with_the_mouse, click_commit)
    assert set(MatchAction.objects.filter(match=match, cause="").values_list("side", flat=True)) >= {"red", "blue"}
    for context in contexts:
        context.close()
