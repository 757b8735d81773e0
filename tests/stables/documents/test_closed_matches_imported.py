"""A match that was begun and then forfeited keeps no published document of its season from being imported."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match
from people.services.guests import make_guest
from stables.documents.columns import PUBLISHED
from stables.documents.document import open_contents
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Fixture, FixtureSide, Result, Season, Stable
from stables.services.fixtures import forfeits
from stables.services.results.corrections import Wanted
from stables.services.running import participation
from stables.services.season import endings
from stables.services.standings import ceremony
from tests.stables.documents.conftest import exported
from tests.stables.results.test_corrections import correct
from tests.stables.season_worlds import Enters, world_of
from tests.stables.seasons import open_with, pair, stock
from tests.stables.tabletop_matches import at_a_table, fixture_of, person, sides_of


def _begun() -> Season:
    """The only match of a season has begun in the browser; red is a person's, blue a guest's."""
    season = stock(open_with(load_release(), ["Ash", "Birch"], matches_per_cycle=1))
    [fixture] = pair(season)
    at_a_table(season)
    Stable.objects.filter(pk=fixture.sides.get(side="blue").stable_id).update(owner=make_guest())
    Fixture.objects.filter(pk=fixture.pk).update(mode=Fixture.Mode.BROWSER)
    run_pending()
    return season


begun = world_of("a match of a person and a guest has begun", _begun)


def blue_forfeits(why: FixtureSide.Forfeit) -> Callable[[Fixture], None]:
    def fate(fixture: Fixture) -> None:
        _, blue = sides_of(fixture)
        assert forfeits.forfeit(fixture_id=fixture.pk, stable_ids=[blue.stable_id], why=why)

    return fate


def blue_leaves(fixture: Fixture) -> None:
    _, blue = sides_of(fixture)
    participation.withdraw(stable_id=blue.stable_id)


def blue_forfeits_and_then_red(fixture: Fixture) -> None:
    """A correction turns the forfeit around."""
    blue_forfeits(FixtureSide.Forfeit.LATE)(fixture)
    run_pending()
    red, _ = sides_of(fixture)
    correct(fixture, Wanted("replace", None, (red.stable.number,)))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fate", "red", "blue"),
    [
        (blue_forfeits(FixtureSide.Forfeit.LATE), "", "late"),
        (blue_forfeits(FixtureSide.Forfeit.NO_SHOW), "", "no_show"),
        (blue_forfeits(FixtureSide.Forfeit.RULED), "", "ruled"),
        (blue_leaves, "", "left"),
        (blue_forfeits_and_then_red, "ruled", ""),
    ],
    ids=["late", "no_show", "ruled", "left", "corrected"],
)
def test_o_3_1_the_published_document_of_a_season_with_a_closed_match_is_imported(
    begun: Enters, fate: Callable[[Fixture], None], red: str, blue: str
) -> None:
    season: Season = begun()
    fixture = fixture_of(season)
    fate(fixture)
    run_pending()
    ceremony.close_season(season_id=season.pk, user=person("organiser"))
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    match = Match.objects.get(fixture=fixture.pk)
    assert (match.state, match.result) == (Match.State.CLOSED, None)
    assert why(season) == {"red": red, "blue": blue}

    content = exported(season, PUBLISHED)
    [row] = json.loads(content)["matches"]
    assert (row["state"], row["setup"], row["seed"]) == ("closed", match.setup, match.revealed_seed)
    made = import_season(SeasonText.of(content), slug="moved")
    [moved] = Match.objects.filter(fixture__round__cycle__season=made.season_id)
    assert (moved.state, moved.result, moved.revealed_seed) == (Match.State.CLOSED, None, match.revealed_seed)
    again = Season.objects.get(pk=made.season_id)
    assert why(again) == {"red": red, "blue": blue}
    assert exported(again, PUBLISHED).count(b'"closed"') == content.count(b'"closed"')


def why(season: Season) -> dict[str, str]:
    """Why each side forfeits, by the result that counts."""
    result = Result.objects.get(fixture__round__cycle__season=season)
    return {side: shown["forfeits"] for side, shown in result.current["sides"].items()}


@pytest.mark.django_db
@pytest.mark.parametrize("is_begun", [True, False], ids=["a match is broken off", "a match is not played"])
def test_o_3_1_the_published_document_of_a_cancelled_season_is_imported(begun: Enters, is_begun: bool) -> None:
    season: Season = begun()
    if not is_begun:
        Fixture.objects.filter(pk=fixture_of(season).pk).update(match=None)
    endings.cancel_season(season_id=season.pk, is_sure=True, actor=person("organiser"))
    season.refresh_from_db()
    assert open_contents(season) == PUBLISHED
    content = exported(season, open_contents(season))
    assert content.count(b'"closed"') == is_begun
    made = import_season(SeasonText.of(content), slug="moved")
    again = Season.objects.get(pk=made.season_id)
    assert again.state == Season.State.CANCELLED
    once, twice = json.loads(content), json.loads(exported(again, PUBLISHED))
    assert (once["season"].pop("slug"), twice["season"].pop("slug")) == (season.slug, "moved")
    rows = list(zip(once.pop("matches"), twice.pop("matches"), strict=True))
    # A match that this site has already gets another public id.
    assert all(row | {"public_id": ""} == other | {"public_id": ""} for row, other in rows)
    assert once == twice
