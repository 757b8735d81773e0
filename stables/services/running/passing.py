"""Passing a stable to another account: by the account's name, or by a link that is used once."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from matches.services.time_banks import forgive
from people.selectors import account_named
from people.services.accounts import Limit, count_attempt, notify, notify_newest
from people.services.guests import end_guest
from rules.campaign.season.hand import LINK_LASTS
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import ExternalSeat, Fixture, FixtureSide, HandOver, Passing, Season, Stable
from stables.selectors.access import may_see
from stables.selectors.crews import left_to_the_ai
from stables.selectors.fixtures import lock_fixture
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.standing_in import end_for_stable
from stables.services.fixtures.hand_overs import follow_seats
from stables.services.line_ups.match_setup import take_seats
from stables.services.results.rulings import reason_of
from stables.services.running.stables import managed, require_impartial
from stables.services.season.identities import passed_identity
from stables.services.season.staying_ready import mind_crew

CODE_BYTES = 24
"""192 random bits, written as 32 characters."""

LONGEST_CODE = 64

STABLES_OF_A_PERSON = Limit("stable_passed", 20)
"""How many stables one organiser may pass on in an hour: each is a notice to somebody who did not ask for it."""

STABLES_TO_A_PERSON = Limit("stable_passed_to", 3)
"""How many stables one organiser may pass to the same person in an hour."""

LOOKS_OF_A_PLACE = Limit("passing", 60)
"""How many links one network address may try in an hour."""

MOST_LINKS = 5
"""The most open links of one stable."""

OFFERS = ("stable_offered", "stable_offer_revoked")


@dataclass(frozen=True)
class Passed:
    """A stable that has passed to another account."""

    stable_id: int
    owner: str


@dataclass(frozen=True)
class MadeLink:
    """A link to hand out: its id, its code, and when it expires. The code is stored nowhere."""

    passing_id: int
    code: str
    expires_at: datetime


@transaction.atomic
def pass_to(*, stable_id: int, name: str, reason: str, user: Any, now: datetime | None = None) -> Passed:
    """Pass a stable to the account of this name at once. Its old and its new owner get a notice that says why.

    Raises PermissionDenied, SeasonRefused (season_not_running, stable_has_left, organiser_takes_part, taker_has_stable,
    program_has_stable, stand_in_plays), Malformed (reason_missing, unknown_person) or TooOften (too_often).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "pass_stable", "season_not_running")
    person = account_named(name)
    if person is None:
        raise Malformed("unknown_person", name=name.strip())
    count_attempt(STABLES_OF_A_PERSON, str(user.pk))
    count_attempt(STABLES_TO_A_PERSON, f"{user.pk} {person.pk}")
    passing = Passing(stable=stable, reason=reason, made_by=user)
    change_owner(season, stable, passing, person, user, now or timezone.now())
    return Passed(stable.pk, person.get_username())


