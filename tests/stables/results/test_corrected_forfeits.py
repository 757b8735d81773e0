"""Corrections into a forfeit and out of it: whose pilots count, and what the pages say of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from stables.models import Asset, FixtureSide, Season
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
