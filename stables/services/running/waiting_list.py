"""The waiting list of a season: a free place is offered to the first who waits, for a time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from people.services.accounts import notify
from rules.campaign.season.hand import OFFER_LASTS, free_places
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Invitation, Season, WaitingPlace
from stables.selectors.entrants import in_season
from stables.selectors.offices import organisers_of, organises
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.results.rulings import reason_of
from stables.services.season import invitations
from stables.services.season.seasons import open_for_newcomers

MOST_WAITING = 50
"""The most people on the list of one season."""

MOST_AT_ONCE = 200
"""The most seasons that one look at the lists takes up."""


@transaction.atomic
def wait(*, season_id: int, user: Any, invitation: Invitation | None = None) -> WaitingPlace:
    """Put a person on the waiting list of a season that is full. A second call changes nothing.

    Raises SeasonRefused (season_closed_to_newcomers, already_owner_here, invitation_needed, place_is_free,
    waiting_list_full).
    """
    season = lock_season(season_id)
    SEASON.require("wait_for_a_place", season.state, "season_closed_to_newcomers")
    own = season.stables.filter(owner=user).first()
    if own is not None:
        raise SeasonRefused("already_owner_here", stable=own.name)
    if season.joining == Season.Joining.INVITED and invitation is None and not organises(user, season):
        raise SeasonRefused("invitation_needed")
    listed = list(season.waiting.all())
    known = next((each for each in listed if each.user_id == user.pk), None)
    if known is not None:
        return known
    if free_places(season.rules.places, len(in_season(season)), len(listed)):
        raise SeasonRefused("place_is_free")
    if len(listed) >= MOST_WAITING:
        raise SeasonRefused("waiting_list_full", largest=MOST_WAITING)
    made = WaitingPlace.objects.create(season=season, user=user, invitation=invitation)
    record(season, "waiting_began", {"person": user.pk}, actor=user)
    facts = {"season": season.name, "person": user.get_username()}
    address = reverse("stables:waiting_list", args=[season.slug])
    notify(organisers_of(season, [user.pk]), "person_waits", facts, address)
    return made


@transaction.atomic
def wait_by_code(*, code: str, user: Any) -> WaitingPlace:
    """Put a person on the waiting list of the season of an invitation.

    Raises SeasonRefused (invitation_revoked, invitation_used_up, invitation_of_removed, and those of `wait`) or
    Malformed (unknown_invitation).
    """
    found = invitations.find_for(code, user)
    return wait(season_id=found.season_id, user=user, invitation=found)


@transaction.atomic
def leave(*, season_id: int, user: Any) -> None:
    """Take a person off the list at their own wish. A place that they were offered goes to the next. Safe to repeat."""
    season = lock_season(season_id)
    known = season.waiting.filter(user=user).first()
    if known is None:
        return
    known.delete()
    record(season, "waiting_left", {"person": user.pk}, actor=user)
    offer_places(season)


@transaction.atomic
def pass_over(*, season_id: int, waiting_id: int, reason: str, user: Any, now: datetime | None = None) -> None:
    """Take a person off the list as an organiser, tell them why, and offer a free place to the next.

    Raises PermissionDenied for anybody but an organiser, or Malformed (reason_missing, nobody_waits).
    """
    reason = reason_of(reason)
    season = lock_season(season_id)
    if not organises(user, season):
        raise PermissionDenied
    known = season.waiting.select_related("user").filter(pk=waiting_id).first()
    if known is None:
        raise Malformed("nobody_waits")
    known.delete()
    record(season, "waiting_passed_over", {"person": known.user_id, "reason": reason}, actor=user)
    notify([known.user], "waiting_passed_over", {"season": season.name, "reason": reason})
    offer_places(season, now)


def offer_places(season: Season, now: datetime | None = None) -> None:
    """Offer each free place to the first who wait, and end offers whose time is over. Safe to repeat.

    Nothing is offered while nobody may join; an offer that runs out in that time is made again later. When the season
    takes no stables any more, the list ends. Call it with the season locked.
    """
    now = now or timezone.now()
    listed = list(season.waiting.select_related("user").order_by("id"))
    if not listed:
        return
    if not SEASON.may("wait_for_a_place", season.state):
        season.waiting.all().delete()
        return
    is_open = open_for_newcomers(season) is not None
    waiting = [each for each in listed if not _has_lapsed(season, each, is_open, now)]
    if not is_open:
        return
    free = season.rules.places - len(in_season(season)) - sum(each.offered_until is not None for each in waiting)
    for place in [each for each in waiting if each.offered_until is None][: max(0, free)]:
        place.offered_until = now + OFFER_LASTS
        place.save(update_fields=["offered_until"])
        until = stored(place.offered_until)
        record(season, "place_offered", {"person": place.user_id, "until": until})
        notify([place.user], "place_offered", {"season": season.name, "until": until}, address_of(place))


def address_of(place: WaitingPlace) -> str:
    """Return the address of the page on which a person sees their own place on a list, also of a private season."""
    return reverse("stables:waiting_place", args=[place.pk])


def _has_lapsed(season: Season, place: WaitingPlace, is_open: bool, now: datetime) -> bool:
    """Return whether a person did not take the offered place in time; they leave the list if they could have."""
    if place.offered_until is None or place.offered_until > now:
        return False
    if not is_open:
        place.offered_until = None
        place.save(update_fields=["offered_until"])
        return False
    place.delete()
    record(season, "place_not_taken", {"person": place.user_id})
    notify([place.user], "place_not_taken", {"season": season.name})
    return True


def look_after_lists(now: datetime | None = None) -> None:
    """Call `offer_places` for up to MOST_AT_ONCE seasons with a waiting list, each in a transaction of its own."""
    listed = WaitingPlace.objects.order_by("season").values_list("season", flat=True).distinct()
    for season_id in list(listed[:MOST_AT_ONCE]):
        with transaction.atomic():
            offer_places(lock_season(season_id), now)
