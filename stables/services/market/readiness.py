"""Stables whose owners have finished with the market, so that the cycle need not wait for its deadline."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import SeasonRefused
from stables.models import Stable
from stables.selectors.entrants import entering
from stables.services.base.locks import lock_season
from stables.services.season.seasons import begin_when_nobody_shops, has_begun, ready_mark


@dataclass(frozen=True)
class Readiness:
    """The market that a stable is ready for ("market:2", "" for none), and whether the cycle's start is asked for."""

    ready_for: str
    begins: bool


@transaction.atomic
def say_ready(*, stable_id: int, is_ready: bool = True) -> Readiness:
    """Store that a stable has finished shopping in the open market, or with `is_ready` False that it has not.

    When all stables of people that take part are ready, the start of the cycle is asked for at once, if the season is
    running and not paused. Stables of the AI, and those handed over to it with everything, count as ready. Raises
    SeasonRefused (no_open_market, takes_no_part).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    cycle = season.cycles.order_by("-number").first()
    SEASON.require("shop", season.state, "no_open_market", state=season.get_state_display())
    if cycle is None or not CYCLE.may("shop", cycle.state) or has_begun(cycle):
        raise SeasonRefused("no_open_market", state=season.get_state_display())
    cycle.season = season
    stable = Stable.objects.prefetch_related("skipped").get(pk=stable_id)
    if not entering([stable], cycle.number):
        raise SeasonRefused("takes_no_part", cycle=cycle.number)
    stable.ready_for = ready_mark(cycle.number) if is_ready else ""
    stable.save(update_fields=["ready_for"])
    begin_when_nobody_shops(cycle)
    return Readiness(stable.ready_for, has_begun(cycle))
