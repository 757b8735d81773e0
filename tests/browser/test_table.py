"""A match is counted on phones beside a table: by thumb at 360 pixels, without a network, and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.staticfiles import finders
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from catalogue.services.releases import load_release
from rules.campaign.results.tabletop_counts import FLAG_PLACES
from stables.models import Fixture, Result, Stable, TableMark
from stables.presenters.fixture import find_fixture
from stables.presenters.tabletop import Tabletop
from stables.services.results import reports
from tests.stables.tabletop_matches import fixture_of, red_wins, sides_of, tables
from tests.waiting import wait_until

from .conftest import PHONE, Visit
from .playing import follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GRAVE = ("serious", "critical")


@dataclass
class Evening:
    """A match at a table, where it is, and the addresses of its page and of its table."""

    fixture: Fixture
    root: str

    @property
    def page(self) -> str:
        return f"{self.root}/seasons/{self.fixture.round.cycle.season.slug}/fixtures/{self.fixture.pk}/"

    @property
    def table(self) -> str:
        return self.page + "table/"

    def player(self, side: str) -> str:
        return next(str(one.stable.owner.username) for one in sides_of(self.fixture) if one.side == side)


@pytest.fixture
def evening(transactional_db: None, live_server: Any) -> Evening:
    season = tables(load_release(), ["Ash", "Birch"])
    fixture = fixture_of(season)
    for side in sides_of(fixture):
        side.stable.owner.set_password("secret words")
        side.stable.owner.save()
    return Evening(fixture, live_server.url)


@pytest.fixture
def phones(browser: Browser) -> Iterator[Any]:
    """A function that hands out phones, each with its own cookies and store."""
    handed: list[BrowserContext] = []

    def hand_out(**options: Any) -> Page:
        handed.append(browser.new_context(viewport=PHONE, **options))
        return handed[-1].new_page()

    yield hand_out
    for context in handed:
        context.close()


def sit_down(page: Page, evening: Evening, side: str) -> None:
    page.goto(f"{evening.root}/people/log-in?next={evening.table.removeprefix(evening.root)}")
    page.locator("#id_username").fill(evening.player(side))
    page.locator("#id_password").fill("secret words")
    page.locator("main button[type=submit]").click()
    expect(page).to_have_url(evening.table)
    page.wait_for_load_state()


def unit(page: Page, key: str) -> Any:
    return page.locator(f'[data-unit="{key}"]')


def press(page: Page, key: str, group: str, label: str) -> None:
    unit(page, key).get_by_role("group", name=group).get_by_role("button", name=label, exact=True).click()


def shown(page: Page, key: str, what: str) -> Any:
    return unit(page, key).locator(f'[data-show="{what}"]')


def is_saved(page: Page) -> None:
    expect(page.locator("#network")).to_contain_text("Everything is saved")


def counted(evening: Evening) -> Tabletop:
    return Tabletop(find_fixture(evening.fixture.round.cycle.season.slug, evening.fixture.pk))


def waits_for(page: Page, condition: str) -> None:
    """Playwright's own waiting needs eval, which the site's policy forbids."""
    wait_until(lambda: page.evaluate(f"async () => Boolean({condition})"), condition)


def agrees(page: Page, evening: Evening) -> None:
    """What the phone reckoned is what the rules' fold reckons."""
    table = counted(evening)
    for key, count in table.counts.units.items():
        assert shown(page, key, "clicks").text_content() == str(count.clicks)
        assert shown(page, key, "heat").text_content() == str(count.heat)
    assert page.locator('[data-show="round"]').text_content() == str(table.counts.round)


def no_grave_faults(page: Page) -> None:
    page.wait_for_load_state()
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in GRAVE]
    assert found == [], [(each["id"], each["nodes"][0]["html"]) for each in found]


