"""Four people and a guest play a season at tables, from the invitation to the champions, by what the pages offer.

It has one of everything that goes wrong in a club: a sixth stable is removed before the start, its owner takes another
one over, one match has no opponent, one has two results, and one result is corrected. Five stables play to the end, so
each round has two matches and a bye. The season has a single cycle of three rounds instead of the book's six cycles.
What no page shows anything new of is done by the services: most line-ups after the first round, and the other match of
each round after the first. The clock is held, and passes when the test says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from jobs.services import run_pending
from stables.models import Fixture, LedgerEntry, Result
from stables.services.line_ups.line_ups import submit_nearest_legal
from stables.services.results import reports
from tests.stables.tabletop_matches import sides_of

from .conftest import PHONE
from .evenings import Evenings, manage, press, reads, says_who_wins, signs_up
from .faults import faults_of
from .playing import DESK, follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
NAME = "Five at the table"

AWAY, MOVES, SEEN, TWICE = (
    "Elm is away until March.",
    "Cedar moves to another town.",
    "Both looked at the photograph together.",
    "The tokens were counted twice.",
)
"""The reasons of the organiser, for everybody to read."""
ACTS = (
    f"An organiser removed Elm Yard before the season began: {AWAY}",
    f"Cedar Yard has a new owner, elm: {MOVES}",
    "did not come to the new date either.",
    "the reports differ, and the result is disputed.",
    f"an organiser decided. {SEEN}",
    f"the result was corrected. The reason: “{TWICE}”. What it changes: ",
)
"""What the log says of them."""


@pytest.fixture
def evenings(
    transactional_db: None, live_server: Any, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Evenings]:
    made = Evenings(live_server.url, browser)
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    yield made
    for context in made.contexts:
        context.close()


def open_season(evenings: Evenings) -> str:
    """Open the season, found the organiser's stable, and return the address of an invitation."""
    page = evenings.go("amber", reverse("stables:open_season"))
    page.get_by_label("Name of the season").fill(NAME)
    page.locator("#season-class").select_option("light")
    page.get_by_text("Cycles", exact=True).click()
    for box in page.locator('input[name^="format_"]').all():
        box.set_checked(box.get_attribute("name") == "format_standard")
    page.locator('[name="joining"]').select_option("invited")
    page.locator('[name="calendar_mode"]').select_option("table")
    press(page, "Open the season")
    reads(page, "Your season is open")
    page.get_by_label("Name of the stable").fill("Amber Yard")
    press(page, "Found the stable")
    reads(page, "Your stable is founded")
    evenings.go("amber", evenings.season.get_absolute_url() + "organise/")
    press(page, "Make an invitation")
    return page.get_by_role("textbox", name="Link", exact=True).input_value()


def joins(evenings: Evenings, name: str, link: str) -> None:
    page = evenings.go(name, link)
    page.get_by_label("Name of the stable").fill(f"{name.title()} Yard")
    press(page, "Found the stable")
    reads(page, "Your stable is founded")


def sits_down(evenings: Evenings) -> None:
    """A stable of the AI gets a guest: the organiser makes a link, and a phone without an account opens it."""
    page = evenings.go("amber", evenings.season.get_absolute_url() + "organise/")
    page.get_by_text("Found a stable of the AI", exact=True).click()
    press(page, "Found the AI stable")
    found = evenings.season.stables.get(is_ai=True)
    page = evenings.go("amber", manage(found))
    page.get_by_label("In your own words").fill("Fern plays without an account.")
    press(page, "Make a link for a guest without an account")
    link = page.locator("#link-text").input_value()
    phone = evenings.go("fern", link)
    assert faults_of(phone) == []
    phone.get_by_role("button", name="Play as a guest on this phone").tap()
    reads(phone, "You play this stable now, on this phone.")
    assert faults_of(phone) == []


