"""A date and time that somebody types is read by the clock of their zone, also where that clock is changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.utils import timezone

from rules.core.refusals import Malformed
from stables.forms.hand_over import HandOverForm
from stables.models import Stable
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
