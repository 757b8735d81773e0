"""The jobs of the end of a season."""

from __future__ import annotations

from jobs.registry import job, periodic
from jobs.run import Later, Run
from stables.models import Season
from stables.services.base import deadlines
from stables.services.standings import ceremony, sudden_deaths, titles
from stables.services.standings.sudden_death_match import ORDER


@job("stables.award_titles")
def award_titles(run: Run) -> None:
    """Decide the titles, the pilot's first, and hold the ceremony. Payload: season.

    The job stops early while a sudden death waits for people. It is asked for again when somebody appears, when the
    match of the sudden death ends, when its date has passed, and after a correction.
    """
    for kind in ORDER:
        # A sudden death is played outside transactions, so this is no step. What is decided stays as it is.
        if titles.award(season_id=run.payload["season"], kind=kind, play=titles.play_with_bots) is None:
            return
    run.once("finish", lambda: ceremony.hold_ceremony(season_id=run.payload["season"]))


@job("stables.close_season")
def close_season(run: Run) -> None:
    """Close a season whose time to correct results is over. Payload: season. Raises Later before that."""
    left = ceremony.time_left(Season.objects.defer("secret").get(pk=run.payload["season"]))
    if left:
        raise Later(left)
    run.once("close", lambda: ceremony.close_when_due(season_id=run.payload["season"]))


@periodic("stables.sudden_deaths")
def scan_for_sudden_deaths() -> None:
    """Ask for the titles of seasons whose sudden death has ended, or whose date for it has passed."""
    for row in sudden_deaths.overdue():
        what = "ended" if row.due_at is None else f"due:{row.due_at.isoformat()}"
        sudden_deaths.ask_for_titles(row.season, f"{row.kind}:{row.pk}:{what}")


@periodic("stables.seasons_to_close")
def scan_for_seasons_to_close() -> None:
    """Ask for the missing jobs of seasons whose time to correct results is over."""
    for season in ceremony.overdue():
        deadlines.ask_to_close(season)
