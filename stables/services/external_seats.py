"""A program that plays a stable's matches through an account of its own, while everybody consents (design.md 6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from people.services import notify
from rules.core.refusals import SeasonRefused
from stables.models import ExternalSeat, Season, Stable
from stables.seating import has_person
from stables.services.appointments import people_of
from stables.services.hand_overs import follow_seats
from stables.services.log import record
from stables.services.seasons import lock_season


@dataclass(frozen=True)
class SeatOfProgram:
    """A program's seat: since when everybody consents, and whether it is over."""

    seat_id: int
    agreed: bool
    ended: bool


@transaction.atomic
def propose(*, stable_id: int, username: str, actor: Any = None, now: datetime | None = None) -> SeatOfProgram:
    """Name the account of a program for a stable; it plays once every other person with a stable here consents.

    Raises SeasonRefused (appointment_over, program_unknown, program_has_stable, program_seat_taken).
    """
    season = _lock_open(stable_id)
    stable = _own(season, stable_id)
    account = get_user_model().objects.filter(username__iexact=username.strip(), is_active=True).first()
    if account is None:
        raise SeasonRefused("program_unknown", name=username.strip())
    known = ExternalSeat.objects.filter(stable=stable, ended_at=None).select_related("user").first()
    if known is not None:
        raise SeasonRefused("program_seat_taken", name=known.user.get_username())
    plays_here = ExternalSeat.objects.filter(stable__season=season, ended_at=None, user=account).exists()
    if plays_here or season.stables.filter(owner=account).exists():
        raise SeasonRefused("program_has_stable", name=account.get_username())
    seat = ExternalSeat.objects.create(stable=stable, user=account)
    parameters = {"stable": stable.name, "person": account.pk}
    record(season, "program_proposed", parameters, actor=actor)
    others = _others(season, stable)
    notify(people_of(others), "seat_proposed", {"season": season.name, "stable": stable.name}, _page(season))
    _agree_if_all(seat, season, stable, others, now)
    return _told(seat)


@transaction.atomic
def consent(*, seat_id: int, stable_id: int, actor: Any = None, now: datetime | None = None) -> SeatOfProgram:
    """Consent to a rival's program; twice is once. Raises SeasonRefused (program_seat_over, no_fixture_of_yours)."""
    season = _lock_open(stable_id)
    own = _own(season, stable_id)
    seat = _open_seat(season, seat_id)
    if seat.stable_id == own.pk:
        raise SeasonRefused("no_fixture_of_yours")
    if not seat.consents.filter(pk=own.pk).exists():
        seat.consents.add(own)
        record(season, "program_consented", {"stable": own.name, "other": seat.stable.name}, actor=actor)
    _agree_if_all(seat, season, seat.stable, _others(season, seat.stable), now)
    return _told(seat)


@transaction.atomic
def end(*, seat_id: int, stable_id: int, actor: Any = None, now: datetime | None = None) -> SeatOfProgram:
    """End a program's seat at once: its owner may, and so may everybody whose consent it needs.

    Its seats in running matches return. Twice is once. Raises SeasonRefused (program_seat_over, no_fixture_of_yours).
    """
    season_id = Stable.objects.values_list("season_id", flat=True).get(pk=stable_id)
    season = lock_season(season_id)
    _own(season, stable_id)
    seat = _open_seat(season, seat_id, may_be_over=True)
    if ExternalSeat.objects.filter(pk=seat.pk, ended_at=None).update(ended_at=now or timezone.now()):
        seat.refresh_from_db(fields=["ended_at"])
        parameters = {"stable": seat.stable.name, "person": seat.user_id}
        record(season, "program_ended", parameters, actor=actor)
        if seat.agreed_at is not None:
            follow_seats(seat.stable, f"program:{seat.pk}:ended")
    return _told(seat)


def _lock_open(stable_id: int) -> Season:
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    if season.state not in (Season.State.RECRUITING, Season.State.RUNNING):
        raise SeasonRefused("appointment_over")
    return season


def _own(season: Season, stable_id: int) -> Stable:
    stable = Stable.objects.select_related("owner").filter(season=season, pk=stable_id).first()
    if stable is None or not has_person(stable):
        raise SeasonRefused("no_fixture_of_yours")
    stable.season = season
    return stable


def _open_seat(season: Season, seat_id: int, may_be_over: bool = False) -> ExternalSeat:
    seats = ExternalSeat.objects.filter(stable__season=season, pk=seat_id).select_related("stable__season", "user")
    seat = seats.first()
    if seat is None or (seat.ended_at is not None and not may_be_over):
        raise SeasonRefused("program_seat_over")
    return seat


def _others(season: Season, stable: Stable) -> list[Stable]:
    """Return the other stables that persons run and that still take part."""
    others = season.stables.exclude(pk=stable.pk).filter(left_in_cycle=None).select_related("owner").order_by("number")
    return [other for other in others if has_person(other)]


def _agree_if_all(
    seat: ExternalSeat, season: Season, stable: Stable, others: Iterable[Stable], now: datetime | None
) -> None:
    """Let the program play from now on once everybody consents. The season's lock makes the last two see each other."""
    consenting = set(seat.consents.values_list("pk", flat=True))
    if seat.agreed_at is not None or any(other.pk not in consenting for other in others):
        return
    seat.agreed_at = now or timezone.now()
    seat.save(update_fields=["agreed_at"])
    parameters = {"stable": stable.name, "person": seat.user_id}
    record(season, "program_agreed", parameters)
    everybody = people_of([stable, *others])
    notify(everybody, "seat_agreed", {"season": season.name, "stable": stable.name}, _page(season))
    follow_seats(stable, f"program:{seat.pk}:agreed")


def _page(season: Season) -> str:
    return reverse("stables:programs", args=[season.slug])


def _told(seat: ExternalSeat) -> SeatOfProgram:
    return SeatOfProgram(seat.pk, seat.agreed_at is not None, seat.ended_at is not None)
