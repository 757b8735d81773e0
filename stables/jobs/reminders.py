"""The jobs that remind people of matches near their date, of a place that is free for them, and of failed jobs."""

from __future__ import annotations

from jobs.registry import job, periodic
from jobs.run import Run
from jobs.services import enqueue
from stables.services.fixtures import reminders
from stables.services.running import failures, waiting_list


@job("stables.remind_of_match")
def remind_of_match(run: Run) -> None:
    """Tell the people of a fixture, once, that its agreed date is near. Payload: fixture."""
    run.once("tell", lambda: reminders.tell_near(fixture_id=run.payload["fixture"]))


@periodic("stables.near_matches")
def scan_for_near_matches() -> None:
    """Ask for reminders of open matches whose agreed date is within the hour, except in paused seasons."""
    for fixture in reminders.near_fixtures():
        reminders.remind_of_match(fixture)


@periodic("stables.waiting_lists")
def look_after_waiting_lists() -> None:
    """Offer free places to people who wait, and end offers whose time is over."""
    waiting_list.look_after_lists()


@job("stables.tell_failed")
def tell_failed(run: Run) -> None:
    """Tell the organisers, once, that a job of their season failed. Payload: failed (its id)."""
    run.once("tell", lambda: failures.tell_failed(job_id=run.payload["failed"]))


@periodic("stables.failed_jobs")
def scan_for_failed_jobs() -> None:
    """Ask for a notice of each job of a season that failed lately."""
    for job_id, attempt in failures.failed_lately():
        enqueue("stables.tell_failed", {"failed": job_id}, unique_key=f"stables:failed:{job_id}:{attempt}")
