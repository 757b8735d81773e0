"""The addresses of sheets to print; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.fixtures import table_pins
from stables.views.reading import printing as pages

PRINT = "seasons/<slug:season_slug>/print/"
STABLE = PRINT + "stables/<slug:stable_slug>/"
FIXTURE = PRINT + "fixtures/<int:fixture_id>/"
urlpatterns = [
    path(PRINT, pages.desk, name="print_desk"),
    path(STABLE + "roster/", pages.roster, name="print_roster"),
    path(STABLE + "cards/", pages.stable_cards, name="print_stable_cards"),
    path(FIXTURE + "cards/", pages.fixture_cards, name="print_fixture_cards"),
    path(FIXTURE + "report/", pages.fixture_report, name="print_fixture_report"),
    path(PRINT + "report/", pages.blank_report, name="print_report"),
    path(PRINT + "pins/", table_pins.print_pins, name="print_pins"),
    path(PRINT + "round/", pages.round_sheet, name="print_round"),
    path(PRINT + "tables/", pages.table_signs, name="print_tables"),
    path(PRINT + "standings/", pages.standings, name="print_standings"),
]
