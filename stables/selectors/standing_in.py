"""The people who play for the owners of stables: who stands in for a stable now, and for which of its matches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from stables.models import Fixture, FixtureSide, Passing, Season, Stable, StandIn


def open_stand_ins(stable: Stable, now: datetime | None = None) -> QuerySet[StandIn]:
    """Return the stand-ins of a stable that have not ended, as a query: the oldest first, with match and person.

    After its evening a stand-in is here while a match of it is open, a link only while it can be used.
    """
    return _open_ones(now).filter(stable=stable).select_related("fixture__round__cycle", "user").order_by("pk")


def people_standing_in(season: Season, now: datetime | None = None) -> QuerySet[StandIn, int | None]:
    """Return the ids of the people who stand in for stables of a season, as a query; None stands for an open link."""
    return _open_ones(now).filter(stable__season=season).values_list("user", flat=True)


def _open_ones(now: datetime | None) -> QuerySet[StandIn]:
    now = now or timezone.now()
    plays = Exists(open_matches().filter(stable=OuterRef("stable"), stand_in=OuterRef("user")))
    ahead = Q(until=None) | Q(until__gt=now) | Q(plays)
    links = Passing.objects.filter(stand_in=OuterRef("pk"), passed_at=None, revoked_at=None, expires_at__gt=now)
    has_person = Q(user__isnull=False) | Q(Exists(links))
    found = StandIn.objects.filter(ahead, has_person, ended_at=None)
    return found.exclude(fixture__state=Fixture.State.SETTLED)


def open_sides(stable: Stable) -> QuerySet[FixtureSide]:
    """Return the sides of a stable's matches that are still to be played, as a query, with fixture, round and cycle."""
    sides = open_matches().filter(stable=stable).select_related("fixture__round__cycle", "stable")
    return sides.order_by("fixture__round", "id")


def open_matches() -> QuerySet[FixtureSide]:
    """Return all sides of matches that are still to be played, as a query."""
    sides = FixtureSide.objects.filter(fixture__kind=Fixture.Kind.MATCH, forfeits="")
    return sides.exclude(fixture__state=Fixture.State.SETTLED)


def stands_in(user: Any, season: Any) -> Q:
    """Return the condition on FixtureSide that a person stands in on it, in a season (or an OuterRef to one)."""
    return Q(stand_in=user.pk, fixture__round__cycle__season=season)


def may_line_up(user: Any, stable: Stable, fixture_id: int | None) -> bool:
    """Return whether a person decides the line-up of a stable in a match: its owner or the stand-in.

    No query for the owner, one for others.
    """
    if user.pk is None:
        return False
    return stable.owner_id == user.pk or open_sides(stable).filter(fixture=fixture_id, stand_in=user.pk).exists()
