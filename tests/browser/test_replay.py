"""The replay in a real browser: slider, keys, pace, links to a moment; by itself, by key, and without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from people.models import User
from stables.models import Fixture, Season

from .conftest import Site, Visit, log_in
from .faults import check
from .networks import BROKEN, UNSENT, can_fail, failing
from .test_pages import WITHOUT_SCRIPTS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = [{"viewport": {"width": 1200, "height": 900}}]
STILL = [{"reduced_motion": "reduce"}]


def shows(page: Page, step: int) -> None:
    expect(page.locator("#step")).to_have_value(str(step))
    expect(page.locator("#scrub")).to_have_value(str(step))


def tell(site: Site) -> str:
    """A write-up with a photo by the player, who owns a stable of the match, and a secret address; its path."""
    from io import BytesIO

    from PIL import Image

    from matches.models import Match
    from matches.services.finished.write_ups import Sent, write

    match = Match.objects.get(public_id=site.match.rstrip("/").rsplit("/", 1)[1])
    fixture = Fixture.objects.get(match=match)
    player = User.objects.get(username="player")
    stable = fixture.sides.order_by("id")[0].stable
    type(stable).objects.filter(pk=stable.pk).update(owner=player, is_ai=False)
    photo = BytesIO()
    Image.new("RGB", (2000, 1500), "teal").save(photo, "JPEG")
    write(f"fixture:{fixture.pk}", player, Sent("Close.\n\n" + "Unbreakable" * 30, photo.getvalue(), "The table"))
    Match.objects.filter(pk=match.pk).update(share_key="k" * 43)
    Season.objects.filter(pk=fixture.round.cycle.season_id).update(visibility=Season.Visibility.PRIVATE)
    return f"/matches/shared/{'k' * 43}/"


def test_the_pages_of_a_match_at_a_table_fit_a_phone_and_axe_finds_nothing_grave(visit: Visit, site: Site) -> None:
    root = site.match.split("/matches/")[0]
    shared = root + tell(site)
    check(visit.page, f"{shared}?step=12")
    log_in(visit, site, "player")
    subject = Fixture.objects.get(match__share_key="k" * 43).pk
    for address in (site.match, f"{root}/matches/write-ups/of/fixture:{subject}/", f"{site.season}fixtures/{subject}/"):
        check(visit.page, address)


def test_without_a_network_the_replay_stays_and_says_so(visit: Visit, site: Site) -> None:
    can_fail(visit.page)
    page = visit.open(f"{site.match}?step=1")
    notice, following = page.locator("#replay-offline"), page.locator('#replay a[data-step="next"]').first
    for step, way in enumerate((*UNSENT, BROKEN), start=1):
        with failing(visit, way):
            following.click()
            expect(notice).to_be_visible()
            shows(page, step)
        following.click()
        shows(page, step + 1)
        expect(notice).to_be_hidden()
    with failing(visit, "cut"):
        page.evaluate("history.back()")
        expect(notice).to_be_visible()
        expect(page).to_have_url(re.compile(r"\?step=6#replay$"))
        shows(page, 6)


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_the_slider_leads_to_any_step_and_stays_in_hand(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    scrub = page.locator("#scrub")
    scrub.fill("7")
    shows(page, 7)
    expect(page).to_have_url(re.compile(r"\?step=7#replay$"))
    box = scrub.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for part in (0.25, 0.5, 0.75, 1):
        page.mouse.move(box["x"] + box["width"] * part - 1, box["y"] + box["height"] / 2)
    page.mouse.up()
    shows(page, site.steps)
    # The arrow keys are the slider's while it is in focus, one step each, and are not taken twice.
    scrub.focus()
    page.keyboard.press("ArrowLeft")
    shows(page, site.steps - 1)
    page.keyboard.press("Home")
    shows(page, 1)


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_keys_step_jump_and_play_and_leave_fields_alone(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=2")
    page.keyboard.press("End")
    shows(page, site.steps)
    page.keyboard.press("Home")
    shows(page, 1)
    kills = [int(number) for number in page.locator("[data-kill]").evaluate_all("all => all.map(a => a.dataset.kill)")]
    for kill in kills:
        page.keyboard.press("k")
        shows(page, kill)
    page.keyboard.press("Home")
    shows(page, 1)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("Home")
    shows(page, 1)
    page.locator("#step").focus()
    for key in ("End", "Home", "k", "Space", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator("#scrub")).to_have_value("1")
    # Elsewhere on the page they mean what they always mean.
    page.locator(".crumbs a").first.focus()
    page.keyboard.press("End")
    expect(page.locator("#scrub")).to_have_value("1")


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_a_step_that_arrives_late_leaves_the_focus_in_its_field(visit: Visit, site: Site) -> None:
    # Before the page opens: what a page that is there asks for just then may still go past a new route.
    held: list[Route] = []
    visit.page.route("**/*step=2*", lambda route: held.append(route))
    page = visit.open(f"{site.match}?step=1")
    with page.expect_request("**/*step=2*"):
        page.keyboard.press("ArrowRight")
    page.locator("#step").focus()
    for route in held:
        route.continue_()
    shows(page, 2)
    expect(page.locator("#step")).to_be_focused()


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_each_attack_and_the_biggest_hit_are_a_press_away(visit: Visit, site: Site) -> None:
    page = visit.open(site.match)
    attacks = page.get_by_role("navigation", name="Attacks")
    page.locator("summary", has_text="Attacks").click()
    first = attacks.locator("a").first
    wanted = re.search(r"step=(\d+)", first.get_attribute("href") or "")
    assert wanted is not None
    first.click()
    shows(page, int(wanted[1]))
    expect(page.locator(".attack").first).to_be_visible()
    # The list stays open, and the focus in it.
    expect(attacks).to_be_visible()
    page.get_by_role("navigation", name="Biggest hit").locator("a").click()
    expect(page.locator(".attack").first).to_be_visible()


@pytest.mark.parametrize("visit", DESK, indirect=True, ids=["desk"])
def test_the_pace_can_be_chosen(visit: Visit, site: Site) -> None:
    # The page's clock stands still until it is told to go on, so that no step goes by between two looks.
    page = visit.page
    page.clock.install(time=0)
    visit.open(f"{site.match}?step=1")
    page.clock.pause_at(3_600_000)
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play").click()
    shows(page, 2)
    page.clock.run_for(399)
    shows(page, 2)
    page.clock.run_for(1)
    shows(page, 3)
    page.get_by_label("Speed").select_option("1600")
    page.clock.run_for(1599)
    shows(page, 3)
    page.clock.run_for(1)
    shows(page, 4)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.clock.run_for(3200)
    shows(page, 4)


def test_it_plays_to_the_end_and_stops_there(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step={site.steps - 2}")
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play").click()
    shows(page, site.steps)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("visit", STILL, indirect=True, ids=["reduced motion"])
def test_who_wants_little_motion_gets_the_slowest_pace(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    expect(page.get_by_label("Speed")).to_have_value("3200")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    shows(page, 1)


@pytest.mark.parametrize(
    "visit", [{"permissions": ["clipboard-read", "clipboard-write"]}], indirect=True, ids=["clipboard"]
)
def test_a_moment_has_a_link_that_can_be_copied_and_keeps_the_key(visit: Visit, site: Site) -> None:
    shared = site.match.split("/matches/")[0] + tell(site)
    page = visit.open(shared)
    page.locator('a[data-step="next"]').click()
    shows(page, 2)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{shared}?step=2#replay"
    page.goto("about:blank")
    visit.open(copied)
    shows(page, 2)


@pytest.mark.parametrize("visit", WITHOUT_SCRIPTS, indirect=True, ids=["no script"])
def test_without_javascript_links_and_the_number_do_the_same(visit: Visit, site: Site) -> None:
    page = visit.open(site.match.split("/matches/")[0] + tell(site))
    for name in ("#scrub", "#speed", "#play", "#copy"):
        expect(page.locator(name)).to_be_hidden()
    page.locator("#step").fill("9")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#step")).to_have_value("9")
    assert "/matches/shared/" in page.url
    page.locator('a[data-step="moment"]').click()
    expect(page.locator("#step")).to_have_value("9")
    page.get_by_role("navigation", name="Biggest hit").locator("a").click()
    expect(page.locator(".attack").first).to_be_visible()
    page.get_by_role("link", name="Verify the dice").click()
    expect(page.locator("#finding")).to_contain_text("Yes.")