def is_removed(evenings: Evenings) -> None:
    """Elm's stable leaves before the season begins; everybody can read why."""
    page = evenings.go("amber", manage(evenings.stable("elm")))
    page.get_by_label("In your own words").fill(AWAY)
    press(page, "Remove it")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("I am sure that it goes for good").check()
    press(page, "Remove it")
    reads(page, "The stable is removed, and its place is free.")
    notices = evenings.go("elm", reverse("people:notices"))
    expect(notices.locator("main")).to_contain_text(AWAY)
    others = evenings.go("fern", evenings.season.get_absolute_url())
    expect(others.locator(".roster li")).to_have_count(5)
    expect(others.locator(".roster")).not_to_contain_text("Elm Yard")
    assert faults_of(others) == []


def is_ready(evenings: Evenings, name: str) -> None:
    """From the season's page, with the crew that is proposed."""
    page = evenings.go(name, evenings.season.get_absolute_url())
    press(page, "I am ready")
    expect(page.get_by_role("heading", name="Nobody for the coming match")).to_be_visible()
    page.locator("#with-crew").click()
    reads(page, "Your basket is sealed, and you are ready.")


def starts(evenings: Evenings) -> None:
    page = evenings.go("amber", evenings.season.get_absolute_url() + "organise/")
    press(page, "Start the season")
    expect(page.locator(".messages")).to_be_visible()
    run_pending()


def hands_in(evenings: Evenings, name: str) -> None:
    page = evenings.go(name, evenings.season.get_absolute_url())
    page.locator("#next-step-go").click()
    press(page, "Hand in and seal")
    expect(page.locator(".messages")).to_be_visible()


def side_of(evenings: Evenings, fixture: Fixture, name: str) -> str:
    return ("red", "blue")[evenings.plays(fixture).index(name)]


def files(evenings: Evenings, name: str, fixture: Fixture, winner: str, tokens: int) -> Page:
    """Report a result from the page of the match."""
    page = evenings.go(name, fixture.get_absolute_url())
    page.get_by_role("link", name="Report the result").or_(
        page.get_by_role("link", name="Report something else")
    ).click()
    says_who_wins(page, winner, tokens)
    press(page, "File this report")
    reads(page, "Your report is filed.")
    return page


def confirms(evenings: Evenings, name: str, fixture: Fixture) -> None:
    page = evenings.go(name, fixture.get_absolute_url())
    page.get_by_role("button", name="I confirm what").click()
    reads(page, "The result is settled.")


def is_agreed_upon(evenings: Evenings, number: int) -> None:
    """The organiser's own match, if she has one in this round: one side reports, the other confirms."""
    fixture, _ = evenings.fixtures(number)
    winner, rival = sorted(evenings.plays(fixture))
    files(evenings, winner, fixture, side_of(evenings, fixture, winner), 20)
    confirms(evenings, rival, fixture)
    assert Result.objects.get(fixture=fixture).source == Result.Source.AGREED


def is_agreed_upon_unseen(evenings: Evenings, number: int) -> None:
    """The same by the services."""
    fixture, _ = evenings.fixtures(number)
    hand_in_unseen(fixture)
    winner = side_of(evenings, fixture, min(evenings.plays(fixture)))
    won = {"winner": winner, "ended_by": "time_limit", "sides": {winner: {"tokens": 20}}}
    for side in sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=won, user=side.stable.owner)
    run_pending()


def hand_in_unseen(fixture: Fixture, *, but: str = "") -> None:
    for side in sides_of(fixture):
        if side.side != but:
            submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixture.pk)
    run_pending()


def has_two_results(evenings: Evenings) -> None:
    """Both say that they won; the organiser, who does not play in it, decides with both reports before her."""
    _, fixture = evenings.fixtures(1)
    red, blue = evenings.plays(fixture)
    names = [side.stable.name for side in sides_of(fixture)]
    files(evenings, red, fixture, "red", 15)
    page = files(evenings, blue, fixture, "blue", 10)
    expect(page.locator("main")).to_contain_text("The reports differ.")
    assert not Result.objects.filter(fixture=fixture).exists()
    judge = evenings.go("amber", evenings.season.get_absolute_url() + "organise/")
    judge.locator("#waits-heading ~ p a.primary").click()
    judge.get_by_role("link", name="Decide the result").click()
    expect(judge.get_by_role("heading", name="What was reported")).to_be_visible()
    for name in names:
        expect(judge.get_by_role("columnheader", name=name)).to_be_visible()
    follow(judge.get_by_role("link", name=f"the report of {names[1]}"))
    judge.get_by_label("In your own words").fill(SEEN)
    press(judge, "Settle the match like this")
    reads(judge, "The result is decided and settled.")
    run_pending()
    assert Result.objects.get(fixture=fixture).current["winner"] == "blue"
    for name in (red, blue):
        page = evenings.go(name, fixture.get_absolute_url())
        expect(page.locator("main")).to_contain_text(SEEN)
        expect(page.get_by_role("link", name="Report something else")).to_have_count(0)


