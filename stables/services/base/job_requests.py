"""A season's requests for work: rows of jobs, written in the caller's transaction."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from jobs.services import enqueue
from stables.models import Season


def ask_for(season: Season, job_name: str, unique_key: str, not_before: datetime | None = None, **payload: Any) -> None:
    """Queue a job of this season, due now or at `not_before`; a second request with the same key changes nothing.

    The job's payload is `payload` with the season's id.
    """
    enqueue(
        job_name,
        {"season": season.pk, **payload},
        unique_key=f"stables:{unique_key}",
        not_before=not_before,
        turn=turn_of(season.pk, season.organiser_id),
    )


def turn_of(season_id: int, organiser_id: int | None) -> str:
    """Return the turn in which workers take a season's jobs: its organiser's, or its own without an organiser."""
    return f"season:{season_id}" if organiser_id is None else f"organiser:{organiser_id}"