def test_a_match_is_counted_with_the_network_cut_in_its_middle(evening: Evening, phones: Any) -> None:
    red, blue = phones(), phones()
    sit_down(red, evening, "red")
    sit_down(blue, evening, "blue")
    waits_for(red, "navigator.serviceWorker.controller")
    before = counted(evening).counts.units["red-1"].clicks
    press(red, "red-1", "Damage", "+1")
    expect(shown(red, "red-1", "clicks")).to_have_text(str(before + 1))
    is_saved(red)

    red.context.set_offline(True)
    press(red, "red-1", "Damage", "+2")
    press(red, "red-1", "Heat", "+1")
    red.get_by_role("button", name="This round is over").click()
    expect(shown(red, "red-1", "clicks")).to_have_text(str(before + 3))
    expect(red.locator("#network")).to_contain_text("3")
    assert TableMark.objects.count() == 1

    red.reload()
    expect(shown(red, "red-1", "clicks")).to_have_text(str(before + 3))
    expect(shown(red, "red-1", "heat")).to_have_text("1")
    expect(red.locator('[data-show="round"]')).to_have_text("2")
    press(red, "red-1", "Damage", "repair 1")
    expect(shown(red, "red-1", "clicks")).to_have_text(str(before + 2))

    red.context.set_offline(False)
    is_saved(red)
    assert TableMark.objects.count() == 5
    agrees(red, evening)
    expect(shown(blue, "red-1", "clicks")).to_have_text(str(before + 2))
    red.reload()
    is_saved(red)
    assert TableMark.objects.count() == 5
    agrees(red, evening)


WATCHED = """
self.asked = [];
Object.defineProperty(document, "hidden", { get: () => Boolean(self.isBehind) });
Object.defineProperty(navigator, "wakeLock", { value: { request: async (what) => {
  self.asked.push(what);
  return self.lock = new EventTarget();
} } });
"""
"""A browser that can keep the screen on; the test says when the page is behind others."""


def test_a_phone_that_counts_is_kept_awake_whenever_its_page_is_in_front(evening: Evening, phones: Any) -> None:
    phone = phones()
    phone.add_init_script(WATCHED)
    sit_down(phone, evening, "red")
    says_so = phone.locator("#awake")
    expect(says_so).to_be_visible()
    assert phone.evaluate("asked") == ["screen"]
    # A browser lets go of the screen when the page goes behind others.
    phone.evaluate("self.isBehind = true; lock.dispatchEvent(new Event('release'))")
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(says_so).to_be_hidden()
    assert phone.evaluate("asked") == ["screen"]
    phone.evaluate("self.isBehind = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(says_so).to_be_visible()
    assert phone.evaluate("asked") == ["screen", "screen"]


def test_the_kept_table_is_shown_where_a_proxy_does_not_reach_the_site(visit: Visit) -> None:
    file = finders.find("js/table-worker.js")
    assert file is not None
    answer = """async (worker) => {
      const place = { registration: { scope: "https://club.example/table/" }, addEventListener() {} };
      const caches = { open: async () => ({ match: async () => "kept" }) };
      const fetch = async () => ({ ok: false, status: 502 });
      return new Function("self", "caches", "fetch", `${worker}; return answer`)(place, caches, fetch)({}, true);
    }"""
    assert visit.page.evaluate(answer, Path(file).read_text(encoding="utf-8")) == "kept"


def test_two_phones_count_report_and_confirm(evening: Evening, phones: Any) -> None:
    red, blue = phones(), phones()
    sit_down(red, evening, "red")
    sit_down(blue, evening, "blue")
    complaints: list[str] = []
    for page in (red, blue):
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    press(blue, "blue-1", "State", "eliminated")
    expect(unit(blue, "blue-1").get_by_text("✕ eliminated")).to_be_visible()
    press(red, "red-1", "State", "shuts down")
    expect(unit(red, "red-1").get_by_text("shut down", exact=True)).to_be_visible()
    press(red, "red-1", "State", "restarts")
    expect(unit(red, "red-1").get_by_text("shut down", exact=True)).to_be_hidden()
    red.get_by_role("group", name="It eliminates").get_by_role("button").click()
    expect(red.get_by_role("group", name="It eliminates").get_by_role("button")).to_be_disabled()
    press(red, "red-1", "Damage", "+2")
    red.get_by_role("button", name="Take back the last mark").click()
    red.get_by_text("Dice", exact=True).click()
    red.get_by_role("button", name="3 dice").click()
    expect(red.locator("#rolled")).to_contain_text("(odd)")
    for page in (red, blue):
        is_saved(page)
    expect(unit(red, "blue-1").get_by_text("✕ eliminated")).to_be_visible()
    agrees(red, evening)
    assert len(TableMark.objects.get(mark__kind="roll").mark["dice"]) == 3

    red.get_by_role("link", name="Report what was counted").click()
    red.get_by_role("button", name="File this report").click()
    expect(red.get_by_text("Your report is filed")).to_be_visible()
    heading = blue.get_by_role("heading", name="reported the same as was counted")
    expect(heading).to_be_visible()
    blue.get_by_role("button", name="Confirm this report").click()
    expect(blue.get_by_text("The result is settled.")).to_be_visible()
    assert Result.objects.get().document["winner"] == "red"
    assert complaints == []


def test_a_report_can_be_confirmed_without_a_long_way_down_whatever_the_names(evening: Evening, phones: Any) -> None:
    sides = sides_of(evening.fixture)
    for number, side in enumerate(sides):
        name = f"The Long-Winded Association of Retired Gladiators of Year {number}"[:60]
        Stable.objects.filter(pk=side.stable.pk).update(name=name)
    red = next(side for side in sides if side.side == "red")
    reports.file_report(fixture_id=evening.fixture.pk, stable_id=red.stable.pk, document=red_wins())
    blue = phones()
    sit_down(blue, evening, "blue")
    blue.goto(evening.table)
    button, summary = blue.get_by_role("button", name="Confirm this report"), blue.locator("section.message").first
    box = summary.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] > PHONE["height"], "the report is longer than the screen"
    expect(button).to_be_in_viewport(ratio=1)
    # At the end of the report it stands below it.
    summary.evaluate("section => section.scrollIntoView({block: 'end'})")
    expect(button).to_be_in_viewport(ratio=1)
    last, below = summary.locator(".helptext").last.bounding_box(), button.bounding_box()
    assert last is not None
    assert below is not None
    assert last["y"] + last["height"] <= below["y"]
    no_grave_faults(blue)


