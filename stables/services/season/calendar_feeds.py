"""The secret address of a person's calendar of a season: making it, revoking it, and opening it by its key alone."""

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
"""256 random bits, written as 43 characters: nobody guesses a key."""
KEY = re.compile(r"[A-Za-z0-9_-]{43}")
"""The form of a key; the database is asked only for keys of this form."""


def takes_part_still(user: Any, season: Season) -> bool:
    """Return whether a person organises a season, has a role in it, or plays in it with a stable that has not left.

    A program that has or is offered a stable's seat plays too. An account that is not active never does. One query.
    """
    if not user.is_authenticated or not user.is_active:
        return False
    own = OuterRef("pk")
    stays = Stable.objects.filter(season=own, owner=user.pk, left_in_cycle=None)
    seats = ExternalSeat.objects.filter(stable__season=own, user=user.pk, ended_at=None, stable__left_in_cycle=None)
    helps = SeasonRole.objects.filter(season=own, user=user.pk)
    part = Q(organiser=user.pk) | Q(Exists(stays)) | Q(Exists(helps)) | Q(Exists(seats))
    return Season.objects.filter(part, pk=season.pk).exists()


def feed_of(user: Any, season: Season) -> CalendarFeed | None:
    """Return a person's feed of a season, None if there is none; one query."""
    return CalendarFeed.objects.filter(season=season, user=user.pk).first() if user.is_authenticated else None


def own_feed_key(user: Any) -> Subquery:
    """Return a subquery for the key of a reader's own feed, so that a query of stables needs no further one."""
    return Subquery(CalendarFeed.objects.filter(season=OuterRef("season"), user=user.pk).values("key")[:1])


def make_feed(*, user: Any, season: Season) -> tuple[CalendarFeed, bool]:
    """Return a person's feed, created if needed, and whether it is new. Two simultaneous calls get the same feed.

    Raises PermissionDenied for a person who takes no part in the season.
    """
    if not takes_part_still(user, season):
        raise PermissionDenied
    return CalendarFeed.objects.get_or_create(
        season=season, user=user, defaults={"key": secrets.token_urlsafe(KEY_BYTES)}
    )


def revoke_feed(*, user: Any, season: Season) -> bool:
    """Delete a person's feed, so that its address shows nothing from now on, and return whether there was one."""
    return bool(CalendarFeed.objects.filter(season=season, user=user).delete()[0])


def revoke_feeds(user: Any) -> int:
    """Delete all feeds of a person, and return how many there were."""
    return CalendarFeed.objects.filter(user=user).delete()[0]


def open_feed(season_slug: str, key: str) -> CalendarFeed | None:
    """Return the feed with this key, its season and its person, or None if the person may not read it.

    At most three queries, and two more for staff. The result is None too for a wrong key, another season's address, and
    a person who takes no part in the season any more.
    """
    if KEY.fullmatch(key) is None:
        return None
    found = CalendarFeed.objects.select_related("season", "user").defer("season__secret").filter(key=key).first()
    if found is None or not constant_time_compare(found.key, key) or found.season.slug != season_slug:
        return None
    is_there = takes_part_still(found.user, found.season) and may_see(found.user, found.season)
    return found if is_there else None
