"""The jobs that a season waits for, and those that failed, for the component templates/stables/season_jobs.html."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from jobs.models import Job
from jobs.selectors import unfinished
from stables.models import Season
from stables.text.jobs import label_of

STEPS_DONE = "steps_done"
"""The name under which jobs.selectors counts the finished steps of each job."""


@dataclass(frozen=True)
class JobLine:
    """A job of a season: `done` of `planned` steps. `planned` is None until the job says how many steps it has.

    `error` is the text of the last failure, for organisers only.
    """

    id: int
    name: str
    label: str
    state: str
    attempt: int
    done: int
    planned: int | None
    error_code: str
    error: str

    @property
    def is_failed(self) -> bool:
        return self.state == Job.State.FAILED

    @property
    def is_running(self) -> bool:
        return self.state == Job.State.RUNNING


def season_jobs(season: Season) -> list[JobLine]:
    """Return the jobs that the season waits for: failed ones first, then running and due ones; one query.

    Both groups are in the order in which the jobs were made. Jobs whose first time has not come are left out.
    """
    lines = [_line(job) for job in unfinished(season=season.pk)]
    return sorted(lines, key=lambda line: not line.is_failed)


def season_job(season: Season, job_id: int) -> JobLine | None:
    """Return the job of the season with this id, in any state; None when the season has no such job. One query."""
    found = Job.objects.filter(pk=job_id, payload__season=season.pk).annotate(**{STEPS_DONE: Count("steps")}).first()
    return None if found is None else _line(found)


def _line(job: Job) -> JobLine:
    done = getattr(job, STEPS_DONE)
    return JobLine(
        id=job.pk,
        name=job.name,
        label=label_of(job.name),
        state=job.state,
        attempt=job.attempt,
        done=done,
        # A job that is started again may find more to do than it planned.
        planned=None if job.planned is None else max(job.planned, done),
        error_code=job.error_code,
        error=job.error_text,
    )
