"""When reports agree, and when silence does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rules.campaign.results.agreeing import CONFIRMS_AFTER, agree, fields_of, may_decide, reminders_due

OWNERS = {"red-1": 1, "blue-1": 2, "green-1": 3}
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def said(winner: str = "red", **clicks: int) -> dict[str, Any]:
    units = {name: {"clicks": clicks.get(name.split("-")[0], 0)} for name in OWNERS}
    return {"winner": winner, "sides": {"red": {"tokens": 5}}, "units": units}


def test_between_two_stables_every_field_must_be_equal() -> None:
    two = {"red-1": 1, "blue-1": 2}
    assert agree({1: said(), 2: said()}, two, 2).report == said()
    differing = agree({1: said(), 2: said("blue", red=3)}, two, 2)
    assert (differing.report, differing.differing) == (None, ("winner", "units.red-1.clicks"))


def test_one_report_stands_for_itself() -> None:
    assert agree({1: said()}, OWNERS, 2).report == said()
    assert agree({1: said()}, OWNERS, 3).report == said()


def test_among_more_an_owner_speaks_for_their_unit_and_a_majority_for_the_rest() -> None:
    reports = {1: said(red=1, blue=9), 2: said(red=9, blue=2), 3: said("blue", blue=9, green=3)}
    assert agree(reports, OWNERS, 3).report == said(red=1, blue=2, green=3)


def test_without_a_majority_nothing_is_agreed() -> None:
    reports = {1: said("red"), 2: said("blue")}
    assert agree(reports, OWNERS, 3).differing == ("winner",)
    # Half is no majority.
    four = {**reports, 3: said("red"), 4: said("blue")}
    assert agree(four, {**OWNERS, "gold-1": 4}, 4).differing == ("winner",)


def test_fields_are_named_by_their_paths() -> None:
    assert fields_of(said()) == {
        "winner": "red",
        "sides.red.tokens": 5,
        "units.red-1.clicks": 0,
        "units.blue-1.clicks": 0,
        "units.green-1.clicks": 0,
    }


def test_silence_confirms_after_a_day_with_reminders_after_eight_and_sixteen_hours() -> None:
    assert timedelta(hours=24) == CONFIRMS_AFTER
    due = NOON + CONFIRMS_AFTER
    counts = [reminders_due(NOON, due, NOON + timedelta(hours=hours)) for hours in (0, 7, 8, 15, 16, 23, 30)]
    assert counts == [0, 0, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("office", "takes_part", "may"),
    [
        ("organiser", False, True),
        ("co_organiser", False, True),
        ("referee", False, True),
        ("referee", True, False),
        ("organiser", True, False),
        ("", False, False),
    ],
)
def test_a_participant_never_decides(office: str, takes_part: bool, may: bool) -> None:
    assert may_decide(office, takes_part) is may


def test_where_no_time_is_left_all_reminders_are_due() -> None:
    assert reminders_due(NOON, NOON, NOON - timedelta(hours=1)) == 2
