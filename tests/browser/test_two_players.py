"""Two people play a duel of a season, each in a browser of their own: what one does the other sees without a reload."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from people.models import User
from stables.models import Fixture, LineUp, Season, Stable
from stables.services.ai import owners
from stables.services.season import seasons

from .conftest import PHONE
from .playing import DESK, answer, choose_all, click_commit, follow, is_over, log_in, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("amber", "basalt")
SECRET = b"0123456789abcdef" * 2
MOST_ANSWERS = 80
ROUNDS = 3
"""The match of this season is short: everything a match has is in three rounds, its end too."""


@dataclass
class Duel:
    """A season of two people who play in the browser; `pages` are theirs, by name, logged in."""

    root: str
    season: Season
    pages: dict[str, Page]

    @property
    def fixture(self) -> Fixture:
        return Fixture.objects.select_related("match").get(round__cycle__season=self.season, round__number=1)

    @property
    def match(self) -> Match:
        found = self.fixture.match
        assert found is not None
        return found

    def page_of(self, side: str) -> Page:
        seat = self.match.seats.select_related("user").get(side=side)
        assert seat.user is not None
        return self.pages[seat.user.username]

    def asked(self) -> tuple[Page, Page]:
        """The page of who must decide, and the other's."""
        decision = rebuild(self.match).decision
        assert decision is not None
        mine = self.page_of(decision.side)
        return mine, next(page for page in self.pages.values() if page is not mine)


def open_for_two() -> Season:
    """Both have bought, and round 1 calls for line-ups."""
    people = [User.objects.create_user(name, f"{name}@example.org", "secret words") for name in NAMES]
    opened = seasons.open_season(
        name="Season of two",
        settings={"weight_class": "light", "cycles": ["standard"], "house_rules": {"time_limit_rounds": ROUNDS}},
        release=load_release(),
        organiser=people[0],
        secret=SECRET,
        calendar={"preset": "club_night", "time_zone": "UTC", "mode": "browser"},
    )
    season = Season.objects.get(pk=opened.season_id)
    for person in people:
        made = seasons.found_stable(season_id=season.pk, name=person.username.title(), owner=person)
        owners.shop(stable_id=made.stable_id, cycle_id=season.cycles.get().pk)
    seasons.start_season(season_id=season.pk)
    run_pending()
    return season


@pytest.fixture
def duel(transactional_db: None, live_server: Any, browser: Browser) -> Iterator[Duel]:
    season = open_for_two()
    contexts = {NAMES[0]: browser.new_context(**DESK), NAMES[1]: browser.new_context(viewport=PHONE)}  # type: ignore[arg-type]
    pages = {name: context.new_page() for name, context in contexts.items()}
    for name, page in pages.items():
        log_in(page, live_server.url, name)
    yield Duel(live_server.url, season, pages)
    for context in contexts.values():
        context.close()


def hand_in(duel: Duel, name: str) -> None:
    """From the season's page, by what it says comes next."""
    page = duel.pages[name]
    page.goto(duel.root + duel.season.get_absolute_url())
    page.locator("#next-step-go").click()
    page.get_by_role("button", name="Hand in and seal").click()
    expect(page.locator(".messages")).to_be_visible()


def go_to_the_match(duel: Duel, name: str) -> None:
    page = duel.pages[name]
    page.goto(duel.root + duel.season.get_absolute_url())
    page.locator("#next-step-go").click()
    expect(page.locator("#play")).to_be_visible()


def begin(duel: Duel) -> None:
    for name in NAMES:
        hand_in(duel, name)
    run_pending()
    for name in NAMES:
        go_to_the_match(duel, name)


def marked(page: Page) -> None:
    """A sign that a reload would take away."""
    page.evaluate("window.isTheSamePage = true")


def is_marked(page: Page) -> bool:
    return bool(page.evaluate("window.isTheSamePage === true"))


def test_two_people_play_to_the_end_and_each_sees_the_others_steps(duel: Duel) -> None:
    begin(duel)
    for page in duel.pages.values():
        marked(page)
    for _ in range(MOST_ANSWERS):
        if duel.match.is_finished:
            break
        mine, other = duel.asked()
        expect(mine.locator("#asked-heading")).to_contain_text("Your turn")
        expect(other.locator("#asked-heading")).to_contain_text("Waiting for")
        before = str(other.locator("#play").get_attribute("data-version"))
        answer(mine, with_the_mouse, click_commit)
        expect(other.locator("#play")).not_to_have_attribute("data-version", before)
    assert duel.match.is_finished
    for page in duel.pages.values():
        expect(page.locator("#asked-heading")).to_have_text("The match is over")
        assert is_over(page)
        assert is_marked(page)
    sentences = sorted(page.locator(".asked .lead").inner_text() for page in duel.pages.values())
    assert [sentence.strip().split(".")[0] for sentence in sentences] == ["You lost", "You won"]
    run_pending()
    result = duel.fixture.result.current
    for page in duel.pages.values():
        page.goto(f"{duel.root}{duel.season.get_absolute_url()}fixtures/{duel.fixture.pk}/")
        expect(page.get_by_role("heading", name="Result", exact=True)).to_be_visible()
    winner = Stable.objects.get(fixture_sides__fixture=duel.fixture, fixture_sides__side=result["winner"])
    assert winner.name in sentences[0]


def test_a_stale_tab_doubles_nothing(duel: Duel) -> None:
    begin(duel)
    mine, _other = duel.asked()
    stale = mine.context.new_page()
    # A tab whose script does not run keeps what it shows, as one that was asleep.
    stale.route("**/*.js", lambda route: route.abort())
    stale.goto(mine.url)
    for page in (mine, stale):
        choose_all(page, with_the_mouse)
    version = str(mine.locator("#play").get_attribute("data-version"))
    mine.locator("#commit").click()
    expect(mine.locator("#play")).not_to_have_attribute("data-version", version)
    played = list(MatchAction.objects.filter(match=duel.match).values_list("sequence", flat=True))
    stale.locator("#commit").click()
    expect(stale.locator(".message[role=alert]")).to_be_visible()
    assert list(MatchAction.objects.filter(match=duel.match).values_list("sequence", flat=True)) == played
    stale.close()


def test_a_line_up_from_two_tabs_is_handed_in_once(duel: Duel) -> None:
    page = duel.pages[NAMES[0]]
    page.goto(duel.root + duel.season.get_absolute_url())
    follow(page.locator("#next-step-go"))
    second = page.context.new_page()
    second.goto(page.url)
    for each in (page, second):
        each.get_by_role("button", name="Hand in and seal").click()
        expect(each.get_by_role("button", name="Hand in and seal")).to_be_hidden()
    expect(second.get_by_role("heading", level=1)).to_have_text("That is not possible")
    assert LineUp.objects.filter(side__fixture=duel.fixture).count() == 1
    second.close()
