"""A stable's part in a season: skipping a cycle, and leaving (R-CYC-11, Q-159)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from people.services.accounts import notify
from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, FixtureSide, Season, SkippedCycle, Stable
from stables.selectors.entrants import in_season
from stables.selectors.offices import organisers_of
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.fixtures.forfeits import forfeit, open_fixtures
from stables.services.running.waiting_list import offer_places
from stables.services.season.seasons import begin_when_nobody_shops, has_begun
from stables.services.season.staying_ready import ask_again


@dataclass(frozen=True)
class Part:
    """A stable's part in a season: the cycles that it skips, and the cycle in which it left, None while it is there."""

    skipped: tuple[int, ...]
    left_in_cycle: int | None


@transaction.atomic
def skip_cycle(*, stable_id: int, number: int, skips: bool = True) -> Part:
    """Let a stable sit out a whole cycle that has not begun, or with `skips` False take part in it again.

    A call that changes nothing logs nothing. Raises SeasonRefused (season_not_running, stable_has_left, cycle_begun) or
    Malformed (unknown_cycle).
    """
    stable, season = _of_open_season(stable_id)
    if not 1 <= number <= len(season.rules.cycles):
        raise Malformed("unknown_cycle", cycle=number)
    known_cycle = Cycle.objects.filter(season=season, number=number).first()
    has_opened = known_cycle is not None and (known_cycle.state != Cycle.State.MARKET or has_begun(known_cycle))
    if number < stable.joined_in_cycle or has_opened:
        raise SeasonRefused("cycle_begun", cycle=number, rule="R-CYC-11")
    known = SkippedCycle.objects.filter(stable=stable, cycle_number=number)
    if skips and not known.exists():
        SkippedCycle.objects.create(stable=stable, cycle_number=number)
        record(season, "cycle_skipped", {"stable": stable.name, "cycle": number}, actor=stable.owner)
    elif not skips and known.exists():
        known.delete()
        record(season, "cycle_not_skipped", {"stable": stable.name, "cycle": number}, actor=stable.owner)
        ask_again(stable, number)
    cycle = season.cycles.order_by("-number").first()
    if skips and season.state == Season.State.RUNNING and cycle is not None and cycle.number == number:
        # This stable may have been the last one that the market waited for.
        begin_when_nobody_shops(cycle)
    return _part(stable)


@transaction.atomic
def withdraw(*, stable_id: int, actor: Any = None, reason: str = "") -> Part:
    """Take a stable out of its season for good: it forfeits its open matches, and the other owners are notified.

    With a `reason`, the log says that an organiser withdrew it, and why. The place is offered to those who wait. If the
    rounds of the newest cycle have not begun, the stable takes no part in it. In a cycle with rounds it keeps
    its place, without a purse. Its owner may still read the season. A second call changes nothing. Raises SeasonRefused
    (season_not_running, cycle_is_closing).
    """
    stable, season = _of_open_season(stable_id, may_have_left=True)
    if stable.left_in_cycle is not None:
        return _part(stable)
    cycle = Cycle.objects.select_for_update(of=("self",), no_key=True).filter(season=season).order_by("-number").first()
    if cycle is None or not CYCLE.may("leave", cycle.state):
        raise SeasonRefused("cycle_is_closing")
    for fixture_id in open_fixtures(stable):
        forfeit(fixture_id=fixture_id, stable_ids=[stable.pk], why=FixtureSide.Forfeit.LEFT)
    stable.left_in_cycle = cycle.number
    stable.save(update_fields=["left_in_cycle"])
    facts = {"stable": stable.name, "cycle": cycle.number}
    if reason:
        record(season, "stable_withdrawn", {**facts, "reason": reason}, cycle=cycle, actor=actor)
    else:
        record(season, "stable_left", facts, cycle=cycle, actor=actor)
    others = {each.owner.pk: each.owner for each in in_season(season) if each.owner is not None}
    others |= {each.pk: each for each in organisers_of(season, [stable.owner_id, None if actor is None else actor.pk])}
    notify(others.values(), "stable_left", {"stable": stable.name, "season": season.name}, season.get_absolute_url())
    if cycle.state == Cycle.State.MARKET:
        SkippedCycle.objects.get_or_create(stable=stable, cycle_number=cycle.number)
        if season.state == Season.State.RUNNING:
            begin_when_nobody_shops(cycle)
    offer_places(season)
    return _part(stable)


def _of_open_season(stable_id: int, may_have_left: bool = False) -> tuple[Stable, Season]:
    """Lock the season of a stable, and return both, so that decisions about parts in it come one after the other.

    Raises SeasonRefused (season_not_running, stable_has_left).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = Stable.objects.select_related("owner").get(pk=stable_id)
    stable.season = season
    SEASON.require("change_part", season.state, "season_not_running", state=season.state)
    if stable.left_in_cycle is not None and not may_have_left:
        raise SeasonRefused("stable_has_left", name=stable.name)
    return stable, season


def _part(stable: Stable) -> Part:
    skipped = SkippedCycle.objects.filter(stable=stable).order_by("cycle_number")
    return Part(tuple(skipped.values_list("cycle_number", flat=True)), stable.left_in_cycle)
