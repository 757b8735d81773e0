"""What programs read of a season is what its pages show: shapes, values, filters, pages, queries, who may see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogue.services import load_release
from stables.fixture_page import find_fixture, fixture_context
from stables.log_lines import with_people, worded
from stables.models import Asset, Correction, Fixture, LedgerEntry, LogEntry, Placing, Season, Stable, Title
from stables.page_words import ledger_sentence
from stables.season_now import season_now
from stables.services import corrections, reports, roles, seasons
from stables.services.corrections import Wanted
from stables.standings_page import in_order, stable_rows
from stables.visibility import season_at, visible_seasons
from tests.stables.tables import fixture_of, person, red_wins, sides_of, tables
from tests.web.conftest import play
from tests.web.roles.world import World, untouched

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PLAYED = "seasons/played-season/"
LISTS = ("cycles/", "fixtures/", "results/", "stables/", "champions/", "log/")
OF_STABLE = ("assets/", "ledger/")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Tests take back what never goes away in life, so that what is remembered of it would be wrong."""
    cache.clear()
    yield
    cache.clear()


def read(api: Any, address: str, role: str = "anonymous", **asked: Any) -> Any:
    answer = api(role, "get", address, asked)
    assert answer.status_code == 200, (address, answer.content)
    return answer.json()


def rows(api: Any, address: str, role: str = "anonymous", **asked: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(api, address, role, page_size=100, **asked)["results"]
    return found


def addresses_of(season: Season) -> list[str]:
    """Every address below a season that programs read."""
    own = f"seasons/{season.slug}/"
    stable = season.stables.order_by("number")[0]
    found = [own, f"{own}standings/", f"{own}stables/{stable.slug}/", *(own + part for part in LISTS)]
    found += [f"{own}stables/{stable.slug}/{part}" for part in OF_STABLE]
    found += [f"{own}cycles/{cycle.number}/" for cycle in season.cycles.all()[:1]]
    found += [f"{own}fixtures/{each.pk}/" for each in Fixture.objects.filter(round__cycle__season=season)[:1]]
    return found


def at_tables(documents: list[dict[str, Any]]) -> Season:
    """A running season whose first round was played at tables, with these results."""
    season = tables(load_release(), ["Ash", "Birch", "Cedar", "Dogwood"], matches_per_cycle=1)
    for number, document in enumerate(documents, 1):
        fixture = fixture_of(season, number)
        for side in sides_of(fixture):
            reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)
    return season


def correct(fixture: Fixture, wanted: Wanted) -> Any:
    organiser = person("organiser")
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=organiser)
    return corrections.correct(
        fixture_id=fixture.pk, wanted=wanted, reason="a typing error", seal=seen.seal, user=organiser
    )


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


def test_reports_are_told_of_and_not_told(world: World, api: Any) -> None:
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
        document, told = result.current, found[number]["outcome"]
        for name in ("ended_by", "winner", "rounds", "tie_break", "units"):
            assert told[name] == document[name]
        assert told["stables"].keys() == document["stables"].keys()
        for key, stable in document["stables"].items():
            assert told["stables"][key] == {
                **told["stables"][key],
                **stable,
                "forfeits": stable.get("forfeits") or None,
            }
        assert {side: each["banked"] for side, each in told["sides"].items()} == {
            side: each["banked"] for side, each in document["sides"].items()
        }
        assert "report" not in told, "for those who took part in it"
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


# Stables and books ----------------------------------------------------------------------------------------------------


def test_stables_are_told_as_the_pages_show_them(world: World, api: Any) -> None:
    season = world.seasons["recruiting"]
    shown = stable_rows(season)
    in_order(shown.values())
    found = rows(api, f"seasons/{season.slug}/stables/")
    assert [
        (row["slug"], row["capital"], row["owed"], row["net_worth"], row["reputation"], row["rank"]) for row in found
    ] == [
        (row.stable.slug, row.stable.capital, row.stable.owed, row.worth, row.total.reputation, row.standing.rank)
        for row in shown.values()
    ]
    assert [row["owner"] for row in found] == ["player", "rival", None]
    machine = found[2]
    assert (machine["is_ai"], machine["character"], bool(machine["ai_owner"])) == (True, "balanced", True)
    assert machine["bot"] == "random"
    assert (found[0]["ai_owner"], found[0]["bot"]) == (None, None)
    assert rows(api, f"seasons/{season.slug}/stables/", is_ai="true") == [machine]
    assert rows(api, f"seasons/{season.slug}/stables/", is_ai="false") == found[:2]
    whole = read(api, f"seasons/{season.slug}/stables/{found[0]['slug']}/")
    assert {name: whole[name] for name in found[0]} == found[0]
    assert whole["identity"]["name"] == "Player & Sons"


