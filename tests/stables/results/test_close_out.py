"""The preview of a close-out: it says what the close then writes, changes nothing, and tells players no more."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from stables.models import Asset, Cycle, FixtureSide, LineUp, Placing, SavedLineUp, Season, SeasonRole, Stable
from stables.presenters.organising.close_out import CloseOut, close_out
from stables.services.fixtures import pairing, rounds
from stables.services.results import reports, settlement
from stables.services.running import overdue
from stables.services.standings import closing
from tests.stables.conftest import open_with, pair, play_out_typed
from tests.stables.tabletop_matches import fixture_of, red_wins, sides_of, tables
from tests.stored import rows_of

pytestmark = pytest.mark.django_db

NAMES = ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Holly"]
MOST_QUERIES = 15


def client_of(name: str) -> Client:
    user, _ = get_user_model().objects.get_or_create(username=name, defaults={"email": f"{name}@example.org"})
    client = Client()
    client.force_login(user)
    return client


def address(season: Season) -> str:
    return reverse("stables:close_out", args=[season.slug])


def organised(season: Season) -> Client:
    client = client_of("organiser")
    organiser = get_user_model().objects.get(username="organiser")
    Season.objects.filter(pk=season.pk).update(organiser=organiser, state=Season.State.RUNNING)
    return client


def preview_of(season: Season) -> CloseOut:
    found = Season.objects.get(pk=season.pk)
    return close_out(found, found.cycles.order_by("-number")[0], for_organisers=True)


def everything() -> dict[str, Any]:
    """Every row of the site's own tables."""
    return rows_of("stables", "matches", "jobs", "people", "catalogue")


