"""Forecasts in a real browser: they fit a phone, axe finds nothing grave, points of the curve lead to their moments."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from jobs.services import run_pending
from matches.models import MatchForecast
from matches.services import forecasts as forecasting
from stables.models import FixtureForecast
from stables.services.line_ups import forecasts

from .conftest import Site, Visit
from .faults import check

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CURVE = "svg.curve[role=group]"


@pytest.fixture
def counted(site: Site, settings: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a fixture with a forecast, whose match has a curve."""
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "AFTERWARDS", 6)
    monkeypatch.setattr(forecasting, "A_ROUND", 3)
    forecasting.ask_for_missing()
    forecasts.ask_for_missing()
    run_pending()
    assert MatchForecast.objects.exists()
    public_id = site.match.rstrip("/").rsplit("/", 1)[1]
    forecast = FixtureForecast.objects.get(fixture__match__public_id=public_id)
    return f"{site.season}fixtures/{forecast.fixture_id}/"


def test_forecasts_fit_a_phone_and_axe_finds_nothing_grave(visit: Visit, site: Site, counted: str) -> None:
    for address, found in ((counted, "#forecast-heading"), (site.match, CURVE)):
        check(visit.page, address)
        expect(visit.page.locator(found)).to_be_visible()


def test_a_point_of_the_curve_leads_to_its_moment_without_a_reload(visit: Visit, site: Site, counted: str) -> None:
    page = visit.open(f"{site.match}?step=1")
    page.evaluate("window.isTheSamePage = true")
    point = page.locator(f"{CURVE} a").last
    expect(point).to_have_attribute("href", f"?step={site.steps}#replay")
    point.locator("rect").click()
    expect(page.locator("#step")).to_have_value(str(site.steps))
    assert page.evaluate("window.isTheSamePage")
    first = page.locator(f"{CURVE} a").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#step")).not_to_have_value(str(site.steps))
    assert page.evaluate("window.isTheSamePage")
