"""Sheets of a season in a real browser: every one stays on its pages of A4, and the pictures fit a phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from catalogue.services.releases import load_release
from people.models import User
from rules.catalogue import Document, load_builtin
from stables.models import Asset, Crew, Fixture, Season, Stable
from stables.services.standings import closing
from tests.kept import Kept
from tests.stables.conftest import open_with, pair, play_out_typed

from .conftest import Visit
from .faults import check
from .playing import follow
from .test_pages import SCHEMES
from .test_sheets import CUT, OVERFLOWING, fullest_halves, longest, pages_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRINTABLE = {"width": 703, "height": 1017}
"""A4 less the margins of print.css at 96 dots an inch."""
SHEET = {"width": 718, "height": 1047}
"""The same for the cards of sheets.css."""
LONG = "Unbreakably-long-stable-name-of-sixty-letters-without-a-space"[:60]
WIDE = "W" * 60

BESIDE = """
[...document.querySelectorAll('main *')].filter((item) => {
  const box = item.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map((item) => item.outerHTML.slice(0, 160))
"""
SPLIT = """
[...document.querySelectorAll('td, th, h1, h2, h3, p')]
  .filter((item) => item.scrollWidth > item.clientWidth + 1 && item.clientWidth)
  .map((item) => item.outerHTML.slice(0, 160))
"""


@dataclass
class Desk:
    """A season of eight with the longest names; `fixture` is open to everybody."""

    root: str
    season: Season
    stable: Stable
    fixture: Fixture


@pytest.fixture
def desk(transactional_db: None, live_server: Any, kept: Kept) -> Desk:
    return kept.get("desk", lambda: laid_out(live_server.url))


def laid_out(root: str) -> Desk:
    document = load_builtin().to_json()
    document["units"] += [longest(), *fullest_halves()]
    release = load_release([Document("own.json", document)])
    names = [LONG, WIDE, *(f"{number} {WIDE}"[:60] for number in range(3, 9))]
    season = open_with(release, names, weight_class="light")
    from stables.services.ai import owners

    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    play_out_typed(season)
    closing.close_cycle(cycle_id=season.cycles.get().pk)
    stable = season.stables.get(number=1)
    fixture = Fixture.objects.filter(sides__stable=stable, kind="match").order_by("id")[0]
    player = User.objects.create_user("player", "player@example.org", "secret words")
    Stable.objects.filter(pk=stable.pk).update(owner=player, is_ai=False)
    return Desk(f"{root}/seasons/{season.slug}/", season, stable, fixture)


def log_in(page: Page, desk: Desk) -> None:
    page.goto(desk.root.split("/seasons/")[0] + "/people/log-in")
    page.locator("#id_username").fill("player")
    page.locator("#id_password").fill("secret words")
    follow(page.locator("main button[type=submit]"))


def printed(page: Page, address: str, size: dict[str, int]) -> int:
    """Open a sheet as it is printed, see that nothing is cut or stands over, and return its pages."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200
    page.emulate_media(media="print")
    page.set_viewport_size(size)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], address
    assert page.evaluate(BESIDE) == [], address
    assert page.evaluate("document.querySelector('.how').offsetParent") is None
    return pages_of(page.pdf(format="A4", prefer_css_page_size=True))


def test_rosters_forms_and_standings_stay_on_their_pages(browser: Browser, desk: Desk) -> None:
    page = browser.new_page()
    log_in(page, desk)
    Stable.objects.filter(pk=desk.stable.pk).update(capital=desk.stable.capital)
    stable, fixture = f"print/stables/{desk.stable.slug}/", f"print/fixtures/{desk.fixture.pk}/"
    expected = {
        f"{stable}roster/": 2,
        f"{fixture}report/": 1,
        "print/report/?sides=2&units=1": 1,
        "print/report/?sides=2&units=2": 1,
        "print/report/?sides=8&units=1": 2,
        "print/standings/": 4,
    }
    found = {}
    for address in expected:
        found[address] = printed(page, desk.root + address, PRINTABLE)
        assert page.evaluate(SPLIT) == [], address
    assert found == expected
    page.close()


def test_unit_cards_stay_on_their_pages(browser: Browser, desk: Desk) -> None:
    page = browser.new_page()
    log_in(page, desk)
    units = list(desk.stable.assets.filter(kind=Asset.Kind.UNIT, sold_at=None).order_by("id"))
    cards = f"{desk.root}print/stables/{desk.stable.slug}/cards/"
    one = printed(page, f"{cards}?unit={units[0].pk}", SHEET)
    assert one == 1
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate(CUT) == []
    page.close()
    page = browser.new_page()  # nobody, so that no hand makes a card longer than half a page
    of_match = printed(page, f"{desk.root}print/fixtures/{desk.fixture.pk}/cards/", SHEET)
    assert of_match == 1  # two halves
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate(CUT) == []
    page.close()


@pytest.mark.parametrize(("key", "pages"), [("LONGEST", 1), ("HALF1", 1), ("SOL002", 1)])
def test_the_fullest_unit_with_all_it_can_have_aboard_stays_on_its_page(
    browser: Browser, desk: Desk, key: str, pages: int
) -> None:
    crew = Crew.objects.filter(line_up__side__fixture=desk.fixture, line_up__side__stable=desk.stable)[0]
    Asset.objects.filter(pk=crew.unit_id).update(catalogue_key=key, name="W" * 80, damage=3)
    for number, (kind, card) in enumerate(
        [("gear", "G-001"), ("gear", "G-034"), *(("rally_card", f"R-00{place}") for place in range(1, 5))]
    ):
        asset = Asset.objects.create(
            stable=desk.stable, kind=kind, catalogue_key=card, content_hash="", name="W" * 80, serial=90 + number,
            price_paid=1,
        )  # fmt: skip
        crew.cards.create(asset=asset)
    page = browser.new_page()
    log_in(page, desk)
    address = f"{desk.root}print/fixtures/{desk.fixture.pk}/cards/?stable={desk.stable.slug}"
    assert printed(page, address, SHEET) == pages
    assert page.locator(".aboard p").count() >= 7
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate(CUT) == []
    page.close()


def test_pictures_and_sheets_of_the_longest_names_fit_a_phone(visit: Visit, desk: Desk) -> None:
    log_in(visit.page, desk)
    pair(desk.season, 1)
    own = f"print/stables/{desk.stable.slug}/"
    for address in ("pictures/", "standings/", f"stables/{desk.stable.slug}/", f"{own}roster/", f"{own}cards/"):
        check(visit.page, desk.root + address)
    for address in (f"print/fixtures/{desk.fixture.pk}/report/", "print/standings/"):
        check(visit.page, desk.root + address)


@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark"])
def test_words_in_pictures_are_as_large_as_can_be_read_and_stay_inside(visit: Visit, desk: Desk) -> None:
    page = visit.open(f"{desk.root}pictures/")
    outside = page.evaluate(
        """[...document.querySelectorAll('svg.chart')].flatMap((chart) => {
          const edge = chart.getBoundingClientRect();
          return [...chart.querySelectorAll('text')].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < edge.left - 1 || box.right > edge.right + 1 || box.bottom > edge.bottom + 1;
          }).map((text) => text.textContent);
        })"""
    )
    assert outside == []
    heights = page.evaluate(
        "[...document.querySelectorAll('svg.chart .c-name')].map((text) => text.getBoundingClientRect().height)"
    )
    assert min(heights) >= 9


def test_a_pictures_file_shows_itself_in_both_themes(browser: Browser, desk: Desk) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{desk.root}pictures/reputation.svg")
        ground = "getComputedStyle(document.querySelector('.c-ground')).fill"
        ink = "getComputedStyle(document.querySelector('.c-name')).fill"
        grounds.append((page.evaluate(ground), page.evaluate(ink)))
        context.close()
    assert grounds == [("rgb(255, 254, 251)", "rgb(27, 31, 37)"), ("rgb(27, 32, 39)", "rgb(235, 232, 225)")]
