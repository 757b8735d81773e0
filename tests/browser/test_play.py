"""A match is played in a real browser: with a mouse, by keyboard only, without JavaScript, and by two people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from matches.demonstration import demonstration_setup
from matches.models import Match
from matches.selectors import rebuild
from matches.services import Seat, create_match
from people.models import User

from .conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = b"a seed of 32 bytes, for browsers"
MOST_ANSWERS, MOST_STEPS, MOST_TABS = 60, 8, 150
DESK = {"viewport": {"width": 1200, "height": 900}}
SCHEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}]
GRAVE = ("serious", "critical")
TWO_SECONDS = 2000

Choose = Callable[[Page], None]


@pytest.fixture
def player(transactional_db: None) -> User:
    return User.objects.create_user("player", "player@example.org", "secret words")


@pytest.fixture
def rival(transactional_db: None) -> User:
    return User.objects.create_user("rival", "rival@example.org", "secret words")


def log_in(page: Page, root: str, name: str = "player") -> None:
    page.goto(f"{root}/people/log-in")
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill("secret words")
    page.locator("main button[type=submit]").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def short_duel(*seats: Seat) -> Match:
    """A duel of two rounds."""
    setup = {**demonstration_setup("light"), "house_rules": {"time_limit_rounds": 2}}
    return create_match(setup, SEED, None, seats)


def open_match(page: Page, root: str, match: Match) -> None:
    page.goto(f"{root}{match.get_absolute_url()}play/")


def is_over(page: Page) -> bool:
    return page.locator("#play[data-over]").count() == 1


def answer(page: Page, choose: Choose, play: Choose) -> None:
    """Choose step by step until there is something to play, play it, and wait for what comes of it."""
    version = str(page.locator("#play").get_attribute("data-version"))
    for _ in range(MOST_STEPS):
        if page.locator("#commit").count():
            break
        before = page.url
        choose(page)
        expect(page).not_to_have_url(before)
    play(page)
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)


def play_out(page: Page, choose: Choose, play: Choose) -> None:
    for _ in range(MOST_ANSWERS):
        if is_over(page):
            return
        answer(page, choose, play)
    raise AssertionError("the match does not end")


def with_the_mouse(page: Page) -> None:
    """Point at the board where something can be pointed at, else at a button: attack if possible."""
    attacks = page.locator('.options a:has-text("Ranged combat"), .options a:has-text("Close combat")')
    picks, aimed = page.locator(".pick:not(.pick-chosen)"), page.locator(".aimed")
    if attacks.count():
        attacks.first.click()
    elif aimed.count():
        aimed.first.click()
    elif picks.count():
        picks.nth(picks.count() // 2).click()
    else:
        page.locator(".question a").first.click()


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is on the element."""
    for _ in range(MOST_TABS):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach it")


def by_keyboard(page: Page) -> None:
    """Reach the question by Tab; walk over the board by arrow keys."""
    question = page.locator(".question").first
    if "question-hexes" in str(question.get_attribute("class")):
        tab_to(page, page.locator('.picks a[tabindex="0"]'))
        focused = "document.activeElement.getAttribute('aria-label')"
        first = page.evaluate(focused)
        for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
            if page.evaluate(focused) != first:
                break
    else:
        tab_to(page, question.locator("a").last)
    page.keyboard.press("Enter")


def commit_by_keyboard(page: Page) -> None:
    tab_to(page, page.locator("#commit"))
    page.keyboard.press("Enter")


def click_commit(page: Page) -> None:
    page.locator("#commit").click()


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_a_short_duel_against_the_ai_is_played_with_the_mouse(visit: Visit, live_server: Any, player: User) -> None:
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    log_in(visit.page, live_server.url)
    open_match(visit.page, live_server.url, match)
    play_out(visit.page, with_the_mouse, click_commit)
    match.refresh_from_db()
    assert match.is_finished
    visit.page.get_by_role("link", name="Result and replay").click()
    expect(visit.page.locator("#replay")).to_be_visible()


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


def test_the_other_side_sees_a_decision_within_two_seconds_and_takes_its_turn(
    visit: Visit, live_server: Any, browser: Browser, player: User, rival: User
) -> None:
    match = short_duel(Seat("red", player.pk), Seat("blue", rival.pk))
    root, context = live_server.url, browser.new_context(**DESK)
    pages = {"red": visit.page, "blue": context.new_page()}
    for side, name in (("red", "player"), ("blue", "rival")):
        log_in(pages[side], root, name)
        open_match(pages[side], root, match)
    for _ in range(5):
        asked = rebuild(Match.objects.get()).decision
        assert asked is not None
        other = pages["blue" if asked.side == "red" else "red"]
        expect(other.locator("#asked-heading")).to_contain_text("Waiting for", timeout=TWO_SECONDS)
        before = str(other.locator("#play").get_attribute("data-version"))
        answer(pages[asked.side], with_the_mouse, click_commit)
        expect(other.locator("#play")).not_to_have_attribute("data-version", before, timeout=TWO_SECONDS)
    context.close()


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_the_page_of_play_fits_a_phone_and_axe_finds_nothing_grave(
    visit: Visit, live_server: Any, player: User
) -> None:
    page = visit.page
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/matches/new/")
    check(page)
    match = short_duel(Seat("red", player.pk), Seat("blue", bot="greedy"))
    open_match(page, live_server.url, match)
    for _ in range(7):
        check(page)
        answer(
            page, lambda page: (check(page), with_the_mouse(page))[1], lambda page: (check(page), click_commit(page))[1]
        )


def check(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360, f"{page.url} is {width} pixels wide"
    found = Axe().run(page).response["violations"]
    grave = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found if rule["impact"] in GRAVE]
    assert grave == [], page.url
