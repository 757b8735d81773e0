"""What programs read of a season is what its pages show: shapes, values, filters, pages, queries, who may see it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.services.releases import load_release
from stables.models import Correction, Fixture, Placing, Season, Stable
from stables.presenters.fixture import find_fixture, fixture_context
from stables.presenters.waiting import season_now
from stables.selectors.access import season_at, visible_seasons
from stables.services.results.corrections import Wanted
from stables.services.season import seasons
from tests.api.season_reading import LISTS, OF_STABLE, PLAYED, addresses_of, at_tables, correct, read, rows
from tests.stables.tabletop_matches import fixture_of, person, red_wins
from tests.web.conftest import play
from tests.web.roles.world import World
from tests.worlds import taken_back

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("forgetful")]


# Seasons and cycles ---------------------------------------------------------------------------------------------------


def test_a_season_tells_where_it_stands(world: World, api: Any) -> None:
    season = world.seasons["browser"]
    listed = {row["slug"]: row for row in rows(api, "seasons/")}
    found = listed[season.slug]
    assert (found["formats"], found["stables"], found["places"]) == (["standard", "team"], 2, 8)
    assert found["cycle"] == {
        "number": 1, "format": "standard", "match_class": "light", "state": "rounds", "market_closes_at": None,
    }  # fmt: skip
    Stable.objects.filter(pk=world.stable("browser").pk).update(left_in_cycle=1)
    whole = read(api, f"seasons/{season.slug}/")
    assert whole == {**found, **{name: whole[name] for name in set(whole) - set(found)}, "stables": 1}
    cycle = season.cycles.get()
    due = season_now(season, cycle, season.stables.prefetch_related("skipped"), None).deadlines
    assert due
    assert [(each["what"], each["round"] or 0) for each in whole["deadlines"]] == [
        (each.what, each.round) for each in due
    ]


def test_seasons_of_several_classes_are_found(world: World, api: Any) -> None:
    order = ["light", "medium", "heavy", "assault", "light", "medium"]
    opened = seasons.open_season(name="Many", settings={"multi_class_order": order}, release=load_release())
    assert [row["slug"] for row in rows(api, "seasons/", weight_class="multi")] == [opened.slug]
    assert opened.slug not in [row["slug"] for row in rows(api, "seasons/", weight_class="light")]
    assert read(api, f"seasons/{opened.slug}/")["weight_class"] == "multi"


def test_cycles_have_rounds_deadlines_places_and_purses(world: World, api: Any) -> None:
    placings = (
        Placing.current().filter(cycle__season=world.seasons["played"]).select_related("stable").order_by("place")
    )
    (found,) = rows(api, f"{PLAYED}cycles/")
    assert found == read(api, f"{PLAYED}cycles/1/")
    assert (found["format"], found["match_class"], found["state"]) == ("standard", "light", "closed")
    assert [each["number"] for each in found["rounds"]] == [1, 2, 3]
    assert [
        (each["place"], each["stable"]["slug"], each["purse"], each["decided_by"]) for each in found["placings"]
    ] == [(each.place, each.stable.slug, each.purse, each.decided_by or None) for each in placings]
    assert rows(api, f"{PLAYED}cycles/", state="market") == []
    (running,) = rows(api, "seasons/browser-season/cycles/")
    called = world.fixtures["browser"].round
    assert running["placings"] == []
    assert running["rounds"][0]["play_due_at"] == called.play_due_at.isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize("address", ["cycles/2/", f"cycles/{10**30}/", f"fixtures/{10**30}/", "stables/nobody/"])
def test_what_is_not_there(world: World, api: Any, address: str) -> None:
    assert api("player", "get", PLAYED + address).status_code == 404


def test_a_fixture_of_another_season_is_not_there(world: World, api: Any) -> None:
    other = world.fixtures["table"].pk
    assert api("player", "get", f"{PLAYED}fixtures/{other}/").status_code == 404


# Fixtures and results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "condition"),
    [
        ({"cycle": 1}, {"round__cycle__number": 1}),
        ({"cycle": 9}, {"round__cycle__number": 9}),
        ({"round": 1}, {"round__number": 1}),
        ({"round": 9}, {"round__number": 9}),
        ({"state": "settled"}, {"state": "settled"}),
        ({"state": "sealed"}, {"state": "sealed"}),
        ({"kind": "bye"}, {"kind": "bye"}),
        ({"kind": "match"}, {"kind": "match"}),
        ({"mode": "table"}, {"mode": "table"}),
        ({"mode": "ai"}, {"mode": "ai"}),
        ({"stable": "ash"}, {"sides__stable__slug": "ash"}),
        ({"stable": "nobody"}, {"sides__stable__slug": "nobody"}),
    ],
)
def test_fixtures_are_filtered(world: World, api: Any, asked: dict[str, Any], condition: dict[str, Any]) -> None:
    season = at_tables([red_wins()])
    Fixture.objects.filter(pk=fixture_of(season, 2).pk).update(mode="ai")
    wanted = Fixture.objects.filter(round__cycle__season=season, **condition).order_by("number")
    assert [row["id"] for row in rows(api, f"seasons/{season.slug}/fixtures/", **asked)] == [each.pk for each in wanted]


def test_a_fixture_tells_what_its_page_shows(world: World, api: Any) -> None:
    season, fixture = world.seasons["played"], world.fixtures["played"]
    shown = fixture_context(find_fixture(season.slug, fixture.pk), person("spectator"))
    found = read(api, f"{PLAYED}fixtures/{fixture.pk}/")
    listed = next(row for row in rows(api, f"{PLAYED}fixtures/") if row["id"] == fixture.pk)
    assert {name: found[name] for name in listed if name != "sides"} == {
        name: value for name, value in listed.items() if name != "sides"
    }
    assert found["commitment"] == shown["fixture_view"]["commitment"]
    assert found["seed"] == fixture.match.revealed_seed
    assert found["match"] == {"public_id": str(fixture.match.public_id), "state": "finished"}
    assert [(side["stable"]["name"], side["won"], side["banked"]) for side in found["sides"]] == [
        (side["stable"].name, side["won"], side["banked"]) for side in shown["fixture_view"]["sides"]
    ]
    assert [
        (each["stable"]["name"], [crew["unit"]["name"] for crew in each["crews"]]) for each in found["line_ups"]
    ] == [(each["stable"].name, [crew["unit"].label for crew in each["crews"]]) for each in shown["line_ups"]]
    assert found["outcome"]["winner"] == fixture.result.current["winner"]


def test_a_fixture_tells_who_decides_and_what_is_due(world: World, api: Any) -> None:
    fixture = world.fixtures["browser"]
    found = read(api, f"seasons/browser-season/fixtures/{fixture.pk}/")
    assert (found["mode"], found["plays"], found["seed"], found["outcome"]) == ("browser", "browser", None, None)
    assert [side["decides"] for side in found["sides"]] == ["person", "person"]
    assert found["play_due_at"] is not None
    assert all(side["won"] is None for side in found["sides"])


def test_reports_are_named_and_not_shown(world: World, api: Any) -> None:
    fixture = world.fixtures["table"]
    found = read(api, f"seasons/table-season/fixtures/{fixture.pk}/")
    assert {each["slug"] for each in found["reported_by"]} == {"player-sons", "rival-sons"}
    assert (found["commitment"], found["seed"], found["outcome"]) == (None, None, None)


def test_results_have_one_shape_and_their_corrections(world: World, api: Any) -> None:
    season = at_tables([red_wins(), red_wins()])
    fixture = fixture_of(season)
    correct(fixture, Wanted("correct", red_wins(tokens=30)))
    correct(fixture_of(season, 2), Wanted("void"))
    address = f"seasons/{season.slug}/results/"
    found = {row["number"]: row for row in rows(api, address)}
    for number in (1, 2):
        result = fixture_of(season, number).result
        document, outcome = result.current, found[number]["outcome"]
        for name in ("ended_by", "winner", "rounds", "tie_break", "units"):
            assert outcome[name] == document[name]
        assert outcome["stables"].keys() == document["stables"].keys()
        for key, stable in document["stables"].items():
            assert outcome["stables"][key] == {
                **outcome["stables"][key],
                **stable,
                "forfeits": stable.get("forfeits") or None,
            }
        assert {side: each["banked"] for side, each in outcome["sides"].items()} == {
            side: each["banked"] for side, each in document["sides"].items()
        }
        assert "report" not in outcome, "for those who took part in it"
        one = Correction.objects.get(result=result)
        (correction,) = found[number]["corrections"]
        assert (correction["kind"], correction["reason"], correction["by"]) == (one.kind, "a typing error", "organiser")
        assert correction["effects"] == one.effects
        assert len(correction["sentences"]) == len(one.effects)
    assert found[2]["outcome"]["ended_by"] == "void"
    whole = read(api, f"seasons/{season.slug}/fixtures/{fixture.pk}/")
    assert (whole["outcome"], whole["corrections"]) == (found[1]["outcome"], found[1]["corrections"])
    stable = fixture.sides.select_related("stable")[0].stable
    assert [row["number"] for row in rows(api, address, stable=stable.slug)] == [1]
    assert len(rows(api, address, cycle=1)) == 2
    assert rows(api, address, cycle=2) == []


# All of them ----------------------------------------------------------------------------------------------------------


def test_every_list_comes_in_pages_and_takes_no_unknown_word(world: World, api: Any) -> None:
    stable = world.seasons["played"].stables.order_by("number")[0]
    lists = [f"{PLAYED}{part}" for part in LISTS] + [f"{PLAYED}stables/{stable.slug}/{part}" for part in OF_STABLE]
    for address in [*lists, "champions/"]:
        whole = rows(api, address)
        page = read(api, address, page_size=1, page=len(whole))
        assert (page["count"], page["pages"], page["results"]) == (len(whole), len(whole), whole[-1:]), address
        assert api("anonymous", "get", address, {"page": 99, "page_size": 50}).status_code == 404, address
        assert api("anonymous", "get", address, {"colour": "red"}).status_code == 400, address


def taken(api: Any, address: str, role: str) -> int:
    """The queries of an address, once what a process keeps for ever is there."""
    is_list = address.rstrip("/").rpartition("/")[2] + "/" in (*LISTS, *OF_STABLE, "seasons/")
    asked = {"page_size": 100} if is_list else {}
    assert api(role, "get", address, asked).status_code == 200, address
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        api(role, "get", address, asked)
    return len(queries)


@pytest.mark.parametrize("role", ["anonymous", "player"])
def test_a_large_season_takes_as_many_queries_as_a_small_one(world: World, api: Any, role: str) -> None:
    seen = []
    for stables in (2, 5):
        season = play(load_release(), f"Season of {stables}", world.people["organiser"], stables)
        found = addresses_of(season)
        assert len(found) == 13
        seen.append([taken(api, address, role) for address in [*found, "seasons/", "champions/"]])
    assert seen[0] == seen[1]
    assert max(seen[0]) <= 15


@pytest.mark.parametrize("how", ["private", "draft"])
def test_whoever_may_not_see_a_season_finds_nothing_at_any_address(world: World, api: Any, how: str) -> None:
    season = world.seasons["table"]
    changed = {"visibility": "private"} if how == "private" else {"state": "draft"}
    Season.objects.filter(pk=season.pk).update(**changed)
    for address in addresses_of(season):
        for role in ("anonymous", "spectator"):
            assert api(role, "get", address).status_code == 404, (role, address)
        wanted = 404 if how == "draft" else 200
        assert api("player", "get", address).status_code == wanted, address
    assert season.slug not in [row["slug"] for row in rows(api, "seasons/")]


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("role", ["anonymous", "spectator", "player", "organiser", "staff"])
def test_those_may_read_whom_the_rule_of_visibility_names(
    world: World, role: str, alone: bool, django_assert_num_queries: Any
) -> None:
    user = world.people.get(role) or AnonymousUser()
    season = world.seasons["table"]
    for visibility in Season.Visibility.values:
        for state in Season.State.values:
            with taken_back():
                Season.objects.filter(pk=season.pk).update(visibility=visibility, state=state)
                expected = visible_seasons(user).filter(pk=season.pk).exists()
                found = season_at(user, season.slug, alone=alone)
                assert (found is not None) is expected, (visibility, state)
    assert season_at(user, "nothing") is None
    with django_assert_num_queries(1):
        found = season_at(user, season.slug, alone=alone)
        assert found is not None
        if not alone:
            assert found.release.content_hash
            assert found.organiser is not None
