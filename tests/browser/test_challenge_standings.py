"""The standings of a large event on a small phone: one's own line and the first eight in sight, without a script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from rules.challenge.book.rows import DEED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GM = Access(is_gm=True, name="gm")
SMALL_PHONE = {"width": 360, "height": 640}
PILOTS = 48
MOST_SCREENS = 3


@pytest.fixture
def event(transactional_db: None) -> Event:
    """The pilots are called by their places; each has a 'Mech and a name of usual length."""
    event = open_event("Steel Night", {"tables": [{"id": "Factory"}]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = []
    for place in range(1, PILOTS + 1):
        name = f"Natasha Kerensky {place}"
        deeds += [
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": "locust_lct_1v"},
            {"what": "give", "at": name, "fame": PILOTS - place},
        ]
    write(event.pk, GM, [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)])
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize(("role", "pilot"), [("player", "Natasha Kerensky 33"), ("gm", ""), ("", "")])
def test_a_large_event_is_three_screens_long_and_begins_with_ones_own_line(
    browser: Browser, event: Event, live_server: Any, role: str, pilot: str
) -> None:
    context = browser.new_context(viewport=SMALL_PHONE, java_script_enabled=False)
    page = context.new_page()
    if role:
        key = make_key(event, GM, role, pilot=pilot)
        page.goto(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    page.goto(f"{live_server.url}/challenge/{event.slug}/")
    rows = page.locator("main tbody tr:not(.cut-line):visible th")
    first = [f"Natasha Kerensky {place}" for place in range(1, 9)]
    assert [text.split(maxsplit=1)[1] for text in rows.all_inner_texts()] == [pilot] * bool(pilot) + first
    height = page.locator("body").bounding_box()
    assert height is not None
    assert height["height"] / SMALL_PHONE["height"] <= MOST_SCREENS
    page.locator("summary", has_text="40 pilots").click()
    assert rows.count() == PILOTS + bool(pilot)
    context.close()
