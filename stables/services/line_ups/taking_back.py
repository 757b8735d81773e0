"""Line-ups that are taken out again before the reveal: by their owner, or unseen by an organiser."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from rules.campaign.states import FIXTURE, UNDECIDED
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, NoShowClaim
from stables.selectors.fixtures import lock_fixture
from stables.selectors.seating import has_person
from stables.services.base.ledger import lock_stable
from stables.services.base.log import record
from stables.services.fixtures.directing import require_director, tell
from stables.services.line_ups.appointments import stables_of
from stables.services.results.rulings import reason_of


@transaction.atomic
def take_back(*, stable_id: int, fixture_id: int, actor: Any = None, now: datetime | None = None) -> None:
    """Take a stable's own line-up back while that of a rival is missing; it may then hand in another, and log it.

    Raises SeasonRefused (line_ups_revealed, line_up_not_in, line_up_claimed, line_up_time_over) or Malformed
    (unknown_asset) for a stable that is not in the fixture.
    """
    fixture = lock_fixture(fixture_id)
    lock_stable(stable_id)
    side = _side_of(fixture, stable_id)
    if side is None:
        raise Malformed("unknown_asset")
    _take_out(fixture, side, now or timezone.now())
    values = {"stable": side.stable.name, "round": fixture.round.number}
    record(fixture.round.cycle.season, "fixture_line_up_taken_back", values, fixture=fixture, actor=actor)


@transaction.atomic
def reopen(*, fixture_id: int, stable_id: int, reason: str, user: Any, now: datetime | None = None) -> None:
    """Open a sealed line-up again as an organiser, without showing it to anybody; its owner may hand in another.

    Log it, and notify the owners of the match. Raises PermissionDenied, SeasonRefused (organiser_takes_part,
    line_ups_revealed, line_up_not_in, line_up_of_the_ai, line_up_claimed, line_up_time_over) or Malformed
    (reason_missing, bad_field).
    """
    reason = reason_of(reason)
    fixture = lock_fixture(fixture_id)
    require_director(fixture, user)
    side = _side_of(fixture, stable_id)
    if side is None:
        raise Malformed("bad_field", field="stable")
    lock_stable(stable_id)
    if not has_person(side.stable):
        raise SeasonRefused("line_up_of_the_ai", stable=side.stable.name)
    _take_out(fixture, side, now or timezone.now())
    values = {"stable": side.stable.name, "reason": reason}
    tell(fixture, stables_of(fixture), "fixture_line_up_reopened", values, user)


def _side_of(fixture: Fixture, stable_id: int) -> FixtureSide | None:
    sides = FixtureSide.objects.filter(fixture=fixture, stable=stable_id)
    return sides.select_related("stable__owner", "line_up").first()


def _take_out(fixture: Fixture, side: FixtureSide, now: datetime) -> None:
    """Delete the line-up of a side of a locked fixture.

    Raises SeasonRefused (line_ups_revealed, line_up_not_in, line_up_claimed, line_up_time_over).
    """
    FIXTURE.require("take_back", fixture.state, "line_ups_revealed")
    if side.forfeits or not hasattr(side, "line_up"):
        raise SeasonRefused("line_up_not_in", stable=side.stable.name)
    if NoShowClaim.objects.filter(fixture=fixture, state__in=UNDECIDED).exists():
        # Only a stable with a line-up may claim that the other one did not come.
        raise SeasonRefused("line_up_claimed")
    due = fixture.line_ups_due_at
    if due is not None and due <= now and fixture.round.cycle.season.paused_at is None:
        # The job that calls time has run or is about to: it would hand in another line-up at once.
        raise SeasonRefused("line_up_time_over")
    side.line_up.delete()