@transaction.atomic
def make_link(*, stable_id: int, reason: str, user: Any, now: datetime | None = None) -> MadeLink:
    """Make a link that passes a stable to the person who opens it and confirms. It is used once.

    It lasts LINK_LASTS, unless it is revoked. The owner gets a notice that says why. Raises PermissionDenied,
    SeasonRefused (season_not_running, stable_has_left, organiser_takes_part, too_many_links) or Malformed
    (reason_missing).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "pass_stable", "season_not_running")
    now = now or timezone.now()
    if open_links(stable.pk, now).count() >= MOST_LINKS:
        raise SeasonRefused("too_many_links", most=MOST_LINKS)
    code = secrets.token_urlsafe(CODE_BYTES)
    made = Passing.objects.create(
        stable=stable, code_hash=hash_of(code), reason=reason, made_by=user, expires_at=now + LINK_LASTS
    )
    record(season, "stable_offered", {"stable": stable.name, "reason": reason}, actor=user)
    if stable.owner is not None:
        facts = {"season": season.name, "stable": stable.name, "reason": reason}
        notify_newest([stable.owner], "stable_offered", facts, stable.get_absolute_url(), instead_of=OFFERS)
    return MadeLink(made.pk, code, now + LINK_LASTS)


@transaction.atomic
def revoke_link(*, season_id: int, passing_id: int, user: Any, now: datetime | None = None) -> None:
    """Take a link that passes a stable on back. A link that was used or revoked stays as it is.

    The caller checks the office of `user`. A link to stand in ends with its stand-in (`standing_in.end`). Raises
    Malformed (unknown_passing) for an id that is no link of the season with which a stable is passed on.
    """
    season = lock_season(season_id)
    known = Passing.objects.filter(stand_in=None).exclude(code_hash=None)
    known = known.select_related("stable__owner", "stable__season")
    found = known.filter(pk=passing_id, stable__season=season).first()
    if found is None:
        raise Malformed("unknown_passing")
    if found.passed_at is None and found.revoked_at is None:
        _take_back(season, found, user, now or timezone.now())


def _take_back(season: Season, link: Passing, actor: Any, now: datetime) -> None:
    """Take a link back, and say so in the log and to the owner. Call it with the season locked."""
    link.revoked_at = now
    link.save(update_fields=["revoked_at"])
    stable = link.stable
    record(season, "stable_offer_revoked", {"stable": stable.name}, actor=actor)
    if stable.owner is not None:
        facts = {"season": season.name, "stable": stable.name}
        notify_newest([stable.owner], "stable_offer_revoked", facts, stable.get_absolute_url(), instead_of=OFFERS)


@transaction.atomic
def revoke_links_of(
    user: Any, now: datetime | None = None, *, office_in: Season | None = None, actor: Any = None
) -> int:
    """Take back every link to a stable, for a guest and a stand-in too, that a person made and nobody has used.

    With `office_in` only those that the person made in a season for stables of others. Return how many could still be
    used. Each of these that passes a stable on has its log line and its notice, as in `revoke_link`; a guest's own
    link to claim with has neither, as when it is made. It locks the seasons, in the order of their ids.
    """
    now = now or timezone.now()
    links = Passing.objects.filter(made_by=user, passed_at=None, revoked_at=None)
    if office_in is not None:
        links = links.filter(stable__season=office_in).exclude(stable__owner=user)
    count = 0
    for season_id in sorted(set(links.values_list("stable__season_id", flat=True))):
        # The links are read under the season's lock, so that none is taken back that somebody uses at this moment.
        season = lock_season(season_id)
        in_season = links.filter(stable__season=season)
        usable_still = in_season.filter(expires_at__gt=now).select_related("stable__owner", "stable__season")
        for link in usable_still.order_by("pk"):
            count += 1
            if link.stand_in_id is None and not user.is_guest:
                _take_back(season, link, actor, now)
        in_season.update(revoked_at=now)
    return count


def open_links(stable_id: Any, now: datetime | None = None) -> QuerySet[Passing]:
    """Return the links that can still be used to pass a stable on, as a query, the oldest first."""
    links = Passing.objects.filter(stable=stable_id, passed_at=None, revoked_at=None, stand_in=None)
    links = links.exclude(code_hash=None)
    return links.filter(expires_at__gt=now or timezone.now()).order_by("pk")


def find(code: str, now: datetime | None = None) -> Passing:
    """Return the link with this code, with its stable, season and owner, if it can still be used.

    Raises Malformed (unknown_passing) or SeasonRefused (link_used, link_revoked, link_expired).
    """
    return _usable(_links().filter(code_hash=hash_of(code)).first(), now)


def usable(passing_id: int, now: datetime | None = None) -> Passing:
    """Return the link with this id as `find` does; only for a person who has opened it by its code.

    Raises as `find` does.
    """
    return _usable(_links().filter(pk=passing_id).first(), now)


def _links() -> QuerySet[Passing]:
    known = Passing.objects.exclude(code_hash=None)
    known = known.select_related("stable__season__organiser", "stable__owner", "stand_in__fixture__round")
    return known.exclude(stable__season__state=Season.State.DRAFT)


def _usable(found: Passing | None, now: datetime | None) -> Passing:
    if found is None or found.expires_at is None:
        raise Malformed("unknown_passing")
    if found.passed_at is not None:
        raise SeasonRefused("link_used")
    if found.revoked_at is not None:
        raise SeasonRefused("link_revoked")
    if found.expires_at <= (now or timezone.now()):
        raise SeasonRefused("link_expired")
    return found


@transaction.atomic
def take_over(*, passing_id: int, user: Any, now: datetime | None = None) -> Passed:
    """Make the person who confirms a link the owner of its stable; only for a person who has opened it by its code.

    Raises SeasonRefused (link_used, link_revoked, link_expired, season_not_running, stable_has_left,
    already_owner_here, program_has_stable, stand_in_plays, guest_may_not;
    organiser_takes_part for the organiser who made the link, unless nobody else could) or Malformed (unknown_passing).
    """
    if user.is_guest:
        raise SeasonRefused("guest_may_not")
    season = lock_season(usable(passing_id, now).stable.season_id)
    # The link is read again under the season's lock, so that only one person uses it.
    passing = usable(passing_id, now)
    if passing.stand_in_id is not None:
        raise Malformed("unknown_passing")
    stable = passing.stable
    stable.season = season
    act = "claim_stable" if is_claim(passing) else "pass_stable"
    SEASON.require(act, season.state, "season_not_running", state=season.state)
    if stable.left_in_cycle is not None:
        raise SeasonRefused("stable_has_left", name=stable.name)
    change_owner(season, stable, passing, user, user, now or timezone.now())
    return Passed(stable.pk, user.get_username())


def change_owner(season: Season, stable: Stable, passing: Passing, person: Any, actor: Any, now: datetime) -> None:
    """Make `person` the owner of a stable at once, with everything that the stable has and has planned.

    What belongs to the old owner alone ends: a hand-over, a program's seat, stand-ins, other links, the account of a
    guest. The seats of running matches change in this transaction. Call it with the season locked.
    """
    _require_free(season, person, is_self=person == actor)
    rivals = FixtureSide.objects.exclude(stable=stable).exclude(fixture__state=Fixture.State.SETTLED)
    if rivals.filter(fixture__sides__stable=stable, stand_in=person).exists():
        raise SeasonRefused("stand_in_plays", name=person.get_username())
    if passing.made_by_id == person.pk:
        # An organiser who passes a stable to themself begins to play.
        require_impartial(season, stable, person, plays_too=True)
    claims = is_claim(passing)
    sides = FixtureSide.objects.filter(stable=stable, fixture__state=Fixture.State.SEALED, fixture__result=None)
    # Fixtures are locked before stables, here as everywhere.
    fixtures = [lock_fixture(pk) for pk in sides.order_by("fixture_id").values_list("fixture_id", flat=True)]
    Stable.objects.select_for_update(of=("self",)).get(pk=stable.pk)
    old_owner, stable.owner, stable.is_ai = stable.owner, person, False
    stable.identity = passed_identity(stable, person)
    stable.save(update_fields=["owner", "is_ai", "identity"])
    was_left = stable.pk in left_to_the_ai(season.pk)
    HandOver.objects.filter(stable=stable, ended_at=None, ends_at__gt=now).update(ended_at=now)
    end_for_stable(stable.pk, now)
    for seat in ExternalSeat.objects.filter(stable=stable, ended_at=None):
        seat.ended_at = now
        seat.save(update_fields=["ended_at"])
        record(season, "program_ended", {"stable": stable.name, "person": seat.user_id}, actor=actor)
    season.waiting.filter(user=person).delete()
    passing.passed_at, passing.old_owner, passing.new_owner = now, old_owner, person
    passing.save()
    open_links(stable.pk, now).update(revoked_at=now)
    for fixture in fixtures:
        if fixture.match is not None:
            take_seats(fixture_id=fixture.pk, match=fixture.match, keeps_answers=True)
            for side in fixture.sides.filter(stable=stable):
                # That the old owner did not come is not the new one's fault.
                forgive(fixture.match.pk, side.side)
    follow_seats(stable, f"passing:{passing.pk}")
    facts: dict[str, Any] = {"stable": stable.name, "person": person.pk, "reason": passing.reason}
    code = "guest_seated" if person.is_guest else "stable_claimed" if claims else "stable_passed"
    record(season, code, facts, actor=actor)
    facts = {"season": season.name, "stable": stable.name, "reason": passing.reason}
    if old_owner is not None and old_owner.is_guest:
        # The account was for this stable alone, and ends with its sessions.
        end_guest(old_owner)
    elif old_owner is not None:
        address = season.get_absolute_url() if may_see(old_owner, season) else ""
        notify([old_owner], "stable_passed", facts, address)
    notify([person], "stable_claimed" if claims else "stable_yours", facts, stable.get_absolute_url())
    if was_left:
        # The new owner reads first that the stable is theirs, then what it lacks.
        mind_crew(season, stable.pk)


def is_claim(passing: Passing) -> bool:
    """Return whether a link is the one that the guest who owns the stable made for their account."""
    owner = passing.stable.owner
    return owner is not None and owner.is_guest and passing.made_by_id == owner.pk


def _require_free(season: Season, person: Any, is_self: bool) -> None:
    """Raise SeasonRefused for an account that has a stable in the season, or plays in it as a program.

    The codes are already_owner_here for the person themself, taker_has_stable and program_has_stable.
    """
    own = season.stables.filter(owner=person).first()
    if own is not None and is_self:
        raise SeasonRefused("already_owner_here", stable=own.name)
    if own is not None:
        raise SeasonRefused("taker_has_stable", name=person.get_username(), stable=own.name)
    if ExternalSeat.objects.filter(stable__season=season, ended_at=None, user=person).exists():
        raise SeasonRefused("program_has_stable", name=person.get_username())


def hash_of(code: str) -> str:
    """Return the hash under which the secret code of a link is stored."""
    return hashlib.sha256(code.strip().encode()).hexdigest()
