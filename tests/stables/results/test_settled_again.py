"""A match that was opened again and is settled a second time: who has taken part in it."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module
from unittest.mock import patch

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model

from stables.models import Correction, Fixture, FixtureSide, Result, StandIn
from stables.services.results import reports, rulings
from tests.stables.results.test_reports import by_silence, fixture, reopen, season
from tests.stables.tabletop_matches import NOON, sides_of

__all__ = ["fixture", "season"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]
migration = import_module("stables.migrations.0025_ends_of_stand_ins")


def test_who_stands_in_when_it_is_settled_again_has_taken_part(fixture: Fixture) -> None:
    by_silence(fixture)
    reopen(fixture)
    double = get_user_model().objects.create_user("double", "double@example.org", "-")
    red, _ = sides_of(fixture)
    StandIn.objects.create(stable=red.stable, fixture=fixture, user=double, reason="ill")
    FixtureSide.objects.filter(pk=red.pk).update(stand_in=double)
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=24)) == "confirmed"
    assert FixtureSide.objects.get(pk=red.pk).stand_in is None
    assert rulings.takes_part(double, fixture)


def corrected(result: Result, number: int, kind: str, at: datetime) -> None:
    with patch("django.utils.timezone.now", return_value=at):
        reason = "I was away" if kind == "reopen" else ""
        Correction.objects.create(result=result, number=number, kind=kind, reason=reason, document=result.document)


def test_ends_of_the_version_before_are_lifted_to_the_second_result_and_no_others(fixture: Fixture) -> None:
    """It took the end a moment before that result; who stood in only between the two ends has no part in the match."""
    by_silence(fixture)
    result, moment = Result.objects.get(fixture=fixture), timedelta(milliseconds=40)
    opened, again = (result.settled_at + timedelta(hours=hours) for hours in (1, 2))
    corrected(result, 1, "reopen", opened)
    corrected(result, 2, "replace", again)
    ends = {
        "first": result.settled_at + moment,
        "between": again - timedelta(minutes=1),
        "second": again - moment,
        "later": again + moment,
    }
    red, _ = sides_of(fixture)
    people = {name: get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in ends}
    for name, ended in ends.items():
        about = {"stable": red.stable, "fixture": fixture, "reason": "ill"}
        StandIn.objects.create(user=people[name], ended_at=ended, **about)
    assert not rulings.takes_part(people["second"], fixture)
    migration.lift_ends(apps, None)
    kept = dict(StandIn.objects.filter(fixture=fixture).values_list("user__username", "ended_at"))
    assert kept == {**ends, "second": again}
    part = {name for name, person in people.items() if rulings.takes_part(person, fixture)}
    assert part == {"first", "second", "later"}


def test_the_end_of_a_match_that_was_corrected_at_once_and_never_opened_again_stays(fixture: Fixture) -> None:
    by_silence(fixture)
    result = Result.objects.get(fixture=fixture)
    corrected(result, 1, "replace", result.settled_at + timedelta(seconds=1))
    red, _ = sides_of(fixture)
    double = get_user_model().objects.create_user("double", "double@example.org", "-")
    StandIn.objects.create(stable=red.stable, fixture=fixture, user=double, reason="ill", ended_at=result.settled_at)
    migration.lift_ends(apps, None)
    assert StandIn.objects.get(user=double).ended_at == result.settled_at
