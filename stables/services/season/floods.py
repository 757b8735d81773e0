"""How many seasons one organiser may have at once, so that no account takes the workers from all others."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model

from rules.core.refusals import SeasonRefused
from stables.models import Season
from web.bounds import MOST_RECRUITING, MOST_RUNNING


def refuse_many_recruiting(organiser: Any) -> None:
    """Raise SeasonRefused (too_many_seasons_recruiting) for a person who already has MOST_RECRUITING seasons.

    Recruiting seasons and drafts count. Call it in the transaction that opens another season.
    """
    _refuse(organiser, (Season.State.DRAFT, Season.State.RECRUITING), MOST_RECRUITING, "too_many_seasons_recruiting")


def refuse_many_running(organiser: Any) -> None:
    """Raise SeasonRefused (too_many_seasons_running) for a person who already has MOST_RUNNING running seasons.

    Seasons for one person and those of the AI alone count. Without an organiser, as from the shell, there is no bound.
    Call it in the transaction that starts another season.
    """
    _refuse(organiser, (Season.State.RUNNING,), MOST_RUNNING, "too_many_seasons_running")


def _refuse(organiser: Any, states: tuple[str, ...], most: int, code: str) -> None:
    if organiser is None:
        return
    # The lock on the organiser's row makes simultaneous requests count one after the other.
    get_user_model().objects.select_for_update().get(pk=organiser.pk)
    counted = Season.objects.filter(organiser=organiser, state__in=states).count()
    if counted >= most:
        raise SeasonRefused(code, seasons=counted)
