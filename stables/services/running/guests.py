"""Guests of a season: a link seats a person without an account at a stable, which an account may claim later."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from people.models import User
from people.services.accounts import Limit, count_attempt, notify_newest
from people.services.guests import end_sessions, make_guest
from rules.campaign.season.hand import LINK_LASTS
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import CalendarFeed, Passing, Season, Stable, TablePin
from stables.selectors.offices import everybody_in, organises
from stables.selectors.webhooks.documents import language_of
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.results.rulings import reason_of
from stables.services.running import coming, passing
from stables.services.running.stables import managed, require_impartial
from stables.services.season.seasons import FoundedStable, found_stable
from web.bounds import MOST_GUESTS

LINKS_OF_A_PERSON = Limit("guest_link", 60)
"""How many links for guests one organiser may make in an hour: each makes an account when it is opened."""


@dataclass(frozen=True)
class AwaitedGuest:
    """A stable that was founded for a guest, and the link with which they play it."""

    founded: FoundedStable
    link: passing.MadeLink


@transaction.atomic
def found_for_guest(*, season_id: int, name: str, user: Any, now: datetime | None = None) -> AwaitedGuest:
    """Found a stable for a guest who need not be there yet, and make the link with which they play it.

    The account of the guest is there from the beginning, so the AI never acts for the stable. The organiser `user`
    names the stable; the other organisers get a notice.

    Raises PermissionDenied for anybody else, SeasonRefused (those of `found_stable`, organiser_takes_part,
    too_many_guests), Malformed (stable_name_missing) or TooOften (too_often).
    """
    season = lock_season(season_id)
    if not organises(user, season):
        raise PermissionDenied
    founded = found_stable(season_id=season_id, name=name, owner=make_guest(language_of(season)), actor=user)
    stable = Stable.objects.select_related("owner").get(pk=founded.stable_id)
    require_impartial(season, stable, user)
    made = _make_link(season, stable, "", user, now or timezone.now())
    record(season, "guest_awaited", {"stable": stable.name}, actor=user)
    return AwaitedGuest(founded, made)


@transaction.atomic
def make_seat_link(*, stable_id: int, reason: str, user: Any, now: datetime | None = None) -> passing.MadeLink:
    """Make a link that seats a guest at a stable without an owner, or seats its guest again; used once.

    It takes back older links of the stable. For a stable of a guest it is a renewal: everybody in the season gets a
    notice, and the guest's sessions end once the new link is opened.

    Raises PermissionDenied, SeasonRefused (season_not_running, stable_has_left, organiser_takes_part, seat_has_owner,
    too_many_guests), Malformed (reason_missing) or TooOften (too_often).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "pass_stable", "season_not_running")
    now = now or timezone.now()
    is_renewal = stable.owner is not None
    if stable.owner is not None and not stable.owner.is_guest:
        raise SeasonRefused("seat_has_owner", name=stable.name)
    made = _make_link(season, stable, reason, user, now)
    facts = {"stable": stable.name, "reason": reason}
    record(season, "guest_link_renewed" if is_renewal else "guest_link_made", facts, actor=user)
    if is_renewal:
        told = everybody_in(season, [user.pk])
        values, address = {"season": season.name, **facts}, season.get_absolute_url()
        notify_newest(told, "guest_link_renewed", values, address, instead_of=["guest_link_renewed"], same=["stable"])
    return made


def _make_link(season: Season, stable: Stable, reason: str, user: Any, now: datetime) -> passing.MadeLink:
    """Make a link for the guest of a stable, and take back its other links.

    Raises SeasonRefused (too_many_guests) or TooOften (too_often).
    """
    others = passing.open_links(OuterRef("pk"), now).filter(for_guest=True)
    guests = Stable.objects.filter(Q(owner__is_guest=True) | Q(Exists(others)), season=season).exclude(pk=stable.pk)
    if guests.count() >= MOST_GUESTS:
        raise SeasonRefused("too_many_guests", most=MOST_GUESTS)
    count_attempt(LINKS_OF_A_PERSON, str(user.pk))
    passing.open_links(stable.pk, now).update(revoked_at=now)
    code = secrets.token_urlsafe(passing.CODE_BYTES)
    made = Passing.objects.create(
        stable=stable,
        code_hash=passing.hash_of(code),
        for_guest=True,
        reason=reason,
        made_by=user,
        expires_at=now + LINK_LASTS,
    )
    return passing.MadeLink(made.pk, code, now + LINK_LASTS)


