"""Changes of a season's settings: at once before it starts, announced for the next cycle while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from people.services.accounts import notify_bounded
from rules.campaign.season.settings import AT_THE_END, SeasonSettings, check_changes
from rules.campaign.states import SEASON
from rules.core.refusals import SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Cycle, Season
from stables.selectors.entrants import in_season
from stables.services.base.locks import lock_season
from stables.services.base.log import record


@dataclass(frozen=True)
class Announced:
    """All settings that will change, by name with their new values, and the cycle from which they hold.

    Settings announced earlier are among them; empty if an announcement was taken back.
    """

    changes: Mapping[str, Any]
    from_cycle: int


@transaction.atomic
def change_settings(*, season_id: int, changes: Mapping[str, Any], actor: Any = None) -> Announced:
    """Change settings of a season and notify its owners; in a running season they hold once its next cycle opens.

    Those of the season's end (AT_THE_END) hold at once when no cycle is to come. Setting an announced value back to the
    present one takes the announcement back. Raises SeasonRefused (season_not_running, setting_not_built, setting_fixed,
    no_cycle_to_come, settings_unchanged) or Malformed (unknown_setting, setting_out_of_range, unknown_house_rule,
    bad_house_rule).
    """
    season = lock_season(season_id)
    SEASON.require("change_plan", season.state, "season_not_running", state=season.state)
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
    news = season.rules.changes_to(wanted) or season.rules.changes_to(_announced(season))
    if not is_running:
        _hold(season, changed)
        _follow(season)
        from_cycle = 1
    else:
        from_cycle = begun + 1
        if from_cycle <= max(len(season.rules.cycles), len(wanted.cycles)):
            season.pending_settings = changed
            season.save(update_fields=["pending_settings"])
        elif set(changed) <= AT_THE_END:
            _hold(season, changed)
            from_cycle = begun
        else:
            raise SeasonRefused("no_cycle_to_come")
    _tell(season, "settings_announced" if changed else "settings_taken_back", news, from_cycle, actor)
    return Announced(changed, from_cycle)


@transaction.atomic
def take_back(*, season_id: int, actor: Any = None) -> None:
    """Take all announced settings back before the next cycle opens, and notify the owners.

    Raises SeasonRefused (nothing_announced).
    """
    season = lock_season(season_id)
    if not season.pending_settings:
        raise SeasonRefused("nothing_announced")
    news, season.pending_settings = season.rules.changes_to(_announced(season)), {}
    season.save(update_fields=["pending_settings"])
    cycle = season.cycles.order_by("-number").first()
    _tell(season, "settings_taken_back", news, 1 if cycle is None else cycle.number + 1, actor)


def take_effect(season: Season, cycle: int) -> None:
    """Put announced settings into effect before a cycle is made; nothing happens if it exists.

    The cached `rules` of `season` change too. Call it with the season locked.
    """
    if not season.pending_settings or Cycle.objects.filter(season=season, number=cycle).exists():
        return
    news = season.rules.changes_to(_announced(season))
    changes, season.pending_settings = season.pending_settings, {}
    _hold(season, changes)
    season.save(update_fields=["pending_settings"])
    record(season, "settings_hold", {"settings": _names(news), "changes": news, "cycle": cycle})


def _announced(season: Season) -> SeasonSettings:
    """Return the settings that hold once the announced changes do."""
    return SeasonSettings.from_json({**season.settings, **season.pending_settings})


def _names(changes: Iterable[Mapping[str, Any]]) -> str:
    """Return the settings that change, each once, as the check of a season's document reads them in the log."""
    return ", ".join(sorted({str(change["setting"]).partition(".")[0] for change in changes}))


def _hold(season: Season, changes: Mapping[str, Any]) -> None:
    season.settings = SeasonSettings.from_json({**season.settings, **changes}).to_json()
    season.save(update_fields=["settings"])
    # The object caches the settings as the rules read them.
    season.__dict__.pop("rules", None)


def _follow(season: Season) -> None:
    """Adapt format and class of the first cycle, which is open while a season recruits, to its settings."""
    Cycle.objects.filter(season=season, number=1, state=Cycle.State.MARKET).update(
        format=season.rules.cycles[0], match_class=season.rules.class_of(1)
    )


def _tell(season: Season, code: str, changes: list[dict[str, Any]], from_cycle: int, actor: Any) -> None:
    """Log the changes and notify the owners, with a link to where the season's page has its settings."""
    facts = {"settings": _names(changes), "changes": changes, "cycle": from_cycle}
    record(season, code, facts, actor=actor)
    owners = [stable.owner for stable in in_season(season) if stable.owner is not None]
    here = "announced-settings" if season.pending_settings else "season-rules"
    notify_bounded(owners, code, {"season": season.name, **facts}, f"{season.get_absolute_url()}#{here}")