def passes(evenings: Evenings) -> None:
    """Cedar's stable goes to Elm by a link, with all that it has; Cedar has it no more."""
    stable = evenings.stable("cedar")
    page = evenings.go("amber", manage(stable))
    page.get_by_label("In your own words").fill(MOVES)
    press(page, "Make a link that passes it on")
    taker = evenings.go("elm", page.locator("#link-text").input_value())
    expect(taker.get_by_role("heading", level=1)).to_contain_text(stable.name)
    press(taker, "Make it mine")
    reads(taker, "The stable is yours.")
    expect(taker.locator(".facts").first).to_contain_text(str(stable.capital))
    old = evenings.go("cedar", reverse("people:notices"))
    expect(old.locator("main")).to_contain_text(MOVES)
    old = evenings.go("cedar", stable.get_absolute_url())
    expect(old.locator("main")).to_contain_text("Owner: elm")
    expect(old.get_by_text("yours", exact=True)).to_have_count(0)


def does_not_come(evenings: Evenings) -> None:
    """One side of a match hands in nothing, comes neither on the last day nor on the new date, and forfeits."""
    _, fixture = evenings.fixtures(2)
    came, absent = evenings.plays(fixture)
    hands_in(evenings, came)
    assert fixture.play_due_at is not None
    evenings.now = fixture.play_due_at + timedelta(minutes=31)
    page = evenings.go(came, fixture.get_absolute_url())
    new_date = fixture.play_due_at + timedelta(hours=6)
    page.get_by_label("New date").fill(new_date.strftime("%Y-%m-%dT%H:%M"))
    press(page, "Nobody came")
    expect(page.locator(".messages")).to_be_visible()
    expect(evenings.go(absent, fixture.get_absolute_url()).get_by_role("button", name="I am here")).to_be_visible()
    evenings.now = new_date + timedelta(minutes=31)
    page = evenings.go(came, fixture.get_absolute_url())
    press(page, "Nobody came")
    press(page, "Take the forfeit")
    expect(page.locator(".messages")).to_be_visible()
    run_pending()
    page = evenings.go(absent, fixture.get_absolute_url())
    expect(page.locator("main")).to_contain_text("did not come")


def is_corrected(evenings: Evenings) -> None:
    """Both agree, and find out afterwards that a number is wrong: the organiser looks and then corrects it."""
    _, fixture = evenings.fixtures(3)
    hand_in_unseen(fixture)
    red, blue = evenings.plays(fixture)
    files(evenings, red, fixture, "red", 20)
    confirms(evenings, blue, fixture)
    before = Result.objects.get(fixture=fixture).current["sides"]["red"]["reputation"]
    page = evenings.go("amber", fixture.get_absolute_url())
    page.get_by_role("link", name="Correct this result").click()
    page.locator('[name="sides.red.tokens"]').fill("10")
    page.get_by_label("In your own words").fill(TWICE)
    press(page, "Show what this changes")
    expect(page.get_by_role("heading", name="What this changes")).to_be_visible()
    changes = page.locator("section.message li").all_inner_texts()
    assert Result.objects.get(fixture=fixture).current["sides"]["red"]["reputation"] == before
    press(page, "Apply what is shown")
    reads(page, "The correction is made.")
    assert Result.objects.get(fixture=fixture).current["sides"]["red"]["reputation"] == before - 10
    page = evenings.go(blue, fixture.get_absolute_url())
    expect(page.locator("main")).to_contain_text(TWICE)
    page.get_by_text("What it changed").click()
    for change in changes:
        expect(page.locator("main")).to_contain_text(change)


