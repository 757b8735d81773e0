"""Locks that services take first, in the order season, cycle, round, fixture, stables by id."""

from __future__ import annotations

from stables.models import Season


def lock_season(season_id: int) -> Season:
    """Return the season with its release, its row locked until the transaction ends.

    Other transactions may still write rows that refer to the season. Raises Season.DoesNotExist.
    """
    return Season.objects.select_for_update(of=("self",), no_key=True).select_related("release").get(pk=season_id)
