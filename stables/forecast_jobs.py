"""The job that counts the play-outs of a fixture's forecast, and the look for forecasts that nobody asked for.

The payload does not name the season: nobody waits for a forecast, and one that fails holds up nothing.
"""

from __future__ import annotations

from jobs.registry import job, search
from jobs.runner import Run
from matches.forecasting import count_on
from stables.services import forecasts


@job("stables.forecast", is_patient=True)
def forecast(run: Run) -> None:
    """Count what is missing of a fixture's forecast. Payload: fixture."""
    question = forecasts.question_of(run.payload["fixture"])
    if question is not None:
        count_on(run, [question])


@search("stables.forecasts")
def look_for_missing_forecasts() -> None:
    """Ask for forecasts that are missing, or were made under other rules."""
    forecasts.ask_for_missing()
