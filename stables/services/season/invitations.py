"""Inviting people to a season by a link or its code, and joining by one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import Limit
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Invitation, Season, Stable
from stables.selectors.offices import organises
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.season.seasons import FoundedStable, found_stable
from web.bounds import MOST_INVITATIONS, MOST_USES

CODE_BYTES = 12
"""96 random bits, written as 16 characters."""

LOOKS_OF_A_PLACE = Limit("invitation", 60)
"""How many codes one network address may try in an hour: enough for a club in one evening, too few to guess a code."""


@dataclass(frozen=True)
class Invited:
    """An invitation to hand out: its id and its code."""

    invitation_id: int
    code: str


@transaction.atomic
def invite(*, season_id: int, most_uses: int | None = None, actor: Any = None) -> Invited:
    """Make an invitation for at most `most_uses` stables; None means as many as there are places.

    Raises SeasonRefused (season_not_running) unless the season recruits or runs, or Malformed (bad_field) for another
    number of uses and once the season has MOST_INVITATIONS.
    """
    season = lock_season(season_id)
    SEASON.require("invite", season.state, "season_not_running", state=season.state)
    if most_uses is not None and not 1 <= most_uses <= MOST_USES:
        raise Malformed("bad_field", field="most_uses", value=most_uses)
    if season.invitations.filter(revoked_at=None).count() >= MOST_INVITATIONS:
        raise Malformed("bad_field", field="invitation", value=MOST_INVITATIONS + 1)
    made = Invitation.objects.create(season=season, code=secrets.token_urlsafe(CODE_BYTES), most_uses=most_uses)
    record(season, "invitation_made", actor=actor)
    return Invited(made.pk, made.code)


@transaction.atomic
def revoke(*, season_id: int, invitation_id: int, actor: Any = None) -> None:
    """Take an invitation back; stables founded by it stay. Safe to repeat. Raises Malformed (unknown_invitation)."""
    season = lock_season(season_id)
    known = Invitation.objects.filter(season=season, pk=invitation_id).first()
    if known is None:
        raise Malformed("unknown_invitation")
    if known.revoked_at is None:
        known.revoked_at = timezone.now()
        known.save(update_fields=["revoked_at"])
        record(season, "invitation_revoked", actor=actor)


def find(code: str) -> Invitation:
    """Return the invitation with this code and its season, unless it is revoked or used up.

    Whether the season still takes newcomers is not checked. An invitation to a draft counts as unknown. Raises
    Malformed (unknown_invitation) or SeasonRefused (invitation_revoked, invitation_used_up).
    """
    known = Invitation.objects.select_related("season__organiser", "season__release").filter(code=code.strip()).first()
    if known is None or known.season.state == Season.State.DRAFT:
        raise Malformed("unknown_invitation")
    if known.revoked_at is not None:
        raise SeasonRefused("invitation_revoked")
    if known.most_uses is not None and known.stables.count() >= known.most_uses:
        raise SeasonRefused("invitation_used_up")
    return known


def find_for(code: str, person: Any) -> Invitation:
    """Return the invitation with this code as `find` does, unless it is older than the removal of a stable of theirs.

    Whom organisers remove needs a new invitation. Raises SeasonRefused (invitation_of_removed) too.
    """
    known = find(code)
    if Stable.every.filter(season=known.season, owner=person, removed_at__gte=known.created_at).exists():
        raise SeasonRefused("invitation_of_removed")
    return known


@transaction.atomic
def join(*, code: str, name: str, owner: Any) -> FoundedStable:
    """Found a person's stable by an invitation.

    Raises SeasonRefused (invitation_revoked, invitation_used_up, invitation_of_removed, season_closed_to_newcomers,
    season_full, already_owner_here, stable_name_taken) or Malformed (unknown_invitation, stable_name_missing).
    """
    season_id = find_for(code, owner).season_id
    # The uses are counted again under the season's lock, so that two people cannot both take the last one.
    lock_season(season_id)
    return found_stable(season_id=season_id, name=name, owner=owner, invitation=find_for(code, owner))


@transaction.atomic
def found_by_person(*, season_id: int, name: str, owner: Any) -> FoundedStable:
    """Found a person's stable without an invitation, if the season is open to everybody or they organise it.

    A person who is offered a place from the waiting list needs no invitation either. Raises SeasonRefused
    (invitation_needed, season_closed_to_newcomers, season_full, place_is_kept, already_owner_here, stable_name_taken)
    or Malformed (stable_name_missing).
    """
    season = lock_season(season_id)
    place = season.waiting.exclude(offered_until=None).filter(user=owner).select_related("invitation").first()
    if season.joining == Season.Joining.INVITED and place is None and not organises(owner, season):
        raise SeasonRefused("invitation_needed")
    invitation = None if place is None else place.invitation
    return found_stable(season_id=season_id, name=name, owner=owner, invitation=invitation)
