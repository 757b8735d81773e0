"""The people who run a season: its organiser, and others with an office in it."""

from __future__ import annotations

from typing import Any

from stables.models import Season, SeasonRole

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


def office_in(season: Season, user: Any) -> str:
    """Return a person's office in a season: organiser, co_organiser, referee, or ""; at most one query."""
    if not user.is_authenticated:
        return ""
    if season.organiser_id == user.pk:
        return "organiser"
    return SeasonRole.objects.filter(season=season, user=user).values_list("role", flat=True).first() or ""
