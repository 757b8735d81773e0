"""Days off: hours stand still on them, nothing falls on them, and set deadlines go behind them on request."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from rules.campaign.classes import FORMATS
from rules.campaign.season.calendar import PRESETS, Calendar, RoundTimes
from rules.campaign.season.clock import LONGEST_DAYS_OFF, MOST_DAYS_OFF, Clock, DaysOff
from rules.campaign.season.planning import plan
from rules.campaign.season.resting import NewDaysOff
from rules.core.refusals import Malformed

CHRISTMAS = {"first": "2026-12-24", "last": "2026-12-26", "word": "Christmas"}
NEW_YEAR = {"first": "2026-12-31", "last": "2027-01-01"}
DEADLINES = PRESETS[1:]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def of(preset: str, *days_off: dict[str, str], zone: str = "Europe/Berlin", **values: Any) -> Calendar:
    return Calendar.of_preset(preset, time_zone=zone, days_off=list(days_off), **values)


def clock(*spans: tuple[str, str], zone: str = "Europe/Berlin") -> Clock:
    return Clock(ZoneInfo(zone), tuple((date.fromisoformat(one), date.fromisoformat(two)) for one, two in spans))


def test_a_deadline_that_would_pass_days_off_is_later_by_these_days() -> None:
    berlin = clock(("2026-12-24", "2026-12-26"))
    begins = utc("2026-12-20 14:00")
    # Before them, on the first, on the last, and behind them.
    for days, due in ((3, "2026-12-23"), (4, "2026-12-27"), (6, "2026-12-29"), (8, "2026-12-31")):
        assert berlin.later(begins, 24 * days) == utc(f"{due} 14:00")
        assert berlin.later(utc(f"{due} 14:00"), -24 * days) == begins
    # Hours that are left stop at midnight in Berlin and go on there.
    assert berlin.later(utc("2026-12-23 20:00"), 12) == utc("2026-12-27 08:00")
    assert berlin.later(utc("2026-12-27 08:00"), -12) == utc("2026-12-23 20:00")
    assert berlin.later(utc("2026-12-23 20:00"), 3) == utc("2026-12-26 23:00")
    assert berlin.later(utc("2026-12-23 20:00"), 2) == utc("2026-12-23 22:00")


def test_what_begins_on_a_day_off_counts_from_the_end_of_the_days_off() -> None:
    berlin = clock(("2026-12-24", "2026-12-26"))
    for begins in ("2026-12-23 23:00", "2026-12-25 12:00", "2026-12-26 22:59"):
        assert berlin.later(utc(begins), 0) == utc("2026-12-26 23:00")
        assert berlin.later(utc(begins), 25) == utc("2026-12-28 00:00")
    assert berlin.lasting(utc("2026-12-25 12:00"), utc("2026-12-28 00:00")) == timedelta(hours=25)


@pytest.mark.parametrize(
    ("zone", "off", "begins", "due"),
    [
        # Clocks go back on a day off, and forward on one; the time of day stays.
        ("Europe/Berlin", ("2026-10-24", "2026-10-26"), "2026-10-23 13:00", "2026-10-27 14:00"),
        ("Europe/Berlin", ("2026-03-28", "2026-03-30"), "2026-03-27 14:00", "2026-03-31 13:00"),
        ("America/New_York", ("2026-11-01", "2026-11-01"), "2026-10-31 16:00", "2026-11-02 17:00"),
        ("Australia/Lord_Howe", ("2026-04-05", "2026-04-05"), "2026-04-04 02:00", "2026-04-06 02:30"),
        # Midnight itself is skipped here, so the day begins at one o'clock.
        ("Asia/Beirut", ("2026-03-29", "2026-03-29"), "2026-03-28 12:00", "2026-03-30 11:00"),
    ],
)
def test_days_off_are_local_days_at_clock_changes(zone: str, off: tuple[str, str], begins: str, due: str) -> None:
    assert clock(off, zone=zone).later(utc(begins), 24) == utc(due)


def test_hours_that_are_left_are_time_that_passes_around_a_day_off_on_which_clocks_change() -> None:
    berlin = clock(("2026-10-25", "2026-10-25"))
    assert berlin.later(utc("2026-10-24 20:00"), 12) == utc("2026-10-25 23:00") + timedelta(hours=10)
    assert berlin.lasting(utc("2026-10-24 20:00"), utc("2026-10-26 09:00")) == timedelta(hours=12)


@pytest.mark.parametrize("preset", DEADLINES)
def test_nothing_of_a_season_falls_on_a_day_off_whenever_it_begins(preset: str) -> None:
    calendar = of(preset, CHRISTMAS, NEW_YEAR, {"first": "2027-03-26", "last": "2027-04-05"}, at="23:30", weekday=3)
    plain = of(preset, at="23:30", weekday=3)
    for hours in range(0, 24 * 14, 7):
        begins = utc("2026-12-18 12:00") + timedelta(hours=hours)
        planned, without = (plan(each, begins, FORMATS, [3, 3, 3, 3, 3, 1]).cycles for each in (calendar, plain))
        for cycle, other in zip(planned, without, strict=True):
            times = [cycle.market_closes, *(time for each in cycle.rounds for time in each.all)]
            assert times == sorted(times)
            assert not any(map(calendar.clock.is_off, times))
            assert cycle.ends >= other.ends
        assert not calendar.clock.is_off(calendar.new_date(begins, "standard") or begins)


def test_a_club_night_on_a_day_off_is_left_out_and_so_is_the_part_of_one_after_midnight() -> None:
    fridays = of("club_night", {"first": "2026-12-25", "last": "2026-12-25"}, at="19:00")
    assert fridays.market_closes(utc("2026-12-21 12:00")) == utc("2027-01-01 18:00")
    assert fridays.round_times(utc("2026-12-25 18:30"), "standard").line_ups == utc("2027-01-01 18:10")
    late = of("club_night", {"first": "2026-12-26", "last": "2026-12-26"}, at="22:00", weekday=4)
    assert late.round_times(utc("2026-12-25 21:00"), "standard").confirm == utc("2026-12-25 21:55")
    assert late.round_times(utc("2026-12-25 22:30"), "standard").line_ups == utc("2027-01-01 21:10")


def test_a_week_with_days_off_has_the_usual_time_to_play_and_ends_on_the_usual_day() -> None:
    times = of("weekly", CHRISTMAS).round_times(utc("2026-12-20 19:00"), "standard")
    assert times.all == (utc("2026-12-22 19:00"), utc("2027-01-02 19:00"), utc("2027-01-03 19:00"))


def test_days_off_that_touch_or_overlap_are_one_time_off() -> None:
    spans = ({"first": "2026-12-26", "last": "2026-12-27"}, CHRISTMAS, {"first": "2026-12-28", "last": "2026-12-28"})
    calendar = of("correspondence", *spans, market_hours=24)
    assert calendar.market_closes(utc("2026-12-23 12:00")) == utc("2026-12-29 12:00")
    assert [each.first for each in calendar.days_off] == ["2026-12-24", "2026-12-26", "2026-12-28"]
    assert Calendar.from_json(calendar.to_json()) == calendar


def test_a_pause_leaves_a_deadline_the_time_that_it_had_without_days_off() -> None:
    calendar = of("correspondence", CHRISTMAS)
    began, ended = utc("2026-12-20 12:00"), utc("2026-12-22 12:00")
    assert calendar.after_pause(utc("2026-12-21 12:00"), began, ended) == utc("2026-12-23 12:00")
    assert calendar.after_pause(utc("2026-12-22 12:00"), began, ended) == utc("2026-12-27 12:00")
    assert calendar.after_pause(utc("2026-12-19 12:00"), began, ended) == utc("2026-12-21 12:00")
    assert calendar.after_pause(utc("2026-12-22 12:00"), began, utc("2026-12-25 12:00")) == utc("2026-12-28 23:00")


@pytest.mark.parametrize(
    ("preset", "due", "goes"),
    [
        ("correspondence", "2026-12-23 12:00", "2026-12-23 12:00"),
        ("correspondence", "2026-12-25 12:00", "2026-12-28 12:00"),
        ("correspondence", "2026-12-27 12:00", "2026-12-30 12:00"),
        ("weekly", "2026-12-20 19:00", "2026-12-20 19:00"),
        ("weekly", "2026-12-27 19:00", "2027-01-03 19:00"),
        ("club_night", "2026-12-25 18:00", "2027-01-08 18:00"),
        ("club_night", "2027-01-08 18:00", "2027-01-08 18:00"),
        # A deadline that has passed is not called back.
        ("correspondence", "2026-12-01 12:00", "2026-12-01 12:00"),
    ],
)
def test_a_deadline_that_is_set_goes_behind_new_days_off(preset: str, due: str, goes: str) -> None:
    moves = NewDaysOff(of(preset), of(preset, CHRISTMAS, NEW_YEAR), utc("2026-12-02 12:00"))
    assert moves.deadline(utc(due)) == utc(goes)


def test_days_off_that_were_known_move_a_set_deadline_no_second_time() -> None:
    moves = NewDaysOff(of("correspondence", CHRISTMAS), of("correspondence", CHRISTMAS, NEW_YEAR), utc("2026-12-02"))
    assert moves.deadline(utc("2026-12-30 12:00")) == utc("2026-12-30 12:00")
    assert moves.elapsing(utc("2026-12-31 12:00")) == utc("2027-01-02 12:00")


def test_a_round_that_is_set_keeps_its_order_and_its_evening_behind_new_days_off() -> None:
    week = RoundTimes(utc("2026-12-25 19:00"), utc("2026-12-26 19:00"), utc("2026-12-27 19:00"))
    moved = NewDaysOff(of("weekly"), of("weekly", CHRISTMAS, NEW_YEAR), utc("2026-12-20 12:00")).round(week)
    assert moved.all == tuple(sorted(moved.all))
    assert moved.line_ups == utc("2027-01-08 19:00")
    evening = RoundTimes(utc("2026-12-30 22:40"), utc("2026-12-30 23:15"), utc("2026-12-30 23:25"))
    club = of("club_night", NEW_YEAR, at="23:30", weekday=2)
    moved = NewDaysOff(of("club_night", at="23:30", weekday=2), club, utc("2026-12-30 20:00")).round(evening)
    assert moved.all == tuple(each + timedelta(weeks=1) for each in evening.all)
    assert NewDaysOff(club, club, utc("2026-12-30 20:00")).round(RoundTimes()) == RoundTimes()


@pytest.mark.parametrize(
    "days_off",
    [
        "Christmas",
        [7],
        [{"first": "2026-12-24"}],
        [{**CHRISTMAS, "why": "rest"}],
        [{"first": "2026-12-26", "last": "2026-12-24"}],
        [{"first": "2026-12-24", "last": "soon"}],
        [{"first": "2026-W52-4", "last": "2026-12-26"}],
        [{"first": "20261224", "last": "2026-12-26"}],
        [{"first": "1926-12-24", "last": "1926-12-26"}],
        [{"first": "9999-12-31", "last": "9999-12-31"}],
        [{"first": "2026-01-01", "last": (date(2026, 1, 1) + timedelta(days=LONGEST_DAYS_OFF)).isoformat()}],
        [{**CHRISTMAS, "word": 3}],
        [{**CHRISTMAS, "word": "x" * 41}],
        [{**CHRISTMAS, "word": "two\nlines"}],
        [CHRISTMAS] * (MOST_DAYS_OFF + 1),
    ],
)
def test_anything_that_is_not_a_list_of_days_off_is_refused(days_off: Any) -> None:
    with pytest.raises(Malformed) as refused:
        Calendar.from_json({"preset": "weekly", "days_off": days_off})
    assert (refused.value.code, refused.value.parameters["setting"]) == ("setting_out_of_range", "days_off")


def test_the_longest_span_and_the_most_spans_are_read() -> None:
    last = (date(2026, 1, 1) + timedelta(days=LONGEST_DAYS_OFF - 1)).isoformat()
    spans = [{"first": "2026-01-01", "last": last, "word": "Sommer"}] * MOST_DAYS_OFF
    assert Calendar.from_json({"days_off": spans}).days_off == (DaysOff("2026-01-01", last, "Sommer"),) * MOST_DAYS_OFF
