"""Advice in a real browser: asked for in place or without a script, taken over, and nothing is played by it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from matches.models import Match
from matches.services.answering import Seat
from people.models import User

from .conftest import Visit
from .faults import faults_of
from .playing import DESK, answer, click_commit, log_in, with_the_mouse
from .test_play import open_match, player, short_duel

__all__ = ["player"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BUTTON = "What would a good player do here?"


def begun(page: Page, root: str, player: User) -> Match:
    """The page of a duel against the AI."""
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    log_in(page, root)
    open_match(page, root, match)
    return match


def test_a_press_shows_advice_in_place_and_another_takes_it_over(visit: Visit, live_server: Any, player: User) -> None:
    page = visit.page
    match = begun(page, live_server.url, player)
    for _ in range(2):
        answer(page, with_the_mouse, click_commit)
    match.refresh_from_db()
    before = match.last_sequence
    page.get_by_role("button", name=BUTTON).click()
    expect(page.locator("#advice")).to_be_focused()
    assert faults_of(page) == []
    page.locator("#advice a[data-step]").first.click()
    expect(page.locator("#commit")).to_be_visible()
    expect(page.locator("#advice li").first).to_be_visible()
    match.refresh_from_db()
    assert match.last_sequence == before
    page.locator("#commit").click()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    match.refresh_from_db()
    assert match.last_sequence > before


@pytest.mark.parametrize("visit", [{**DESK, "java_script_enabled": False}], indirect=True, ids=["no script"])
def test_it_works_without_javascript(visit: Visit, live_server: Any, player: User) -> None:
    page = visit.page
    begun(page, live_server.url, player)
    page.get_by_role("button", name=BUTTON).click()
    expect(page.locator("#advice li").first).to_be_visible()
    page.locator("#advice a[data-step]").first.click()
    expect(page.locator("#commit")).to_be_visible()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_the_page_says_that_it_thinks_until_the_advice_is_there(visit: Visit, live_server: Any, player: User) -> None:
    page = visit.page
    begun(page, live_server.url, player)
    thinking = page.get_by_role("status").filter(has_text="Thinking…")
    held: list[Route] = []
    page.route("**/play/**", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name=BUTTON).click()
    expect(thinking).to_be_visible()
    held[0].continue_()
    expect(page.locator("#advice li").first).to_be_visible()
    expect(thinking).to_have_count(0)
