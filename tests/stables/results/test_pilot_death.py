"""Pilots who die with their unit: by the engine's die, by the table's word, or by the server's die."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from stables.models import Asset, LogEntry, Result, Season
from stables.selectors.fixtures import sides_with_line_ups
from stables.selectors.seeds import season_dice
from stables.services.results import contests, outcomes, reports, result_books, settlement
from stables.text.log import log_sentence
from tests.stables.conftest import open_with, pair, type_in
from tests.stables.seasons import stock
from tests.stables.tabletop_matches import fixture_of, red_wins, sides_of, tables

DEADLY = {"house_rules": {"pilot_death": True}}


@pytest.fixture
def deadly(release: Any) -> Season:
    return stock(open_with(release, ["Ash", "Birch"], **DEADLY))


def test_r_dth_01_03_q_165_the_dead_leave_the_list_and_keep_their_record(deadly: Season) -> None:
    fixture = pair(deadly)[0]
    red, blue = sides_of(fixture)
    winner, loser = red.line_up.crews.get().pilot, blue.line_up.crews.get().pilot
    capital = [stable.capital for stable in deadly.stables.order_by("number")]
    Asset.objects.filter(pk=winner.pk).update(assigned_to=red.line_up.crews.get().unit)
    type_in(
        fixture,
        "red",
        (95, 60),
        units={
            "red": {"clicks": 12, "eliminated": True, "kills": 1, "pilot_dead": True},
            "blue": {"clicks": 12, "eliminated": True, "kills": 1},
        },
    )
    document = settlement.settle_fixture(fixture_id=fixture.pk).document
    winner.refresh_from_db()
    loser.refresh_from_db()
    assert winner.died_at is not None
    assert (winner.assigned_to, loser.died_at) == (None, None)
    # His share is that of the living, it stays with him and the stable (R-DTH-03), and no Stone comes back.
    assert document["stables"][str(red.stable.number)]["individuals"] == {winner.code: {"reputation": 95, "kills": 1}}
    assert sum(entry.amount for entry in winner.reputation.all()) == 95
    assert [stable.capital for stable in deadly.stables.order_by("number")] == capital
    line = LogEntry.objects.get(code="pilot_died")
    assert log_sentence(line.code, line.parameters) == (
        f"Round 1, {line.parameters['pairing']}: {winner.label} of {red.stable.name} died when the unit was eliminated."
    )


def test_r_dth_01_a_surrender_kills_nobody(deadly: Season) -> None:
    fixture = pair(deadly)[0]
    type_in(fixture, "red", (90, 13), ended_by="surrender", surrendered="blue")
    settlement.settle_fixture(fixture_id=fixture.pk)
    assert not Asset.objects.exclude(died_at=None).exists()


def test_r_for_03_the_dead_get_no_share_of_a_forfeit(deadly: Season) -> None:
    fixture = pair(deadly)[0]
    red, _ = sides_of(fixture)
    pilots = list(Asset.objects.filter(stable=red.stable, kind="pilot").order_by("id"))
    result_books.bury(
        fixture,
        {red.stable.number: red.stable},
        {(red.stable.number, one.code): one for one in pilots},
        [(red.stable.number, pilots[0].code)],
        fixture.round.cycle.season.created_at,
    )
    red.line_up.delete()
    red.forfeits = "unable"
    red.save()
    document = settlement.settle_fixture(fixture_id=fixture.pk).document
    shared = document["stables"][str(red.stable.number)]["individuals"]
    assert pilots[0].code not in shared
    assert set(shared) == {one.code for one in pilots[1:]}


def file_both(season: Season, died: str) -> None:
    fixture = fixture_of(season)
    for side in sides_of(fixture):
        document = red_wins(died=died)
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)


@pytest.mark.parametrize(("died", "is_dead"), [("yes", True), ("no", False)])
def test_a_table_may_say_who_died(release: Any, died: str, is_dead: bool) -> None:
    season = tables(release, ["Ash", "Birch"], **DEADLY)
    file_both(season, died)
    pilot = sides_of(fixture_of(season))[1].line_up.crews.get().pilot
    assert (pilot.died_at is not None) == is_dead


@pytest.mark.parametrize("secret", [bytes([number]) * 32 for number in (1, 5, 9)])
def test_the_servers_die_is_that_of_the_match_and_is_not_shown_before(release: Any, secret: bytes) -> None:
    season = tables(release, ["Ash", "Birch"], secret, **DEADLY)
    fixture = fixture_of(season)
    expected = season_dice(season, "pilot_death", 1, 1, 1, 2).roll(1, "pilot_death")[0] == 1
    sides = sides_with_line_ups(fixture)
    report = contests.read_report(contests.contest_of(fixture, sides), red_wins(died="roll"))
    foreseen = contests.foreseen(fixture, sides, report)
    assert not any(unit["pilot_dead"] for unit in foreseen["units"].values())
    file_both(season, "roll")
    document = Result.objects.get().document
    assert document["units"]["blue-1"]["pilot_dead"] == expected
    assert (sides_of(fixture)[1].line_up.crews.get().pilot.died_at is not None) == expected
    again = contests.outcome_of(fixture, sides_with_line_ups(fixture), report, "agreed")
    assert again["units"] == document["units"]


def test_the_preview_tells_exactly_what_the_settlement_writes(release: Any) -> None:
    season = tables(release, ["Ash", "Birch"], **DEADLY)
    fixture = fixture_of(season)
    sides = sides_with_line_ups(fixture)
    stables = {side.stable.number: side.stable for side in sides}
    assets = result_books.assets_of(stables.values())
    report = contests.read_report(contests.contest_of(fixture, sides), red_wins(clicks=3, died="yes"))
    lines = outcomes.preview(contests.foreseen(fixture, sides, report), stables, assets)
    file_both_with(fixture, red_wins(clicks=3, died="yes"))
    red, blue = (side.stable for side in sides)
    written = []
    for stable in (red, blue):
        for entry in stable.reputation.order_by("id"):
            code = "" if entry.asset is None else entry.asset.code
            for what, amount in (("reputation", entry.amount), ("kills", entry.kills), ("wins", entry.wins), ("matches", entry.matches)):  # fmt: skip # noqa: E501
                if amount:
                    written.append((what, stable.number, code, amount))
    counted = [line for line in lines if "amount" in line]
    assert sorted((line["what"], line["stable"], line["individual"], line["amount"]) for line in counted) == sorted(written)  # fmt: skip # noqa: E501
    rest = [(line["what"], line["stable"]) for line in lines if "amount" not in line]
    assert rest == [("damage", red.number), ("damage", blue.number), ("death", blue.number)]


def file_both_with(fixture: Any, document: dict[str, Any]) -> None:
    for side in sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)


def test_o_s9_the_form_says_that_the_server_rolls_for_an_eliminated_pilot(release: Any) -> None:
    season = tables(release, ["Ash", "Birch"], **DEADLY)
    fixture = fixture_of(season)
    client = Client()
    client.force_login(sides_of(fixture)[0].stable.owner)
    address = reverse("stables:report_result", args=[season.slug, fixture.pk])
    page = client.get(address).content.decode()
    fates = page.split('name="units.blue-1.died"')[1].split("</select>")[0]
    assert [option.strip() for option in re.findall(r">([^<>]+)</option>", fates)] == [
        "the server rolls",
        "lives",
        "died",
    ]
    assert 'value="" selected>the server rolls' in fates
    typed = {"winner": "red", "units.red-1.kills": "1", "units.blue-1.eliminated": "on", "units.blue-1.died": ""}
    assert client.post(address, typed).status_code == 302
    assert fixture.reports.get().document["units"]["blue-1"]["died"] == "roll"
    assert 'value="" selected>the server rolls' in client.get(address).content.decode()