def test_a_rival_reports_something_else(evening: Evening, phones: Any) -> None:
    red, blue = phones(), phones()
    sit_down(red, evening, "red")
    sit_down(blue, evening, "blue")
    press(blue, "blue-1", "State", "eliminated")
    red.get_by_role("group", name="It eliminates").get_by_role("button").click()
    for page in (red, blue):
        is_saved(page)
    red.get_by_role("link", name="Report what was counted").click()
    red.locator('[name="units.red-1.clicks"]').fill("0")
    red.locator('[name="sides.red.tokens"]').fill("5")
    red.get_by_role("button", name="File this report").click()
    heading = blue.get_by_role("heading", name="reported something else than was counted")
    expect(heading).to_be_visible()
    expect(blue.locator("section.warning li").first).to_contain_text("target tokens")
    blue.get_by_role("link", name="Report something else").click()
    blue.get_by_role("button", name="File this report").click()
    expect(blue.get_by_text("It differs from the other one")).to_be_visible()
    assert Result.objects.count() == 0


def random_marks(chance: Random, side: str, units: list[str], rivals: list[str], sides: list[str]) -> list[TableMark]:
    """Marks of every kind, some taken back, in no order."""
    made: list[TableMark] = []
    for number in range(40):
        unit, step = chance.choice(units), chance.randint(1, 4)
        what = chance.choice(
            [
                {"kind": "damage", "unit": unit, "amount": chance.randint(1, 3)},
                {"kind": "repair", "unit": unit, "amount": chance.randint(1, 2)},
                {"kind": "heat", "unit": unit, "amount": chance.choice([-1, 1, 2])},
                {"kind": "shutdown", "unit": unit, "on": chance.random() < 0.5, "step": step},
                {"kind": "unconscious", "unit": unit, "on": chance.random() < 0.5, "step": step},
                {"kind": "kill", "unit": unit, "of": chance.choice(rivals)},
                {"kind": "flag", "flag": chance.choice(sides), "place": chance.choice(FLAG_PLACES), "step": step},
                {"kind": "round", "number": chance.randint(1, 9)},
                {"kind": "undo", "of": str(chance.choice(made).uid) if made else str(UUID(int=1))},
            ]
        )
        uid = UUID(int=chance.getrandbits(128))
        made.append(TableMark(side=side, uid=uid, mark=what, made_at=timezone.now() - timedelta(seconds=number)))
    chance.shuffle(made)
    return made


