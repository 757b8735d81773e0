"""What organisers do with a stable: remove it before the season, withdraw it, give it to the AI and back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify, notify_newest
from people.services.guests import end_guest
from rules.campaign.season.hand import may_decide_about
from rules.campaign.states import SEASON
from rules.core.refusals import SeasonRefused
from stables.models import HandOver, Passing, Season, Stable
from stables.selectors.access import may_see
from stables.selectors.entrants import in_season
from stables.selectors.offices import organiser_ids, organises
from stables.selectors.seating import hand_over_of
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.fixtures import hand_overs
from stables.services.results.rulings import reason_of
from stables.services.running import participation
from stables.services.running.waiting_list import offer_places

HAND_OVERS = ("stable_handed_to_ai", "stable_taken_from_ai")


def managed(stable_id: int, user: Any, act: str, code: str) -> tuple[Season, Stable]:
    """Lock the season of a stable for an organiser's act, and return both. The stable has its owner and season.

    `act` is one of rules.campaign.states.SEASON, and `code` refuses it in other states. Raises PermissionDenied for
    anybody but an organiser, or SeasonRefused (`code`, stable_has_left, organiser_takes_part).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = Stable.objects.select_related("owner").get(pk=stable_id)
    stable.season = season
    if not organises(user, season):
        raise PermissionDenied
    SEASON.require(act, season.state, code, name=stable.name, state=season.state)
    if stable.left_in_cycle is not None:
        raise SeasonRefused("stable_has_left", name=stable.name)
    require_impartial(season, stable, user)
    return season, stable


def require_impartial(season: Season, stable: Stable, user: Any, *, plays_too: bool = False) -> None:
    """Raise SeasonRefused (organiser_takes_part) if an organiser may not decide about a stable of a running season.

    `plays_too` says that the decision lets them play in it.
    """
    if season.state != Season.State.RUNNING:
        return
    players = {each.owner_id for each in in_season(season) if each.owner_id is not None}
    if plays_too:
        players.add(user.pk)
    if not may_decide_about(user.pk, stable.owner_id, organiser_ids(season), players):
        raise SeasonRefused("organiser_takes_part")


@transaction.atomic
def remove(*, stable_id: int, reason: str, user: Any, now: datetime | None = None) -> None:
    """Remove a stable before the season begins, as if it had never joined, and tell its owner why.

    Its assets, baskets and plans are deleted. Its row and its ledger stay, and no list shows them. Its place goes to
    the first person who waits, and the account of a guest ends.

    Raises PermissionDenied, SeasonRefused (stable_stays) or Malformed (reason_missing).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "remove_stable", "stable_stays")
    Stable.objects.select_for_update(of=("self",)).get(pk=stable_id)
    for belongings in (stable.assets, stable.baskets, stable.skipped, stable.hand_overs, stable.external_seats):
        belongings.all().delete()
    stable.saved_line_ups.all().delete()
    stable.invitation, stable.removed_at = None, now or timezone.now()
    stable.save(update_fields=["invitation", "removed_at"])
    Passing.objects.filter(stable=stable, passed_at=None, revoked_at=None).update(revoked_at=stable.removed_at)
    record(season, "stable_removed", {"stable": stable.name, "reason": reason}, actor=user)
    if stable.owner is not None and stable.owner.is_guest:
        # The account was for this stable alone, and ends with its sessions.
        end_guest(stable.owner)
    elif stable.owner is not None:
        address = season.get_absolute_url() if may_see(stable.owner, season) else ""
        notify([stable.owner], "stable_removed", _facts(season, stable, reason), address)
    offer_places(season, now)


@transaction.atomic
def withdraw(*, stable_id: int, reason: str, user: Any) -> participation.Part:
    """Take a stable out of a running season, as its owner may, and tell the owner why.

    Raises PermissionDenied, SeasonRefused (season_not_running, stable_has_left, organiser_takes_part, cycle_is_closing)
    or Malformed (reason_missing).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "manage_stable", "season_not_running")
    part = participation.withdraw(stable_id=stable_id, actor=user, reason=reason)
    if stable.owner is not None:
        notify([stable.owner], "stable_withdrawn", _facts(season, stable, reason), stable.get_absolute_url())
    return part


@transaction.atomic
def hand_to_ai(
    *,
    stable_id: int,
    ends_at: datetime,
    reason: str,
    user: Any,
    scope: str = HandOver.Scope.PLAY_AND_REPAIR,
    spending_limit: int | None = None,
    now: datetime | None = None,
) -> hand_overs.HandedOver:
    """Hand the stable of a person over to the AI from now until `ends_at`, and tell its owner why.

    The owner may take it back at any time. Raises PermissionDenied, SeasonRefused (season_not_running, stable_has_left,
    organiser_takes_part, nobody_to_stand_in_for, and those of hand_overs.hand_over) or Malformed (reason_missing,
    bad_field).
    """
    reason = reason_of(reason)
    now = now or timezone.now()
    season, stable = managed(stable_id, user, "manage_stable", "season_not_running")
    if stable.owner is None:
        raise SeasonRefused("nobody_to_stand_in_for", name=stable.name)
    made = hand_overs.hand_over(
        stable_id=stable_id,
        starts_at=now,
        ends_at=ends_at,
        scope=scope,
        spending_limit=spending_limit,
        actor=user,
        now=now,
    )
    # Only the owner reads how much may be spent.
    terms = {"until": stored(made.ends_at), "scope": made.scope}
    record(season, "stable_handed_to_ai", {"stable": stable.name, "reason": reason, **terms}, actor=user)
    limit = 0 if made.scope == HandOver.Scope.PLAY else spending_limit
    facts = {**_facts(season, stable, reason), **terms, "limit": limit}
    notify_newest([stable.owner], "stable_handed_to_ai", facts, stable.get_absolute_url(), instead_of=HAND_OVERS)
    return made


@transaction.atomic
def take_back_from_ai(*, stable_id: int, reason: str, user: Any, now: datetime | None = None) -> hand_overs.HandedOver:
    """End the hand-over that runs for a stable, so that its owner decides again, and tell them why.

    Raises PermissionDenied, SeasonRefused (season_not_running, stable_has_left, organiser_takes_part, not_handed_over)
    or Malformed (reason_missing).
    """
    reason = reason_of(reason)
    season, stable = managed(stable_id, user, "manage_stable", "season_not_running")
    held = hand_over_of(stable_id, now)
    if held is None:
        raise SeasonRefused("not_handed_over", name=stable.name)
    made = hand_overs.take_back(stable_id=stable_id, hand_over_id=held.pk, actor=user, now=now)
    record(season, "stable_taken_from_ai", {"stable": stable.name, "reason": reason}, actor=user)
    if stable.owner is not None:
        facts, address = _facts(season, stable, reason), stable.get_absolute_url()
        notify_newest([stable.owner], "stable_taken_from_ai", facts, address, instead_of=HAND_OVERS)
    return made


def is_away(stable_id: int, now: datetime | None = None) -> bool:
    """Return whether the AI acts for the owner of a stable now; one query."""
    return hand_over_of(stable_id, now) is not None


def _facts(season: Season, stable: Stable, reason: str) -> dict[str, str]:
    return {"season": season.name, "stable": stable.name, "reason": reason}
