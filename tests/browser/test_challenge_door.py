"""The door of an event on a phone and a small laptop: its button is in sight, and a pilot is in within few presses."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.events import make_key, open_event
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WINDOWS = [{"viewport": {"width": 360, "height": 640}}, {"viewport": {"width": 1366, "height": 625}}]
MOST_PRESSES = 8
ON_TOP = """
button => {
  const box = button.getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && button.contains(seen);
}
"""
COVERED = """
button => {
  const fields = button.form.querySelectorAll("input:not([type=hidden]), select");
  const covered = [];
  for (const field of fields) {
    if (!field.checkVisibility()) continue;
    field.focus();
    const box = field.getBoundingClientRect();
    const bar = button.parentElement.getBoundingClientRect();
    if (box.bottom > bar.top && box.top < bar.bottom) covered.push(field.name);
  }
  return covered;
}
"""
"""The fields that the button hides when the keyboard comes to them."""


@pytest.fixture
def door(visit: Visit, transactional_db: None, live_server: Any) -> Page:
    """The door as a GM sees it, nobody in yet."""
    tables = [{"id": "Factory", "portals": ["North", "East"]}, {"id": "Jungle"}]
    event = open_event("Steel Night", {"tables": tables}, {"minimum_turns": 2})
    key = make_key(event, Access(is_gm=True), "gm", label="gm")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    return visit.open(f"{live_server.url}/challenge/{event.slug}/door/")


@pytest.mark.parametrize("visit", WINDOWS, indirect=True, ids=["360", "1366x625"])
def test_the_button_is_in_sight_wherever_the_page_is_scrolled(door: Page) -> None:
    button = door.locator("#let-in")
    assert door.locator(".offer").count() > 20
    bottom = door.evaluate("document.getElementById('door').getBoundingClientRect().bottom - innerHeight")
    assert bottom > 0, "the form must be longer than the window, or this shows nothing"
    for share in (0, 0.5, 1):
        door.evaluate("to => scrollTo(0, to)", share * bottom)
        assert button.evaluate(ON_TOP), share
    assert button.evaluate(COVERED) == []


@pytest.mark.parametrize("visit", WINDOWS, indirect=True, ids=["360", "1366x625"])
def test_a_pilot_is_in_within_eight_presses_and_their_name(door: Page) -> None:
    presses = 0

    def press(control: Locator) -> None:
        nonlocal presses
        control.click()
        presses += 1

    press(door.locator("#id_name"))
    door.keyboard.type("Ross")
    press(door.locator(".offer").first)
    press(door.locator("label[for=id_edge]"))
    # A list takes two: one opens it, the other chooses.
    door.locator("#id_place").select_option("Factory · North")
    presses += 2
    press(door.locator("#let-in"))
    expect(door.locator(".door-side")).to_contain_text("Ross")
    ross = book_of(Event.objects.get()).state.pilots["Ross"]
    assert ross.approved
    assert ross.mech is not None
    assert (ross.card, ross.edge, ross.portal, ross.is_in_arena) == (1, 2, "North", True)
    assert presses <= MOST_PRESSES


def test_what_is_typed_finds_without_marks(door: Page) -> None:
    door.locator("#door [name=search]").fill("Löcust LCT1V")
    expect(door.locator(".offer[data-name]:visible")).to_have_count(1)
    expect(door.locator(".offer[data-name]:visible input")).to_be_checked()
