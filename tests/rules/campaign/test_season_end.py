"""The end of a season: how long its results may still be corrected."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rules.campaign.season.closing import closes_at, grace
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Malformed

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(hours=24)


@pytest.mark.parametrize(
    ("people", "is_solo", "hours"),
    [(0, False, 0), (0, True, 0), (1, True, 0), (1, False, 24), (2, True, 24), (8, False, 24)],
)
def test_a_season_waits_only_for_people_with_others(people: int, is_solo: bool, hours: int) -> None:
    assert grace(24, people, is_solo=is_solo) == timedelta(hours=hours)
    assert grace(0, people, is_solo=is_solo) == timedelta()


def test_the_time_begins_with_the_ceremony_and_again_with_other_champions() -> None:
    later = NOON + timedelta(hours=20)
    first = closes_at(NOON, DAY, None, is_news=True, paused_at=None)
    assert first == NOON + DAY
    assert closes_at(later, DAY, first, is_news=False, paused_at=None) == first
    assert closes_at(later, DAY, first, is_news=True, paused_at=None) == later + DAY


def test_a_time_that_has_run_out_ends_at_once() -> None:
    assert closes_at(NOON + 2 * DAY, DAY, NOON + DAY, is_news=False, paused_at=None) == NOON + 2 * DAY


def test_in_a_pause_the_time_counts_from_its_beginning_as_it_moves_with_it() -> None:
    paused_at = NOON - timedelta(hours=3)
    assert closes_at(NOON, DAY, None, is_news=True, paused_at=paused_at) == paused_at + DAY
    assert closes_at(NOON, DAY, NOON - DAY, is_news=False, paused_at=paused_at) == paused_at


@pytest.mark.parametrize("hours", [-1, 28 * 24 + 1, True, "24", None, 1.5])
def test_hours_are_a_whole_number_within_four_weeks(hours: object) -> None:
    with pytest.raises(Malformed) as caught:
        SeasonSettings.from_json({"weight_class": "light", "closing_hours": hours})
    assert caught.value.code == "setting_out_of_range"
    assert SeasonSettings.from_json({"weight_class": "light"}).closing_hours == 24
