"""Reading jobs for those who wait for them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest, Now

from jobs.models import Job


def unfinished(**payload: int) -> QuerySet[Any]:
    """Jobs with these values in their payload that are at work, due or failed, each with the `steps_done`; one query.

    Left out is what waits for its first time to come.
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
    """Return how many seconds the job that waits longest is due, on the database's clock; 0.0 when none is; one query.

    A job that is tried or started once more waits since its last attempt began, or since its pause was over.
    """
    is_due = Q(not_before__isnull=True) | Q(not_before__lte=Now())
    since = Greatest("created_at", Coalesce("not_before", "created_at"), Coalesce("started_at", "created_at"))
    waits = Job.objects.filter(is_due, state=Job.State.QUEUED).annotate(since=since)
    found = waits.order_by("since").values_list("since", Now()).first()
    return 0.0 if found is None else max(0.0, (found[1] - found[0]).total_seconds())
