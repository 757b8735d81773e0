"""Corrections into a forfeit and out of it: whose pilots count, and what the pages say of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from stables.models import Asset, Fixture, FixtureSide, Season
from stables.presenters.results import source_of
from stables.presenters.season_parts import fixture_view
from stables.services.results.corrections import Wanted
from tests.stables.tabletop_matches import blue_wins, fixture_of, red_wins, sides_of

from .test_corrections import VOID, correct, refused, reported, totals

pytestmark = pytest.mark.database


def test_a_result_may_be_replaced_by_a_forfeit(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    red, blue = sides_of(fixture)
    correct(fixture, Wanted("replace", None, (red.stable.number,)))
    document = fixture.result.current
    assert (document["ended_by"], document["winner"]) == ("forfeit", "blue")
    assert totals(season)[blue.stable.number, ""] == (70, 0, 1, 1)
    assert totals(season)[red.stable.number, ""] == (30, 0, 0, 1)
    refused("forfeit_of_nobody", fixture, Wanted("replace", None, (red.stable.number, blue.stable.number + 10)))
    unit = blue.line_up.crews.get().unit
    assert (unit.damage, unit.is_eliminated) == (0, False)


def test_r_for_03_a_forfeit_by_correction_counts_the_pilots_of_that_time(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    red, _ = sides_of(fixture)
    pilots = red.stable.assets.filter(kind=Asset.Kind.PILOT)
    of_that_time = {pilot.code for pilot in pilots}
    newcomer = pilots.order_by("id")[0]
    newcomer.pk, newcomer.serial = None, 99
    newcomer.save()
    pilots.exclude(pk=newcomer.pk).update(died_at=timezone.now())
    correct(fixture, Wanted("replace", None, (red.stable.number,)))
    of_red = fixture_of(season).result.current["stables"][str(red.stable.number)]
    assert set(of_red["individuals"]) == of_that_time


def test_a_side_shows_the_forfeit_of_the_result_that_counts(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    red, blue = sides_of(fixture)
    fixture.sides.filter(pk=blue.pk).update(forfeits=FixtureSide.Forfeit.NO_SHOW)

    def shown() -> list[Any]:
        return [(side["won"], side["forfeits"]) for side in fixture_view(fixture_of(season), "")["sides"]]

    correct(fixture, Wanted("replace", None, (red.stable.number,)))
    assert shown() == [(False, FixtureSide.Forfeit.RULED), (True, None)]
    assert source_of(fixture_of(season).result) == "corrected by an organiser"
    correct(fixture, VOID)
    assert shown() == [(False, None), (False, None)]


def test_o_9_1_the_interface_and_the_page_say_why_by_the_result_that_counts(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    red, blue = sides_of(fixture)
    fixture.sides.filter(pk=blue.pk).update(forfeits=FixtureSide.Forfeit.NO_SHOW)
    correct(fixture, Wanted("replace", None, (red.stable.number,)))
    assert in_the_interface(fixture) == [{"red": "ruled", "blue": None}] * 5
    assert on_the_page(fixture) == [FixtureSide.Forfeit.RULED.label]
    correct(fixture, VOID)
    assert in_the_interface(fixture) == [{"red": None, "blue": None}] * 5
    assert on_the_page(fixture) == []


def in_the_interface(fixture: Fixture) -> list[dict[str, Any]]:
    """Why each side forfeits, by every place that says so: three in the answer for a match, two in that for results."""
    own = f"/api/v1/seasons/{fixture.round.cycle.season.slug}/"
    match = Client().get(f"{own}fixtures/{fixture.pk}/").json()
    results = Client().get(f"{own}results/").json()["results"]
    [result] = [each for each in results if each["fixture"] == fixture.pk]
    found = [{side["side"]: side["forfeits"] for side in match["sides"]}]
    for outcome in (match["outcome"], result["outcome"]):
        found.append({side: shown["forfeits"] for side, shown in outcome["sides"].items()})
        found.append({shown["side"]: shown["forfeits"] for shown in outcome["stables"].values()})
    return found


def on_the_page(fixture: Fixture) -> list[str]:
    page = Client().get(fixture.get_absolute_url()).content.decode()
    return [label for label in FixtureSide.Forfeit.labels if f'<span class="tag bad">{label}</span>' in page]
