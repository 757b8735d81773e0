"""Reads of jobs, for people and metrics that watch how long work waits."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest, Now

from jobs.models import Job


def unfinished(**payload: int) -> QuerySet[Any]:
    """Return running, queued and failed jobs with these values in their payload, in order of id; one query.

    Each has the number of its done steps as `steps_done`. A queued job whose time has not come is left out, unless it
    waits for the next attempt after a failure.
    """
    waits_for_its_time = Q(state=Job.State.QUEUED, not_before__gt=Now(), error_code="")
    states = [Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED]
    about = {f"payload__{name}": value for name, value in payload.items()}
    return (
        Job.objects.filter(state__in=states, **about)
        .exclude(waits_for_its_time)
        .annotate(steps_done=Count("steps"))
        .order_by("id")
    )


def longest_wait() -> float:
    """Return for how many seconds the oldest due job has waited, by the database's clock; 0.0 without one; one query.

    A job that is tried or started again has waited since its last attempt began or since its pause ended, whichever was
    later.
    """
    is_due = Q(not_before__isnull=True) | Q(not_before__lte=Now())
    since = Greatest("created_at", Coalesce("not_before", "created_at"), Coalesce("started_at", "created_at"))
    waits = Job.objects.filter(is_due, state=Job.State.QUEUED).annotate(since=since)
    found = waits.order_by("since").values_list("since", Now()).first()
    return 0.0 if found is None else max(0.0, (found[1] - found[0]).total_seconds())
