"""The jobs of the end of a season."""

from __future__ import annotations

from jobs.registry import job, periodic
from jobs.run import Run
from stables.services.standings import sudden_deaths, titles
from stables.services.standings.sudden_death_match import ORDER


@job("stables.award_titles")
def award_titles(run: Run) -> None:
    """Decide the titles, the pilot's first, and finish the season. Payload: season.

    The job stops early while a sudden death waits for people. It is asked for again when somebody appears, when the
    match of the sudden death ends, and when its date has passed.
    """
    for kind in ORDER:
        # A sudden death is played outside transactions, so this is no step. Titles that are held stay as they are.
        if titles.award(season_id=run.payload["season"], kind=kind, play=titles.play_with_bots) is None:
            return
    run.once("finish", lambda: titles.finish_season(season_id=run.payload["season"]))


@periodic("stables.sudden_deaths")
def scan_for_sudden_deaths() -> None:
    """Ask for the titles of seasons whose sudden death has ended, or whose date for it has passed."""
    for row in sudden_deaths.overdue():
        what = "ended" if row.due_at is None else f"due:{row.due_at.isoformat()}"
        sudden_deaths.ask_for_titles(row.season, f"{row.kind}:{row.pk}:{what}")
