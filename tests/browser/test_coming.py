"""The link of an evening answers on a phone that nobody has logged in with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from catalogue.services.releases import load_release
from people.models import Notice
from stables.models import Coming
from stables.services.running import coming
from tests.stables.tabletop_matches import tables

from .conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_tap_on_the_link_answers(visit: Visit, transactional_db: None, live_server: Any) -> None:
    season = tables(load_release(), ["Ash", "Birch"])
    coming.ask(season_id=season.pk, at=timezone.now() + timedelta(days=2), user=season.organiser)
    link = Notice.objects.filter(code="who_comes", user__username="ash").get().url
    page = visit.open(live_server.url + link)
    page.get_by_role("button", name="I am coming").click()
    expect(page.locator(".messages")).to_contain_text("Noted: you come.")
    answer = Coming.objects.select_related("stable__owner").get()
    assert (answer.stable.owner.username, answer.is_coming) == ("ash", True)