LOOK = """() => [...document.querySelectorAll('#table [data-show], #table [data-when], #table [data-stop]')].map(
  (one) => [one.dataset.show || one.dataset.when || one.dataset.stop,
    'show' in one.dataset ? one.textContent : '', one.hidden, 'stop' in one.dataset ? one.disabled : ''])"""


@pytest.mark.parametrize("seed", [2, 3])
def test_the_phone_counts_as_the_rules_do(evening: Evening, phones: Any, seed: int) -> None:
    season = tables(load_release(), ["Cedar", "Dogwood"], cycles=["capture_the_flag"])
    flags = Evening(fixture_of(season), evening.root)
    for side in sides_of(flags.fixture):
        side.stable.owner.set_password("secret words")
        side.stable.owner.save()
    contest, chance = counted(flags).contest, Random(seed)
    for side in contest.sides:
        own = [key for key, one in contest.units.items() if one.side == side]
        rivals = [key for key in contest.units if key not in own]
        for mark in random_marks(chance, side, own, rivals, list(contest.sides)):
            mark.fixture = flags.fixture
            mark.save()
    plain, phone = phones(java_script_enabled=False), phones()
    seen = []
    for page in (plain, phone):
        sit_down(page, flags, "red")
        if page is phone:
            is_saved(page)
        seen.append(page.evaluate(LOOK))
    assert len(seen[0]) > 60
    assert seen[1] == seen[0]


def test_without_javascript_the_buttons_are_forms(evening: Evening, phones: Any) -> None:
    red = phones(java_script_enabled=False)
    sit_down(red, evening, "red")
    before = counted(evening).counts.units["red-1"].clicks
    press(red, "red-1", "Damage", "+3")
    expect(shown(red, "red-1", "clicks")).to_have_text(str(before + 3))
    press(red, "red-1", "Heat", "+2")
    expect(shown(red, "red-1", "heat")).to_have_text("2")
    red.get_by_role("button", name="Take back the last mark").click()
    expect(shown(red, "red-1", "heat")).to_have_text("0")
    red.get_by_text("Dice", exact=True).click()
    red.get_by_role("button", name="1 die").click()
    expect(red.locator(".table-log li").first).to_contain_text("by this site")
    agrees(red, evening)


def test_who_logs_out_leaves_no_page_behind(evening: Evening, phones: Any) -> None:
    red = phones()
    sit_down(red, evening, "red")
    waits_for(red, "navigator.serviceWorker.controller")
    assert red.evaluate("caches.keys()") != []
    red.get_by_role("button", name="Log out").click()
    expect(red.get_by_role("link", name="Log in").first).to_be_visible()
    waits_for(red, "(await caches.keys()).length === 0 && localStorage.length === 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone_and_has_no_grave_faults(evening: Evening, phones: Any, scheme: str) -> None:
    red = phones(color_scheme=scheme)
    sit_down(red, evening, "red")
    press(red, "red-1", "Damage", "+1")
    press(red, "red-1", "State", "shuts down")
    is_saved(red)
    assert red.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = red.evaluate(
        "[...document.querySelectorAll('.table-buttons button:not([hidden])')]"
        ".map((one) => one.getBoundingClientRect()).filter((box) => box.height < 44 || box.width < 44).length"
    )
    assert small == 0
    no_grave_faults(red)
    follow(red.get_by_role("link", name="Report what was counted"))
    no_grave_faults(red)
