"""The jobs of reported results: reminders, and confirmation by silence."""

from __future__ import annotations

from django.utils import timezone

from jobs.registry import job, periodic
from jobs.run import Run
from stables.models import Fixture, Season
from stables.services.base.job_requests import ask_for
from stables.services.results import reports


@job("stables.confirm")
def confirm(run: Run) -> None:
    """Remind the silent owners of a reported match, or confirm the report when their time is over.

    Reports that differ go to organisers and referees then. Payload: fixture.
    """
    run.once("chase", lambda: reports.chase(fixture_id=run.payload["fixture"]))


@periodic("stables.unconfirmed_reports")
def scan_for_unconfirmed_reports() -> None:
    """Ask for the confirmation of up to 100 reports whose time is over; their jobs may be missing, as after a pause."""
    over = Fixture.objects.filter(
        state=Fixture.State.SEALED,
        confirm_due_at__lte=timezone.now(),
        round__cycle__season__state=Season.State.RUNNING,
        round__cycle__season__paused_at=None,
    )
    for fixture in over.select_related("round__cycle__season").order_by("confirm_due_at")[:100]:
        due = fixture.confirm_due_at
        if due is not None:
            key = reports.confirm_key(fixture, due)
            ask_for(fixture.round.cycle.season, "stables.confirm", key, fixture=fixture.pk)
