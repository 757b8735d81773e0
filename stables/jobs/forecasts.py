"""The jobs that count the play-outs of a fixture's forecast, and the search for forecasts that nobody asked for.

The payload does not name the season: nobody waits for a forecast, and a failed one holds up nothing.
"""

from __future__ import annotations

from jobs.registry import job, periodic
from jobs.run import Run
from matches.services.forecasts import count_on
from stables.services.line_ups import forecasts


@job(forecasts.JOB, priority="low")
def forecast(run: Run) -> None:
    """Count the missing play-outs of a fixture's forecast; pass a finished fixture on. Payload: fixture."""
    if not forecasts.pass_on_if_over(run.payload["fixture"]):
        _count(run)


@job(forecasts.AFTERWARDS_JOB, priority="lowest")
def forecast_afterwards(run: Run) -> None:
    """Count the forecast of a finished fixture. Payload: fixture."""
    _count(run)


def _count(run: Run) -> None:
    question = forecasts.request_of(run.payload["fixture"])
    if question is not None:
        count_on(run, [question])


@periodic("stables.forecasts")
def scan_for_missing_forecasts() -> None:
    """Ask for forecasts that are missing, unfinished, or made under other rules."""
    forecasts.ask_for_missing()
