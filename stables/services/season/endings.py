"""Early ends: a cycle dropped for lack of stables, and a cancelled season (R-CYC-04, Q-159)."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.models import Match
from matches.services.matches import close
from people.services.accounts import notify
from rules.campaign.season.participation import FEWEST_IN_A_CYCLE
from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, Season
from stables.selectors.entrants import in_season
from stables.services.base.job_requests import ask_for
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.standing_in import end_with_season
from stables.services.season import seasons


def drop_cycle(cycle: Cycle, stables: int) -> None:
    """Drop a cycle in which fewer than two stables take part: no match, no purse. Call it with the season locked.

    The market of the next cycle opens. After the last cycle, or when fewer than two stables are left in the season, the
    titles are decided by the books.
    """
    season = cycle.season
    cycle.state = CYCLE.next_state("drop", cycle.state)
    cycle.started_with, cycle.rounds_planned = stables, 0
    cycle.save(update_fields=["state", "started_with", "rounds_planned"])
    record(season, "cycle_dropped", {"cycle": cycle.number, "stables": stables}, cycle=cycle)
    if cycle.number >= len(season.rules.cycles) or len(in_season(season)) < FEWEST_IN_A_CYCLE:
        let_titles_be_decided(season)
    else:
        seasons.begin_when_nobody_shops(seasons.open_cycle(season, cycle.number + 1))


def let_titles_be_decided(season: Season) -> None:
    """Let a locked season decide its titles after its last cycle, and ask for them. Nothing happens unless it runs."""
    if SEASON.may("decide_titles", season.state):
        season.state = SEASON.next_state("decide_titles", season.state)
        season.save(update_fields=["state"])
        ask_for(season, "stables.award_titles", f"season:{season.pk}:titles")


def take_back_ceremony(season: Season) -> None:
    """Let a locked season with provisional champions decide its titles again. Nothing happens to any other."""
    if SEASON.may("decide_again", season.state):
        season.state = SEASON.next_state("decide_again", season.state)
        season.save(update_fields=["state"])


@transaction.atomic
def cancel_season(*, season_id: int, is_sure: bool = False, actor: Any = None) -> None:
    """Cancel a season for good, and notify the owners: its jobs do nothing more, its matches
    are closed, its stand-ins end, its pages stay.

    Unless the season recruits, `is_sure` must be set.

    Raises SeasonRefused (season_is_over, not_sure).
    """
    season = lock_season(season_id)
    cancelled = SEASON.require("cancel", season.state, "season_is_over", state=season.state)
    if season.state != Season.State.RECRUITING and not is_sure:
        raise SeasonRefused("not_sure")
    season.state = cancelled
    season.save(update_fields=["state"])
    season.provisional_titles.all().delete()
    begun = Q(match__isnull=False) & ~Q(match__state__in=Match.OVER)
    for rows in (Fixture.objects.filter(begun, round__cycle__season=season), season.sudden_deaths.filter(begun)):
        for match_id in rows.values_list("match_id", flat=True):
            close(match_id)
    end_with_season(season.pk, timezone.now())
    record(season, "season_cancelled", actor=actor)
    owners = [stable.owner for stable in in_season(season) if stable.owner is not None]
    notify(owners, "season_cancelled", {"season": season.name}, season.get_absolute_url())
