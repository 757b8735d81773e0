"""A page behind others calls its reader when they must act: by its title, its icon, and a sound that can be off."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from jobs.services import run_pending
from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match, play_action
from people.models import User
from stables.models import Season
from stables.services.ai import solo

from .conftest import Visit
from .playing import log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = b"a seed of 32 bytes, for browsers"
WATCH = """
Object.defineProperty(document, "hidden", { get: () => Boolean(self.isBehind) });
self.tones = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) { self.tones += 1; start.apply(this, when); };
"""
"""The browser of the tests shows every page in front, so a page hears from the test that it is behind others."""
CALLS, CALM = re.compile(r"/turn(\.\w+)?\.svg$"), re.compile(r"/mark(\.\w+)?\.svg$")
LOOKS_BEHIND = 5_000


@pytest.fixture
def page(visit: Visit) -> Page:
    visit.page.add_init_script(WATCH)
    visit.page.clock.install()
    return visit.page


@pytest.fixture
def match(transactional_db: None) -> Match:
    """A match in which the rival must decide, and the player waits."""
    people = [User.objects.create_user(name, f"{name}@example.org", "secret words") for name in ("player", "rival")]
    seats = (Seat("red", people[0].pk), Seat("blue", people[1].pk))
    made = create_match(demonstration_setup("light"), SEED, None, seats)
    decide_until(made, "blue")
    return made


def decide_until(match: Match, side: str) -> None:
    """Let both sides decide by default until it is the turn of this side, at least once."""
    while True:
        match.refresh_from_db()
        engine = rebuild(match)
        assert engine.decision is not None
        if engine.decision.side == side:
            return
        play_action(match.pk, engine.decision.side, match.last_sequence, engine.default_action())


def put(page: Page, behind: bool) -> None:
    said = "true" if behind else "false"
    page.evaluate(f"self.isBehind = {said}; document.dispatchEvent(new Event('visibilitychange'))")


def icon(page: Page) -> Any:
    return expect(page.locator('link[rel="icon"]'))


def test_a_turn_that_comes_behind_other_pages_calls_once_by_title_icon_and_sound(
    page: Page, live_server: Any, match: Match
) -> None:
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    put(page, behind=True)
    page.clock.run_for(LOOKS_BEHIND)
    icon(page).to_have_attribute("href", CALM)
    decide_until(match, "red")
    page.clock.run_for(LOOKS_BEHIND)
    expect(page).to_have_title(re.compile("^● Your turn · "))
    icon(page).to_have_attribute("href", CALLS)
    page.clock.run_for(2 * LOOKS_BEHIND)
    assert page.evaluate("tones") == 1
    put(page, behind=False)
    icon(page).to_have_attribute("href", CALM)
    assert page.evaluate("tones") == 1


def test_a_turn_that_comes_in_front_of_the_reader_makes_no_sound(page: Page, live_server: Any, match: Match) -> None:
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    decide_until(match, "red")
    page.clock.run_for(LOOKS_BEHIND)
    expect(page).to_have_title(re.compile("^● Your turn · "))
    icon(page).to_have_attribute("href", CALM)
    assert page.evaluate("tones") == 0


def test_a_reader_switches_the_sound_off_and_on_again(page: Page, live_server: Any, match: Match) -> None:
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    page.get_by_role("button", name=re.compile("Switch it off")).click()
    expect(page).to_have_url(f"{live_server.url}{match.get_absolute_url()}play/")
    expect(page.get_by_role("button", name=re.compile("Switch it on"))).to_be_visible()
    put(page, behind=True)
    decide_until(match, "red")
    page.clock.run_for(LOOKS_BEHIND)
    icon(page).to_have_attribute("href", CALLS)
    assert page.evaluate("tones") == 0
    page.get_by_role("button", name=re.compile("Switch it on")).click()
    expect(page.get_by_role("button", name=re.compile("Switch it off"))).to_be_visible()


def test_a_page_that_waits_for_the_season_calls_and_goes_on_when_it_is_in_front(page: Page, live_server: Any) -> None:
    player = User.objects.create_user("player", "player@example.org", "secret words")
    log_in(page, live_server.url)
    solo.open_evening(player=player, stable_name="Copper Lantern", ready_made=True)
    waits = live_server.url + reverse("stables:season_next", args=[Season.objects.get(organiser=player).slug])
    page.goto(waits)
    expect(page.locator("#wait")).to_be_visible()
    put(page, behind=True)
    run_pending()
    page.clock.run_for(LOOKS_BEHIND)
    icon(page).to_have_attribute("href", CALLS)
    expect(page).to_have_title(re.compile("^● Your turn · "))
    page.clock.run_for(2 * LOOKS_BEHIND)
    assert page.evaluate("tones") == 1
    put(page, behind=False)
    page.clock.run_for(1000)
    expect(page).not_to_have_url(waits)


@pytest.mark.parametrize(("rival", "is_asked"), [("greedy", False), ("", True)])
def test_nobody_is_asked_for_news_at_ones_own_turn_against_the_ai(
    page: Page, live_server: Any, transactional_db: None, rival: str, is_asked: bool
) -> None:
    """Against a person there may be news: they may agree to end the match."""
    person, other = (User.objects.create_user(name, f"{name}@example.org", "secret words") for name in ("player", "b"))
    blue = Seat("blue", bot=rival) if rival else Seat("blue", other.pk)
    made = create_match(demonstration_setup("light"), SEED, None, (Seat("red", person.pk), blue))
    decide_until(made, "red")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/changes/" in request.url else None)
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{made.get_absolute_url()}play/")
    expect(page.locator("#play[data-mine]")).to_be_attached()
    with page.expect_response("**/changes/**") if is_asked else nullcontext():
        page.clock.run_for(3_000)
    assert bool(asked) == is_asked
