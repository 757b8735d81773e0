"""The screen of a replay: board and controls are seen whole, without scrolling, and an attack with its line of fire."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User
from tests.matches.conftest import play_some

from .conftest import Site, Visit
from .test_replay import DESK, shows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1366, 625), (1280, 640), (390, 664), (360, 640))
LEAST_HEX = 21
LEAST_HEX_OF_A_PUZZLE = 30
SEEN = """
() => {
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const ground = box('.board .b-ground'), controls = box('.controls');
  const cut = (each) => getComputedStyle(each).display !== 'inline' && !each.matches('.visually-hidden')
    && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3);
  const menu = box('.fold > summary'), names = [...document.querySelectorAll('.billing-side')];
  const pressed = [...document.querySelectorAll('.controls :is(a, button, input, select)')];
  return {
    scrolled: scrollY, board: inside(ground), controls: inside(controls), now: inside(box('.step-title')),
    head: inside(box('.billing-title')) && inside(box('.billing-shot a')) && inside(box('.billing-result')),
    cut: [...document.querySelectorAll('.billing, .billing *, .running')].filter(cut).length,
    named: names.every((each) => each.getBoundingClientRect().right <= menu.left
      || each.getBoundingClientRect().top >= menu.bottom),
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
        seen_whole = dict.fromkeys(("board", "controls", "now", "head", "named", "all", "apart"), True)
        assert seen == {"scrolled": 0, "cut": 0, **seen_whole}, (width, height)


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
def test_the_board_of_a_puzzle_is_whole_and_large_beside_its_orders(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match.split('/matches/')[0]}/puzzle/")
    for width, height in SIZES[:2]:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(
            """() => ['.board .b-ground', '.puzzle-asked button', '.board .b-hex']
                .map((what) => document.querySelector(what).getBoundingClientRect())"""
        )
        assert max(box["bottom"] for box in seen) <= height
        assert seen[2]["height"] >= LEAST_HEX_OF_A_PUZZLE


def test_the_board_of_a_puzzle_is_whole_on_a_phone(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match.split('/matches/')[0]}/puzzle/")
    for width, height in SIZES[2:]:
        page.set_viewport_size({"width": width, "height": height})
        ground, one_hex = (
            page.locator(f".board .{what}").first.evaluate("each => each.getBoundingClientRect().toJSON()")
            for what in ("b-ground", "b-hex")
        )
        assert ground["bottom"] <= height
        assert one_hex["height"] >= 24


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


def test_who_watches_a_match_being_played_sees_its_next_step_by_itself(visit: Visit, site: Site) -> None:
    """At the newest step, and not at an earlier one that the reader went back to."""
    match = being_played()
    page = visit.page
    page.clock.install(time=0)
    visit.open(site.match.split("/matches/")[0] + match.get_absolute_url())
    page.clock.pause_at(3_600_000)
    newest = page.locator("#step").input_value()
    play_some(match, 8)
    page.clock.run_for(4_999)
    expect(page.locator("#step")).to_have_value(newest)
    page.clock.run_for(1)
    expect(page.locator("#step")).not_to_have_value(newest)
    expect(page.locator("#replay-offline")).to_be_hidden()
    page.locator('a[data-step="first"]').click()
    shows(page, 1)
    page.clock.run_for(20_000)
    shows(page, 1)


def being_played() -> Match:
    player, other = (User.objects.create_user(name, f"{name}@example.org", "secret words") for name in ("ada", "ben"))
    seats = [Seat("red", player.pk), Seat("blue", other.pk)]
    return play_some(create_match(demonstration_setup(), b"w" * 32, None, seats), 4)
