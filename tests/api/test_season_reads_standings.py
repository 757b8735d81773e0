"""The standings: values as on the page, one cheap question when nothing changed, and never an old answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.services.releases import load_release
from stables.models import Asset, Placing, ReputationEntry, Season, Stable, Title
from stables.presenters.standings import in_order, individuals_in_order, tables_of
from stables.services.results.corrections import Wanted
from stables.services.standings import closing
from tests.api.season_reading import at_tables, correct
from tests.stables.tabletop_matches import fixture_of, red_wins, tables
from tests.web.roles.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PLAYED = "seasons/played-season/standings/"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Tests take back what never goes away in life, so that what is remembered of it would be wrong."""
    cache.clear()
    yield
    cache.clear()


def standings(api: Any, season: Season) -> tuple[str, dict[str, Any]]:
    """The entity tag and the answer."""
    answer = api("anonymous", "get", f"seasons/{season.slug}/standings/")
    assert answer.status_code == 200
    return answer.headers["ETag"], answer.json()


def test_the_tables_are_those_of_the_page(world: World, api: Any) -> None:
    season = world.seasons["played"]
    rows, individuals = tables_of(season)
    _, found = standings(api, season)
    for line, shown in zip(found["stables"], in_order(rows.values()), strict=True):
        assert line["stable"]["slug"] == shown.stable.slug
        assert (line["rank"], line["is_shared"], line["change"]) == (
            shown.standing.rank,
            shown.standing.is_shared,
            shown.change,
        )
        total = shown.total
        assert (line["reputation"], line["kills"], line["wins"], line["matches"]) == (
            total.reputation,
            total.kills,
            total.wins,
            total.matches,
        )
        assert line["is_champion"] is shown.is_champion
        assert line["purses"] == sum(part["purse"] for part in line["cycles"])
        assert [(part["cycle"], part["reputation"], part["place"]) for part in line["cycles"]] == [
            (number, tally.reputation, placing and placing.place) for number, tally, placing in shown.parts
        ]
    assert [
        (row["individual"]["code"], row["stable"]["slug"], row["rank"], row["reputation"], row["matches"])
        for row in found["individuals"]["results"]
    ] == [
        (row.asset.code, row.stable.slug, row.standing.rank, row.total.reputation, row.total.matches)
        for row in individuals_in_order(individuals.values())
    ]


def test_what_decided_a_rank(world: World, api: Any) -> None:
    season = at_tables([red_wins(), red_wins()])
    found = {row["stable"]["slug"]: row for row in standings(api, season)[1]["stables"]}
    behind = next(row for row in found.values() if row["rank"] > 1)
    book = ReputationEntry.objects.get(stable__slug=behind["stable"]["slug"], stable__season=season, asset=None)
    best = max(row["reputation"] for row in found.values())
    for amount, kills in ((best - behind["reputation"], -5),):
        ReputationEntry.objects.create(
            stable=book.stable, cycle=book.cycle, amount=amount, kills=kills, cause="correction", idempotency_key="x"
        )
    row = next(row for row in standings(api, season)[1]["stables"] if row["stable"] == behind["stable"])
    assert row["decided_by"] == "kills"
    assert row["corrections"] == [{"cycle": 1, "fixture": None, "reputation": amount, "kills": kills}]


def test_individuals_come_in_pages(world: World, api: Any) -> None:
    whole = api("anonymous", "get", PLAYED).json()
    count = whole["individuals"]["count"]
    assert count > 2
    second = api("anonymous", "get", PLAYED, {"page": 2, "page_size": 1}).json()
    assert second["stables"] == whole["stables"]
    assert second["individuals"] == {
        "count": count, "page": 2, "pages": count, "results": whole["individuals"]["results"][1:2],
    }  # fmt: skip
    assert api("anonymous", "get", PLAYED, {"page": 99}).status_code == 404


def test_unchanged_standings_take_two_queries_and_304_for_those_who_have_them(world: World, api: Any) -> None:
    tag, _ = standings(api, world.seasons["played"])
    with CaptureQueriesContext(connection) as queries:
        again = api("anonymous", "get", PLAYED)
    assert (again.status_code, len(queries)) == (200, 2), "the door, and the version of the books"
    with CaptureQueriesContext(connection) as queries:
        known = api("anonymous", "get", PLAYED, headers={"If-None-Match": tag})
    assert (known.status_code, known.content, known.headers["ETag"], len(queries)) == (304, b"", tag, 2)
    assert api("anonymous", "get", PLAYED, headers={"If-None-Match": '"another"'}).status_code == 200
    assert api("anonymous", "get", PLAYED, {"page_size": 1}).headers["ETag"] != tag, "another page is another answer"


