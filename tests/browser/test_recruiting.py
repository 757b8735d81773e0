"""A season that recruits, in a browser: the invitation comes first, and what is not needed yet is folded."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site, Visit, log_in
from tests.browser.playing import follow
from tests.browser.test_market import DESKTOP, SCREENS, SMALL_PHONE


@pytest.mark.parametrize(
    ("visit", "console", "season"),
    [({"viewport": DESKTOP}, 3, 3), ({"viewport": SMALL_PHONE, "has_touch": True, "is_mobile": True}, 5.5, 4.25)],
    indirect=["visit"],
    ids=["desktop", "phone"],
)
def test_the_organisers_pages_are_short_and_begin_with_the_invitation(
    visit: Visit, site: Site, console: float, season: float
) -> None:
    log_in(visit, site, "organiser")
    page = visit.open(site.recruiting.partition("stables/")[0])
    assert page.evaluate(SCREENS) <= season
    follow(page.get_by_role("link", name="Invite people"))
    follow(page.get_by_role("button", name="Make an invitation"))
    assert page.evaluate(SCREENS) <= console
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("main section").first.get_by_role("heading")).to_have_text("Invitations")
    link = page.get_by_role("textbox", name="Link", exact=True)
    expect(link).to_have_value(re.compile(r"/join/[\w-]+/$"))
    expect(link).to_be_in_viewport(ratio=1)
