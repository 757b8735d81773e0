"""Reads of a season's stables: their books, assets, log and champions."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from stables.models import Asset, LedgerEntry, LogEntry, Season, Title
from stables.presenters.log import with_people, worded
from stables.presenters.standings import in_order, stable_rows
from stables.services.results.corrections import Wanted
from stables.services.running import roles
from stables.text.names import ledger_sentence
from stables.text.results import told_effects
from tests.api.season_reading import PLAYED, at_tables, correct, read, rows
from tests.stables.tabletop_matches import fixture_of, red_wins
from tests.web.roles.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("forgetful")]


# Stables and books ----------------------------------------------------------------------------------------------------


def test_stables_are_shown_as_the_pages_show_them(world: World, api: Any) -> None:
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
    pairing, effects = (row["parameters"].pop(name) for name in ("pairing", "effects"))
    assert row["parameters"] == {"match": 1, "round": 1, "reason": "a typing error"}
    told = f"The reason: “a typing error”. What it changes: {told_effects(effects)}"
    assert "reputation." in told
    assert row["sentence"] == f"Round 1, {pairing}: the result was voided. {told}"


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
