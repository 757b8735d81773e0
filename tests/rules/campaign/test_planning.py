"""The plan of a season counts what is left of the open cycle before the next market (Q-172)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from rules.campaign.classes import FORMATS
from rules.campaign.season.calendar import PRESETS, Calendar
from rules.campaign.season.planning import Plan, Playing, plan

ROUNDS = [3, 3, 3, 3, 3, 1]
DEADLINES = PRESETS[1:]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def of(preset: str, **values: Any) -> Calendar:
    return Calendar.of_preset(preset, time_zone="Europe/Berlin", **values)


def after_the_first(calendar: Calendar, now: str, due: str | None, unpaired: int, **more: Any) -> Plan:
    """The plan while the first cycle has one open round and `unpaired` rounds to come."""
    playing = Playing(1, "standard", (None if due is None else utc(due),), unpaired, **more)
    return plan(calendar, utc(now), FORMATS[1:], ROUNDS[1:], 2, playing=playing)


def test_the_plan_of_a_started_season_is_the_one_that_stood_before_its_start() -> None:
    """A weekly season that begins on the close of its first market plays as planned."""
    calendar = of("weekly", weekday=3, at="20:00")
    before = plan(calendar, utc("2026-11-22 12:00"), FORMATS, ROUNDS)
    assert before.cycles[0].market_closes == utc("2026-11-26 19:00")
    assert before.played is None
    started = after_the_first(calendar, "2026-11-26 19:00", "2026-12-03 19:00", 2)
    assert started.played is not None
    assert started.played.ends == before.cycles[0].ends == utc("2026-12-17 19:00")
    assert started.cycles == before.cycles[1:]
    assert started.cycles[0].market_closes == utc("2026-12-24 19:00")
    assert started.ends == before.ends


def test_a_club_night_closes_no_market_in_the_minute_in_which_a_round_begins() -> None:
    started = after_the_first(of("club_night", at="19:00"), "2026-11-27 18:00", "2026-11-27 18:55", 2)
    assert started.played is not None
    # 27 November is a Friday: three rounds fit into the evening, and the next market closes a week later.
    assert started.played.ends == utc("2026-11-27 20:45")
    assert started.cycles[0].market_closes == utc("2026-12-04 18:00")


@pytest.mark.parametrize("preset", DEADLINES)
@pytest.mark.parametrize("unpaired", [0, 1, 2])
@pytest.mark.parametrize("due", [None, "2026-11-20 12:00", "2026-12-03 19:00", "2027-03-01 19:00"])
def test_no_time_of_a_plan_lies_before_one_that_is_set_or_before_the_one_above_it(
    preset: str, unpaired: int, due: str | None
) -> None:
    now = utc("2026-11-26 19:00")
    found = after_the_first(of(preset), "2026-11-26 19:00", due, unpaired)
    assert found.played is not None
    times = [now, found.played.ends]
    times += [time for cycle in found.cycles for time in (cycle.market_closes, cycle.ends)]
    assert all(one <= other for one, other in pairwise(times))
    assert found.played.ends >= max(now, utc(due) if due else now)
    if unpaired:
        assert found.played.ends > max(now, utc(due) if due else now)


def test_a_market_whose_close_is_set_closes_then_and_one_that_is_overdue_holds_nothing_up() -> None:
    calendar = of("weekly")
    found = plan(calendar, utc("2026-11-26 12:00"), FORMATS[1:], ROUNDS[1:], 2, closes=utc("2026-12-13 19:00"))
    assert found.cycles[0].market_closes == utc("2026-12-13 19:00")
    assert found.cycles[0].rounds[0].confirm == utc("2026-12-20 19:00")
    late = plan(calendar, utc("2026-12-15 12:00"), FORMATS[1:], ROUNDS[1:], 2, closes=utc("2026-12-13 19:00"))
    assert late.cycles[0].market_closes == utc("2026-12-13 19:00")
    assert late.cycles[0].rounds[0].line_ups == utc("2026-12-17 12:00")


def test_a_cycle_waits_for_a_silence_before_the_next_market_opens() -> None:
    playing = Playing(1, "standard", (), 0, utc("2026-12-05 12:00"))
    found = plan(of("correspondence"), utc("2026-12-04 12:00"), FORMATS[1:], ROUNDS[1:], 2, playing=playing)
    assert found.cycles[0].market_closes == utc("2026-12-12 12:00")


def test_the_last_cycle_warns_too_that_the_season_will_not_be_over_in_time() -> None:
    calendar, now = of("weekly", ends_on="2026-12-16"), utc("2026-11-26 19:00")
    for unpaired, codes in ((1, []), (2, ["ends_too_late"])):
        playing = Playing(6, "grand_melee", (utc("2026-12-03 19:00"),), unpaired)
        found = plan(calendar, now, (), (), 7, playing=playing)
        assert found.cycles == ()
        assert [warned.code for warned in found.warnings] == codes
    assert found.warnings[0].parameters["planned"] == "2026-12-20"


def test_the_warning_of_a_played_season_uses_the_dates_of_its_plan() -> None:
    calendar = of("weekly", ends_on="2027-05-01")
    started = after_the_first(calendar, "2026-11-29 19:00", "2026-12-06 19:00", 2)
    assert started.ends is not None
    last = started.ends.date()
    for days, codes in ((-1, ["ends_too_late"]), (0, [])):
        wanted = of("weekly", ends_on=(last + timedelta(days=days)).isoformat())
        again = after_the_first(wanted, "2026-11-29 19:00", "2026-12-06 19:00", 2)
        assert [warned.code for warned in again.warnings] == codes


def test_without_deadlines_there_is_no_plan_while_rounds_are_played_either() -> None:
    assert after_the_first(of("solo"), "2026-11-29 19:00", None, 2) == Plan((), ())
