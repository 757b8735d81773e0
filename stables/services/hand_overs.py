"""Handing a stable over to the AI while its owner is away, and taking it back (design.md section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from jobs.services import enqueue
from people.services import notify
from rules.campaign.season.appointments import check_hand_over, left_of_limit, told
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Fixture, FixtureSide, HandOver, LedgerEntry, LineUp, Season, Stable
from stables.seating import hand_over_of, handed_over, running_at
from stables.services import line_ups, owners
from stables.services.fixtures import lock_fixture
from stables.services.ledger import Allowance, allowing, lock_stable
from stables.services.locks import lock_season
from stables.services.log import record
from stables.services.owners_asked import answered
from stables.services.playing import ask_for_seats
from stables.services.seasons import begin_when_nobody_shops
from stables.services.times import CLOCKS_DIFFER

LARGEST_LIMIT = 100_000
"""A larger limit than any stable can have Stones says nothing."""


@dataclass(frozen=True)
class HandedOver:
    """A hand-over and its times; `ended_at` once it was taken back."""

    hand_over_id: int
    scope: str
    starts_at: datetime
    ends_at: datetime
    ended_at: datetime | None = None


@transaction.atomic
def hand_over(
    *,
    stable_id: int,
    starts_at: datetime,
    ends_at: datetime,
    scope: str = HandOver.Scope.PLAY_AND_REPAIR,
    spending_limit: int | None = None,
    actor: Any = None,
    now: datetime | None = None,
) -> HandedOver:
    """Hand a stable over from-to; a beginning in the past is now. `spending_limit` in Stones (None: no limit).

    Raises SeasonRefused (hand_over_takes_no_time, hand_over_too_long, hand_over_overlaps) or Malformed (bad_field).
    """
    now = now or timezone.now()
    if scope not in HandOver.Scope.values:
        raise Malformed("bad_field", field="scope")
    if spending_limit is not None and not 0 <= spending_limit <= LARGEST_LIMIT:
        raise Malformed("bad_field", field="spending_limit")
    stable = lock_stable(stable_id)
    starts_at = max(starts_at, now)
    for problem in check_hand_over(starts_at, ends_at, now):
        raise SeasonRefused(problem.code, **problem.parameters)
    other = HandOver.objects.filter(
        stable=stable, ended_at=None, starts_at__lt=ends_at, ends_at__gt=max(starts_at, now)
    ).first()
    if other is not None:
        names = {"from": told(other.starts_at), "to": told(other.ends_at)}
        raise SeasonRefused("hand_over_overlaps", **names)
    made = HandOver.objects.create(
        stable=stable, scope=scope, starts_at=starts_at, ends_at=ends_at, spending_limit=spending_limit
    )
    parameters = {"stable": stable.name, "from": told(starts_at), "to": told(ends_at)}
    record(stable.season, "hand_over_began", parameters, actor=actor)
    _ask(made, stable, "begins", None if starts_at == now else starts_at)
    _ask(made, stable, "ends", ends_at)
    return _told(made)


@transaction.atomic
def take_back(*, stable_id: int, hand_over_id: int, actor: Any = None, now: datetime | None = None) -> HandedOver:
    """Give a stable back to its owner at once; its seats in running matches return to him. Twice is once.

    Raises Malformed (unknown_asset) for another stable's hand-over.
    """
    now = now or timezone.now()
    stable = lock_stable(stable_id)
    made = HandOver.objects.filter(pk=hand_over_id, stable=stable).first()
    if made is None:
        raise Malformed("unknown_asset")
    if HandOver.objects.filter(pk=made.pk, ended_at=None, ends_at__gt=now).update(ended_at=now):
        made.ended_at = now
        record(stable.season, "hand_over_taken_back", {"stable": stable.name}, actor=actor)
        follow_seats(stable, f"hand_over:{made.pk}:taken_back")
    return _told(made)


def mark_read(*, hand_over_id: int, now: datetime | None = None) -> None:
    """Note that the owner has seen the summary."""
    HandOver.objects.filter(pk=hand_over_id, summary_read_at=None).update(summary_read_at=now or timezone.now())


def _ask(made: HandOver, stable: Stable, moment: str, at: datetime | None) -> None:
    enqueue(
        "stables.follow_hand_over",
        {"season": stable.season_id, "hand_over": made.pk},
        unique_key=f"stables:hand_over:{made.pk}:{moment}",
        not_before=None if at is None else at + CLOCKS_DIFFER,
    )


def _told(made: HandOver) -> HandedOver:
    return HandedOver(made.pk, made.scope, made.starts_at, made.ends_at, made.ended_at)


# What the AI does meanwhile -------------------------------------------------------------------------------------------


def follow_seats(stable: Stable, cause: str) -> int:
    """Ask for the seats of the stable's sealed fixtures to be given anew, because of `cause`; returns how many."""
    sides = FixtureSide.objects.filter(stable=stable, fixture__state=Fixture.State.SEALED, fixture__result=None)
    found = [side.fixture for side in sides.select_related("fixture__round__cycle__season").order_by("fixture_id")]
    for fixture in found:
        ask_for_seats(fixture, cause)
    return len(found)


def waiting_fixtures(made: HandOver, now: datetime | None = None) -> list[int]:
    """Return the ids of the fixtures for which the AI must hand in a line-up under this hand-over now."""
    held = hand_over_of(made.stable_id, now)
    if held is None or held.pk != made.pk:
        return []
    sides = _waiting().filter(stable=made.stable_id)
    return list(sides.order_by("fixture_id").values_list("fixture_id", flat=True))