def ends(evenings: Evenings) -> None:
    """The champions are provisional until the organiser closes the season; then they stand in the hall."""
    phone = evenings.go("fern", evenings.season.get_absolute_url())
    expect(phone.locator(".titles")).to_contain_text("The champions are provisional")
    assert faults_of(phone) == []
    page = evenings.go("amber", evenings.season.get_absolute_url())
    press(page, "Close the season now")
    reads(page, "The season is closed, and its results stand.")
    champion = evenings.season.titles.get(kind="stable").stable
    hall = evenings.go("basalt", reverse("stables:champions"))
    expect(hall.locator("main")).to_contain_text(NAME)
    expect(hall.locator("main")).to_contain_text(champion.name)


def adds_up(evenings: Evenings) -> None:
    """What each stable has is the sum of its book, and so say the pages."""
    call_command("check_ledger")
    page = evenings.go("basalt", evenings.season.get_absolute_url())
    for stable in evenings.season.stables.filter(removed_at=None):
        booked = LedgerEntry.objects.filter(stable=stable).aggregate(sum=Sum("amount"))["sum"]
        assert booked == stable.capital
        line = page.locator(".roster li", has=page.get_by_role("link", name=stable.name))
        expect(line).to_contain_text(f"{booked} Stones")
    assert LedgerEntry.objects.filter(stable__season=evenings.season, cause="purse").count() == 5


def tells_all(evenings: Evenings) -> None:
    """Whoever reads the log reads all five acts, each with its reason."""
    log, lines = reverse("stables:log", args=[evenings.season.slug]), ""
    for number in (1, 2):
        page = evenings.go("cedar", f"{log}?page={number}")
        lines += " ".join((page.locator("main").text_content() or "").split())
    assert [sentence for sentence in ACTS if sentence not in lines] == []


def claims(evenings: Evenings) -> None:
    """The guest signs up, and keeps the stable with its honours."""
    stable = evenings.season.stables.get(owner__is_guest=True)
    phone = evenings.go("fern", stable.get_absolute_url())
    phone.get_by_role("link", name="Take the stable to an account").tap()
    phone.get_by_role("button", name="Make a link to claim it with").tap()
    link = phone.locator("#link-text").input_value()
    assert faults_of(phone) == []
    phone.get_by_role("button", name="Log out").tap()
    expect(phone.get_by_role("heading", name="Log out as a guest?")).to_be_visible()
    assert faults_of(phone) == []
    phone.get_by_role("button", name="Log out all the same").tap()
    expect(phone.get_by_role("link", name="Log in").first).to_be_visible()
    evenings.go("fern", link).get_by_role("link", name="Sign up to take it over").tap()
    signs_up(phone, "fern")
    phone.get_by_role("button", name="Make it mine").tap()
    reads(phone, "The stable is yours.")
    expect(phone.locator("main")).to_contain_text("Owner: fern")
    phone.get_by_role("link", name="Honours and rivals").tap()
    expect(phone.locator("main")).to_contain_text(NAME)


def test_a_season_of_four_people_and_a_guest_from_invitation_to_champions(evenings: Evenings) -> None:
    for name in ("amber", "cedar", "dune", "elm"):
        evenings.give(name, DESK, is_known=True)
    evenings.give("basalt", DESK, is_known=False)
    evenings.give("fern", TOUCH, is_known=False)
    link = open_season(evenings)
    basalt = evenings.go("basalt", link)
    basalt.get_by_role("link", name="Sign up to found a stable").click()
    signs_up(basalt, "basalt")
    for name in ("basalt", "cedar", "dune", "elm"):
        joins(evenings, name, link)
    sits_down(evenings)
    is_removed(evenings)
    for name in ("amber", "basalt", "cedar", "dune", "fern"):
        is_ready(evenings, name)
    starts(evenings)
    for fixture in evenings.fixtures(1):
        for name in evenings.plays(fixture):
            hands_in(evenings, name)
    run_pending()
    is_agreed_upon(evenings, 1)
    has_two_results(evenings)
    passes(evenings)
    does_not_come(evenings)
    is_agreed_upon_unseen(evenings, 2)
    is_corrected(evenings)
    is_agreed_upon_unseen(evenings, 3)
    ends(evenings)
    adds_up(evenings)
    tells_all(evenings)
    claims(evenings)
