"""The next season: a new one with the settings, calendar, AI stables and roles of a finished or cancelled one."""

from __future__ import annotations

import re
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from catalogue.models import CatalogueRelease
from catalogue.selectors.releases import latest_release
from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed
from rules.wording.isolation import bare
from stables.models import Season, SeasonRole
from stables.services.base.deadlines import calendar_of
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.season.floods import refuse_many_recruiting
from stables.services.season.invitations import invite
from stables.services.season.opening import LONGEST_NAME
from stables.services.season.seasons import OpenedSeason, found_stable, open_season
from web.names import proper_name

SEASONS_AGAIN = Limit("season_again", 10)
"""How many seasons one account may open after others in an hour: each invites all players of the one before."""


@transaction.atomic
def open_next_season(*, season_id: int, organiser: Any, name: str = "") -> OpenedSeason:
    """Open the season after a finished or cancelled one, and invite its players.

    Settings (announced ones too), the calendar without its last day and days off that are over, who may join and see
    it, the AI's stables that have not left, and the roles of active accounts are copied; money, assets and results are
    not. Without a `name` it gets the old one with the next number. A second call by the same organiser returns the
    first season while that recruits. Raises SeasonRefused (season_not_over, too_many_seasons_recruiting, season_full),
    Malformed (season_name_missing) or TooOften (too_often).
    """
    before = lock_season(season_id)
    SEASON.require("follow", before.state, "season_not_over", state=before.state)
    known = before.copies.filter(state=Season.State.RECRUITING, organiser=organiser).first()
    if known is not None:
        return OpenedSeason(known.pk, known.slug)
    name = proper_name(name if name.strip() else next_name(before.name), LONGEST_NAME)
    if not name:
        raise Malformed("season_name_missing", longest=LONGEST_NAME)
    refuse_many_recruiting(organiser)
    count_attempt(SEASONS_AGAIN, str(organiser.pk))
    calendar = {key: value for key, value in before.calendar.items() if key not in ("ends_on", "days_off")}
    if calendar:
        coming = calendar_of(before).days_off_from(timezone.now())
        calendar["days_off"] = [each.to_json() for each in coming]
    opened = open_season(
        name=name,
        settings={**before.settings, **before.pending_settings},
        release=release_after(before),
        organiser=organiser,
        calendar=calendar,
        joining=before.joining,
        visibility=before.visibility,
        language=before.language,
    )
    season = lock_season(opened.season_id)
    season.copied_from = before
    season.save(update_fields=["copied_from"])
    for stable in before.stables.filter(is_ai=True, left_in_cycle=None).order_by("number"):
        found_stable(season_id=season.pk, name=stable.name, bot=stable.bot, character=stable.character)
    _copy_roles(before, season, organiser)
    record(season, "season_follows", {"before": before.name}, actor=organiser)
    record(before, "season_followed", {"after": season.name}, actor=organiser)
    _invite_players(before, season, organiser)
    return opened


def next_name(name: str) -> str:
    """Return a season's name with the next number: "Winter 2" after "Winter", "Winter 10" after "Winter 9"."""
    name = bare(name)
    counted = re.fullmatch(r"(.*\S)\s+([0-9]{1,4})", name)
    base, number = (counted[1], int(counted[2])) if counted else (name, 1)
    ending = f" {number + 1}"
    return base[: LONGEST_NAME - len(ending)].rstrip() + ending


def release_after(before: Season) -> CatalogueRelease:
    """Return the newest release of the game, or the old season's own release if that contains a collection."""
    is_games_own = before.release.offered_at is not None
    return (latest_release() if is_games_own else None) or before.release


def _copy_roles(before: Season, season: Season, organiser: Any) -> None:
    """Copy the roles of active accounts; the old organiser becomes a co-organiser if somebody else organises now."""
    roles = {role.user_id: role.role for role in before.roles.filter(user__is_active=True)}
    if before.organiser_id is not None:
        roles[before.organiser_id] = SeasonRole.Role.CO_ORGANISER
    roles.pop(organiser.pk, None)
    SeasonRole.objects.bulk_create(SeasonRole(season=season, user_id=pk, role=role) for pk, role in roles.items())


def _invite_players(before: Season, season: Season, organiser: Any) -> None:
    """Notify the players of the old season with a link to the new one: its page, or an invitation if it needs one.

    The new organiser gets no notice.
    """
    owners = {
        stable.owner_id: stable.owner
        for stable in before.stables.exclude(owner=None).select_related("owner").order_by("number")
    }
    people = [person for person in owners.values() if person is not None and person.is_active and not person.is_guest]
    address = season.get_absolute_url()
    is_closed = season.joining == Season.Joining.INVITED or season.visibility == Season.Visibility.PRIVATE
    if is_closed and people:
        address = reverse("stables:join", args=[invite(season_id=season.pk, actor=organiser).code])
    others = [person for person in people if person.pk != organiser.pk]
    notify(others, "season_invites_again", {"season": season.name, "before": before.name}, address)
