"""The people who run a season: its organiser, and others with an office in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q

from stables.models import FixtureSide, Season, SeasonRole, Stable

ORGANISERS = ("organiser", SeasonRole.Role.CO_ORGANISER)
"""The offices that run a season."""


def organises(user: Any, season: Season) -> bool:
    """Return whether a person is the season's organiser or a co-organiser; at most one query."""
    if not user.is_authenticated:
        return False
    return season.organiser_id == user.pk or (
        SeasonRole.objects.filter(season=season, user=user, role=SeasonRole.Role.CO_ORGANISER).exists()
    )


def organiser_ids(season: Season) -> set[int]:
    """Return the accounts of the season's organiser and co-organisers; one query."""
    helpers = season.roles.filter(role=SeasonRole.Role.CO_ORGANISER).values_list("user_id", flat=True)
    return {*helpers, *([] if season.organiser_id is None else [season.organiser_id])}


def organisers_of(season: Season, without: Iterable[int | None] = ()) -> list[Any]:
    """Return the season's organiser and co-organisers for a notice, apart from the accounts `without`; one query."""
    return _with_office(season, [SeasonRole.Role.CO_ORGANISER], without)


def deciders_of(season: Season, sides: Iterable[FixtureSide]) -> list[Any]:
    """Return who may decide a disputed match: organisers and referees who neither own nor stand in there; one query."""
    playing = [person for side in sides for person in (side.stable.owner_id, side.stand_in_id)]
    return _with_office(season, SeasonRole.Role.values, playing)


def everybody_in(season: Season, without: Iterable[int | None] = ()) -> list[Any]:
    """Return all whom a change of the whole season concerns, for a notice, apart from the accounts `without`.

    They own a stable that has not left, wait for a place, or have an office; one query. Not all of them asked for it,
    so their notices have names in quotation marks.
    """
    owners = Stable.objects.filter(season=season, left_in_cycle=None, owner__isnull=False).values("owner")
    taking_part = Q(pk__in=owners) | Q(pk__in=season.waiting.values("user"))
    with_office = Q(pk=season.organiser_id) | Q(pk__in=season.roles.values("user"))
    people = get_user_model().objects.filter(taking_part | with_office, is_active=True)
    return list(people.exclude(pk__in=[pk for pk in without if pk is not None]).order_by("pk"))


def _with_office(season: Season, roles: Iterable[str], without: Iterable[int | None]) -> list[Any]:
    helpers = season.roles.filter(role__in=roles).values("user")
    people = get_user_model().objects.filter(Q(pk=season.organiser_id) | Q(pk__in=helpers), is_active=True)
    return list(people.exclude(pk__in=[pk for pk in without if pk is not None]).order_by("pk"))


def office_in(season: Season, user: Any) -> str:
    """Return a person's office in a season: organiser, co_organiser, referee, or ""; at most one query."""
    if not user.is_authenticated:
        return ""
    if season.organiser_id == user.pk:
        return "organiser"
    return SeasonRole.objects.filter(season=season, user=user).values_list("role", flat=True).first() or ""