def open_round(season: Season) -> list[FixtureSide]:
    """Call for the line-ups of the first round; returns its sides, in order of stable."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    drawn = pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    return list(
        FixtureSide.objects.filter(fixture__in=drawn.fixture_ids)
        .select_related("stable", "fixture")
        .order_by("stable__number")
    )


def written(season: Season) -> list[tuple[Any, ...]]:
    fields = ("stable__number", "place", "purse", "reputation", "kills", "wins", "decided_by")
    return list(Placing.current().filter(cycle__season=season).order_by("place").values_list(*fields))


def predictions(found: CloseOut) -> list[tuple[Any, ...]]:
    listed = [(share, share.placing) for share in found.shares if share.placing is not None]
    assert all(share.places == (one.place, one.place) for share, one in listed)
    return [
        (one.stable.number, one.place, share.purses[0], one.reputation, one.kills, one.wins, one.decided_by)
        for share, one in listed
    ]


def test_the_close_writes_what_the_preview_said(stocked: Season) -> None:
    season = stocked
    play_out_typed(season)
    poor = season.stables.get(number=2)
    Stable.objects.filter(pk=poor.pk).update(owed=60)
    found = preview_of(season)
    assert found.is_over
    said, repairs = predictions(found), {share.stable.number: share.repairs for share in found.shares}
    assert sorted(stable for stable, *_ in said) == [1, 2, 3, 4]
    assert any(repairs.values())
    closing.close_cycle(cycle_id=season.cycles.get().pk)
    assert written(season) == said
    for stable in season.stables.all():
        purse = stable.ledger.get(cause="purse")
        assert (stable.number, purse.amount) in {(number, amount) for number, _, amount, *_ in said}
        mended = stable.ledger.filter(cause="compulsory_repair").order_by("sequence")
        assert [entry.parameters["name"] for entry in mended] == list(repairs[stable.number])


@pytest.mark.parametrize("format_name", ["standard", "grand_melee"])
def test_where_all_is_even_the_die_falls_as_the_preview_said(release: Any, format_name: str) -> None:
    season = open_with(release, NAMES[:4], cycles=[format_name])
    client = client_of("helper")
    helper = get_user_model().objects.get(username="helper")
    SeasonRole.objects.create(season=season, user=helper, role=SeasonRole.Role.CO_ORGANISER)
    cycle, number = season.cycles.get(), 0
    # Nobody owns anything, so everybody is unable to take part in any match.
    while number == 0 or number < (cycle.rounds_planned or 0):
        number += 1
        for fixture in pair(season, number):
            settlement.settle_fixture(fixture_id=fixture.pk)
        cycle.refresh_from_db()
    said = predictions(preview_of(season))
    assert len(said) == 4
    client.get(address(season))
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address(season)).status_code == 200
    assert len(queries) <= MOST_QUERIES
    closing.close_cycle(cycle_id=cycle.pk)
    assert written(season) == said


def test_looking_changes_nothing(stocked: Season) -> None:
    client = organised(stocked)
    open_round(stocked)
    client.get(address(stocked))
    before = everything()
    for each in (client, Client()):
        assert each.get(address(stocked)).status_code == 200
    assert everything() == before


def test_each_missing_line_up_says_what_the_call_then_does(stocked: Season) -> None:
    sides = open_round(stocked)
    unable, saved, _, broken = (side.stable for side in sides)
    Asset.objects.filter(stable=unable, kind="unit").update(is_eliminated=True)
    cycle = stocked.cycles.get()
    for stable, pilot in ((saved, True), (broken, False)):
        unit = stable.assets.filter(kind="unit").order_by("id")[0]
        rider = stable.assets.filter(kind="pilot").order_by("id")[0]
        crew = {"unit": unit.pk if pilot else 0, "pilot": rider.pk, "gear": None, "hand": []}
        SavedLineUp.objects.create(
            stable=stable,
            match_class=cycle.match_class,
            format=cycle.format,
            document={"crews": [crew], "tokens": []},
        )
    said = {each.side.pk: each.source for each in preview_of(stocked).missing}
    assert said[sides[0].pk] == ""
    assert {said[side.pk] for side in sides[1:]} <= {LineUp.Source.SAVED, LineUp.Source.NEAREST}
    assert said[sides[2].pk] == said[sides[3].pk] == LineUp.Source.NEAREST
    rounds.call_time(round_id=sides[0].fixture.round_id)
    for side in sides:
        side = FixtureSide.objects.get(pk=side.pk)
        assert said[side.pk] == ("" if side.forfeits else side.line_up.source)
    assert preview_of(stocked).missing == []


@pytest.mark.parametrize("unplayed", ["forfeit", "ai", "extend"])
def test_an_unplayed_match_says_what_its_deadline_then_does(release: Any, unplayed: str) -> None:
    season = tables(release, NAMES[:4], unplayed=unplayed)
    Season.objects.filter(pk=season.pk).update(calendar={"preset": "weekly", "time_zone": "UTC", "mode": "browser"})
    fixture = fixture_of(season)
    fixture.mode = "browser"
    fixture.save(update_fields=["mode"])
    said = {each.fixture.pk: each.ending for each in preview_of(season).unplayed}
    assert overdue.end_unplayed(fixture_id=fixture.pk) == said[fixture.pk]
    if unplayed != "extend":
        assert said[fixture.pk] == unplayed
    again = {each.fixture.pk: each.ending for each in preview_of(season).unplayed}
    assert again.get(fixture.pk, "") != "extend"


def test_what_the_ai_plays_waits_for_nobody(sealed: Season) -> None:
    assert {each.ending for each in preview_of(sealed).unplayed} == {""}


def test_reports_wait_for_confirmation_or_are_disputed(release: Any) -> None:
    season = tables(release, NAMES[:4])
    client = organised(season)
    fixture = fixture_of(season)
    red, blue = sides_of(fixture)
    reports.file_report(stable_id=red.stable_id, fixture_id=fixture.pk, document=red_wins(), user=red.stable.owner)
    page = client.get(address(season))
    (one,) = page.context["reported"]
    assert (one.fixture.pk, one.reporters, one.is_disputed) == (fixture.pk, (red.stable.name,), False)
    other = red_wins(clicks=3)
    reports.file_report(stable_id=blue.stable_id, fixture_id=fixture.pk, document=other, user=blue.stable.owner)
    page = client.get(address(season))
    assert [each.is_disputed for each in page.context["reported"]] == [True]
    assert ">disputed<" in page.content.decode()
    assert fixture.pk not in {each.fixture.pk for each, _ in page.context["unplayed"]}


def test_what_only_a_die_would_part_is_tied_until_everything_is_settled(stocked: Season) -> None:
    open_round(stocked)
    found = preview_of(stocked)
    assert [share.stable.number for share in found.shares] == [1, 2, 3, 4]
    assert {share.places for share in found.shares} == {(1, 4)}
    (purses,) = {share.purses for share in found.shares}
    assert purses[0] < purses[1]


def test_everybody_sees_places_and_only_organisers_the_rest(stocked: Season) -> None:
    organiser = organised(stocked)
    open_round(stocked)
    full = organiser.get(address(stocked)).content.decode()
    call = reverse("stables:call_time", args=[stocked.slug])
    assert f'action="{call}"' in full
    assert "Call time now" in full
    for name in ("Missing line-ups", "Compulsory repairs", "Open matches"):
        assert name in full
    for client in (Client(), client_of("spectator")):
        page = client.get(address(stocked)).content.decode()
        assert "Places and purses" in page
        assert "What comes next" in page
        for name in (call, "Missing line-ups", "Compulsory repairs", "Open matches", "Call time"):
            assert name not in page
    helper = get_user_model().objects.get(username="spectator")
    SeasonRole.objects.create(season=stocked, user=helper, role=SeasonRole.Role.CO_ORGANISER)
    assert call in client_of("spectator").get(address(stocked)).content.decode()


def test_console_and_season_page_lead_to_the_preview_which_calls_time(stocked: Season) -> None:
    client = organised(stocked)
    Stable.objects.filter(season=stocked, number=1).update(
        owner=get_user_model().objects.get(username="organiser"), is_ai=False
    )
    Stable.objects.filter(season=stocked, number=2).update(
        owner=get_user_model().objects.create_user("second", "second@example.org"), is_ai=False
    )
    sides = open_round(stocked)
    call = reverse("stables:call_time", args=[stocked.slug])
    for name in ("console", "season"):
        page = client.get(reverse(f"stables:{name}", args=[stocked.slug])).content.decode()
        assert f'href="{address(stocked)}"' in page
        assert call not in page
    assert client.post(call).status_code == 302
    assert LineUp.objects.filter(side__in=sides).count() == len(sides)
    assert "Call time now" not in client.get(address(stocked)).content.decode()


@pytest.mark.parametrize("cycles", [["standard"], ["standard", "weapons_dead"]])
def test_what_comes_next_is_said(release: Any, cycles: list[str]) -> None:
    season = open_with(release, NAMES[:4], cycles=cycles)
    open_round(season)
    found = preview_of(season)
    expected = (None, "", "") if len(cycles) == 1 else (2, "weapons_dead", "light")
    assert (found.next.number, found.next.format, found.next.match_class) == expected
    page = Client().get(address(season)).content.decode()
    assert ("sudden death" in page) == (len(cycles) == 1)


def test_announced_settings_decide_what_comes_next(release: Any) -> None:
    season = open_with(release, NAMES[:4], cycles=["standard", "weapons_dead"])
    open_round(season)
    Season.objects.filter(pk=season.pk).update(pending_settings={"cycles": ["standard"]})
    assert preview_of(season).next.number is None


def test_a_grand_melee_has_no_places_before_it_is_over(release: Any) -> None:
    season = open_with(release, NAMES[:4], cycles=["grand_melee"])
    client = organised(season)
    open_round(season)
    page = client.get(address(season))
    assert page.status_code == 200
    assert {each.placing for each in page.context["found"].shares} == {None}


@pytest.mark.parametrize("state", ["market", "closing", "closed"])
def test_without_a_cycle_in_its_rounds_the_page_says_so(stocked: Season, state: str) -> None:
    client = organised(stocked)
    Cycle.objects.filter(season=stocked).update(state=state, started_with=4, rounds_planned=3)
    page = client.get(address(stocked))
    assert page.status_code == 200
    assert "No cycle is being played" in page.content.decode()


def test_the_page_takes_a_constant_number_of_queries(release: Any) -> None:
    counts = []
    for size in (4, 6, 8):
        season = open_with(release, NAMES[:size])
        client = organised(season)
        open_round(season)
        client.get(address(season))
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address(season)).status_code == 200
        counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= MOST_QUERIES
