"""Matches played and reputation a match in the standings, and the records of units and pilots."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from stables.models import Asset, Crew, Placing, Season
from stables.presenters.standings import in_order, individual_rows, stable_rows, tables_of
from stables.selectors.records import documents_of, records_of, records_of_stable
from stables.selectors.standings_version import standings_version
from stables.services.results import settlement
from stables.services.results.corrections import Wanted
from tests.stables.conftest import first_round, pair, play_out_typed, type_in
from tests.stables.results.test_corrections import correct
from tests.stables.seasons import open_with
from tests.stables.tabletop_matches import fixture_of, red_wins, sides_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def settled(four_at_tables: Any) -> Season:
    """A season of four with one of its two tables settled: red eliminates blue."""
    from stables.services.results import reports

    season: Season = four_at_tables()
    for side in sides_of(fixture_of(season)):
        reports.file_report(fixture_id=fixture_of(season).pk, stable_id=side.stable_id, document=red_wins())
    return season


def crew_of(season: Season, side: str) -> Crew:
    return Crew.objects.select_related("unit", "pilot").get(
        line_up__side__fixture=fixture_of(season), line_up__side__side=side
    )


def public_records(season: Season, key: str) -> list[Any]:
    return [record for record in records_of("units", key) if record.season == season.name]


def test_the_record_of_a_unit_with_a_pilot_has_its_own_kills_and_damage(settled: Season) -> None:
    red, blue = crew_of(settled, "red"), crew_of(settled, "blue")
    records = records_of_stable(red.unit.stable)
    assert records[red.unit.code] == records[red.pilot.code]
    own = records[red.unit.code]
    assert (own.matches, own.wins, own.kills, own.damage) == (1, 1, 1, 2)
    beaten = records_of_stable(blue.unit.stable)[blue.unit.code]
    assert (beaten.matches, beaten.wins, beaten.kills, beaten.eliminations) == (1, 0, 0, 1)
    assert beaten.damage > 3
    [record] = public_records(settled, red.unit.catalogue_key)
    copies = Crew.objects.filter(
        unit__catalogue_key=red.unit.catalogue_key, line_up__side__fixture=fixture_of(settled)
    ).count()
    assert (record.kills, record.matches, record.stables) == (1, copies, copies)


def test_n_10_a_unit_whose_pilots_have_the_reputation_has_no_column_of_noughts(settled: Season) -> None:
    crew = crew_of(settled, "red")
    unit = Client().get(reverse("catalogue:unit", args=[crew.unit.catalogue_key])).content.decode()
    record = unit.split('<h2 id="record">')[1]
    assert ">Kills</th>" in record
    assert ">Reputation</th>" not in record
    assert "Reputation goes to its pilots." in record
    pilot = Client().get(reverse("catalogue:pilots_page", args=[crew.pilot.catalogue_key])).content.decode()
    assert ">Reputation</th>" in pilot


def test_a_voided_result_counts_for_no_unit(settled: Season) -> None:
    red = crew_of(settled, "red")
    before = standings_version(settled)
    correct(fixture_of(settled), Wanted("void"))
    assert public_records(settled, red.unit.catalogue_key) == []
    assert records_of_stable(red.unit.stable) == {}
    rows = individual_rows(settled, {stable.pk: stable for stable in settled.stables.all()}, documents_of(settled))
    assert [(row.total.matches, row.total.wins) for row in rows.values() if row.total.matches] == []
    assert standings_version(settled) != before
    correct(fixture_of(settled), Wanted("correct", red_wins()))
    assert records_of_stable(red.unit.stable)[red.unit.code].kills == 1


def test_who_wins_by_forfeit_was_not_in_the_arena(sealed: Season) -> None:
    [fixture, _] = first_round(sealed)
    fixture.sides.filter(side="blue").update(forfeits="late")
    settlement.settle_fixture(fixture_id=fixture.pk)
    stables = {stable.pk: stable for stable in sealed.stables.all()}
    rows = individual_rows(sealed, stables, documents_of(sealed))
    assert sum(row.total.reputation for row in rows.values()) > 0
    assert {row.total.matches for row in rows.values()} == {0}
    won = fixture.sides.get(side="red").stable_id
    assert stable_rows(sealed)[won].total.matches == 1


def test_the_page_of_a_stable_shows_what_each_unit_did(settled: Season) -> None:
    red = crew_of(settled, "red")
    page = " ".join(Client().get(red.unit.stable.get_absolute_url()).content.decode().split())
    assert "matches 1, won 1, kills 1, damage taken 2" in page
    views = Client().get(red.unit.stable.get_absolute_url()).context["units"]
    assert {view["asset"].pk: view["record"].kills for view in views}[red.unit.pk] == 1


def test_o_s4_standings_show_matches_and_reputation_a_match(settled: Season) -> None:
    page = Client().get(reverse("stables:standings", args=[settled.slug]))
    text = page.content.decode()
    assert 'data-label="Matches">1<' in text
    assert 'data-label="Matches">0<' in text
    assert 'data-label="Reputation a match"' in text
    [best, *_] = in_order(stable_rows(settled).values())
    assert best.total.reputation_a_match == best.total.reputation
    printed = Client().get(reverse("stables:print_standings", args=[settled.slug])).content.decode()
    assert '<th scope="col" class="n">Matches</th>' in printed
    assert '<th scope="col" class="n">A match</th>' in printed


def test_o_s4_a_place_by_reputation_a_match_says_so(settled: Season) -> None:
    """70 reputation of two matches stand above 85 of three."""
    cycle = settled.cycles.get(number=1)
    first, second = settled.stables.order_by("number")[:2]
    common = {"cycle": cycle, "kills": 0, "wins": 1, "purse": 10}
    Placing.objects.create(stable=first, place=1, reputation=70, matches=2, **common)
    Placing.objects.create(stable=second, place=2, reputation=85, matches=3, decided_by="reputation", **common)
    page = Client().get(reverse("stables:standings", args=[settled.slug]))
    text = " ".join(page.content.decode().split())
    assert [decided for *_, decided in page.context["places"]] == ["", "reputation a match"]
    assert "35" in text
    assert "28.33" in text
    season = Client().get(settled.get_absolute_url()).content.decode()
    assert "decided by: reputation a match" in " ".join(season.split())
    common["revision"] = cycle.placings_revision = 2
    cycle.save(update_fields=["placings_revision"])
    Placing.objects.create(stable=first, place=1, reputation=70, matches=2, **common)
    Placing.objects.create(stable=second, place=2, reputation=60, matches=2, decided_by="reputation", **common)
    page = Client().get(reverse("stables:standings", args=[settled.slug]))
    assert [decided for *_, decided in page.context["places"]] == ["", "reputation"]


def test_units_of_a_season_that_is_not_public_have_no_record(settled: Season) -> None:
    red = crew_of(settled, "red")
    Season.objects.filter(pk=settled.pk).update(visibility="private")
    assert public_records(settled, red.unit.catalogue_key) == []


def test_records_of_typed_duels_are_those_of_each_unit(release: Any) -> None:
    """A kill of red is no kill of the unit that red left at home."""
    season = open_with(release, ["Ash", "Birch"])
    from tests.stables.seasons import stock

    stock(season)
    [fixture] = pair(season)
    type_in(fixture, units={"red": {"kills": 1}, "blue": {"clicks": 2}})
    settlement.settle_fixture(fixture_id=fixture.pk)
    stable = fixture.sides.get(side="red").stable
    fielded = Crew.objects.get(line_up__side__fixture=fixture, line_up__side__side="red").unit
    records = records_of_stable(stable)
    at_home = Asset.objects.filter(stable=stable, kind="unit").exclude(pk=fielded.pk)
    assert records[fielded.code].kills == 1
    assert not {unit.code for unit in at_home} & set(records)


def test_o_m12_standings_show_head_to_head_and_the_strength_of_the_schedule(stocked: Season) -> None:
    play_out_typed(stocked)
    rows, _ = tables_of(stocked)
    before = [row.stable.pk for row in in_order(rows.values())]
    for row in rows.values():
        assert row.total.matches == sum(met.matches for _, met in row.against) > 0
        assert row.total.wins == sum(met.wins for _, met in row.against)
        assert row.schedule is not None
    page = Client().get(reverse("stables:standings", args=[stocked.slug])).content.decode()
    assert "It decides no place" in page
    [first, *_] = in_order(rows.values())
    assert f"{first.schedule}&nbsp;%" in page
    for row in rows.values():
        row.schedule = None
    assert [row.stable.pk for row in in_order(rows.values())] == before
