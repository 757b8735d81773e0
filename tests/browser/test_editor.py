"""The unit editor in a real browser: on a phone, checking while one types."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Site, Visit, log_in
from .test_pages import WITHOUT_SCRIPTS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def editor(site: Site) -> str:
    return site.season.split("/seasons/")[0] + "/catalogue/editor/"


def test_problems_appear_while_one_types_and_go_again(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    page = visit.open(f"{editor(site)}?from=SOL002")
    attack = page.locator("[name=dial-2-attack]")
    before = attack.input_value()
    expect(page.locator("#check")).to_contain_text("This is a unit of the rules")
    attack.fill("nine")
    expect(page.locator("#check")).to_contain_text("1 problem")
    expect(attack).to_have_attribute("aria-invalid", "true")
    attack.fill(before)
    expect(page.locator("#check")).to_contain_text("This is a unit of the rules")
    expect(attack).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("visit", WITHOUT_SCRIPTS, indirect=True)
def test_a_unit_is_made_without_scripts(visit: Visit, site: Site) -> None:
    log_in(visit, site, "player")
    page = visit.open(f"{editor(site)}?from=SOL002")
    page.get_by_role("button", name="Add a click").click()
    expect(page.locator("[name=dial-10-speed]")).to_have_count(1)
    page.locator("#id").fill("OWN1")
    page.locator("#name").fill("Own one")
    page.get_by_role("button", name="Save the unit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Own one")
    expect(page.locator(".messages")).to_contain_text("Own one is in the collection My units.")
