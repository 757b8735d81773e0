"""What becomes of stand-ins when a match is called for or settled, and when a stable gets another owner."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from people.services.guests import end_guest
from stables.models import Fixture, FixtureSide, Passing, StandIn, TablePin


def take_up(sides: Iterable[FixtureSide], now: datetime | None = None) -> None:
    """Give new sides to the people who stand in for their stables this evening; two queries if there are any.

    A person who plays in a match themself stands in for nobody in it.
    """
    sides = list(sides)
    evening = StandIn.objects.filter(ended_at=None, until__gt=now or timezone.now(), user__isnull=False)
    named = dict(evening.filter(stable__in=[side.stable_id for side in sides]).values_list("stable", "user"))
    changed = []
    for side in sides:
        person = named.get(side.stable_id)
        rivals = [other for other in sides if other.fixture_id == side.fixture_id]
        if (
            person is not None
            and side.stand_in_id is None
            and all(person not in (one.stable.owner_id, one.stand_in_id) for one in rivals)
        ):
            side.stand_in_id = person
            changed.append(side)
    if changed:
        FixtureSide.objects.bulk_update(changed, ["stand_in"])


def end_with_match(fixture: Fixture, now: datetime) -> None:
    """End the stand-ins of a settled match: their right to play it, and the accounts of guests; five queries or more.

    Call it with the fixture locked. One who stands in for a whole evening goes on with its other matches, and gets a
    row of this match: whoever played it is no judge of it later.
    """
    of_match = set(fixture.stand_ins.filter(ended_at=None).values_list("stable", "user"))
    for side in fixture.sides.exclude(stand_in=None):
        if (side.stable_id, side.stand_in_id) not in of_match:
            evening = StandIn.objects.filter(stable=side.stable_id, user=side.stand_in_id, fixture=None).last()
            about = {} if evening is None else {"reason": evening.reason, "made_by_id": evening.made_by_id}
            StandIn.objects.create(
                stable_id=side.stable_id, fixture=fixture, user_id=side.stand_in_id, ended_at=now, **about
            )
    _end(fixture.sides.exclude(stand_in=None), fixture.stand_ins.filter(ended_at=None), now)


def end_with_exchange(fixture_ids: Collection[int], stable_ids: Collection[int], now: datetime) -> None:
    """End the stand-ins for one match of stables that were exchanged, and give the evening's their new matches."""
    rows = StandIn.objects.filter(fixture__in=fixture_ids, stable__in=stable_ids, ended_at=None)
    _end(FixtureSide.objects.none(), rows, now)
    matches = FixtureSide.objects.filter(fixture__in=fixture_ids, fixture__kind=Fixture.Kind.MATCH)
    take_up(matches.select_related("stable"), now)


def end_for_stable(stable_id: int, now: datetime) -> None:
    """End all stand-ins of a stable, which has another owner."""
    _end(
        FixtureSide.objects.filter(stable=stable_id).exclude(stand_in=None),
        StandIn.objects.filter(stable=stable_id, ended_at=None),
        now,
    )


def end_with_season(season_id: int, now: datetime) -> None:
    """End all stand-ins of a season, which is cancelled: its open matches are never settled."""
    _end(
        FixtureSide.objects.filter(fixture__round__cycle__season=season_id).exclude(stand_in=None),
        StandIn.objects.filter(stable__season=season_id, ended_at=None),
        now,
    )


def end_one(row: StandIn, now: datetime) -> None:
    """End one stand-in before its match: in its match, or in all open matches of the stable for an evening.

    Sides that somebody else stands in on keep them, as those of a link that nobody has used.
    """
    sides = FixtureSide.objects.filter(stable=row.stable_id, stand_in=row.user_id).exclude(stand_in=None)
    of_it = sides if row.fixture_id is None else sides.filter(fixture=row.fixture_id)
    _end(of_it, StandIn.objects.filter(pk=row.pk), now)


def _end(sides: QuerySet[FixtureSide], rows: QuerySet[StandIn], now: datetime) -> None:
    # A PIN is for the person who played until now.
    TablePin.objects.filter(side__in=sides).delete()
    sides.update(stand_in=None)
    ended = list(rows.select_related("user"))
    if ended:
        StandIn.objects.filter(pk__in=[row.pk for row in ended]).update(ended_at=now)
        links = Passing.objects.filter(stand_in__in=ended, passed_at=None, revoked_at=None)
        links.update(revoked_at=now)
    guests: list[Any] = [row.user for row in ended if row.user is not None and row.user.is_guest]
    for guest in guests:
        if not guest.stables.exists():
            # The account was for this match alone, and ends with its sessions.
            end_guest(guest)
