"""The endpoints of a season's jobs: running and failed jobs, and a restart."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Output, StrictChoice
from jobs.models import Job
from jobs.services import restart
from stables.api.organising.base import Organising
from stables.presenters.jobs import season_job, season_jobs

TOPIC = "Jobs"
JOB_ID = OpenApiParameter("job_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class JobOutput(Output):
    """A job. `done` of `planned` steps are done; `planned` is null until the job knows its steps.

    `work` says in words what it does. `error_code` and `error` are those of the last attempt that failed, empty before.
    """

    id = serializers.IntegerField()
    name = serializers.CharField()
    work = serializers.CharField(source="label")
    state = serializers.ChoiceField(choices=Job.State.values)
    attempt = serializers.IntegerField()
    done = serializers.IntegerField()
    planned = serializers.IntegerField(allow_null=True)
    error_code = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)


class JobsQuery(Pages):
    """Which jobs."""

    state = StrictChoice(choices=[state for state in Job.State.values if state != Job.State.DONE], required=False)


JOB: dict[str, Any] = {
    "id": 41,
    "name": "stables.close_cycle",
    "work": "closing the cycle",
    "state": "running",
    "attempt": 1,
    "done": 3,
    "planned": 8,
    "error_code": "",
    "error": "",
}


class Jobs(Organising):
    """The jobs that a season waits for."""

    @describes(
        "jobs_list",
        "The jobs that a season waits for",
        TOPIC,
        answers=pages_of(JobOutput),
        asks=JobsQuery,
        examples=[example("One at work", {"count": 1, "page": 1, "pages": 1, "results": [JOB]})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the failed jobs, then those that run, are due or wait for another attempt, both in the order in which
        they were asked for. For the organisers.
        """
        season, asked = self.organised_season(), self.asked(JobsQuery)
        lines = [line for line in season_jobs(season) if asked.get("state", line.state) == line.state]
        return self.page_of(lines, asked, lambda own: JobOutput(own, many=True).data)


class JobItself(Organising):
    """One job of a season."""

    @describes("jobs_read", "A job", TOPIC, answers=JobOutput, parameters=[JOB_ID], examples=[example("At work", JOB)])
    def get(self, request: Any, season_slug: str, job_id: int) -> Response:
        """Return the job for the organisers of its season, even when it is done."""
        line = season_job(self.organised_season(), job_id)
        if line is None:
            raise Http404
        return Response(JobOutput(line).data)


class RestartJob(Organising):
    """The restart of a failed job."""

    @describes(
        "jobs_restart",
        "Start a failed job again",
        TOPIC,
        answers=JobOutput,
        parameters=[JOB_ID],
        examples=[example("It waits for a worker", {**JOB, "state": "queued", "attempt": 6})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, job_id: int) -> Response:
        """Give the job all its attempts again; what it did stays done. Refused: job_not_failed."""
        season = self.organised_season()
        restart(get_object_or_404(Job, pk=job_id, payload__season=season.pk))
        return Response(JobOutput(season_job(season, job_id)).data)
