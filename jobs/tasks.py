"""The one Celery task that does jobs, and the one that beat sends."""

from celery import shared_task

from jobs import services


@shared_task(name="jobs.run_job")
def run_job(job_id: int, attempt: int) -> bool:
    """Do a job if this attempt may; return whether it was claimed."""
    return services.run_job(job_id, attempt)


@shared_task(name="jobs.sweep", ignore_result=True)
def tick() -> None:
    """Reclaim expired leases and notify workers of jobs that wait. Its name is stored in schedules of running sites."""
    services.tick()
