"""The pages in a real browser: on a phone, in light and dark, by keyboard, without JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect

from .conftest import PHONE, Site, Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCHEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}]
WITH_A_FINGER = [{"has_touch": True, "is_mobile": True}]
WITHOUT_SCRIPTS = [{"java_script_enabled": False}]


def background(page: Page) -> Any:
    page.wait_for_load_state()
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_the_choice_of_light_or_dark_beats_the_system(visit: Visit, site: Site) -> None:
    page = visit.open(site.season)
    seen = {"As the system": background(page)}
    for name in ("Light", "Dark"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        seen[name] = background(page)
    assert seen["Light"] != seen["Dark"]
    assert seen["As the system"] in (seen["Light"], seen["Dark"])


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1200, "height": 900}}], indirect=True, ids=["desk"])
def test_the_replay_is_stepped_by_keyboard(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    step, board = page.locator("#step"), page.locator("svg.board desc")
    first = board.text_content()
    for wanted in ("2", "3", "4", "5", "6"):
        page.keyboard.press("ArrowRight")
        expect(step).to_have_value(wanted)
    expect(page).to_have_url(re.compile(r"\?step=6#replay$"))
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_value("5")
    page.go_back()
    expect(step).to_have_value("6")
    page.locator('a[data-step="last"]').click()
    expect(step).to_have_value(str(site.steps))
    assert first
    expect(board).not_to_have_text(first)
    page.keyboard.press("ArrowRight")
    expect(step).to_have_value(str(site.steps))
    page.locator("#step").focus()
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_value(str(site.steps))


def test_focus_stays_on_the_link_that_steps(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.match}?step=1")
    page.locator('a[data-step="next"]').focus()
    for wanted in ("2", "3"):
        page.keyboard.press("Enter")
        expect(page.locator("#step")).to_have_value(wanted)
        assert page.evaluate("document.activeElement.dataset.step") == "next"


def test_the_replay_plays_by_itself_and_pauses(visit: Visit, site: Site) -> None:
    # The page's clock stands still until it is told to go on, so that no step goes by between two looks.
    page = visit.page
    page.clock.install(time=0)
    visit.open(f"{site.match}?step=1")
    page.clock.pause_at(3_600_000)
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#step")).to_have_value("2")
    page.clock.run_for(1600)
    expect(page.locator("#step")).to_have_value("3")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("visit", WITHOUT_SCRIPTS, indirect=True, ids=["no script"])
def test_the_replay_works_without_javascript(visit: Visit, site: Site) -> None:
    page = visit.open(site.match)
    assert page.get_by_role("button", name="Play").count() == 0
    for wanted in ("2", "3"):
        page.locator('a[data-step="next"]').click()
        expect(page.locator("#step")).to_have_value(wanted)
    page.locator("#step").fill(str(site.steps))
    page.get_by_role("button", name="Go").click()
    expect(page.locator('span[data-step="next"]')).to_be_visible()
    page.get_by_role("link", name="First").click()
    expect(page.locator("#step")).to_have_value("1")


@pytest.mark.parametrize("visit", WITH_A_FINGER, indirect=True, ids=["finger"])
def test_what_a_finger_presses_is_44_pixels_high(visit: Visit, site: Site) -> None:
    page = visit.open(site.match)
    low = page.locator("button, .button, summary, .nav a").evaluate_all(
        "all => all.map(e => [e.textContent.trim(), Math.round(e.getBoundingClientRect().height)])"
        ".filter(([, height]) => height && height < 44)"
    )
    assert low == []
    assert page.locator("summary:visible").count() > 0


def test_the_whole_menu_of_a_visitor_stands_on_a_narrow_phone(visit: Visit, site: Site) -> None:
    page = visit.open(site.standings)
    page.set_viewport_size({"width": 360, "height": 640})
    hidden = page.locator(".nav a").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)"
    )
    assert hidden == []
    expect(page.locator(".of-account a")).to_have_text(["Sign up", "Log in"])


def test_the_skip_link_comes_first_and_leads_to_the_content(visit: Visit, site: Site) -> None:
    page = visit.open(site.standings)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


DEMO_ROWS = [
    ["Brass Meridian", "15", "960", "64", "13", "9", "6", "1020", "620", "52.0\u00a0%", "="],
    ["Cobalt Foundry", "15", "845", "56.33", "14", "10", "5", "1180", "880", "50.8\u00a0%", "="],
    ["Emberline", "15", "795", "53", "13", "7", "8", "980", "430", "49.9\u00a0%", "▲ 5"],
    ["Ashen Banner", "14", "785", "56.07", "11", "8", "6", "1060", "960", "50.0\u00a0%", "▲ 1"],
    ["Harrow Gate", "14", "710", "50.71", "12", "7", "7", "1100", "675", "48.3\u00a0%", "▼ 1"],
    ["Gilded Anvil", "15", "685", "45.67", "9", "8", "7", "1155", "705", "49.4\u00a0%", "▼ 3"],
    ["Ferrous Choir", "15", "495", "33", "11", "5", "10", "1000", "350", "49.4\u00a0%", "▼ 1"],
    ["Dusk Lanterns", "15", "485", "32.33", "7", "5", "10", "1020", "620", "48.6\u00a0%", "▼ 1"],
]
"""The rows of the demo season in its fourth cycle."""


@pytest.mark.parametrize(
    ("visit", "language"), [({"locale": code}, code) for code in ("en", "pl", "de")], indirect=["visit"]
)
def test_o_eight_stables_of_the_standings_stand_on_one_phone_screen(visit: Visit, site: Site, language: str) -> None:
    """They take 640 pixels at most, so that there is room left for the head of the page or the table."""
    page = visit.open(site.standings)
    with translation.override(language):
        # The season here has one cycle, and so no column of changes.
        this_cycle = gettext("This cycle")
    page.locator("table.dense").evaluate(
        """(table, [rows, thisCycle]) => {
            const row = [...table.tBodies[0].rows].find(row => row.textContent.includes("Ash & Sons"));
            table.tBodies[0].replaceChildren(...rows.map((values, index) => {
                const made = row.cloneNode(true);
                made.append(Object.assign(document.createElement("td"), { className: "words" }));
                made.lastChild.dataset.label = thisCycle;
                const cells = [...made.cells];
                cells[0].textContent = index + 1;
                cells[1].querySelector("a").textContent = values[0];
                cells[1].replaceChildren(cells[1].querySelector("a"));
                cells.slice(2).map(cell => cell.querySelector("strong") ?? cell)
                    .forEach((cell, at) => cell.textContent = values[at + 1]);
                return made;
            }));
        }""",
        [DEMO_ROWS, this_cycle],
    )
    for phone in (PHONE, {"width": 390, "height": 844}):
        page.set_viewport_size(phone)
        rows = page.locator("table.dense tbody")
        assert 0 < rows.evaluate("rows => rows.getBoundingClientRect().height") <= 640
        assert rows.locator("tr").first.locator("td").count() == len(DEMO_ROWS[0])
        assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"]


PROJECTORS = [{"viewport": {"width": 1920, "height": 1080}}, {"viewport": {"width": 1280, "height": 720}}]


@pytest.mark.parametrize("visit", PROJECTORS, indirect=True, ids=["1080", "720"])
def test_o_letters_of_the_evening_are_readable_from_the_back(visit: Visit, site: Site) -> None:
    """Even the smallest ones, of a crowd of matches, take a fiftieth of the screen's height; the pairings a thirtieth
    while no crowd plays.
    """
    page = visit.open(f"{site.season}evening/")
    shares = page.evaluate(
        """() => {
            const evening = document.getElementById("evening");
            const share = found => Math.min(...found.map(each => parseFloat(getComputedStyle(each).fontSize)))
                / window.innerHeight;
            return Object.fromEntries(["few", "many", "crowd"].map(size => {
                evening.className = "evening " + size;
                const written = [...evening.querySelectorAll("*")].filter(each =>
                    [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));
                return [size, [share(written), share([...evening.querySelectorAll(".who")])]];
            }));
        }"""
    )
    for size, (smallest, who) in shares.items():
        assert smallest >= 0.02, (size, smallest)
        assert who >= (1 / 30 if size != "crowd" else 0.027), (size, who)


@pytest.mark.parametrize("visit", PROJECTORS, indirect=True, ids=["1080", "720"])
def test_o_few_matches_of_the_evening_take_the_room_that_the_screen_has_left(visit: Visit, site: Site) -> None:
    page = visit.open(f"{site.season}evening/")
    page.evaluate("document.querySelectorAll('.meetings li:nth-child(n + 3)').forEach(each => each.remove())")
    page.evaluate("dispatchEvent(new Event('resize'))")
    left = "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    assert page.evaluate(left) == [0, 0]
    letters = "parseFloat(getComputedStyle(document.querySelector('.who')).fontSize) / innerHeight"
    assert page.evaluate(letters) >= 1 / 16
