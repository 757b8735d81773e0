"""Reminding the persons of a fixture that its agreed date is near."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from people.services import notify
from stables.models import Fixture
from stables.services.asking import ask_for

NEAR = timedelta(hours=1)
FIXTURES_A_SWEEP = 200


def near_fixtures(now: datetime | None = None) -> list[Fixture]:
    """Return the open fixtures whose agreed date is within the hour, for a sweep; one query."""
    now = now or timezone.now()
    near = Fixture.objects.filter(
        scheduled_at__gt=now, scheduled_at__lte=now + NEAR, round__cycle__season__paused_at=None
    )
    near = near.exclude(state=Fixture.State.SETTLED).exclude(mode=Fixture.Mode.AI)
    listed = near.select_related("round__cycle__season").defer("round__cycle__season__secret").order_by("scheduled_at")
    return list(listed[:FIXTURES_A_SWEEP])


def remind_of_match(fixture: Fixture) -> None:
    """Ask that the persons of a fixture are reminded of its agreed date; the same date asks once."""
    if fixture.scheduled_at is not None:
        key = f"fixture:{fixture.pk}:near:{fixture.scheduled_at.isoformat()}"
        ask_for(fixture.round.cycle.season, "stables.remind_of_match", key, fixture=fixture.pk)


@transaction.atomic
def tell_near(*, fixture_id: int, now: datetime | None = None) -> int:
    """Tell the persons of a fixture that its date is near; returns how many. Nobody when it was moved or is over."""
    now = now or timezone.now()
    fixture = Fixture.objects.select_related("round__cycle__season").get(pk=fixture_id)
    at = fixture.scheduled_at
    if fixture.state == Fixture.State.SETTLED or at is None or not now < at <= now + NEAR:
        return 0
    sides = list(fixture.sides.filter(forfeits="").select_related("stable__owner").order_by("id"))
    season = fixture.round.cycle.season
    people = [side.stable.owner for side in sides if side.stable.owner is not None and not side.stable.is_ai]
    names = " – ".join(side.stable.name for side in sides)
    address = f"{season.get_absolute_url()}fixtures/{fixture.pk}/"
    return len(notify(people, "match_near", {"season": season.name, "match": names}, address))
