"""The jobs that rate a match after its end, and again when its result is corrected."""

from __future__ import annotations

from jobs.registry import job
from jobs.run import Run
from ladder import services


@job("ladder.rate")
def rate(run: Run) -> None:
    """Rate a match, once. Payload: match."""
    run.once("rate", lambda: services.rate_match(run.payload["match"]))


@job("ladder.follow_correction")
def follow_correction(run: Run) -> None:
    """Fold the ladder again if the match is rated. Payload: match."""
    run.once("fold", lambda: services.follow_correction(run.payload["match"]))
