"""A match is played in a real browser: with a mouse, by keyboard only, without JavaScript, and by two people."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User

from .conftest import Visit
from .faults import faults_of
from .networks import BROKEN, UNSENT, can_fail, failing
from .playing import (
    DESK,
    answer,
    by_keyboard,
    choose_all,
    click_commit,
    commit_by_keyboard,
    log_in,
    play_out,
    with_the_mouse,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = b"a seed of 32 bytes, for browsers"


@pytest.fixture
def player(transactional_db: None) -> User:
    return User.objects.create_user("player", "player@example.org", "secret words")


@pytest.fixture
def rival(transactional_db: None) -> User:
    return User.objects.create_user("rival", "rival@example.org", "secret words")


def short_duel(*seats: Seat) -> Match:
    """A duel of two rounds."""
    setup = {**demonstration_setup("light"), "house_rules": {"time_limit_rounds": 2}}
    return create_match(setup, SEED, None, seats)


def open_match(page: Page, root: str, match: Match) -> None:
    page.goto(f"{root}{match.get_absolute_url()}play/")


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_short_duel_against_the_ai_is_played_with_the_mouse(visit: Visit, live_server: Any, player: User) -> None:
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    log_in(visit.page, live_server.url)
    open_match(visit.page, live_server.url, match)
    stays_without_a_network(visit)
    play_out(visit.page, with_the_mouse, click_commit)
    match.refresh_from_db()
    assert match.is_finished
    visit.page.get_by_role("link", name="Result and replay").click()
    expect(visit.page.locator("#replay")).to_be_visible()


def stays_without_a_network(visit: Visit) -> None:
    """The page of a match stays and says so, and goes on when the network is back."""
    notice = visit.page.get_by_text("The site cannot be reached now")
    with failing(visit, "offline"):
        visit.page.locator("#play a[data-step]:visible").first.click()
        expect(notice).to_be_visible()
    expect(notice).to_be_hidden()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_decision_that_gets_no_whole_answer_stays_on_the_page(visit: Visit, live_server: Any, player: User) -> None:
    page, commit = visit.page, visit.page.locator("#commit")
    can_fail(page)
    log_in(page, live_server.url)
    open_match(page, live_server.url, short_duel(Seat("red", player.pk), Seat("blue", bot="greedy")))
    choose_all(page, with_the_mouse)
    notice = page.get_by_text("The site cannot be reached now")
    version = str(page.locator("#play").get_attribute("data-version"))
    for way in (*UNSENT, BROKEN):
        with failing(visit, way):
            commit.click()
            expect(notice).to_be_visible()
            expect(page.locator("#play[aria-busy]")).to_have_count(0)
            expect(page.locator("#play")).to_have_attribute("data-version", version)
        if way != BROKEN:
            expect(notice).to_be_hidden()
            expect(commit).to_be_visible()
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_short_duel_is_played_by_keyboard_only(visit: Visit, live_server: Any, player: User) -> None:
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    log_in(visit.page, live_server.url)
    open_match(visit.page, live_server.url, match)
    play_out(visit.page, by_keyboard, commit_by_keyboard)
    match.refresh_from_db()
    assert match.is_finished


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True, ids=["no script"])
def test_one_press_begins_a_match_and_it_is_played_without_javascript(
    visit: Visit, live_server: Any, player: User
) -> None:
    page = visit.page
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/matches/new/")
    page.get_by_role("button", name="Begin").click()
    for _ in range(3):
        expect(page.locator("#asked-heading")).to_be_visible()
        answer(page, lambda page: page.locator(".options a, .pick").first.click(), click_commit)
    assert Match.objects.get().last_sequence >= 3


LONG_AFTER = 3_600_000
"""A moment of a page's held clock that it has not come to by itself, in milliseconds from its beginning."""

TWO_SECONDS = 2000
"""By the page's held clock, however long its requests take."""


def test_the_other_side_sees_a_decision_within_two_seconds_and_takes_its_turn(
    visit: Visit, live_server: Any, browser: Browser, player: User, rival: User
) -> None:
    match = short_duel(Seat("red", player.pk), Seat("blue", rival.pk))
    root, context = live_server.url, browser.new_context(**DESK)
    pages = {"red": visit.page, "blue": context.new_page()}
    for side, name in (("red", "player"), ("blue", "rival")):
        pages[side].clock.install(time=0)
        log_in(pages[side], root, name)
        open_match(pages[side], root, match)
        pages[side].clock.pause_at(LONG_AFTER)
    for _ in range(5):
        asked = rebuild(Match.objects.get()).decision
        assert asked is not None
        other = pages["blue" if asked.side == "red" else "red"]
        expect(other.locator("#asked-heading")).to_contain_text("Waiting for")
        before = str(other.locator("#play").get_attribute("data-version"))
        answer(pages[asked.side], with_the_mouse, click_commit)
        other.clock.run_for(TWO_SECONDS)
        expect(other.locator("#play")).not_to_have_attribute("data-version", before)
    context.close()


def test_the_page_of_play_fits_a_phone_and_axe_finds_nothing_grave(
    visit: Visit, live_server: Any, player: User
) -> None:
    page = visit.page
    log_in(page, live_server.url)
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    open_match(page, live_server.url, match)
    for _ in range(7):
        check(page)
        answer(
            page, lambda page: (check(page), with_the_mouse(page))[1], lambda page: (check(page), click_commit(page))[1]
        )


def check(page: Page) -> None:
    assert faults_of(page) == [], page.url
