"""The market in a browser: how long its page is, and that a purchase leaves its buyer where they were (N-M1, N-M2)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from stables.models import Stable
from tests.browser.conftest import PHONE, Site, Visit, log_in
from tests.browser.playing import follow
from tests.stables.market_goods import bought, common_pilot, common_unit, goods

DESKTOP, SMALL_PHONE = {"width": 1366, "height": 625}, {"width": 360, "height": 640}
LAPTOP = {"width": 1280, "height": 800}
NO_SCRIPTS = {"java_script_enabled": False}
SCREENS = "document.documentElement.scrollHeight / window.innerHeight"


def market_of(site: Site) -> str:
    return f"{site.recruiting}market/"


@pytest.mark.parametrize(
    ("visit", "most"),
    [({"viewport": DESKTOP}, 3), ({"viewport": SMALL_PHONE, "has_touch": True, "is_mobile": True}, 6)],
    indirect=["visit"],
    ids=["desktop", "phone"],
)
def test_the_market_is_a_few_screens_long(visit: Visit, site: Site, most: int) -> None:
    log_in(visit, site, "player")
    page = visit.page
    heights = {}
    for kind in ("unit", "pilot", "all"):
        visit.open(f"{market_of(site)}?kind={kind}&class=all")
        assert page.locator(".goods tbody tr").count() == 12
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        heights[kind] = page.evaluate(SCREENS)
    assert {kind: height for kind, height in heights.items() if height > most} == {}


@pytest.mark.parametrize("visit", [{"viewport": DESKTOP}], indirect=True)
def test_the_market_is_as_long_for_those_who_can_buy_nothing(visit: Visit, site: Site) -> None:
    stable = Stable.objects.get(owner__username="player", season__state="recruiting")
    Stable.objects.filter(pk=stable.pk).update(capital=1)
    log_in(visit, site, "player")
    page = visit.open(f"{market_of(site)}?kind=unit&class=light")
    short = page.locator(".goods tbody .why summary")
    assert short.count() == 12
    assert page.evaluate(SCREENS) <= 3
    short.first.click()
    expect(page.locator(".goods tbody .why").first).to_contain_text("Sell an undamaged asset")


@pytest.mark.parametrize("visit", [{"viewport": DESKTOP}], indirect=True)
def test_the_garage_with_open_advice_is_three_screens_long(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    page = visit.open(f"{site.recruiting}garage/?advice=open")
    expect(page.locator(".ahead .log > li").first).to_be_visible()
    assert page.evaluate(SCREENS) <= 3


@pytest.mark.parametrize("visit", [{"viewport": SMALL_PHONE, **NO_SCRIPTS}, {"viewport": DESKTOP}], indirect=True)
def test_a_purchase_keeps_place_filter_and_focus(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    page = visit.open(f"{market_of(site)}?kind=gear&class=light&sort=price")
    row = page.locator(".goods tbody tr", has=page.get_by_role("button", name=re.compile("^Buy"))).nth(5)
    anchor = row.get_attribute("id")
    had = re.search(r"You have (\d+)", row.inner_text())
    follow(row.get_by_role("button", name=re.compile("^Buy")))
    expect(page).to_have_url(re.compile(rf"kind=gear&class=light&sort=price#{anchor}$"))
    bought = page.locator(f"#{anchor}")
    expect(bought).to_contain_text(f"You have {int(had[1]) + 1 if had else 1}")
    expect(bought).to_be_in_viewport()
    expect(page.locator(".purse")).to_be_in_viewport()
    expect(bought).to_be_focused()
    _next_tab_is_in(page, str(anchor))


def _next_tab_is_in(page: Page, anchor: str) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(f"#{anchor} a").first).to_be_focused()


@pytest.mark.parametrize("visit", [{"viewport": DESKTOP}], indirect=True)
def test_ticked_units_stand_side_by_side_and_back_in_the_list(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    page = visit.open(f"{market_of(site)}?class=light&sort=-attack")
    ticks = page.locator(".goods input[name=compare]")
    for place in (0, 2):
        ticks.nth(place).check()
    follow(page.get_by_role("button", name="Compare"))
    expect(page.locator(".side-by-side thead th")).to_have_count(2)
    expect(page.locator(".side-by-side .sparkline")).to_have_count(2)
    follow(page.get_by_role("link", name="Back to the list"))
    expect(page).to_have_url(re.compile("sort=-attack"))
    expect(page.locator(".goods input[name=compare]:checked")).to_have_count(2)


@pytest.mark.parametrize(
    ("visit", "most"),
    [({"viewport": LAPTOP}, 3), ({"viewport": PHONE, "has_touch": True, "is_mobile": True}, 6)],
    indirect=["visit"],
    ids=["desktop", "phone"],
)
def test_the_garage_and_a_market_with_advice_are_a_few_screens_long(visit: Visit, site: Site, most: int) -> None:
    stable = Stable.objects.select_related("season__release").get(owner__username="player", season__state="recruiting")
    stable.assets.all().delete()
    for place in range(4):
        bought(stable, "unit", common_unit(stable.season))
        bought(stable, "pilot", common_pilot(stable.season))
        bought(stable, "rally_card", goods(stable.season, "rally_card")[place])
    log_in(visit, site, "player")
    heights = {}
    for name in ("garage/", "market/?advice=open"):
        page = visit.open(f"{site.recruiting}{name}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        heights[name] = page.evaluate(SCREENS)
    assert {name: height for name, height in heights.items() if height > most} == {}
