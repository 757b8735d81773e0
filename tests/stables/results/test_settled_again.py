"""A match that was opened again and is settled a second time: who has taken part in it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model

from stables.models import Fixture, FixtureSide, StandIn
from stables.services.results import reports, rulings
from tests.stables.results.test_reports import by_silence, fixture, reopen, season
from tests.stables.tabletop_matches import NOON, sides_of

__all__ = ["fixture", "season"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


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
