"""The screen of a replay: board and controls are seen whole, without scrolling, and an attack with its line of fire."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import Site, Visit
from .test_replay import DESK, shows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1366, 625), (1280, 640), (390, 664), (360, 640))
LEAST_HEX = 24
SEEN = """
() => {
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const ground = box('.board .b-ground'), controls = box('.controls');
  const pressed = [...document.querySelectorAll('.controls :is(a, button, input, select)')];
  return {
    scrolled: scrollY, board: inside(ground), controls: inside(controls), now: inside(box('.step-title')),
    all: pressed.every((each) => inside(each.getBoundingClientRect())),
    apart: ground.right <= controls.left || ground.bottom <= controls.top, hex: box('.board .b-hex').height,
  };
}
"""


def is_whole(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN)
        assert seen.pop("hex") >= LEAST_HEX
        whole = {"scrolled": 0, "board": True, "controls": True, "now": True, "all": True, "apart": True}
        assert seen == whole, (width, height)


def test_board_and_controls_are_whole_without_scrolling(visit: Visit, site: Site) -> None:
    """At the beginning, at an attack and at the end, where links of the controls are missing."""
    page = visit.open(site.match)
    is_whole(page)
    page.locator('a[data-step="attack"]').click()
    expect(page.locator(".moment-now .die").first).to_be_visible()
    is_whole(page)
    page.goto(f"{site.match}?step={site.steps}#replay")
    is_whole(page)


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_the_attack_that_is_shown_has_its_line_of_fire_its_dice_and_its_target(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    expect(page.locator(".board .fire")).to_have_count(0)
    for key in ("a", "r", "t"):
        name = {"a": "attack", "r": "round", "t": "unit"}[key]
        wanted = int((page.locator(f'a[data-step="{name}"]').get_attribute("href") or "").split("=")[1].split("#")[0])
        page.keyboard.press(key)
        shows(page, wanted)
        if key == "a":
            expect(page.locator(".board .fire").first).to_be_attached()
            expect(page.locator(".shot .die")).to_have_count(3)
            expect(page.locator(".shot")).to_contain_text("→")


def test_a_chip_below_the_board_shows_its_step_on_the_board(visit: Visit, site: Site) -> None:
    """On a phone, where the story stands below the controls."""
    page = visit.open(f"{site.match}?step=1")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("summary", has_text="Attacks").click()
    page.get_by_role("navigation", name="Attacks").locator("a").last.click()
    expect(page.locator(".moment-now .die").first).to_be_visible()
    is_whole(page)
