"""Two phones with one link, and many guesses at one PIN, at the same moment on the real database of the run."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from people.models import User
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, Season, Stable, TablePin
from stables.services.results import pins, reports
from stables.services.running import guests, passing, standing_in
from tests.stables.running.test_concurrency import at_once
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of, tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
NAMES = ["Ash", "Birch", "Cedar", "Dogwood"]


@pytest.fixture
def at_tables(release: Any) -> Season:
    return tables(release, NAMES)


def codes(results: list[Any]) -> list[str]:
    return [each.code for each in results if isinstance(each, (SeasonRefused, Malformed, PermissionDenied))]


def test_of_two_phones_that_open_one_guest_link_one_wins(at_tables: Season) -> None:
    free = at_tables.stables.order_by("number").last()
    assert free is not None
    Stable.objects.filter(pk=free.pk).update(owner=None, is_ai=True)
    made = guests.make_seat_link(stable_id=free.pk, reason="agreed", user=person("organiser"))
    results = at_once([lambda: guests.take_seat(passing_id=passing.find(made.code).pk)] * 2)
    assert codes(results) == ["link_used"]
    [seated] = [each for each in results if isinstance(each, User)]
    assert list(User.objects.filter(is_guest=True)) == [seated]
    free.refresh_from_db()
    assert (free.owner, free.is_ai) == (seated, False)


def test_of_two_phones_that_open_one_link_of_a_stand_in_one_wins(at_tables: Season) -> None:
    fixture = fixture_of(at_tables)
    side = sides_of(fixture)[0]
    about: dict[str, Any] = {"stable_id": side.stable_id, "fixture_id": fixture.pk, "user": side.stable.owner}
    found = passing.find(standing_in.make_link(reason="agreed", **about).code)
    results = at_once([lambda: standing_in.take_place(passing_id=found.pk)] * 2)
    assert codes(results) == ["link_used"]
    guest = User.objects.get(is_guest=True)
    assert FixtureSide.objects.get(pk=side.pk).stand_in == guest


def test_guesses_at_the_same_moment_use_as_many_tries_as_they_are(at_tables: Season) -> None:
    fixture: Fixture = fixture_of(at_tables)
    red, blue = sides_of(fixture)
    filed = reports.file_report(fixture_id=fixture.pk, stable_id=red.stable_id, document=red_wins())
    report = fixture.reports.get(number=filed.number)
    right = pins.make_pin(fixture_id=fixture.pk, stable_id=blue.stable_id, user=blue.stable.owner).pin
    wrong = [f"{number:04d}" for number in range(12) if f"{number:04d}" != right][:10]
    about: dict[str, Any] = {"fixture_id": fixture.pk, "stable_id": blue.stable_id, "report_id": report.pk}
    few = at_once([lambda pin=pin: pins.confirm_by_pin(pin=pin, **about) for pin in wrong[:3]])
    assert codes(few) == ["table_wrong_pin"] * 3
    assert TablePin.objects.get().tries_left == pins.TRIES - 3
    rest = at_once([lambda pin=pin: pins.confirm_by_pin(pin=pin, **about) for pin in wrong])
    assert sorted(codes(rest)) == ["table_pin_locked"] * 8 + ["table_wrong_pin"] * 2
    assert TablePin.objects.get().tries_left == 0
    assert codes(at_once([lambda: pins.confirm_by_pin(pin=right, **about)])) == ["table_pin_locked"]
