"""The pages in a real browser: on a phone, in light and dark, by keyboard, without JavaScript, through axe."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .conftest import Site, Visit, log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCHEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}]
WITHOUT_SCRIPTS = [{"java_script_enabled": False}]
GRAVE = ("serious", "critical")


def addresses(site: Site) -> list[str]:
    home = site.season.split("/seasons/")[0] + "/"
    catalogue = f"{home}catalogue/"
    pages = [home, site.season, site.standings, site.stable, site.match, f"{site.match}?step=9", f"{home}people/log-in"]
    lists = [f"{catalogue}{kind}/" for kind in ("pilots", "gear", "rally-cards", "target-tokens", "arenas")]
    return [*pages, catalogue, f"{catalogue}units/SOL002/", f"{catalogue}arenas/plaza/", *lists]


def check(visit: Visit, address: str) -> None:
    """A page fits a phone, and axe finds nothing grave on it."""
    page = visit.open(address)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360, f"{address} is {width} pixels wide"
    found = Axe().run(page).response["violations"]
    grave = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found if rule["impact"] in GRAVE]
    assert grave == [], address
    boxes = "[...document.querySelectorAll('.scroll:has(> .stack)')]"
    cut = page.evaluate(f"{boxes}.filter((box) => box.scrollWidth > box.clientWidth).length")
    assert cut == 0, f"{address} has tables that do not fit"
    lines = page.evaluate("new Set([...document.querySelectorAll('.nav > li')].map((item) => item.offsetTop)).size")
    assert lines == 1, f"{address} breaks its menu"


def background(page: Page) -> Any:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_pages_fit_a_phone_and_axe_finds_nothing_grave(visit: Visit, site: Site) -> None:
    for address in addresses(site):
        check(visit, address)


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_the_forms_of_a_player_fit_a_phone_and_axe_finds_nothing_grave(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    for address in ("/", "/open-a-season/"):
        check(visit, site.season.split("/seasons/")[0] + address)
    check(visit, site.line_up)
    assert visit.page.locator("#line-up-crew").count() == 1
    check(visit, site.recruiting)
    for place in ("garage", "market"):
        check(visit, f"{site.recruiting}{place}/")
    assert visit.page.locator("#market-heading").count() == 1


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_the_choice_of_light_or_dark_beats_the_system(visit: Visit, site: Site) -> None:
    page = visit.open(site.season)
    seen = {"As the system": background(page)}
    for name in ("Light", "Dark"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        seen[name] = background(page)
    assert seen["Light"] != seen["Dark"]
    assert seen["As the system"] in (seen["Light"], seen["Dark"])


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1200, "height": 900}}], indirect=True, ids=["desk"])
def test_the_replay_is_stepped_by_keyboard(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    step, board = page.locator("#step"), page.locator("svg.board desc")
    first = board.text_content()
    for wanted in ("2", "3", "4", "5", "6"):
        page.keyboard.press("ArrowRight")
        expect(step).to_have_value(wanted)
    assert page.url.endswith("?step=6#replay")
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_value("5")
    page.go_back()
    expect(step).to_have_value("6")
    page.locator('a[data-step="last"]').click()
    expect(step).to_have_value(str(site.steps))
    assert board.text_content() != first
    page.keyboard.press("ArrowRight")
    expect(step).to_have_value(str(site.steps))
    page.locator("#step").focus()
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_value(str(site.steps))


def test_focus_stays_on_the_link_that_steps(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    page.locator('a[data-step="next"]').focus()
    for wanted in ("2", "3"):
        page.keyboard.press("Enter")
        expect(page.locator("#step")).to_have_value(wanted)
        assert page.evaluate("document.activeElement.dataset.step") == "next"


def test_the_replay_plays_by_itself_and_pauses(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#step")).to_have_value("3", timeout=8000)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("visit", WITHOUT_SCRIPTS, indirect=True, ids=["no script"])
def test_the_replay_works_without_javascript(visit: Visit, site: Site) -> None:
    page = visit.open(site.match)
    assert page.get_by_role("button", name="Play").count() == 0
    for wanted in ("2", "3"):
        page.locator('a[data-step="next"]').click()
        expect(page.locator("#step")).to_have_value(wanted)
    page.locator("#step").fill(str(site.steps))
    page.get_by_role("button", name="Go").click()
    expect(page.locator('span[data-step="next"]')).to_be_visible()
    page.get_by_role("link", name="First").click()
    expect(page.locator("#step")).to_have_value("1")


def test_the_skip_link_comes_first_and_leads_to_the_content(visit: Visit, site: Site) -> None:
    page = visit.open(site.standings)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
