"""Pauses of a season: its jobs take no step, and every open deadline moves by the length of the pause."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.services.time_banks import stand_still
from people.services.accounts import notify_newest
from people.text.notices import UNASKED
from rules.campaign.states import IN_PLAY, SEASON
from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, Season
from stables.selectors.offices import everybody_in
from stables.selectors.pauses import hurried_matches
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.fixtures.rounds import move_on
from stables.services.results import reports
from stables.services.season.moved_deadlines import tell_moved
from stables.services.season.seasons import begin_when_nobody_shops


def goes_on(season: Season) -> bool:
    """Return whether the jobs of a season may take a step now."""
    return season.state in IN_PLAY and season.paused_at is None


@transaction.atomic
def pause(*, season_id: int, actor: Any = None, now: datetime | None = None) -> None:
    """Pause a season, and notify the owners; people may still shop and hand in line-ups.

    Raises SeasonRefused (season_not_running, paused_already).
    """
    season = lock_season(season_id)
    SEASON.require("pause", season.state, "season_not_running", state=season.state)
    if season.paused_at is not None:
        raise SeasonRefused("paused_already")
    season.paused_at = now or timezone.now()
    season.save(update_fields=["paused_at"])
    _tell(season, "season_paused", actor)


@transaction.atomic
def resume(*, season_id: int, actor: Any = None, now: datetime | None = None) -> None:
    """Resume a paused season, move its open deadlines by the length of the pause, and take the next step.

    Owners get a notice, and each moved deadline has a line and a notice of its own.
    The time to think in its matches moves too. In a season that is over, deadlines stay. Raises SeasonRefused
    (not_paused).
    """
    season = lock_season(season_id)
    if season.paused_at is None:
        raise SeasonRefused("not_paused")
    now = now or timezone.now()
    began = season.paused_at
    season.paused_at = None
    season.save(update_fields=["paused_at"])
    stand_still(hurried_matches(season), began, now)
    if season.state in IN_PLAY:
        moved = deadlines.move_all(season, deadlines.pause_ended(season, began, now))
        _tell(season, "season_resumed", actor)
        tell_moved(season, moved, actor)
        deadlines.ask_for_all(season)
        sealed = Fixture.objects.filter(round__cycle__season=season, state=Fixture.State.SEALED)
        for fixture in sealed.select_related("round__cycle__season"):
            reports.ask_for_looks(fixture, now)
        _catch_up(season)


def _catch_up(season: Season) -> None:
    """Ask for the step that the season's jobs would have taken during the pause."""
    cycle = season.cycles.order_by("-number").first()
    if cycle is None:
        return
    cycle.season = season
    if cycle.state == Cycle.State.MARKET:
        begin_when_nobody_shops(cycle)
    else:
        move_on(cycle)


def _tell(season: Season, code: str, actor: Any) -> None:
    record(season, code, actor=actor)
    told, instead_of = everybody_in(season, [None if actor is None else actor.pk]), ["season_paused", "season_resumed"]
    notify_newest(told, code, {"season": season.name, UNASKED: True}, season.get_absolute_url(), instead_of=instead_of)
