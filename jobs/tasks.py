"""The Celery tasks of jobs: one does a job, and beat sends the other every few seconds (JOB_SWEEP_SECONDS)."""

from celery import shared_task

from jobs import services


@shared_task(name="jobs.run_job")
def run_job(job_id: int, attempt: int) -> bool:
    """Do a job if this attempt may; return whether it was claimed. A failure is recorded, not raised."""
    return services.run_job(job_id, attempt)


@shared_task(name="jobs.sweep", ignore_result=True)
def tick() -> None:
    """Take back jobs whose lease has ended, scan for work, and notify workers of jobs that wait.

    The name of this task is stored in the schedules of running sites.
    """
    services.tick()
