"""Every page of the site on a phone, in light and dark: it fits, and axe finds nothing serious or critical on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Browser, Page

from people.models import User
from tests.languages import lengthened, speak_with_long_words
from tests.web.roles.world import EVERYBODY
from tests.worlds import Worlds
from web.languages import offer

from .conftest import PHONE
from .faults import CUT_WORDS, OPEN_ALL, Looks, faults_of
from .pages_of_site import GROUPS, NOT_PAGES, House, Stop, entered, names, only_changes_something

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOWN = 200
WIDE = """
[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map((each) => each.outerHTML.slice(0, 120))
"""


@pytest.fixture
def house(transactional_db: None, worlds: Worlds) -> House:
    return entered(worlds)


@pytest.fixture
def phone_of(browser: Browser, house: House, live_server: Any) -> Iterator[Any]:
    """A function that gives each role its phone, logged in."""
    pages: dict[str, Page] = {}

    def phone(role: str) -> Page:
        if role not in pages:
            context = browser.new_context(viewport=PHONE, reduced_motion="reduce", service_workers="block")  # type: ignore[arg-type]
            cookie = house.world.clients[role].cookies.get(settings.SESSION_COOKIE_NAME)
            if cookie is not None:
                context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
            pages[role] = context.new_page()
        return pages[role]

    yield phone
    for page in pages.values():
        page.context.close()


FAULTY = """<!doctype html><html lang="en"><head><title>Faulty</title><style>
  :root { color-scheme: light dark; } body { background: #fff; } p { color: #222; }
  @media (prefers-color-scheme: dark) { body { background: #111; } }
</style></head><body><main><h1>Faulty</h1><p>Cannot be read in the dark.</p>%s</main></body></html>"""


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("", "dark: color-contrast"),
        ('<p style="overflow: hidden; white-space: nowrap">%s</p>' % ("cut " * 200), "cuts words"),
        ('<svg viewBox="0 0 9 9" width="90"><text x="-2" y="9" font-size="9">Outside</text></svg>', "cuts words"),
        ("<button></button>", "light: button-name"),
        ("<pre>%s</pre>" % ("wide " * 200), "pixels wide"),
        ("<details><summary>More</summary><input></details>", "light: label"),
    ],
    ids=["dark", "cut", "drawn", "nameless", "wide", "folded"],
)
def test_a_fault_is_found(browser: Browser, part: str, words: str) -> None:
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_content(FAULTY % part)
    found = faults_of(page)
    context.close()
    assert any(words in fault for fault in found), found


def test_no_page_of_the_site_is_left_out(house: House) -> None:
    seen = {stop.name for stop in house.stops if stop.status == SHOWN}
    unseen = {
        name
        for name, parameters in names().items()
        if name not in NOT_PAGES and name not in seen and not only_changes_something(house.world, name, parameters)
    }
    assert unseen == set(), "pages that nobody looks at: name them in NOT_PAGES with a reason, or add a stop"
    assert {stop.role for stop in house.stops} <= set(EVERYBODY)
    assert {stop.group for stop in house.stops} == set(GROUPS)


@pytest.mark.parametrize("group", GROUPS)
def test_every_page_fits_a_phone_and_axe_finds_nothing_grave(
    house: House, phone_of: Any, live_server: Any, group: str
) -> None:
    found, looks = {}, Looks()
    for stop in house.stops:
        if stop.group != group:
            continue
        page: Page = phone_of(stop.role)
        answer = page.goto(live_server.url + stop.address)
        assert answer is not None
        faults = faults_of(page, looks)
        if answer.status != stop.status:
            faults.append(f"answers {answer.status}")
        if faults:
            found[stop] = faults
    assert found == {}


MAIN = (
    *("stables:home", "stables:season", "stables:standings", "stables:log", "stables:stable", "stables:market"),
    *("stables:garage", "stables:fixture", "stables:console", "matches:play", "catalogue:index", "help:index"),
    *("people:account", "people:sign_up", "people:notices"),
)
"""The pages that most people read."""

OF_EVENTS = {"event": (), "door": (), "table": ("table",), "pilot": ("pilot",), "cycle": ("pilot",)}
"""The pages of an event that most people read, as its game master, and what their addresses need beside the event."""


LONG_WORDS = "long words"


@pytest.mark.parametrize(
    "language", [LONG_WORDS, *(each.code for each in offer.offered() if each.code != offer.ENGLISH)]
)
def test_the_main_pages_fit_a_phone_in_every_language(
    house: House, phone_of: Any, live_server: Any, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """In each that the site offers, and in one whose words are longer by a share."""
    stops = {stop.name: stop for stop in reversed(house.stops) if stop.status == SHOWN and stop.name in MAIN}
    assert set(stops) == set(MAIN)
    if language == LONG_WORDS:
        speak_with_long_words(monkeypatch)
        skip = lengthened("Skip to the content")
    else:
        User.objects.update(language=language)
        with translation.override(language):
            skip = gettext("Skip to the content")
    values = house.world.values
    for name, needs in OF_EVENTS.items():
        address = reverse(f"challenge:{name}", args=[values[each] for each in ("event_slug", *needs)])
        stops[f"challenge:{name}"] = Stop("organiser", address)
    stops["matches:show"] = Stop("anonymous", house.world.finished.get_absolute_url())
    found = {}
    for name, stop in sorted(stops.items()):
        page: Page = phone_of(stop.role)
        if language != LONG_WORDS:
            page.set_extra_http_headers({"Accept-Language": language})
        page.goto(live_server.url + stop.address)
        page.evaluate(OPEN_ALL)
        assert skip in page.content()
        width = page.evaluate("document.documentElement.scrollWidth")
        cut = page.evaluate(CUT_WORDS)
        if width > PHONE["width"] or cut:
            found[name] = (stop.address, width, page.evaluate(WIDE), cut)
    assert found == {}
