"""A season of eight stables and all six formats, played once by the jobs to its champions; all tests here read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from catalogue.services.releases import load_release
from jobs.services import run_pending
from rules.campaign.classes import FORMATS, units_a_side
from rules.campaign.standings.purses import purse
from stables.documents.columns import FULL
from stables.models import Fixture, Placing, ReputationEntry, Season
from stables.selectors.season_report import season_report
from stables.services.ai.exhibitions import open_exhibition
from stables.services.base.ledger import refold
from tests.stables.documents.conftest import exported, require_form
from tests.stables.standings.test_standings_page import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]
STABLES = 8


@pytest.fixture(scope="module")
def played_once(django_db_setup: None, django_db_blocker: Any, quiet_settings: None) -> Iterator[Season]:
    with django_db_blocker.unblock(), transaction.atomic():
        try:
            load_release()
            season = open_exhibition(name="Full", stables=STABLES, weight_class="light", cycles=6, seed=2, bot="random")
            run_pending()
            yield season
        finally:
            transaction.set_rollback(True)


@pytest.fixture
def season(db: None, played_once: Season) -> Season:
    return Season.objects.get(pk=played_once.pk)


def test_r_cyc_01_r_cyc_10_all_six_cycles_are_played_in_their_formats_to_the_champions(season: Season) -> None:
    assert season.state == "finished"
    assert refold() == []
    cycles = list(season.cycles.order_by("number"))
    assert [cycle.format for cycle in cycles] == list(FORMATS)
    for cycle in cycles:
        fixtures = Fixture.objects.filter(round__cycle=cycle, match__isnull=False).select_related("match")
        assert fixtures, cycle.format
        for fixture in fixtures:
            setup = fixture.match.setup
            assert setup["format"] == cycle.format
            assert all(1 <= len(side["units"]) <= units_a_side(cycle.format) for side in setup["sides"])
    two = Fixture.objects.filter(round__cycle__format="team", match__isnull=False).select_related("match")
    assert any(len(side["units"]) == 2 for fixture in two for side in fixture.match.setup["sides"])
    assert {title.kind for title in season.titles.all()} == {"pilot", "stable"}
    report = season_report(season)
    assert len(report["cycles"]) == 6
    assert report["champions"]["stable"] or len(report["titles"]) > 2


def test_q_167_the_grand_melee_is_one_match_whose_places_are_the_cycles(season: Season) -> None:
    cycle = season.cycles.get(format="grand_melee")
    [fixture] = Fixture.objects.filter(round__cycle=cycle).select_related("result", "match")
    sides = {side.side: side.stable_id for side in fixture.sides.all()}
    assert len(sides) == STABLES
    document = fixture.result.document
    ready = [sides[side] for side in document["places"]]
    places = list(Placing.objects.filter(cycle=cycle).order_by("place").values_list("stable_id", flat=True))
    assert places[: len(ready)] == ready
    assert [placing.purse for placing in Placing.objects.filter(cycle=cycle).order_by("place")] == [
        purse("grand_melee", "light", STABLES, place) for place in range(1, STABLES + 1)
    ]


def test_a_full_season_of_eight_fits_into_sixty_kilobytes_and_adds_up(season: Season) -> None:
    page = page_of(season)
    assert len(page.content) <= 60_000
    for row in page.context["rows"]:
        book = ReputationEntry.objects.filter(stable=row.stable, asset=None)
        assert row.total.reputation == sum(entry.amount for entry in book)
        assert row.total.reputation == sum(tally.reputation for _, tally, _ in row.parts)
        assert row.purses == sum(Placing.current().filter(stable=row.stable).values_list("purse", flat=True))
        assert row.total.wins + row.total.losses == row.total.matches


def test_the_document_of_a_season_with_shared_sides_has_the_form_that_an_import_asks_for(season: Season) -> None:
    document = json.loads(exported(season, FULL))
    sides = [(side["fixture"], side["side"]) for side in document["sides"]]
    assert len(set(sides)) < len(sides)
    require_form(document)
