"""A date and time that somebody types is read by the clock of their zone, also where that clock is changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.utils import timezone, translation

from rules.core.refusals import Malformed
from rules.wording import sentence
from stables.forms.hand_over import HandOverForm
from stables.models import Stable
from web.languages.reader import translate
from web.reading import moment_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TYPED = {"2026-10-25T02:30": "2026-10-25 00:30", "2026-10-25T03:00": "2026-10-25 02:00"}


def by_fields(typed: str) -> Any:
    return moment_of({"at": typed}, "at")


def by_form(typed: str) -> Any:
    return HandOverForm(Stable(capital=0), NOW, QueryDict(f"scope=play_and_repair&to={typed}")).read()["to"]


readers = pytest.mark.parametrize("reads", [by_fields, by_form])


@readers
@pytest.mark.parametrize("typed", TYPED)
def test_of_an_hour_that_comes_twice_the_first_is_meant(reads: Any, typed: str) -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert reads(typed) == datetime.fromisoformat(TYPED[typed]).replace(tzinfo=UTC)


@readers
@pytest.mark.parametrize(
    ("zone", "typed"), [("Europe/Berlin", "2026-03-29T02:30"), ("Australia/Lord_Howe", "2026-10-04T02:15")]
)
def test_a_time_that_the_clock_skips_is_refused_by_name(reads: Any, zone: str, typed: str) -> None:
    with timezone.override(ZoneInfo(zone)), pytest.raises(Malformed) as problem:
        reads(typed)
    assert (problem.value.code, problem.value.parameters) == (
        "time_skipped", {"time": typed.replace("T", " "), "zone": zone},
    )  # fmt: skip


CAMPAIGN = {"date": "2026-11-26 19:30 UTC", "due": "2026-11-25T12:00:00+00:00", "from": "2026-11-26 19:30 UTC"}
REFUSED = {
    "date_not_ahead": CAMPAIGN,
    "date_too_far": {**CAMPAIGN, "days": 366},
    "date_after_deadline": CAMPAIGN,
    "deadline_not_ahead": CAMPAIGN,
    "hand_over_takes_no_time": {**CAMPAIGN, "to": "2026-11-26 19:30 UTC"},
    "deadline_on_day_off": {"day": "2026-11-26"},
    "time_skipped": {"time": "2026-11-26 20:30", "zone": "Europe/Warsaw"},
}
ZONES = {"date_after_deadline": 2, "hand_over_takes_no_time": 2, "deadline_on_day_off": 0, "time_skipped": 0}
"""In how many places a sentence names the reader's zone, where it is not one."""


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize(
    ("language", "day", "clock"),
    [("en", "Thu 26 Nov 2026", "20:30"), ("pl", "26 listopada 2026", "20:30"), ("de", "26. November 2026", "20:30")],
)
def test_refusals_name_times_as_pages_of_the_language_do(code: str, language: str, day: str, clock: str) -> None:
    with translation.override(language), timezone.override(ZoneInfo("Europe/Warsaw")):
        said = sentence(code, REFUSED[code], translate)
    assert day in said
    assert "2026-11" not in said
    assert (clock in said) is (code != "deadline_on_day_off")
    assert said.count("(Europe/Warsaw)") == ZONES.get(code, 1)
    assert not said.removeprefix("\u2068")[0].islower()


def test_a_hex_of_a_path_is_no_time() -> None:
    assert " from 0607 (" in sentence("path_abrupt", {"from": "0607", "hex": "0608"}, translate)
