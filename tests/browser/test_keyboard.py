"""The site without a mouse: from the log-in over the market and the line-up to a step in a match, by keys alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from jobs.services import run_pending
from matches.models import MatchAction, MatchSeat
from people.models import User
from stables.models import Asset, LineUp

from .conftest import Visit
from .playing import DESK, answer, by_keyboard, commit_by_keyboard, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_POINTER = "document.addEventListener('pointerdown', () => { throw new Error('a pointer was used'); }, true);"
IS_SHOWN = """
(() => {
  const here = document.activeElement, style = getComputedStyle(here);
  const box = here.getBoundingClientRect();
  const isOnScreen = box.bottom > 0 && box.top < innerHeight;
  return isOnScreen && (style.outlineStyle !== 'none' || style.boxShadow !== 'none');
})()
"""


@pytest.fixture
def person(visit: Visit, transactional_db: None) -> Page:
    User.objects.create_user("player", "player@example.org", "secret words")
    visit.page.add_init_script(NO_POINTER)
    return visit.page


def enter(page: Page, what: Locator, key: str = "Tab") -> None:
    """Reach something by Tab, or back by Shift+Tab, see where one is, and press Enter."""
    tab_to(page, what, key)
    assert page.evaluate(IS_SHOWN), "the focus is not to be seen"
    page.keyboard.press("Enter")


def write(page: Page, field: Locator, text: str) -> None:
    tab_to(page, field)
    page.keyboard.type(text)


def choose(page: Page, select: Locator, value: str) -> None:
    """Walk down a list of choices by the arrow."""
    tab_to(page, select)
    for _ in range(20):
        if select.input_value() == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrow does not reach {value}")


def log_in(page: Page, root: str) -> None:
    page.goto(root)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    enter(page, page.get_by_role("banner").get_by_role("link", name="Log in"))
    expect(page.locator("#id_username")).to_be_visible()
    write(page, page.locator("#id_username"), "player")
    write(page, page.locator("#id_password"), "secret words")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def begin_a_season(page: Page) -> None:
    enter(page, page.get_by_role("link", name="Play a solo evening").first)
    tab_to(page, page.locator("input[name=length]:checked"))
    expect(page.locator("input[name=length]:checked")).to_have_value("three")
    page.keyboard.press("ArrowDown")
    expect(page.locator("input[name=length]:checked")).to_have_value("six")
    page.keyboard.press("ArrowUp")
    expect(page.locator("input[name=length]:checked")).to_have_value("three")
    enter(page, page.locator("#solo-play"))
    expect(page).not_to_have_url(re.compile("/solo/$"))


def buy(page: Page, kind: str) -> None:
    choose(page, page.get_by_label("Kind"), kind)
    enter(page, page.get_by_role("button", name="Show", exact=True))
    expect(page).to_have_url(re.compile(f"kind={kind}"))
    buy_first(page)


def buy_first(page: Page) -> None:
    """Buy the first thing that the page shows with its button."""
    before = Asset.objects.filter(stable__owner__username="player").count()
    enter(page, page.get_by_role("button", name=re.compile("^Buy")).first)
    expect(page.locator(".messages")).to_be_visible()
    assert Asset.objects.filter(stable__owner__username="player").count() == before + 1


def steps_of_the_player() -> int:
    seat = MatchSeat.objects.get(user__username="player")
    return MatchAction.objects.filter(match=seat.match_id, side=seat.side, cause="").count()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_season_is_begun_shopped_for_and_played_by_keyboard_only(person: Page, live_server: Any) -> None:
    page, root = person, live_server.url
    log_in(page, root)
    begin_a_season(page)
    run_pending()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Market")

    enter(page, page.locator(".crumbs a").last)
    expect(page.locator("#next-step")).to_be_visible()
    page.go_back()
    buy(page, "unit")
    enter(page, page.locator("#advice-heading ~ details > summary"))
    buy_first(page)
    # The page stays at the advice that was followed; what is next stands above it.
    enter(page, page.locator("#say-ready"), "Shift+Tab")
    expect(page).not_to_have_url(re.compile("/market/"))
    run_pending()
    expect(page.get_by_role("heading", level=1)).to_have_text("Line-ups")

    enter(page, page.get_by_role("button", name="Hand in and seal"))
    expect(page).not_to_have_url(re.compile("/line-ups/$"))
    run_pending()
    expect(page.locator("#play")).to_be_visible()
    assert LineUp.objects.filter(side__stable__owner__username="player", source=LineUp.Source.OWNER).count() == 1

    for _ in range(3):
        before = steps_of_the_player()
        answer(page, by_keyboard, commit_by_keyboard)
        assert steps_of_the_player() == before + 1
