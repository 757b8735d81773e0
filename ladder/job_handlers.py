"""The job that rates a match after its end."""

from __future__ import annotations

from jobs.registry import job
from jobs.runner import Run
from ladder import services


@job("ladder.rate")
def rate(run: Run) -> None:
    """Rate a match, once. Payload: match."""
    run.once("rate", lambda: services.rate_match(run.payload["match"]))