def test_a_stables_cycles_add_up(world: World, api: Any) -> None:
    for row in rows(api, f"{PLAYED}stables/"):
        whole = read(api, f"{PLAYED}stables/{row['slug']}/")
        assert sum(part["reputation"] for part in whole["cycles"]) == row["reputation"]
        assert whole["is_champion"] is Title.objects.filter(stable__slug=row["slug"], kind="stable").exists()


def test_assets_with_what_they_cost_and_did(world: World, api: Any) -> None:
    stable = world.seasons["played"].stables.order_by("number")[0]
    address = f"{PLAYED}stables/{stable.slug}/assets/"
    found = {row["code"]: row for row in rows(api, address)}
    assets = {asset.code: asset for asset in stable.assets.all()}
    assert found.keys() == assets.keys()
    for code, asset in assets.items():
        row = found[code]
        assert (row["id"], row["price_paid"], row["damage"]) == (asset.pk, asset.price_paid, asset.damage)
        assert row["reputation"] == sum(asset.reputation.values_list("amount", flat=True))
        assert row["kills"] == sum(asset.reputation.values_list("kills", flat=True))
        is_unit = asset.kind == "unit"
        assert (row["state"] is not None, row["repair_cost"] is not None) == (is_unit, is_unit)
    hurt = [row for row in found.values() if row["damage"]]
    assert all(row["repair_cost"] > 0 for row in hurt)
    for kind in Asset.Kind.values:
        assert {row["code"] for row in rows(api, address, kind=kind)} == {
            code for code, asset in assets.items() if asset.kind == kind
        }
    sold = stable.assets.filter(kind="gear").first() or stable.assets.filter(kind="rally_card")[0]
    Asset.objects.filter(pk=sold.pk).update(sold_at=timezone.now(), assigned_to=None)
    assert [row["code"] for row in rows(api, address, sold="true")] == [sold.code]
    assert sold.code not in [row["code"] for row in rows(api, address, sold="false")]


def test_a_damaged_unit_and_its_repair(world: World, api: Any) -> None:
    stable = world.stable("running")
    Asset.objects.filter(stable=stable, kind="unit").update(damage=2)
    (unit,) = rows(api, f"seasons/running-season/stables/{stable.slug}/assets/", kind="unit")
    assert (unit["damage"], unit["clicks_left"]) == (2, unit["clicks"] - 2)
    assert unit["repair_cost"] > 0


def test_only_the_owner_reads_what_is_on_which_unit(world: World, api: Any) -> None:
    stable = world.stable("running")
    unit = stable.assets.get(kind="unit")
    Asset.objects.filter(stable=stable, kind="pilot").update(assigned_to=unit)
    address = f"seasons/running-season/stables/{stable.slug}/assets/"
    assert [row["assigned_to"] for row in rows(api, address, "player", kind="pilot")] == [unit.pk]
    for role in ("anonymous", "spectator", "rival", "organiser", "staff"):
        assert [row["assigned_to"] for row in rows(api, address, role, kind="pilot")] == [None], role


