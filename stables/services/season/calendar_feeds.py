"""The secret address of a person's calendar of a season: made, taken back, and opened by its key alone."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils.crypto import constant_time_compare

from stables.models import CalendarFeed, ExternalSeat, Season, SeasonRole, Stable
from stables.selectors.access import may_see

KEY_BYTES = 32
"""256 random bits, 43 letters: nobody guesses one."""
KEY = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a key looks like; the database is asked for no other."""


def takes_part_still(user: Any, season: Season) -> bool:
    """Return whether a person runs, helps with or plays in a season: who withdrew from it does not; one query."""
    if not user.is_authenticated or not user.is_active:
        return False
    own = OuterRef("pk")
    stays = Stable.objects.filter(season=own, owner=user.pk, left_in_cycle=None)
    seats = ExternalSeat.objects.filter(stable__season=own, user=user.pk, ended_at=None, stable__left_in_cycle=None)
    helps = SeasonRole.objects.filter(season=own, user=user.pk)
    part = Q(organiser=user.pk) | Q(Exists(stays)) | Q(Exists(helps)) | Q(Exists(seats))
    return Season.objects.filter(part, pk=season.pk).exists()


def feed_of(user: Any, season: Season) -> CalendarFeed | None:
    """Return a person's feed of a season, None where there is none; one query."""
    return CalendarFeed.objects.filter(season=season, user=user.pk).first() if user.is_authenticated else None


def own_feed_key(user: Any) -> Subquery:
    """Return the key of a reader's own feed as a part of a query of stables, which then takes no query more."""
    return Subquery(CalendarFeed.objects.filter(season=OuterRef("season"), user=user.pk).values("key")[:1])


def make_feed(*, user: Any, season: Season) -> tuple[CalendarFeed, bool]:
    """Make a person's feed, or return the one that is there; also whether it is new. Of two at once both get the same.

    Raises PermissionDenied for a person who takes no part in the season (any more).
    """
    if not takes_part_still(user, season):
        raise PermissionDenied
    return CalendarFeed.objects.get_or_create(
        season=season, user=user, defaults={"key": secrets.token_urlsafe(KEY_BYTES)}
    )


def revoke_feed(*, user: Any, season: Season) -> bool:
    """Take a person's feed back: its address is empty from now on. Returns whether there was one."""
    return bool(CalendarFeed.objects.filter(season=season, user=user).delete()[0])


def open_feed(season_slug: str, key: str) -> CalendarFeed | None:
    """Return the feed with this key and its season and person, as long as the person may read it; else None.

    At most three queries. All that is wrong looks alike: the key, the season, a person who left or may not see it.
    """
    if KEY.fullmatch(key) is None:
        return None
    found = CalendarFeed.objects.select_related("season", "user").defer("season__secret").filter(key=key).first()
    if found is None or not constant_time_compare(found.key, key) or found.season.slug != season_slug:
        return None
    is_there = takes_part_still(found.user, found.season) and may_see(found.user, found.season)
    return found if is_there else None