def _waiting() -> QuerySet[FixtureSide]:
    """The sides of running seasons for which a line-up is called for and not there."""
    return FixtureSide.objects.filter(
        fixture__round__cycle__season__state=Season.State.RUNNING,
        fixture__state=Fixture.State.LINE_UPS,
        forfeits="",
        line_up=None,
    )


@answered
def prepare(*, stable_id: int, fixture_id: int, now: datetime | None = None) -> str:
    """Let the AI prepare an absent owner's stable for a fixture, within scope and limit; returns its forfeit, if any.

    "play" hands in a line-up, the other scopes repair before. A side that is ready, or whose owner is there, is left
    alone. Safe to repeat.
    """
    with transaction.atomic():
        # Fixtures are locked before stables, here as everywhere.
        lock_fixture(fixture_id)
        stable = lock_stable(stable_id)
        held = hand_over_of(stable.pk, now)
        side = FixtureSide.objects.select_related("line_up").get(fixture_id=fixture_id, stable=stable)
        if held is None or hasattr(side, "line_up") or side.forfeits:
            return side.forfeits
        nothing = Allowance(stable.pk, 0, {"hand_over": held.pk})
        may_repair = held.scope != HandOver.Scope.PLAY
        try:
            with transaction.atomic(), allowing(_allowance(held) if may_repair else nothing):
                sealed = owners.prepare(stable_id=stable.pk, fixture_id=fixture_id)
        except SeasonRefused:
            # Whatever was in the way, the match is played: the line-up that changes least, and no Stone is spent.
            with allowing(nothing):
                sealed = line_ups.submit_nearest_legal(stable_id=stable.pk, fixture_id=fixture_id)
        LineUp.objects.filter(side=side).update(source=LineUp.Source.HAND_OVER)
        return sealed.forfeits


@answered
def shop(*, stable_id: int, cycle_id: int, now: datetime | None = None) -> list[str]:
    """Let the AI shop for an absent owner who handed over everything, within his limit; returns the names bought."""
    with transaction.atomic():
        stable = lock_stable(stable_id)
        held = hand_over_of(stable.pk, now)
        if held is None or held.scope != HandOver.Scope.EVERYTHING:
            return []
        try:
            with transaction.atomic(), allowing(_allowance(held)):
                return owners.shop(stable_id=stable.pk, cycle_id=cycle_id)
        except SeasonRefused:
            # What the market refuses in one place is bought by the owner when he is back, or not at all.
            return []


def spent_under(made: HandOver) -> int:
    """Return how many Stones were spent under a hand-over: its debits. What was sold meanwhile does not count back."""
    debits = LedgerEntry.objects.filter(stable=made.stable_id, amount__lt=0, parameters__hand_over=made.pk)
    return -(debits.aggregate(total=Sum("amount"))["total"] or 0)


def spent_by_hand_over(stable_id: int) -> dict[int, int]:
    """Return how many Stones were spent under each hand-over of a stable that spent any; one query."""
    debits = LedgerEntry.objects.filter(stable=stable_id, amount__lt=0, parameters__has_key="hand_over")
    spent: dict[int, int] = {}
    for number, amount in debits.values_list("parameters__hand_over", "amount"):
        spent[number] = spent.get(number, 0) - amount
    return spent


def _allowance(made: HandOver) -> Allowance:
    left = left_of_limit(made.spending_limit, spent_under(made))
    return Allowance(made.stable_id, left, {"hand_over": made.pk})


def tell_owner(made: HandOver, now: datetime | None = None) -> bool:
    """Tell the owner that a hand-over is over and where its summary is; returns whether it is, by time."""
    if made.ended_at is not None or made.ends_at > (now or timezone.now()):
        return False
    stable = made.stable
    if stable.owner is not None:
        address = reverse("stables:hand_over_summary", args=[stable.season.slug, stable.slug, made.pk])
        notify([stable.owner], "hand_over_ended", {"stable": stable.name}, address)
    return True


def shopping(season_id: int, now: datetime | None = None) -> list[Stable]:
    """Return the stables for which the AI shops because their owners handed over everything; one query."""
    away = handed_over(season_id, now).values()
    return sorted(
        (held.stable for held in away if held.scope == HandOver.Scope.EVERYTHING), key=lambda stable: stable.number
    )


def stop_waiting(stable: Stable) -> None:
    """Begin the cycle whose market waits for nobody else, now that the AI shops for this stable; safe to repeat."""
    season = lock_season(stable.season_id)
    cycle = Cycle.objects.filter(season=season).order_by("-number").first()
    if cycle is not None and cycle.state == Cycle.State.MARKET and stable.pk in handed_over(season.pk):
        cycle.season = season
        begin_when_nobody_shops(cycle)


def waiting_in(round_id: int, now: datetime | None = None) -> list[tuple[int, Stable]]:
    """Return the fixtures of a round for which the AI hands in line-ups of absent owners, each with the stable."""
    sides = _waiting().filter(fixture__round=round_id).select_related("stable")
    held = set(
        HandOver.objects.filter(running_at(now or timezone.now()), stable__fixture_sides__in=sides).values_list(
            "stable", flat=True
        )
    )
    return [(side.fixture_id, side.stable) for side in sides.order_by("fixture__number") if side.stable_id in held]