def given_up_for(user: Any, link: Passing) -> Stable | None:
    """Return the stable that a guest's phone gives up when it becomes the guest of a link; None for everybody else.

    One query, none for people who are no guests.
    """
    if not user.is_authenticated or not user.is_guest:
        return None
    own = Stable.objects.filter(owner=user).select_related("season")
    return (own if link.stand_in_id is not None else own.exclude(pk=link.stable_id)).first()


@transaction.atomic
def take_seat(*, passing_id: int, now: datetime | None = None) -> User:
    """Seat the person who opened a link for a guest, and return the guest to log in; only after `passing.find`.

    A stable without an owner gets a new guest. The guest of a stable stays its owner; every older session, every
    open link of the stable, its PINs and the address of the guest's calendar end.

    Raises SeasonRefused (link_used, link_revoked, link_expired, season_not_running, stable_has_left, seat_has_owner) or
    Malformed (unknown_passing).
    """
    now = now or timezone.now()
    season = lock_season(passing.usable(passing_id, now).stable.season_id)
    # The link is read again under the season's lock, so that only one phone uses it.
    link = passing.usable(passing_id, now)
    stable = link.stable
    stable.season = season
    SEASON.require("pass_stable", season.state, "season_not_running", state=season.state)
    if stable.left_in_cycle is not None:
        raise SeasonRefused("stable_has_left", name=stable.name)
    if link.stand_in_id is not None:
        raise Malformed("unknown_passing")
    if not link.for_guest or (stable.owner is not None and not stable.owner.is_guest):
        raise SeasonRefused("seat_has_owner", name=stable.name)
    if stable.owner is None:
        guest = make_guest(language_of(season))
        passing.change_owner(season, stable, link, guest, guest, now)
        return guest
    return _again(season, stable, stable.owner, link, now)


def _again(season: Season, stable: Stable, guest: User, link: Passing, now: datetime) -> User:
    end_sessions(guest)
    link.passed_at, link.old_owner, link.new_owner = now, guest, guest
    link.save(update_fields=["passed_at", "old_owner", "new_owner"])
    # What the old phone made or knows would still pass the stable on, confirm and answer for it, and show its dates.
    passing.open_links(stable.pk, now).update(revoked_at=now)
    TablePin.objects.filter(side__stable=stable).delete()
    CalendarFeed.objects.filter(user=guest).delete()
    coming.renew_links(stable)
    code = "guest_arrived" if guest.last_login is None else "guest_returned"
    record(season, code, {"stable": stable.name}, actor=guest)
    return guest


@transaction.atomic
def make_claim_link(*, stable_id: int, user: Any, now: datetime | None = None) -> passing.MadeLink:
    """Make a link with which an account claims the stable of a guest; the guest alone makes it. It takes back others.

    Also after the season: honours are the stable's. Raises PermissionDenied for anybody else, SeasonRefused
    (season_not_running, stable_has_left).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = Stable.objects.select_related("owner").get(pk=stable_id)
    if not user.is_guest or stable.owner_id != user.pk:
        raise PermissionDenied
    SEASON.require("claim_stable", season.state, "season_not_running", state=season.state)
    if stable.left_in_cycle is not None:
        raise SeasonRefused("stable_has_left", name=stable.name)
    now = now or timezone.now()
    code = secrets.token_urlsafe(passing.CODE_BYTES)
    passing.open_links(stable.pk, now).filter(made_by=user).update(revoked_at=now)
    made = Passing.objects.create(
        stable=stable, code_hash=passing.hash_of(code), reason="", made_by=user, expires_at=now + LINK_LASTS
    )
    return passing.MadeLink(made.pk, code, now + LINK_LASTS)
