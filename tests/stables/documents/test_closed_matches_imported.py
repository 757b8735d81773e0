"""A match that was begun and forfeited does not keep the published document of its season from being imported."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jobs.services import run_pending
from matches.models import Match
from stables.documents.columns import PUBLISHED
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Fixture, FixtureSide, Season
from stables.services.fixtures import forfeits
from tests.stables.documents.conftest import exported
from tests.stables.seasons import open_with, pair, stock, without_grace
from tests.stables.tabletop_matches import at_a_table


@pytest.mark.django_db
def test_o_3_1_the_published_document_of_a_season_with_a_closed_match_is_imported(release: Any) -> None:
    season = without_grace(stock(open_with(release, ["Ash", "Birch"], matches_per_cycle=1)))
    [fixture] = pair(season)
    at_a_table(season)
    Fixture.objects.filter(pk=fixture.pk).update(mode=Fixture.Mode.BROWSER)
    run_pending()
    late = fixture.sides.get(side="blue").stable_id
    assert forfeits.forfeit(fixture_id=fixture.pk, stable_ids=[late], why=FixtureSide.Forfeit.LATE)
    run_pending()
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    match = Match.objects.get(fixture=fixture.pk)
    assert (match.state, match.result) == (Match.State.CLOSED, None)

    content = exported(season, PUBLISHED)
    [row] = json.loads(content)["matches"]
    assert (row["state"], row["setup"], row["seed"]) == ("closed", match.setup, match.revealed_seed)
    made = import_season(SeasonText.of(content), slug="moved")
    [moved] = Match.objects.filter(fixture__round__cycle__season=made.season_id)
    assert (moved.state, moved.result, moved.revealed_seed) == (Match.State.CLOSED, None, match.revealed_seed)
    assert exported(Season.objects.get(pk=made.season_id), PUBLISHED).count(b'"closed"') == content.count(b'"closed"')
