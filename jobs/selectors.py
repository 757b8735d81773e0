"""Reading jobs for those who wait for them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

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
