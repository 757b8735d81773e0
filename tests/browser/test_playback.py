"""What happened since the last decision is played on the board of a match, unless its reader wants none of it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services.answering import Seat
from matches.services.matches import create_match
from people.models import User
from rules.catalogue import load_builtin
from rules.measuring.self_play import random_setup

from .conftest import Visit
from .playing import DESK, answer, click_commit, log_in, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = b"a seed of 32 bytes, for browsers"
ANIMATED = "document.getAnimations().filter((each) => each.effect.target.closest('.board, .captions')).length"
MOST_ANSWERS_BEFORE_A_MOVE = 5
TOUCH = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
STILL = {**DESK, "reduced_motion": "reduce"}
WITHOUT_PIECE = """
[...document.querySelectorAll('#playback [data-way]')].map((each) => each.dataset)
  .filter(({ of, number }) => !document.querySelectorAll('.board .' + of)[number])
"""
APART = """
() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect(), captions = box('#play > .captions');
  return box('.running').bottom <= captions.top && box('#asked-heading').bottom <= captions.top;
}
"""
"""Neither the score nor the question is behind the captions."""
SMALL_DESK = {"viewport": {"width": 1366, "height": 625}}
OFF_THE_GROUND = """
() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect(), captions = box('#play > .captions');
  const ground = box('.board .b-ground');
  return captions.left >= ground.right || captions.bottom <= ground.top + 1;
}
"""
IN_ITS_PLACE = """
ground => {
  const at = ground.getBoundingClientRect(), place = ground.closest('.stage-board').getBoundingClientRect();
  return at.left >= place.left && at.right <= place.right && at.top >= place.top && at.bottom <= place.bottom;
}
"""
MOVED = "all => all.some((each) => getComputedStyle(each).transform !== 'none')"
OPACITIES = "all => all.map((each) => getComputedStyle(each).opacity)"
HELD = """
document.addEventListener('shown', () => document.getAnimations().forEach((each) => each.pause()));
"""
"""Nothing that is animated goes on by itself, so that no test depends on how fast it is."""


def commit_one(page: Page, root: str, match: Match) -> None:
    log_in(page, root)
    page.goto(f"{root}{match.get_absolute_url()}play/")
    page.evaluate(HELD)
    answer(page, with_the_mouse, click_commit)


def is_final(page: Page) -> None:
    """Nothing is laid over the board, and nothing on it moves."""
    expect(page.locator(".board .playback")).to_have_count(0)
    expect(page.locator("#play > .captions")).to_have_count(0)
    expect(page.locator(".board.playing")).to_have_count(0)
    assert page.evaluate(ANIMATED) == 0
    places = page.locator(".board .b-unit").evaluate_all("all => all.map((each) => getComputedStyle(each).transform)")
    assert places
    assert set(places) == {"none"}


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_commit_is_played_on_the_board_and_a_key_jumps_to_the_end(
    visit: Visit, live_server: Any, match: Match
) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    expect(page.locator(".board .playback")).to_have_count(1)
    expect(page.locator("#play > .captions")).to_have_count(1)
    assert page.evaluate(ANIMATED) > 0
    assert page.evaluate(WITHOUT_PIECE) == []
    page.keyboard.press("Shift")
    is_final(page)
    page.get_by_role("button", name="Play it on the board again").click()
    expect(page.locator(".board .playback")).to_have_count(1)
    page.mouse.click(2, 2)
    is_final(page)


@pytest.mark.parametrize("visit", [TOUCH], indirect=True, ids=["phone"])
def test_on_a_phone_the_captions_leave_score_and_question_free(visit: Visit, live_server: Any, match: Match) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    expect(page.locator("#play > .captions")).to_have_count(1)
    assert page.evaluate(APART)


@pytest.mark.parametrize("visit", [SMALL_DESK, TOUCH], indirect=True, ids=["desk", "phone"])
def test_the_captions_leave_the_ground_free(visit: Visit, live_server: Any, match: Match) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    expect(page.locator("#play > .captions")).to_have_count(1)
    assert page.evaluate(OFF_THE_GROUND)
    assert page.evaluate(APART)


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_choice_can_be_made_while_it_is_played(visit: Visit, live_server: Any, match: Match) -> None:
    page, hexes = visit.page, visit.page.locator(".pick")
    commit_one(page, live_server.url, match)
    for _ in range(MOST_ANSWERS_BEFORE_A_MOVE):
        if hexes.count():
            break
        answer(page, with_the_mouse, click_commit)
    expect(page.locator(".board .playback")).to_have_count(1)
    assert page.locator(".board .b-unit").evaluate_all(MOVED)
    for mark in (".b-halo", ".b-wedge"):
        assert set(page.locator(f".board {mark}").evaluate_all(OPACITIES)) == {"0"}
    before = page.url
    hexes.first.click()
    expect(page).not_to_have_url(before)
    is_final(page)


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_the_pace_off_is_remembered_and_nothing_is_played(visit: Visit, live_server: Any, match: Match) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    page.locator("#pace").select_option("off")
    page.reload()
    expect(page.locator("#pace")).to_have_value("off")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    expect(page.locator("#pace")).to_have_value("off")
    is_final(page)


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_what_was_played_is_not_played_again_when_the_page_is_loaded_again(
    visit: Visit, live_server: Any, match: Match
) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    page.reload()
    expect(page.locator("#again")).to_be_visible()
    is_final(page)


@pytest.mark.parametrize("visit", [DESK, TOUCH], indirect=True, ids=["desk", "phone"])
def test_a_grand_melee_is_played_on_the_whole_ground_and_leads_back_to_the_decision(
    visit: Visit, live_server: Any, match: Match
) -> None:
    """And its cards, sums and logs, which are not sent with each commit, are there for who wants them."""
    page, board = visit.page, visit.page.locator(".stage-board .board")
    setup = random_setup(load_builtin(), random.Random(5), "grand_melee", sides=8).to_json()
    first, *others = (side["id"] for side in setup["sides"])
    seats = [Seat(first, User.objects.get().pk), *(Seat(side, bot="greedy") for side in others)]
    commit_one(page, live_server.url, create_match(setup, SEED, None, seats))
    answer(page, with_the_mouse, click_commit)
    expect(page.locator(".board .playback")).to_have_count(1)
    assert page.locator(".board .b-ground").evaluate(IN_ITS_PLACE)
    page.keyboard.press("Shift")
    is_final(page)
    expect(page.locator("#zoom")).to_have_text("Whole board")
    assert board.get_attribute("viewBox") != page.locator("#playback").get_attribute("data-whole")
    assert not page.locator(".board .b-ground").evaluate(IN_ITS_PLACE)
    page.locator("#log summary").click()
    expect(page.locator("#log .events > li").first).to_be_visible()
    expect(page.locator("[data-later]")).to_have_count(0)
    assert page.locator(".stage-dials .sheet").count() == 8


def surrender(page: Page) -> None:
    page.get_by_text("End the match early").click()
    page.get_by_role("button", name="Surrender…").click()
    yes = page.get_by_role("button", name="Yes, surrender")
    expect(yes).to_be_in_viewport(ratio=1)
    yes.click()
    expect(page.locator("#play[data-over]")).to_be_visible()


@pytest.mark.parametrize("visit", [DESK, TOUCH], indirect=True, ids=["desk", "phone"])
def test_the_end_is_played_on_the_board_before_its_result(visit: Visit, live_server: Any, match: Match) -> None:
    page, result, board = visit.page, visit.page.locator("#asked-heading"), visit.page.locator(".stage-board .board")
    commit_one(page, live_server.url, match)
    surrender(page)
    expect(page.locator(".board .playback")).to_have_count(1)
    expect(board).to_be_in_viewport(ratio=0.99)
    expect(result).to_be_hidden()
    expect(page.locator(".stage-events")).to_be_hidden()
    page.keyboard.press("Shift")
    is_final(page)
    expect(result).to_be_in_viewport()
    page.locator("#again").click()
    expect(page.locator(".board .playback")).to_have_count(1)
    expect(board).to_be_in_viewport(ratio=0.99)
    expect(result).to_be_attached()
    page.reload()
    is_final(page)
    expect(result).to_be_visible()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_with_the_pace_off_the_result_stands_at_once(visit: Visit, live_server: Any, match: Match) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    page.locator("#pace").select_option("off")
    surrender(page)
    is_final(page)
    expect(page.locator("#asked-heading")).to_be_in_viewport()


@pytest.mark.parametrize("visit", [STILL], indirect=True, ids=["reduced motion"])
def test_under_reduced_motion_nothing_moves_and_the_log_says_what_happened(
    visit: Visit, live_server: Any, match: Match
) -> None:
    page = visit.page
    commit_one(page, live_server.url, match)
    is_final(page)
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.get_by_role("heading", name="Since your last decision")).to_be_visible()
    expect(page.locator("#playback-tools")).to_be_hidden()
    surrender(page)
    is_final(page)
    expect(page.locator("#asked-heading")).to_be_in_viewport()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_the_ruler_measures_in_place(visit: Visit, live_server: Any, match: Match) -> None:
    page = visit.page
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    page.get_by_text("Ruler and threat").click()
    page.get_by_label("Line of fire from hex").fill("0101")
    page.get_by_label("to hex", exact=True).fill("0103")
    page.get_by_role("button", name="Measure").click()
    expect(page.locator("#ruler")).to_contain_text("range 2 hexsides")
    expect(page.locator("#ruler")).to_be_focused()
    expect(page.locator(".board line.fire")).to_have_count(1)
