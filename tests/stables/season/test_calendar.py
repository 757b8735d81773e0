"""The arithmetic of a season's times: presets, daylight saving, the plan and what does not fit (R-FMT-22, Q-172)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string

from rules.campaign.classes import FORMATS, MATCH_MINUTES
from rules.campaign.season.calendar import PRESETS, Calendar, mode_for
from rules.campaign.season.planning import plan
from rules.core.refusals import Malformed
from stables.forms.season import CalendarForm
from tests.stables.shown_again import as_it_stands


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def of(preset: str, **values: Any) -> Calendar:
    return Calendar.of_preset(preset, time_zone=values.pop("time_zone", "Europe/Berlin"), **values)


def test_r_fmt_22_minutes_of_a_match_by_its_format() -> None:
    assert [MATCH_MINUTES[key] for key in FORMATS] == [20, 40, 20, 40, 40, 60]


def test_solo_has_no_deadline_at_all() -> None:
    calendar, now = of("solo"), utc("2026-03-01 12:00")
    assert calendar.market_closes(now) is None
    assert set(vars(calendar.round_times(now, "standard")).values()) == {None}
    assert calendar.new_date(now, "standard") is None
    assert plan(calendar, now, FORMATS, [3] * 6).cycles == ()


def test_weekly_markets_and_rounds_end_on_the_same_local_hour_over_both_changes_of_the_clock() -> None:
    calendar = of("weekly")
    # Sunday, 29 March 2026: clocks go forward; 25 October: back. 20:00 stays 20:00.
    assert calendar.market_closes(utc("2026-03-18 12:00")) == utc("2026-03-22 19:00")
    times = calendar.round_times(utc("2026-03-22 19:00"), "standard")
    assert times.line_ups == utc("2026-03-24 19:00")
    assert times.confirm == utc("2026-03-29 18:00")
    assert times.play == utc("2026-03-28 19:00")
    assert calendar.round_times(utc("2026-10-18 18:00"), "team").confirm == utc("2026-10-25 19:00")


def test_a_round_that_begins_too_late_for_its_week_ends_in_the_next() -> None:
    calendar = of("weekly")
    assert calendar.round_times(utc("2026-06-20 18:00"), "standard").confirm == utc("2026-06-28 18:00")
    on_time = calendar.round_times(utc("2026-06-21 18:00"), "standard")
    a_little_late = calendar.round_times(utc("2026-06-21 20:00"), "standard")
    assert on_time.confirm == a_little_late.confirm == utc("2026-06-28 18:00")


def test_correspondence_counts_days_by_the_wall_clock() -> None:
    calendar = of("correspondence", market_hours=48, line_up_hours=24, play_hours=36, confirm_hours=24)
    assert calendar.market_closes(utc("2026-03-28 11:00")) == utc("2026-03-30 10:00")
    times = calendar.round_times(utc("2026-03-27 17:00"), "standard")
    assert (times.line_ups, times.play) == (utc("2026-03-28 17:00"), utc("2026-03-30 04:00"))


def test_a_time_that_the_clock_skips_or_shows_twice_is_one_moment() -> None:
    skipped = of("weekly", weekday=6, at="02:30", market_hours=0)
    assert skipped.market_closes(utc("2026-03-28 12:00")) == utc("2026-03-29 01:30")
    assert skipped.market_closes(utc("2026-10-24 12:00")) == utc("2026-10-25 00:30")


# An hour around a change of the clock, in UTC: the zone shows it twice, or skips it.
CHANGES = {
    "Europe/Berlin": ("2026-10-25 01:30", "2026-03-29 01:00"),
    "America/New_York": ("2026-11-01 06:30", "2026-03-08 07:00"),
    "Australia/Lord_Howe": ("2026-04-04 15:15", "2026-10-03 15:30"),
}


@pytest.mark.parametrize("zone", CHANGES)
@pytest.mark.parametrize("hours", [0, 1, 12, 23, -1, -12])
def test_hours_are_time_that_passes_when_the_clock_shows_an_hour_twice_or_skips_it(zone: str, hours: int) -> None:
    calendar = of("correspondence", time_zone=zone)
    for text in CHANGES[zone]:
        for minutes in range(-120, 121, 15):
            begins = utc(text) + timedelta(minutes=minutes)
            assert calendar.clock.later(begins, hours) == begins + timedelta(hours=hours)


def test_a_round_that_begins_in_the_hour_that_comes_twice_has_all_its_time() -> None:
    begins = utc("2026-10-25 01:30")
    for hours in (0, 12):
        times = of("correspondence", line_up_hours=hours).round_times(begins, "standard")
        assert times.line_ups == begins + timedelta(hours=hours)
    assert of("correspondence").clock.later(begins, 36) == utc("2026-10-26 13:30")
    times = of("correspondence", line_up_hours=0, play_hours=0, confirm_hours=24).round_times(begins, "standard")
    assert begins == times.line_ups == times.play


def test_a_club_night_plays_round_after_round_in_one_evening() -> None:
    calendar = of("club_night", weekday=4, at="19:00")
    begins = calendar.market_closes(utc("2026-06-15 08:00"))
    assert begins == utc("2026-06-19 17:00")
    ends = []
    for _ in range(3):
        times = calendar.round_times(begins, "standard")
        assert times.play - times.line_ups == timedelta(minutes=15 + 20)
        begins = times.confirm
        ends.append(begins)
    assert ends == [utc("2026-06-19 17:55"), utc("2026-06-19 18:50"), utc("2026-06-19 19:45")]
    # What does not fit any more begins on the next evening, and so does what is called on another day.
    assert calendar.round_times(utc("2026-06-19 20:30"), "standard").line_ups == utc("2026-06-26 17:10")
    assert calendar.round_times(utc("2026-06-22 09:00"), "standard").line_ups == utc("2026-06-26 17:10")


def test_a_round_longer_than_an_evening_takes_the_whole_of_one() -> None:
    calendar = of("club_night", evening_minutes=60)
    begins = utc("2026-06-19 17:00")
    assert calendar.round_times(begins, "grand_melee").line_ups == utc("2026-06-19 17:10")
    assert calendar.round_times(begins + timedelta(seconds=3), "grand_melee").line_ups < utc("2026-06-20 00:00")


@pytest.mark.parametrize(
    ("preset", "date"),
    [("club_night", "2026-06-26 17:35"), ("weekly", "2026-06-26 18:00"), ("correspondence", "2026-06-29 18:00")],
)
def test_q_157_the_one_new_date(preset: str, date: str) -> None:
    assert of(preset).new_date(utc("2026-06-19 18:00"), "standard") == utc(date)


def codes(calendar: Calendar, rounds: int = 3) -> list[str]:
    return [warned.code for warned in plan(calendar, utc("2026-06-15 08:00"), FORMATS, [rounds] * 5 + [1]).warnings]


def test_q_172_the_plan_warns_where_rounds_do_not_fit() -> None:
    assert codes(of("club_night")) == []
    # Four team matches of 40 minutes with line-ups, set-up and results take 300 minutes, and there are 240.
    assert codes(of("club_night"), rounds=4) == ["evening_too_short"] * 3
    assert codes(of("weekly")) == []
    assert codes(of("weekly", play_hours=120)) == ["week_too_short"]
    assert codes(of("weekly", confirm_hours=12)) == ["confirming_too_short"]
    assert codes(of("correspondence", play_hours=24, hours_a_round=None)) == ["playing_shorter_than_confirming"]


def test_time_for_each_round_is_the_presets_and_the_plan_warns_of_the_first_cycle_that_is_too_slow_with_it() -> None:
    assert [of(preset).hours_a_round for preset in PRESETS] == [None, None, None, 48]
    assert (of("weekly", hours_a_round=6).seconds_a_round, of("weekly").seconds_a_round) == (21600, None)
    # A quarter of a match's rounds at full length must fit: 10 rounds at 48 hours do into 240, 30 do not.
    (warned,) = plan(of("correspondence"), utc("2026-06-15 08:00"), FORMATS, [3] * 6).warnings
    assert (warned.code, warned.parameters["cycle"], warned.parameters["needed"]) == ("thinking_too_long", 6, 1440)
    assert codes(of("correspondence", hours_a_round=24)) == []
    assert codes(of("club_night", hours_a_round=72)) == []


@pytest.mark.parametrize("hours", [0, -1, 169, 1.5, True, "48"])
def test_a_time_for_each_round_that_is_none_is_refused(hours: Any) -> None:
    with pytest.raises(Malformed):
        of("correspondence", hours_a_round=hours)


def hours_shown(calendar: Calendar) -> tuple[str, list[str]]:
    """The time for each round that a form shows, and all that it offers."""
    html = str(CalendarForm.showing(calendar)["calendar_hours_a_round"])
    (chosen,) = re.findall(r'value="(\d*)" selected', html)
    return chosen, re.findall(r"<option[^>]*>([^<]*)", html)


@pytest.mark.parametrize(("sent", "kept"), [("", 48), ("0", None), ("24", 24), ("10", 10)])
def test_the_form_keeps_the_presets_time_or_another_or_none(sent: str, kept: int | None) -> None:
    read = CalendarForm({"calendar_preset": "correspondence", "calendar_hours_a_round": sent}).calendar()
    assert read["hours_a_round"] == kept
    assert hours_shown(Calendar.from_json(read))[0] == str(kept or 0)


def test_another_preset_brings_its_own_durations_unless_one_was_set() -> None:
    form = CalendarForm.showing(of("weekly"))
    assert "<details>" in render_to_string("stables/calendar_fields.html", {"form": form})
    assert CalendarForm(as_it_stands(form) | {"calendar_preset": "weekly"}).calendar() == of("weekly").to_json()
    read = CalendarForm(as_it_stands(form) | {"calendar_preset": "correspondence"}).calendar()
    hours = ("market_hours", "line_up_hours", "play_hours", "confirm_hours")
    assert [read[key] for key in hours] == [168, 96, 240, 48]
    unhurried = CalendarForm.showing(of("weekly", line_up_minutes=0))
    assert "<details open>" in render_to_string("stables/calendar_fields.html", {"form": unhurried})
    form = CalendarForm.showing(of("weekly", play_hours=5))
    read = CalendarForm(as_it_stands(form) | {"calendar_preset": "correspondence"}).calendar()
    assert [read[key] for key in hours] == [168, 96, 5, 48]


def test_a_time_that_a_program_set_stays_when_the_form_is_sent() -> None:
    chosen, offered = hours_shown(of("weekly", hours_a_round=10))
    assert chosen == "10"
    assert "10 hours" in offered


def test_the_plan_says_when_a_season_is_over_and_whether_that_is_too_late() -> None:
    calendar = of("weekly", ends_on="2026-12-31")
    planned = plan(calendar, utc("2026-06-15 08:00"), FORMATS, [3] * 5 + [1])
    assert [cycle.market_closes for cycle in planned.cycles[:2]] == [utc("2026-06-21 18:00"), utc("2026-07-19 18:00")]
    assert planned.cycles[-1].ends == utc("2026-11-15 19:00")
    assert planned.warnings == ()
    assert codes(of("weekly", ends_on="2026-11-14")) == ["ends_too_late"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_calendar_is_read_back_equal(preset: str) -> None:
    calendar = of(preset, mode="table", ends_on="2027-01-31")
    assert Calendar.from_json(calendar.to_json()) == calendar


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "settings_not_an_object"),
        ({"moon": 1}, "unknown_setting"),
        ({"preset": "daily"}, "setting_out_of_range"),
        ({"time_zone": "Mars/Olympus"}, "setting_out_of_range"),
        ({"time_zone": "../etc/passwd"}, "setting_out_of_range"),
        ({"weekday": 7}, "setting_out_of_range"),
        ({"weekday": True}, "setting_out_of_range"),
        ({"at": "25:00"}, "setting_out_of_range"),
        ({"at": "19:00+02:00"}, "setting_out_of_range"),
        ({"play_hours": -1}, "setting_out_of_range"),
        ({"evening_minutes": 10}, "setting_out_of_range"),
        ({"ends_on": "soon"}, "setting_out_of_range"),
        ({"mode": "chess"}, "setting_out_of_range"),
    ],
)
def test_a_document_that_is_not_a_calendar_is_malformed(document: Any, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        Calendar.from_json(document)
    assert refused.value.code == code


def test_fixtures_without_people_are_for_the_ai_and_it_sits_at_no_table() -> None:
    assert mode_for("table", [True, True]) == "table"
    assert mode_for("table", [True, False]) == "browser"
    assert mode_for("table", [False, False]) == "ai"
    assert mode_for("browser", [True, False]) == "browser"
    assert mode_for("ai", [True, True]) == "ai"
