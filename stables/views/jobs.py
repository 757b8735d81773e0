"""What organisers may do about the jobs of their season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from jobs.models import Job
from jobs.services import restart
from stables.requests import answer, for_people, organised


@for_people
def restart_job(request: HttpRequest, season_slug: str, job_id: int) -> HttpResponse:
    """Start a failed job of the season again; its organisers only. Refused (job_not_failed) for any other."""
    season = organised(request, season_slug)
    restart(get_object_or_404(Job, pk=job_id, payload__season=season.pk))
    return answer(request, None, gettext("The job was started again."), season.get_absolute_url())
