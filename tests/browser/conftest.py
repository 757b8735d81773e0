"""Chromium, and a season to look at in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match
from matches.presenters.replaying.replay import cut_into_steps
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User
from stables.models import Fixture, Season, Stable
from stables.services.ai import owners
from stables.services.season import opening, seasons
from tests.chromium import FLAGS
from tests.kept import Kept
from tests.waiting import DEADLINE_SECONDS

from .slowness import IS_SLOW, slow_down

# Playwright's synchronous interface runs an event loop in this thread, where Django would refuse the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

expect.set_options(timeout=DEADLINE_SECONDS * 1000)
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def browser(browser_path: str) -> Iterator[Browser]:
    """Chromium, each of whose pages is waited for as everything else is."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        started.on("context", be_patient)
        yield started
        started.close()


def be_patient(context: BrowserContext) -> None:
    context.set_default_timeout(DEADLINE_SECONDS * 1000)
    if IS_SLOW:
        context.on("page", slow_down)


@pytest.fixture
def match(transactional_db: None) -> Match:
    """A duel of the player against the AI, at its first question."""
    player = User.objects.create_user("player", "player@example.org", "secret words")
    seats = [Seat("red", player.pk), Seat("blue", bot="greedy")]
    return create_match(demonstration_setup("light"), b"a seed of 32 bytes, for browsers", None, seats)


@dataclass
class Visit:
    """A page in the browser, and what its console complained about."""

    page: Page
    complaints: list[str]

    def open(self, address: str) -> Page:
        answer = self.page.goto(address)
        assert answer is not None
        assert answer.status == 200
        return self.page


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A phone; parametrise it indirectly to change the context's options. Complaints of the console fail the test."""
    options: dict[str, Any] = {"viewport": PHONE, **getattr(request, "param", {})}
    context: BrowserContext = browser.new_context(**options)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Visit(page, complaints)
    context.close()
    assert complaints == []


@dataclass
class Site:
    """Addresses of the pages, and how many steps the match's replay has.

    `line_up` is the player's stable in a season that calls for its line-up, `recruiting` a season with an open market.
    """

    season: str
    standings: str
    stable: str
    match: str
    steps: int
    line_up: str
    recruiting: str


def open_for(player: User, organiser: User, name: str) -> Stable:
    """The player's stable, with a crew, in a recruiting season beside one of the AI."""
    opened = opening.open_for_people(name=name, weight_class="light", ai_stables=1, organiser=organiser)
    founded = seasons.found_stable(season_id=opened.season_id, name="Player", owner=player)
    stable = Stable.objects.select_related("season__release").get(pk=founded.stable_id)
    owners.shop(stable_id=stable.pk, cycle_id=stable.season.cycles.get().pk)
    return stable


def log_in(visit: Visit, site: Site, name: str) -> None:
    """Log a person of the site in through the form."""
    page = visit.open(f"{site.match.split('/matches/')[0]}/people/log-in")
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill("secret words")
    page.locator("main button[type=submit]").click()
    expect(page).not_to_have_url(re.compile("/log-in"))


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def site(transactional_db: None, live_server: Any, kept: Kept) -> Site:
    """A played season of two stables, one of them a person's name away from breaking a page."""
    return kept.get("site", lambda: built(live_server.url))


def built(root: str) -> Site:
    organiser = User.objects.create_user("organiser", "organiser@example.org", "secret words")
    opened = seasons.open_season(
        name="Season of <long> names that do-not-break-anywhere-at-all-on-a-small-screen",
        settings={"weight_class": "light", "cycles": ["standard"]},
        release=load_release(),
        organiser=organiser,
        secret=b"0123456789abcdef" * 2,
    )
    for name in ("Unbreakably-long-stable-name-of-sixty-letters-without-a-space", "Ash & Sons"):
        seasons.found_stable(season_id=opened.season_id, name=name[:60])
    seasons.start_season(season_id=opened.season_id)
    run_pending()
    season = Season.objects.get(pk=opened.season_id)
    match = Fixture.objects.filter(round__cycle__season=season, match__isnull=False)[0].match
    events = [event for step in match.actions.order_by("sequence") for event in step.events]
    stable = Stable.objects.select_related("season").get(season=season, number=1)
    player = User.objects.create_user("player", "player@example.org", "secret words")
    called, open_still = (open_for(player, organiser, name) for name in ("Called", "Open still"))
    seasons.start_season(season_id=called.season_id)
    run_pending()
    return Site(
        season=root + season.get_absolute_url(),
        standings=f"{root}{season.get_absolute_url()}standings/",
        stable=root + stable.get_absolute_url(),
        match=root + match.get_absolute_url(),
        steps=len(cut_into_steps(events)),
        line_up=root + called.get_absolute_url(),
        recruiting=root + open_still.get_absolute_url(),
    )
