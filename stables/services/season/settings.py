"""Changing a season's settings: at once while it recruits, else announced and held from the next cycle on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from people.services.accounts import notify
from rules.campaign.season.settings import SeasonSettings, check_changes
from rules.campaign.states import SEASON
from rules.core.refusals import SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Cycle, Season
from stables.selectors.entrants import in_season
from stables.services.base.locks import lock_season
from stables.services.base.log import record


@dataclass(frozen=True)
class Announced:
    """What was changed, by setting, and the cycle from which it holds."""

    changes: Mapping[str, Any]
    from_cycle: int


@transaction.atomic
def change_settings(*, season_id: int, changes: Mapping[str, Any], actor: Any = None) -> Announced:
    """Change settings of a season and tell its owners; a running season keeps its own until its next cycle opens.

    What equals the setting that holds is no change; an announced one that is set back so is taken back. Raises
    Malformed for settings that cannot be read and SeasonRefused (season_not_running, setting_not_built, setting_fixed,
    no_cycle_to_come, settings_unchanged).
    """
    season = lock_season(season_id)
    SEASON.require("change_plan", season.state, "season_not_running", state=season.get_state_display())
    wanted = SeasonSettings.from_json({**season.settings, **season.pending_settings, **changes})
    HouseRules.from_json(wanted.house_rules)
    wanted.refuse_unbuilt()
    changed = season.rules.differences(wanted)
    cycle = season.cycles.order_by("-number").first()
    begun = cycle.number if cycle is not None else 1
    is_running = season.state == Season.State.RUNNING
    for problem in check_changes(season.rules, wanted, is_running, has_stables=season.stables.exists(), begun=begun):
        raise SeasonRefused(problem.code, **problem.parameters)
    if changed == season.pending_settings:
        raise SeasonRefused("settings_unchanged")
    if not is_running:
        _hold(season, changed)
        _follow(season)
        from_cycle = 1
    else:
        from_cycle = begun + 1
        if from_cycle > max(len(season.rules.cycles), len(wanted.cycles)):
            raise SeasonRefused("no_cycle_to_come")
        season.pending_settings = changed
        season.save(update_fields=["pending_settings"])
    _tell(season, "settings_announced" if changed else "settings_taken_back", changed, from_cycle, actor)
    return Announced(changed, from_cycle)


@transaction.atomic
def take_back(*, season_id: int, actor: Any = None) -> None:
    """Take back what was announced, before the next cycle opens. Raises SeasonRefused (nothing_announced)."""
    season = lock_season(season_id)
    if not season.pending_settings:
        raise SeasonRefused("nothing_announced")
    taken, season.pending_settings = season.pending_settings, {}
    season.save(update_fields=["pending_settings"])
    cycle = season.cycles.order_by("-number").first()
    _tell(season, "settings_taken_back", taken, 1 if cycle is None else cycle.number + 1, actor)


def take_effect(season: Season, cycle: int) -> None:
    """Let announced settings hold, as a cycle opens; call it with the season locked. Safe to repeat."""
    if not season.pending_settings or Cycle.objects.filter(season=season, number=cycle).exists():
        return
    changes, season.pending_settings = season.pending_settings, {}
    _hold(season, changes)
    season.save(update_fields=["pending_settings"])
    record(season, "settings_hold", {"settings": ", ".join(sorted(changes)), "cycle": cycle})


def _hold(season: Season, changes: Mapping[str, Any]) -> None:
    season.settings = SeasonSettings.from_json({**season.settings, **changes}).to_json()
    season.save(update_fields=["settings"])
    # The settings as the rules read them are kept by the object.
    season.__dict__.pop("rules", None)


def _follow(season: Season) -> None:
    """Let the first cycle, which is open while a season recruits, follow its settings."""
    Cycle.objects.filter(season=season, number=1, state=Cycle.State.MARKET).update(
        format=season.rules.cycles[0], match_class=season.rules.class_of(1)
    )


def _tell(season: Season, code: str, changes: Mapping[str, Any], from_cycle: int, actor: Any) -> None:
    names = ", ".join(sorted(changes))
    record(season, code, {"settings": names, "cycle": from_cycle}, actor=actor)
    owners = [stable.owner for stable in in_season(season) if stable.owner is not None]
    notify(owners, code, {"season": season.name, "cycle": from_cycle}, season.get_absolute_url())
