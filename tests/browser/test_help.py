"""The help in a real browser: on a phone, without JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .test_pages import WITHOUT_SCRIPTS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("visit", WITHOUT_SCRIPTS, indirect=True, ids=["no script"])
def test_a_reader_searches_and_follows_a_rule_without_javascript(
    visit: Visit, transactional_db: None, live_server: Any
) -> None:
    page = visit.open(f"{live_server.url}/help/")
    page.get_by_role("searchbox").fill("lying flag")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="R-MOV-13").first.click()
    expect(page).to_have_url(re.compile("/help/rules/mov/#R-MOV-13$"))
    page.locator("#R-MOV-13:target").get_by_role("link", name="Q-49").click()
    expect(page).to_have_url(re.compile("/help/rulings/#Q-49$"))
    page.locator("#Q-49").get_by_role("link", name="R-MOV-13").click()
    expect(page).to_have_url(re.compile("#R-MOV-13$"))
