"""What organisers choose for one absent stable: the AI stands in, its match gets a new date, it forfeits, or a bye."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, Season, Stable
from stables.selectors.absent import awaited
from stables.selectors.offices import organises
from stables.selectors.pairings import history_of, is_bye_due
from stables.services.base.reasons import required
from stables.services.fixtures.declared_forfeits import declare_forfeit
from stables.services.fixtures.excuses import excuse
from stables.services.fixtures.swaps import swap
from stables.services.running.stables import hand_to_ai

STAND_IN, NEW_DATE, FORFEIT, BYE = "stand_in", "new_date", "forfeit", "bye"
CHOICES = (STAND_IN, NEW_DATE, FORFEIT, BYE)
WHY = "no_show"
"""The reason of a forfeit (rules.campaign.season.directing.FORFEIT_REASONS)."""


@dataclass(frozen=True)
class Chosen:
    """The choice for an absent stable, and the match that it is about."""

    choice: str
    fixture_id: int


def choose(
    *, stable_id: int, choice: str, reason: str, user: Any, until: datetime | None = None, now: datetime | None = None
) -> Chosen:
    """Do one of CHOICES for a stable whose match waits for it, by the service that organisers use for it elsewhere.

    STAND_IN hands the stable to the AI until `until`, to play and repair for half of its Stones at most; NEW_DATE gives
    the match time until then. BYE exchanges it with the stable that has the bye of the round. Raises PermissionDenied,
    Malformed (bad_field, reason_missing) or SeasonRefused (stable_not_awaited, no_match_to_prepare, bye_not_due, and
    those of the services).
    """
    stable = Stable.objects.select_related("season").get(pk=stable_id)
    if not organises(user, stable.season):
        raise PermissionDenied
    if choice not in CHOICES:
        raise Malformed("bad_field", field="choice")
    reason = required(reason)
    side = side_awaited(stable.season, stable)
    if choice in (STAND_IN, NEW_DATE) and until is None:
        raise Malformed("bad_field", field="until")
    if choice == STAND_IN:
        assert until is not None
        half = stable.capital // 2
        hand_to_ai(stable_id=stable.pk, ends_at=until, reason=reason, user=user, spending_limit=half, now=now)
    elif choice == NEW_DATE:
        excuse(fixture_id=side.fixture_id, stable_id=stable.pk, until=until, reason=reason, user=user, now=now)
    elif choice == FORFEIT:
        declare_forfeit(fixture_id=side.fixture_id, stable_ids=[stable.pk], why=WHY, user=user, words=reason, now=now)
    else:
        holder = bye_for(side)
        if holder is None:
            raise SeasonRefused("bye_not_due", name=stable.name)
        swap(fixture_id=side.fixture_id, stable_id=stable.pk, other_id=holder.stable_id, reason=reason, user=user)
    return Chosen(choice, side.fixture_id)


def side_awaited(season: Season, stable: Stable) -> FixtureSide:
    """Return the first side on which a season waits for a stable.

    Raises SeasonRefused (stable_not_awaited, no_match_to_prepare).
    """
    rows = awaited(season, [stable.pk])
    if not rows:
        raise SeasonRefused("stable_not_awaited", name=stable.name)
    side = rows[0].side
    if side is None:
        raise SeasonRefused("no_match_to_prepare", name=stable.name)
    return side


def bye_for(side: FixtureSide) -> FixtureSide | None:
    """Return the side of a bye in the same round that an absent stable may take over (Q-158), None if there is none.

    Fetch `side` with fixture, round and cycle. Two queries.
    """
    called = side.fixture.round
    known = history_of(called.cycle)
    byes = FixtureSide.objects.filter(fixture__round=called, fixture__kind=Fixture.Kind.BYE, forfeits="")
    for holder in byes.exclude(stable=side.stable_id).select_related("stable").order_by("id"):
        if is_bye_due(known, side.stable_id, holder.stable_id):
            return holder
    return None
