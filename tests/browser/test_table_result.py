"""A match at a table whose sides report differently: from the first report to the standings, on phones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from catalogue.services.releases import load_release
from jobs.services import run_pending
from stables.models import Fixture, Result, Season
from tests.stables.tabletop_matches import fixture_of, person, sides_of, tables

from .conftest import PHONE
from .faults import faults_of
from .playing import log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REASON = "The dice were photographed: Ash hit."


@pytest.fixture
def fixture(transactional_db: None) -> Fixture:
    """A sealed match at a table of a season whose people can log in."""
    season = tables(load_release(), ["Ash", "Birch"])
    for name in ("ash", "birch", "organiser", "referee"):
        who = person(name)
        who.set_password("secret words")
        who.save()
    return fixture_of(season)


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Any]:
    """A function that gives a person a phone, logged in."""
    handed: list[BrowserContext] = []

    def hand_out(name: str) -> Page:
        handed.append(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True))  # type: ignore[arg-type]
        page = handed[-1].new_page()
        log_in(page, live_server.url, name)
        return page

    yield hand_out
    for context in handed:
        context.close()


def season_of(fixture: Fixture) -> Season:
    return fixture.round.cycle.season


def owner_of(fixture: Fixture, side: str) -> str:
    return next(str(one.stable.owner.username) for one in sides_of(fixture) if one.side == side)


def open_fixture(page: Page, root: str, fixture: Fixture) -> None:
    page.goto(root + reverse("stables:fixture", args=[season_of(fixture).slug, fixture.pk]))


def says_who_wins(page: Page, winner: str) -> None:
    """Fill the form in, whatever it was filled in with: one unit eliminates the other and takes two clicks."""
    loser = "blue" if winner == "red" else "red"
    for side, clicks, kills in ((winner, "2", "1"), (loser, "", "")):
        page.locator(f'[name="units.{side}-1.clicks"]').fill(clicks)
        page.locator(f'[name="units.{side}-1.kills"]').fill(kills)
        page.locator(f'[name="units.{side}-1.eliminated"]').set_checked(side == loser)
        page.locator(f'[name="sides.{side}.eliminations"]').fill("")
    page.locator("#winner").select_option(winner)


def reports(page: Page, root: str, fixture: Fixture, winner: str) -> None:
    """From the match's page to a report that is filed, after a look at what it changes."""
    open_fixture(page, root, fixture)
    page.locator(f'main a[href="{reverse("stables:report_result", args=[season_of(fixture).slug, fixture.pk])}"]').tap()
    says_who_wins(page, winner)
    page.get_by_role("button", name="Show what this changes").tap()
    expect(page.get_by_role("heading", name="What this changes")).to_be_visible()
    assert Result.objects.count() == 0
    assert faults_of(page) == []
    page.get_by_role("button", name="File this report").tap()
    expect(page.locator(".messages")).to_be_visible()


def test_a_contradicted_report_is_decided_by_the_referee_and_counts(
    fixture: Fixture, phone: Any, live_server: Any
) -> None:
    root, season = live_server.url, season_of(fixture)
    red, blue, referee = phone(owner_of(fixture, "red")), phone(owner_of(fixture, "blue")), phone("referee")
    names = {side.side: side.stable.name for side in sides_of(fixture)}

    reports(red, root, fixture, "red")
    expect(red.locator("main")).to_contain_text("If nobody contradicts, it holds from")
    open_fixture(blue, root, fixture)
    expect(blue.get_by_role("button", name=f"I confirm what {names['red']} reported")).to_be_visible()

    reports(blue, root, fixture, "blue")
    for page in (red, blue, referee):
        open_fixture(page, root, fixture)
        expect(page.locator("main")).to_contain_text("The reports differ.")
        assert page.locator(".message.warning tbody tr").count() >= 2
    assert Result.objects.count() == 0
    assert red.get_by_role("link", name="Decide the result").count() == 0

    referee.get_by_role("link", name="Decide the result").tap()
    expect(referee.get_by_role("heading", name="What was reported")).to_be_visible()
    assert faults_of(referee) == []
    referee.get_by_role("link", name=f"the report of {names['blue']}").tap()
    expect(referee.locator("main")).to_contain_text(f"filled in with what {names['blue']} reported")
    says_who_wins(referee, "red")
    referee.get_by_role("button", name="Settle the match like this").tap()
    expect(referee.get_by_role("alert")).to_be_visible()
    assert Result.objects.count() == 0
    says_who_wins(referee, "red")
    referee.get_by_label("In your own words").fill(REASON)
    referee.get_by_role("button", name="Settle the match like this").tap()
    expect(referee.locator(".messages")).to_be_visible()
    run_pending()
    assert Result.objects.get(fixture=fixture).current["winner"] == "red"

    for page in (red, blue):
        open_fixture(page, root, fixture)
        expect(page.locator("main")).to_contain_text(REASON)
        assert page.get_by_role("link", name="Report the result").count() == 0
        assert faults_of(page) == []
    blue.goto(f"{root}{season.get_absolute_url()}standings/")
    first = blue.locator("main table").first.locator("tbody tr").first
    expect(first).to_contain_text(names["red"])
    assert faults_of(blue) == []
