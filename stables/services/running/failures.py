"""Failed jobs of seasons: their organisers hear of them, since nobody else can start them again."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from people.services.accounts import notify
from stables.models import Season
from stables.selectors.offices import organisers_of

LATELY = timedelta(days=1)
MOST_AT_ONCE = 100
"""The most failed jobs that one look takes up."""


def failed_lately(now: datetime | None = None) -> list[tuple[int, int]]:
    """Return (id, attempt) of the newest jobs of seasons that failed within LATELY; one query."""
    since = (now or timezone.now()) - LATELY
    failed = Job.objects.filter(state=Job.State.FAILED, finished_at__gt=since, payload__has_key="season")
    return list(failed.order_by("-id").values_list("pk", "attempt")[:MOST_AT_ONCE])


def tell_failed(*, job_id: int) -> None:
    """Write the organisers the notice that a job has failed, unless it was started again. Call it in a step."""
    failed = Job.objects.filter(pk=job_id, state=Job.State.FAILED).first()
    season = None if failed is None else Season.objects.filter(pk=failed.payload.get("season")).first()
    if failed is None or season is None:
        return
    facts = {"season": season.name, "job": failed.name, "number": failed.pk}
    notify(organisers_of(season), "job_failed", facts, reverse("stables:console", args=[season.slug]))
