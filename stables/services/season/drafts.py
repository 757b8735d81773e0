"""Copies of a season's settings as a draft, and what may change until somebody joins: its name and its class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify_newest
from people.text.notices import UNASKED
from rules.campaign.season.settings import SeasonSettings
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Season
from stables.selectors.offices import everybody_in
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.season.floods import refuse_many_recruiting
from stables.services.season.next_season import next_name, release_after
from stables.services.season.opening import LONGEST_NAME, class_settings, require_units
from stables.services.season.seasons import OpenedSeason, found_stable, open_season
from web.names import proper_name


@transaction.atomic
def copy_season(*, season_id: int, organiser: Any, name: str = "") -> OpenedSeason:
    """Open a draft with the settings of a season in any state. The caller checks that `organiser` organises it.

    Settings (announced ones too), the calendar without its last day, who may join and see it, the language of its
    news, and the AI's stables that have not left are copied. Nobody is invited, and roles stay behind. Without a `name`
    it gets the old one with the next number. Raises SeasonRefused (too_many_seasons_recruiting, printed_dials_missing)
    or Malformed (season_name_missing).
    """
    before = lock_season(season_id)
    refuse_many_recruiting(organiser)
    opened = open_season(
        name=_name(name if name.strip() else next_name(before.name)),
        settings={**before.settings, **before.pending_settings},
        release=release_after(before),
        organiser=organiser,
        calendar={key: value for key, value in before.calendar.items() if key != "ends_on"},
        joining=before.joining,
        visibility=before.visibility,
        language=before.language,
    )
    for stable in before.stables.filter(is_ai=True, left_in_cycle=None).order_by("number"):
        found_stable(season_id=opened.season_id, name=stable.name, bot=stable.bot, character=stable.character)
    season = Season.objects.select_related("release").get(pk=opened.season_id)
    require_units(season)
    season.state = SEASON.next_state("keep_as_draft", season.state)
    season.save(update_fields=["state"])
    record(season, "season_copied", {"before": before.name}, actor=organiser)
    return opened


@transaction.atomic
def rename_season(*, season_id: int, name: str, actor: Any = None) -> str:
    """Give a season that has not begun another name, log it, tell everybody in it, and return the name.

    Its address stays, so that links to it hold. Raises SeasonRefused (season_not_renamed, name_unchanged) or Malformed
    (season_name_missing).
    """
    season = lock_season(season_id)
    SEASON.require("rename", season.state, "season_not_renamed", state=season.state)
    before, season.name = season.name, _name(name)
    if season.name == before:
        raise SeasonRefused("name_unchanged")
    season.save(update_fields=["name"])
    record(season, "season_renamed", {"before": before, "after": season.name}, actor=actor)
    if season.state != Season.State.DRAFT:
        told = everybody_in(season, [None if actor is None else actor.pk])
        names, instead_of = {"before": before, "after": season.name, UNASKED: True}, ["season_renamed"]
        notify_newest(told, "season_renamed", names, season.get_absolute_url(), instead_of=instead_of)
    return season.name


@transaction.atomic
def change_class(
    *, season_id: int, weight_class: str | None, class_order: Sequence[str] = (), actor: Any = None
) -> SeasonSettings:
    """Change the class of a season that no person has joined, log it, and return the settings.

    `weight_class` and `class_order` are those of opening.open_for_people. Stables of the AI are founded again, with the
    starting capital of the new class. Raises SeasonRefused (season_not_renamed, setting_fixed, settings_unchanged,
    printed_dials_missing, setting_not_built) or Malformed (setting_out_of_range).
    """
    season = lock_season(season_id)
    SEASON.require("rename", season.state, "season_not_renamed", state=season.state)
    before = _class_of(season.rules)
    stables = list(season.stables.order_by("number"))
    if any(not stable.is_ai for stable in stables):
        raise SeasonRefused("setting_fixed", setting="weight_class")
    kept = {key: value for key, value in season.settings.items() if key not in ("weight_class", "multi_class_order")}
    chosen = class_settings(weight_class, class_order, kept, bytes(season.secret))
    wanted = SeasonSettings.from_json({**kept, **chosen})
    wanted.refuse_unbuilt()
    if wanted.to_json() == season.settings:
        raise SeasonRefused("settings_unchanged")
    season.settings = wanted.to_json()
    season.__dict__.pop("rules", None)
    # Stables are founded while a season recruits; nobody sees the state before the commit.
    state, season.state = season.state, Season.State.RECRUITING
    season.save(update_fields=["settings", "state"])
    require_units(season)
    Cycle.objects.filter(season=season, number=1).update(match_class=season.rules.class_of(1))
    season.stables.update(removed_at=timezone.now())
    for stable in stables:
        found_stable(season_id=season.pk, name=stable.name, bot=stable.bot, character=stable.character)
    season.state = state
    season.save(update_fields=["state"])
    values = {"class": season.rules.season_class, "class_before": before, "class_after": _class_of(season.rules)}
    record(season, "season_class_changed", values, actor=actor)
    return season.rules


def _class_of(settings: SeasonSettings) -> str | list[str]:
    """Return a season's class as the log keeps it: its key, or a list with those of all cycles in turn."""
    return settings.weight_class if settings.weight_class is not None else list(settings.multi_class_order)


def _name(text: str) -> str:
    name = proper_name(text, LONGEST_NAME)
    if not name:
        raise Malformed("season_name_missing", longest=LONGEST_NAME)
    return name