def test_a_remembered_answer_is_as_any_other(world: World, api: Any) -> None:
    first, again = (api("anonymous", "get", PLAYED) for _ in range(2))
    assert first.content == again.content
    assert {answer.headers["Content-Type"] for answer in (first, again)} == {"application/json"}


def test_money_alone_changes_nothing(world: World, api: Any) -> None:
    season = world.seasons["played"]
    before = standings(api, season)
    Stable.objects.filter(season=season).update(capital=1)
    assert standings(api, season) == before


def settle(season: Season) -> None:
    from stables.services.results import reports
    from tests.stables.tabletop_matches import sides_of

    fixture = fixture_of(season, 2)
    for side in sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins())


def close(season: Season) -> None:
    settle(season)
    closing.close_cycle(cycle_id=season.cycles.get(number=1).pk)


def test_a_result_is_seen_at_once(world: World, api: Any) -> None:
    season = at_tables([red_wins()])
    before = standings(api, season)
    settle(season)
    after = standings(api, season)
    assert before[0] != after[0]
    assert [row["matches"] for row in before[1]["stables"]].count(1) == 2
    assert [row["matches"] for row in after[1]["stables"]] == [1, 1, 1, 1]


def test_places_are_seen_at_once(world: World, api: Any) -> None:
    season = at_tables([red_wins()])
    settle(season)
    before = standings(api, season)
    assert all(row["cycles"][0]["place"] is None for row in before[1]["stables"])
    closing.close_cycle(cycle_id=season.cycles.get(number=1).pk)
    after = standings(api, season)
    assert before[0] != after[0]
    assert sorted(row["cycles"][0]["place"] for row in after[1]["stables"]) == [1, 2, 3, 4]


def test_a_correction_is_seen_at_once_in_numbers_and_places(world: World, api: Any) -> None:
    season = tables(
        load_release(), ["Ash", "Birch", "Cedar", "Dogwood"], matches_per_cycle=1, cycles=["standard", "team"]
    )
    season = _settled(season)
    before = standings(api, season)
    revision = season.cycles.get(number=1).placings_revision
    correct(fixture_of(season), Wanted("correct", red_wins(tokens=30)))
    corrected = standings(api, season)
    assert season.cycles.get(number=1).placings_revision == revision + 1
    assert before[0] != corrected[0]
    current = {each.stable.slug: each.place for each in Placing.current().filter(cycle__season=season, cycle__number=1)}
    assert {row["stable"]["slug"]: row["cycles"][0]["place"] for row in corrected[1]["stables"]} == current
    assert any(row["corrections"] for row in corrected[1]["stables"])
    correct(fixture_of(season), Wanted("correct", red_wins(tokens=5)))
    back = standings(api, season)
    assert back[0] not in (before[0], corrected[0]), "there and back is not where it was"
    assert [(row["stable"], row["reputation"]) for row in back[1]["stables"]] == [
        (row["stable"], row["reputation"]) for row in before[1]["stables"]
    ]


def _settled(season: Season) -> Season:
    from stables.services.results import reports
    from tests.stables.tabletop_matches import sides_of

    for number in (1, 2):
        fixture = fixture_of(season, number)
        for side in sides_of(fixture):
            reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins())
    closing.close_cycle(cycle_id=season.cycles.get(number=1).pk)
    return season


def hold(season: Season) -> None:
    """A stable's title of its own season, and one of a pilot."""
    stable = season.stables.exclude(titles__kind="stable").order_by("number")[0]
    Title.objects.create(season=season, kind="stable", stable=stable, reputation=1, kills=0, decided_by="shared")


def rename_stable(season: Season) -> None:
    Stable.objects.filter(season=season, number=1).update(name="Newly Named")


def rename_pilot(season: Season) -> None:
    pilot = Asset.objects.filter(stable__season=season, kind="pilot", reputation__isnull=False).order_by("pk")[0]
    Asset.objects.filter(pk=pilot.pk).update(name="Newly Named")


def leave(season: Season) -> None:
    Stable.objects.filter(season=season, number=1).update(left_in_cycle=1)


@pytest.mark.parametrize("change", [hold, rename_stable, rename_pilot, leave])
def test_titles_and_names_are_seen_at_once(world: World, api: Any, change: Callable[[Season], None]) -> None:
    season = world.seasons["played"]
    before = standings(api, season)
    change(season)
    after = standings(api, season)
    assert before[0] != after[0]
    assert before[1] != after[1]
