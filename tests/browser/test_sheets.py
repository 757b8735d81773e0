"""Print sheets in a real browser: the longest dials that a unit may have stay on their page of A4."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from catalogue.services.releases import load_release
from catalogue.views.sheets import HALF_PAGE_CLICKS, HALF_PAGE_STEPS
from rules.catalogue import Document, load_builtin
from tests.kept import Kept
from web.languages import offer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERFLOWING = """
[...document.querySelectorAll('.sheet')].flatMap((sheet) => {
  const edge = sheet.getBoundingClientRect();
  return [...sheet.querySelectorAll('table, li, p, h2, svg, tr')].filter((item) => {
    const box = item.getBoundingClientRect();
    return box.bottom > edge.bottom + 0.5 || box.right > edge.right + 0.5;
  }).map((item) => item.outerHTML.slice(0, 200));
})
"""
CUT = """
[...document.querySelectorAll('.sheet h2, .sheet .clicks td, .sheet .steps td, .legend')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1)
  .map((cell) => cell.outerHTML.slice(0, 200))
"""


def longest() -> dict[str, Any]:
    """A unit as large as the schema lets it be: 40 clicks, 20 steps, a colour on every value."""
    unit = deepcopy(load_builtin().units["SOL021"])
    first = unit["dial"][0]
    colours = {
        "primary": {"key": "ppc_capacitor", "single_use": True},
        "secondary": {"key": "artemis_v_fire_control_system", "single_use": True},
        "speed": {"key": "electronic_camouflage", "single_use": True},
        "attack": {"key": "improved_targeting", "single_use": True},
        "defense": {"key": "advanced_anti_missile_system", "single_use": True},
    }
    values = {"primary": 12, "secondary": 12, "speed": 30, "attack": 20, "defense": 30}
    unit["dial"] = [{**first, **values, "repair_marker": number > 0, "equipment": colours} for number in range(40)]
    effects = {
        "primary": "avoid_heat_sink_overload_critical",
        "secondary": "avoid_ammunition_explosion_critical",
        "speed": "avoid_shutdown_critical",
    }
    step = {"primary": -9, "secondary": -9, "speed": -9, "effects": effects}
    unit["heat"] = [unit["heat"][0], *({**step} for _ in range(19))]
    return {**unit, "id": "LONGEST", "name": "W" * 80, "variant": "W" * 78 + "-A"}


def fullest_halves() -> list[dict[str, Any]]:
    """Units that just fill half a page: as many clicks, steps and marks as are let in there, under the longest name."""
    unit = longest()
    plain = {**unit["dial"][-1], "equipment": {}}
    steps = [unit["heat"][0], *unit["heat"][1:HALF_PAGE_STEPS]]
    return [
        {**unit, "id": f"HALF{number}", "dial": [unit["dial"][0], *[plain] * (HALF_PAGE_CLICKS - 1)], "heat": steps}
        for number in (1, 2)
    ]


BROKEN_WORDS = """
[...document.querySelectorAll('.sheet thead th')].filter((head) => {
  const words = head.firstChild, range = document.createRange();
  return [...words.data.matchAll(/\\S+/g)].some((word) => {
    range.setStart(words, word.index);
    range.setEnd(words, word.index + word[0].length);
    return range.getClientRects().length > 1;
  });
}).map((head) => head.textContent)
"""


@pytest.fixture
def address(transactional_db: None, live_server: Any, kept: Kept) -> str:
    kept.get("longest dials", load_longest)
    return f"{live_server.url}/catalogue/sheets/"


def load_longest() -> None:
    document = load_builtin().to_json()
    document["units"] += [longest(), *fullest_halves()]
    load_release([Document("own.json", document)])


def pages_of(pdf: bytes) -> int:
    return pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") + pdf.count(b"/Type/Page/")


PAGES = {
    "unit=LONGEST": 1,
    "unit=SOL002": 1,
    "unit=HALF1&unit=HALF2": 1,
    "unit=SOL002&unit=SOL003": 1,
    "unit=SOL002&unit=SOL003&unit=SOL010&unit=SOL012": 2,
    "unit=LONGEST&arena=plaza": 2,
    "arena=plaza&arena=wildwood": 2,
}
"""How many pages of A4 each of these sheets takes."""


@pytest.fixture
def paper(browser: Browser) -> Iterator[Page]:
    """The printable part of A4 at 96 dots an inch."""
    page = browser.new_page(viewport={"width": 718, "height": 1047})
    page.emulate_media(media="print")
    yield page
    page.close()


def test_sheets_fill_their_pages_and_never_more(paper: Page, address: str) -> None:
    for asked, pages in PAGES.items():
        paper.goto(f"{address}?{asked}")
        assert paper.evaluate(OVERFLOWING) == [], asked
        assert paper.evaluate(CUT) == [], asked
        assert pages_of(paper.pdf(prefer_css_page_size=True)) == pages, asked


@pytest.mark.parametrize("language", [each.code for each in offer.offered()])
def test_no_head_of_a_dial_breaks_inside_a_word(paper: Page, address: str, language: str) -> None:
    paper.set_extra_http_headers({"Accept-Language": language})
    paper.goto(f"{address}?unit=LONGEST&unit=HALF1&unit=HALF2")
    assert paper.locator("html").get_attribute("lang") == language
    assert paper.locator(".sheet thead th").count() == 3 * 10
    assert paper.evaluate(BROKEN_WORDS) == []


def test_every_builtin_unit_fits_its_sheet(paper: Page, address: str) -> None:
    keys = sorted(load_builtin().units)
    for start in range(0, len(keys), 40):
        paper.goto(f"{address}?" + "&".join(f"unit={key}" for key in keys[start : start + 40]))
        assert paper.evaluate(OVERFLOWING) == []
        assert paper.evaluate(CUT) == []
