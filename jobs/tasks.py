"""The Celery tasks of jobs: one does a due job, and beat sends the other every few seconds (JOB_SWEEP_SECONDS)."""

from celery import shared_task

from jobs import services


@shared_task(name="jobs.run_job", ignore_result=True)
def run_job(job_id: int, attempt: int) -> bool:
    """Do the due job whose turn it is; return whether there was one. A failure is recorded, not raised.

    The message names the job for which it was sent, for people who read the queue.
    """
    return services.run_next()


@shared_task(name="jobs.sweep", ignore_result=True)
def tick() -> None:
    """Take back jobs whose lease has ended, scan for work, and notify workers of jobs that wait.

    The name of this task is stored in the schedules of running sites.
    """
    services.tick()
