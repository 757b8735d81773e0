"""The jobs that count the play-outs of a fixture's forecast, and the search for forecasts that nobody asked for.

The payload does not name the season: nobody waits for a forecast, and a failed one holds up nothing.
"""

from __future__ import annotations

from jobs.registry import job, periodic
from jobs.run import Run
from matches.services.forecasts import count_on
from stables.services.line_ups import forecasts


@job(forecasts.JOB, priority="lower")
def forecast(run: Run) -> None:
    """Count the missing play-outs of a fixture's forecast, or pass a finished fixture on to `forecast_afterwards`.

    Payload: fixture. Raises Later while forecasts are off or another job has the turn.
    """
    if not forecasts.pass_on_if_over(run.payload["fixture"]):
        _count(run)


@job(forecasts.AFTERWARDS_JOB, priority="lowest")
def forecast_afterwards(run: Run) -> None:
    """Count the missing play-outs of a finished fixture's forecast.

    Payload: fixture. Raises Later while forecasts are off, another job has the turn, or an open fixture waits.
    """
    _count(run)


def _count(run: Run) -> None:
    question = forecasts.request_of(run.payload["fixture"])
    if question is not None:
        count_on(run, [question])


@periodic("stables.forecasts")
def scan_for_missing_forecasts() -> None:
    """Ask for missing and unfinished forecasts, and for open fixtures also for those made under other rules."""
    forecasts.ask_for_missing()