def test_the_ledger_of_a_stable(world: World, api: Any) -> None:
    stable = world.seasons["played"].stables.order_by("number")[0]
    address = f"{PLAYED}stables/{stable.slug}/ledger/"
    found = rows(api, address)
    entries = list(stable.ledger.order_by("-sequence"))
    assert [(row["sequence"], row["amount"], row["balance_after"], row["sentence"]) for row in found] == [
        (each.sequence, each.amount, each.balance_after, ledger_sentence(each.cause, each.parameters))
        for each in entries
    ]
    assert sum(row["amount"] for row in found) == stable.capital
    purchases = rows(api, address, cause="purchase")
    assert [row["sequence"] for row in purchases] == [each.sequence for each in entries if each.cause == "purchase"]
    assert purchases[0]["parameters"].keys() == {"name", "kind", "key"}
    assert api("anonymous", "get", address, {"cause": "theft"}).status_code == 400


def test_the_ledger_does_not_tell_who_bought_for_an_absent_owner(world: World, api: Any) -> None:
    stable = world.stable("running")
    last = stable.ledger.order_by("-sequence")[0]
    LedgerEntry.objects.create(
        stable=stable,
        sequence=last.sequence + 1,
        amount=1,
        balance_after=last.balance_after + 1,
        cause="sponsor_grant",
        parameters={"cycle": 1, "hand_over": 5},
        idempotency_key="a mark",
    )
    found = rows(api, f"seasons/running-season/stables/{stable.slug}/ledger/", "rival")
    assert found[0]["parameters"] == {"cycle": 1}


def test_the_log_in_words_and_in_parameters(world: World, api: Any) -> None:
    season = world.seasons["table"]
    roles.give_role(season_id=season.pk, name="spectator", role="referee", actor=world.people["organiser"])
    season_log = with_people(LogEntry.objects.filter(season=season)).order_by("-id")
    address = f"seasons/{season.slug}/log/"
    found = rows(api, address)
    assert [(row["id"], row["sentence"]) for row in found] == [
        (line.entry.pk, line.sentence) for line in worded(season_log)
    ]
    newest = found[0]
    assert (newest["code"], newest["by"]) == ("role_given_referee", "organiser")
    assert newest["parameters"] == {"person": "spectator"}, "a name, and no number of an account"
    filed = rows(api, address, code="report_filed")
    assert filed == [row for row in found if row["code"] == "report_filed"]
    assert {(row["cycle"], row["fixture"]) for row in filed} == {(1, world.fixtures["table"].pk)}
    assert rows(api, address, cycle=1) == [row for row in found if row["cycle"] == 1]
    assert rows(api, address, cycle=2) == []
    assert api("anonymous", "get", address, {"code": "nothing"}).status_code == 400


def test_the_log_tells_no_more_parameters_than_its_sentence(world: World, api: Any) -> None:
    season = at_tables([red_wins(), red_wins()])
    correct(fixture_of(season), Wanted("void"))
    (row,) = rows(api, f"seasons/{season.slug}/log/", code="result_voided")
    assert row["parameters"] == {"match": 1, "round": 1, "reason": "a typing error"}


def test_champions_of_a_season_and_of_all(world: World, api: Any) -> None:
    titles = (
        Title.objects.filter(season=world.seasons["played"]).select_related("stable", "asset").order_by("-kind", "id")
    )
    found = rows(api, f"{PLAYED}champions/")
    assert [(row["kind"], row["stable"]["slug"], row["decided_by"]) for row in found] == [
        (title.kind, title.stable.slug, title.decided_by) for title in titles
    ]
    assert [row["individual"] and row["individual"]["code"] for row in found] == [
        title.asset and title.asset.code for title in titles
    ]
    assert rows(api, f"{PLAYED}champions/", kind="pilot") == [row for row in found if row["kind"] == "pilot"]
    listed = rows(api, "champions/")
    assert [(row["season"]["slug"], row["titles"]) for row in listed] == [("played-season", found)]
    assert rows(api, "champions/", search="no such season") == []
    Season.objects.filter(pk=world.seasons["played"].pk).update(visibility="private")
    assert rows(api, "champions/", "spectator") == []
    assert len(rows(api, "champions/", "organiser")) == 1


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
def test_the_door_lets_in_whom_the_rule_of_visibility_names(
    world: World, role: str, alone: bool, django_assert_num_queries: Any
) -> None:
    user = world.people.get(role) or AnonymousUser()
    season = world.seasons["table"]
    for visibility in Season.Visibility.values:
        for state in Season.State.values:
            with untouched():
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
