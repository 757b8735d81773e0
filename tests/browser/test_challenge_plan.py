"""A player plans an off-board cycle on a phone without a network: nothing is lost, and all of it arrives once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from challenge.models import Claim, Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from rules.challenge.book.rows import DEED
from tests.browser.conftest import Visit
from tests.browser.networks import can_fail, failing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GM = Access(is_gm=True, name="gm")


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Ross is off the board, with CP for two Edge cards and for the house."""
    event = open_event("Steel Night", {"tables": [{"id": "Factory"}]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = [
        {"what": "new_pilot", "by": "Ross"},
        {"do": "buy_mech", "pilot": "Ross", "mech": "locust_lct_1v"},
    ]
    write(event.pk, GM, [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)])
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def plan(visit: Visit, event: Event, live_server: Any) -> Iterator[Page]:
    """The page on which Ross's player plans, with a network that can fail: what fails for it is no complaint."""
    can_fail(visit.page)
    key = make_key(event, GM, "player", pilot="Ross")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    yield visit.open(f"{live_server.url}/challenge/{event.slug}/pilots/Ross/cycle/")
    visit.page.evaluate("0")  # what the browser has said by now arrives before the answer
    visit.complaints[:] = [each for each in visit.complaints if not re.search("ERR_(INTERNET|FAILED)|409", each)]


def press(page: Page, title: str, button: str) -> None:
    page.locator("form.offer", has_text=title).get_by_role("button", name=button).click()


def deeds(page: Page) -> list[str]:
    """Return the sentences of the plan that the site has."""
    return [" ".join(text.split()) for text in page.locator("main .plan > li").all_inner_texts()]


def unsent(page: Page) -> list[str]:
    return page.locator("#unsent-presses > li").all_inner_texts()


def test_a_plan_typed_without_a_network_arrives_when_it_is_back(visit: Visit, plan: Page) -> None:
    with failing(visit, "offline"):
        press(plan, "House: Capellan", "Declare")
        press(plan, "Edge card", "Buy one")
        expect(plan.locator("#unsent")).to_contain_text("kept on this phone: 2")
        expect(plan.locator("#unsent")).to_be_in_viewport()
        assert unsent(plan) == ["House: Capellan Confederation (CC)", "Edge card (1 of 3 held)"]
    expect(plan.locator("main .plan > li")).to_have_count(2)
    expect(plan.locator("#unsent")).to_be_hidden()
    with failing(visit, "offline"):
        plan.get_by_role("button", name="Send to the agent").click()
        expect(plan.locator("#unsent")).to_contain_text("kept on this phone: 1")
        assert not Claim.objects.exists()
    expect(plan.locator("main")).to_contain_text("A plan waits for approval")
    assert [each["do"] for each in Claim.objects.get().documents] == ["declare_house", "buy_edge"]


def test_a_plan_waits_in_the_phone_over_a_reload(visit: Visit, plan: Page) -> None:
    plan.route("**/cycle/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    press(plan, "House: Capellan", "Declare")
    expect(plan.locator("#unsent")).to_contain_text("kept on this phone: 1")
    plan.reload()
    expect(plan.locator("#unsent")).to_contain_text("kept on this phone: 1")
    assert deeds(plan) == []
    plan.unroute("**/cycle/")
    plan.evaluate("dispatchEvent(new Event('online'))")
    expect(plan.locator("main .plan > li")).to_have_count(1)


def test_a_press_whose_answer_is_lost_is_sent_again_and_counts_once(visit: Visit, plan: Page) -> None:
    arrived: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not arrived:
            arrived.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    plan.route("**/cycle/**", lose)
    press(plan, "Edge card", "Buy one")
    expect(plan.locator("#unsent")).to_contain_text("kept on this phone: 1")
    plan.evaluate("dispatchEvent(new Event('online'))")
    expect(plan.locator("main .plan > li")).to_have_count(1)
    expect(plan.locator("#unsent")).to_be_hidden()
    assert arrived == [200]


def test_a_refusal_stands_there_in_words_and_stops_what_builds_on_it(visit: Visit, plan: Page) -> None:
    with failing(visit, "offline"):
        for title, button in (("House: Capellan", "Declare"), ("House: Draconis", "Declare"), ("Edge card", "Buy one")):
            press(plan, title, button)
    expect(plan.locator("#unsent")).to_contain_text("Refused: A house is declared already: Capellan Confederation.")
    assert unsent(plan) == ["House: Draconis Combine (DC)", "Edge card (1 of 3 held)"]
    plan.get_by_role("button", name="Leave it out and send the others").click()
    expect(plan.locator("main .plan > li")).to_have_count(2)
    expect(plan.locator("#unsent")).to_be_hidden()


def test_two_taps_on_one_button_are_one_press(visit: Visit, plan: Page) -> None:
    with failing(visit, "offline"):
        plan.locator("form.offer", has_text="Edge card").get_by_role("button", name="Buy one").dblclick()
        assert unsent(plan) == ["Edge card (1 of 3 held)"]
        plan.get_by_role("button", name="Throw away what is not sent").click()
        expect(plan.locator("#unsent")).to_be_hidden()
